"""Planners for reruns that make no mistakes, given the belief or the truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from evals.judges.changes import Progress
from evals.run.trace import Record, until
from planners.outcome import Planner, PlanOutcome, Status
from planners.task import Step, Task
from tools.events import Acted, CalledOff, Planned


@dataclass(frozen=True, slots=True)
class OngoingPlan:
    """A plan being executed: its index among the plans of the episode, and the steps done."""

    number: int
    done: tuple[Step, ...]


def ongoing_plan(records: Sequence[Record], step: int) -> OngoingPlan | None:
    """The plan being executed after that many attempts; None if there was none, or the agent deviated from it."""
    happened = until(records, step)
    plans = [(place, record.event) for place, record in enumerate(happened) if isinstance(record.event, Planned)]
    if not plans:
        return None
    place, planned = plans[-1]
    done = [record.event.action for record in happened[place:] if isinstance(record.event, Acted | CalledOff)]
    if list(planned.plan[: len(done)]) != done:
        return None
    return OngoingPlan(len(plans) - 1, tuple(map(Step.parse, done)))


@dataclass
class SoundPlanner:
    """A planner that replaces the bad plans of another one.

    A plan that reaches the goal within the remaining steps stays, even if a shorter one exists, so that the rerun
    differs as little as possible. Until the rerun is free, all plans stay.
    """

    planner: Planner
    perfect: Planner
    progress: Progress
    limit: int

    @property
    def engine(self) -> str:
        """The planner's own name."""
        return self.planner.engine

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """The planner's plan if it is good, else a perfect one."""
        outcome = self.planner.solve(task, timeout=timeout)
        return outcome if self._good(outcome, task) else self.perfect.solve(task, timeout=timeout)

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """The planner's plan if it is good, else a perfect one."""
        outcome = await self.planner.plan(task, timeout=timeout)
        return outcome if self._good(outcome, task) else await self.perfect.plan(task, timeout=timeout)

    def close(self) -> None:
        """Do nothing: both planners are shared."""

    def _good(self, outcome: PlanOutcome, task: Task) -> bool:
        if not self.progress.free:
            return True
        fits = len(outcome.plan) <= self.limit - self.progress.attempts
        return outcome.solved and fits and task.fault(outcome.plan) is None


@dataclass
class OmniscientPlanner:
    """A planner that plans from the true state, whatever the agent believes.

    Until the rerun is free it plans as recorded, but the plan that is being executed then continues optimally for the
    true state: the agent keeps its belief and does what is best.
    """

    planner: Planner
    perfect: Planner
    known: Callable[[Task], Task]
    """The task from the true state. A plain function, so that an agent cannot reach the world."""
    progress: Progress
    ongoing: OngoingPlan | None = None
    rest: tuple[Step, ...] = ()
    _plans: int = field(default=0, init=False)

    @property
    def engine(self) -> str:
        """The perfect planner's name."""
        return self.perfect.engine

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """A perfect plan from the true state."""
        return self.perfect.solve(self.known(task), timeout=timeout)

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """The recorded plan at first, then a perfect one from the true state."""
        self._plans += 1
        own = await self.planner.plan(task, timeout=timeout)
        if not self.progress.free:
            if self.ongoing is None or self._plans - 1 != self.ongoing.number:
                return own
            return replace(own, status=Status.SOLVED, plan=(*self.ongoing.done, *self.rest))
        true = self.known(task)
        best = await self.perfect.plan(true, timeout=timeout)
        as_good = own.solved and len(own.plan) == len(best.plan) and true.fault(own.plan) is None
        return own if as_good else best

    def close(self) -> None:
        """Do nothing: both planners are shared."""

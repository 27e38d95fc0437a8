"""Planners that are beyond reproach, for what they are told or for what is true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from evals.counterfactual.situations import PlanInHand
from evals.counterfactual.tape import Tape
from planners.outcome import Planner, PlanOutcome, Status
from planners.task import Step, Task


@dataclass
class Sensible:
    """A planner that makes good what another one does badly.

    A plan that leads to the goal within the steps that are left stays as it is, even if a shorter one exists: to go
    another way for no reason would only throw the dice of everything else anew. Up to the tape's step all plans stay.
    """

    planner: Planner
    perfect: Planner
    tape: Tape
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
        """Nothing: both planners are somebody else's."""

    def _good(self, outcome: PlanOutcome, task: Task) -> bool:
        if not self.tape.free:
            return True
        fits = len(outcome.plan) <= self.limit - self.tape.attempts
        return outcome.solved and fits and task.fault(outcome.plan) is None


@dataclass
class Knowing:
    """A planner that plans from the true state, whatever is believed.

    Up to the tape's step it plans as recorded, but the plan that is then in hand goes on, from that step, as the true
    state wants it: the agent believes what it believed and does what is best.
    """

    planner: Planner
    perfect: Planner
    known: Callable[[Task], Task]
    """The task from the true state. A plain function: nothing that an agent holds leads to the world."""
    tape: Tape
    in_hand: PlanInHand | None = None
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
        usual = await self.planner.plan(task, timeout=timeout)
        if not self.tape.free:
            if self.in_hand is None or self._plans - 1 != self.in_hand.number:
                return usual
            return replace(usual, status=Status.SOLVED, plan=(*self.in_hand.done, *self.rest))
        true = self.known(task)
        best = await self.perfect.plan(true, timeout=timeout)
        as_good = usual.solved and len(usual.plan) == len(best.plan) and true.fault(usual.plan) is None
        return usual if as_good else best

    def close(self) -> None:
        """Nothing: both planners are somebody else's."""

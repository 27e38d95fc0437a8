"""Planners that make no mistakes, with a real planner's answers replaced by given ones."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from evals.judges.planning import OmniscientPlanner, OngoingPlan, SoundPlanner, ongoing_plan
from evals.judges.symbolic import TruthPlanner
from evals.run.trace import Record
from planners.outcome import PlanOutcome, Status
from planners.task import Step, Task
from tests.small_worlds import blocksworld
from tools.events import Acted, CalledOff, Event, Observed, Planned

WORLD = blocksworld((("r",), ("b",), ()), ((), ("b",), ("r",)))
TASK = Task(WORLD.domain, WORLD.objects, WORLD.truth(), WORLD.goal)
SHORT = (Step("moveblock", ("r", "c3")),)
LONG = (Step("moveblock", ("r", "c2")), Step("moveblock", ("r", "c3")))
WRONG = (Step("moveblock", ("b", "c3")),)


@dataclass
class Given:
    """A planner with one answer, which keeps what it was asked."""

    plans: tuple[Step, ...] = ()
    status: Status = Status.SOLVED
    engine: str = "given"
    asked: list[Task] = field(default_factory=list)
    timeouts: list[float] = field(default_factory=list)

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        self.asked.append(task)
        self.timeouts.append(timeout)
        return PlanOutcome(self.status, self.plans, self.engine)

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        return self.solve(task, timeout=timeout)

    def close(self) -> None:
        raise AssertionError("the planner is somebody else's")


@dataclass
class At:
    attempts: int = 0
    free: bool = True


def test_the_problem_is_what_the_plans_here_are_for() -> None:
    assert TASK.fault(SHORT) is None
    assert TASK.fault(LONG) is None
    assert TASK.fault(WRONG) is not None


@pytest.mark.parametrize(
    ("plan", "status", "limit", "at", "kept"),
    [
        (SHORT, Status.SOLVED, 1, At(), True),
        (LONG, Status.SOLVED, 2, At(), True),
        (LONG, Status.SOLVED, 1, At(), False),
        (LONG, Status.SOLVED, 4, At(attempts=2), True),
        (LONG, Status.SOLVED, 4, At(attempts=3), False),
        (WRONG, Status.SOLVED, 9, At(), False),
        (SHORT, Status.UNSOLVABLE, 9, At(), False),
        (WRONG, Status.UNSOLVABLE, 0, At(free=False), True),
    ],
)
def test_only_bad_plans_are_replaced(plan: tuple[Step, ...], status: Status, limit: int, at: At, kept: bool) -> None:
    usual, perfect = Given(plan, status), Given(SHORT, engine="perfect")
    sensible = SoundPlanner(usual, perfect, at, limit)
    for outcome in (sensible.solve(TASK, timeout=3.0), asyncio.run(sensible.plan(TASK, timeout=3.0))):
        assert outcome.engine == ("given" if kept else "perfect")
    assert set(usual.timeouts + perfect.timeouts) == {3.0}
    assert sensible.engine == "given"
    sensible.close()


def knowing(usual: Given, best: Given, at: At, ongoing: OngoingPlan | None = None) -> OmniscientPlanner:
    """A planner that knows the state of the world, for an agent that believes in nothing."""
    return OmniscientPlanner(usual, best, lambda task: replace(task, init=TASK.init), at, ongoing, rest=SHORT)


BELIEVED = replace(TASK, init=frozenset())


@pytest.mark.parametrize(
    ("usual", "status", "engine"),
    [
        (SHORT, Status.SOLVED, "given"),
        (LONG, Status.SOLVED, "best"),
        (WRONG, Status.SOLVED, "best"),
        (SHORT, Status.TIMEOUT, "best"),
    ],
)
def test_one_who_knows_keeps_a_plan_that_is_as_good(usual: tuple[Step, ...], status: Status, engine: str) -> None:
    own, best = Given(usual, status), Given(SHORT, engine="best")
    planner = knowing(own, best, At())
    assert asyncio.run(planner.plan(BELIEVED, timeout=4.0)).engine == engine
    assert own.asked == [BELIEVED]
    assert best.asked == [TASK]
    assert own.timeouts == best.timeouts == [4.0]
    assert planner.solve(BELIEVED).plan == SHORT
    assert planner.engine == "best"
    planner.close()


def test_the_plan_in_hand_continues_as_the_truth_wants_it() -> None:
    own, best, at = Given(WRONG, Status.UNSOLVABLE), Given(SHORT, engine="best"), At(free=False)
    planner = knowing(own, best, at, OngoingPlan(1, WRONG))
    first, second, third = (asyncio.run(planner.plan(BELIEVED)) for _ in range(3))
    assert (first.plan, first.status) == (third.plan, third.status) == (WRONG, Status.UNSOLVABLE)
    assert (second.plan, second.status, second.engine) == ((*WRONG, *SHORT), Status.SOLVED, "given")
    assert best.asked == []
    at.free = True
    assert asyncio.run(planner.plan(BELIEVED)).engine == "best"
    assert asyncio.run(knowing(own, best, At(free=False)).plan(BELIEVED)).plan == WRONG


def acted(action: str) -> Acted:
    return Acted(step=0, action=action, outcome="executed")


def planned(*steps: str) -> Planned:
    return Planned(step=0, belief=(), status="solved", plan=steps)


OFF = CalledOff(step=0, action="b(y)", unmet=())


@pytest.mark.parametrize(
    ("step", "events", "number", "done"),
    [
        (1, (planned("a(x)", "b(y)"), acted("a(x)"), acted("b(y)")), 0, ("a(x)",)),
        (2, (planned("a(x)", "b(y)"), acted("a(x)"), OFF), 0, ("a(x)", "b(y)")),
        (2, (planned("a(x)"), acted("a(x)"), planned("b(y)"), acted("b(y)")), 1, ("b(y)",)),
        (1, (planned("a(x)"), acted("c(z)")), None, ()),
        (1, (Observed(step=0, picture=""), acted("a(x)")), None, ()),
        (0, (planned("a(x)"), acted("a(x)")), None, ()),
        (2, (planned("a(x)"), acted("a(x)"), acted("a(x)")), None, ()),
    ],
)
def test_the_plan_that_was_being_carried_out(
    step: int, events: tuple[Event, ...], number: int | None, done: tuple[str, ...]
) -> None:
    found = ongoing_plan([Record(event=event) for event in events], step)
    wanted = None if number is None else OngoingPlan(number, tuple(map(Step.parse, done)))
    assert found == wanted


def test_a_planner_from_the_truth_reads_it_anew_each_time() -> None:
    states = iter([TASK.init, frozenset()])
    given = Given(SHORT)
    planner = TruthPlanner(given, lambda: next(states))
    planner.solve(BELIEVED, timeout=2.0)
    asyncio.run(planner.plan(TASK, timeout=3.0))
    assert [task.init for task in given.asked] == [TASK.init, frozenset()]
    assert given.timeouts == [2.0, 3.0]
    assert planner.engine == "given from the true state"
    planner.close()

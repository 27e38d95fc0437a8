"""A simulated planner in a home that has to be searched knows what it saw, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from envs.base import Announcing, Outcome
from envs.household.looking import HouseholdToSearch
from envs.household.problems import files, load
from envs.quiet import DONE, Quiet
from evals.judges.recall import Recall
from evals.judges.symbolic import SymbolicJudge, came_of, counts
from evals.run.trace import Record, Truth
from models.base import Kind, Request
from planners.outcome import Planner
from planners.task import Step
from tools.events import Acted


class Eyes:
    """Sees what is there, and picks what it is told to."""

    def __init__(self, pick: Callable[[int], int] = lambda count: 0) -> None:
        self._pick = pick

    def sees(self, fact: str, true: bool) -> bool:
        return true

    def blunders(self) -> bool:
        return False

    def pick(self, count: int) -> int:
        return self._pick(count)


def home(name: str = "collect_misplaced_items_medium_0") -> HouseholdToSearch:
    return HouseholdToSearch(load(next(file for file in files("medium") if file.stem == name), "medium"))


def first(recall: Recall, planner: Planner, eyes: Eyes) -> Step:
    return asyncio.run(recall.planned(eyes, planner)).plan[0]


@pytest.mark.slow
def test_it_does_not_drive_to_what_it_never_saw(planner: Planner) -> None:
    for pick in range(0, 12, 3):
        world = home()
        step = first(Recall(world), planner, Eyes(lambda count, pick=pick: pick % count))  # type: ignore[misc]
        assert step.args[0] not in world.search.places, step
        assert world.step(step).outcome is Outcome.EXECUTED


@pytest.mark.slow
def test_it_remembers_what_it_saw_and_drops_a_guess_that_was_wrong(planner: Planner) -> None:
    world = home()
    recall, eyes = Recall(world), Eyes()
    first(recall, planner, eyes)
    guessed = dict(recall._guesses)
    assert set(guessed) == set(world.search.places)
    world.step(Step("look-around", ("living_room",)))
    step = first(recall, planner, eyes)
    assert "gym_shoe_1" in recall._found
    assert "gym_shoe_1" not in recall._guesses
    world.step(Step("navigate-to", ("table_2",)))
    first(recall, planner, eyes)
    assert "gym_shoe_1" in recall._found, "also when it is out of view"
    assert step.action in world.domain.actions


def test_who_sees_the_goal_says_that_it_is_done(planner: Planner) -> None:
    world = Quiet(home(), Announcing.NONE)  # type: ignore[arg-type]
    judge = SymbolicJudge(world, {"level": "medium"}, lambda: planner)  # type: ignore[arg-type]
    solved = asyncio.run(judge._planned(Eyes()))
    assert judge._without_plan(solved.__class__(solved.status), Eyes()) == [Step(DONE)]
    written = judge._written([Step(DONE)], Request((), Kind.ACTION))
    assert '"done"' in written


@pytest.mark.parametrize(
    ("outcome", "legal", "happened", "expected"),
    [
        ("executed", True, "success", "executed"),
        ("executed", False, "not legal", "not legal"),
        ("executed", True, "failed: no room", "executed but failed"),
        ("executed", True, "no-op", "executed"),
        ("not legal", False, "not legal", "not legal"),
        ("executed", None, None, "executed"),
    ],
)
def test_what_came_of_an_attempt_is_counted_by_the_truth(
    outcome: str, legal: bool | None, happened: str | None, expected: str
) -> None:
    event = Acted(step=0, action="grasp(apple_1)", outcome=outcome)
    record = Record(event=event, truth=Truth(legal=legal, happened=happened))
    assert came_of(record) == expected
    assert counts([record])[f"attempts/{expected}"] == 1

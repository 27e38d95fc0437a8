"""The planner whose plans are checked against what it said it sees: objections, corrections, the end of patience."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import pytest

from agents.formalize import RETRIES
from agents.plan_check import ROUNDS, fault_of
from evals.run.trace import Record
from models.base import Kind, Request
from models.parsing import Proposal
from models.registry import load_model
from models.scripted import Scripted
from planners.formula import Atom
from planners.outcome import Planner
from planners.task import Step, Task
from planners.write import problem_text
from tests.agents.test_methods_household import play as play_at_home
from tests.envs.household.small_world import small_world
from tests.playing import liar, play
from tests.small_worlds import blocksworld, problem, toolbox
from tools.events import Acted, Asked, Called, Planned

Pair = tuple[Planner, Planner]
WORLD = blocksworld()
STATE = problem_text(Task(WORLD.domain, WORLD.objects, WORLD.truth(), WORLD.goal))
RIGHT = (("g", "c3"), ("r", "c2"))


def of(kind: type, records: list[Record]) -> list[Any]:
    return [record.event for record in records if isinstance(record.event, kind)]


def plan(*moves: tuple[str, str]) -> str:
    steps = [{"action": "moveblock", "parameters": {"block": block, "column": column}} for block, column in moves]
    return json.dumps({"plan": steps})


class Planning(Scripted):
    """Describes the state by one text, and proposes one plan after the other, the last one again and again."""

    def __init__(self, *plans: str, state: str = STATE) -> None:
        left: Iterator[str] = itertools.chain(plans, itertools.repeat(plans[-1]))
        super().__init__(lambda request: state if request.kind is Kind.PROBLEM else next(left))

    @property
    def plans(self) -> list[Request]:
        return [request for request in self.asked if request.kind is Kind.PLAN]


def test_a_good_plan_is_carried_out_without_a_word(planners: Pair) -> None:
    model = Planning(plan(*RIGHT))
    result, records = play("plan_check", model, problem(), planners)
    assert result.success
    assert [event.kind for event in of(Asked, records)] == [Kind.PROBLEM, Kind.PLAN]
    (checked,) = of(Called, records)
    assert (checked.name, checked.result) == ("validate", "it reaches the goal")
    assert checked.arguments == "moveblock(g, c3) moveblock(r, c2)"
    assert not of(Planned, records)
    assert result.end == "announced"


@pytest.mark.parametrize(
    ("moves", "fault"),
    [
        ((("r", "c2"),), "action 1, moveblock(r, c2), is not possible at that point: `clear r` is false"),
        ((("g", "c1"),), "action 1, moveblock(g, c1), is not possible at that point: `incolumn g,c1` is true"),
        ((("g", "c3"), ("b", "c2")), "action 2, moveblock(b, c2), is not possible at that point"),
        ((("g", "c3"),), "the goal is not reached at the end: `on r,b` is false, `incolumn r,c2` is false"),
        ((("z", "c3"),), "action 1, moveblock(z, c3), is no action of this world: 'z' is not a block"),
    ],
)
def test_the_validator_names_the_first_fault(moves: tuple[tuple[str, str], ...], fault: str, planners: Pair) -> None:
    model = Planning(plan(*moves), plan(*RIGHT))
    result, records = play("plan_check", model, problem(), planners)
    assert result.success
    assert len(of(Acted, records)) == 2
    first, second = model.plans
    assert "Your last plan" not in first.text
    assert fault in second.text
    assert fault in of(Called, records)[0].result


def test_an_action_that_does_not_exist_is_an_objection_too(planner: Planner) -> None:
    tools, _ = toolbox(WORLD, Planning(""), planner)
    truth = WORLD.truth()
    assert "no action 'fly'; actions: moveblock" in fault_of((Proposal("fly", {}, None),), truth, tools)
    assert "takes 2 arguments" in fault_of((Proposal("moveblock", {"block": "g"}, None),), truth, tools)
    assert fault_of(tuple(Proposal("moveblock", {}, Step("moveblock", move)) for move in RIGHT), truth, tools) == ""


def test_after_some_rounds_the_model_has_its_way(planners: Pair) -> None:
    model = Planning(plan(("r", "c2")))
    _, records = play("plan_check", model, problem(), planners, steps=1)
    assert len(model.plans) == len(of(Called, records)) == ROUNDS + 1
    assert [event.outcome for event in of(Acted, records)] == ["not legal"]


def test_it_is_checked_by_what_the_model_says_and_never_by_the_truth(planners: Pair) -> None:
    """The model overlooks that g is on r, so that its plan passes; the world refuses it."""
    overlooked = STATE.replace("(on g r)", "").replace("(clear g)", "(clear g) (clear r)")
    model = Planning(plan(("r", "c2"), ("g", "c3")), state=overlooked)
    _, records = play("plan_check", model, problem(), planners, steps=1)
    assert [event.result for event in of(Called, records)] == ["it reaches the goal"]
    assert [event.outcome for event in of(Acted, records)] == ["not legal"]


def test_a_plan_that_ends_before_the_goal_is_followed_by_another_look(planners: Pair) -> None:
    def see(atom: Atom, true: bool, request: Request) -> bool:
        # What it describes at first has the goal reached after one move.
        early = request.place == "formalization 0"
        return (true or str(atom) in ("on r,b", "incolumn r,c2")) and not (early and str(atom) == "incolumn r,c1")

    result, records = play("plan_check", liar(see), problem(), planners)
    assert [event.kind for event in of(Asked, records)].count(Kind.PROBLEM) > 1
    assert result.scored


def test_a_state_that_cannot_be_read_is_asked_for_again(planners: Pair) -> None:
    model = Planning(plan(*RIGHT), state="I see three blocks.")
    result, records = play("plan_check", model, problem(), planners)
    assert (result.reason, len(of(Asked, records))) == ("unreadable", RETRIES + 1)
    assert "there is no (:init …)" in model.asked[1].text


def test_at_home_it_plans_from_what_it_sees_and_remembers(planners: Pair) -> None:
    result, _ = play_at_home("plan_check", load_model("oracle"), small_world(), planners)
    assert result.success

"""Recorded answers given again, from a record made up for the purpose."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from models.base import Kind, Model, ModelUnavailable, Reply
from models.parsing import yes_no
from models.registry import load_model
from models.replay import Replay
from planners.names import UnknownName
from planners.outcome import Planner
from tests.small_worlds import about, blocksworld, request, witness

PROPOSED = {"plan": [{"action": "moveblock", "parameters": {"block": "r", "column": "c2"}}]}


def answered(text: str) -> list[Any]:
    return [text, 0.9, 0.1, None, True, text.capitalize(), True]


GROUNDED = {
    "initial_state_enum": {"results": {"on r,b": ["yes", "no"], "clear r": ["perhaps", "yes"]}},
    "action_results": [
        {
            "action": "moveblock(r, c2)",
            "preconditions_results": {"clear r": answered("yes"), "all_correct": True},
            "effects_results": {"on r,b": answered("no"), "all_correct": True},
            "action_info": "success",
        },
        {
            "action": "moveblock(b, c1)",
            "preconditions_results": {"clear b": answered("no"), "all_correct": False},
            "effects_results": None,
            "action_info": None,
        },
    ],
    "replans": [{"step": 2, "enum_results": {"on r,b": ["no", "no"]}, "actions": []}],
    "remaining_actions": [],
    "goal_reached": True,
}
PLANNED = {
    "plans": [PROPOSED],
    "actions": [{"action": "moveblock(r, c2)", "success": True, "info": "success"}],
    "previous_actions": [{"outcome": "success"}],
    "completed": True,
}


def replay(tmp_path: Path, planner: Planner, record: dict[str, Any]) -> Model:
    file = tmp_path / "results_1.json"
    file.write_text(json.dumps({"problems/small.pddl": record, "metadata": {}}))
    model = load_model(f"replay:{file}")
    assert isinstance(model, Replay)
    return model.for_episode(witness(blocksworld(), planner))


@pytest.mark.parametrize(
    ("fact", "place", "text"),
    [
        ("on r,b", "enumeration 0", "Yes"),
        ("on r,b", "enumeration 1", "No"),
        ("clear r", "precondition 0", "Yes"),
        ("on r,b", "effect 1", "No"),
        ("clear b", "precondition 1", "No"),
    ],
)
def test_a_question_is_found_by_its_place(tmp_path: Path, planner: Planner, fact: str, place: str, text: str) -> None:
    model = replay(tmp_path, planner, GROUNDED)
    assert asyncio.run(model.ask(about(fact, place=place))).text == text
    reasoned = asyncio.run(model.ask(about(fact, place=place, cot=True)))
    assert yes_no(reasoned.text, cot=True) is (text == "Yes")


def test_probabilities_come_with_the_answer(tmp_path: Path, planner: Planner) -> None:
    reply = asyncio.run(replay(tmp_path, planner, GROUNDED).ask(about("clear r", place="precondition 0")))
    assert (reply.yes, reply.no) == (0.9, 0.1)


def test_what_could_not_be_read_then_cannot_be_read_now(tmp_path: Path, planner: Planner) -> None:
    model = replay(tmp_path, planner, GROUNDED)
    assert asyncio.run(model.ask(about("clear r", place="enumeration 0"))).text == "perhaps"


@pytest.mark.parametrize(
    ("fact", "place"),
    [
        ("on b,r", "enumeration 0"),
        ("on r,b", "enumeration 2"),
        ("on r,b", "precondition 0"),
        ("clear r", "precondition 7"),
        ("clear b", "effect 2"),
        ("on r,b", "effect 0"),
        ("on r,b", "free 1"),
        ("on r,b", ""),
    ],
)
def test_a_question_never_asked_has_no_answer(tmp_path: Path, planner: Planner, fact: str, place: str) -> None:
    model = replay(tmp_path, planner, GROUNDED)
    with pytest.raises(ModelUnavailable, match=f"the record of small has no answer to {fact} at {place}"):
        asyncio.run(model.ask(about(fact, place=place)))


def test_a_plan_is_found_by_its_step(tmp_path: Path, planner: Planner) -> None:
    model = replay(tmp_path, planner, PLANNED)

    def proposal(number: int) -> Reply:
        return asyncio.run(model.ask(request(kind=Kind.PLAN, place=f"proposal {number}")))

    assert json.loads(proposal(0).text) == PROPOSED
    assert proposal(1).text == ""


@pytest.mark.parametrize("kind", [Kind.ACTION, Kind.YES_NO, Kind.TEXT])
def test_a_record_of_plans_answers_nothing_else(tmp_path: Path, planner: Planner, kind: Kind) -> None:
    model = replay(tmp_path, planner, PLANNED)
    with pytest.raises(ModelUnavailable, match="the record of small has no answer"):
        asyncio.run(model.ask(request(kind=kind, place="proposal 0")))


def test_a_problem_that_was_not_recorded_is_answered_with_the_nearest(tmp_path: Path, planner: Planner) -> None:
    file = tmp_path / "results_1.json"
    file.write_text(json.dumps({"problems/simple_problem_1.pddl": GROUNDED}))
    model = load_model(f"replay:{file}")
    assert isinstance(model, Replay)
    with pytest.raises(UnknownName, match="Did you mean 'simple_problem_1'"):
        model.for_episode(witness(blocksworld(), planner, name="simple_problem1"))


def test_without_an_episode_it_cannot_answer(tmp_path: Path, planner: Planner) -> None:
    with pytest.raises(RuntimeError, match="for_episode"):
        asyncio.run(Replay({}, "results_1.json").ask(about("on r,b")))


@pytest.mark.parametrize("content", ["{broken", "[]", "{}", '{"small.pddl": 7}'])
def test_a_file_that_is_no_record_is_named(tmp_path: Path, content: str) -> None:
    file = tmp_path / "results_1.json"
    file.write_text(content)
    with pytest.raises(ValueError, match=r"results_1\.json"):
        load_model(f"replay:{file}")


@pytest.mark.parametrize("spec", ["replay", "replay:nowhere.json", "replay:nowhere.json?seed=1"])
def test_a_record_that_is_not_there_is_said_so(spec: str) -> None:
    with pytest.raises(ValueError, match="replay"):
        load_model(spec)

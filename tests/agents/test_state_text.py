"""The state as text: a control that words replace pictures in, for every agent, and an agent that needs it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agents.registry import find_agent
from evals.judges.controlled import StateInWords
from evals.judges.symbolic import Control
from evals.run.directory import RunDirectory
from evals.run.prepare import with_control
from evals.viplan.__main__ import main
from models.base import Kind, Message, Model, Reply, Request
from models.registry import load_model
from models.scripted import Scripted
from planners.outcome import Planner
from planners.task import Step
from tests.small_worlds import Sketch, blocksworld, witness


class Looking(Scripted):
    """A model that would look."""

    looks = True


def told(planner: Planner) -> tuple[Looking, Model]:
    model = Looking(lambda request: Reply("No"))
    return model, witness(blocksworld(), planner).controlled(Control.STATE_TEXT, model, None)


def asked(model: Model, *parts: str | Sketch, kind: Kind = Kind.PLAN) -> None:
    asyncio.run(model.ask(Request((Message("user", parts),), kind)))


@pytest.mark.parametrize("kind", [Kind.PLAN, Kind.YES_NO, Kind.PROBLEM])
def test_pictures_become_words(kind: Kind, planner: Planner) -> None:
    model, controlled = told(planner)
    assert not controlled.looks
    asked(controlled, "Now:", Sketch("a"), "What next?", kind=kind)
    (request,) = model.asked
    assert request.pictures == ()
    before, words, after = request.messages[0].parts
    assert (before, after) == ("Now:", "What next?")
    assert "- on g,r\n" in str(words)
    assert "- on r,b" not in str(words)


def test_words_are_of_the_moment_of_the_picture() -> None:
    model = Looking(lambda request: Reply("No"))
    moments = iter(["first", "second", "third"])
    controlled = StateInWords(model, "me", lambda: next(moments))
    asked(controlled, Sketch("a"))
    asked(controlled, Sketch("a"), Sketch("b"))
    asked(controlled, Sketch("z"), Sketch("a"), Sketch("b"))
    shown = [request.messages[0].parts for request in model.asked]
    assert shown == [
        ("first",),
        ("first", "second"),
        ("An earlier moment, not described.", "first", "second"),
    ]


def test_the_words_follow_the_world(planner: Planner) -> None:
    world, model = blocksworld(), Looking(lambda request: Reply("No"))
    controlled = witness(world, planner).controlled(Control.STATE_TEXT, model, None)
    asked(controlled, Sketch("before"))
    world.step(Step("moveblock", ("g", "c3")))
    asked(controlled, Sketch("after"))
    assert ["- on g,r" in request.text for request in model.asked] == [True, False]


def test_a_simulated_model_sees_without_error(planner: Planner) -> None:
    model = witness(blocksworld(), planner).controlled(Control.STATE_TEXT, load_model("sim:gemma-3-12b"), None)
    assert "perfect eyes" in model.identity
    assert model.simulated


def test_the_agent_brings_its_control_along() -> None:
    assert find_agent("state_text").control == Control.STATE_TEXT
    assert with_control({"agent": "state_text"})["control"] == "state-text"
    assert with_control({"agent": "state_text", "control": "state-text"})["control"] == "state-text"
    assert "control" not in with_control({"agent": "plan"})
    assert with_control({"agent": "plan", "control": "blind"})["control"] == "blind"
    with pytest.raises(ValueError, match="agent 'state_text' needs the control 'state-text' and cannot be run under"):
        with_control({"agent": "state_text", "control": "blind"})


def test_a_run_of_it_is_labelled_as_a_control(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--agent", "state_text", "--model", "oracle", "--split", "simple", "--limit", "1"]
    assert main([*command, "--out", str(tmp_path / "run")]) == 0
    assert "CONTROL: state-text. Every picture is replaced by all true facts in words" in capsys.readouterr().out
    opened = RunDirectory.open(tmp_path / "run")
    assert opened.config["control"] == "state-text"
    assert [(result.control, result.success) for result in opened.results()] == [("state-text", True)]

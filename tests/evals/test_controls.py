"""Controls take away or make perfect what they say, and nobody can take them for results."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from agents.registry import all_agents
from envs.blocksworld.problems import files, load
from evals.controls import MEANING, Blank, Control, Controlled
from evals.episodes import Episode
from evals.report.wording import warnings
from evals.run_directory import RunDirectory
from evals.viplan import main
from models.base import Kind, Model, Reply, Request
from models.registry import load_model
from models.scripted import Scripted
from planners.formula import Atom
from planners.outcome import Planner
from tests.playing import play
from tests.small_worlds import blocksworld, request, witness

Pair = tuple[Planner, Planner]


@pytest.fixture(scope="module")
def planners(planner: Planner) -> Pair:
    return planner, planner


def episodes(number: int = 2) -> list[Episode]:
    starts = [(("r", "g"), ("b",), (), ()), (("b",), ("g",), (), ("r",)), ((), (), ("g", "b", "r"), ())]
    return [
        Episode(f"e{place}", f"e{place}", "simple", 0, 20, lambda _, start=start: blocksworld(start))  # type: ignore[misc]
        for place, start in enumerate(starts[:number])
    ]


def controlled(kind: Control, model: Model, planner: Planner, number: int = 2) -> Model:
    listed = episodes(number)
    world = listed[0].open(None)  # type: ignore[arg-type]
    return Controlled(kind, lambda: listed).model(model, listed[0], witness(world, planner))  # type: ignore[arg-type]


def answers(model: Model, *facts: str) -> list[bool]:
    async def ask() -> list[bool]:
        asked = [request(f"Is it so that {fact}?", kind=Kind.YES_NO, about=Atom.parse(fact)) for fact in facts]
        return [(await model.ask(one)).text == "Yes" for one in asked]

    return asyncio.run(ask())


COLUMNS = [f"incolumn {block},c{column}" for block in "rgb" for column in range(1, 5)]


def test_a_blind_stand_in_tosses_a_coin(planner: Planner) -> None:
    blind, seeing = controlled(Control.BLIND, load_model("oracle"), planner), load_model("oracle")
    said = answers(blind, *COLUMNS)
    assert 2 <= sum(said) <= 10
    assert said == answers(blind, *COLUMNS)
    world = blocksworld()
    assert said != answers(seeing.for_episode(witness(world, planner)), *COLUMNS)  # type: ignore[attr-defined]


class Looking(Scripted):
    """A model that would look."""

    looks = True


def heard(control: Control, planner: Planner, **options: Any) -> Request:
    model = Looking(lambda request: Reply("No"))
    asyncio.run(controlled(control, model, planner).ask(request(**options)))
    return model.asked[0]


def test_a_blind_model_is_shown_grey(planner: Planner) -> None:
    shown = heard(Control.BLIND, planner).pictures
    assert [picture.sha256 for picture in shown] == [Blank().sha256]
    assert Image.open(BytesIO(shown[0].png())).getcolors() == [(480 * 480, (128, 128, 128))]


def test_answers_are_about_the_start_of_the_next_problem(planner: Planner) -> None:
    other = controlled(Control.OTHER_ANSWERS, load_model("oracle"), planner)
    # In the other problem b, g and r are in columns 1, 2 and 4.
    true = [fact for fact, yes in zip(COLUMNS, answers(other, *COLUMNS), strict=True) if yes]
    assert sorted(true) == ["incolumn b,c1", "incolumn g,c2", "incolumn r,c4"]
    shown = heard(Control.OTHER_ANSWERS, planner).pictures[0]
    assert shown.key == episodes()[1].open(None).observe().picture.key  # type: ignore[arg-type]


def test_perfect_perception_answers_and_tells_what_is_true(planner: Planner) -> None:
    model = Looking(lambda request: Reply("No"))
    knowing = controlled(Control.ORACLE_PERCEPTION, model, planner)
    assert answers(knowing, "incolumn r,c1", "incolumn r,c2") == [True, False]
    assert model.asked == []
    told = heard(Control.ORACLE_PERCEPTION, planner, kind=Kind.PLAN).text
    assert "- on g,r" in told
    assert "- on r,g" not in told


def test_perfect_planning_leaves_the_questions_to_the_model(planner: Planner) -> None:
    model = Looking(lambda request: Reply("No"))
    planning = controlled(Control.ORACLE_PLANNING, model, planner)
    assert answers(planning, "incolumn r,c1") == [False]
    proposed = asyncio.run(planning.ask(request(kind=Kind.PLAN)))
    assert json.loads(proposed.text)["plan"][0]["action"] == "moveblock"
    assert [one.kind for one in model.asked] == [Kind.YES_NO]


@pytest.mark.parametrize("control", list(Control))
def test_models_under_different_controls_are_not_taken_for_each_other(control: Control, planner: Planner) -> None:
    plain = load_model("sim:gpt-4.1")
    assert controlled(control, plain, planner).identity != plain.identity


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param(agent, marks=pytest.mark.slow) if agent.endswith("_cot") else agent
        for agent in sorted(set(all_agents()) - {"tools"})
    ],
)
@pytest.mark.parametrize("control", list(Control))
def test_every_agent_plays_under_every_control(agent: str, control: Control, planners: Pair) -> None:
    problem = load(files("simple")[0], "simple")
    listed = [replace(episode, id=name) for name, episode in zip((problem.id, "other"), episodes(), strict=True)]
    result, _ = play(
        agent, load_model("sim:gpt-4.1"), problem, planners, control=Controlled(control, lambda: listed), steps=6
    )
    assert result.reason != "crashed", result.detail


def test_with_perfect_perception_ground_solves_what_it_does_not_without(planners: Pair) -> None:
    problem = load(files("medium")[1], "medium")
    model = load_model("sim:llava-onevision-7b")
    assert not play("ground", model, problem, planners)[0].success
    perfect = Controlled(Control.ORACLE_PERCEPTION, list)
    assert play("ground", model, problem, planners, control=perfect)[0].success


def run(tmp_path: Path, *options: str) -> int:
    common = ["--split", "simple", "--limit", "2", "--out", str(tmp_path / "run"), "--agent", "ground_belief"]
    return main([*common, *options])


def test_a_controlled_run_is_labelled_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "--control", "blind") == 0
    printed = capsys.readouterr().out
    assert "CONTROL: blind." in printed
    assert "control blind" in printed
    opened = RunDirectory.open(tmp_path / "run")
    assert opened.config["control"] == "blind"
    assert [result.control for result in opened.results()] == ["blind"] * 2
    assert "CONTROL: blind." in " ".join(warnings(opened.config))
    assert "No result of the method." in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert all(MEANING[control] for control in Control)
    assert "--control blind" in opened.config["command"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--control", "blnd"), "--control: input should be 'blind', 'other-answers'"),
        (("--control", "other-answers", "--limit", "1"), "needs at least two problems in a split"),
    ],
)
def test_a_control_that_cannot_be_is_told(
    options: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, *options) == 2
    assert said in capsys.readouterr().err

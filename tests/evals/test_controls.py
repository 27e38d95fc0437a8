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
from evals.judges.controlled import BlankPicture
from evals.judges.symbolic import JUDGING
from evals.judges.symbolic import Control as Kinds
from evals.pages.wording import warnings
from evals.run.controls import Control
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.viplan.__main__ import main
from models.base import Kind, Model, Reply, Request
from models.registry import load_model
from models.scripted import Scripted
from models.sim import PERCEIVING
from planners.outcome import Planner
from tests.playing import play
from tests.small_worlds import blocksworld, request, witness

Pair = tuple[Planner, Planner]


@pytest.fixture(scope="module")
def planners(planner: Planner) -> Pair:
    return planner, planner


STARTS = ((("r", "g"), ("b",), (), ()), (("b",), ("g",), (), ("r",)), ((), (), ("g", "b", "r"), ()))


def episodes(number: int = 2) -> list[Episode]:
    return [Episode(f"e{place}", "simple", 0, 20) for place in range(number)]


def control_of(kind: str, planner: Planner, listed: list[Episode]) -> Control:
    """A control over small problems, each with a start of its own."""
    places = {episode.id: place for place, episode in enumerate(listed)}
    return Control(kind, lambda: listed, lambda episode: witness(blocksworld(STARTS[places[episode.id]]), planner))


def controlled(kind: str, model: Model, planner: Planner, number: int = 2) -> Model:
    listed = episodes(number)
    world = blocksworld(STARTS[0])
    return control_of(kind, planner, listed).model(model, listed[0], witness(world, planner))


def answers(model: Model, *facts: str) -> list[bool]:
    async def ask() -> list[bool]:
        asked = [request(f"Is it so that {fact}?", kind=Kind.YES_NO, about=fact) for fact in facts]
        return [(await model.ask(one)).text == "Yes" for one in asked]

    return asyncio.run(ask())


COLUMNS = [f"incolumn {block},c{column}" for block in "rgb" for column in range(1, 5)]


def test_a_blind_stand_in_tosses_a_coin(planner: Planner) -> None:
    blind, seeing = controlled(Kinds.BLIND, load_model("oracle"), planner), load_model("oracle")
    said = answers(blind, *COLUMNS)
    assert 2 <= sum(said) <= 10
    assert said == answers(blind, *COLUMNS)
    world = blocksworld()
    assert said != answers(seeing.for_episode(witness(world, planner)), *COLUMNS)  # type: ignore[attr-defined]


class Looking(Scripted):
    """A model that would look."""

    looks = True


def heard(control: str, planner: Planner, **options: Any) -> Request:
    model = Looking(lambda request: Reply("No"))
    asyncio.run(controlled(control, model, planner).ask(request(**options)))
    return model.asked[0]


def test_a_blind_model_is_shown_grey(planner: Planner) -> None:
    shown = heard(Kinds.BLIND, planner).pictures
    assert [picture.sha256 for picture in shown] == [BlankPicture().sha256]
    assert Image.open(BytesIO(shown[0].png())).getcolors() == [(480 * 480, (128, 128, 128))]


def test_answers_are_about_the_start_of_the_next_problem(planner: Planner) -> None:
    other = controlled(Kinds.OTHER_ANSWERS, load_model("oracle"), planner)
    # In the other problem b, g and r are in columns 1, 2 and 4.
    true = [fact for fact, yes in zip(COLUMNS, answers(other, *COLUMNS), strict=True) if yes]
    assert sorted(true) == ["incolumn b,c1", "incolumn g,c2", "incolumn r,c4"]
    shown = heard(Kinds.OTHER_ANSWERS, planner).pictures[0]
    assert shown.key == blocksworld(STARTS[1]).observe().picture.key


def test_perfect_perception_answers_and_tells_what_is_true(planner: Planner) -> None:
    model = Looking(lambda request: Reply("No"))
    knowing = controlled(Kinds.ORACLE_PERCEPTION, model, planner)
    assert answers(knowing, "incolumn r,c1", "incolumn r,c2") == [True, False]
    assert model.asked == []
    told = heard(Kinds.ORACLE_PERCEPTION, planner, kind=Kind.PLAN).text
    assert "- on g,r" in told
    assert "- on r,g" not in told


def test_perfect_planning_leaves_the_questions_to_the_model(planner: Planner) -> None:
    model = Looking(lambda request: Reply("No"))
    planning = controlled(Kinds.ORACLE_PLANNING, model, planner)
    assert answers(planning, "incolumn r,c1") == [False]
    proposed = asyncio.run(planning.ask(request(kind=Kind.PLAN)))
    assert json.loads(proposed.text)["plan"][0]["action"] == "moveblock"
    assert [one.kind for one in model.asked] == [Kind.YES_NO]


@pytest.mark.parametrize("control", list(Kinds))
def test_models_under_different_controls_are_not_taken_for_each_other(control: str, planner: Planner) -> None:
    plain = load_model("sim:gpt-4.1")
    assert controlled(control, plain, planner).identity != plain.identity


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param(agent, marks=pytest.mark.slow) if agent.endswith("_cot") else agent
        for agent in sorted(
            name for name, agent in all_agents().items() if agent.needs == "symbolic" and name != "tools"
        )
    ],
)
@pytest.mark.parametrize("control", list(Kinds))
def test_every_agent_plays_under_every_control(agent: str, control: str, planners: Pair) -> None:
    problem = load(files("simple")[0], "simple")
    listed = [replace(episode, id=name) for name, episode in zip((problem.id, "other"), episodes(), strict=True)]
    chosen = control_of(control, planners[1], listed)
    # Nothing simulates how a model writes actions.
    model = "sim:gpt-4.1" if all_agents()[agent].kinds <= PERCEIVING else "oracle"
    result, _ = play(agent, load_model(model), problem, planners, control=chosen, steps=6)
    assert result.scored, result.detail


def test_with_perfect_perception_ground_solves_what_it_does_not_without(planners: Pair) -> None:
    problem = load(files("medium")[1], "medium")
    model = load_model("sim:llava-onevision-7b")
    assert not play("ground", model, problem, planners)[0].success
    perfect = control_of(Kinds.ORACLE_PERCEPTION, planners[1], [])
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
    assert "Not a result of the method." in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert all(JUDGING.controls[control] for control in Kinds)
    assert "--control blind" in opened.config["command"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--control", "blnd"), "no control 'blnd'. Did you mean 'blind'?"),
        (("--control", "other-answers", "--limit", "1"), "needs at least two problems in a split"),
    ],
)
def test_a_control_that_cannot_be_is_told(
    options: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, *options) == 2
    assert said in capsys.readouterr().err

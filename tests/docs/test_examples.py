"""The examples run, and do what they are examples of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agents.base import Agent
from agents.registry import find_agent
from evals.run.episodes import Episode
from evals.run.runner import Setup
from evals.run.trace import Record
from models.base import Model, Request
from models.registry import load_model
from models.scripted import Scripted
from planners.cache import CachedPlanner
from planners.outcome import Planner
from tests.conftest import ROOT
from tests.playing import play_in
from tests.small_worlds import blocksworld
from tools.events import Acted, Asked, CalledOff, Ended, Phase, Reason

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.fixture(scope="module")
def cached(planner: Planner) -> CachedPlanner:
    return CachedPlanner(planner)


def play(agent: Agent, model: Model, planner: Planner) -> list[Record]:
    episode = Episode("small", "simple", 0, 20, {"level": "simple"})
    return play_in(blocksworld(), Setup(agent, model, planner), episode, planner)[1]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_reaches_the_goal_with_perfect_eyes(path: Path, cached: CachedPlanner) -> None:
    agent = find_agent(f"{path}:build")
    assert agent.summary
    records = play(agent, load_model("oracle"), cached)
    assert isinstance(records[-1].event, Ended)
    assert records[-1].event.reason is Reason.FINISHED
    assert records[-1].truth.goal


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_command_of_an_example_is_in_its_docstring(path: Path) -> None:
    assert f"    python -m evals.viplan --agent examples/{path.name}:build" in path.read_text()


@pytest.mark.parametrize(("wrong", "first"), [(1, Acted), (2, CalledOff)])
def test_the_careful_one_goes_by_two_of_three(cached: CachedPlanner, wrong: int, first: type) -> None:
    truth = set(map(str, blocksworld().truth()))
    lies = iter([True] * wrong)

    def script(request: Request) -> str:
        about_green = request.place == "precondition 0" and str(request.about) == "clear g"
        return "Yes" if (request.about in truth) != (about_green and next(lies, False)) else "No"

    records = play(find_agent(str(ROOT / "examples" / "careful.py")), Scripted(script), cached)
    attempted = [record.event for record in records if isinstance(record.event, Acted | CalledOff)]
    assert isinstance(attempted[0], first)
    asked = [record.event for record in records if isinstance(record.event, Asked)]
    before = [event for event in asked if event.phase == Phase.PRECONDITION and event.step == 0]
    assert len(before) == 3 * 2
    assert sum(event.reminded for event in before) == 2 * 2


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_from_the_command_line(path: Path, tmp_path: Path) -> None:
    words = ["--agent", f"examples/{path.name}:build", "--limit", "1", "--out", str(tmp_path / "run")]
    command = [sys.executable, "-m", "evals.viplan", *words]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert "SIMULATED" in ran.stdout
    assert (tmp_path / "run" / "report.html").is_file()

"""Agents in a world whose actions depend on facts that never change: they are stated, and not asked."""

from __future__ import annotations

import pytest

from agents.registry import find_agent
from evals.run.episodes import Episode
from evals.run.results import EpisodeResult
from evals.run.runner import Setup
from evals.run.toolboxes import Rules
from evals.run.trace import Record
from models.registry import load_model
from planners.outcome import Planner
from tests.hanoi import Hanoi
from tests.playing import play_in
from tools.events import Asked, Planned
from tools.toolbox import Conduct

Pair = tuple[Planner, Planner]
SYMBOLIC = ("ground", "ground_mem", "ground_repair", "ground_lazy", "ground_belief", "hybrid")


def play(
    agent: str, world: Hanoi, planners: Pair, conduct: Conduct = Conduct.MENDED
) -> tuple[EpisodeResult, list[Record]]:
    setup = Setup(find_agent(agent), load_model("oracle"), planners[0], rules=Rules(conduct=conduct))
    return play_in(world, setup, Episode("hanoi", "simple", 0, 20, {"level": "simple"}), planners[1])


def asked(records: list[Record]) -> set[str]:
    events = (record.event for record in records)
    return {event.about.partition(" ")[0] for event in events if isinstance(event, Asked) and event.of_fact}


@pytest.mark.parametrize("agent", SYMBOLIC)
@pytest.mark.parametrize("told", [False, True], ids=["untold", "told"])
def test_stated_facts_are_used_and_nobody_is_asked(agent: str, told: bool, planners: Pair) -> None:
    result, records = play(agent, Hanoi(told=told), planners)
    assert result.success, result
    assert result.counts("attempts") == {"executed": 7}
    assert asked(records) <= {"on", "clear"}


@pytest.mark.parametrize("agent", SYMBOLIC)
def test_what_is_believed_of_stated_facts_is_never_wrong(agent: str, planners: Pair) -> None:
    _, records = play(agent, Hanoi(), planners)
    plans = [record for record in records if isinstance(record.event, Planned)]
    wrong = [atom for record in plans for atom in record.truth.wrong or ()]
    assert plans
    assert not [atom for atom in wrong if atom.startswith("smaller")]
    assert all("smaller small,large" in record.event.belief for record in plans)


@pytest.mark.parametrize("agent", SYMBOLIC)
def test_facts_that_are_not_stated_are_asked(agent: str, planners: Pair) -> None:
    result, records = play(agent, Hanoi(stated=False), planners)
    assert result.success, result
    assert "smaller" in asked(records)


@pytest.mark.parametrize("agent", SYMBOLIC)
def test_a_goal_that_leaves_something_open_is_reached_too(agent: str, planners: Pair) -> None:
    result, _ = play(agent, Hanoi(clear=False), planners)
    assert result.success, result


def test_the_original_asks_everything(planners: Pair) -> None:
    _, records = play("ground", Hanoi(), planners, Conduct.OFFICIAL)
    first = [record.event.about for record in records if isinstance(record.event, Asked) and record.event.step == 0]
    assert {"smaller large,small", "on small,small"} < set(first)

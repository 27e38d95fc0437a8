"""Agents that know what is possible, in a home of which they see a part and whose actions fail now and then."""

from __future__ import annotations

import asyncio

import pytest

from agents.registry import find_agent
from evals.episodes import Episode
from evals.results import EpisodeResult, score_episode
from evals.runner import Setup, model_for, play_episode
from evals.trace import Record, Recorder
from models.base import Model
from models.registry import load_model
from planners.formula import Atom, holds
from planners.outcome import Planner
from tests.playing import liar
from tests.small_home import RECORDED, SmallHome
from tools.events import Acted, Asked, Planned

NEW = ("ground_repair", "ground_lazy", "ground_belief")
Pair = tuple[Planner, Planner]


def play(agent: str, model: Model, home: SmallHome, planners: Pair) -> tuple[EpisodeResult, list[Record]]:
    setup = Setup(find_agent(agent), model, *planners)
    episode = Episode("home", "home", "hard", 0, 30, lambda pictures: home)
    recorder = Recorder(None, home)
    asyncio.run(play_episode(setup, episode, home, model_for(setup, episode, home), recorder))
    return score_episode("home", "home", "hard", 0, recorder.records), recorder.records


def homes(count: int, **options: object) -> list[SmallHome]:
    every = (SmallHome(seed=seed, **options) for seed in range(100))  # type: ignore[arg-type]
    unsolved = (home for home in every if not holds(home.goal, home.prior, home.objects))
    return [home for home, _ in zip(unsolved, range(count), strict=False)]


@pytest.mark.parametrize("agent", NEW)
def test_with_perfect_eyes_it_puts_everything_in_its_place(agent: str, planners: Pair) -> None:
    for home in homes(3):
        result, _ = play(agent, load_model("oracle"), home, planners)
        assert result.success, result


@pytest.mark.parametrize("agent", NEW)
def test_it_gets_over_failures_that_the_world_tells(agent: str, planners: Pair) -> None:
    solved = [play(agent, load_model("oracle"), home, planners)[0].success for home in homes(3, failing=RECORDED)]
    assert sum(solved) >= 2


def test_poor_eyes_do_not_stop_them_where_they_stop_ground(planners: Pair) -> None:
    model = load_model("sim:gpt-4.1")
    solved = {name: sum(play(name, model, home, planners)[0].success for home in homes(3)) for name in ("ground", *NEW)}
    assert min(solved[agent] for agent in NEW) >= 2 > solved["ground"], solved


def test_belief_asks_nothing_about_what_answers_say_little_of(planners: Pair) -> None:
    _, records = play("ground_belief", load_model("oracle"), homes(1)[0], planners)
    asked = [record.event.atom for record in records if isinstance(record.event, Asked)]
    assert asked
    assert not any(atom.startswith("nextto") for atom in asked)


def test_only_what_is_in_view_is_asked(planners: Pair) -> None:
    for agent in NEW:
        _, records = play(agent, load_model("oracle"), homes(1)[0], planners)
        seen: frozenset[str] = frozenset()
        for record in records:
            if record.event.type == "observed":
                seen = frozenset(record.event.visible or ())
            elif isinstance(record.event, Asked):
                assert seen.issuperset(Atom.parse(record.event.atom).args)


def test_a_plan_that_still_works_is_kept(planners: Pair) -> None:
    _, records = play("ground_belief", load_model("oracle"), homes(1)[0], planners)
    planned, acted = (sum(isinstance(record.event, kind) for record in records) for kind in (Planned, Acted))
    assert 2 * planned <= acted


def test_lies_about_everything_are_outweighed_by_what_the_world_does(planners: Pair) -> None:
    home = homes(1)[0]
    result, _ = play("ground_belief", liar(lambda atom, true, request: not true), home, planners)
    assert result.success, result

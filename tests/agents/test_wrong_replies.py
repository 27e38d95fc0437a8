"""What is well formed and wrong is the model's fault: an episode with such replies is scored, and never crashes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.base import Needs
from agents.registry import all_agents, find_agent
from envs.base import World
from evals.run.episodes import Episode
from evals.run.results import EpisodeResult
from evals.run.runner import Setup
from evals.run.toolboxes import Rules
from models.base import Kind
from planners.outcome import Planner
from tests.agents.wrong_replies import ANSWERS, Names, Wrong, contents
from tests.envs.household.small_world import small_world
from tests.hanoi import Hanoi
from tests.playing import Proposing, play_in
from tests.playing import play as play_blocks
from tests.small_home import SmallHome
from tests.small_worlds import blocksworld, problem
from tools.toolbox import Conduct

Pair = tuple[Planner, Planner]
WORLDS: dict[str, Callable[[], World]] = {
    "blocksworld": blocksworld,
    "hanoi": Hanoi,
    "small home": lambda: SmallHome(seed=3),
}


SYMBOLIC = sorted(name for name, agent in all_agents().items() if agent.needs is Needs.SYMBOLIC)


def play(
    agent: str,
    world: World,
    answer: str,
    replies: list[str],
    planners: Pair,
    *,
    steps: int = 4,
    conduct: Conduct = Conduct.MENDED,
) -> EpisodeResult:
    model = Wrong(answer, replies, Names.of(world))
    setup = Setup(find_agent(agent), model, planners[0], rules=Rules(conduct=conduct))
    return play_in(world, setup, Episode("wrong", "simple", 0, steps, {"level": "simple"}), planners[1])[0]


PROPOSES = {Kind.PLAN, Kind.ACTION, Kind.PROBLEM, Kind.DOMAIN}
PROPOSING = [name for name in SYMBOLIC if all_agents()[name].kinds & PROPOSES]


def rules() -> Iterator[Any]:
    """Every agent that proposes under both rules; the quick tests take one of each family."""
    for agent in PROPOSING:
        for conduct in (Conduct.MENDED, Conduct.OFFICIAL):
            quick = conduct is Conduct.MENDED and agent in ("plan", "action")
            yield pytest.param(agent, conduct, marks=() if quick else pytest.mark.slow, id=f"{conduct}-{agent}")


def answers() -> Iterator[Any]:
    """Every agent with every way to answer; the quick tests leave out reasoning and the tool caller, which takes 60
    steps, and answer by chance.
    """
    for agent in SYMBOLIC:
        for answer in ANSWERS:
            quick = answer == "by chance" and not agent.endswith("_cot") and not all_agents()[agent].calls_tools
            yield pytest.param(agent, answer, marks=() if quick else pytest.mark.slow, id=f"{answer}-{agent}")


@pytest.mark.parametrize(("agent", "conduct"), [*rules()])
def test_wrong_proposals_are_scored(agent: str, conduct: Conduct, planners: Pair) -> None:
    for open_world in WORLDS.values():
        for case, reply in contents(Names.of(open_world())).items():
            result = play(agent, open_world(), "by chance", [reply], planners, conduct=conduct)
            assert result.scored, (case, result.reason, result.detail)
            assert result.steps <= 4


@pytest.mark.parametrize(("agent", "answer"), [*answers()])
def test_wrong_answers_are_scored(agent: str, answer: str, planners: Pair) -> None:
    for open_world in WORLDS.values():
        replies = list(contents(Names.of(open_world())).values())
        steps = 60 if all_agents()[agent].calls_tools else 12
        result = play(agent, open_world(), answer, replies, planners, steps=steps)
        assert result.scored, (answer, result.reason, result.detail)


@pytest.mark.parametrize(
    "agent", [pytest.param(name, marks=pytest.mark.slow if name.endswith("_cot") else ()) for name in SYMBOLIC]
)
def test_wrong_replies_in_a_home_are_scored(agent: str, planners: Pair) -> None:
    world = small_world("inside bowl_1,carton_1")
    replies = [reply for case, reply in contents(Names.of(world)).items() if "plan" not in case]
    result = play(agent, world, "by chance", replies, planners, steps=10)
    assert result.scored, (result.reason, result.detail)


ODD = ("r", "g", "c1", "c9", "o", "с1", "ｒ", "", " ", "moveblock", "r,g", "R", "c1)", "block", "column")
WORDS = st.sampled_from(ODD) | st.text(max_size=6)
MOVES = st.fixed_dictionaries(
    {
        "action": st.sampled_from(["moveblock", "Moveblock", "fly", ""]) | st.text(max_size=6),
        "parameters": st.lists(WORDS, max_size=4) | st.dictionaries(WORDS, WORDS, max_size=3),
    }
)


@pytest.mark.slow
@pytest.mark.parametrize("agent", SYMBOLIC)
@given(moves=st.lists(MOVES, min_size=1, max_size=4), answer=st.sampled_from(sorted(ANSWERS)))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_moves_are_scored(agent: str, planners: Pair, moves: list[object], answer: str) -> None:
    replies = [json.dumps({"plan": [move], "action": move}) for move in moves]
    result = play(agent, blocksworld(), answer, replies, planners)
    assert result.scored, (result.reason, result.detail)


@pytest.mark.parametrize("agent", ["hybrid", "hybrid_cot"])
def test_an_absent_object_tells_nothing_of_the_state(agent: str, planners: Pair) -> None:
    """The planner's first move slips, the model names a column that is not there, and the planner goes on."""
    slips = iter([None])
    wrong = json.dumps({"action": {"action": "moveblock", "parameters": ["o", "c9"]}})
    result, _ = play_blocks(
        agent, Proposing(lambda: wrong), problem(), planners, chance=lambda move, _: next(slips, move)
    )
    assert result.success, (result.reason, result.detail)
    assert result.counts("attempts")["parameters incorrectly specified"] == 1

"""What every agent must do. A new one in `agents/` is put through this without being listed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce

import pytest

from agents.base import Agent, Needs
from agents.registry import all_agents, find_agent
from envs.base import Observation, Stepped, Symbolic, static_facts
from envs.blocksworld.world import Blocksworld
from evals.run.episodes import Episode
from evals.run.runner import Setup
from evals.run.trace import Record
from models.base import Model, Reply, Witnessing
from models.registry import load_model
from models.scripted import Scripted, always
from planners import get_planner
from planners.cache import CachedPlanner
from planners.formula import Atom
from planners.names import UnknownName
from planners.outcome import Planner
from planners.task import Step
from tests.handy import Handy, Solver
from tests.playing import play_in
from tests.small_worlds import blocksworld
from tools.events import INFRASTRUCTURE, Acted, CalledOff, Ended, Reason

NESTED = {"action": "fly", "parameters": reduce(lambda inner, _: [inner], range(900), [])}
RUBBISH = {
    "a word": "banana",
    "nothing": "",
    "an empty object": "{}",
    "half an object": '{"plan": [{"action": "moveblock", "param',
    "yes": "Yes",
    "no": "No",
    "no such action": '{"plan": [{"action": "fly"}], "action": {"action": "fly"}}',
    "no such block": '{"plan": [{"action": "moveblock", "parameters": ["z", "c1"]}], "action": "moveblock"}',
    "numbers": '{"plan": [{"action": "moveblock", "parameters": [1, 2]}], "action": {"action": "moveblock"}}',
    "deep nesting": json.dumps({"plan": [NESTED], "action": NESTED}),
    "braces": "{" * 100 + "}" * 100,
}


SYMBOLIC = sorted(name for name, agent in all_agents().items() if agent.needs is Needs.SYMBOLIC)


@pytest.fixture(params=SYMBOLIC)
def agent(request: pytest.FixtureRequest) -> Agent:
    return all_agents()[request.param]


@pytest.fixture(scope="module")
def cached(planner: Planner) -> CachedPlanner:
    return CachedPlanner(planner)


class Shut:
    """A world without its truth: nothing about it leads to where the blocks really stand."""

    def __init__(self, world: Symbolic) -> None:
        self.name, self.domain, self.objects = world.name, world.domain, world.objects
        self.goal, self.goal_text, self.prior = world.goal, world.goal_text, world.prior
        self.candid, self.static = world.candid, static_facts(world)
        self.description, self.action_help, self.signatures = world.description, world.action_help, world.signatures

        def question(atom: Atom) -> str:
            return world.question(atom)

        def observe() -> Observation:
            return world.observe()

        def step(step: Step) -> Stepped:
            return world.step(step)

        self.question, self.observe, self.step = question, observe, step


def play(
    agent: Agent, model: Model, planner: Planner, *, steps: int = 20, world: Blocksworld | None = None
) -> list[Record]:
    """One episode in a world whose truth only the recorder and the model know."""
    world = world or blocksworld()
    if agent.calls_tools and isinstance(model, Witnessing):
        model = Handy(model, Solver.for_world(world))  # eyes alone call no tools
    setup = Setup(agent, model, planner)
    episode = Episode("small", "simple", 0, steps, {"level": "simple"})
    return play_in(world, setup, episode, planner, Shut(world))[1]


def ended(records: list[Record]) -> Ended:
    """The end of an episode: told once, and last."""
    ends = [record.event for record in records if isinstance(record.event, Ended)]
    assert len(ends) == 1
    assert records[-1].event is ends[0]
    return ends[0]


def attempts(records: list[Record]) -> int:
    return sum(isinstance(record.event, Acted | CalledOff) for record in records)


def test_it_has_a_name_a_line_about_it_and_a_family(agent: Agent) -> None:
    assert agent.name.isidentifier()
    assert agent.summary
    assert "\n" not in agent.summary
    assert agent.family in ("planner", "grounder")
    assert find_agent(agent.name) is agent


def test_every_node_can_be_reached_and_leads_to_an_end(agent: Agent) -> None:
    drawn = agent.build().get_graph()
    ways: dict[str, set[str]] = {name: set() for name in drawn.nodes}
    back: dict[str, set[str]] = {name: set() for name in drawn.nodes}
    for edge in drawn.edges:
        ways[edge.source].add(edge.target)
        back[edge.target].add(edge.source)
    assert set(reached("__start__", ways)) == set(drawn.nodes)
    assert set(reached("__end__", back)) == set(drawn.nodes)


def reached(start: str, ways: dict[str, set[str]]) -> Iterator[str]:
    left, seen = [start], {start}
    while left:
        here = left.pop()
        yield here
        left += sorted(ways[here] - seen)
        seen |= ways[here]


def test_nodes_are_verbs_with_a_docstring(agent: Agent) -> None:
    for name, node in agent.build().builder.nodes.items():
        function = node.runnable.afunc or node.runnable.func
        assert name.islower(), name
        assert function.__doc__, name


def test_with_perfect_eyes_it_reaches_the_goal_without_seeing_the_truth(agent: Agent, cached: CachedPlanner) -> None:
    records = play(agent, load_model("oracle"), cached)
    assert ended(records).reason is Reason.FINISHED
    assert records[-1].truth.goal
    assert 2 <= attempts(records) <= 20


@pytest.mark.parametrize(
    "reply", [next(iter(RUBBISH)), *(pytest.param(reply, marks=pytest.mark.slow) for reply in list(RUBBISH)[1:])]
)
def test_rubbish_ends_an_episode_for_a_reason_of_the_models(agent: Agent, cached: CachedPlanner, reply: str) -> None:
    records = play(agent, Scripted(always(RUBBISH[reply])), cached, steps=4)
    end = ended(records)
    assert end.reason in set(Reason) - INFRASTRUCTURE, end
    assert attempts(records) <= 4


def test_a_reply_that_was_cut_off_is_not_called_unreadable(agent: Agent, cached: CachedPlanner) -> None:
    cut = Reply("The picture shows", truncated=True)
    end = ended(play(agent, Scripted(lambda request: cut), cached))
    assert end.reason in set(Reason) - INFRASTRUCTURE - {Reason.UNREADABLE}, end


@pytest.mark.parametrize("steps", [1, *(pytest.param(steps, marks=pytest.mark.slow) for steps in (2, 5))])
def test_it_stops_at_the_step_limit(agent: Agent, cached: CachedPlanner, steps: int) -> None:
    stuck = blocksworld(chance=lambda move, world: None)
    records = play(agent, load_model("oracle"), cached, steps=steps, world=stuck)
    assert attempts(records) <= steps
    assert ended(records).reason in set(Reason) - INFRASTRUCTURE
    # Two moves are needed: who has one can only run out of steps.
    assert steps > 1 or ended(records).reason is Reason.STEP_LIMIT


def test_the_same_episode_goes_the_same_way(agent: Agent, cached: CachedPlanner) -> None:
    def story() -> list[str]:
        records = play(agent, load_model("sim:gpt-4.1"), cached, steps=6)
        return [record.model_dump_json(exclude={"event": {"seconds", "cached"}}) for record in records]

    assert story() == story()


def test_an_unknown_agent_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no agent 'groundmem'\. Did you mean 'ground_mem'\? Agents: action, "):
        find_agent("groundmem")


def test_optimal_planners_can_be_had_for_stand_ins() -> None:
    planner = get_planner("fd-opt")
    assert "hmax" in planner.engine
    planner.close()

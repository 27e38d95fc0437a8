"""Graphs are followed: which nodes they enter, and what is believed when they leave them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from agents.registry import all_agents, find_agent
from evals.run.following import believed_atoms, shape
from evals.run.trace import Record
from models.oracle import load as oracle
from planners.formula import Atom
from planners.outcome import Planner
from tests.playing import liar, play
from tests.small_worlds import problem
from tools.events import Acted, Asked, Believed, Ended, Entered, Phase, Planned


def played(agent: str, planner: Planner) -> list[Record]:
    return play(agent, oracle("", {}), problem(), (planner, planner))[1]


def nodes(records: list[Record]) -> list[str]:
    return [record.event.node for record in records if isinstance(record.event, Entered)]


@pytest.mark.parametrize("agent", ["ground", "ground_repair", "ground_belief", "action"])
def test_the_path_is_a_way_through_the_graph(agent: str, planner: Planner) -> None:
    edges = {tuple(edge) for edge in shape(find_agent(agent).build())["edges"]}
    path = ["__start__", *nodes(played(agent, planner)), "__end__"]
    assert len(path) > 4
    assert [step for step in pairwise(path) if step not in edges] == []


@pytest.mark.parametrize("agent", ["ground", "ground_repair", "ground_belief"])
def test_a_plan_is_made_from_what_was_told_to_be_believed(agent: str, planner: Planner) -> None:
    believed: set[str] = set()
    planned = 0
    for record in played(agent, planner):
        event = record.event
        if isinstance(event, Believed):
            assert not believed & set(event.added)
            assert believed >= set(event.dropped)
            believed = (believed | set(event.added)) - set(event.dropped)
        elif isinstance(event, Planned):
            planned += 1
            assert believed == set(event.belief)
    assert planned


def test_a_node_is_told_before_what_happens_in_it(planner: Planner) -> None:
    places = {Phase.ENUMERATION: "ground", Phase.PRECONDITION: "check", Phase.EFFECT: "verify"}
    at = ""
    for record in played("ground", planner):
        event = record.event
        if isinstance(event, Entered):
            at = event.node
        elif isinstance(event, Asked):
            assert at == places[event.phase]
        elif isinstance(event, Acted):
            assert at == "act"


def test_the_last_belief_comes_before_the_end_and_is_the_truth_for_perfect_eyes(planner: Planner) -> None:
    records = played("ground", planner)
    assert isinstance(records[-1].event, Ended)
    assert not any(isinstance(record.event, Ended) for record in records[:-1])
    believed: set[str] = set()
    for record in records:
        if isinstance(record.event, Believed):
            believed = (believed | set(record.event.added)) - set(record.event.dropped)
    assert believed == set(records[-1].truth.state or ())


def test_a_lie_is_believed_from_the_node_in_which_it_was_told(planner: Planner) -> None:
    misled = liar(lambda atom, true, request: true != (str(atom) == "clear g"))
    _, records = play("ground", misled, problem(), (planner, planner), steps=3)
    first = next(record.event for record in records if isinstance(record.event, Believed))
    assert "clear g" not in first.added


def test_a_belief_that_cannot_be_read_is_none() -> None:
    assert believed_atoms(frozenset({Atom("clear", ("g",))})) == {"clear g"}
    assert believed_atoms("clear g") is None
    assert believed_atoms(frozenset({"clear g"})) == {"clear g"}  # facts in an agent's own words
    assert believed_atoms(frozenset({3})) is None
    assert believed_atoms(None) is None


def test_every_agent_has_a_shape() -> None:
    for agent in all_agents().values():
        drawn = shape(agent.build())
        assert {"__start__", "__end__"} <= set(drawn["nodes"])
        assert all(node in drawn["nodes"] for edge in drawn["edges"] for node in edge)

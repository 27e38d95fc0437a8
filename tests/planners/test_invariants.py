"""Legal states: all of them, only them, and the same semantics as one state at a time."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.blocksworld.problems import SPLITS, atoms_of, domain, files, goal_of, load
from planners.formula import And, Atom, Holds, Not, State
from planners.invariants import LegalStates, NoLegalStates, goal_state, legal_states
from planners.pddl import read_domain
from planners.task import Step
from tests.small_worlds import arrangements, column_names, problem

MOVING = ("on", "incolumn", "clear")
FERRY = """(define (domain ferry) (:requirements :strips :typing :negative-preconditions)
  (:types car place)
  (:predicates (at ?c - car ?p - place) (aboard ?c - car) (dock ?p - place) (full))
  (:action sail :parameters (?a - place ?b - place) :precondition (and (dock ?a) (not (dock ?b)))
    :effect (and (not (dock ?a)) (dock ?b)))
  (:action board :parameters (?c - car ?p - place) :precondition (and (at ?c ?p) (dock ?p) (not (full)))
    :effect (and (not (at ?c ?p)) (aboard ?c) (full)))
  (:action land :parameters (?c - car ?p - place) :precondition (and (aboard ?c) (dock ?p))
    :effect (and (at ?c ?p) (not (aboard ?c)) (not (full)))))"""


def moving(state: State) -> State:
    return frozenset(atom for atom in state if atom.predicate in MOVING)


def space_of(split: str, number: int = 0) -> LegalStates:
    loaded = load(files(split)[number], split)
    return legal_states(domain(), loaded.objects, loaded.goal)


@pytest.mark.parametrize(
    ("split", "count"),
    [("simple", 120), ("medium", 15_120), pytest.param("hard", 60_480, marks=pytest.mark.slow)],
)
def test_all_arrangements_are_found(split: str, count: int) -> None:
    space = space_of(split)
    assert len(space) == count
    assert space.reversible


@pytest.mark.parametrize("split", [SPLITS[0], *(pytest.param(split, marks=pytest.mark.slow) for split in SPLITS[1:])])
def test_every_problem_starts_in_a_legal_state(split: str) -> None:
    for path in files(split):
        loaded = load(path, split)
        space = legal_states(domain(), loaded.objects, loaded.goal)
        start = atoms_of(loaded.start, loaded.columns)
        number = space.find(start)
        assert number is not None, path
        assert space.state(number) == moving(start)


def test_a_space_is_searched_once_and_whatever_goal_it_starts_from_is_the_same() -> None:
    one, other = problem(), problem(goal=((), (), (), ("g", "b", "r")))
    assert legal_states(domain(), one.objects, one.goal) is legal_states(domain(), other.objects, other.goal)


@settings(deadline=None, max_examples=30)
@given(arrangements(), st.randoms(use_true_random=False))
def test_random_walks_stay_in_the_table_and_keep_its_laws(
    start: tuple[tuple[str, ...], ...], chance: random.Random
) -> None:
    columns = column_names(len(start))
    posed = problem(start, start)
    space = legal_states(domain(), posed.objects, goal_of(start, columns))
    laws = list(space.exactly_one())
    state = atoms_of(start, columns)
    number = space.find(state)
    for _ in range(8):
        assert number is not None
        assert space.state(number) == moving(state)
        assert all(len(law & state) == 1 for law in laws)
        step = chance.choice(list(space.moves))
        action = domain().ground(step, posed.objects)
        after = int(space.next_state(step)[number])
        assert (after >= 0) == action.applicable(state)
        if after >= 0:
            state, number = action.apply(state), after


def test_each_block_is_in_exactly_one_column() -> None:
    laws = set(space_of("simple").exactly_one())
    blocks = space_of("simple").objects.of_type("block")
    assert laws == {frozenset(Atom("incolumn", (block, column)) for column in column_names(4)) for block in blocks}


def test_distances_are_those_of_shortest_plans() -> None:
    posed = problem()
    space = legal_states(domain(), posed.objects, posed.goal)
    start = space.find(atoms_of(posed.start, posed.columns))
    assert space.distances(space.where(posed.goal))[start] == 2


def test_another_domain_has_its_own_legal_states() -> None:
    ferry = read_domain(FERRY)
    objects = ferry.objects({"a": "car", "b": "car", "p": "place", "q": "place", "r": "place"})
    goal = And((Holds("at", ("a", "p")), Holds("at", ("b", "q")), Holds("dock", ("p",))))
    space = legal_states(ferry, objects, goal)
    # Both ashore, 3 x 3 places, or one of two aboard with the other at one of 3; the ferry at one of 3.
    assert len(space) == 3 * (9 + 2 * 3)
    assert frozenset(Atom("dock", (place,)) for place in "pqr") in set(space.exactly_one())


@pytest.mark.parametrize(
    "left_out", [Atom("clear", ("g",)), Atom("incolumn", ("b", "c2")), Atom("on", ("r", "b"))], ids=str
)
def test_a_goal_that_leaves_something_open_is_noticed(left_out: Atom) -> None:
    posed = problem()
    assert isinstance(posed.goal, And)
    partial = And(tuple(part for part in posed.goal.parts if part != Holds(left_out.predicate, left_out.args)))
    assert len(partial.parts) == len(posed.goal.parts) - 1
    with pytest.raises(NoLegalStates, match="the goal leaves something open"):
        legal_states(domain(), posed.objects, partial)


def test_a_goal_that_is_no_conjunction_of_facts_is_refused() -> None:
    posed = problem()
    with pytest.raises(NoLegalStates, match="does not describe a state"):
        goal_state(domain(), posed.objects, Not(And((Holds("clear", ("r",)),))))


def test_static_facts_that_actions_need_are_missed() -> None:
    text = FERRY.replace("(dock ?p - place)", "(dock ?p - place) (sea ?a - place ?b - place)").replace(
        "(and (dock ?a)", "(and (sea ?a ?b) (dock ?a)"
    )
    ferry = read_domain(text)
    objects = ferry.objects({"a": "car", "p": "place"})
    with pytest.raises(NoLegalStates, match="'sea' never changes"):
        legal_states(ferry, objects, And((Holds("at", ("a", "p")), Holds("dock", ("p",)))))


def test_a_step_has_a_row_for_every_state() -> None:
    space = space_of("simple")
    assert len(space.moves) == 3 * 4
    assert all(isinstance(step, Step) and len(leads) == len(space) for step, leads in space.moves.items())

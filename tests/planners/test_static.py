"""What nobody has to be asked: static facts, and things that are never related to themselves."""

from __future__ import annotations

import pytest

from envs.blocksworld.problems import atoms_of, domain
from envs.household.problems import domain as household
from planners.formula import And, Atom, Holds
from planners.invariants import NoLegalStates, legal_states
from planners.mutexes import Laws
from planners.pddl import read_domain
from planners.possible import possible_states
from planners.static import changed, for_good, needed, never_made, static_part
from tests.hanoi import DOMAIN, Hanoi
from tests.small_worlds import problem

NEAR = """
(define (domain near)
  (:requirements :strips :typing :equality)
  (:types thing)
  (:constants home - thing)
  (:predicates (by ?a ?b - thing) (at ?a ?b - thing))
  (:action bring :parameters (?a ?b - thing) :precondition (by ?b ?b)
    :effect (and (by ?a ?b) (when (not (= ?a home)) (at ?a home)))))
"""


def test_what_changes_and_what_actions_need() -> None:
    assert changed(DOMAIN) == {"on", "clear"}
    assert needed(DOMAIN) == {"smaller"}
    assert changed(domain()) == {"on", "incolumn", "clear"}
    assert needed(domain()) == frozenset()
    start = problem()
    kept = static_part(domain(), atoms_of(start.start, start.columns))
    assert {atom.predicate for atom in kept} == {"leftof", "rightof"}


@pytest.mark.parametrize(
    ("written", "never"),
    [("on r,r", True), ("on r,b", False), ("leftof c1,c1", False), ("clear r", False)],
)
def test_a_block_is_never_on_itself(written: str, never: bool) -> None:
    """Of what no action changes, such as the order of columns, nothing follows from actions."""
    assert never_made(domain(), Atom.parse(written)) is never


def test_an_action_that_does_not_forbid_it_may_relate_a_thing_to_itself() -> None:
    near = read_domain(NEAR)
    assert not never_made(near, Atom("by", ("x", "x")))
    assert never_made(near, Atom("at", ("home", "home")))
    assert never_made(near, Atom("at", ("x", "x")))
    assert not never_made(household(), Atom("ontop", ("bowl_1", "bowl_1")))


def test_static_facts_say_what_is_never_made() -> None:
    disc = Atom("on", ("small", "small"))
    assert not never_made(DOMAIN, disc)
    assert never_made(DOMAIN, disc, Hanoi().static)
    assert not never_made(DOMAIN, disc, frozenset({Atom("smaller", ("small", "small"))}))


def test_the_legal_states_of_a_world_with_static_facts() -> None:
    """Three discs on three pegs can stand in 27 ways, and discs are told apart by their size."""
    world = Hanoi()
    space = legal_states(DOMAIN, world.objects, world.goal, world.static)
    assert len(space) == 27
    assert space.find(world.truth()) is not None
    assert all(world.static <= space.state(number) for number in range(len(space)))
    assert space.where(world.goal).sum() == 1


def test_static_facts_that_are_missing_are_named() -> None:
    world = Hanoi()
    with pytest.raises(NoLegalStates, match="'smaller' never changes, yet actions depend on it: state such facts"):
        legal_states(DOMAIN, world.objects, world.goal)


def test_pegs_that_are_not_alike_are_not_taken_for_alike() -> None:
    """On a peg that takes no large disc fewer states are possible, which leaves nothing open."""
    world = Hanoi()
    narrow = frozenset(atom for atom in world.static or () if atom.args != ("large", "centre"))
    assert len(legal_states(DOMAIN, world.objects, world.goal, narrow)) == 18


def test_where_too_little_is_known_any_state_can_be() -> None:
    for world in (Hanoi(stated=False), Hanoi(clear=False)):
        laws = possible_states(DOMAIN, world.objects, world.goal, None, world.static)
        assert isinstance(laws, Laws)
        assert list(laws.broken(world.truth())) == []
    assert ("smaller" in {atom.predicate for atom in laws.atoms}) is (world.static is None)


def test_an_action_that_cannot_be_undone_leaves_every_state_possible() -> None:
    lamps = read_domain(
        "(define (domain lamps) (:requirements :strips :typing :negative-preconditions) (:types lamp)"
        " (:predicates (lit ?l - lamp)) (:action press :parameters (?l - lamp) :precondition (not (lit ?l))"
        " :effect (lit ?l)))"
    )
    assert for_good(lamps) == {"lit"}
    assert not for_good(DOMAIN) | for_good(domain()) | for_good(household())
    objects = lamps.objects({"desk": "lamp", "door": "lamp"})
    laws = possible_states(lamps, objects, And((Holds("lit", ("desk",)), Holds("lit", ("door",)))))
    assert isinstance(laws, Laws)
    assert list(laws.broken(frozenset())) == []


def test_static_facts_are_laws() -> None:
    world = Hanoi(told=True)
    laws = possible_states(DOMAIN, world.objects, world.goal, world.prior)
    assert isinstance(laws, Laws)
    assert laws.static == world.static
    assert list(laws.broken(world.truth())) == []
    odd = world.truth() | {Atom("smaller", ("large", "small"))}
    assert list(laws.broken(odd)) == ["smaller large,small is always false"]

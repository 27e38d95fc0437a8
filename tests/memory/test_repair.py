"""Repairs: what the world refused and what is remembered weigh beside the answers."""

from __future__ import annotations

import pytest

from envs.blocksworld.problems import atoms_of, domain
from memory.belief import Contradiction
from memory.rates import published_rates
from memory.repair import repair, undone, with_consequences
from planners.formula import Atom, Literal
from planners.mutexes import find_laws
from planners.possible import possible_states
from planners.task import Step
from tests.small_home import SmallHome
from tests.small_worlds import START, problem

TRUTH = atoms_of(START, ("c1", "c2", "c3", "c4"))


def test_true_answers_about_a_home_are_repaired_to_the_truth() -> None:
    for seed in range(5):
        home = SmallHome(seed=seed)
        laws = possible_states(home.domain, home.objects, home.goal, home.prior)
        answers = {atom: atom in home.truth() for atom in laws.atoms}
        assert repair(laws, answers) == home.truth()


def test_a_refused_step_is_not_legal_in_the_repaired_state() -> None:
    posed = problem()
    space = possible_states(domain(), posed.objects, posed.goal)
    answers = {atom: atom in TRUTH for atom in space.atoms}
    legal = [Step("moveblock", ("g", "c2")), Step("moveblock", ("b", "c1"))]
    other = repair(space, answers, refused=legal)
    assert not any(domain().ground(step, posed.objects).applicable(other) for step in legal)
    every = [Step("moveblock", (block, column)) for block in "rgb" for column in posed.columns]
    with pytest.raises(Contradiction):
        repair(space, answers, refused=every)


def test_what_is_remembered_weighs_against_what_is_said() -> None:
    home = SmallHome(seed=5)
    laws = find_laws(home.domain, home.objects, home.prior)
    kept = {atom: 3.0 if atom in home.prior else -3.0 for atom in laws.atoms}
    lie = Atom("reachable", ("apple_1",))
    said = {lie: lie not in home.prior}
    assert repair(laws, said, kept=kept, rates=published_rates("household")) == home.prior
    assert (lie in repair(laws, said, kept={**kept, lie: 0.0})) == said[lie]


def test_effects_bring_along_what_follows_by_law() -> None:
    home = SmallHome(seed=5)
    laws = find_laws(home.domain, home.objects, home.prior)
    effects = (Literal(Atom("inside", ("apple_1", "fridge_1"))), Literal(Atom("holding", ("apple_1",)), False))
    told = with_consequences(laws, effects)
    assert set(effects) <= set(told)
    assert Literal(Atom("nextto", ("apple_1", "fridge_1"))) in told
    assert Literal(Atom("inside", ("apple_1", "cabinet_1")), False) in told
    posed = problem()
    assert with_consequences(possible_states(domain(), posed.objects, posed.goal), effects) == effects


def test_a_failure_may_undo_what_it_was_to_take_in_exchange_only() -> None:
    held, put = Literal(Atom("holding", ("apple_1",)), False), Literal(Atom("ontop", ("apple_1", "sink_1")))
    assert undone((put, held)) == {held.atom}
    assert undone((Literal(Atom("open", ("fridge_1",)), False),)) == set()

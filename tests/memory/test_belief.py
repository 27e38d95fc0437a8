"""Belief: true answers lead to the truth, and what is true is never ruled out."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.blocksworld.problems import atoms_of, domain
from memory.belief import Belief, Contradiction, evidence
from memory.rates import Rates, Seen, Tally, Wrong
from memory.repair import repair
from planners.formula import Atom, State
from planners.invariants import LegalStates, legal_states
from planners.task import Step
from tests.small_worlds import START, arrangements, column_names, problem

Stacks = tuple[tuple[str, ...], ...]


def space_of(start: Stacks = START) -> LegalStates:
    posed = problem(start, start)
    return legal_states(domain(), posed.objects, posed.goal)


def truth_of(start: Stacks) -> State:
    return atoms_of(start, column_names(len(start)))


def true_answers(start: Stacks) -> dict[Atom, bool]:
    state = truth_of(start)
    return {atom: atom in state for atom in domain().atoms(problem(start, start).objects)}


@settings(deadline=None, max_examples=20)
@given(arrangements())
def test_true_answers_are_repaired_to_the_truth(start: Stacks) -> None:
    assert repair(space_of(start), true_answers(start)) == truth_of(start)


@settings(deadline=None, max_examples=20)
@given(arrangements(), st.data())
def test_a_repaired_state_is_legal_whatever_is_answered(start: Stacks, data: st.DataObject) -> None:
    atoms = sorted(true_answers(start))
    said = data.draw(st.lists(st.booleans(), min_size=len(atoms), max_size=len(atoms)))
    answers = dict(zip(atoms, said, strict=True))
    space = space_of(start)
    repaired = repair(space, answers)
    assert space.find(repaired) is not None
    # What no law binds stays as it was answered.
    assert all((atom in repaired) == answers[atom] for atom in atoms if atom not in space.column)


@settings(deadline=None, max_examples=20)
@given(arrangements(), st.randoms(use_true_random=False), st.sampled_from([0.0, 0.1]), st.booleans())
def test_the_truth_is_never_ruled_out(start: Stacks, chance: random.Random, slip: float, learns: bool) -> None:
    space, state = space_of(start), truth_of(start)
    belief = Belief.blank(space, slip=slip, learns=learns)
    for _ in range(6):
        asked = chance.sample(space.atoms, min(5, len(space.atoms)))
        belief = belief.with_answers({atom: (atom in state) != (chance.random() < 0.3) for atom in asked})
        step = chance.choice(list(space.moves))
        action = domain().ground(step, space.objects)
        if action.applicable(state):
            state, belief = action.apply(state), belief.moved(step)
        else:
            belief = belief.refused(step)
        number = space.find(state)
        assert number is not None
        assert belief.probabilities[number] > 0
        assert belief.probabilities.sum() == pytest.approx(1)


@settings(deadline=None, max_examples=20)
@given(arrangements())
def test_all_true_answers_make_it_certain(start: Stacks) -> None:
    belief = Belief.blank(space_of(start)).with_answers(true_answers(start))
    assert belief.state == frozenset(atom for atom in truth_of(start) if belief.binds(atom))
    assert belief.certainty > 0.9


def test_one_lie_is_outvoted() -> None:
    answers = {**true_answers(START), Atom("on", ("g", "r")): False}
    assert repair(space_of(), answers) == truth_of(START)


def test_likelihood_trusts_the_predicate_that_is_seldom_wrong() -> None:
    said = {Atom("clear", ("r",)): True, Atom("on", ("g", "r")): True}
    space = space_of()
    blind_to_clear = Rates(known={"clear": Wrong(0.4, 0.4)})
    blind_to_on = Rates(known={"on": Wrong(0.4, 0.4)})
    assert Atom("on", ("g", "r")) in repair(space, said, blind_to_clear)
    assert Atom("clear", ("r",)) in repair(space, said, blind_to_on)


def test_a_doubtful_yes_weighs_less_than_a_sure_one() -> None:
    space = space_of()
    on, clear = Atom("on", ("g", "r")), Atom("clear", ("r",))
    assert on in repair(space, {on: 0.9, clear: 0.7})
    assert clear in repair(space, {on: 0.7, clear: 0.9})


def test_an_action_that_is_refused_rules_out_where_it_is_legal() -> None:
    space, step = space_of(), Step("moveblock", ("r", "c3"))
    belief = Belief.blank(space).refused(step)
    assert all((belief.probabilities > 0) == (space.next_state(step) < 0))


def test_an_action_that_is_done_moves_the_belief() -> None:
    space = space_of()
    belief = Belief.blank(space).with_answers(true_answers(START)).moved(Step("moveblock", ("g", "c3")))
    assert Atom("incolumn", ("g", "c3")) in belief.state
    assert belief.answers == {}
    slippery = Belief.blank(space, slip=0.1).with_answers(true_answers(START)).moved(Step("moveblock", ("g", "c3")))
    assert slippery.certainty == pytest.approx(0.9, abs=0.03)


def test_what_failed_and_changed_nothing_was_legal_and_answers_stand() -> None:
    space, step = space_of(), Step("moveblock", ("g", "c2"))
    asked = Atom("clear", ("r",))
    informed = Belief.blank(space).with_answers({asked: True})
    failed = informed.failed(step, unchanged=True)
    assert (failed.probabilities[space.next_state(step) < 0] == 0.0).all()
    assert failed.answers == informed.answers
    assert asked not in failed.worth_asking(99, 0.0)
    assert informed.failed(step).answers == {}


def test_what_cannot_be_is_a_contradiction() -> None:
    belief = Belief.blank(space_of()).with_answers(true_answers(START)).moved(Step("moveblock", ("g", "c3")))
    with pytest.raises(Contradiction):
        belief.moved(Step("moveblock", ("g", "c3")))


def test_the_same_answer_counts_once() -> None:
    said = {Atom("clear", ("r",)): True}
    once = Belief.blank(space_of()).with_answers(said)
    assert once.with_answers(said).entropy == pytest.approx(once.entropy, abs=0.05)
    assert once.entropy < Belief.blank(space_of()).entropy


def test_questions_are_worth_what_they_tell() -> None:
    space = space_of()
    belief = Belief.blank(space, learns=False)
    worth = dict(zip(space.atoms, belief.information(), strict=True))
    assert worth[Atom("on", ("r", "r"))] == pytest.approx(0, abs=1e-6)
    assert max(worth, key=lambda atom: worth[atom]).predicate == "clear"
    (first,) = belief.worth_asking(1, 0.01)
    informed = belief.with_answers({first: True})
    assert first not in informed.worth_asking(100, 0.0)
    assert Belief.blank(space).with_answers(true_answers(START)).worth_asking(5, 0.05) == ()


def test_expected_information_is_the_expected_loss_of_entropy() -> None:
    belief = Belief.blank(space_of(), learns=False)
    atom = Atom("incolumn", ("r", "c1"))
    column = belief.space.column[atom]
    true = float(belief.marginals[column])
    yes = true * 0.95 + (1 - true) * 0.05
    left = yes * belief.with_answers({atom: True}).entropy + (1 - yes) * belief.with_answers({atom: False}).entropy
    assert belief.information()[column] == pytest.approx(belief.entropy - left, abs=2e-3)


def test_rates_are_learned_from_answers() -> None:
    lies = [Seen("on", 1.0, 0.0)] * 30 + [Seen("on", 0.0, 0.0)] * 30
    wrong = Tally().with_answers(lies).rates().of("on")
    assert wrong.missed > 0.7
    assert wrong.imagined < 0.05
    assert Tally().rates().of("clear") == Rates().of("clear")


def test_one_rate_for_all_counts_contradictions() -> None:
    space, answers = space_of(), true_answers(START)
    found = evidence(space, answers, Rates())
    heard = [answers[atom] for atom in space.atoms]
    distance = (space.bits != heard).sum(axis=1)
    assert found.argmax() == distance.argmin()
    assert all((found.max() - found > 1e-6) == (distance > distance.min()))

"""The belief of facts one by one: what is told and done moves it the right way, and laws hold in what it believes."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.base import Outcome
from memory.factored import Factored
from memory.rates import Rates, Wrong, published_rates
from planners.formula import And, Atom, Exists, Holds, Not, Or, Variable
from planners.invariants import ground_actions
from planners.mutexes import find_laws
from planners.pddl import read_domain
from planners.task import Step
from tests.planners.test_invariants import FERRY
from tests.small_home import RECORDED, SmallHome


def fact(text: str) -> Holds:
    atom = Atom.parse(text)
    return Holds(atom.predicate, atom.args)


def belief_of(home: SmallHome, **options: object) -> Factored:
    laws = find_laws(home.domain, home.objects, home.prior)
    return Factored.from_prior(laws, home.prior, **options)  # type: ignore[arg-type]


def test_what_is_told_at_the_start_is_believed() -> None:
    home = SmallHome(seed=5)
    belief = belief_of(home)
    assert belief.state == home.truth()
    assert belief.chance(fact("ontop apple_1,table_1")) > 0.95
    assert belief.chance(fact("ontop apple_1,sink_1")) < 0.05


def test_an_action_brings_its_effects_and_what_follows_by_law() -> None:
    home = SmallHome(seed=5)
    belief = belief_of(home).moved(Step("navigate-to", ("apple_1",))).moved(Step("grasp", ("apple_1",)))
    assert belief.chance(fact("holding apple_1")) > 0.9
    assert belief.chance(fact("ontop apple_1,table_1")) < 0.1
    put = belief.moved(Step("navigate-to", ("fridge_1",))).moved(Step("place-inside", ("apple_1", "fridge_1")))
    assert put.chance(fact("inside apple_1,fridge_1")) > 0.9
    # The domain does not say so, the axioms do.
    assert put.chance(fact("nextto apple_1,fridge_1")) > 0.9
    assert put.chance(fact("holding apple_1")) < 0.1
    assert Atom("nextto", ("apple_1", "fridge_1")) in put.state


def test_what_an_action_says_of_other_things_is_not_quite_believed() -> None:
    home = SmallHome(seed=5)
    belief = belief_of(home)
    assert belief.chance(fact("reachable fridge_1")) > 0.9
    away = belief.moved(Step("navigate-to", ("sink_1",)))
    assert away.chance(fact("reachable sink_1")) > 0.9
    assert 0.2 < away.chance(fact("reachable fridge_1")) < 0.4


def test_a_failure_brings_nothing_about() -> None:
    home = SmallHome(seed=5)
    near = belief_of(home).moved(Step("navigate-to", ("apple_1",))).moved(Step("grasp", ("apple_1",)))
    near = near.moved(Step("navigate-to", ("sink_1",)))
    failed = near.failed(Step("place-on", ("apple_1", "sink_1")))
    assert failed.chance(fact("ontop apple_1,sink_1")) < 0.2
    assert 0.3 < failed.chance(fact("holding apple_1")) < 0.7


def test_what_could_not_be_shut_is_open_still() -> None:
    home = SmallHome(seed=5)
    belief, shut = belief_of(home), Step("close-container", ("fridge_1",))
    assert (
        belief.failed(shut).chance(fact("open fridge_1")) > 0.9 > 0.1 > belief.moved(shut).chance(fact("open fridge_1"))
    )


def test_where_nothing_changed_answers_stand_and_are_not_counted_twice() -> None:
    home = SmallHome(seed=5)
    near = belief_of(home).moved(Step("navigate-to", ("apple_1",))).moved(Step("grasp", ("apple_1",)))
    holding, drive = Atom("holding", ("apple_1",)), Step("navigate-to", ("sink_1",))
    informed = near.with_answers({holding: False})
    again = informed.failed(drive, unchanged=True)
    assert again.chance(Holds(*holding)) == pytest.approx(informed.chance(Holds(*holding)))
    assert holding not in again.worth_asking(99, 0.0)
    assert holding in informed.failed(drive).worth_asking(99, 0.0)


def test_what_cannot_be_is_not_believed_whatever_an_action_promised() -> None:
    home = SmallHome(seed=5)
    gone = Atom("reachable", ("fridge_1",))
    belief = belief_of(home)
    assert belief.chance(Holds(*gone)) > 0.9
    assert belief.without(frozenset({gone, Atom("lit", ("lamp_1",))})).chance(Holds(*gone)) < 0.01


def test_a_refusal_falls_on_the_least_likely_precondition() -> None:
    home = SmallHome(seed=5)
    doubtful = belief_of(home).moved(Step("navigate-to", ("sink_1",)))
    step = Step("grasp", ("apple_2",))
    refused = doubtful.refused(step)
    assert refused.chance(fact("reachable apple_2")) < doubtful.chance(fact("reachable apple_2"))
    assert refused.chance(fact("holding orange_1")) < 0.2
    assert not home.domain.ground(step, home.objects).applicable(refused.state)


def test_a_certain_precondition_gives_way_when_it_is_refused() -> None:
    home = SmallHome(seed=5)
    step = Step("close-container", ("fridge_1",))
    belief = belief_of(home)
    assert home.domain.ground(step, home.objects).applicable(belief.state)
    assert not home.domain.ground(step, home.objects).applicable(belief.refused(step).state)


def test_answers_weigh_what_their_predicate_is_worth() -> None:
    home = SmallHome(seed=5)
    belief = belief_of(home, rates=published_rates("household"))
    before = belief.chance(fact("ontop apple_1,sink_1"))
    assert (
        belief.with_answers({Atom("ontop", ("apple_1", "sink_1")): True}).chance(fact("ontop apple_1,sink_1"))
        > 2 * before
    )
    nextto = Atom("nextto", ("apple_1", "apple_2"))
    unmoved = belief.with_answers({nextto: True}).chance(Holds(*nextto))
    assert unmoved == pytest.approx(belief.chance(Holds(*nextto)), abs=0.01)
    assert belief.information(nextto) < 1e-3 < belief.information(Atom("holding", ("apple_1",)))


def test_questions_are_asked_of_what_is_open_and_wanted() -> None:
    home = SmallHome(seed=5)
    laws = find_laws(home.domain, home.objects, home.prior)
    blank = Factored.from_prior(laws, None)
    wanted = [Atom("holding", ("apple_1",)), Atom("open", ("fridge_1",))]
    assert set(blank.worth_asking(9, 0.01, among=wanted)) == set(wanted)
    informed = blank.with_answers({wanted[0]: False})
    assert informed.worth_asking(9, 0.01, among=wanted) == (wanted[1],)
    assert belief_of(home, rates=Rates(Wrong(0.5, 0.5))).worth_asking(9, 0.001) == ()


def test_what_never_changes_is_remembered_if_it_was_told() -> None:
    text = FERRY.replace("(dock ?p - place)", "(dock ?p - place) (sea ?a - place ?b - place)").replace(
        "(and (dock ?a)", "(and (sea ?a ?b) (dock ?a)"
    )
    ferry = read_domain(text)
    objects = ferry.objects({"a": "car", "p": "place", "q": "place"})
    informed = frozenset({Atom("at", ("a", "p")), Atom("dock", ("p",)), Atom("sea", ("p", "q"))})
    laws = find_laws(ferry, objects, informed)
    belief, sail = Factored.from_prior(laws, informed), Step("sail", ("p", "q"))
    assert belief.moved(sail).state == informed - {Atom("dock", ("p",))} | {Atom("dock", ("q",))}
    assert belief.refused(sail).chance(fact("sea p,q")) < belief.chance(fact("sea p,q"))
    assert Factored.from_prior(laws, None).refused(sail).chance(fact("sea p,q")) < 0.5
    stated = find_laws(ferry, objects, informed, frozenset({Atom("sea", ("p", "q"))}))
    for start in (informed, None):
        known = Factored.from_prior(stated, start).refused(sail)
        assert known.chance(fact("sea p,q")) == 1 > known.chance(fact("dock p"))
        assert known.chance(fact("sea q,p")) == 0
        assert not known.binds(Atom("sea", ("p", "q")))
        assert not any(atom.predicate == "sea" for atom in known.worth_asking(99, 0.0))
        assert Atom("sea", ("p", "q")) in known.moved(sail).state


def test_chances_of_formulas_are_those_of_independent_facts() -> None:
    home = SmallHome(seed=5)
    laws = find_laws(home.domain, home.objects, home.prior)
    half = Factored.from_prior(laws, None)
    a, b = fact("holding apple_1"), fact("holding apple_2")
    assert half.chance(And((a, Not(b)))) == pytest.approx(0.25)
    assert half.chance(Or((a, b))) == pytest.approx(0.75)
    movables = len(home.objects.of_type("movable"))
    someone = Exists((Variable("m", "movable"),), Holds("holding", ("m",)))
    assert half.chance(someone) == pytest.approx(1 - 0.5**movables)


@settings(deadline=None, max_examples=8)
@given(st.integers(0, 10_000))
def test_truth_is_never_ruled_out_and_what_is_believed_keeps_the_laws(seed: int) -> None:
    home, chance = SmallHome(seed=seed, failing=RECORDED), random.Random(seed)
    belief = belief_of(home, rates=published_rates("household"))
    steps = [action.step for action in ground_actions(home.domain, home.objects)]
    for _ in range(8):
        truth = home.truth()
        asked = chance.sample(belief.laws.atoms, 5)
        belief = belief.with_answers({atom: (atom in truth) != (chance.random() < 0.3) for atom in asked})
        assert list(belief.laws.broken(belief.state)) == []
        step = chance.choice(steps)
        outcome = home.step(step).outcome
        if outcome is Outcome.NOT_LEGAL:
            belief = belief.refused(step)
        else:
            belief = belief.moved(step) if outcome is Outcome.EXECUTED else belief.failed(step)
        for atom in belief.laws.atoms:
            true = belief.chance(Holds(*atom))
            assert 0 < true < 1

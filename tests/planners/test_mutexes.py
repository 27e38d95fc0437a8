"""Laws found from a domain hold wherever its actions lead, and what they allow is solved exactly."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.blocksworld.problems import atoms_of, domain, goal_of
from envs.household.problems import domain as household
from planners._cnf import Clauses
from planners.formula import And, Atom, Exists, ForAll, Formula, Holds, Not, Objects, Or, Same, State, Variable, holds
from planners.invariants import ground_actions
from planners.maxsat import NoSolver, NoState, likeliest
from planners.mutexes import Laws, find_laws
from planners.pddl import PddlError, read_domain, with_axioms
from planners.possible import possible_states
from planners.task import Domain, Step
from tests.planners.test_invariants import FERRY
from tests.small_home import RECORDED, SmallHome
from tests.small_worlds import arrangements, column_names, problem

PLACES = ("p", "q", "r")


def ferry() -> tuple[Domain, Objects, State]:
    domain = read_domain(FERRY)
    objects = domain.objects({"a": "car", "b": "car", **dict.fromkeys(PLACES, "place")})
    return domain, objects, frozenset({Atom("at", ("a", "p")), Atom("at", ("b", "q")), Atom("dock", ("p",))})


def walk(domain: Domain, objects: Objects, state: State, chance: random.Random, steps: int = 12) -> list[State]:
    states, actions = [state], list(ground_actions(domain, objects))
    for _ in range(steps):
        possible = [action for action in actions if action.applicable(states[-1])]
        states.append(chance.choice(possible).apply(states[-1]))
    return states


def test_the_translators_groups_become_laws() -> None:
    laws = find_laws(*ferry())
    docks = frozenset(Atom("dock", (place,)) for place in PLACES)
    where = {
        car: frozenset({Atom("aboard", (car,)), *(Atom("at", (car, place)) for place in PLACES)}) for car in ("a", "b")
    }
    assert set(laws.exactly_one) == {docks, *where.values()}
    assert laws.at_most_one == ()


def test_a_group_that_can_be_left_is_no_exactly_one() -> None:
    sinking = FERRY.replace("(:action sail", "(:action sink :parameters (?p - place) :precondition (dock ?p) "
                            ":effect (not (dock ?p))) (:action sail")  # fmt: skip
    domain, objects, seed = read_domain(sinking), *ferry()[1:]
    laws = find_laws(domain, objects, seed)
    assert frozenset(Atom("dock", (place,)) for place in PLACES) in set(laws.at_most_one)


@settings(deadline=None, max_examples=12)
@given(st.randoms(use_true_random=False))
def test_laws_hold_in_every_state_that_is_reached(chance: random.Random) -> None:
    domain, objects, seed = ferry()
    laws = find_laws(domain, objects, seed)
    for state in walk(domain, objects, seed, chance):
        assert list(laws.broken(state)) == []


@settings(deadline=None, max_examples=12)
@given(arrangements(), st.randoms(use_true_random=False))
def test_axioms_of_blocksworld_hold_in_every_arrangement(
    start: tuple[tuple[str, ...], ...], chance: random.Random
) -> None:
    posed = problem(start, start)
    state = atoms_of(start, posed.columns)
    laws = find_laws(domain(), posed.objects, state)
    for reached in walk(domain(), posed.objects, state, chance, 6):
        assert list(laws.broken(reached)) == []


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 1000))
def test_axioms_of_a_home_hold_whatever_is_done(seed: int) -> None:
    home = SmallHome(seed=seed, failing=RECORDED)
    laws = find_laws(home.domain, home.objects, frozenset())
    chance = random.Random(seed)
    steps = [action.step for action in ground_actions(home.domain, home.objects)]
    for _ in range(25):
        assert list(laws.broken(home.truth())) == []
        home.step(chance.choice(steps))


def test_broken_laws_are_told_in_words() -> None:
    laws = find_laws(*ferry())
    told = list(laws.broken(frozenset({Atom("at", ("a", "p")), Atom("aboard", ("a",))})))
    assert any(line.startswith("exactly one of aboard a, at a,p") for line in told)
    stacked = frozenset({Atom("on", ("r", "r"))})
    posed = problem()
    assert list(find_laws(domain(), posed.objects, frozenset()).broken(stacked)) != []


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_clauses_say_what_a_formula_says(data: st.DataObject) -> None:
    from pysat.solvers import Solver

    objects = Objects({"a": "t", "b": "t"}, {})
    formula = data.draw(formulas())
    state = frozenset(data.draw(st.sets(st.sampled_from([Atom("p", (x, y)) for x in "ab" for y in "ab"]))))
    clauses = Clauses(objects)
    clauses.require(formula)
    units = [n if atom in state else -n for atom, n in clauses.numbers.items()]
    with Solver(bootstrap_with=clauses.clauses) as solver:
        assert solver.solve(assumptions=units) == holds(formula, state, objects)


def formulas() -> st.SearchStrategy[Formula]:
    terms = st.sampled_from(["a", "b", "x", "y"])
    x, y = (Variable("x", "t"),), (Variable("y", "t"),)
    leaves: st.SearchStrategy[Formula] = st.builds(Holds, st.just("p"), st.tuples(terms, terms)) | st.builds(
        Same, terms, terms
    )

    def more(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        parts = st.lists(inner, max_size=3).map(tuple)
        return st.builds(Not, inner) | st.builds(And, parts) | st.builds(Or, parts)

    body = st.recursive(leaves, more, max_leaves=6)
    quantified = st.builds(lambda f: ForAll(x, Exists(y, f)), body) | st.builds(lambda f: Exists(x, ForAll(y, f)), body)
    return quantified | st.builds(lambda f: Not(ForAll(x, ForAll(y, f))), body)


@settings(deadline=None, max_examples=15)
@given(arrangements(blocks="rgby"), st.data())
def test_maxsat_finds_a_state_as_good_as_the_best_of_all(
    start: tuple[tuple[str, ...], ...], data: st.DataObject
) -> None:
    posed = problem(start, start)
    space = possible_states(domain(), posed.objects, goal_of(start, column_names(len(start))))
    assert not isinstance(space, Laws)
    said = data.draw(st.lists(st.booleans(), min_size=len(space.atoms), max_size=len(space.atoms)))
    laws = find_laws(domain(), posed.objects, atoms_of(start, posed.columns))
    found = likeliest(laws, {atom: 1.0 if yes else -1.0 for atom, yes in zip(space.atoms, said, strict=True)})
    assert list(laws.broken(found)) == []
    fewest = int((space.bits != said).sum(axis=1).min())
    assert sum((atom in found) != yes for atom, yes in zip(space.atoms, said, strict=True)) <= fewest


def test_a_refused_step_is_not_legal_in_what_is_found() -> None:
    domain, objects, seed = ferry()
    laws = find_laws(domain, objects, seed)
    weights = {atom: 1.0 if atom in seed else -1.0 for atom in laws.atoms}
    assert likeliest(laws, weights) == seed
    step = Step("board", ("a", "p"))
    other = likeliest(laws, weights, refused=[step])
    assert not domain.ground(step, objects).applicable(other)
    every = [Step("sail", (one, two)) for one in PLACES for two in PLACES if one != two]
    with pytest.raises(NoState):
        likeliest(laws, weights, refused=every)


def test_without_a_solver_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planners.maxsat.find_spec", lambda name: None)
    with pytest.raises(NoSolver, match=r"python-sat.*pip install -e \."):
        likeliest(find_laws(*ferry()), {})


def test_a_told_start_leads_to_laws_and_a_small_world_to_a_table() -> None:
    home, posed = SmallHome(), problem()
    assert isinstance(possible_states(home.domain, home.objects, home.goal, home.prior), Laws)
    assert not isinstance(possible_states(domain(), posed.objects, posed.goal), Laws)


def test_a_large_world_has_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planners.invariants.MOST", 50)
    posed = problem((("o", "r"), ("g",), ()), (("o", "r", "g"), (), ()))
    laws = possible_states(domain(), posed.objects, posed.goal)
    assert isinstance(laws, Laws)
    assert possible_states(domain(), posed.objects, posed.goal) is laws


def test_axioms_that_make_no_sense_are_told() -> None:
    with pytest.raises(PddlError, match="unknown predicate 'wet'"):
        with_axioms(household(), "(forall (?m - movable) (wet ?m))")

"""The likeliest state that laws allow, found by MaxSAT where the states are too many to list.

    likeliest(laws, {atom: 2.3, other: -0.7}, refused=[step])

A weight is how much speaks for an atom being true, as a difference of logarithms; a negative one speaks against it.
It needs `python-sat` (MIT), which a default install has.

    NoSolver    python-sat is not installed
    NoState     nothing the laws allow is left
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any

from planners._cnf import Clauses
from planners.formula import Atom, Not, State
from planners.mutexes import Laws
from planners.task import Step

GRAIN = 1000
"""Weights are counted in whole thousandths: a solver that adds fractions in another order finds another state."""


class NoSolver(ValueError):
    """The solver is not installed."""


class NoState(ValueError):
    """The laws and what is known leave no state."""


def likeliest(laws: Laws, weights: Mapping[Atom, float], *, refused: Iterable[Step] = ()) -> State:
    """The legal state with the greatest sum of weights of what is true in it.

    In it none of the `refused` steps is applicable. Atoms without a weight are false unless a law wants them; what no
    law is about is decided by its weight alone.
    """
    clauses = laws.clauses.copy()
    for step in refused:
        action = laws.domain.ground(step, laws.objects)
        clauses.require(Not(action.schema.precondition), action.binding)
    wishes = {atom: round(GRAIN * weight) for atom, weight in weights.items()}
    # An atom of which nothing is known is rather false than true, if only just: most are.
    hopes = {clauses.number(atom): wishes.get(atom) or -1 for atom in _bound(clauses, wishes)}
    model = _solved(clauses.clauses, hopes)
    bound = frozenset(atom for atom, number in clauses.numbers.items() if number in model)
    return bound | {atom for atom, wish in wishes.items() if wish > 0 and atom not in clauses.numbers}


def _bound(clauses: Clauses, wishes: Mapping[Atom, int]) -> list[Atom]:
    """The atoms that the clauses are about, in an order that does not depend on how they came about."""
    return sorted(clauses.numbers, key=lambda atom: (-abs(wishes.get(atom, 0)), atom))


def _solved(clauses: list[list[int]], hopes: Mapping[int, int]) -> frozenset[int]:
    """The variables that are true in the best model."""
    pysat_examples, pysat_formula = _solver()
    task = pysat_formula.WCNF()
    task.extend(clauses)
    for number, hope in hopes.items():
        if hope:
            task.append([number if hope > 0 else -number], weight=abs(hope))
    with pysat_examples.RC2(task) as solver:
        model = solver.compute()
    if model is None:
        raise NoState("no state is left that the laws allow")
    return frozenset(number for number in model if number > 0)


def _solver() -> tuple[Any, Any]:
    if find_spec("pysat") is None:
        raise NoSolver("states are too many to list, and python-sat, a solver for that, is missing: pip install -e .")
    from pysat import formula
    from pysat.examples import rc2

    return rc2, formula

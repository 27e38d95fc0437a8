"""The likeliest state under the laws of a domain, found by MaxSAT if there are too many states to list.

    likeliest(laws, {atom: 2.3, other: -0.7}, refused=[step])

A weight is the evidence that an atom is true, as log-odds; a negative weight is evidence against it.
Requires `python-sat` (MIT), a default dependency.

    NoSolver    python-sat is not installed
    NoState     no state satisfies the laws
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
"""Weights are rounded to thousandths and added as integers, so that the result does not depend on the order."""


class NoSolver(ValueError):
    """The solver is not installed."""


class NoState(ValueError):
    """No state satisfies the laws and the given facts."""


def likeliest(laws: Laws, weights: Mapping[Atom, float], *, refused: Iterable[Step] = ()) -> State:
    """The legal state with the greatest sum of weights of its true atoms.

    None of the `refused` steps is applicable in it. Atoms without a weight are false unless a law requires them; an
    atom in no law is decided by its weight alone.
    """
    clauses = laws.clauses.copy()
    for step in refused:
        action = laws.domain.ground(step, laws.objects)
        clauses.require(Not(action.schema.precondition), action.binding)
    wishes = {atom: round(GRAIN * weight) for atom, weight in weights.items()}
    # An atom without evidence gets a slight preference for false, because most atoms are false.
    hopes = {clauses.number(atom): wishes.get(atom) or -1 for atom in _bound(clauses, wishes)}
    model = _solved(clauses.clauses, hopes)
    bound = frozenset(atom for atom, number in clauses.numbers.items() if number in model)
    return bound | {atom for atom, wish in wishes.items() if wish > 0 and atom not in clauses.numbers}


def _bound(clauses: Clauses, wishes: Mapping[Atom, int]) -> list[Atom]:
    """The atoms in the clauses, in an order that does not depend on how the clauses were built."""
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

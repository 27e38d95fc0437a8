"""Evaluates formulas and actions on many states at once: a table with a row per state and a column per atom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from planners.formula import And, Atom, Binding, Exists, ForAll, Formula, Holds, Not, Objects, Or, Same, State
from planners.task import GroundAction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bits: TypeAlias = NDArray[np.bool_]


class Columns(NamedTuple):
    """A table of states with the column of each atom, and the objects that quantifiers range over.

    `static` are the atoms without a column that are true in every state.
    """

    bits: Bits
    column: Mapping[Atom, int]
    objects: Objects
    static: State = frozenset()


def truth(formula: Formula, table: Columns, binding: Binding) -> Bits:
    """For each state, whether the formula holds. An atom without a column is false unless it is static."""
    import numpy as np

    match formula:
        case Holds():
            atom = formula.atom(binding)
            number = table.column.get(atom)
            return table.bits[:, number] if number is not None else np.full(len(table.bits), atom in table.static)
        case Same(left, right):
            return np.full(len(table.bits), binding.get(left, left) == binding.get(right, right))
        case Not(body):
            return ~truth(body, table, binding)
        case And(parts):
            return _every([truth(part, table, binding) for part in parts], table)
        case Or(parts):
            return ~_every([~truth(part, table, binding) for part in parts], table)
        case ForAll(variables, body):
            choices = table.objects.bindings(variables)
            return _every([truth(body, table, {**binding, **more}) for more in choices], table)
        case Exists(variables, body):
            choices = table.objects.bindings(variables)
            return ~_every([~truth(body, table, {**binding, **more}) for more in choices], table)


def after(action: GroundAction, table: Columns) -> tuple[Bits, Bits]:
    """For each state, whether the action is applicable, and the resulting states; add wins over delete."""
    legal = truth(action.schema.precondition, table, action.binding)
    before = table._replace(bits=table.bits[legal])
    new = before.bits.copy()
    # All conditions refer to the state before the action. Delete first, then add.
    for value in (False, True):
        for effect in action.schema.effects:
            if effect.value is not value:
                continue
            for more in action.objects.bindings(effect.variables):
                bound = {**action.binding, **more}
                atom = Holds(effect.predicate, effect.terms).atom(bound)
                new[truth(effect.condition, before, bound), table.column[atom]] = value
    return legal, new


def _every(parts: list[Bits], table: Columns) -> Bits:
    import numpy as np

    if not parts:
        return np.ones(len(table.bits), dtype=bool)
    found = parts[0]
    for part in parts[1:]:
        found = found & part
    return found

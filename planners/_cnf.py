"""Converts formulas to clauses for a SAT solver. Variables are positive numbers; a negative number is a negation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planners.formula import And, Atom, Binding, Exists, ForAll, Formula, Holds, Not, Objects, Or, Same

Clause = list[int]
_QUANTIFIED: dict[type, type] = {And: ForAll, Or: Exists}


class Clauses:
    """Clauses over atoms and over parts of formulas, each with a number as its variable."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self.clauses: list[Clause] = []
        self.numbers: dict[Atom, int] = {}
        self._last = 0
        self._true = self._fresh()
        self.clauses.append([self._true])

    def copy(self) -> Clauses:
        """A copy, to which clauses can be added."""
        other = Clauses.__new__(Clauses)
        other.objects, other._last, other._true = self.objects, self._last, self._true
        other.clauses, other.numbers = self.clauses.copy(), self.numbers.copy()
        return other

    def number(self, atom: Atom) -> int:
        """The variable of an atom."""
        if atom not in self.numbers:
            self.numbers[atom] = self._fresh()
        return self.numbers[atom]

    def require(self, formula: Formula, binding: Binding | None = None) -> None:
        """Add clauses that make the formula hold."""
        for part, bound, value in self._parts(formula, binding or {}, True, And):
            options = self._parts(part, bound, value, Or if value else And)
            self._add(self.literal(option if so else Not(option), inner) for option, inner, so in options)

    def _parts(
        self, formula: Formula, bound: Binding, value: bool, joined: type[And] | type[Or]
    ) -> Iterator[tuple[Formula, Binding, bool]]:
        """The parts of a conjunction or disjunction with their values; negations and quantifiers are expanded."""
        match formula:
            case Not(body):
                yield from self._parts(body, bound, not value, Or if joined is And else And)
            case And(parts) | Or(parts) if isinstance(formula, joined):
                for part in parts:
                    yield from self._parts(part, bound, value, joined)
            case ForAll(variables, body) | Exists(variables, body) if isinstance(formula, _QUANTIFIED[joined]):
                for more in self.objects.bindings(variables):
                    yield from self._parts(body, {**bound, **more}, value, joined)
            case _:
                yield formula, bound, value

    def fix(self, atom: Atom, value: bool) -> None:
        """Fix the value of an atom."""
        self.clauses.append([self.number(atom) if value else -self.number(atom)])

    def at_most_one(self, atoms: Iterable[Atom]) -> None:
        """Require that no two of the atoms are true."""
        numbers = [self.number(atom) for atom in sorted(atoms)]
        self.clauses += [[-one, -other] for place, one in enumerate(numbers) for other in numbers[:place]]

    def exactly_one(self, atoms: Iterable[Atom]) -> None:
        """Require that exactly one of the atoms is true."""
        listed = sorted(atoms)
        self.at_most_one(listed)
        self.clauses.append([self.number(atom) for atom in listed])

    def literal(self, formula: Formula, bound: Binding) -> int:
        """A literal that is equivalent to the formula."""
        match formula:
            case Holds():
                return self.number(formula.atom(bound))
            case Same(left, right):
                return self._true if bound.get(left, left) == bound.get(right, right) else -self._true
            case Not(body):
                return -self.literal(body, bound)
            case And(parts):
                return self._every([self.literal(part, bound) for part in parts])
            case Or(parts):
                return -self._every([-self.literal(part, bound) for part in parts])
            case ForAll(variables, body):
                choices = self.objects.bindings(variables)
                return self._every([self.literal(body, {**bound, **more}) for more in choices])
            case Exists(variables, body):
                choices = self.objects.bindings(variables)
                return -self._every([-self.literal(body, {**bound, **more}) for more in choices])

    def _every(self, literals: list[int]) -> int:
        """A literal that is equivalent to the conjunction of the literals."""
        needed = list(dict.fromkeys(one for one in literals if one != self._true))
        if -self._true in needed or any(-one in needed for one in needed):
            return -self._true
        if len(needed) < 2:
            return needed[0] if needed else self._true
        name = self._fresh()
        self.clauses += [[-name, one] for one in needed]
        self.clauses.append([name, *(-one for one in needed)])
        return name

    def _add(self, literals: Iterable[int]) -> None:
        clause = list(dict.fromkeys(one for one in literals if one != -self._true))
        if self._true not in clause:
            self.clauses.append(clause)

    def _fresh(self) -> int:
        self._last += 1
        return self._last

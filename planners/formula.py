"""Formulas over symbolic states, for PDDL preconditions, effects and goals.

A formula is evaluated in a state with its variables (`?b`) bound to objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, TypeAlias


class Atom(NamedTuple):
    """One ground fact, written `on r,b` as in the records of ViPlan."""

    predicate: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.predicate} {','.join(self.args)}".rstrip()

    @classmethod
    def parse(cls, text: str) -> Atom:
        """Read `on r,b`; the inverse of `str`."""
        predicate, _, args = text.strip().partition(" ")
        return cls(predicate, tuple(arg.strip() for arg in args.split(",") if arg.strip()))


class Literal(NamedTuple):
    """An atom with a value."""

    atom: Atom
    value: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.value else f"not {self.atom}"


class Variable(NamedTuple):
    """A typed parameter of an action or a quantifier, named without its question mark."""

    name: str
    type: str


State: TypeAlias = frozenset[Atom]
"""The atoms that are true; all others are false."""

Binding: TypeAlias = Mapping[str, str]
"""Variable name to object name."""


class Objects(Mapping[str, str]):
    """The objects of a problem with their types, and the hierarchy of types."""

    def __init__(self, types: Mapping[str, str], parents: Mapping[str, str] | None = None) -> None:
        self._types = dict(types)
        self.parents = dict(parents or {})
        self._members: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, name: str) -> str:
        return self._types[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._types)

    def __len__(self) -> int:
        return len(self._types)

    def of_type(self, kind: str) -> tuple[str, ...]:
        """The objects of a type or of any type below it, in the order of declaration."""
        if kind not in self._members:
            self._members[kind] = tuple(name for name in self._types if self.is_a(name, kind))
        return self._members[kind]

    def is_a(self, name: str, kind: str) -> bool:
        """Whether the object is of the type or of one below it."""
        return name in self._types and self.is_kind(self._types[name], kind)

    def is_kind(self, kind: str, wanted: str) -> bool:
        """Whether a type is another one or below it; all are below `object`."""
        current: str | None = kind
        while current not in (None, wanted):
            current = self.parents.get(str(current))
        return current == wanted or wanted == "object"

    def bindings(self, variables: tuple[Variable, ...]) -> Iterator[dict[str, str]]:
        """Every binding of the variables to objects of their types."""
        pools = [self.of_type(variable.type) for variable in variables]
        for values in product(*pools):
            yield {variable.name: value for variable, value in zip(variables, values, strict=True)}


@dataclass(frozen=True, slots=True)
class Holds:
    """A predicate applied to terms; a term that is a bound variable stands for its object."""

    predicate: str
    terms: tuple[str, ...]

    def atom(self, binding: Binding) -> Atom:
        """The ground atom under the binding."""
        return Atom(self.predicate, tuple(binding.get(term, term) for term in self.terms))


@dataclass(frozen=True, slots=True)
class Same:
    """Two terms name the same object."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    body: Formula


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction; without parts it is true."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction; without parts it is false."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class ForAll:
    """The body holds for every choice of objects."""

    variables: tuple[Variable, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Exists:
    """The body holds for some choice of objects."""

    variables: tuple[Variable, ...]
    body: Formula


Formula: TypeAlias = Holds | Same | Not | And | Or | ForAll | Exists
TRUE = And()


def holds(formula: Formula, state: State, objects: Objects, binding: Binding | None = None) -> bool:
    """Whether the formula is true in the state."""
    bound = binding or {}
    match formula:
        case Holds():
            return formula.atom(bound) in state
        case Same(left, right):
            return bound.get(left, left) == bound.get(right, right)
        case Not(body):
            return not holds(body, state, objects, bound)
        case And(parts):
            return all(holds(part, state, objects, bound) for part in parts)
        case Or(parts):
            return any(holds(part, state, objects, bound) for part in parts)
        case ForAll(variables, body):
            return all(holds(body, state, objects, {**bound, **more}) for more in objects.bindings(variables))
        case Exists(variables, body):
            return any(holds(body, state, objects, {**bound, **more}) for more in objects.bindings(variables))


def literals(formula: Formula, objects: Objects, binding: Binding | None = None) -> Iterator[Literal]:
    """The literals that must all be true for the formula to hold, in order.

    Universal quantifiers are expanded over all objects. Everything that is not a conjunction of literals
    (disjunctions, existentials, equalities) is left out, because no single yes/no question covers it.
    """
    bound = binding or {}
    match formula:
        case Holds():
            yield Literal(formula.atom(bound), True)
        case Not(Holds() as body):
            yield Literal(body.atom(bound), False)
        case And(parts):
            for part in parts:
                yield from literals(part, objects, bound)
        case ForAll(variables, body):
            for more in objects.bindings(variables):
                yield from literals(body, objects, {**bound, **more})
        case _:
            return


def conjunction(goal: frozenset[Literal] | tuple[Literal, ...]) -> And:
    """The conjunction of the literals."""
    ordered = goal if isinstance(goal, tuple) else tuple(sorted(goal))
    parts = (Holds(atom.predicate, atom.args) for atom, _ in ordered)
    return And(tuple(part if literal.value else Not(part) for part, literal in zip(parts, ordered, strict=True)))

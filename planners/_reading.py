"""Reading conditions: expressions of PDDL over known types, predicates and objects, as formulas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planners._sexpr import Expr, SyntaxFault, show, typed
from planners.formula import TRUE, And, Exists, ForAll, Formula, Holds, Not, Objects, Or, Same, State, Variable

Scope = Mapping[str, Variable]
"""The variables that may be used, by their names as they are written."""


def sections_of(parts: Iterable[Expr]) -> dict[str, list[Expr]]:
    """The parts of a definition by their keywords."""
    sections: dict[str, list[Expr]] = {}
    for part in parts:
        keyword, rest = section(part)
        if keyword in sections:
            raise SyntaxFault(f"({keyword} …) is there twice")
        sections[keyword] = rest
    return sections


def section(part: Expr) -> tuple[str, list[Expr]]:
    """The keyword of a part, and what stands behind it."""
    if isinstance(part, str) or not part or not isinstance(part[0], str):
        raise SyntaxFault(f"expected a section such as (:objects …), found {show(part)}")
    return part[0], part[1:]


def word(sections: Mapping[str, list[Expr]], key: str) -> str:
    """The one word of a section."""
    match sections.get(key):
        case [str(name)]:
            return name
        case _:
            raise SyntaxFault(f"expected ({key} NAME)")


@dataclass(frozen=True)
class Reader:
    """Turns expressions over known objects into facts and formulas."""

    parents: Mapping[str, str]
    predicates: Mapping[str, tuple[Variable, ...]]
    objects: Objects

    def state(self, facts: list[Expr]) -> State:
        """The atoms that are said to be true."""
        match facts:
            case [["and", *inner]]:
                facts = inner
        atoms = set()
        for fact in facts:
            match fact:
                case ["not", body]:
                    self.holds(body, {})
                case ["=", ["total-cost"], _]:
                    continue
                case _:
                    atoms.add(self.holds(fact, {}).atom({}))
        return frozenset(atoms)

    def formula(self, expr: Expr, scope: Scope) -> Formula:
        """A condition."""
        match expr:
            case []:
                return TRUE
            case ["and", *parts]:
                return And(tuple(self.formula(part, scope) for part in parts))
            case ["or", *parts]:
                return Or(tuple(self.formula(part, scope) for part in parts))
            case ["not", part]:
                return Not(self.formula(part, scope))
            case ["imply", left, right]:
                return Or((Not(self.formula(left, scope)), self.formula(right, scope)))
            case ["forall" | "exists" as quantifier, list(names), body]:
                variables = self.variables(names)
                inner = self.formula(body, {**scope, **variables})
                bound = tuple(variables.values())
                return ForAll(bound, inner) if quantifier == "forall" else Exists(bound, inner)
            case ["=", left, right]:
                return Same(self._term(left, scope)[0], self._term(right, scope)[0])
            case _:
                return self.holds(expr, scope)

    def variables(self, names: list[Expr], apart_from: Scope = MappingProxyType({})) -> dict[str, Variable]:
        """Declared variables by their names as they are written, called otherwise than those of a scope."""
        variables: dict[str, Variable] = {}
        taken = {variable.name for variable in apart_from.values()}
        for name, kind in typed(names):
            if not name.startswith("?"):
                raise SyntaxFault(f"expected a variable, found {name}")
            if kind != "object" and kind not in self.parents:
                raise SyntaxFault(f"{name} is of the unknown type {kind!r}")
            if name in variables:
                raise SyntaxFault(f"the variable {name} is declared twice")
            inner = name[1:]
            # A term is looked up by name alone, so a variable may not share its name with an object.
            while inner in self.objects or inner in taken:
                inner += "_"
            variables[name] = Variable(inner, kind)
        return variables

    def holds(self, expr: Expr, scope: Scope) -> Holds:
        """A fact, maybe about variables."""
        if isinstance(expr, str) or not expr or not isinstance(expr[0], str):
            raise SyntaxFault(f"expected a fact such as (on a b), found {show(expr)}")
        predicate, *args = expr
        signature = self.predicates.get(expr[0])
        if signature is None:
            raise SyntaxFault(f"unknown predicate {predicate!r}; predicates: {', '.join(self.predicates)}")
        if len(args) != len(signature):
            raise SyntaxFault(f"{show(expr)}: {predicate} takes {len(signature)} arguments, not {len(args)}")
        terms = [self._term(arg, scope) for arg in args]
        for (term, kind), parameter in zip(terms, signature, strict=True):
            if not self._fits(kind, parameter.type):
                raise SyntaxFault(f"{show(expr)}: {term} is of type {kind}, not {parameter.type}")
        return Holds(expr[0], tuple(term for term, _ in terms))

    def _term(self, expr: Expr, scope: Scope) -> tuple[str, str]:
        """The name a term goes by in a formula, and its type."""
        if not isinstance(expr, str):
            raise SyntaxFault(f"expected an object, found {show(expr)}")
        if expr in scope:
            return scope[expr].name, scope[expr].type
        if expr not in self.objects:
            raise SyntaxFault(f"unknown object {expr!r}; objects: {', '.join(self.objects)}")
        return expr, self.objects[expr]

    def _fits(self, kind: str, wanted: str) -> bool:
        current: str | None = kind
        while current not in (None, wanted):
            current = self.parents.get(str(current))
        return current == wanted or wanted == "object"

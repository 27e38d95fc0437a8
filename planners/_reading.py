"""Parses PDDL conditions over known types, predicates and objects into formulas."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planners._sexpr import Expr, SyntaxFault, show, typed
from planners.formula import TRUE, And, Exists, ForAll, Formula, Holds, Not, Objects, Or, Same, State, Variable

Scope = Mapping[str, Variable]
"""The variables in scope, by their names in the text."""

FORMS = MappingProxyType(
    {
        "and": "(and CONDITION …)",
        "or": "(or CONDITION …)",
        "not": "(not CONDITION)",
        "imply": "(imply CONDITION CONDITION)",
        "forall": "(forall (?VARIABLE - TYPE …) CONDITION)",
        "exists": "(exists (?VARIABLE - TYPE …) CONDITION)",
        "=": "(= OBJECT OBJECT)",
        "when": "(when CONDITION EFFECT), which only effects may hold",
    }
)
"""Keywords of conditions with their syntax."""


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
    """The keyword of a part, and the rest of the part."""
    if isinstance(part, str) or not part or not isinstance(part[0], str):
        raise SyntaxFault(f"expected a section such as (:init …) or (:predicates …), found {show(part)}")
    return part[0], part[1:]


def word(sections: Mapping[str, list[Expr]], key: str) -> str:
    """The single word of a section."""
    match sections.get(key):
        case [str(name)]:
            return name
        case _:
            raise SyntaxFault(f"expected ({key} NAME)")


def declared(items: list[Expr], parents: Mapping[str, str], others: Collection[str] = ()) -> dict[str, str]:
    """Objects and their types. No object may be declared twice or be in `others`."""
    types: dict[str, str] = {}
    for name, kind in typed(items):
        if name.startswith("?"):
            raise SyntaxFault(f"expected an object, found the variable {name}")
        _check_type(name, kind, parents)
        if name in types or name in others:
            raise SyntaxFault(f"the object {name} is declared twice")
        types[name] = kind
    return types


def _check_type(name: str, kind: str, parents: Mapping[str, str]) -> None:
    if kind != "object" and kind not in parents:
        raise SyntaxFault(f"{name} is of the unknown type {kind!r}; types: {', '.join(parents)}")


@dataclass(frozen=True)
class Reader:
    """Turns expressions over known objects into facts and formulas."""

    predicates: Mapping[str, tuple[Variable, ...]]
    objects: Objects

    def state(self, facts: list[Expr]) -> State:
        """The atoms that are stated to be true."""
        match facts:
            case [["and", *inner]]:
                facts = inner
        atoms = set()
        for fact in facts:
            match fact:
                case ["not", body]:
                    self.holds(body, {})
                case _:
                    atoms.add(self.holds(fact, {}).atom({}))
        return frozenset(atoms)

    def formula(self, expr: Expr, scope: Scope) -> Formula:
        """Parse a condition without changing its structure; `scope` has its free variables."""
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
                variables = self.variables(names, scope)
                inner = self.formula(body, {**scope, **variables})
                bound = tuple(variables.values())
                return ForAll(bound, inner) if quantifier == "forall" else Exists(bound, inner)
            case ["=", left, right]:
                return Same(self._term(left, scope)[0], self._term(right, scope)[0])
            case [str(word), *_] if word in FORMS:
                raise SyntaxFault(f"{show(expr)} is not {FORMS[word]}")
            case _:
                return self.holds(expr, scope)

    def variables(self, names: list[Expr], scope: Scope, *, apart: bool = False) -> dict[str, Variable]:
        """Declared variables by their names in the text.

        Terms of a formula are looked up by name, so no variable may share its name with an object or variable in scope:
        such variables are renamed. With `apart`, variables that hide an outer one are renamed too.
        """
        kinds = typed(names)
        written = [name for name, _ in kinds]
        taken = {*self.objects, *(variable.name for name, variable in scope.items() if apart or name not in written)}
        variables: dict[str, Variable] = {}
        for name, kind in kinds:
            if not name.startswith("?") or name == "?":
                raise SyntaxFault(f"expected a variable, found {name}")
            _check_type(name, kind, self.objects.parents)
            if name in variables:
                raise SyntaxFault(f"the variable {name} is declared twice")
            inner = name[1:]
            while inner in taken:
                inner += "_"
                # another variable of this list may have the name
                while f"?{inner}" in written:
                    inner += "_"
            variables[name] = Variable(inner, kind)
            taken.add(inner)
        return variables

    def holds(self, expr: Expr, scope: Scope) -> Holds:
        """Parse a fact, which may contain variables."""
        if isinstance(expr, str) or not expr or not isinstance(expr[0], str):
            raise SyntaxFault(f"expected a fact such as (on a b), found {show(expr)}")
        predicate, *args = expr
        signature = self.predicates.get(expr[0])
        if signature is None:
            raise SyntaxFault(f"unknown predicate {predicate!r}; predicates: {', '.join(self.predicates)}")
        if len(args) != len(signature):
            raise SyntaxFault(f"{show(expr)}: {predicate} takes {len(signature)} arguments, not {len(args)}")
        terms = [self._term(arg, scope) for arg in args]
        for arg, (_, kind), parameter in zip(args, terms, signature, strict=True):
            if not self.objects.is_kind(kind, parameter.type):
                raise SyntaxFault(f"{show(expr)}: {show(arg)} is of type {kind}, not {parameter.type}")
        return Holds(expr[0], tuple(term for term, _ in terms))

    def _term(self, expr: Expr, scope: Scope) -> tuple[str, str]:
        """The name of a term in a formula, and its type."""
        if not isinstance(expr, str):
            raise SyntaxFault(f"expected an object, found {show(expr)}")
        if expr in scope:
            return scope[expr].name, scope[expr].type
        if expr.startswith("?"):
            raise SyntaxFault(f"unknown variable {expr!r}; variables: {', '.join(scope)}")
        if expr not in self.objects:
            raise SyntaxFault(f"unknown object {expr!r}; objects: {', '.join(self.objects)}")
        return expr, self.objects[expr]

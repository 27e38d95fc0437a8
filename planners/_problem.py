"""Reading a PDDL problem: its objects, the facts it starts with, its goal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from planners._sexpr import Expr, SyntaxFault, parse, show, typed
from planners.formula import TRUE, And, Exists, ForAll, Formula, Holds, Not, Objects, Or, Same, State, Variable
from planners.task import Domain


class ProblemParts(NamedTuple):
    """What a problem file says."""

    name: str
    domain: str
    objects: Objects
    init: State
    goal: Formula


def read_parts(domain: Domain, text: str) -> ProblemParts:
    """Read the text as a problem of the domain; `SyntaxFault` says what is wrong with it."""
    head, *rest = parse(text) or [""]
    if head != "define":
        raise SyntaxFault("expected (define (problem …) …)")
    sections = _sections(rest)
    name, of_domain = _word(sections, "problem"), _word(sections, ":domain")
    if of_domain != domain.name:
        raise SyntaxFault(f"it is a problem of domain {of_domain!r}, not of {domain.name!r}")
    reader = _Reader(domain, _objects(domain, sections.get(":objects", [])))
    goal = sections.get(":goal")
    if goal is None:
        raise SyntaxFault("it has no (:goal …)")
    if len(goal) != 1:
        raise SyntaxFault("(:goal …) takes one condition")
    init = reader.state(sections.get(":init", []))
    return ProblemParts(name, of_domain, reader.objects, init, reader.formula(goal[0], {}))


def read_axiom(domain: Domain, text: str) -> Formula:
    """Read the text as one condition over the domain's predicates and constants."""
    return _Reader(domain, domain.objects({})).formula(parse(text), {})


def _sections(parts: Iterable[Expr]) -> dict[str, list[Expr]]:
    sections: dict[str, list[Expr]] = {}
    for part in parts:
        if isinstance(part, str) or not part or not isinstance(part[0], str):
            raise SyntaxFault(f"expected a section such as (:objects …), found {show(part)}")
        if part[0] in sections:
            raise SyntaxFault(f"({part[0]} …) is there twice")
        sections[part[0]] = part[1:]
    return sections


def _word(sections: dict[str, list[Expr]], key: str) -> str:
    match sections.get(key):
        case [str(word)]:
            return word
        case _:
            raise SyntaxFault(f"expected ({key} NAME)")


def _objects(domain: Domain, declared: list[Expr]) -> Objects:
    types: dict[str, str] = {}
    for name, kind in typed(declared):
        if kind != "object" and kind not in domain.parents:
            raise SyntaxFault(f"{name} is of the unknown type {kind!r}; types: {', '.join(domain.parents)}")
        if name in types or name in domain.constants:
            raise SyntaxFault(f"the object {name} is declared twice")
        types[name] = kind
    return domain.objects(types)


class _Reader:
    """Turns expressions over known objects into facts and formulas."""

    def __init__(self, domain: Domain, objects: Objects) -> None:
        self.domain = domain
        self.objects = objects

    def state(self, facts: list[Expr]) -> State:
        match facts:
            case [["and", *inner]]:
                facts = inner
        atoms = set()
        for fact in facts:
            match fact:
                case ["not", body]:
                    self._holds(body, {})
                case ["=", ["total-cost"], _]:
                    continue
                case _:
                    atoms.add(self._holds(fact, {}).atom({}))
        return frozenset(atoms)

    def formula(self, expr: Expr, scope: dict[str, Variable]) -> Formula:
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
            case ["forall" | "exists" as word, list(names), body]:
                variables = self._variables(names)
                inner = self.formula(body, {**scope, **variables})
                bound = tuple(variables.values())
                return ForAll(bound, inner) if word == "forall" else Exists(bound, inner)
            case ["=", left, right]:
                return Same(self._term(left, scope)[0], self._term(right, scope)[0])
            case _:
                return self._holds(expr, scope)

    def _variables(self, names: list[Expr]) -> dict[str, Variable]:
        variables = {}
        for name, kind in typed(names):
            if not name.startswith("?"):
                raise SyntaxFault(f"expected a variable, found {name}")
            if kind != "object" and kind not in self.domain.parents:
                raise SyntaxFault(f"{name} is of the unknown type {kind!r}")
            inner = name[1:]
            # A term is looked up by name alone, so a variable may not share its name with an object.
            while inner in self.objects:
                inner += "_"
            variables[name] = Variable(inner, kind)
        return variables

    def _holds(self, expr: Expr, scope: dict[str, Variable]) -> Holds:
        if isinstance(expr, str) or not expr or not isinstance(expr[0], str):
            raise SyntaxFault(f"expected a fact such as (on a b), found {show(expr)}")
        predicate, *args = expr
        signature = self.domain.predicates.get(expr[0])
        if signature is None:
            raise SyntaxFault(f"unknown predicate {predicate!r}; predicates: {', '.join(self.domain.predicates)}")
        if len(args) != len(signature):
            raise SyntaxFault(f"{show(expr)}: {predicate} takes {len(signature)} arguments, not {len(args)}")
        terms = [self._term(arg, scope) for arg in args]
        for (term, kind), parameter in zip(terms, signature, strict=True):
            if not self._fits(kind, parameter.type):
                raise SyntaxFault(f"{show(expr)}: {term} is of type {kind}, not {parameter.type}")
        return Holds(expr[0], tuple(term for term, _ in terms))

    def _term(self, expr: Expr, scope: dict[str, Variable]) -> tuple[str, str]:
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
            current = self.domain.parents.get(str(current))
        return current == wanted or wanted == "object"

"""Parses a PDDL domain: its types, constants, predicates and actions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from planners._reading import FORMS, Reader, Scope, declared, section, sections_of, word
from planners._sexpr import Expr, SyntaxFault, parse, show, typed
from planners.formula import TRUE, And, Exists, ForAll, Formula, Not, Objects, Or, Variable
from planners.task import Action, Domain, Effect

SECTIONS = ("domain", ":requirements", ":types", ":constants", ":predicates", ":functions")
OF_ACTIONS = (":parameters", ":precondition", ":effect")
NUMBERS = frozenset({"increase", "decrease", "assign", "scale-up", "scale-down"})


def domain_of(text: str) -> Domain:
    """Parse a domain; `SyntaxFault` if the text is invalid."""
    head, *rest = parse(text) or [""]
    if head != "define":
        raise SyntaxFault("expected (define (domain …) …)")
    sections = sections_of(part for part in rest if section(part)[0] != ":action")
    name = word(sections, "domain")
    strange = [keyword for keyword in sections if keyword not in SECTIONS]
    if strange:
        raise SyntaxFault(f"({strange[0]} …) is not supported; sections: {', '.join((*SECTIONS[1:], ':action'))}")
    for function in sections.get(":functions", []):
        raise SyntaxFault(f"{show(function)} is a number; only predicates are supported")
    parents = _parents(sections.get(":types", []))
    constants = declared(sections.get(":constants", []), parents)
    predicates = _predicates(sections.get(":predicates", []), parents)
    reader = Reader(predicates, Objects(constants, parents))
    actions: dict[str, Action] = {}
    for part in rest:
        keyword, words = section(part)
        if keyword == ":action":
            action = action_of(words, reader)
            if action.name in actions:
                raise SyntaxFault(f"the action {action.name} is there twice")
            actions[action.name] = action
    return Domain(name, text, parents, predicates, actions, constants)


def _parents(items: list[Expr]) -> dict[str, str]:
    """The parent of each type. `object` is the root, even if the domain does not declare it."""
    parents: dict[str, str] = {}
    for name, kind in typed(items):
        if name in parents:
            raise SyntaxFault(f"the type {name} is declared twice")
        if name != "object":
            parents[name] = kind
    for kind in [kind for kind in parents.values() if kind != "object"]:
        parents.setdefault(kind, "object")
    for name in parents:
        above = name
        for _ in parents:
            above = parents.get(above, "object")
        if above != "object":
            raise SyntaxFault(f"the type {name} is a kind of itself")
    return parents


def _predicates(parts: list[Expr], parents: dict[str, str]) -> dict[str, tuple[Variable, ...]]:
    reader = Reader({}, Objects({}, parents))
    predicates: dict[str, tuple[Variable, ...]] = {}
    for part in parts:
        match part:
            case [str(name), *names]:
                if name in FORMS or name in NUMBERS:
                    raise SyntaxFault(f"{name} means something else; a predicate cannot be called so")
                if name in predicates:
                    raise SyntaxFault(f"the predicate {name} is declared twice")
                predicates[name] = tuple(reader.variables(names, {}).values())
            case _:
                raise SyntaxFault(f"expected a predicate such as (on ?a ?b), found {show(part)}")
    return predicates


def action_of(words: list[Expr], reader: Reader) -> Action:
    """The action that the words after `:action` describe."""
    match words:
        case [str(name), *rest]:
            try:
                given = _given(rest)
                parameters = reader.variables(_list(given.get(":parameters", [])), {})
                precondition = _simplest(reader.formula(given.get(":precondition", []), parameters))
                effects = tuple(_effects(given.get(":effect", []), parameters, reader))
            except SyntaxFault as error:
                raise SyntaxFault(f"action {name}: {error}") from None
            return Action(name, tuple(parameters.values()), precondition, effects)
        case _:
            raise SyntaxFault("expected (:action NAME …)")


def _given(words: list[Expr]) -> dict[str, Expr]:
    given: dict[str, Expr] = {}
    pairs = iter(words)
    for key in pairs:
        value = next(pairs, None)
        if not isinstance(key, str) or key not in OF_ACTIONS:
            raise SyntaxFault(f"expected {', '.join(OF_ACTIONS)}, each with one list, found {show(key)}")
        if value is None:
            raise SyntaxFault(f"nothing stands behind {key}")
        if key in given:
            raise SyntaxFault(f"{key} is there twice")
        given[key] = value
    return given


def _list(expr: Expr) -> list[Expr]:
    if isinstance(expr, str):
        raise SyntaxFault(f"expected a list of variables, found {expr}")
    return expr


def _simplest(formula: Formula) -> Formula:
    """Remove one-part conjunctions and disjunctions, and double negations: agents choose questions by the structure."""
    match formula:
        case And((only,)) | Or((only,)):
            return _simplest(only)
        case And(parts):
            return And(tuple(map(_simplest, parts)))
        case Or(parts):
            return Or(tuple(map(_simplest, parts)))
        case Not(body):
            inner = _simplest(body)
            return inner.body if isinstance(inner, Not) else Not(inner)
        case ForAll(variables, body):
            return ForAll(variables, _simplest(body))
        case Exists(variables, body):
            return Exists(variables, _simplest(body))
        case _:
            return formula


class _Part(NamedTuple):
    """A part of an effect, with its condition and quantified variables."""

    expr: Expr
    scope: Scope
    condition: Formula = TRUE
    variables: tuple[Variable, ...] = ()


def _effects(whole: Expr, parameters: Scope, reader: Reader) -> Iterator[Effect]:
    """The effects, outermost first: the order of unified-planning, in which agents ask about them."""
    waiting = deque([_Part(whole, parameters)])
    while waiting:
        part = waiting.popleft()
        expr, scope, condition, variables = part
        match expr:
            case []:
                pass
            case ["and", *inner]:
                waiting.extend(part._replace(expr=one) for one in inner)
            case ["forall", list(names), body]:
                # An outer condition refers to its own variable, even if this one has the same name.
                more = reader.variables(names, scope, apart=True)
                waiting.append(_Part(body, {**scope, **more}, condition, (*variables, *more.values())))
            case ["when", needed, body]:
                inside = _simplest(reader.formula(needed, scope))
                both = inside if condition == TRUE else And((condition, inside))
                waiting.append(part._replace(expr=body, condition=both))
            case [str(verb), *_] if verb in NUMBERS:
                raise SyntaxFault(f"{show(expr)} changes a number; only predicates are supported")
            case ["not", fact]:
                false = reader.holds(fact, scope)
                yield Effect(false.predicate, false.terms, False, condition, variables)
            case _:
                true = reader.holds(expr, scope)
                yield Effect(true.predicate, true.terms, True, condition, variables)

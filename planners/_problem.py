"""Parses a PDDL problem: its objects, initial facts and goal."""

from __future__ import annotations

from typing import NamedTuple

from planners._reading import Reader, declared, sections_of, word
from planners._sexpr import SyntaxFault, parse
from planners.formula import Formula, Objects, State
from planners.task import Domain


class ProblemParts(NamedTuple):
    """The content of a problem file."""

    name: str
    domain: str
    objects: Objects
    init: State
    goal: Formula


def read_parts(domain: Domain, text: str) -> ProblemParts:
    """Parse a problem of the domain; `SyntaxFault` if the text is invalid."""
    head, *rest = parse(text) or [""]
    if head != "define":
        raise SyntaxFault("expected (define (problem …) …)")
    sections = sections_of(rest)
    name, of_domain = word(sections, "problem"), word(sections, ":domain")
    if of_domain != domain.name:
        raise SyntaxFault(f"it is a problem of domain {of_domain!r}, not of {domain.name!r}")
    objects = domain.objects(declared(sections.get(":objects", []), domain.parents, domain.constants))
    reader = Reader(domain.predicates, objects)
    goal = sections.get(":goal")
    if goal is None:
        raise SyntaxFault("it has no (:goal …)")
    if len(goal) != 1:
        raise SyntaxFault("(:goal …) takes one condition")
    init = reader.state(sections.get(":init", []))
    return ProblemParts(name, of_domain, reader.objects, init, reader.formula(goal[0], {}))


def read_axiom(domain: Domain, text: str) -> Formula:
    """Parse a condition over the domain's predicates and constants."""
    return Reader(domain.predicates, domain.objects({})).formula(parse(text), {})

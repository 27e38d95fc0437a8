"""PDDL in: domains and problems as the structures of `planners.task`.

What is read is what agents and planners here can use: types, constants, predicates, actions with conditional and
universal effects. unified-planning's reader knows more of the language, numbers and time too, but takes more than a
second to be imported, so domains and problems have a reader of their own, held against it in the tests.

    PddlError   anything wrong with a PDDL text: names the file and what is wrong
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from planners._domain import domain_of
from planners._problem import ProblemParts, read_axiom, read_parts
from planners._sexpr import SyntaxFault
from planners.files import Unreadable, read_bytes
from planners.formula import Formula, Objects, State
from planners.task import Domain, Task

TEXT = "PDDL text"
"""What a text without a file is called in messages."""


class PddlError(ValueError):
    """A PDDL text that cannot be used."""


@dataclass(frozen=True)
class Problem:
    """A PDDL problem; `objects` includes the constants of its domain."""

    name: str
    domain: str
    objects: Objects
    init: State
    goal: Formula

    def task(self, domain: Domain) -> Task:
        """What a planner is asked."""
        return Task(domain, self.objects, self.init, self.goal)


LARGEST_PDDL = 4 * 2**20
"""Bytes of a PDDL file that is read."""
AXIOMS = "axioms.pddl"
"""The file beside a domain's that says what holds in every state: one condition, `(and (forall (?a - block) …) …)`."""


def read_domain(source: Path | str) -> Domain:
    """Read a domain from a path, with the axioms beside it, or from PDDL text; the same text is parsed once."""
    name, text = _load(source)
    with _naming(name):
        domain = _domain(text)
    beside = Path(name).with_name(AXIOMS) if name != TEXT else None
    return with_axioms(domain, beside) if beside is not None and beside.is_file() else domain


def with_axioms(domain: Domain, source: Path | str) -> Domain:
    """The domain with what a path or a text says of all its states."""
    name, text = _load(source)
    with _naming(name):
        return replace(domain, axioms=read_axiom(domain, text))


def read_problem(domain: Domain, source: Path | str) -> Problem:
    """Read a problem of the domain from a path or from PDDL text."""
    name, text = _load(source)
    with _naming(name):
        parts: ProblemParts = read_parts(domain, text)
    return Problem(parts.name, parts.domain, parts.objects, parts.init, parts.goal)


def _load(source: Path | str) -> tuple[str, str]:
    """The name to use in messages, and the text."""
    if isinstance(source, str) and "(" in source:
        return TEXT, source
    path = Path(source)
    try:
        return str(path), read_bytes(path, LARGEST_PDDL).decode("utf-8-sig")
    except (OSError, Unreadable, UnicodeDecodeError) as error:
        raise PddlError(f"{path}: cannot be read: {error}") from error


_domain = lru_cache(maxsize=64)(domain_of)


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Errors name the text in which they are."""
    try:
        yield
    except SyntaxFault as error:
        raise PddlError(f"{name}: {error}") from None
    except RecursionError:
        raise PddlError(f"{name}: its brackets are nested too deeply") from None

"""Parses PDDL domains and problems into the structures of `planners.task`.

Supported is what our agents and planners can use: types, constants, predicates, actions with conditional and
universal effects. unified-planning's parser supports more, such as numbers and time, but its import takes more than a
second, so we have our own parser. Tests compare the two.

    PddlError   a PDDL text is invalid; names the file and the error
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
"""The name of a text without a file in messages."""


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
        """The problem as a task for a planner."""
        return Task(domain, self.objects, self.init, self.goal)


LARGEST_PDDL = 4 * 2**20
"""The largest PDDL file that is read, in bytes."""
AXIOMS = "axioms.pddl"
"""A file beside the domain's with a condition that holds in every state: `(and (forall (?a - block) …) …)`."""


def read_domain(source: Path | str) -> Domain:
    """Read a domain from a path, with the axioms beside it, or from PDDL text; the same text is parsed once."""
    name, text = _load(source)
    with _naming(name):
        domain = _domain(text)
    beside = Path(name).with_name(AXIOMS) if name != TEXT else None
    return with_axioms(domain, beside) if beside is not None and beside.is_file() else domain


def with_axioms(domain: Domain, source: Path | str) -> Domain:
    """The domain with axioms from a path or a text."""
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
    """Add the name of the text to errors."""
    try:
        yield
    except SyntaxFault as error:
        raise PddlError(f"{name}: {error}") from None
    except RecursionError:
        raise PddlError(f"{name}: its brackets are nested too deeply") from None

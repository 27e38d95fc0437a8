"""Parses facts as people and models write them: `on r,b`, `on r b`, `on(r, b)`, `(on r b)`, in any case, quoted or not.

written = Written(domain, objects)
written.read("On(R, B)")     # Atom('on', ('r', 'b')), or None if there is no such fact
written.fault("on r,z")      # why not: no object 'z'. Objects: …
"""

from __future__ import annotations

import re

from planners.formula import Atom, Objects
from planners.names import unknown
from planners.task import Domain

_BETWEEN = re.compile(r"[\s,()]+")
_ROUND = "'\"`´‘’“”"
_LONGEST = 60
"""The most characters of an unknown name that a message quotes."""


def words(text: str) -> tuple[str, ...]:
    """The predicate of a fact and its arguments, in lower case."""
    parts = (part.strip(_ROUND).lower() for part in _BETWEEN.split(text.strip().rstrip(".;")))
    return tuple(part for part in parts if part)


class Written:
    """Finds the facts of a problem by their text."""

    def __init__(self, domain: Domain, objects: Objects) -> None:
        self._domain, self._objects = domain, objects
        self._facts = {(atom.predicate, *atom.args): atom for atom in domain.atoms(objects)}
        self._facts |= {tuple(word.lower() for word in name): atom for name, atom in self._facts.items()}

    def read(self, text: str) -> Atom | None:
        """The fact that a text names, or None."""
        return self._facts.get(words(text))

    def fault(self, text: str) -> str:
        """Why the text names no fact of the problem."""
        name, *args = words(text) or ("",)
        predicates = {known.lower(): known for known in self._domain.predicates}
        if name not in predicates:
            return str(unknown("predicate", _short(name), self._domain.predicates))
        variables = self._domain.predicates[predicates[name]]
        if len(args) != len(variables):
            return f"{name} takes {_counted(len(variables))}, not {len(args)}"
        names = {known.lower(): known for known in self._objects}
        for arg, variable in zip(args, variables, strict=True):
            if arg not in names:
                return str(unknown("object", _short(arg), self._objects))
            if not self._objects.is_a(names[arg], variable.type):
                return f"{arg!r} is not a {variable.type}"
        return "it is none of this problem"


def _counted(number: int) -> str:
    return "1 object" if number == 1 else f"{number} objects"


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"

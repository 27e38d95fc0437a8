"""The facts worth asking about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from envs.base import Symbolic, static_facts
from planners.formula import Atom, literals
from planners.static import changed, never_made


def open_facts(env: Symbolic, facts: Iterable[Atom]) -> Iterator[Atom]:
    """The facts that are not already known: no stated static facts, and no reflexive ones.

    A reflexive fact (`on r,r`) is false if no action makes one true, unless the goal or the prior names it.
    """
    moving, static = changed(env.domain), static_facts(env)
    named = {literal.atom for literal in literals(env.goal, env.objects)} | (env.prior or frozenset())
    for atom in facts:
        known = static is not None and atom.predicate not in moving
        if not known and (atom in named or not never_made(env.domain, atom, static)):
            yield atom

"""Which facts there are to ask about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from envs.base import Symbolic, static_facts
from planners.formula import Atom, literals
from planners.static import changed, never_made


def open_facts(env: Symbolic, facts: Iterable[Atom]) -> Iterator[Atom]:
    """Those of the facts that are not known anyway: no static one that is stated, and nothing of a thing and itself.

    Such a pair (`on r,r`) is false if no action makes one true, unless the goal or the start says otherwise.
    """
    moving, static = changed(env.domain), static_facts(env)
    said = {literal.atom for literal in literals(env.goal, env.objects)} | (env.prior or frozenset())
    for atom in facts:
        known = static is not None and atom.predicate not in moving
        if not known and (atom in said or not never_made(env.domain, atom, static)):
            yield atom

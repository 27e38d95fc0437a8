"""Errors for names that nobody has: they say what was meant, perhaps, and what there is."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UnknownName(ValueError):
    """A name that does not exist, with its nearest neighbour and all that do."""


def unknown(kind: str, name: str, possible: Iterable[str]) -> UnknownName:
    """The error to raise: `no agent 'groundmem'. Did you mean 'ground_mem'? Agents: action, …`."""
    known = sorted(possible)
    by_lower = {candidate.lower(): candidate for candidate in known}
    near = get_close_matches(name.lower(), by_lower, n=1)
    hint = f" Did you mean {by_lower[near[0]]!r}?" if near else ""
    there = f" {kind[:1].upper()}{kind[1:]}s: {', '.join(known)}" if known else f" There are no {kind}s."
    return UnknownName(f"no {kind} {name!r}.{hint}{there}")

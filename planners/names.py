"""Natural sorting of names, and errors for unknown ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches


def natural(text: str) -> list[tuple[int, str]]:
    """Sort key by which `problem_10` comes after `problem_9`."""
    return [(int(piece), "") if piece.isdecimal() else (-1, piece) for piece in re.split(r"(\d+)", text)]


class UnknownName(ValueError):
    """A name does not exist; the message has the most similar name and all that exist."""


def unknown(kind: str, name: str, possible: Iterable[str]) -> UnknownName:
    """The error to raise: `no agent 'groundmem'. Did you mean 'ground_mem'? Agents: action, …`.

    The kind may have a qualifier: the plural of `option of sim` is `options of sim`.
    """
    known = sorted(possible)
    by_lower = {candidate.lower(): candidate for candidate in known}
    near = get_close_matches(name.lower(), by_lower, n=1)
    hint = f" Did you mean {by_lower[near[0]]!r}?" if near else ""
    noun, of, whole = kind.partition(" of ")
    kinds = f"{noun}s{of}{whole}"
    there = f" {kinds[:1].upper()}{kinds[1:]}: {', '.join(known)}" if known else f" There are no {kinds}."
    return UnknownName(f"no {kind} {name!r}.{hint}{there}")

"""What a question about a home is like: the features that errors depend on, and what errors have in common.

The records of the original's homes have the truth of what was asked, and nothing else of the scene. So a feature can
only be what the fact itself shows: its predicate, its truth, and whether it is about two objects of one kind.
"""

from __future__ import annotations

from models.base import Traits
from planners.formula import Atom


def traits_of(atom: Atom, true: bool, look: str) -> Traits:
    """The traits of a fact that is true or false in a picture."""
    kind = f"{atom.predicate}{'+' if true else '-'}"
    names = [_stem(name) for name in atom.args]
    more = (f"{kind} alike",) if len(names) > 1 and len(set(names)) == 1 else ()
    numbered = (f"{kind} numbered",) if any(_stem(name) != name for name in atom.args) else ()
    truth = "+" if true else "-"
    return Traits(
        (kind, *more, *numbered),
        {
            "look": f"{kind} {look}",
            "first": f"{atom.args[0]}{truth} {look}",
            "second": f"{atom.args[1]}{truth} {look}" if len(atom.args) > 1 else "",
            "fact": f"{atom}{truth}",
            "kind": kind,
            "one": f"{atom.args[0]}{truth}",
            "two": f"{atom.args[1]}{truth}" if len(atom.args) > 1 else "",
        },
    )


def _stem(name: str) -> str:
    """The kind of an object: `book` for `book_2`."""
    head, _, number = name.rpartition("_")
    return head if number.isdecimal() else name

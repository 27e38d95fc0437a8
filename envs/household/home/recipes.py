"""The furniture of each kind of room, and the rules for placing it.

A wish is fulfilled if there is space. The needs of a task replace wishes of the same kind; things that look
like objects of the task are left out elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from envs.household.home.things import KINDS

Rule: TypeAlias = Literal["wall", "corner", "free", "row", "opposite", "before", "beside", "at", "under", "hung"]
"""The place of a thing: its back against a wall (in a corner); free in the room; in a row with the previous thing; and
relative to its partner: on the opposite wall, in front of it, beside it, around it (chairs), under it (rugs); or
on a wall at eye level, above its partner."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A thing that a room may have. `to` is the kind of its partner, `odds` the probability of the wish."""

    kind: str
    rule: Rule
    options: tuple[str, ...] = ()
    to: str = ""
    number: int = 1
    odds: float = 1.0


RECIPES: Mapping[str, tuple[Wish, ...]] = {
    "kitchen": (
        Wish("sink", "wall"),
        Wish("stove", "row", to="sink"),
        Wish("counter", "row", to="stove"),
        Wish("electric_refrigerator", "wall"),
        Wish("washing_machine", "row", to="counter", odds=0.4),
        Wish("table", "free", ("round",), odds=0.5),
        Wish("table", "free"),
        Wish("chair", "at", to="table", number=4),
        Wish("cabinet", "wall", odds=0.7),
        Wish("trash_can", "corner"),
        Wish("clock", "hung"),
        Wish("picture", "hung", odds=0.6),
        Wish("plant", "corner", odds=0.4),
        Wish("stool", "corner", odds=0.3),
    ),
    "living room": (
        Wish("sofa", "wall"),
        Wish("tv", "opposite", to="sofa"),
        Wish("table", "before", ("coffee",), to="sofa"),
        Wish("rug", "under", to="sofa"),
        Wish("lamp", "beside", to="sofa"),
        Wish("picture", "hung", to="sofa"),
        Wish("shelf", "wall", odds=0.8),
        Wish("armchair", "corner"),
        Wish("plant", "corner"),
        Wish("picture", "hung"),
        Wish("cabinet", "wall", odds=0.5),
    ),
    "bedroom": (
        Wish("bed", "wall"),
        Wish("nightstand", "beside", to="bed", number=2),
        Wish("picture", "hung", to="bed"),
        Wish("cabinet", "wall", ("drawers",)),
        Wish("rug", "under", to="bed"),
        Wish("mirror", "hung"),
        Wish("armchair", "corner", odds=0.5),
        Wish("shelf", "wall", odds=0.5),
        Wish("lamp", "corner", odds=0.6),
        Wish("picture", "hung", odds=0.5),
        Wish("plant", "corner", odds=0.6),
    ),
    "study": (
        Wish("table", "wall", ("desk",)),
        Wish("chair", "at", ("office",), to="table"),
        Wish("shelf", "wall", number=2),
        Wish("cabinet", "wall", ("file",)),
        Wish("lamp", "corner"),
        Wish("armchair", "corner", odds=0.6),
        Wish("rug", "free"),
        Wish("trash_can", "corner", odds=0.6),
        Wish("picture", "hung", number=2),
        Wish("plant", "corner", odds=0.5),
    ),
    "hallway": (
        Wish("coat_rack", "corner"),
        Wish("cabinet", "wall", odds=0.6),
        Wish("mirror", "hung"),
        Wish("plant", "corner"),
        Wish("stool", "corner", odds=0.5),
        Wish("picture", "hung", number=3),
        Wish("rug", "free"),
    ),
    "garage": (
        Wish("workbench", "wall"),
        Wish("tool_board", "hung", to="workbench"),
        Wish("shelf", "wall"),
        Wish("bicycle", "wall"),
        Wish("cabinet", "wall", odds=0.5),
        Wish("tyres", "corner"),
        Wish("ladder", "wall", odds=0.7),
        Wish("carton", "wall", number=2),
        Wish("washing_machine", "wall", odds=0.4),
        Wish("trash_can", "corner", odds=0.6),
    ),
}

HOMES: Mapping[str, tuple[str, ...]] = {
    "electric_refrigerator": ("kitchen",),
    "sink": ("kitchen",),
    "stove": ("kitchen",),
    "counter": ("kitchen",),
    "cabinet": ("kitchen", "living room", "bedroom", "study", "garage"),
    "shelf": ("living room", "study", "bedroom", "garage"),
    "table": ("kitchen", "living room", "study"),
    "carton": ("living room", "kitchen", "bedroom", "garage", "study"),
    "bed": ("bedroom",),
    "sofa": ("living room",),
    "workbench": ("garage",),
}
"""The default rooms of a needed thing, the likeliest first."""

ANYWHERE = ("living room", "kitchen", "bedroom", "study")

FREE_STANDING = (("table", ()), ("table", ("round",)))
"""Needed things, by kind and options, that do not stand against a wall."""
HUNG = ("picture", "mirror", "clock", "tool_board")
"""Kinds that hang on walls."""

CLUTTER: Mapping[str, tuple[str, ...]] = {
    "counter": ("kettle", "bowl", "plate", "bottle", "saucepan", "cup"),
    "stove": ("saucepan", "kettle"),
    "table": ("vase", "bowl", "apple", "orange", "banana", "cup", "laptop", "document"),
    "shelf": ("book", "hardback", "vase", "box", "basket", "ball", "plaything", "toolbox"),
    "cabinet": ("vase", "lamp", "basket", "box", "book"),
    "nightstand": ("lamp", "book", "cup"),
    "bed": ("pillow",),
    "sofa": ("pillow",),
    "washing_machine": ("basket", "piece_of_cloth"),
    "workbench": ("toolbox", "bucket", "bottle", "box"),
    "tv": ("box", "basket", "book"),
}
"""Decorative things that may lie on a piece of furniture."""


def rules(kind: str, options: tuple[str, ...]) -> tuple[Rule, ...]:
    """The placement rules for a needed thing, the best one first."""
    if kind in HUNG:
        return ("hung",)
    return ("free", "wall") if (kind, options) in FREE_STANDING else ("wall",)


def shunned(kinds: frozenset[str]) -> frozenset[str]:
    """The kinds that must not appear besides the needs: the same kinds, and those that could be mistaken for them."""
    return kinds | {name for name, kind in KINDS.items() if kinds.intersection(kind.resembles)}

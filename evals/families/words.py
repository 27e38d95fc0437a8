"""The nouns for things in questions, singular and plural."""

from __future__ import annotations

from collections.abc import Mapping

from envs.household.home.things import KINDS

_NAMES: Mapping[str, str] = {
    "hardback": "hardback book",
    "document": "sheet of paper",
    "piece_of_cloth": "folded cloth",
    "gym_shoe": "sports shoe",
    "snack_food": "bag of snacks",
    "plaything": "toy",
    "electric_refrigerator": "refrigerator",
    "carton": "cardboard box",
}
_PLURALS: Mapping[str, str] = {
    "sheet of paper": "sheets of paper",
    "bag of snacks": "bags of snacks",
    "box": "boxes",
    "cardboard box": "cardboard boxes",
    "sandwich": "sandwiches",
    "shelf": "shelves",
    "toolbox": "toolboxes",
    "picture": "pictures",
    "tyres": "tyres",
}

_ALSO: Mapping[str, tuple[str, ...]] = {
    "cup": ("cup", "mug"),
    "kettle": ("kettle", "teapot"),
    "saucepan": ("pan", "pot"),
    "hardback": ("book",),
    "book": ("book",),
    "box": ("box", "carton"),
    "laptop": ("laptop", "computer"),
    "toolbox": ("toolbox", "tool box"),
    "bucket": ("bucket", "pail"),
    "gym_shoe": ("shoe", "sneaker", "trainer"),
    "pillow": ("pillow", "cushion"),
    "snack_food": ("snack", "chips", "crisps", "bag"),
    "document": ("paper", "document"),
    "piece_of_cloth": ("cloth", "towel"),
    "electric_refrigerator": ("refrigerator", "fridge"),
}

MOVABLES: tuple[str, ...] = tuple(name for name, kind in KINDS.items() if kind.movable)
"""All kinds of movables."""


def noun(kind: str) -> str:
    """`snack_food` as `bag of snacks`."""
    return _NAMES.get(kind, kind.replace("_", " "))


def spoken(kind: str) -> tuple[str, ...]:
    """The words of which a free-text answer must contain one to mean this kind."""
    return _ALSO.get(kind, (noun(kind),))


def plural(kind: str) -> str:
    """`cup` as `cups`."""
    one = noun(kind)
    return _PLURALS.get(one, f"{one}s")


def unlike(kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The kinds without those that could be mistaken for an earlier one."""
    kept: list[str] = []
    for kind in kinds:
        if not any(other in KINDS[kind].resembles or kind in KINDS[other].resembles for other in kept):
            kept.append(kind)
    return tuple(kept)

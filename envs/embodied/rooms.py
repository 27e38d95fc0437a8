"""What kinds of rooms look like and hold: paint and floors, windows, furniture, and things that lie about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from envs.household.home.recipes import RECIPES as HOUSEHOLD
from envs.household.home.recipes import Wish
from envs.household.home.shell import Looks, looks

WINDOWS: Mapping[str, int] = {"living room": 2}

RECIPES: Mapping[str, tuple[Wish, ...]] = {**HOUSEHOLD}

LOOKS: Mapping[str, Callable[[Random], Looks]] = {kind: partial(looks, kind) for kind in HOUSEHOLD}

STOCK: Mapping[str, tuple[tuple[str, tuple[str, ...], float], ...]] = {
    "living room": (
        ("cup", (), 0.9),
        ("book", (), 0.9),
        ("vase", (), 0.9),
        ("apple", (), 0.9),
        ("pillow", ("sofa",), 0.9),
    ),
    "kitchen": (("cup", (), 0.9), ("bowl", (), 0.9), ("kettle", (), 0.9), ("apple", (), 0.9)),
}

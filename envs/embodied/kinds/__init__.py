"""The kinds of things in scenes: those of the household, and more that stand or lie in homes and public places.

Every module of this package with a `KINDS` is found. A kind with states is made once for each of them, by an option of
that name. `words` has the noun, material, shape and use of each kind.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from envs.household.home import things
from envs.household.home.model import Thing
from envs.household.home.things import Kind
from envs.household.home.things.kind import Order
from planners.names import unknown

STATES = ("off", "on")
"""The states of kinds that can be switched on and off."""


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds by name."""
    found = dict(things.KINDS)
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        for kind in getattr(importlib.import_module(f"{__name__}.{name}"), "KINDS", ()):
            if kind.name in found:
                raise ValueError(f"two files make a {kind.name!r}")
            found[kind.name] = kind
    return MappingProxyType(found)


@lru_cache(maxsize=4096)
def make(kind: str, name: str, seed: int, options: tuple[str, ...] = ()) -> Thing:
    """A thing of this kind. The seed varies its looks; a number at the end of its name makes it unique."""
    if kind not in kinds():
        raise unknown("kind of thing", kind, kinds())
    return kinds()[kind].make(Order(kind, name, seed, options))


def has_states(kind: str) -> bool:
    """Whether things of a kind can be on and off."""
    return "on" in kinds()[kind].options

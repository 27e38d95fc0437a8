"""Furniture, doors, windows and movables of a home, made from a kind, a name and a seed.

Every module of this package with `KINDS` is found: a new kind is a new function in one of them, or a new file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from envs.household.home.model import Thing
from envs.household.home.things.kind import Kind, Order
from planners.names import unknown

__all__ = ["KINDS", "Kind", "make"]


def _found() -> Mapping[str, Kind]:
    kinds: dict[str, Kind] = {}
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        for kind in getattr(importlib.import_module(f"{__name__}.{name}"), "KINDS", ()):
            if kind.name in kinds:
                raise ValueError(f"two files of {__name__} make a {kind.name!r}")
            kinds[kind.name] = kind
    return MappingProxyType(kinds)


KINDS: Mapping[str, Kind] = _found()


@lru_cache(maxsize=256)
def make(kind: str, name: str, seed: int, options: tuple[str, ...] = ()) -> Thing:
    """A thing of this kind. The seed varies its looks; a number at the end of its name makes it unique.

    Results are cached, because making a thing is slow and things are immutable.
    """
    if kind not in KINDS:
        raise unknown("kind of thing", kind, KINDS)
    for option in options:
        if option not in KINDS[kind].options:
            raise unknown(f"option of {kind}", option, KINDS[kind].options)
    return KINDS[kind].make(Order(kind, name, seed, options))

"""Caches results that depend on a home only, for as long as the home exists."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import finalize

from envs.household.home.model import Home

T = TypeVar("T")


def once(make: Callable[[Home], T]) -> Callable[[Home], T]:
    """Cache a function of a home. Its result must not refer to the home, or both would never be freed."""
    made: dict[int, T] = {}

    @wraps(make)
    def kept(home: Home) -> T:
        # By identity, because comparing two homes is slower than most cached computations.
        key = id(home)
        if key not in made:
            made[key] = make(home)
            finalize(home, made.pop, key, None).atexit = False
        return made[key]

    return kept

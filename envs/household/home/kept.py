"""What is worked out from a home alone: once, and kept as long as the home is."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import finalize

from envs.household.home.model import Home

T = TypeVar("T")


def once(make: Callable[[Home], T]) -> Callable[[Home], T]:
    """The same, made once for each home. What is made must not hold the home, or both stay for good."""
    made: dict[int, T] = {}

    @wraps(make)
    def kept(home: Home) -> T:
        # By identity: to compare two homes takes longer than most of what is kept.
        key = id(home)
        if key not in made:
            made[key] = make(home)
            finalize(home, made.pop, key, None).atexit = False
        return made[key]

    return kept

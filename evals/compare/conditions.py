"""The settings that distinguish arms, and those that only choose what is played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from evals.pages.wording import spaced

PARTS = frozenset({"domain", "split", "seed"})
"""Settings in which the parts of an arm may differ: they choose what is played, not how."""
NAMED = frozenset({"agent", "model"})
"""Settings with columns of their own."""
FIRST = ("benchmark", "source", "rerun", "control")
"""Conditions that are listed first: under most of them a run is not a result of its method."""


def conditions(settings: Mapping[str, Any], tags: Iterable[str] = ()) -> dict[str, Any]:
    """All settings that define an arm. A setting with the name of an episode tag only selects episodes."""
    chosen = PARTS.union(tags)
    return {name: value for name, value in settings.items() if name not in chosen}


def unusual(settings: Mapping[str, Any], usual: Mapping[str, Any], names: Iterable[str]) -> Iterator[str]:
    """The conditions that differ from the defaults, in words: `fail probability 0.1`."""
    listed = list(names)
    for name in [*(name for name in FIRST if name in listed), *(name for name in listed if name not in FIRST)]:
        value = settings.get(name, usual.get(name))
        if value != usual.get(name):
            yield str(value) if name == "source" else f"{spaced(name)} {PurePath(str(value)).name}"

"""The order of splits: by domain, from easy to hard."""

from __future__ import annotations

from collections.abc import Iterable

SPLITS = ("simple", "medium", "hard")


def split_place(split: str) -> tuple[str, int, str]:
    """Sort key of splits, also of those named after their domain (`household simple`); others of it follow by name."""
    domain, _, level = split.rpartition(" ")
    return domain, SPLITS.index(level) if level in SPLITS else len(SPLITS), level


def ordered(splits: Iterable[str]) -> list[str]:
    """Splits from easy to hard, if they have the usual names."""
    return sorted(splits, key=split_place)

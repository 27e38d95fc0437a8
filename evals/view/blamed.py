"""The results of `python -m evals.blame`: what would have saved an episode."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MOST = 20_000_000
"""The largest file that is read, in bytes."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of failures: how many episodes it would have saved alone, and its share of the blame with 95 %."""

    name: str
    alone: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Blamed:
    """The contents of a run's `blame.json`. `saved` maps each failed episode to what would have saved it."""

    saved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    causes: tuple[Cause, ...] = ()
    failed: int = 0
    undetermined: int = 0


NOTHING = Blamed()


def read_blamed(path: Path | None) -> Blamed:
    """The findings in a file.

    An episode that nothing saved has an empty tuple in `saved`; one that is not in the file was not tried.
    """
    if path is None or path.stat().st_size > MOST:
        return NOTHING
    try:
        content = json.loads(path.read_bytes())
        saved = {str(one["id"]): tuple(map(_put_right, one["saved_by"])) for one in content["episodes"]}
        causes = tuple(_cause(one) for one in content.get("causes", ()))
        return Blamed(saved, causes, int(content.get("failed", len(saved))), int(content.get("undetermined", 0)))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):  # not ours, or damaged
        return NOTHING


def _put_right(faculties: Any) -> str:
    return " + ".join(str(faculty) for faculty in faculties)


def _cause(content: Any) -> Cause:
    share, low, high = (float(content[name]) for name in ("blame", "blame_low", "blame_high"))
    return Cause(str(content["cause"]), int(content["alone"]), share, low, high)

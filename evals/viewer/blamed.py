"""What reruns have shown: what would have saved an episode, where `python -m evals.blame` was asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MOST = 20_000_000
"""Bytes of a file that is still read."""


def read_saved(path: Path | None) -> dict[str, tuple[str, ...]]:
    """For each failed episode what would have saved it, each put right by itself: `perception`, `planning + actions`.

    An episode that nothing saved has none; one that is not in the file was not tried.
    """
    if path is None or path.stat().st_size > MOST:
        return {}
    try:
        told = json.loads(path.read_bytes())
        return {str(one["id"]): tuple(map(_put_right, one["saved_by"])) for one in told["episodes"]}
    except (ValueError, TypeError, KeyError, RecursionError):  # not ours, or damaged: then nothing is known
        return {}


def _put_right(faculties: Any) -> str:
    return " + ".join(str(faculty) for faculty in faculties)

"""Reads packed records of the original: every answer and every episode, one JSON value a line."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.recorded.reading import RecordError
from planners.files import packed_lines_of

ANSWERS, EPISODES = "answers.jsonl.gz", "episodes.jsonl.gz"


def lines_of(path: Path) -> Iterator[Any]:
    """The lines of a packed file; `RecordError` if it cannot be read."""
    try:
        yield from map(json.loads, packed_lines_of(path))
    except RecursionError:
        raise RecordError(f"{path}: cannot be read: one of its lines is nested too deeply") from None
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error

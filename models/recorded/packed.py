"""The records of the original in two packed files, one JSON value a line: every answer, and every episode."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.recorded.reading import RecordError

ANSWERS, EPISODES = "answers.jsonl.gz", "episodes.jsonl.gz"


def lines_of(path: Path) -> Iterator[Any]:
    """The lines of such a file; `RecordError` if it cannot be read."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)
    except (OSError, EOFError, ValueError) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error

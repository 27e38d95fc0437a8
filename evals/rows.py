"""Figures as rows of a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path


def write_rows(path: Path, rows: Sequence[Mapping[str, object]], columns: Sequence[str] | None = None) -> None:
    """Write rows under the names of their columns, by default those of the first row."""
    if not rows and columns is None:
        raise ValueError(f"{path}: there is nothing to write")
    names = list(rows[0] if columns is None else columns)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)

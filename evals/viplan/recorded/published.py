"""The published tables as a CSV file, and how ours compare with them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from evals.viplan.recorded.scores import TABLES, Cell, Key
from models.recorded.reading import RecordError

COLUMNS = ("table", "domain", "method", "cot", "model", "split", "metric", "value", "err")
Published: TypeAlias = Mapping[Key, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Difference:
    """A cell that differs from the published one."""

    cell: Cell
    value: str
    err: str

    def __str__(self) -> str:
        cell = self.cell
        ours = " ± ".join(cell.shown)
        where = f"{cell.domain} {cell.method}, cot {cell.cot}, {cell.model}, {cell.split}, {cell.metric}"
        return f"table {cell.table}, {where}: ours {ours}, published {self.value} ± {self.err} (n = {cell.n})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Published cells that the records cover, and those among them that differ."""

    covered: int
    differences: tuple[Difference, ...]

    @property
    def agree(self) -> int:
        """How many cells agree in value and error."""
        return self.covered - len(self.differences)

    def __str__(self) -> str:
        return f"{self.agree} of {self.covered} cells agree"


def compare(cells: Iterable[Cell], published: Published) -> Comparison:
    """Compare each cell with its published one. Unpublished cells, such as averages, do not count."""
    covered = [cell for cell in cells if cell.key in published]
    differences = [Difference(cell, *published[cell.key]) for cell in covered if cell.shown != published[cell.key]]
    return Comparison(len(covered), tuple(differences))


def read_published(path: Path) -> Published:
    """The cells of the tables we compute, as printed with two decimals."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file, strict=True)
            if missing := [name for name in COLUMNS if name not in (rows.fieldnames or ())]:
                raise RecordError(f"{path}: no column {', '.join(missing)}; expected {','.join(COLUMNS)}")
            return dict(_row(path, rows.line_num, row) for row in rows if row["table"] in _OURS)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: broken CSV: {error}") from error


_OURS = frozenset(map(str, TABLES))


def _row(path: Path, line: int, row: Mapping[str, str | None]) -> tuple[Key, tuple[str, str]]:
    table, domain, method, cot, model, split, metric, value, err = (row[name] or "" for name in COLUMNS)
    try:
        printed = f"{float(value):.2f}", f"{float(err):.2f}"
    except ValueError as error:
        raise RecordError(f"{path}: line {line}: value and err must be numbers, not {value!r} and {err!r}") from error
    return (int(table), domain, method, cot, model, split, metric), printed

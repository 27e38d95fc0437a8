"""Cells as tables in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from evals.viplan.recorded.scores import ALL, Cell
from models.recorded.checkout import SPLITS

if TYPE_CHECKING:
    from rich.table import Table

_TITLES = {"BW": "Blocksworld", "HH": "Household"}


def rich_tables(cells: Iterable[Cell]) -> Iterator[Table]:
    """One table per published one: a row per model, cot and metric; a column per split. Cells come sorted."""
    for number, group in groupby(cells, key=lambda cell: cell.table):
        yield _table(number, list(group))


def _table(number: int, cells: list[Cell]) -> Table:
    from rich import box
    from rich.table import Table

    first = cells[0]
    title = f"Table {number}: {_TITLES[first.domain]}, {first.method}"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1))
    for name in ("model", "cot", "metric"):
        table.add_column(name, no_wrap=True)
    for name in (*SPLITS, ALL):
        table.add_column(name, justify="right", no_wrap=True)
    for row in _rows(cells):
        table.add_row(*row)
    return table


def _rows(cells: list[Cell]) -> Iterator[list[str]]:
    for (model, cot, metric), group in groupby(cells, key=lambda cell: (cell.model, cell.cot, cell.metric)):
        by_split = {cell.split: "±".join(cell.shown) for cell in group}
        yield [model, cot, metric.removeprefix("acc_"), *(by_split.get(split, "–") for split in (*SPLITS, ALL))]

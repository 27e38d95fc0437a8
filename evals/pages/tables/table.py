"""A table as a value: columns, rows of cells, notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from evals.pages.wording import NONE, with_interval


@dataclass(frozen=True, slots=True)
class Cell:
    """The text that a reader sees, and the number or the full text behind it.

    `error` is the standard error of the number and `interval` its confidence interval. `link` leads to details, and
    `comparison` to a second page to show next to them.
    """

    text: str
    value: float | None = None
    error: float | None = None
    interval: tuple[float, float] | None = None
    bold: bool = False
    full_text: str = ""
    link: str = ""
    comparison: str = ""

    @classmethod
    def of(
        cls,
        value: float | None,
        error: float | None = None,
        *,
        interval: tuple[float, float] | None = None,
        digits: int = 2,
        bold: bool = False,
    ) -> Cell:
        """A number, with its interval or its error if it has one: `0.67 [0.30, 0.90]`, `0.67 ± 0.15`."""
        if value is None:
            return cls(NONE)
        if interval is not None:
            return cls(with_interval(value, interval, digits), value, error, interval, bold)
        shown = f"{value:.{digits}f}".replace("-", "−")
        return cls(shown if error is None else f"{shown} ± {error:.{digits}f}", value, error, None, bold)

    @classmethod
    def count(cls, number: int) -> Cell:
        """A whole number."""
        return cls(f"{number:,}", number)


Content: TypeAlias = Cell | str | int | float | None
"""What a cell can be made of: a float is shown with two digits, None as a dash."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of words (left-aligned) or numbers (right-aligned).

    A narrow terminal omits the columns with the highest `rank` first and always shows those with rank 0.
    """

    name: str
    align: Literal["left", "right"] = "right"
    rank: int = 0


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns. `notes` are shown below; a rule is drawn before each row index in `sections`.

    `name` is used for file names and LaTeX labels.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    name: str = "table"
    sections: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"table {self.name}: a row does not have {len(self.columns)} cells")

    @classmethod
    def of(
        cls,
        title: str,
        head: Sequence[str | Column],
        rows: Iterable[Sequence[Content]],
        *,
        words: int = 1,
        notes: Sequence[str] = (),
        name: str = "table",
        sections: Iterable[int] = (),
        least: Sequence[str] = (),
    ) -> Table:
        """A table of plain values. The first `words` columns hold words, the others numbers.

        `least` names the columns that a narrow terminal may omit, the least important first.
        """
        ranks = {column: len(least) - place for place, column in enumerate(least)}
        columns = tuple(
            column
            if isinstance(column, Column)
            else Column(column, "left" if place < words else "right", ranks.get(column, 0))
            for place, column in enumerate(head)
        )
        return cls(
            title, columns, tuple(tuple(map(_cell, row)) for row in rows), tuple(notes), name, frozenset(sections)
        )

    @property
    def head(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)


def _cell(content: Content) -> Cell:
    match content:
        case Cell():
            return content
        case str():
            return Cell(content)
        case bool() | None:
            return Cell(NONE) if content is None else Cell("yes" if content else "no")
        case int():
            return Cell.count(content)
    return Cell.of(content)


def without_column(table: Table, name: str) -> Table:
    """The table without the column of this name."""
    place = table.head.index(name)
    rows = tuple(row[:place] + row[place + 1 :] for row in table.rows)
    return replace(table, columns=table.columns[:place] + table.columns[place + 1 :], rows=rows)


def uniquely_named(tables: Iterable[Table]) -> list[Table]:
    """The tables with unique names: a second table called `success` becomes `success-2`."""
    seen: Counter[str] = Counter()
    found = []
    for table in tables:
        seen[table.name] += 1
        found.append(replace(table, name=f"{table.name}-{seen[table.name]}") if seen[table.name] > 1 else table)
    return found


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign; zero has none."""
    shown = f"{value:+.{digits}f}"
    return shown[1:] if not float(shown) else shown.replace("-", "−")

"""Tables that can be shown in a terminal or a page, and written as CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from evals.report.wording import NONE

if TYPE_CHECKING:
    from rich.table import Table as RichTable

LONG = 12
"""A heading over numbers that is longer is broken in a terminal."""
_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    character: f"\\{character}" for character in "&%$#_{}"
}
_MATHS = {
    "±": r"$\pm$",
    "−": "$-$",
    "·": r"$\cdot$",
    "–": "--",
    "×": r"$\times$",
    "…": r"\dots{}",
    "<": "$<$",
    ">": "$>$",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """What a reader sees, and the number or the whole text behind it for whoever computes on.

    `error` is the standard error of the number, `page` where there is more to see.
    """

    text: str
    value: float | None = None
    error: float | None = None
    bold: bool = False
    whole: str = ""
    page: Path | None = None

    @classmethod
    def of(cls, value: float | None, error: float | None = None, *, digits: int = 2, bold: bool = False) -> Cell:
        """A number with its error, if it has one."""
        if value is None:
            return cls(NONE)
        shown = f"{value:.{digits}f}".replace("-", "−")
        return cls(shown if error is None else f"{shown} ± {error:.{digits}f}", value, error, bold)

    @classmethod
    def count(cls, number: int) -> Cell:
        """A whole number."""
        return cls(f"{number:,}", number)


@dataclass(frozen=True)
class Table:
    """Rows of cells. The first `names` columns are words, the others numbers; a line goes before rows in `sections`.

    `least` names the columns that a narrow terminal can do without, the least important first.
    """

    name: str
    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    names: int = 1
    sections: frozenset[int] = frozenset()
    least: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.head) for row in self.rows):
            raise ValueError(f"table {self.name}: a row does not have {len(self.head)} cells")


def without(table: Table, name: str) -> Table:
    """The table with one column less."""
    place = table.head.index(name)
    rows = tuple(row[:place] + row[place + 1 :] for row in table.rows)
    head = table.head[:place] + table.head[place + 1 :]
    return replace(table, head=head, rows=rows, names=table.names - (place < table.names))


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign; nothing at all has none."""
    shown = f"{value:+.{digits}f}"
    return shown[1:] if not float(shown) else shown.replace("-", "−")


def named(tables: Iterable[Table]) -> list[Table]:
    """The tables with names of their own: a second one of a kind is `success-2`."""
    seen: Counter[str] = Counter()
    found = []
    for table in tables:
        seen[table.name] += 1
        found.append(replace(table, name=f"{table.name}-{seen[table.name]}") if seen[table.name] > 1 else table)
    return found


def as_csv(table: Table) -> str:
    """Plain numbers, the error of a column in one of its own behind it."""
    with_error = [any(row[place].error is not None for row in table.rows) for place in range(len(table.head))]
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    heads = ((name, f"{name} SEM") if error else (name,) for name, error in zip(table.head, with_error, strict=True))
    lines.writerow([name for pair in heads for name in pair])
    for row in table.rows:
        lines.writerow([piece for cell, error in zip(row, with_error, strict=True) for piece in _plain(cell, error)])
    return out.getvalue()


def _plain(cell: Cell, error: bool) -> Iterator[str]:
    written = cell.whole or ("" if cell.text == NONE else cell.text)
    yield written if cell.value is None else f"{cell.value:.10g}"
    if error:
        yield "" if cell.error is None else f"{cell.error:.10g}"


def as_latex(table: Table) -> str:
    """A floating table for the booktabs package."""
    columns = "l" * table.names + "r" * (len(table.head) - table.names)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(table.title)}. {escaped(table.caption)}}}".replace(". }", ".}"),
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        f"{' & '.join(escaped(name) for name in table.head)} \\\\",
        r"\midrule",
    ]
    for place, row in enumerate(table.rows):
        if place in table.sections and place:
            lines.append(r"\midrule")
        lines.append(f"{' & '.join(map(_latex_cell, row))} \\\\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def _latex_cell(cell: Cell) -> str:
    return rf"\textbf{{{escaped(cell.text)}}}" if cell.bold else escaped(cell.text)


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is."""
    special = {**_LATEX, **_MATHS}
    return re.sub(r"[\\~^&%$#_{}±−·–×…<>]", lambda found: special[found[0]], text)


def rich_table(table: Table) -> RichTable:
    """For a terminal, without the caption: it would be folded to the width of the table."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(
        title=Text(table.title),
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
    )
    for place, name in enumerate(table.head):
        words = place < table.names
        heading = name if words or len(name) < LONG else name.replace(" ", "\n", 1)
        shown.add_column(Text(heading), justify="left" if words else "right", overflow="fold", no_wrap=not words)
    for place, row in enumerate(table.rows):
        if place in table.sections and place:
            shown.add_section()
        shown.add_row(*(Text(cell.text, style="bold" if cell.bold else "") for cell in row))
    return shown


def together(tables: Iterable[Table], *, latex: bool) -> str:
    """Several tables in one text."""
    if latex:
        return "\n".join(as_latex(table) for table in named(tables))
    return "\n".join(f"# {table.title}\n{as_csv(table)}" for table in tables)

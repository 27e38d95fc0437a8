"""Tables in a terminal and in a page."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from evals.pages.markup import Child, Html, el, joined
from evals.pages.tables.table import Cell, Table, without_column
from evals.pages.terminal import console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

DEFAULT_WIDTH = 120
"""The width of tables in characters where stdout is not a terminal."""
LONG_HEADING = 12
"""Headings of number columns with at least this many characters are broken into two lines in a terminal."""


def terminal(width: int = DEFAULT_WIDTH, *, stderr: bool = False) -> Console:
    """The console that tables are printed to: as wide as the terminal, or `width` where there is none."""
    stream = sys.stderr if stderr else sys.stdout
    return console(stderr=stderr, width=None if stream.isatty() else width)


def print_table(table: Table, screen: Console | None = None) -> Table:
    """Print the title, as many columns as fit, and the notes. Returns the table as printed."""
    from rich.text import Text

    screen = screen or terminal()
    shown = fit_width(table, screen)
    if table.title:
        screen.print(Text(table.title, style="bold"))
    screen.print(rich_table(shown))
    for note in table.notes:
        screen.print(Text(note, style="dim"))
    return shown


def as_text(table: Table, width: int = DEFAULT_WIDTH) -> str:
    """The table as plain text."""
    out = io.StringIO()
    print_table(table, console(file=out, width=width))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def fit_width(table: Table, screen: Console) -> Table:
    """The table without its least important columns if a narrow terminal has no room for them."""
    for column in sorted((column for column in table.columns if column.rank), key=lambda column: -column.rank):
        if screen.measure(rich_table(table), options=screen.options.update(width=1000)).maximum <= screen.width:
            break
        table = without_column(table, column.name)
    return table


def rich_table(table: Table) -> RichTable:
    """The table for rich, without title and notes, which rich would wrap to the width of the table."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for column in table.columns:
        words = column.align == "left"
        heading = column.name if words or len(column.name) < LONG_HEADING else column.name.replace(" ", "\n", 1)
        shown.add_column(Text(heading), justify=column.align, overflow="fold", no_wrap=not words)
    for place, row in enumerate(table.rows):
        if place in table.sections and place:
            shown.add_section()
        shown.add_row(*(Text(cell.text, style="bold" if cell.bold else "") for cell in row))
    return shown


def as_html(table: Table, *, class_: str = "numbers", link: Callable[[Cell], str] = lambda cell: cell.link) -> Html:
    """The table as HTML, without its title. `link` returns the address that a cell links to."""

    def class_of(place: int) -> str | None:
        return "words" if table.columns[place].align == "left" else None

    def shown(cell: Cell) -> Child:
        figure, bracket, bounds = cell.text.partition(" [") if cell.interval else (cell.text, "", "")
        content: Child = el("strong", figure) if cell.bold else figure
        if bracket:
            content = joined(content, " ", el("small", f"[{bounds}"))
        address = link(cell)
        return el("a", content, href=address) if address else content

    head = el("tr", *(el("th", name, scope="col", class_=class_of(place)) for place, name in enumerate(table.head)))
    rows = []
    for number, row in enumerate(table.rows):
        cells = (el("td" if place else "th", shown(cell), class_=class_of(place)) for place, cell in enumerate(row))
        rows.append(el("tr", *cells, class_="apart" if number and number in table.sections else None))
    caption = el("caption", " ".join(table.notes)) if table.notes else None
    return el("div", el("table", caption, el("thead", head), el("tbody", *rows), class_=class_), class_="scroll")

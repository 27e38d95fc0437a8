"""A comparison as one page that opens without a server."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from evals.comparison.drawings import Drawing, style_sheet
from evals.comparison.figures import Comparison
from evals.comparison.listing import partings, problems_table, unknown_courses
from evals.comparison.pairs import Pair
from evals.comparison.tables import Cell, Table
from evals.report.markup import NOTHING, Child, Html, document, el, section
from evals.report.wording import plural

LONG = 30
"""A table with more rows is folded away."""
TITLES = {
    "success": "Success",
    "pairs": "Is it more than luck?",
    "methods": "Methods",
    "splits": "Methods by split",
    "cot": "Chain of thought",
    "ranking": "Models",
    "compounding": "Compounding errors",
}
PLOTS = {"success": "success", "differences": "pairs", "methods": "methods", "cot": "cot", "ranking": "ranking"} | {
    "compounding": "compounding"
}
"""Under which heading a plot stands, by the first word of its name."""


def page(comparison: Comparison, tables: Sequence[Table], drawings: Sequence[Drawing], folder: Path) -> str:
    """The whole page, as it is to stand in a folder."""
    names = "Comparison of " + plural(len(comparison.arms), "run")
    body: list[Child] = [
        el("style", Html(style_sheet())),
        el("header", el("h1", names), el("p", _subtitle(comparison), class_="muted")),
        *_banners(comparison),
    ]
    for name, title in TITLES.items():
        here = [table for table in tables if table.name == name]
        plots = [drawing.figure for drawing in drawings if PLOTS[drawing.name.partition("-")[0]] == name]
        if here:
            body.append(section(name, title, *_figures(here), *plots))
    body.append(_problems(comparison.pairs, folder))
    warned = " ".join(warning.partition(" ")[0] for warning in comparison.warnings)
    return document(f"{warned} {names}".strip(), *body)


def _figures(tables: Sequence[Table]) -> Iterator[Html]:
    for table in tables:
        if len(tables) > 1:
            yield el("h3", table.title)
        shown = html_table(table)
        yield el("details", el("summary", "The figures"), shown) if len(table.rows) > LONG else shown


def _subtitle(comparison: Comparison) -> str:
    episodes = sum(len(arm.played) for arm in comparison.arms)
    against = f" · compared with {comparison.baseline.label}" if comparison.baseline and comparison.pairs else ""
    return f"{plural(episodes, 'episode')}{against}"


def _banners(comparison: Comparison) -> Iterator[Html]:
    for warning in comparison.warnings:
        word, _, rest = warning.partition(" ")
        yield el("p", el("strong", word), f" {rest}", class_="banner", role="note")
    if comparison.forced:
        lines = (el("li", reason) for reason in comparison.forced)
        yield el(
            "div", el("strong", "UNLIKE:"), " compared all the same.", el("ul", *lines), class_="banner", role="note"
        )
    for note in comparison.notes:
        yield el("p", note, class_="notice" if note.startswith(("PARTIAL", "NOT PAIRED")) else "note")


def html_table(table: Table, folder: Path | None = None, *, class_: str = "numbers") -> Html:
    """A table of the page; cells that lead to other pages do so from the folder."""

    def classed(place: int) -> str | None:
        return "words" if place < table.names else None

    head = el("tr", *(el("th", name, scope="col", class_=classed(place)) for place, name in enumerate(table.head)))
    rows = []
    for number, row in enumerate(table.rows):
        cells = (
            el("td" if place else "th", _content(cell, folder), class_=classed(place)) for place, cell in enumerate(row)
        )
        rows.append(el("tr", *cells, class_="apart" if number and number in table.sections else None))
    caption = el("caption", table.caption) if table.caption else None
    return el("div", el("table", caption, el("thead", head), el("tbody", *rows), class_=class_), class_="scroll")


def _content(cell: Cell, folder: Path | None) -> Child:
    if folder is not None and cell.page is not None and cell.page.is_file():
        return el("a", cell.text, href=quote(os.path.relpath(cell.page.resolve(), folder.resolve())))
    return el("strong", cell.text) if cell.bold else cell.text


def _problems(pairs: Sequence[Pair], folder: Path) -> Html:
    """Problem by problem, folded away: what a reader opens who wants to know why."""
    if not pairs:
        return NOTHING
    parts = []
    for pair in pairs:
        differing = sum(bool(match.difference) for match in pair.matches)
        counted = f"{plural(len(pair.matches), 'problem')}, {differing} with another outcome"
        summary = f"{pair.left.label} and {pair.right.label}: {counted}"
        note = el("p", f"Where the courses part first, by kind: {partings(pair)}.", class_="note")
        unknown = (el("p", line, class_="notice") for line in unknown_courses([pair]))
        table = html_table(problems_table([pair]), folder, class_="numbers problems")
        parts.append(el("details", el("summary", summary), note, *unknown, table))
    return section("problems", "Problem by problem", *parts)

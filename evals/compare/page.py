"""A comparison as a single HTML page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

from evals.compare.drawings import Drawing, style_sheet
from evals.compare.figures import Comparison
from evals.compare.listing import divergences, problems_table, unknown_courses
from evals.compare.pairs import Pair
from evals.pages.markup import NOTHING, Child, Html, document, el, section
from evals.pages.tables import Cell, Table, as_html
from evals.pages.viewer import EXPORT, Viewer
from evals.pages.wording import plural

Link: TypeAlias = Callable[[Path, Path | None], str | None]
"""The address of an episode's page, or of two side by side; None if there is none."""
LONG = 30
"""Longer tables are collapsed."""
HEADINGS = {"success": "Success", "pairs": "Is it more than luck?", "ends": "Do agents know when they are done?"}
"""The sections that every comparison has."""
PLOTS = {"differences": "pairs"}
"""The section of a plot, if it has another name."""


def page(comparison: Comparison, tables: Sequence[Table], drawings: Sequence[Drawing], folder: Path) -> str:
    """The whole page, for a folder."""
    style = el("style", Html(style_sheet()))
    return document(title(comparison), style, *contents(comparison, tables, drawings, partial(_address, folder)))


def title(comparison: Comparison) -> str:
    """The title of the page."""
    warned = " ".join(warning.partition(" ")[0] for warning in comparison.warnings)
    return f"{warned} {_name(comparison)}".strip()


def contents(comparison: Comparison, tables: Sequence[Table], drawings: Sequence[Drawing], link: Link) -> list[Child]:
    """The contents of the page; `link` returns the address of an episode."""
    body: list[Child] = [
        el("header", el("h1", _name(comparison)), el("p", _subtitle(comparison), class_="muted")),
        *_banners(comparison),
    ]
    headings = {**HEADINGS, **{exhibit.name: exhibit.heading for exhibit in comparison.exhibits}}
    for name, heading in headings.items():
        here = [table for table in tables if table.name == name]
        plots = [drawing.figure for drawing in drawings if _section(drawing) == name]
        if here:
            body.append(section(name, heading, *_figures(here), *plots))
    body.append(_problems(comparison.pairs, link))
    return body


def _name(comparison: Comparison) -> str:
    return "Comparison of " + plural(len(comparison.arms), "run")


def _section(drawing: Drawing) -> str:
    """The section of a plot, by the first word of its name."""
    first = drawing.name.partition("-")[0]
    return PLOTS.get(first, first)


def _address(folder: Path, page: Path, other: Path | None) -> str | None:
    """The address of an episode in the viewer, relative to a folder. Side by side needs a running viewer."""
    if other is not None:
        return None
    run = page.parent.parent
    address = Viewer(run).episode(page.stem)
    if not address.startswith(f"{EXPORT}/"):
        return address
    return f"{quote(os.path.relpath(run.resolve(), folder.resolve()))}/{address}"


def _figures(tables: Sequence[Table]) -> Iterator[Html]:
    for table in tables:
        if len(tables) > 1:
            yield el("h3", table.title)
        shown = as_html(table)
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


def _problems(pairs: Sequence[Pair], link: Link) -> Html:
    """The table of problems, collapsed."""
    if not pairs:
        return NOTHING
    parts = []
    for pair in pairs:
        differing = sum(bool(match.difference) for match in pair.matches)
        counted = f"{plural(len(pair.matches), 'problem')}, {differing} with another outcome"
        summary = f"{pair.left.label} and {pair.right.label}: {counted}"
        note = el("p", f"Where the courses part first, by kind: {divergences(pair)}.", class_="note")
        unknown = (el("p", line, class_="notice") for line in unknown_courses([pair]))
        table = as_html(problems_table([pair]), class_="numbers problems", link=partial(_linked, link))
        parts.append(el("details", el("summary", summary), note, *unknown, table))
    return section("problems", "Problem by problem", *parts)


def _linked(link: Link, cell: Cell) -> str:
    return (link(Path(cell.link), Path(cell.comparison) if cell.comparison else None) or "") if cell.link else ""

"""The list of episodes, which scripts can sort and filter."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evals.pages.markup import Child, Html, asset, el, joined, section
from evals.pages.viewer import Viewer
from evals.pages.wording import NONE, plural, spaced
from evals.report.signs import amount, amounts, badge, outcome, wrong_answers
from evals.run.judging import Judging
from evals.run.results import EpisodeResult

LISTED = 5_000
"""How many episodes a page lists; the viewer has all of them."""
TAGS = 6
"""How many tags have a column."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A column of the list, with a filter or with numbers."""

    name: str
    cell: Callable[[EpisodeResult], Child]
    number: bool = False
    filtered: str = ""
    """The name of a data attribute, if there is a filter."""

    def attribute(self, result: EpisodeResult) -> dict[str, str | None]:
        """The value of a row to filter by."""
        words = str(self.cell(result))
        return {f"data_{self.filtered}": words if words != NONE else None} if self.filtered else {}


def episodes_table(results: Sequence[EpisodeResult], judging: Judging, viewer: Viewer) -> Html:
    """All episodes, with links to their pages."""
    columns = _columns(results, judging)
    shown = results[:LISTED]
    kinds = [("episode", "text"), *((column.name, "number" if column.number else "text") for column in columns)]
    head = el("tr", *(el("th", name, scope="col", data_kind=kind) for name, kind in kinds))
    body = el("tbody", *(_row(result, columns, viewer) for result in shown))
    filters = json.dumps([[column.filtered, column.name] for column in columns if column.filtered])
    table = el("table", el("thead", head), body, class_="episodes", id="episodes-table", data_filters=filters)
    more = f" The first {LISTED:,} of {len(results):,} are listed here." if len(results) > LISTED else ""
    return section(
        "episodes",
        "Episodes",
        _how(viewer, more),
        el("p", plural(len(shown), "episode"), id="shown", class_="note"),
        el("div", table, class_="scroll"),
        asset("episodes_table.html"),
    )


def _how(viewer: Viewer, more: str) -> Html:
    """How to view an episode."""
    where = " RUN is the folder of this page." if viewer.display_path == "RUN" else ""
    if viewer.exported:
        words: tuple[Child, ...] = ("The links lead to the pages that the viewer wrote into the folder of this page.",)
    else:
        words = (
            *("Start the viewer, then follow the links: ", el("code", viewer.command), f".{where} Without a server: "),
            *("write them to files with ", el("code", viewer.export_command), "; a resumed run then links to those."),
        )
    return el("p", *words, more, class_="note")


def _columns(results: Sequence[EpisodeResult], judging: Judging) -> list[Listed]:
    columns = [
        Listed("split", lambda result: result.split, filtered="split"),
        *(_tag(tag, f"tag{place}") for place, tag in enumerate(_tags(results, judging))),
        Listed("outcome", outcome, filtered="outcome"),
        Listed("failure class", _failure, filtered="class"),
        *([Listed("end", _end, filtered="end")] if any(result.end for result in results) else []),
        Listed("ended because", _why),
    ]
    counted = [amounts(result, judging) for result in results]
    for heading in counted[0] if counted else ():
        if any(one[heading] for one in counted):
            columns.append(_amount(heading, judging))
    if not judging.of_questions and any(result.tallies for result in results):
        columns.append(Listed("wrong answers", lambda result: f"{wrong_answers(result):,}", number=True))
    return columns


def _tags(results: Sequence[EpisodeResult], judging: Judging) -> list[str]:
    """The tags with columns: dimensions of questions, and those of the overall number."""
    wanted = [*judging.overall, *(judging.dimensions if judging.of_questions else ())]
    tags = dict.fromkeys(tag for tag in wanted if tag != "split" and any(tag in result.tags for result in results))
    return list(tags)[:TAGS]


def _tag(tag: str, attribute: str) -> Listed:
    return Listed(spaced(tag), lambda result: result.tags.get(tag, NONE), filtered=attribute)


def _amount(heading: str, judging: Judging) -> Listed:
    return Listed(heading, lambda result: amount(amounts(result, judging)[heading]), number=True)


def _failure(result: EpisodeResult) -> str:
    return spaced(result.failure) if result.failure else NONE


def _end(result: EpisodeResult) -> str:
    return spaced(result.end) if result.end else NONE


def _why(result: EpisodeResult) -> Html:
    return joined(spaced(result.reason), el("small", f" {result.detail[:120]}") if result.detail else None)


def _row(result: EpisodeResult, columns: Sequence[Listed], viewer: Viewer) -> Html:
    cells = []
    attributes: dict[str, str | None] = {}
    for column in columns:
        content = badge(result) if column.filtered == "outcome" else column.cell(result)
        value = str(content).replace(",", "") if column.number else None
        cells.append(el("td", content, data_value=value, class_="number" if column.number else None))
        attributes |= column.attribute(result)
    name = el("th", el("a", result.id, href=viewer.episode(result.id)), scope="row")
    return el("tr", name, *cells, **attributes)

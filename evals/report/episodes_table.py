"""The page's list of episodes. It can be sorted and filtered where scripts run, and is a plain table where not."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from evals.report.markup import Html, asset, el, joined, section
from evals.report.signs import badge, outcome, page_of, wrong_answers
from evals.report.wording import NONE, count, plural, spaced
from evals.results import EpisodeResult
from evals.scores import refused

COLUMNS = (
    ("episode", "text"),
    ("split", "text"),
    ("outcome", "text"),
    ("failure class", "text"),
    ("ended because", "text"),
    ("steps", "number"),
    ("replans", "number"),
    ("refused", "number"),
    ("questions", "number"),
    ("wrong answers", "number"),
)


def episodes_table(results: Sequence[EpisodeResult]) -> Html:
    """Every episode, with a link to its page."""
    head = el("tr", *(el("th", name, scope="col", data_kind=kind) for name, kind in COLUMNS))
    body = el("tbody", *map(_row, results))
    table = el("table", el("thead", head), body, class_="episodes", id="episodes-table")
    return section(
        "episodes",
        "Episodes",
        el("p", plural(len(results), "episode"), id="shown", class_="note"),
        el("div", table, class_="scroll"),
        asset("episodes_table.html"),
    )


def _row(result: EpisodeResult) -> Html:
    failure = spaced(str(result.failure)) if result.failure else NONE
    why = joined(spaced(result.reason), el("small", f" {result.detail[:120]}") if result.detail else None)
    return el(
        "tr",
        el("th", el("a", result.id, href=f"episodes/{quote(page_of(result.id))}"), scope="row"),
        el("td", result.split),
        el("td", badge(result)),
        el("td", failure),
        el("td", why),
        *(
            el("td", count(value), data_value=value, class_="number")
            for value in (result.steps, result.replans, refused(result), result.questions, wrong_answers(result))
        ),
        data_split=result.split,
        data_outcome=outcome(result),
        data_class=failure if result.failure else None,
    )

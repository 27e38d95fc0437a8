"""The list of runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from evals.report.markup import Child, Html, el, joined
from evals.report.wording import NONE, count, names, plural, spaced, warnings, with_error
from evals.viewer.frame import page
from evals.viewer.shown import Contents, Shown

COLUMNS = (
    ("run", "text"),
    ("benchmark", "text"),
    ("started", "text"),
    ("played", "number"),
    ("success ± SEM", "number"),
    ("failed", "number"),
    ("mostly because", "text"),
    ("questions", "number"),
    ("cost, US$", "number"),
)


def runs_page(runs: Sequence[Shown], token: str | None) -> str:
    """Every run in a line."""
    head = el("tr", *(el("th", name, scope="col", data_kind=kind) for name, kind in COLUMNS))
    body = el("tbody", *(_row(run, run.contents()) for run in runs))
    table = el("table", el("thead", head), body, class_="episodes runs", id="runs")
    header = el("header", el("h1", "Runs"), el("p", plural(len(runs), "run"), id="shown", class_="muted"))
    return page("Runs", header, el("div", table, class_="scroll"), depth=0, scripts=("runs.js",), token=token)


def run_name(config: Mapping[str, Any]) -> str:
    """Agent and model of a run."""
    return " · ".join(names(config.get("settings", {}))) or "Run"


def _row(run: Shown, contents: Contents) -> Html:
    config, results, scores = contents.config, contents.results, contents.scores
    failed = Counter(spaced(str(result.failure)) for result in results if result.failure)
    cost = sum(result.cost for result in results)
    link = el("a", run_name(config), href=f"{quote(run.key)}/index.html")
    signs = [el("span", word, class_="badge warned") for word in _words(config)]
    damaged = el("span", "damaged", class_="badge failure") if contents.notices else None
    questions = sum(result.questions for result in results)
    expected = max(scores.expected, len(results))
    success = with_error(scores.success, scores.sem)
    cells: list[tuple[Child, object]] = [
        (joined(link, *signs, damaged, el("small", run.key), between=" "), run_name(config)),
        (_benchmark(config), None),
        (_date(config.get("started")), None),
        (f"{count(len(results))} of {count(expected)}", len(results)),
        (joined(_bar(scores.success, scores.sem), el("span", success)), scores.success or 0),
        (count(sum(failed.values())), sum(failed.values())),
        (", ".join(f"{name} {number}" for name, number in failed.most_common(2)) or NONE, None),
        (count(questions), questions),
        (f"{cost:,.2f}" if cost else NONE, cost),
    ]
    return el(
        "tr",
        *(
            el("td", cell, data_value=value if value is None else str(value), class_=kind if kind == "number" else None)
            for (cell, value), (_, kind) in zip(cells, COLUMNS, strict=True)
        ),
    )


def _words(config: Mapping[str, Any]) -> list[str]:
    return [warning.partition(":")[0].lower() for warning in warnings(config)]


def _benchmark(config: Mapping[str, Any]) -> str:
    settings = config.get("settings", {})
    return " · ".join(str(part) for part in (config.get("benchmark"), settings.get("domain")) if part)


def _date(started: object) -> str:
    return str(started)[:16].replace("T", " ") if started else NONE


def _bar(value: float | None, error: float | None) -> Html | None:
    """A success rate as a small bar with its error."""
    if value is None:
        return None
    end, spread = 72 * value, 72 * (error or 0)
    parts = [
        el("rect", x=0, y=4, width=72, height=8, rx=2, class_="track"),
        el("rect", x=0, y=4, width=f"{end:.1f}", height=8, rx=2, class_="value"),
    ]
    if error:
        low, high = max(0.0, end - spread), min(72.0, end + spread)
        parts.append(el("path", d=f"M{low:.1f} 8H{high:.1f}M{low:.1f} 5v6M{high:.1f} 5v6", class_="whisker"))
    return el("svg", *parts, viewBox="0 0 72 16", width=72, height=16, class_="rate", aria_hidden="true")

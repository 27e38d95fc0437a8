"""The list of runs, the newest first; the cells of a sweep are together under its name."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evals.pages.markup import Child, Html, el, joined
from evals.pages.wording import NONE, count, names, plural, spaced, warnings, with_interval
from evals.view.frame import page
from evals.view.live import is_running, runs_state
from evals.view.shown import Contents, Shown

COLUMNS = (
    ("run", "text"),
    ("benchmark", "text"),
    ("started", "text"),
    ("played", "number"),
    ("success [95 %]", "number"),
    ("failed", "number"),
    ("mostly because", "text"),
    ("questions", "number"),
    ("cost, US$", "number"),
)


def runs_page(runs: Sequence[Shown], token: str | None) -> str:
    """The page of all runs."""
    state = runs_state(runs) if token else {}
    playing = {run.key for run in runs if token and is_running(run)}
    head = el("tr", *(el("th", name, scope="col", data_kind=kind) for name, kind in COLUMNS))
    bodies = (_body(sweep, group, playing) for sweep, group in _groups(runs))
    table = el("table", el("thead", head), *bodies, class_="episodes runs", id="runs")
    header = el("header", el("h1", "Runs"), el("p", plural(len(runs), "run"), id="shown", class_="muted"))
    body = el("div", table, class_="scroll")
    return page("Runs", header, body, depth=0, scripts=("runs.js",), token=token, live=("live.json", state))


def _groups(runs: Iterable[Shown]) -> list[tuple[Path | None, list[Shown]]]:
    """Single runs, and sweeps with their cells; the newest first, cells by name."""
    cells: dict[Path, list[Shown]] = {}
    listed: list[tuple[str, Path | None, list[Shown]]] = []
    for run in runs:
        if sweep := run.sweep:
            cells.setdefault(sweep, []).append(run)
        else:
            listed.append((_started(run), None, [run]))
    listed += [(max(map(_started, group)), sweep, group) for sweep, group in cells.items()]
    listed.sort(key=itemgetter(0), reverse=True)
    return [(sweep, group) for _, sweep, group in listed]


def _started(run: Shown) -> str:
    return str(run.contents().config.get("started") or "")


def _body(sweep: Path | None, runs: Sequence[Shown], playing: set[str]) -> Html:
    """The rows of a single run, or of a sweep below its name."""
    rows = [_row(run, run.contents(), running=run.key in playing) for run in runs]
    if sweep is None:
        return el("tbody", *rows)
    contents = [run.contents() for run in runs]
    played = sum(len(one.results) for one in contents)
    expected = sum(max(one.scores.expected, len(one.results)) for one in contents)
    summary = f"sweep · {plural(len(runs), 'run')} · {count(played)} of {plural(expected, 'episode')}"
    running = el("span", "running", class_="badge playing") if playing & {run.key for run in runs} else None
    name = el("span", sweep.name, class_="name")
    head = el("th", joined(name, el("small", summary), running, between=" "), scope="rowgroup", colspan=len(COLUMNS))
    return el("tbody", el("tr", head, class_="sweep"), *rows, data_sweep=_sweep_key(sweep))


def _sweep_key(sweep: Path) -> str:
    """A key that distinguishes sweeps of one name without their path."""
    return f"{sweep.name}-{hashlib.sha256(str(sweep).encode('utf-8', 'replace')).hexdigest()[:8]}"


def run_name(config: Mapping[str, Any]) -> str:
    """Agent and model of a run."""
    return " · ".join(names(config.get("settings", {}))) or "Run"


def _row(run: Shown, contents: Contents, *, running: bool) -> Html:
    config, results, scores = contents.config, contents.results, contents.scores
    failed = Counter(spaced(str(result.failure)) for result in results if result.failure)
    cost = sum(result.cost for result in results)
    name = run_name(config)
    link = el("a", name, href=f"{quote(run.key)}/index.html", title=name)
    signs = [el("span", word, class_="badge warned") for word in _words(config)]
    damaged = el("span", "damaged", class_="badge failure") if contents.notices else None
    playing = el("span", "running", class_="badge playing") if running else None
    questions = sum(result.asked for result in results)
    expected = max(scores.expected, len(results))
    interval = (scores.interval.low, scores.interval.high) if scores.interval else None
    success = with_interval(scores.success, interval)
    cells: list[tuple[Child, object]] = [
        (joined(link, *signs, damaged, playing, el("small", run.key), between=" "), name),
        (_benchmark(config), None),
        (_date(config.get("started")), None),
        (f"{count(len(results))} of {count(expected)}", len(results)),
        (joined(_bar(scores.success, interval), el("span", success)), scores.success or 0),
        (count(sum(failed.values())), sum(failed.values())),
        (", ".join(f"{name} {number}" for name, number in failed.most_common(2)) or NONE, None),
        (count(questions), questions),
        (f"{cost:,.2f}" if cost else NONE, cost),
    ]
    return el(
        "tr",
        *(
            el(
                "td",
                cell,
                data_value=value if value is None else str(value),
                data_name=head,
                class_=kind if kind == "number" else None,
            )
            for (cell, value), (head, kind) in zip(cells, COLUMNS, strict=True)
        ),
        data_run=run.key,
    )


def _words(config: Mapping[str, Any]) -> list[str]:
    return [warning.partition(":")[0].lower() for warning in warnings(config)]


def _benchmark(config: Mapping[str, Any]) -> str:
    settings = config.get("settings", {})
    return " · ".join(str(part) for part in (config.get("benchmark"), settings.get("domain")) if part)


def _date(started: object) -> str:
    return str(started)[:16].replace("T", " ") if started else NONE


def _bar(value: float | None, interval: tuple[float, float] | None) -> Html | None:
    """A success rate as a small bar with its interval."""
    if value is None:
        return None
    end = 72 * value
    parts = [
        el("rect", x=0, y=4, width=72, height=8, rx=2, class_="track"),
        el("rect", x=0, y=4, width=f"{end:.1f}", height=8, rx=2, class_="value"),
    ]
    if interval:
        low, high = 72 * interval[0], 72 * interval[1]
        parts.append(el("path", d=f"M{low:.1f} 8H{high:.1f}M{low:.1f} 5v6M{high:.1f} 5v6", class_="whisker"))
    return el("svg", *parts, viewBox="0 0 72 16", width=72, height=16, class_="rate", aria_hidden="true")

"""The page of one episode. Scripts fill it with the episode's data."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from evals.labels import LabelSet, current
from evals.pages.markup import Child, Html, el
from evals.report.signs import badge, banner, episode_facts, outcome, titled
from evals.run.results import EpisodeResult
from evals.view.frame import page
from evals.view.graph import layout, shape_of
from evals.view.live import episode_state
from evals.view.played import Played
from evals.view.runs_page import run_name
from evals.view.shown import Contents, Shown

PARTS = ("scenes", "lightbox", "strip", "grid", "timeline", "graph", "answers", "step", "verdict", "labels", "episode")
SHORT = 8
"""How many lines of a goal are shown."""


def episode_page(run: Shown, played: Played, token: str | None) -> str:
    """The whole page."""
    contents, result = run.contents(), played.result
    state = (token and episode_state(run, result.id)) or {"running": False, "stamp": ""}
    before, after = neighbours(contents, result.id)
    name, ways = run_name(contents.config), (way("previous", "← previous", before), way("next", "next →", after))
    up = (el("a", "All runs", href="../../index.html"), el("a", name, href="../index.html", title=name, class_="name"))
    sign, summary = _badge(played, running=state["running"]), episode_facts(result, contents.judging)
    story: list[Child] = [
        _goal(played),
        el("div", id="strip"),
        el("div", el("div", id="verdict", class_="card"), el("div", id="labels", class_="card"), class_="judged"),
        el("section", el("h2", "Belief and truth"), el("div", id="timeline"), class_="belief"),
        el("section", el("div", id="flow"), el("div", id="answer", hidden=True), class_="step"),
    ]
    body: list[Child] = [
        el("nav", *up, el("span", id="beside"), *ways),
        el(
            "header",
            el("h1", result.id, " ", sign),
            el("p", summary, class_="muted"),
            data_live="head",
        ),
        banner(contents.config),
        el("div", id="damage"),
        el("div", id="bar", class_="stepbar"),
        el(
            "div",
            el("div", el("div", id="scenes"), el("div", id="graph"), class_="side"),
            el("div", *story, class_="story"),
            class_="look",
        ),
    ]
    at = quote(result.id)
    title = titled(f"{result.id} · {name}", contents.config)
    data, scripts = (f"../data/{at}/run.js", f"../data/{at}/episode.js"), [f"{part}.js" for part in PARTS]
    live = (f"../data/{at}/live.json", state)
    return page(title, *body, depth=2, data=data, scripts=scripts, token=token, live=live, class_="episode")


def run_data(
    run: Shown, played: Played, sets: Mapping[str, LabelSet], others: Iterable[Shown] = (), *, named: bool
) -> dict[str, Any]:
    """The run's data for the page of an episode, and what may change while it is open: labels.

    `others` are the runs to search for the same episode. With `named` the data has the path of the run, which exported
    pages omit.
    """
    contents = run.contents()
    labels = [label for label in contents.labels if label.episode == played.result.id]
    return {
        "run": run.key,
        "name": run_name(contents.config),
        "others": [
            [other.key, run_name(other.contents().config), went]
            for other in others
            if other is not run and (went := _same(run, other, played.result))
        ],
        "looks": contents.config.get("looks"),
        "graph": layout(*shape_of(contents.config)),
        "sets": [asdict(one) for one in sets.values()],
        "labels": [asdict(label) for label in current(labels)],
        "corrected": len(labels) - len(current(labels)),
        "saved": contents.saved.get(played.result.id),
        "again": _again(str(run.path) if named else "RUN", played),
    }


def _same(run: Shown, other: Shown, result: EpisodeResult) -> str | None:
    """The outcome of the same episode in another run; None if it was not played there."""
    ours, theirs = run.contents(), other.contents()
    if _task(ours.config) != _task(theirs.config):
        return None
    place = theirs.places.get(result.id)
    if place is None:
        return "unfinished" if result.id in theirs.unfinished else None
    found = theirs.results[place]
    return outcome(found) if found.problem == result.problem else None


def _task(config: Mapping[str, Any]) -> tuple[object, object]:
    return config.get("benchmark"), config["settings"].get("domain")


def _again(run: str, played: Played) -> str | None:
    """The rerun command that tests whether a divergence really cost the episode."""
    verdict, moments = played.verdict, played.course.moments
    if not played.finished or played.result.failure is None or verdict.first is None:
        return None
    step = min((moments[spell.first].turn for spell in verdict.fatal), default=moments[verdict.first].turn) - 1
    words = ["python", "-m", "evals.rerun", run, "--episode", played.result.id, "--from-step", str(step)]
    return shlex.join([*words, "--with", "oracle-answers"])


def _badge(played: Played, *, running: bool) -> Child:
    if running:
        return el("span", "running", class_="badge playing")
    return badge(played.result) if played.finished else el("span", "unfinished", class_="badge")


def neighbours(contents: Contents, id: str) -> tuple[str | None, str | None]:
    """The episodes before and after one, in the order of the run."""
    order = [*(one.id for one in contents.results), *contents.unfinished]
    place = order.index(id)
    return order[place - 1] if place else None, order[place + 1] if place + 1 < len(order) else None


def way(id: str, text: str, episode: str | None) -> Html:
    """A link to another episode, or only the text if there is none."""
    return el("a", text, href=f"{quote(episode)}.html", id=id) if episode else el("span", text)


def _goal(played: Played) -> Child:
    if played.began is None:
        return None
    lines = [el("li", line.removeprefix("- ")) for line in played.began.goal.splitlines()[:200]]
    if len(lines) <= SHORT:
        return el("div", el("h2", "Goal"), el("ul", *lines), class_="goal", id="goal")
    rest = el("details", el("summary", f"{len(lines) - SHORT} more"), el("ul", *lines[SHORT:]))
    return el("div", el("h2", "Goal"), el("ul", *lines[:SHORT]), rest, class_="goal", id="goal")

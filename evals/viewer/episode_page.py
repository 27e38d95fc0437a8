"""The page of one episode. What happened comes as data; here is where it goes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from evals.labels import LabelSet, current
from evals.report.episode import episode_facts
from evals.report.markup import Child, Html, el
from evals.report.signs import badge, banner, titled
from evals.viewer.frame import page
from evals.viewer.graph import layout, shape_of
from evals.viewer.played import Played
from evals.viewer.runs_page import run_name
from evals.viewer.shown import Shown

PARTS = ("scenes", "strip", "grid", "timeline", "graph", "answers", "step", "labels", "episode")


def episode_page(run: Shown, played: Played, token: str | None) -> str:
    """The whole page."""
    contents, result = run.contents(), played.result
    order = [*(one.id for one in contents.results), *contents.unfinished]
    place = order.index(result.id)
    before = order[place - 1] if place else None
    after = order[place + 1] if place + 1 < len(order) else None
    name, way = run_name(contents.config), (_way("previous", "← previous", before), _way("next", "next →", after))
    body: list[Child] = [
        el("nav", el("a", "All runs", href="../../index.html"), el("a", name, href="../index.html"), *way),
        el("header", el("h1", result.id, " ", _badge(played)), el("p", episode_facts(result), class_="muted")),
        banner(contents.config),
        el("div", id="damage"),
        el("div", el("div", id="verdict", class_="card"), el("div", id="labels", class_="card"), class_="judged"),
        _goal(played),
        el("div", id="bar", class_="stepbar"),
        el("div", id="strip"),
        el("section", el("h2", "Belief and truth"), el("div", id="timeline"), class_="belief"),
        el(
            "section",
            el("div", el("div", id="scenes"), el("div", id="graph"), class_="side"),
            el("div", id="flow"),
            el("div", id="answer", hidden=True),
            class_="step",
        ),
    ]
    at = quote(result.id)
    title = titled(f"{result.id} · {name}", contents.config)
    data, scripts = (f"../data/{at}/run.js", f"../data/{at}/episode.js"), [f"{part}.js" for part in PARTS]
    return page(title, *body, depth=2, data=data, scripts=scripts, token=token, class_="episode")


def run_data(run: Shown, played: Played, sets: Mapping[str, LabelSet], *, named: bool) -> dict[str, Any]:
    """What the page of an episode needs to know of its run, and what may change while it is looked at: labels.

    Only to whom it belongs is it `named` where the run lies; pages may be handed on.
    """
    contents = run.contents()
    labels = [label for label in contents.labels if label.episode == played.result.id]
    return {
        "run": run.key,
        "looks": contents.config.get("looks"),
        "graph": layout(*shape_of(contents.config)),
        "sets": [asdict(one) for one in sets.values()],
        "labels": [asdict(label) for label in current(labels)],
        "corrected": len(labels) - len(current(labels)),
        "saved": contents.saved.get(played.result.id),
        "again": _again(str(run.path) if named else "RUN", played),
    }


def _again(run: str, played: Played) -> str | None:
    """The command that shows whether the divergence that seems to have cost an episode really did."""
    verdict, moments = played.verdict, played.course.moments
    if not played.finished or played.result.failure is None or verdict.first is None:
        return None
    step = min((moments[spell.first].turn for spell in verdict.fatal), default=moments[verdict.first].turn) - 1
    words = ["python", "-m", "evals.rerun", run, "--episode", played.result.id, "--from-step", str(step)]
    return shlex.join([*words, "--with", "oracle-answers"])


def _badge(played: Played) -> Child:
    return badge(played.result) if played.finished else el("span", "unfinished", class_="badge")


def _way(id: str, text: str, episode: str | None) -> Html:
    return el("a", text, href=f"{quote(episode)}.html", id=id) if episode else el("span", text)


def _goal(played: Played) -> Child:
    if played.began is None:
        return None
    lines = [el("li", line.removeprefix("- ")) for line in played.began.goal.splitlines()[:200]]
    return el("details", el("summary", "The goal"), el("ul", *lines), class_="goal")

"""The page of one question: its pictures, text, answer, and the right answer."""

from __future__ import annotations

from urllib.parse import quote

from evals.pages.markup import Child, Html, el
from evals.report.signs import badge, banner, episode_facts, titled
from evals.view.episode_page import neighbours, way
from evals.view.frame import page
from evals.view.live import episode_state
from evals.view.played import Played
from evals.view.runs_page import run_name
from evals.view.shown import Shown

PARTS = ("lightbox", "answers", "labels", "question_parts", "question")


def question_page(run: Shown, played: Played, token: str | None) -> str:
    """The whole page."""
    contents, result = run.contents(), played.result
    state = (token and episode_state(run, result.id)) or {"running": False, "stamp": ""}
    before, after = neighbours(contents, result.id)
    name = run_name(contents.config)
    ways = (way("previous", "← previous", before), way("next", "next →", after), _wrong())
    up = (el("a", "All runs", href="../../index.html"), el("a", name, href="../index.html", title=name, class_="name"))
    sign: Child = badge(result) if played.finished else el("span", "unfinished", class_="badge")
    body: list[Child] = [
        el("nav", *up, *ways),
        el("header", el("h1", result.id, " ", sign), el("p", episode_facts(result, contents.judging), class_="muted")),
        banner(contents.config),
        el("div", id="damage"),
        el(
            "div",
            el("div", id="pictures"),
            el("div", el("div", id="question"), class_="asked-side"),
            class_="of-question",
        ),
        el("div", el("section", id="flow"), el("section", el("div", id="labels", class_="card")), class_="below"),
    ]
    at = quote(result.id)
    data, scripts = (f"../data/{at}/run.js", f"../data/{at}/episode.js"), [f"{part}.js" for part in PARTS]
    return page(
        titled(f"{result.id} · {name}", contents.config),
        *body,
        depth=2,
        data=data,
        scripts=scripts,
        styles=("question.css",),
        token=token,
        live=(f"../data/{at}/live.json", state),
        class_="question",
    )


def _wrong() -> Html:
    """The place of links to wrong answers, which scripts fill depending on the table's filter."""
    return el("span", id="wrong-ones")

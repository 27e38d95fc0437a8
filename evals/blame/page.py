"""Blame as an HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evals.blame.shares import groups, saving_sets
from evals.blame.table import left_out, meaning, within
from evals.pages.markup import Child, Html, document, el, section, table
from evals.pages.plots import Axis, Mark, plot
from evals.pages.wording import names, spaced
from evals.report.signs import banner, titled

if TYPE_CHECKING:
    from evals.blame.blaming import Blame

NOTE = (
    "Every failed episode was played again with one faculty made perfect, then with two, and so on. Alone enough: this "
    "faculty by itself saves the episode (95 %: Wilson). Share of blame: an episode's blame is shared equally by the "
    "smallest sets that save it, and in each over its members (95 %: bootstrap over episodes)."
)


def blame_page(blame: Blame) -> str:
    """The whole page."""
    config = blame.original.run.config
    name = f"Why they failed: {' · '.join(names(config['settings']))}"
    counted = f"{blame.failed} of {blame.scored} episodes failed"
    body: list[Child] = [
        el("header", el("h1", name), el("p", counted, class_="muted")),
        banner(config),
        *(el("p", line, class_="notice") for line in left_out(blame)),
    ]
    if blame.shares:
        body += [_causes(blame), _answers(blame), _episodes(blame)]
    return document(titled(name, config), *body)


def _causes(blame: Blame) -> Html:
    shares = blame.shares
    rows: list[list[Child]] = [
        [
            share.cause,
            share.alone,
            within(share.alone_within),
            el("strong", f"{share.blame:.0%}"),
            within(share.blame_within),
            meaning(share.cause, blame),
        ]
        for share in shares
    ]
    marks = [
        (share.cause, [Mark(share.blame, f"{share.blame:.0%}", hint=f"95 %: {within(share.blame_within)}")])
        for share in shares
    ]
    axis = Axis.of_shares("share of the blame", max(share.blame for share in shares))
    drawing = plot("Share of the blame", "How much each cause has to answer for.", marks, ["share"], axis)
    head: list[Child] = ["cause", "alone enough", "95 %", "share of blame", "95 %", "put right means"]
    return section("causes", "Causes", drawing, table(head, rows), el("p", NOTE, class_="note"))


def _answers(blame: Blame) -> Html:
    rows: list[list[Child]] = [[saved_by, count] for saved_by, count in groups(blame.cases)]
    return section("saved", "What would have saved them", table(["put right", "episodes"], rows))


def _episodes(blame: Blame) -> Html:
    rows: list[list[Child]] = [
        [
            case.result.id,
            case.result.split,
            spaced(str(case.result.failure)),
            saving_sets(case),
            case.first_wrong_answer,
        ]
        for case in blame.cases
    ]
    head: list[Child] = ["episode", "split", "failure", "saved by", "first wrong answer"]
    look = el("p", "To look at an episode: ", el("code", "python -m evals.view RUN"))
    return section("episodes", "Episodes", table(head, rows), look)

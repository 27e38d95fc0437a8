"""The page's part on predicates: how often each was judged right, by split, phase and true value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evals.report.markup import NOTHING, Child, Html, el, section, table
from evals.report.plots import Axis, Mark, plot
from evals.report.wording import accuracy, count
from evals.results import EpisodeResult, Tally
from evals.scores import Accuracy, RunScores
from tools.events import Phase

Choice = tuple[str, Callable[[Tally], bool]]

CHOICES: tuple[Choice, ...] = (
    ("all questions", lambda tally: True),
    ("enumeration (official)", lambda tally: tally.phase is Phase.ENUMERATION),
    ("precondition", lambda tally: tally.phase is Phase.PRECONDITION),
    ("effect", lambda tally: tally.phase is Phase.EFFECT),
    ("free", lambda tally: tally.phase is Phase.FREE),
    ("truth is yes", lambda tally: tally.truth),
    ("truth is no", lambda tally: not tally.truth),
)
"""The columns of the tables: which answers each counts."""


def predicates(results: Sequence[EpisodeResult], scores: RunScores, links: Callable[[str], str] | None = None) -> Html:
    """How well the model sees. `links` leads from a predicate to the episodes in which it was misjudged."""
    tallies = [tally for result in results if result.scored for tally in result.tallies]
    if not tallies:
        return NOTHING
    names = sorted({tally.predicate for tally in tallies})
    by_predicate = {name: [tally for tally in tallies if tally.predicate == name] for name in names}
    by_split = {
        split: [tally for result in results if result.scored and result.split == split for tally in result.tallies]
        for split in scores.splits
    }
    note = (
        "How often the model's yes or no was the truth. An answer that could not be read counts as wrong. "
        "“Enumeration” asks about every fact of a picture: its accuracy is the one that is published, and the one "
        "to compare with. Most facts are false, so look at “truth is yes” too: a model that always says no does well "
        "on the rest."
    )
    return section(
        "predicates",
        "Predicates",
        el("div", _plot(names, scores, links), el("p", note, class_="note"), class_="beside"),
        _table("predicate", by_predicate, tallies, "All splits together; ± is the standard error."),
        _table("split", by_split, tallies, "All predicates together.") if len(by_split) > 1 else None,
    )


def _plot(names: Sequence[str], scores: RunScores, links: Callable[[str], str] | None) -> Html:
    rows = [
        (name, [_mark(split.by_predicate.get(name, Accuracy())) for split in scores.splits.values()]) for name in names
    ]
    lowest = min(
        (mark.value - mark.error for _, marks in rows for mark in marks if mark.value is not None), default=0.0
    )
    return plot(
        "Accuracy by predicate",
        "For each predicate and split, the share of all questions answered right, with its standard error.",
        rows,
        list(scores.splits),
        Axis.of_rates("right answers, all questions", lowest),
        {name: links(name) for name in names} if links else None,
    )


def _mark(value: Accuracy) -> Mark:
    hint = f"{count(value.right)} of {count(value.total)} right"
    return Mark(value.value, accuracy(value) if value.total else "not asked", value.sem or 0.0, hint)


def _table(first: str, groups: dict[str, list[Tally]], tallies: list[Tally], caption: str) -> Html:
    chosen = [(name, wanted) for name, wanted in CHOICES if any(wanted(tally) for tally in tallies)]
    rows = [[name, *_cells(group, chosen)] for name, group in groups.items()]
    if len(groups) > 1:
        rows.append([el("strong", "all"), *_cells(tallies, chosen)])
    return table([first, *(name for name, _ in chosen)], rows, caption=caption, class_="numbers")


def _cells(tallies: list[Tally], chosen: list[Choice]) -> list[Child]:
    return [_cell(Accuracy.of(tally for tally in tallies if wanted(tally))) for _, wanted in chosen]


def _cell(value: Accuracy) -> Html:
    if not value.total:
        return el("span", accuracy(value), class_="muted")
    return el(
        "span",
        accuracy(value),
        " ",
        el("small", f"± {value.sem or 0:.3f}"),
        title=f"{count(value.right)} of {count(value.total)}",
    )

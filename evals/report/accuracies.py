"""The section on answers: how many were right, by the judge's dimensions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from evals.pages.markup import NOTHING, Html, el, section
from evals.pages.plots import Axis, Mark, plot
from evals.pages.tables import Cell, Table, as_html
from evals.pages.wording import NONE, accuracy, count, spaced
from evals.run.judging import Judging, Tally
from evals.run.results import EpisodeResult
from evals.run.scores import Accuracy, RunScores, grouped
from evals.run.statistics import wilson
from planners.names import natural

WIDE = 10
"""A wider table has only the columns over all answers."""
Links = Callable[[str, str], str]
"""The address of the episodes with wrong answers, given a dimension and its value."""


class Choice(NamedTuple):
    """A column: its heading, and which answers it counts; all if `dimension` is empty."""

    name: str
    dimension: str = ""
    value: str = ""

    def counts(self, tally: Tally) -> bool:
        """Whether it counts the answers of a tally."""
        return not self.dimension or tally.by.get(self.dimension) == self.value


def accuracies(
    results: Sequence[EpisodeResult], scores: RunScores, judging: Judging, links: Links | None = None
) -> Html:
    """How many answers were right. `links` lead to the episodes with wrong ones."""
    scored = [result for result in results if result.scored]
    tallies = [tally for result in scored for tally in result.tallies]
    dimensions = {name: meaning for name, meaning in judging.dimensions.items() if grouped(tallies, name)}
    if not dimensions:
        return NOTHING
    first, *others = dimensions
    by_split = {
        split: [tally for result in scored if result.split == split for tally in result.tallies]
        for split in scores.splits
    }
    choices = _choices(tallies, others)
    apart = others if len(choices) == 1 else []
    return section(
        "answers",
        "Answers",
        el("div", _plot(first, scores, links), _note(dimensions), class_="beside"),
        *(_table(name, _sorted(grouped(tallies, name)), tallies, choices) for name in (first, *apart)),
        _table("split", by_split, tallies, choices) if len(by_split) > 1 else None,
    )


def _choices(tallies: Sequence[Tally], dimensions: Sequence[str]) -> list[Choice]:
    """All answers, then those of each group, if the table is not too wide."""
    sorts = [Choice(f"{spaced(name)}: {value}", name, value) for name in dimensions for value in grouped(tallies, name)]
    return [Choice("all answers"), *(sorts if len(sorts) < WIDE else [])]


def _sorted(groups: Mapping[str, list[Tally]]) -> dict[str, list[Tally]]:
    return {name: groups[name] for name in sorted(groups, key=natural)}


def _note(dimensions: Mapping[str, str]) -> Html:
    meanings = "; ".join(f"{spaced(name)}: {meaning}" for name, meaning in dimensions.items() if meaning != name)
    note = (
        "How many of the model's answers were right. An answer that could not be read counts as wrong. In brackets the "
        "95 % interval, computed as if answers were independent; those about the same picture are not quite."
    )
    if "truth" in dimensions:
        note += (
            " Where most questions have the same right answer, a model that always gives it scores well overall: "
            "compare the columns by truth."
        )
    return el("p", note, f" {meanings[:1].upper()}{meanings[1:]}." if meanings else None, class_="note")


def _plot(dimension: str, scores: RunScores, links: Links | None) -> Html:
    names = sorted({name for split in scores.splits.values() for name in split.by.get(dimension, {})}, key=natural)
    rows = [
        (name, [_mark(split.by.get(dimension, {}).get(name, Accuracy())) for split in scores.splits.values()])
        for name in names
    ]
    lowest = min((mark.whisker[0] for _, marks in rows for mark in marks if mark.value is not None), default=0.0)
    return plot(
        f"Right answers by {spaced(dimension)}",
        f"For each {spaced(dimension)} and split, the share of answers that were right, with its 95 % interval.",
        rows,
        list(scores.splits),
        Axis.of_rates("right answers, of all", lowest),
        {name: links(dimension, name) for name in names} if links else None,
    )


def _mark(value: Accuracy) -> Mark:
    hint = f"{count(value.right)} of {count(value.total)} right"
    label = accuracy(value.value) if value.total else "not asked"
    return Mark(value.value, label, hint=hint, interval=_interval(value))


def _interval(value: Accuracy) -> tuple[float, float] | None:
    if not value.total:
        return None
    interval = wilson(value.right, value.total)
    return interval.low, interval.high


def _table(first: str, groups: Mapping[str, list[Tally]], tallies: Sequence[Tally], choices: Sequence[Choice]) -> Html:
    rows = [[Cell(name), *_cells(group, choices)] for name, group in groups.items()]
    if len(groups) > 1:
        rows.append([Cell("all", bold=True), *_cells(tallies, choices)])
    return as_html(Table.of(first, [spaced(first), *(choice.name for choice in choices)], rows))


def _cells(tallies: Sequence[Tally], choices: Sequence[Choice]) -> list[Cell]:
    return [_cell(Accuracy.of(tally for tally in tallies if choice.counts(tally))) for choice in choices]


def _cell(value: Accuracy) -> Cell:
    interval = _interval(value)
    if interval is None:
        return Cell(NONE)
    text = f"{accuracy(value.value)} [{interval[0]:.2f}, {interval[1]:.2f}]"
    return Cell(text, value.value, value.sem, interval)

"""The section on failures: what ended the failed episodes, and earlier misjudgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evals.pages.markup import Child, Html, el, joined, section
from evals.pages.plots import Axis, Mark, plot
from evals.pages.tables import Content, Table, as_html
from evals.pages.wording import count, plural, spaced
from evals.report.table import failures_of
from evals.run.judging import Judging
from evals.run.scores import RunScores, SplitScores


def failures(scores: RunScores, judging: Judging, links: Mapping[str, str] | None = None, beside: Child = None) -> Html:
    """Why episodes failed. `links` lead from a class to its episodes; `beside` comes below the plot."""
    totals = failures_of(scores)
    if not totals:
        sentence = "Every question was answered right." if judging.of_questions else "Every episode reached its goal."
        body: Child = el("p", sentence)
    else:
        drawn = _plot(list(totals), scores, {spaced(name): link for name, link in (links or {}).items()})
        body = el("div", drawn, _meanings(totals, judging), class_="beside")
    counted = [group_table(name, scores, judging) for name in judging.groups if about_failures(name, scores, judging)]
    return section("failures", "Failures", body, beside, *counted)


def about_failures(group: str, scores: RunScores, judging: Judging) -> bool:
    """Whether a group counts failure classes."""
    return scores.pooled.group(group).keys() <= judging.classes.keys()


def group_table(group: str, scores: RunScores, judging: Judging) -> Html | None:
    """The counts of a group by split; None if there are none."""
    splits = list(scores.splits.values())
    kinds = [kind for kind, number in sorted(scores.pooled.group(group).items()) if number]
    if not kinds:
        return None
    columns = [*splits, scores.pooled] if len(splits) > 1 else splits
    rows: list[list[Content]] = [
        [spaced(kind), *(int(split.group(group).get(kind, 0)) for split in columns)] for kind in kinds
    ]
    note = "Counted in all scored episodes, those that succeeded included."
    table = Table.of(judging.groups[group], ["", *(split.split for split in columns)], rows, notes=[note])
    return joined(el("h3", table.title), as_html(table))


def _plot(names: Sequence[str], scores: RunScores, links: Mapping[str, str]) -> Html:
    splits = list(scores.splits.values())
    rows = [(spaced(name), [_mark(split, name) for split in splits]) for name in names]
    largest = max((mark.value or 0.0 for _, marks in rows for mark in marks), default=0.0)
    return plot(
        "Failure classes by split",
        "For each failure class and split, the share of the split's episodes that it ended; the count stands beside.",
        rows,
        list(scores.splits),
        Axis.of_shares("episodes of the split (count beside the bar)", largest),
        links,
    )


def _mark(split: SplitScores, name: str) -> Mark:
    ended, episodes = split.failure_classes.get(name, 0), split.n + split.infrastructure + split.agent_errors
    share = ended / episodes if episodes else None
    return Mark(
        share, count(ended) if ended else "", hint=f"{split.split}: {count(ended)} of {plural(episodes, 'episode')}"
    )


def _meanings(totals: Mapping[str, int], judging: Judging) -> Html:
    lines = (
        joined(el("dt", spaced(name), " ", el("small", count(number))), el("dd", judging.meanings.get(name, "")))
        for name, number in totals.items()
    )
    return el("dl", *lines, class_="meanings")

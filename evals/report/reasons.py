"""The page's part on failures: what ended the failed episodes, and the actions misjudged on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from evals.failures import MEANING, Failure
from evals.report.markup import NOTHING, Child, Html, el, joined, section, table
from evals.report.plots import Axis, Mark, plot
from evals.report.wording import count, plural, spaced
from evals.results import EpisodeResult
from evals.scores import RunScores, SplitScores


def failures(
    results: Sequence[EpisodeResult], scores: RunScores, links: Mapping[str, str] | None = None, beside: Child = None
) -> Html:
    """Why episodes failed. `links` lead from a class to its episodes; `beside` comes below the plot."""
    totals = Counter(str(result.failure) for result in results if result.failure)
    if not totals:
        body: Child = el("p", "Every episode reached its goal.")
    else:
        names = [name for name, _ in sorted(totals.items(), key=lambda item: (-item[1], item[0]))]
        drawn = _plot(names, scores, {spaced(name): link for name, link in (links or {}).items()})
        body = joined(el("div", drawn, _meanings(names, totals), class_="beside"))
    return section("failures", "Failures", body, beside, _misjudged(scores))


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
    ended, episodes = split.failure_classes.get(name, 0), split.n + split.infrastructure
    share = ended / episodes if episodes else None
    return Mark(
        share, count(ended) if ended else "", hint=f"{split.split}: {count(ended)} of {plural(episodes, 'episode')}"
    )


def _meanings(names: Sequence[str], totals: Counter[str]) -> Html:
    lines = (
        joined(el("dt", spaced(name), " ", el("small", count(totals[name]))), el("dd", MEANING[Failure(name)]))
        for name in names
    )
    return el("dl", *lines, class_="meanings")


def _misjudged(scores: RunScores) -> Html:
    splits = list(scores.splits.values())
    kinds = sorted({kind for split in splits for kind in split.misjudged})
    if not kinds:
        return NOTHING
    rows: list[list[Child]] = []
    for kind in kinds:
        counts = [split.misjudged.get(kind, 0) for split in splits]
        rows.append([spaced(kind), *map(count, counts), count(sum(counts))])
    caption = "How many actions were misjudged in all scored episodes, those that still reached their goal included."
    return joined(
        el("h3", "Actions misjudged on the way"),
        table(["", *scores.splits, "all"], rows, caption=caption, class_="numbers"),
    )

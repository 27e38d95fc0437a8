"""How episodes ended: what agents claimed, apart from what was true. The judge says which ends there are."""

from __future__ import annotations

from collections.abc import Iterator

from evals.pages.markup import Html, el, joined, section
from evals.pages.tables import Content, Table, as_html
from evals.pages.wording import count, spaced
from evals.run.judging import Judging
from evals.run.scores import RunScores


def ends_section(scores: RunScores, judging: Judging) -> Iterator[Html]:
    """The counts by split, and what each end means; nothing if the judge tells no ends."""
    if scores.pooled.ends:
        yield section("ends", "How episodes ended", as_html(ends_table(scores)), _meanings(scores, judging))


def ends_table(scores: RunScores) -> Table:
    """A row for each end, a column for each split."""
    splits = list(scores.splits.values())
    columns = [*splits, scores.pooled] if len(splits) > 1 else splits
    rows: list[list[Content]] = [
        [spaced(end), *(split.ends.get(end, 0) for split in columns)] for end in scores.pooled.ends
    ]
    return Table.of("", ["", *(split.split for split in columns)], rows, name="ends")


def ends_line(scores: RunScores) -> Iterator[str]:
    """The counts of all splits in one line."""
    if scores.pooled.ends:
        counted = (f"{spaced(end)} {count(number)}" for end, number in scores.pooled.ends.items() if number)
        yield f"ends: {', '.join(counted)}"


def _meanings(scores: RunScores, judging: Judging) -> Html:
    lines = (
        joined(el("dt", spaced(end)), el("dd", judging.ends.get(end, "")))
        for end, number in scores.pooled.ends.items()
        if number
    )
    return el("dl", *lines, class_="meanings")

"""The report of a sweep: a comparison of its cells, as files and a page."""

from __future__ import annotations

from pathlib import Path

from evals.compare.arms import Unusable, arms_of
from evals.compare.figures import Comparison, compare
from evals.compare.reading import read
from evals.compare.writing import write
from evals.sweep.directory import SweepDirectory


def conclude(sweep: SweepDirectory) -> tuple[Comparison, Path] | None:
    """Compare what has been played and write the report; None if nothing has been.

    Cells of one sweep may differ in anything, including prompts: such cells get a note and are not refused.
    """
    runs = sweep.runs()
    parts, skipped = read(runs) if runs else ([], [])
    if not parts:
        return None
    arms = arms_of(parts)
    comparison = compare(arms, baseline=arms[0], skipped=skipped, force=True)
    try:
        return comparison, write(comparison, sweep.path / "report")
    except Unusable:
        # An unreadable trace affects only the courses of episodes; the run's own pages report it.
        bare = Comparison(comparison.arms, comparison.baseline, (), comparison.forced, comparison.notes)
        return bare, write(bare, sweep.path / "report")

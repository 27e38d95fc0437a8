"""The report of a run, `report.html`. Single episodes are in the viewer, `python -m evals.view`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evals.pages.markup import write_atomically
from evals.pages.viewer import Viewer
from evals.report.page import run_page
from evals.run.directory import RunDirectory
from evals.run.files import writing
from evals.run.judging import AGENT_ERROR
from evals.run.results import EpisodeResult
from evals.run.scores import RunScores, score_run
from evals.run.trace import DamagedTrace
from tools.events import Ended

__all__ = ["write_report"]


def write_report(
    run: RunDirectory, results: Sequence[EpisodeResult] | None = None, scores: RunScores | None = None
) -> Path:
    """Write the page of a run; its path. Results and scores are read and computed if not given."""
    results = run.results() if results is None else results
    scores = scores or score_run(results, run.splits, run.episodes, run.judging)
    page = run_page(run.config, results, scores, Viewer(run.path), _first_traceback(run, results))
    with writing(run.path / "report.html"):
        return write_atomically(run.path / "report.html", page)


def _first_traceback(run: RunDirectory, results: Sequence[EpisodeResult]) -> str:
    """The traceback of the first error of the agent; empty if there is none."""
    broken = next((result for result in results if result.failure == AGENT_ERROR), None)
    if broken is None:
        return ""
    try:
        last = run.records(broken.id)[-1].event
    except (DamagedTrace, OSError, IndexError):
        return ""
    return last.traceback if isinstance(last, Ended) else ""

"""What a run looks like to people: `report.html` for the whole of it, and a page for each episode."""

from __future__ import annotations

from pathlib import Path

from evals.report.episode import episode_page
from evals.report.markup import write_aside
from evals.report.page import run_page
from evals.report.signs import page_of
from evals.results import EpisodeResult
from evals.run_directory import RunDirectory
from evals.scores import score_run
from evals.splits import ordered
from evals.trace import DamagedTrace, Record, read_trace

__all__ = ["splits_of", "write_episode_page", "write_report"]


def write_report(run: RunDirectory) -> Path:
    """Write the page of the run and of each finished episode; the path of the former."""
    splits = splits_of(run)
    results = run.results()
    for place, result in enumerate(results):
        before = results[place - 1].id if place else None
        after = results[place + 1].id if place + 1 < len(results) else None
        _write_episode(run, result, before, after)
    scores = score_run(results, splits, run.episodes)
    unfinished = max(0, scores.expected - len(results))
    return write_aside(run.path / "report.html", run_page(run.config, results, scores, unfinished))


def write_episode_page(run: RunDirectory, id: str) -> Path:
    """Write the page of one finished episode, without links to its neighbours."""
    result = next((result for result in run.results() if result.id == id), None)
    if result is None:
        raise KeyError(f"no finished episode {id!r} in {run.path}")
    return _write_episode(run, result, None, None)


def splits_of(run: RunDirectory) -> list[str]:
    """The splits that the run plays or has played, from easy to hard where they have the usual names."""
    return ordered({result.split for result in run.results()} | set(run.episodes))


def _write_episode(run: RunDirectory, result: EpisodeResult, before: str | None, after: str | None) -> Path:
    records: list[Record] = []
    damage = ""
    try:
        records = read_trace(run.trace(result.id))
    except DamagedTrace as error:
        damage = str(error).replace(str(run.path), "").lstrip("/\\")
    except OSError as error:
        damage = f"episodes/{result.id}.jsonl: {error.strerror or error}"
    path = run.path / "episodes" / page_of(result.id)
    page = episode_page(run.path / "pictures", result, records, damage, before, after, config=run.config)
    return write_aside(path, page)

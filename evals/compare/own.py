"""Our own runs as parts of arms."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from evals.compare.arms import Part, Played, Stratum, UnknownCourse, Unusable
from evals.compare.courses import Moment, course_of
from evals.pages.wording import warnings
from evals.run.directory import ITEMS, RunDirectory, RunError, run_directories
from evals.run.results import EpisodeResult
from evals.run.trace import DamagedTrace, whole
from planners.files import lines_of
from tools.events import Began


def every_run(paths: Iterable[Path]) -> list[Path]:
    """The runs at the paths, each once; `Unusable` if a path has none."""
    found: dict[Path, Path] = {}
    for path in paths:
        here = run_directories(path)
        if not here:
            raise Unusable(f"{path}: no run there: neither it nor a folder below it has a run.json")
        found |= {folder.resolve(): folder for folder in here}
    return list(found.values())


def settings_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run with its benchmark and, for a rerun, its changes."""
    rerun = config.get("rerun")
    changed = {"rerun": rerun.get("with")} if isinstance(rerun, dict) else {}
    return {"benchmark": config.get("benchmark"), **config["settings"], **changed}


def read_part(path: Path) -> Part:
    """A run directory; `Unusable` if it cannot be read."""
    try:
        run = RunDirectory.open(path)
        results = run.results()
    except RunError as error:
        raise Unusable(str(error)) from None
    if not isinstance(run.config["settings"], dict):
        raise Unusable(f"{path / 'run.json'} has settings that cannot be read")
    settings = settings_of(run.config)
    domains = {result.tags.get("domain", "") for result in results}
    return Part(
        name=path.resolve().name,
        settings=settings,
        fingerprints=run.config.get("fingerprints") or {},
        played=tuple(_played(run, result, settings) for result in results),
        expected=sum(run.episodes.values()) or len(results),
        warnings=tuple(warnings(run.config)),
        looks=bool(run.config.get("looks", True)),
        path=str(path),
        splits=tuple(dict.fromkeys(_within(split, domains) for split in run.splits)),
        judging=run.judging,
        usual=run.config.get("usual") or {},
    )


def _played(run: RunDirectory, result: EpisodeResult, settings: Mapping[str, Any]) -> Played:
    domain, split = stratum_of(result, settings)
    return Played(
        domain=domain,
        split=split,
        problem=result.problem,
        seed=int(settings.get("seed", 0)),
        success=result.success if result.scored else None,
        repeat=int(result.tags.get("repeat", 0)),
        tags=result.tags,
        asks=any(tally.total for tally in result.tallies),
        end=result.end if result.scored else None,
        answers=partial(_answers, result),
        course=partial(_course, run, result.id),
        start=partial(_start, run, result.id),
        page=run.path / "episodes" / f"{result.id}.html",
    )


def _answers(result: EpisodeResult) -> tuple[int, int]:
    return sum(tally.total for tally in result.tallies), sum(tally.right for tally in result.tallies)


def stratum_of(result: EpisodeResult, settings: Mapping[str, Any]) -> Stratum:
    """Domain and split of an episode.

    The domain is a tag of the episode, or else the benchmark. The prefix of the domain is removed from names of splits.
    """
    domain = str(result.tags.get("domain") or settings.get("benchmark") or "all")
    return domain, _within(result.split, {domain})


def _within(split: str, domains: set[str]) -> str:
    """The name of a split without the prefix of its domain."""
    first, _, rest = split.partition(" ")
    return rest if rest and first in domains else split


def _course(run: RunDirectory, episode: str) -> list[Moment]:
    try:
        return _read_course(run, episode, _written(run, episode))
    except (OSError, DamagedTrace, RunError) as error:
        raise UnknownCourse(f"its trace cannot be read: {error}") from None


@lru_cache(maxsize=512)
def _read_course(run: RunDirectory, episode: str, written: int) -> list[Moment]:
    """The course of an episode, cached by modification time: a baseline is read for each of its pairs."""
    return course_of(whole(run.records(episode), str(run.trace(episode))))


def _written(run: RunDirectory, episode: str) -> int:
    """The modification time of an episode's events."""
    return (run.path / ITEMS if run.has_item(episode) else run.trace(episode)).stat().st_mtime_ns


def _start(run: RunDirectory, episode: str) -> str | None:
    """A hash of the goal and the first recorded state, or of a question and its answer."""
    try:
        return _question(run, episode) if run.has_item(episode) else _first_state(run.trace(episode))
    except (OSError, ValueError, RecursionError, DamagedTrace, RunError):
        return None


def _first_state(trace: Path) -> str | None:
    goal = None
    for line in lines_of(trace):
        found = json.loads(line)
        if not isinstance(found, dict) or not all(isinstance(part, dict) for part in found.values()):
            return None
        event, truth = found.get("event") or {}, found.get("truth") or {}
        goal = event.get("goal", goal) if event.get("type") == "began" else goal
        if event.get("type") in ("acted", "ended"):
            return None  # no observation before the first action
        if truth.get("state") is not None:
            return _hash([goal, sorted(map(str, truth["state"]))])
    return None


def _question(run: RunDirectory, episode: str) -> str | None:
    records = run.records(episode)
    began = next((record.event for record in records if isinstance(record.event, Began)), None)
    right = next((record.truth.value for record in records if record.truth.value is not None), None)
    return _hash([began.goal, began.options, right]) if began else None


def _hash(content: Any) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()

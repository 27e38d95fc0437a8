"""Our own runs as parts of arms."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from evals.comparison.arms import Part, Played, Stratum, UnknownCourse, Unusable
from evals.comparison.stages import Stage, stages_of
from evals.report.signs import page_of
from evals.report.wording import warnings
from evals.results import EpisodeResult
from evals.run_directory import RunDirectory, RunError
from evals.trace import DamagedTrace, read_whole


def run_directories(path: Path) -> list[Path]:
    """The runs at a path: the path itself, or all below it that are not part of another run; none if there are none."""
    found = []
    for folder, inner, files in os.walk(path):
        if "run.json" in files:
            found.append(Path(folder))
            inner.clear()
    return sorted(found)


def every_run(paths: Iterable[Path]) -> list[Path]:
    """The runs at some paths, each once; `Unusable` if there is none at one of them."""
    found: dict[Path, Path] = {}
    for path in paths:
        here = run_directories(path)
        if not here:
            raise Unusable(f"{path}: no run there: neither it nor a folder below it has a run.json")
        found |= {folder.resolve(): folder for folder in here}
    return list(found.values())


def settings_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run, together with its benchmark and, if it is a rerun, with what was put right in it."""
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
    return Part(
        name=path.resolve().name,
        settings=settings,
        fingerprints=run.config.get("fingerprints") or {},
        played=tuple(_played(run, result, settings) for result in results),
        expected=sum(run.episodes.values()) or len(results),
        warnings=tuple(warnings(run.config)),
        looks=bool(run.config.get("looks", True)),
        path=str(path),
    )


def _played(run: RunDirectory, result: EpisodeResult, settings: Mapping[str, Any]) -> Played:
    trace = run.trace(result.id)
    domain, split = stratum_of(result, settings)
    return Played(
        domain=domain,
        split=split,
        problem=result.problem,
        seed=int(settings.get("seed", 0)),
        success=result.success if result.scored else None,
        asks=result.questions > 0,
        answers=partial(_answers, result),
        stages=partial(_stages, trace),
        start=partial(_start, trace),
        page=trace.parent / page_of(result.id),
    )


def _answers(result: EpisodeResult) -> tuple[int, int]:
    return result.questions, sum(tally.right for tally in result.tallies)


def stratum_of(result: EpisodeResult, settings: Mapping[str, Any]) -> Stratum:
    """Domain and split of an episode. A run of several domains has both in the names of its splits."""
    domain = str(settings.get("domain") or settings.get("benchmark") or "all")
    if domain == "all" and " " in result.split:
        domain, _, split = result.split.partition(" ")
        return domain, split
    return domain, result.split


def _stages(trace: Path) -> list[Stage]:
    try:
        return _read_stages(trace, trace.stat().st_mtime_ns)
    except (OSError, DamagedTrace) as error:
        raise UnknownCourse(f"its trace cannot be read: {error}") from None


@lru_cache(maxsize=512)
def _read_stages(trace: Path, written: int) -> list[Stage]:
    """The stages of a trace as it was written then: a baseline is looked at once for each run it is paired with."""
    return stages_of(read_whole(trace))


def _start(trace: Path) -> str | None:
    """A hash of the goal and of the first state that was written down."""
    goal = None
    for line in _lines(trace):
        event, truth = line.get("event") or {}, line.get("truth") or {}
        goal = event.get("goal", goal) if event.get("type") == "began" else goal
        if event.get("type") in ("acted", "ended"):
            return None  # nobody looked before something was done
        if truth.get("state") is not None:
            return hashlib.sha256(json.dumps([goal, sorted(truth["state"])]).encode()).hexdigest()
    return None


def _lines(trace: Path) -> Iterator[Mapping[str, Any]]:
    try:
        with trace.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                found = json.loads(line)
                if not isinstance(found, dict) or not all(isinstance(part, dict) for part in found.values()):
                    return
                yield found
    except (OSError, ValueError):
        return

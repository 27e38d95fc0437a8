"""A sweep is a directory: the plan, a run directory for each cell, their outcomes, and one report.

sweep.json        the configuration and the cells
cells/<name>/     a run like any other
outcomes.jsonl    the outcome of a cell, each time it was played
report/           tables, plots and one page over all cells
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

from evals.pages.markup import write_atomically
from evals.run.directory import RunDirectory, RunError, take_lock
from evals.run.files import Lines, no_links, writing
from evals.run.trace import dumped
from evals.sweep.config import Cell, Plan, identity
from planners.files import read_json


class State(StrEnum):
    """The state of a cell."""

    PLAYED = "played"
    INCOMPLETE = "incomplete"  # some of its episodes could not be played
    BROKEN = "agent error"  # the agent's own code raised in some of its episodes
    FAILED = "failed"  # it could not be played at all
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a cell, and the reason if it was not played."""

    cell: str
    state: State
    reason: str = ""
    episodes: int = 0
    solved: int = 0


class SweepDirectory:
    """One sweep on disk, held by one process at a time."""

    def __init__(self, path: Path, cells: Iterable[Cell], lock: TextIO) -> None:
        self.path = path
        self.cells = tuple(cells)
        self._lock = lock

    @classmethod
    def create(cls, path: Path, plan: Plan) -> SweepDirectory:
        """A new sweep; the directory must not hold one already."""
        if (path / "sweep.json").exists():
            raise RunError(f"{path} holds a sweep already; resume it with --resume, or choose another --out")
        if path.is_dir() and any(entry.name != "lock" for entry in path.iterdir()):
            raise RunError(f"{path} is not empty; choose another --out, so that nothing gets mixed up")
        try:
            (path / "cells").mkdir(parents=True, exist_ok=True)
            sweep = cls(path, plan.cells, take_lock(path))
            sweep._write(plan)
        except OSError as error:
            raise RunError(f"cannot write to {path}: {error.strerror or error}") from None
        return sweep

    @classmethod
    def resume(cls, path: Path, plan: Plan) -> SweepDirectory:
        """A sweep to resume. Cells keep their directories; the file may have new cells."""
        no_links(path)
        known = _read(path)
        started = shard_of(path)
        if started != plan.shard:
            raise RunError(f"{path} was started {_named(started)}, not {_named(plan.shard)}: repeat that to resume it")
        names = {name for name, _ in known}
        directories = {identity(settings): name for name, settings in known}
        cells = []
        for cell in plan.cells:
            key = identity(cell.settings.model_dump(mode="json"))
            name = directories.get(key) or _unlike(cell.name, names)
            cells.append(replace(cell, name=name))
        sweep = cls(path, cells, take_lock(path))
        sweep._write(plan)
        return sweep

    def folder(self, cell: Cell) -> Path:
        """The run directory of a cell."""
        return self.path / "cells" / cell.name

    def begun(self, cell: Cell) -> bool:
        """Whether there is a run to resume; remains of a run killed at its start are removed."""
        folder = self.folder(cell)
        if (folder / "run.json").is_file():
            return True
        if folder.exists():
            shutil.rmtree(folder)
        return False

    def complete(self, cell: Cell) -> RunDirectory | None:
        """The run of a cell, if it is complete."""
        if not self.begun(cell):
            return None
        run = RunDirectory.open(self.folder(cell))
        settled = sum(result.settled for result in run.results())
        return run if run.episodes and settled >= sum(run.episodes.values()) else None

    def runs(self) -> list[Path]:
        """The runs that were started."""
        return [self.folder(cell) for cell in self.cells if (self.folder(cell) / "run.json").is_file()]

    def note(self, outcome: Outcome) -> None:
        """Write the outcome of a cell."""
        line = json.dumps({**asdict(outcome), "at": datetime.now(UTC).isoformat(timespec="seconds")})
        lines = Lines(self.path / "outcomes.jsonl")
        try:
            lines.write(line + "\n")
        finally:
            lines.close()

    def close(self) -> None:
        """Release the lock."""
        self._lock.close()

    def _write(self, plan: Plan) -> None:
        """Write the plan. Cells of earlier versions of the file stay listed, since their runs exist."""
        ours = {cell.name for cell in self.cells}
        listed = [{"name": cell.name, "settings": cell.settings.model_dump(mode="json")} for cell in self.cells]
        listed += [{"name": name, "settings": kept} for name, kept in _known(self.path) if name not in ours]
        content = {"benchmark": plan.benchmark.name, "config": plan.config, "cells": listed}
        if plan.shard:
            content["shard"] = plan.shard
        with writing(self.path / "sweep.json"):
            write_atomically(self.path / "sweep.json", dumped(content))


def shard_of(path: Path) -> str | None:
    """The part of a sweep that a directory holds; None for a whole one."""
    kept = read_json(path / "sweep.json").get("shard")
    return kept if isinstance(kept, str) else None


def _named(shard: str | None) -> str:
    return f"with --shard {shard}" if shard else "without --shard"


def _unlike(name: str, taken: set[str]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name}-{number}", number + 1
    taken.add(free)
    return free


def _known(path: Path) -> list[tuple[str, Mapping[str, Any]]]:
    return _read(path) if (path / "sweep.json").exists() else []


def _read(path: Path) -> list[tuple[str, Mapping[str, Any]]]:
    try:
        content = read_json(path / "sweep.json")
        cells: list[tuple[str, Mapping[str, Any]]] = [
            (str(cell["name"]), dict(cell["settings"])) for cell in content["cells"]
        ]
    except (ValueError, KeyError, TypeError) as error:
        if not (path / "sweep.json").exists():
            raise RunError(f"there is no sweep in {path} to resume; leave --resume out to start one") from None
        raise RunError(f"{path / 'sweep.json'} cannot be read: {error}") from None
    for name, _ in cells:
        if name in ("", ".", "..") or Path(name).name != name:  # a cell that never started is removed by its name
            raise RunError(f"{path / 'sweep.json'} has a cell {name!r}, which cannot be the name of a folder")
    return cells

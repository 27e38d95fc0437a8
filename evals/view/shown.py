"""Runs for the viewer: read leniently, reread when they change, never outside their directory."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evals.labels import Label, read_labels
from evals.run.directory import ITEMS, RunDirectory, RunError, run_directories
from evals.run.judging import Judging
from evals.run.prompts import NAME as PROMPTS
from evals.run.prompts import read_prompts
from evals.run.results import EpisodeResult
from evals.run.scores import RunScores, score_run
from evals.run.trace import LARGEST_TRACE, DamagedTrace, Record
from evals.view.blamed import NOTHING, Blamed, read_blamed
from planners.files import Unreadable, read_bytes

RESERVED = frozenset({"assets", "compare", "beside.html", "index.html", "labels", "live.json"})
"""Reserved addresses."""
BLAME = ("blame", "blame.json")


@dataclass(frozen=True)
class Contents:
    """The current contents of a run.

    `unfinished` episodes have a trace and no result; `blamed` has what would have saved failed ones, if it is known.
    """

    config: Mapping[str, Any]
    results: tuple[EpisodeResult, ...]
    unfinished: tuple[str, ...]
    scores: RunScores
    labels: tuple[Label, ...]
    notices: tuple[str, ...]
    blamed: Blamed = NOTHING

    @property
    def saved(self) -> Mapping[str, tuple[str, ...]]:
        """What would have saved each failed episode."""
        return self.blamed.saved

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each finished episode among the results."""
        return {result.id: place for place, result in enumerate(self.results)}

    @cached_property
    def judging(self) -> Judging:
        """What the judges of the run have in common."""
        return Judging.of(self.config)

    @property
    def missing(self) -> int:
        """The number of unfinished episodes."""
        return max(0, self.scores.expected - len(self.results))


@dataclass
class Shown:
    """One run, with its key in addresses."""

    key: str
    path: Path
    _read: tuple[object, Contents] | None = field(default=None, repr=False)
    _items: tuple[object, RunDirectory] | None = field(default=None, repr=False)
    _prompts: tuple[object, Mapping[str, Mapping[str, Any]]] | None = field(default=None, repr=False)

    def contents(self) -> Contents:
        """The contents of the run; reread if its files have changed."""
        state, kept = self.state(), self._read
        if kept is None or kept[0] != state:
            self._read = kept = (state, self._contents())
        return kept[1]

    def state(self) -> tuple[object, ...]:
        """The modification times and sizes of the files behind `contents`."""
        files = (self.path / "run.json", self.path / "results.jsonl", self.path / "labels.jsonl")
        return tuple(stamp(path) for path in (*files, self.path / "episodes", self.path.joinpath(*BLAME)))

    @property
    def sweep(self) -> Path | None:
        """The sweep of which the run is a cell."""
        folder = self.path.resolve().parent
        return folder.parent if folder.name == "cells" and (folder.parent / "sweep.json").is_file() else None

    def file(self, *parts: str) -> Path | None:
        """A file of the run; None if there is none, or if its name or a link points outside the run."""
        if not all(map(plain, parts)):
            return None
        root = self.path.resolve()
        try:
            found = root.joinpath(*parts).resolve(strict=True)
        except (OSError, RuntimeError, ValueError):
            return None
        return found if found.is_file() and found.is_relative_to(root) else None

    def trace(self, episode: str) -> Path | None:
        """The trace of an episode, if it is there."""
        return self.file("episodes", f"{episode}.jsonl")

    def item(self, episode: str) -> tuple[list[Record], list[str]] | None:
        """The records of a question, and damage; None if the run has no such item."""
        if self.file(ITEMS) is None:
            return None
        run = self._items
        stamped = stamp(self.path / ITEMS)
        if run is None or run[0] != stamped:
            run = self._items = (stamped, RunDirectory(self.path, {"settings": {}}))
        try:
            return (run[1].records(episode), []) if run[1].has_item(episode) else None
        except (DamagedTrace, OSError) as error:
            return [], [str(error).replace(str(self.path), self.path.name)]

    def prompts(self) -> Mapping[str, Mapping[str, Any]]:
        """The prompts of the run by id; reread if there are new ones."""
        path = self.file(PROMPTS)
        state = stamp(path) if path else None
        if self._prompts is None or self._prompts[0] != state:
            self._prompts = (state, read_prompts(path) if path else {})
        return self._prompts[1]

    def strange_file(self) -> str | None:
        """A file of the run that must not be read (an outside link, or not a regular file); None if there is none."""
        traces = (f"episodes/{path.name}" for path in (self.path / "episodes").glob("*.jsonl"))
        names = ("run.json", "results.jsonl", ITEMS, PROMPTS, *traces)
        here = (name for name in names if os.path.lexists(self.path / name))
        return next((name for name in here if self.file(*name.split("/")) is None), None)

    def _contents(self) -> Contents:
        notices: list[str] = []
        run, results = RunDirectory(self.path, {"settings": {}}), []
        try:
            self._check_links("run.json", "results.jsonl")
            run = RunDirectory.open(self.path)
            results = run.results()
        except (RunError, OSError) as error:
            notices.append(str(error).replace(str(self.path), self.path.name))
        strange = [result.id for result in results if not plain(result.id)]
        if strange:
            notices.append(f"{len(strange)} episodes are left out: {strange[0]!r} cannot be the name of a file")
        kept = [result for result in results if plain(result.id)]
        expected = {str(split): count for split, count in run.episodes.items() if isinstance(count, int)}
        splits = list(dict.fromkeys([*run.splits, *(result.split for result in kept)]))
        known = {result.id for result in kept}
        traces = sorted(path.stem for path in (self.path / "episodes").glob("*.jsonl") if self.trace(path.stem))
        labels, damaged = read_labels(self.path)
        return Contents(
            config=_sound(run.config),
            results=tuple(kept),
            unfinished=tuple(id for id in traces if id not in known),
            scores=score_run(kept, splits, expected, run.judging),
            labels=tuple(labels),
            notices=(*notices, *damaged),
            blamed=read_blamed(self.file(*BLAME)),
        )

    def _check_links(self, *names: str) -> None:
        for name in names:
            if (self.path / name).is_symlink() and self.file(name) is None:
                raise RunError(f"{self.path.name}/{name} is a link that leads out of the run, and is not read")


def plain(name: str) -> bool:
    """Whether a name is a plain file name."""
    return bool(name) and name[0] != "." and not re.search(r"[/\\\x00-\x1f]", name)


def find_runs(paths: Iterable[Path]) -> list[Shown]:
    """The runs at or below these paths; `RunError` if a path has none."""
    found: dict[Path, Shown] = {}
    for path in paths:
        here = run_directories(path)
        if not here:
            what = "there is no run in it" if path.is_dir() else "there is no such directory"
            raise RunError(f"{path}: {what}. Play one with python -m evals.viplan, or name a run directory.")
        add_runs(found, here)
    return list(found.values())


def add_runs(found: dict[Path, Shown], directories: Iterable[Path]) -> None:
    """Add runs that are new by their resolved path, under new keys."""
    taken = {run.key for run in found.values()}
    for directory in directories:
        path = directory.resolve()
        if path not in found:
            key = _key(path.name, taken)
            taken.add(key)
            found[path] = Shown(key, directory)


def _key(name: str, taken: Collection[str]) -> str:
    """A unique key for addresses, similar to the run's name."""
    safe = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII).lstrip(".") or "run"
    key, number = safe, 2
    while key in taken or key in RESERVED:
        key, number = f"{safe}-{number}", number + 1
    return key


def read_leniently(path: Path) -> tuple[list[Record], list[str]]:
    """The readable records of a trace, and the damage. A line truncated by a kill is not damage."""
    records: list[Record] = []
    damage: list[str] = []
    try:
        lines = read_bytes(path, LARGEST_TRACE).split(b"\n")
    except Unreadable as error:
        return [], [str(error)]
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            records.append(Record.model_validate_json(line))
        except ValidationError as error:
            if number < len(lines):
                reason = error.errors(include_url=False, include_context=False, include_input=False)[0]["msg"]
                damage.append(f"line {number}: {reason}")
    return records, damage


def stamp(path: Path) -> tuple[int, int] | None:
    """The modification time and size of a file; None if there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


def _sound(config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration, with parts coerced to the types that pages expect."""
    parts = {name: value if isinstance(value := config.get(name), dict) else {} for name in ("settings", "graph")}
    return {**config, **parts}

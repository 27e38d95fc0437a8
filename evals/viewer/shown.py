"""Runs as they are shown: read leniently, read again when they change, and nothing outside of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from evals.comparison.own import run_directories
from evals.labels import Label, read_labels
from evals.results import EpisodeResult
from evals.run_directory import RunDirectory, RunError
from evals.scores import RunScores, score_run
from evals.splits import ordered
from evals.trace import Record
from evals.viewer.blamed import read_saved

RESERVED = frozenset({"assets", "index.html"})
BLAME = ("blame", "blame.json")


@dataclass(frozen=True)
class Contents:
    """What a run holds at the moment.

    `unfinished` episodes have a trace and no result; `saved` says what would have saved failed ones, if that is known.
    """

    config: Mapping[str, Any]
    results: tuple[EpisodeResult, ...]
    unfinished: tuple[str, ...]
    scores: RunScores
    labels: tuple[Label, ...]
    notices: tuple[str, ...]
    saved: Mapping[str, tuple[str, ...]]

    @property
    def missing(self) -> int:
        """How many episodes the run was to play and has not finished."""
        return max(0, self.scores.expected - len(self.results))


@dataclass
class Shown:
    """One run under the name by which pages know it."""

    key: str
    path: Path
    _read: tuple[object, Contents] | None = field(default=None, repr=False)

    def contents(self) -> Contents:
        """What the run holds; read again if its files have changed."""
        files = (self.path / "run.json", self.path / "results.jsonl", self.path / "labels.jsonl")
        state = tuple(_stamp(path) for path in (*files, self.path / "episodes", self.path.joinpath(*BLAME)))
        if self._read is None or self._read[0] != state:
            self._read = (state, self._contents())
        return self._read[1]

    def file(self, *parts: str) -> Path | None:
        """A file of the run; None if there is none, or if a name or a link leads out of the run."""
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
        splits = ordered({result.split for result in kept} | expected.keys())
        known = {result.id for result in kept}
        traces = sorted(path.stem for path in (self.path / "episodes").glob("*.jsonl") if self.trace(path.stem))
        labels, damaged = read_labels(self.path)
        return Contents(
            config=_sound(run.config),
            results=tuple(kept),
            unfinished=tuple(id for id in traces if id not in known),
            scores=score_run(kept, splits, expected),
            labels=tuple(labels),
            notices=(*notices, *damaged),
            saved=read_saved(self.file(*BLAME)),
        )

    def _check_links(self, *names: str) -> None:
        for name in names:
            if (self.path / name).is_symlink() and self.file(name) is None:
                raise RunError(f"{self.path.name}/{name} is a link that leads out of the run, and is not read")


def plain(name: str) -> bool:
    """Whether a name is that of a file in a folder, and no more than that."""
    return bool(name) and name[0] != "." and not re.search(r"[/\\\x00-\x1f]", name)


def find_runs(paths: Iterable[Path]) -> list[Shown]:
    """The runs at these paths, or below them, as those of a sweep are; `RunError` where there is none."""
    found: dict[str, Shown] = {}
    for path in paths:
        here = run_directories(path)
        if not here:
            what = "there is no run in it" if path.is_dir() else "there is no such directory"
            raise RunError(f"{path}: {what}. Play one with python -m evals.viplan, or name a run directory.")
        for run in here:
            if all(run.resolve() != shown.path.resolve() for shown in found.values()):
                key = _key(run.resolve().name, found)
                found[key] = Shown(key, run)
    return list(found.values())


def _key(name: str, taken: Mapping[str, object]) -> str:
    """A name for addresses and files, like the run's own."""
    safe = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII).lstrip(".") or "run"
    key, number = safe, 2
    while key in taken or key in RESERVED:
        key, number = f"{safe}-{number}", number + 1
    return key


def read_leniently(path: Path) -> tuple[list[Record], list[str]]:
    """What can be read of a trace, and what is wrong with the rest. Line ends of a killed run are no damage."""
    records: list[Record] = []
    damage: list[str] = []
    lines = path.read_bytes().split(b"\n")
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


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


def _sound(config: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration whose parts are what pages take them for, whoever wrote it."""
    parts = {name: value if isinstance(value := config.get(name), dict) else {} for name in ("settings", "graph")}
    return {**config, **parts}

"""A run is a directory that can be opened without the program.

run.json               configuration, versions and fingerprints: all it takes to get the numbers again
episodes/<id>.jsonl    events, written as they happen
pictures/<sha256>.png  each picture once
results.jsonl          one line per finished episode
answers.sqlite         every reply, so that a killed run asks nothing twice
report.html            the page to look at
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from evals.results import EpisodeResult
from evals.splits import split_place
from evals.trace import dumped
from planners.names import natural


class RunError(Exception):
    """A run directory that cannot be used; the message says why and what to do."""


class RunDirectory:
    """One run on disk, held by one process at a time."""

    def __init__(self, path: Path, config: Mapping[str, Any]) -> None:
        self.path = path
        self.config = dict(config)
        self._lock: TextIO | None = None

    @classmethod
    def create(cls, path: Path, config: Mapping[str, Any]) -> RunDirectory:
        """A new run; the directory must not hold one already."""
        if (path / "run.json").exists():
            raise RunError(f"{path} holds a run already; go on with it by --resume {path}, or choose another --out")
        if path.is_dir() and any(path.iterdir()):
            raise RunError(f"{path} is not empty; choose another --out, so that nothing gets mixed up")
        try:
            (path / "episodes").mkdir(parents=True, exist_ok=True)
            (path / "pictures").mkdir(exist_ok=True)
            run = cls(path, config)
            run._lock = take_lock(path)
            aside = path / "run.json.part"
            aside.write_text(dumped(config), encoding="utf-8")
            aside.rename(path / "run.json")
        except OSError as error:
            raise RunError(f"cannot write to {path}: {error.strerror or error}") from None
        return run

    @classmethod
    def open(cls, path: Path, *, hold: bool = False) -> RunDirectory:
        """An existing run; `hold` keeps other processes from writing to it."""
        try:
            config = json.loads((path / "run.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunError(f"{path} is not a run: it has no run.json") from None
        except (OSError, ValueError) as error:
            raise RunError(f"{path / 'run.json'} cannot be read: {error}") from None
        if not isinstance(config, dict) or "settings" not in config:
            raise RunError(f"{path / 'run.json'} is not the record of a run: it has no settings")
        run = cls(path, config)
        if hold:
            try:
                run._lock = take_lock(path)
            except OSError as error:
                raise RunError(f"cannot write to {path}: {error.strerror or error}") from None
        return run

    @property
    def episodes(self) -> dict[str, int]:
        """How many episodes the run was to play, by split."""
        told = self.config.get("episodes")
        return dict(told) if isinstance(told, dict) else {}

    def trace(self, episode: str) -> Path:
        """The file of an episode's events."""
        return self.path / "episodes" / f"{episode}.jsonl"

    def results(self) -> list[EpisodeResult]:
        """The finished episodes, by split and number whichever ended first.

        Of several lines about an episode the last counts; a line cut off by a kill is left out.
        """
        found: dict[str, EpisodeResult] = {}
        for number, line in enumerate(self._result_lines(), 1):
            try:
                result = EpisodeResult.model_validate_json(line)
            except ValidationError as error:
                reason = error.errors(include_url=False, include_context=False, include_input=False)[0]["msg"]
                raise RunError(
                    f"{self.path / 'results.jsonl'}, line {number} is damaged ({reason}). Remove that line to have "
                    "its episode run again; all answers are kept in answers.sqlite."
                ) from None
            found[result.id] = result
        return sorted(found.values(), key=lambda result: (split_place(result.split), natural(result.id), result.id))

    def append(self, result: EpisodeResult) -> None:
        """Write down that an episode is finished."""
        with (self.path / "results.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(result.model_dump_json() + "\n")
            lines.flush()
            os.fsync(lines.fileno())

    def mend(self) -> None:
        """Take away a last line that a kill cut off, so that the next one does not run into it."""
        path = self.path / "results.jsonl"
        if path.exists():
            whole = path.read_bytes().rfind(b"\n") + 1
            with path.open("r+b") as lines:
                lines.truncate(whole)

    def close(self) -> None:
        """Let other processes write."""
        if self._lock:
            self._lock.close()
            self._lock = None

    def _result_lines(self) -> list[str]:
        path = self.path / "results.jsonl"
        if not path.exists():
            return []
        text = path.read_text(encoding="utf-8", errors="replace")
        # Not splitlines: a detail may hold other line separators than ours.
        return [line for line in text[: text.rfind("\n") + 1].split("\n") if line]


def take_lock(path: Path) -> TextIO:
    """Keep other processes from writing to a directory until the file is closed; `RunError` if one is writing."""
    lock = (path / "lock").open("a")
    try:
        import fcntl
    except ImportError:  # Windows: nothing keeps a second process out
        return lock
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise RunError(f"{path} is being written by another process; wait for it or choose another --out") from None
    return lock

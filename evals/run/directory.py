"""A run is a directory that can be read without the program.

run.json               configuration, versions and fingerprints: everything needed to reproduce the numbers
episodes/<id>.jsonl    events, written as they happen
items.jsonl            for questions, instead: all events of a question in one line
prompts.jsonl          the messages of every request, each stored once
pictures/<sha256>.png  each picture, stored once
results.jsonl          one line per finished episode
answers.sqlite         every reply, so that a resumed run repeats only the requests that were under way
report.html            the report
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from evals.run.files import Lines, cut_after_last_line, no_links, writing
from evals.run.files import RunError as RunError
from evals.run.judging import Judging
from evals.run.results import EpisodeResult
from evals.run.shards import Shard
from evals.run.trace import DamagedTrace, Item, Record, dumped, item_line, read_trace, reason_of
from planners.files import LARGEST_LISTED, Unreadable, lines_of, read_json, read_text
from planners.names import natural

LONGEST_NAME = 230
"""Bytes of an episode's name: a file name has 255, including suffixes."""
LARGEST_RESULTS = 64 * 2**20
"""The largest results file that is read, in bytes: enough for a hundred thousand episodes."""
FORMAT = 2
"""Raised whenever older versions cannot read new runs."""
ITEMS = "items.jsonl"
RESULTS = "results.jsonl"
_ITEM = re.compile(rb'\{"id":("(?:[^"\\]|\\.)*")')


class RunDirectory:
    """One run on disk, held by one process at a time."""

    def __init__(self, path: Path, config: Mapping[str, Any]) -> None:
        self.path = path
        self.config = dict(config)
        self._lock: TextIO | None = None
        self._open: dict[str, Lines] = {}
        self._items: dict[str, tuple[int, int]] = {}
        self._indexed = 0

    @classmethod
    def create(cls, path: Path, config: Mapping[str, Any]) -> RunDirectory:
        """A new run; the directory must not hold one already."""
        if (path / "run.json").exists():
            raise RunError(f"{path} holds a run already; resume it with --resume {path}, or choose another --out")
        if path.is_dir() and any(path.iterdir()):
            raise RunError(f"{path} is not empty; choose another --out")
        try:
            (path / "episodes").mkdir(parents=True, exist_ok=True)
            (path / "pictures").mkdir(exist_ok=True)
            run = cls(path, config)
            run._lock = take_lock(path)
            aside = path / "run.json.part"
            aside.write_text(dumped(config, sort=False), encoding="utf-8")
            aside.rename(path / "run.json")
        except OSError as error:
            raise RunError(f"cannot write to {path}: {error.strerror or error}") from None
        return run

    @classmethod
    def open(cls, path: Path, *, hold: bool = False) -> RunDirectory:
        """An existing run; `hold` locks it against other writers."""
        if not (path / "run.json").exists():
            raise RunError(f"{path} is not a run: it has no run.json")
        try:
            config = read_json(path / "run.json")
        except Unreadable as error:
            raise RunError(f"{path / 'run.json'} cannot be read: {error}") from None
        if not isinstance(config, dict) or not isinstance(config.get("settings"), dict):
            raise RunError(f"{path / 'run.json'} does not describe a run: it has no settings")
        if config.get("format") != FORMAT:
            raise RunError(f"{path} was written by another version of Plumbline and cannot be read by this one")
        run = cls(path, _sound(config))
        if hold:
            no_links(path)
            try:
                run._lock = take_lock(path)
            except OSError as error:
                raise RunError(f"cannot write to {path}: {error.strerror or error}") from None
        return run

    def update(self, config: Mapping[str, Any]) -> None:
        """Replace the configuration, such as after a larger --limit; the start time stays."""
        self.config = {**config, "started": self.config.get("started")}
        with writing(self.path / "run.json"):
            aside = self.path / "run.json.part"
            aside.write_text(dumped(self.config, sort=False), encoding="utf-8")
            aside.rename(self.path / "run.json")

    @property
    def episodes(self) -> dict[str, int]:
        """How many episodes the run has, by split."""
        stored = self.config.get("episodes")
        known = stored.items() if isinstance(stored, dict) else ()
        return {str(split): count for split, count in known if type(count) is int and 0 <= count < 10**9}

    @property
    def shard(self) -> str | None:
        """Which part of a run this is, such as `2/4`; None for a whole run."""
        kept = self.config.get("shard")
        try:
            return str(Shard.parse(kept)) if isinstance(kept, str) else None
        except ValueError:
            return None

    @property
    def splits(self) -> list[str]:
        """The splits in the order of the benchmark's tables."""
        stored = self.config.get("splits")
        return [str(split) for split in stored] if isinstance(stored, list) else sorted(self.episodes)

    @property
    def judging(self) -> Judging:
        """What the run's judges have in common."""
        return Judging.of(self.config)

    def trace(self, episode: str) -> Path:
        """The file of an episode's events, if it has its own; `RunError` if its name is not a file name."""
        if episode in ("", ".", "..") or {"/", "\\", "\0"} & set(episode):
            raise RunError(f"{self.path}: {episode!r} is no name of an episode: it would point outside the run")
        if len(episode.encode("utf-8", "replace")) > LONGEST_NAME:
            raise RunError(f"{self.path}: {episode[:40]!r}… is no name of an episode: it is too long for a file")
        return self.path / "episodes" / f"{episode}.jsonl"

    def records(self, episode: str) -> list[Record]:
        """The records of an episode; `DamagedTrace` or `OSError` if they cannot be read."""
        place = self._index().get(episode)
        if place is None:
            try:
                return read_trace(self.trace(episode))
            except RunError as error:
                raise DamagedTrace(str(error)) from None
        with (self.path / ITEMS).open("rb") as lines:
            lines.seek(place[0])
            line = lines.read(place[1])
        try:
            return list(Item.model_validate_json(line).records)
        except ValidationError as error:
            raise DamagedTrace(f"{self.path / ITEMS}, {episode}: {reason_of(error)}") from None

    def has_item(self, episode: str) -> bool:
        """Whether the episode is a question with a line in `items.jsonl`."""
        return episode in self._index()

    def records_of(self, result: EpisodeResult) -> list[Record]:
        """The records of a finished episode; none if it could not be started."""
        try:
            return self.records(result.id)
        except FileNotFoundError:
            if result.settled:
                raise
            return []

    def add_item(self, episode: str, records: Sequence[Record]) -> None:
        """Write all records of a question."""
        self.add_item_line(item_line(episode, records))

    def add_item_line(self, line: str) -> None:
        """Write a question that another process has played."""
        self._write(ITEMS, line)

    def _index(self) -> dict[str, tuple[int, int]]:
        """The position of each question in `items.jsonl`; of several lines for one, the last counts."""
        path = self.path / ITEMS
        size = path.stat().st_size if path.exists() else 0
        if size != self._indexed:
            self._items, self._indexed = _places(path), size
        return self._items

    def results(self) -> list[EpisodeResult]:
        """The finished episodes, sorted by split and number.

        Of several lines for an episode, the last counts; a line truncated by a kill is skipped.
        """
        found: dict[str, EpisodeResult] = {}
        for number, line in enumerate(self._result_lines(), 1):
            try:
                result = EpisodeResult.model_validate_json(line)
            except ValidationError as error:
                raise RunError(
                    f"{self.path / 'results.jsonl'}, line {number} is damaged ({reason_of(error)}). Remove that line "
                    "to have its episode run again; all answers are kept in answers.sqlite."
                ) from None
            found[result.id] = result
        places = {split: place for place, split in enumerate(self.splits)}
        last = len(places)
        return sorted(
            found.values(), key=lambda result: (places.get(result.split, last), natural(result.id), result.id)
        )

    def append(self, result: EpisodeResult) -> None:
        """Write the result of an episode. It survives a kill, and after `sync` also a power cut."""
        self._write(RESULTS, result.model_dump_json(exclude_none=True) + "\n")

    def sync(self) -> None:
        """Wait until all items and results are on disk."""
        for name in (ITEMS, RESULTS):
            lines = self._open.get(name)
            if lines is not None:
                lines.sync()

    def _write(self, name: str, text: str) -> None:
        """Append to a file of the run, which stays open."""
        lines = self._open.get(name)
        if lines is None:
            lines = self._open[name] = Lines(self.path / name)
        lines.write(text)

    def mend(self) -> None:
        """Remove last lines truncated by a kill, so that further lines start cleanly."""
        for path in (self.path / RESULTS, self.path / ITEMS):
            if path.exists():
                cut_after_last_line(path)

    def close(self) -> None:
        """Sync, close all files and release the lock; `CannotKeep` if syncing fails."""
        try:
            self.sync()
        finally:
            for lines in self._open.values():
                lines.close()
            self._open.clear()
            if self._lock:
                self._lock.close()
                self._lock = None

    def _result_lines(self) -> list[str]:
        path = self.path / RESULTS
        if not path.exists():
            return []
        try:
            text = read_text(path, LARGEST_RESULTS)
        except (OSError, Unreadable) as error:
            raise RunError(f"{path} cannot be read: {_reason(error)}") from None
        # Not splitlines: a detail may hold other line separators than ours.
        return [line for line in text[: text.rfind("\n") + 1].split("\n") if line]


def _sound(config: dict[str, Any]) -> dict[str, Any]:
    """The configuration, with parts that are not objects replaced by empty ones."""
    parts = ("fingerprints", "versions", "usual", "graph", "rerun")
    wrong = [name for name in parts if name in config and not isinstance(config[name], dict)]
    return {**config, **{name: {} for name in wrong}}


def run_directories(path: Path) -> list[Path]:
    """The runs at a path: the path itself, or all below it that are not inside another run."""
    found = []
    for folder, inner, files in os.walk(path):
        if "run.json" in files:
            found.append(Path(folder))
            inner.clear()
    return sorted(found)


def _places(path: Path) -> dict[str, tuple[int, int]]:
    """The offset and length of each item's line. A line without a newline is still being written."""
    found: dict[str, tuple[int, int]] = {}
    start = 0
    try:
        for line in lines_of(path, LARGEST_LISTED):
            name = _ITEM.match(line)
            if name and line.endswith(b"\n"):
                with suppress(ValueError):  # not one of our items
                    found[json.loads(name[1])] = (start, len(line))
            start += len(line)
    except (OSError, ValueError) as error:
        raise DamagedTrace(f"{path} cannot be read: {_reason(error)}") from None
    return found


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def take_lock(path: Path) -> TextIO:
    """Lock a directory against other writers until the file is closed; `RunError` if it is locked."""
    lock = (path / "lock").open("a")
    try:
        import fcntl
    except ImportError:  # Windows: no lock
        return lock
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise RunError(f"{path} is being written by another process; wait for it or choose another --out") from None
    return lock

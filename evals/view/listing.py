"""The runs below some folders, looked for again while they are on show: new ones appear, deleted ones go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, ValuesView
from pathlib import Path
from threading import Lock

from evals.run.directory import run_directories
from evals.view.shown import Shown, add_runs, find_runs


class Listing(Mapping[str, Shown]):
    """Runs by key. A run keeps its key, so that addresses stay what they are whatever appears beside it."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """List the runs at these paths, or below them; `RunError` where there is none yet."""
        self._paths = tuple(paths)
        self._known = {run.path.resolve(): run for run in find_runs(paths)}
        self._shown = {run.key: run for run in self._known.values()}
        self._lock = Lock()

    def refresh(self) -> None:
        """Look again."""
        with self._lock:
            here = [run for path in self._paths for run in run_directories(path)]
            add_runs(self._known, here)
            found = (self._known[run.resolve()] for run in here)
            self._shown = {run.key: run for run in found}

    def values(self) -> ValuesView[Shown]:
        """The runs of one moment: others may look again meanwhile."""
        return self._shown.values()

    def __getitem__(self, key: str) -> Shown:
        return self._shown[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)

    def __len__(self) -> int:
        return len(self._shown)

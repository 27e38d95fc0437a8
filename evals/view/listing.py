"""The runs below folders, refreshed while the viewer runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, ValuesView
from pathlib import Path
from threading import Lock

from evals.run.directory import run_directories
from evals.view.shown import Shown, add_runs, find_runs


class Listing(Mapping[str, Shown]):
    """Runs by key. A run keeps its key, so that addresses are stable."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """List the runs at or below these paths; `RunError` if there are none."""
        self._paths = tuple(paths)
        self._known = {run.path.resolve(): run for run in find_runs(paths)}
        self._shown = {run.key: run for run in self._known.values()}
        self._lock = Lock()

    def refresh(self) -> None:
        """Search again for runs."""
        with self._lock:
            here = [run for path in self._paths for run in run_directories(path)]
            add_runs(self._known, here)
            found = (self._known[run.resolve()] for run in here)
            self._shown = {run.key: run for run in found}

    def values(self) -> ValuesView[Shown]:
        """A snapshot of the runs: other threads may refresh meanwhile."""
        return self._shown.values()

    def __getitem__(self, key: str) -> Shown:
        return self._shown[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)

    def __len__(self) -> int:
        return len(self._shown)

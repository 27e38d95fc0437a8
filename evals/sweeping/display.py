"""How far a sweep has come: one bar over all cells and one for the cell under way, or lines without a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any

from evals.progress import EVERY
from evals.results import EpisodeResult
from evals.sweeping.directory import Outcome
from models.budget import Budget


class SweepProgress:
    """Tells on stderr what has been played."""

    def __init__(self, cells: int, episodes: int, budget: Budget) -> None:
        self._cells, self._episodes, self._budget = cells, episodes, budget
        self._ended = self._failed = self._played = self._scored = self._solved = 0
        self._bar: Any = None
        self._whole: Any = None
        self._tasks: dict[str, Any] = {}
        self._told = 0.0

    def __enter__(self) -> SweepProgress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
            so_far = TextColumn("{task.fields[so_far]}")
            left = TimeRemainingColumn(compact=True, elapsed_when_finished=True)
            self._bar = Bar(*columns, so_far, left, console=Console(stderr=True))
            self._whole = self._bar.add_task("sweep", total=self._episodes, so_far=self.so_far())
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def begin(self, name: str, total: int, done: Sequence[EpisodeResult]) -> None:
        """A cell is under way."""
        for result in done:
            self._count(result)
        if self._bar:
            self._tasks[name] = self._bar.add_task(name, total=total, completed=len(done), so_far="")
            self._bar.update(self._whole, advance=len(done), so_far=self.so_far())
        else:
            self._say(f"{name}: {total - len(done)} of {total} episodes to play")

    def finished(self, name: str, result: EpisodeResult) -> None:
        """One more episode of a cell is over."""
        self._count(result)
        if self._bar:
            self._bar.update(self._tasks[name], advance=1)
            self._bar.update(self._whole, advance=1, so_far=self.so_far())
        elif time.monotonic() - self._told > EVERY:
            self._say(f"{self._played} of {self._episodes} episodes, {self.so_far()}")

    def end(self, outcome: Outcome) -> None:
        """A cell is over."""
        self._ended += 1
        self._failed += bool(outcome.reason)
        task = self._tasks.pop(outcome.cell, None)
        if task is not None:
            self._bar.remove_task(task)
        told = f"{outcome.cell}: {outcome.state}"
        told += f", solved {outcome.solved}/{outcome.episodes}" if outcome.episodes else ""
        told += f": {outcome.reason}" if outcome.reason else ""
        self.say(f"{self._ended} of {self._cells} cells, {told}")
        if self._bar:
            self._bar.update(self._whole, so_far=self.so_far())

    def so_far(self) -> str:
        """The success up to now, cells and what is spent."""
        parts = [f"solved {self._solved}/{self._scored}", f"cells {self._ended}/{self._cells}"]
        parts += [f"{self._failed} not whole"] if self._failed else []
        return ", ".join([*parts, f"${self._budget.cost:.2f}"])

    def say(self, text: str) -> None:
        """Something that whoever waits should know."""
        if self._bar:
            self._bar.console.print(text, highlight=False, markup=False)
        else:
            self._say(text)

    def _count(self, result: EpisodeResult) -> None:
        self._played += 1
        self._scored += result.scored
        self._solved += result.scored and result.success

    def _say(self, text: str) -> None:
        self._told = time.monotonic()
        print(text, file=sys.stderr, flush=True)

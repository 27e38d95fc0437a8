"""How far a run has come: a bar with the success so far and the cost, or lines where there is no terminal."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

from evals.results import EpisodeResult
from models.budget import Budget

EVERY = 10.0
"""Seconds between lines where there is no terminal."""


class Progress:
    """Tells on stderr what has been played."""

    def __init__(self, total: int, done: list[EpisodeResult], label: str, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._total = total
        self._results = list(done)
        self._label = label
        self._bar: Any = None
        self._task: Any = None
        self._told = 0.0

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[so_far]}"),
            )
            self._bar = Bar(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True))
            self._task = self._bar.add_task(
                self._label, total=self._total, completed=len(self._results), so_far=self.so_far()
            )
            self._bar.start()
        else:
            self._say(f"{self._label}: {self._total - len(self._results)} of {self._total} episodes to play")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def finished(self, result: EpisodeResult) -> None:
        """One more episode is over."""
        self._results.append(result)
        if self._bar:
            self._bar.update(self._task, advance=1, so_far=self.so_far())
        elif time.monotonic() - self._told > EVERY or len(self._results) == self._total:
            self._say(f"{len(self._results)} of {self._total} episodes, {self.so_far()}")

    def so_far(self) -> str:
        """The success up to now, and what this call has spent."""
        scored = [result for result in self._results if result.scored]
        solved = sum(result.success for result in scored)
        lost = len(self._results) - len(scored)
        parts = [f"solved {solved}/{len(scored)}", f"${self._budget.cost:.2f}", f"{lost} not played" if lost else ""]
        return ", ".join(part for part in parts if part)

    def say(self, text: str) -> None:
        """Something that whoever waits should know."""
        if self._bar:
            self._bar.console.print(text)
        else:
            self._say(text)

    def _say(self, text: str) -> None:
        self._told = time.monotonic()
        print(text, file=sys.stderr, flush=True)

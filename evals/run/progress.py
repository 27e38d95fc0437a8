"""The progress of a run: a bar with the success so far and the cost, or lines without a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Any

from evals.pages.terminal import console, inert
from evals.run.results import EpisodeResult
from models.budget import Budget

EVERY = 10.0
"""Seconds between lines without a terminal."""


class Progress:
    """Shows the progress of one or more runs on stderr.

    Tasks count as solved, `questions` as right.
    """

    def __init__(
        self,
        total: int,
        done: Iterable[EpisodeResult],
        label: str,
        budget: Budget | None = None,
        *,
        questions: bool = False,
    ) -> None:
        self._total, self._label, self._budget = total, label, budget or Budget()
        self._word = "right" if questions else "solved"
        self._played = self._scored = self._solved = 0
        self._bar: Any = None
        self._task: Any = None
        self._last = 0.0
        for result in done:
            self._count(result)

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (
                # Names of agents and models are not markup.
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[so_far]}", markup=False),
            )
            self._bar = Bar(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console(stderr=True))
            self._task = self._bar.add_task(
                inert(self._label), total=self._total, completed=self._played, so_far=self.so_far()
            )
            self._bar.start()
        else:
            self.say(f"{self._label}: {self._total - self._played} of {self._total} episodes to play")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def finished(self, result: EpisodeResult) -> None:
        """Count one more episode."""
        self._count(result)
        if self._bar:
            self._bar.update(self._task, advance=1, so_far=self.so_far())
        elif time.monotonic() - self._last > EVERY or self._played == self._total:
            self.say(f"{self._played} of {self._total} episodes, {self.so_far()}")

    def so_far(self) -> str:
        """The success so far, and the cost of this command."""
        lost = self._played - self._scored
        parts = [f"{self._word} {self._solved}/{self._scored}", f"${self._budget.cost:.2f}"]
        return ", ".join([*parts, *([f"{lost} not scored"] if lost else [])])

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self._last = time.monotonic()
        if self._bar:
            self._bar.console.print(text, highlight=False, markup=False)
        else:
            print(text, file=sys.stderr, flush=True)

    def _count(self, result: EpisodeResult) -> None:
        self._played += 1
        self._scored += result.scored
        self._solved += result.scored and result.success

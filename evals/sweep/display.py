"""Progress of a sweep: a bar over the episodes of all cells, and a line at the start and end of each cell."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from evals.run.progress import Progress
from evals.run.results import EpisodeResult
from evals.sweep.directory import Outcome
from models.budget import Budget


class SweepProgress:
    """Shows progress on stderr."""

    def __init__(self, cells: int, episodes: int, budget: Budget, *, questions: bool = False) -> None:
        self._cells, self._ended = cells, 0
        self._word = "right" if questions else "solved"
        self._all = Progress(episodes, [], "sweep", budget, questions=questions)

    def __enter__(self) -> SweepProgress:
        self._all.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._all.__exit__(kind, error, trace)

    def begin(self, name: str, total: int, done: Sequence[EpisodeResult]) -> None:
        """A cell starts; some of its episodes may be done already."""
        for result in done:
            self._all.finished(result)
        if total > len(done):
            self.say(f"{name}: {total - len(done)} of {total} episodes to play")

    def finished(self, result: EpisodeResult) -> None:
        """Count one more episode."""
        self._all.finished(result)

    def end(self, outcome: Outcome) -> None:
        """A cell is done."""
        self._ended += 1
        line = f"{outcome.cell}: {outcome.state}"
        line += f", {self._word} {outcome.solved}/{outcome.episodes}" if outcome.episodes else ""
        line += f": {outcome.reason}" if outcome.reason else ""
        self.say(f"{self._ended} of {self._cells} cells, {line}")

    def so_far(self) -> str:
        """The success so far and the cost."""
        return self._all.so_far()

    def say(self, text: str) -> None:
        """Print a line above the progress."""
        self._all.say(text)

"""Controls: runs in which one part is removed or made perfect, to measure what the others contribute.

    python -m evals.viplan --agent ground_belief --control blind

The judge defines the controls. A controlled run is labelled in `run.json`, in every result, table and page. It is not a
result of the method.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evals.run.episodes import Episode
from evals.run.judging import Judge
from models.base import Model, Witnessing
from models.sim import StandIn
from planners.names import unknown

OTHER = "other-answers"
"""The control that needs another problem."""


@dataclass(frozen=True)
class Control:
    """A control of a run; `judge_of` opens another episode to borrow from."""

    name: str
    episodes: Callable[[], Sequence[Episode]]
    judge_of: Callable[[Episode], Judge]

    @cached_property
    def _next(self) -> Mapping[str, Episode]:
        """For each episode, the next one in its split, cyclically."""
        splits: dict[str, list[Episode]] = {}
        for episode in self.episodes():
            splits.setdefault(episode.split, []).append(episode)
        return {
            episode.id: other
            for group in splits.values()
            for episode, other in zip(group, [*group[1:], group[0]], strict=True)
        }

    def check(self, model: Model, possible: Mapping[str, str]) -> None:
        """`ValueError` if the control does not fit the benchmark, the model or the problems."""
        if self.name not in possible:
            raise unknown("control", self.name, tuple(possible))
        if isinstance(model, Witnessing) and not isinstance(model, StandIn):
            raise ValueError(f"--control {self.name}: {model.identity} replays a record, which a control cannot change")
        if self.name == OTHER:
            alone = next((id for id, other in self._next.items() if other.id == id), None)
            if alone is not None:
                raise ValueError(
                    f"--control {self.name} needs at least two problems in a split; {alone} is the only one"
                )

    def model(self, model: Model, episode: Episode, judge: Judge) -> Model:
        """The model of a controlled episode."""
        other = self.judge_of(self._next[episode.id]) if self.name == OTHER else None
        return judge.controlled(self.name, model, other)

"""Controls: runs in which a part of what is measured is taken away or made perfect, to see what the rest is worth.

    python -m evals.viplan --agent ground_belief --control blind

Which controls there are is the judge's to say. A controlled run is labelled as one in `run.json`, in every result,
table and page. It is no result of the method.
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
    """A control over the episodes of a run; `judge_of` opens another episode to borrow from."""

    name: str
    episodes: Callable[[], Sequence[Episode]]
    judge_of: Callable[[Episode], Judge]

    @cached_property
    def _next(self) -> Mapping[str, Episode]:
        """For each episode the one after it in its split; the last one has the first."""
        splits: dict[str, list[Episode]] = {}
        for episode in self.episodes():
            splits.setdefault(episode.split, []).append(episode)
        return {
            episode.id: other
            for group in splits.values()
            for episode, other in zip(group, [*group[1:], group[0]], strict=True)
        }

    def check(self, model: Model, possible: Mapping[str, str]) -> None:
        """`ValueError` if the control makes no sense with the benchmark, the model or the problems."""
        if self.name not in possible:
            raise unknown("control", self.name, tuple(possible))
        if isinstance(model, Witnessing) and not isinstance(model, StandIn):
            raise ValueError(f"--control {self.name}: {model.identity} answers from a record, which nothing can change")
        if self.name == OTHER:
            alone = next((id for id, other in self._next.items() if other.id == id), None)
            if alone is not None:
                raise ValueError(f"--control {self.name} needs at least two problems in a split; {alone} is alone")

    def model(self, model: Model, episode: Episode, judge: Judge) -> Model:
        """The model as it answers in a controlled episode."""
        other = self.judge_of(self._next[episode.id]) if self.name == OTHER else None
        return judge.controlled(self.name, model, other)

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
PICTURES = {
    "dark": "the model sees every picture at 60 % of its brightness",
    "bright": "the model sees every picture at 140 % of its brightness",
    "noise": "the model sees every picture with noise in every pixel",
    "crop": "the model sees every picture without its outer 5 %",
    "small": "the model sees every picture at half the resolution",
}
"""Controls that disturb pictures."""
REWORDED = {
    "reworded-first": "the model gets prompts and questions in other words (the first paraphrase)",
    "reworded-second": "the model gets prompts and questions in other words (the second paraphrase)",
}
"""Controls that paraphrase prompts and questions."""
RENAMED = "renamed"
WORDS = {**REWORDED, RENAMED: "the model gets other names of things"}
"""All controls of wording."""


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
        if self.name in PICTURES and not model.looks:
            raise ValueError(f"--control {self.name}: {model.identity} does not look at pictures")
        if self.name in WORDS and not getattr(model, "reads", True):
            raise ValueError(f"--control {self.name}: {model.identity} does not read words")
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

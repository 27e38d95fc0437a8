"""What a judge is: the only object that knows the truth of an episode.

A judge adds the truth to every event, scores the episode, and answers for simulated models. What the judges of a
benchmark have in common is data (`Judging`) stored with a run, so that tables, pages and comparisons know nothing of
the benchmark: failure classes, measures, dimensions of answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict

from evals.run.trace import Record, Truth
from models.base import Mind, Model, Request
from planners.outcome import Planner
from tools.events import AGENT_ERRORS, INFRASTRUCTURE, Ended, Event

UNPLAYED = "infrastructure"
AGENT_ERROR = "agent_error"
COMMON = {
    UNPLAYED: "Model, planner, world or program could not be reached or broke down: never counted against the model.",
    AGENT_ERROR: "The agent's own code raised, never ended, or ended without saying why: for its author to mend.",
}
"""Failure classes of every benchmark. Neither is the model's fault, so neither is scored."""


class Tally(BaseModel):
    """The number of answers in one group, and how many were right. `by` has the group's value in each dimension."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: dict[str, str]
    right: int
    total: int


@dataclass(frozen=True, slots=True)
class Score:
    """The score of an episode, from 0 to 1, the failure class if it failed, and how it ended if the judge tells."""

    value: float
    success: bool
    failure: str | None = None
    measures: Mapping[str, float] = field(default_factory=dict)
    tallies: tuple[Tally, ...] = ()
    end: str | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure in tables and pages, computed from the counts of episodes.

    A `mean` is the sum of the counts `of` per episode, a `total` their sum, a `share` their sum divided by the sum of
    `over`, an `accuracy` the share of right answers among the tallies that match `where`, or its mean over the values
    of `macro`. `attempts/*` stands for all counts with that prefix. `column` ranks the measure among the columns of a
    terminal table, the most important first; 0 omits it. `title` is its heading, `meaning` an explanation.
    """

    name: str
    kind: Literal["mean", "total", "share", "accuracy"]
    title: str = ""
    meaning: str = ""
    of: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    macro: str = ""
    column: int = 0

    @property
    def heading(self) -> str:
        """Its heading in tables."""
        return self.title or self.name.replace("_", " ")


@dataclass(frozen=True)
class Judging:
    """What the judges of a benchmark have in common, as data.

    `classes` are the failure classes with their meanings, `ends` the ways in which an episode can end; `groups` the
    prefixes of counts that get their own table; `dimensions` what answers are tallied by; `controls` and `changes` the
    interventions in a run and in a rerun. Of the changes, `faculties` are those that failures are blamed on, in order;
    `together` names sets of changes; under a `truthful` change, replies come from the truth. `panels` are the parts of
    an episode's page. `overall` defines the overall number: the mean over the values of the first tag, of the means
    over the next, and so on; if empty, the mean over episodes. `cluster` is the tag by which episodes are not
    independent.
    """

    classes: Mapping[str, str] = field(default_factory=dict)
    ends: Mapping[str, str] = field(default_factory=dict)
    measures: tuple[Measure, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    dimensions: Mapping[str, str] = field(default_factory=dict)
    controls: Mapping[str, str] = field(default_factory=dict)
    changes: Mapping[str, str] = field(default_factory=dict)
    faculties: tuple[str, ...] = ()
    together: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    truthful: tuple[str, ...] = ()
    panels: tuple[str, ...] = ()
    overall: tuple[str, ...] = ("split",)
    cluster: str = "problem"

    @property
    def meanings(self) -> dict[str, str]:
        """All failure classes with their meanings, including the common ones."""
        return {**self.classes, **COMMON}

    @property
    def of_questions(self) -> bool:
        """Whether the tasks are questions, not worlds."""
        return "question" in self.panels

    def as_json(self) -> dict[str, Any]:
        """The form in `run.json`."""
        return asdict(self)

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Judging:
        """The judging in a run's configuration; an empty one if it cannot be read."""
        kept = config.get("judging")
        if not isinstance(kept, Mapping):
            return cls()
        try:
            measures = tuple(
                Measure(**{**measure, "of": _texts(measure["of"]), "over": _texts(measure["over"])})
                for measure in kept.get("measures", ())
            )
            return cls(
                classes=_meanings(kept.get("classes", {})),
                ends=_meanings(kept.get("ends", {})),
                measures=measures,
                groups=_meanings(kept.get("groups", {})),
                dimensions=_meanings(kept.get("dimensions", {})),
                controls=_meanings(kept.get("controls", {})),
                changes=_meanings(kept.get("changes", {})),
                faculties=_texts(kept.get("faculties", ())),
                together={name: _texts(parts) for name, parts in kept.get("together", {}).items()},
                truthful=_texts(kept.get("truthful", ())),
                panels=_texts(kept.get("panels", ())),
                overall=_texts(kept.get("overall", ("split",))),
                cluster=str(kept.get("cluster", "problem")),
            )
        except (TypeError, ValueError, KeyError, AttributeError):
            return cls()


def _texts(kept: Any) -> tuple[str, ...]:
    if not isinstance(kept, list | tuple) or not all(isinstance(one, str) for one in kept):
        raise TypeError("not a list of texts")
    return tuple(kept)


def _meanings(kept: Any) -> dict[str, str]:
    return {str(name): str(meaning) for name, meaning in dict(kept).items()}


class Judge(Protocol):
    """Knows the truth of one episode. It is also the witness of simulated models."""

    @property
    def tags(self) -> Mapping[str, str]:
        """The tags of the episode."""
        ...

    def beside(self, event: Event) -> Truth:
        """The truth of the moment."""
        ...

    def score(self, records: Sequence[Record]) -> Score:
        """The score of an episode that neither the infrastructure nor the agent's code cut short."""
        ...

    async def right(self, request: Request, mind: Mind) -> str:
        """The reply of a simulated model with this mind."""
        ...

    def controlled(self, control: str, model: Model, other: Judge | None) -> Model:
        """The model under a control; `other` is the judge of another problem."""
        ...

    def planner(self, control: str | None, planner: Planner) -> Planner:
        """The planner under a control."""
        ...

    def rehearse(self, planner: Planner) -> str:
        """What is wrong with the planner, after a test plan; empty if it works or none is needed."""
        ...


def cut_short(records: Sequence[Record]) -> str | None:
    """The class of an episode that was cut short and is not scored; None for any other."""
    last = records[-1].event if records else None
    if not isinstance(last, Ended) or last.reason in INFRASTRUCTURE:
        return UNPLAYED
    return AGENT_ERROR if last.reason in AGENT_ERRORS else None

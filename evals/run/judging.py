"""What a judge is: the only one who knows the truth of an episode.

A judge puts the truth beside every event, scores the whole, and tells models without eyes what is right. What all
judges of a benchmark have in common is data (`Judging`) that a run keeps, so that tables, pages and comparisons need to
know nothing of the benchmark: which failure classes there are, what is measured, by what answers are counted.
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
"""Failure classes that every benchmark has. Neither says anything about the model, so neither is scored."""


class Tally(BaseModel):
    """Answers of one sort: how many, and how many of them were right. `by` says which sort, one word a dimension."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: dict[str, str]
    right: int
    total: int


@dataclass(frozen=True, slots=True)
class Score:
    """What an episode is worth, from 0 to 1, and why it failed if it did."""

    value: float
    success: bool
    failure: str | None = None
    measures: Mapping[str, float] = field(default_factory=dict)
    tallies: tuple[Tally, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure that tables and pages show, made from what episodes count.

    A `mean` is the sum of some counts per episode, a `total` their sum, a `share` their sum over the sum of others, an
    `accuracy` the share of right answers among the tallies that fit `where`, or its mean over the values of `macro`.
    A count named `attempts/*` stands for all that begin so. `column` ranks the measure among the columns of a terminal
    table, the most important first; 0 keeps it out. `title` is its heading, `meaning` what the heading does not say.
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
        """What it is called in tables."""
        return self.title or self.name.replace("_", " ")


@dataclass(frozen=True)
class Judging:
    """What the judges of a benchmark have in common, as data.

    `classes` are the failure classes and what each means; `groups` the families of counts worth a table of their own,
    by the beginning of their names; `dimensions` what answers are tallied by; `controls` and `changes` what can be
    taken away or put right, in a run and in a rerun. Of the changes, `faculties` are those that failures are blamed on,
    in their order; `together` are names for several at once; under a `truthful` one replies come from the truth.
    `panels` are what an episode's page can show. `overall` says how one number is made: the mean over the values of the
    first tag, of the means over the next, and so on; without any, the mean over episodes. `cluster` is the tag that
    episodes share which are no independent witnesses.
    """

    classes: Mapping[str, str] = field(default_factory=dict)
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
        """Every failure class with its meaning, the common ones included."""
        return {**self.classes, **COMMON}

    @property
    def of_questions(self) -> bool:
        """Whether the tasks are questions to answer, not worlds to act in."""
        return "question" in self.panels

    def as_json(self) -> dict[str, Any]:
        """As `run.json` keeps it."""
        return asdict(self)

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Judging:
        """What a run's configuration says; nothing in particular where it says nothing that can be read."""
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
    """Who knows the truth of one episode. It is also the witness of models that have no eyes of their own."""

    @property
    def tags(self) -> Mapping[str, str]:
        """Which episode this is."""
        ...

    def beside(self, event: Event) -> Truth:
        """The truth of the moment."""
        ...

    def score(self, records: Sequence[Record]) -> Score:
        """What the episode is worth, if neither infrastructure nor the agent's code cut it short."""
        ...

    async def right(self, request: Request, mind: Mind) -> str:
        """What somebody would reply who perceives and decides like this."""
        ...

    def controlled(self, control: str, model: Model, other: Judge | None) -> Model:
        """The model under a control; `other` is the judge of another problem."""
        ...

    def planner(self, control: str | None, planner: Planner) -> Planner:
        """The planner under a control."""
        ...

    def rehearse(self, planner: Planner) -> str:
        """What is wrong with the planner, found out by one plan; nothing if it works or none is needed."""
        ...


def cut_short(records: Sequence[Record]) -> str | None:
    """The class of an episode that says nothing about the model; None if it was played to an end of its own."""
    last = records[-1].event if records else None
    if not isinstance(last, Ended) or last.reason in INFRASTRUCTURE:
        return UNPLAYED
    return AGENT_ERROR if last.reason in AGENT_ERRORS else None

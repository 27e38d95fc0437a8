"""What a recorded run holds, as small frozen classes. Texts of atoms and actions are kept as they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias


class Phase(StrEnum):
    """Why a question was asked."""

    ENUMERATION = "enumeration"
    PRECONDITION = "precondition"
    EFFECT = "effect"


class Outcome(StrEnum):
    """What became of an attempted action."""

    SUCCESS = "success"
    FAILED = "failed"  # carried out, but the world went another way
    NOT_LEGAL = "not legal"  # refused by the world, nothing changed
    CALLED_OFF = "called off"  # never sent to the world: a precondition was judged unfit


@dataclass(frozen=True, slots=True)
class Answer:
    """One yes/no question about one ground atom.

    `text` is "yes", "no", or whatever else was said. `truth` is the value in the true state when it was asked,
    `expected` the value the plan relied on (never known for an enumeration). Both are None where an invalid
    precondition or effect answer keeps the record from telling. The probabilities mean something only without cot.
    """

    phase: Phase
    atom: str
    text: str
    truth: bool | None
    expected: bool | None = None
    p_yes: float | None = None
    p_no: float | None = None
    explanation: str | None = None
    raw: str | None = None

    @property
    def said(self) -> bool | None:
        """True for yes, False for no, None for anything else."""
        return {"yes": True, "no": False}.get(self.text)

    @property
    def right(self) -> bool:
        """Whether the answer is true. An invalid answer is wrong."""
        return self.truth is not None and self.text == ("yes" if self.truth else "no")

    @property
    def predicate(self) -> str:
        """The name before the arguments: `on` of `on r,b`."""
        return self.atom.partition(" ")[0]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The objects: `("r", "b")` of `on r,b`."""
        listed = self.atom.partition(" ")[2]
        return tuple(listed.split(",")) if listed else ()


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Every ground atom asked about one picture, in the order of asking."""

    answers: Mapping[str, Answer]

    @property
    def valid(self) -> bool:
        """Whether every answer was a yes or a no. One that is not ends the episode."""
        return all(answer.said is not None for answer in self.answers.values())


@dataclass(frozen=True, slots=True)
class Attempt:
    """One action taken from the plan.

    `info` is the world's own word: `success`, `not legal`, `executed but failed`, `no-op`, the move that happened
    instead, or None when the action was called off. `effects` is None when they were never asked. `unseen` holds the
    preconditions on objects out of sight and `assumed` the effects on them, which are believed without a question.
    """

    action: str
    preconditions: tuple[Answer, ...]
    effects: tuple[Answer, ...] | None
    info: str | None
    unseen: Mapping[str, bool] = field(default_factory=dict)
    assumed: Mapping[str, bool] = field(default_factory=dict)

    @property
    def outcome(self) -> Outcome:
        """What became of it. A slip into a column that takes no block is recorded as a move, yet changed nothing."""
        if self.info is None:
            return Outcome.CALLED_OFF
        if self.effects is None:
            return Outcome.NOT_LEGAL
        return Outcome.SUCCESS if self.info == "success" else Outcome.FAILED


@dataclass(frozen=True, slots=True)
class Replan:
    """A look at the world after `step` attempts, and the plan made from it; None where there was none."""

    step: int
    enumeration: Enumeration
    plan: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class GrounderEpisode:
    """A problem solved by asking about predicates. `initial` is None in Household, which starts from given facts.

    `started` is False where no action was ever tried: the first picture gave no plan, or an invalid answer.
    """

    problem: str
    started: bool
    initial: Enumeration | None
    attempts: tuple[Attempt, ...]
    replans: tuple[Replan, ...]
    remaining: tuple[str, ...]
    goal_reached: bool

    @property
    def solved(self) -> bool:
        """Whether the goal held in the true state at the end."""
        return self.goal_reached

    def enumerations(self) -> Iterator[Enumeration]:
        """The first enumeration, where there is one, then those of the replans."""
        if self.initial is not None:
            yield self.initial
        for replan in self.replans:
            yield replan.enumeration

    def answers(self) -> Iterator[Answer]:
        """Every question of the episode in the order of asking."""
        if self.initial is not None:
            yield from self.initial.answers.values()
        waiting = list(self.replans)
        for count, attempt in enumerate(self.attempts, start=1):
            yield from attempt.preconditions
            yield from attempt.effects or ()
            while waiting and waiting[0].step <= count:
                yield from waiting.pop(0).enumeration.answers.values()
        for replan in waiting:
            yield from replan.enumeration.answers.values()


@dataclass(frozen=True, slots=True)
class PlannedAction:
    """One action of a plan that a model wrote. Names of parameters are dropped, their order is kept."""

    name: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlannerStep:
    """One reply of a planning model and what came of its first action.

    `reply` is the JSON as parsed; `plan` reads what it can from it. `fed_back` is the outcome told to the model in
    later prompts, None where a malformed plan ended the episode before anything was told.
    """

    reply: Mapping[str, object]
    plan: tuple[PlannedAction, ...]
    action: str | None
    success: bool
    info: str | None
    fed_back: str | None

    @property
    def explanation(self) -> str | None:
        """The model's reasoning, where the prompt asked for it."""
        said = self.reply.get("explanation")
        return said if isinstance(said, str) else None


@dataclass(frozen=True, slots=True)
class PlannerEpisode:
    """A problem solved by asking for plans. A reply that was no JSON left no step behind."""

    problem: str
    steps: tuple[PlannerStep, ...]
    completed: bool

    @property
    def solved(self) -> bool:
        """Whether the goal held in the true state at the end."""
        return self.completed


Episode: TypeAlias = GrounderEpisode | PlannerEpisode


@dataclass(frozen=True, slots=True)
class Setting:
    """Which run it is, by the names of its folders. `fail` is the chance that a move slips."""

    domain: str  # BW or HH
    method: str  # ground or plan
    cot: bool
    fail: float
    split: str
    model: str


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """One file of results: one model, one setting, all problems of one split."""

    path: Path
    setting: Setting
    episodes: tuple[Episode, ...]
    metadata: Mapping[str, object]

    def grounder_episodes(self) -> tuple[GrounderEpisode, ...]:
        """The episodes of a grounder run; none for a planner run."""
        return tuple(episode for episode in self.episodes if isinstance(episode, GrounderEpisode))

    def planner_episodes(self) -> tuple[PlannerEpisode, ...]:
        """The episodes of a planner run; none for a grounder run."""
        return tuple(episode for episode in self.episodes if isinstance(episode, PlannerEpisode))

"""The content of a recorded run as frozen dataclasses. Atoms and actions keep the spelling of the record."""

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
    """The outcome of an attempted action."""

    SUCCESS = "success"
    FAILED = "failed"  # executed, with another result
    NOT_LEGAL = "not legal"  # refused by the world; nothing changed
    CALLED_OFF = "called off"  # not sent to the world, because a precondition was judged not to hold


@dataclass(frozen=True, slots=True)
class Answer:
    """One yes/no question about one ground atom.

    `text` is "yes", "no", or another reply. `truth` is the value in the true state when the question was asked,
    `expected` the value that the plan relied on (unknown for an enumeration). Both are None if the answer to a
    precondition or effect was invalid. The probabilities are meaningful only without chain of thought.
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
    def value(self) -> bool | None:
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
    """Answers about every ground atom in one picture, in the order of asking."""

    answers: Mapping[str, Answer]

    @property
    def valid(self) -> bool:
        """Whether every answer was yes or no. Any other answer ends the episode."""
        return all(answer.value is not None for answer in self.answers.values())


@dataclass(frozen=True, slots=True)
class Attempt:
    """One action taken from the plan.

    `info` is the world's message: `success`, `not legal`, `executed but failed`, `no-op`, the move that happened
    instead, or None if the action was not sent. `effects` is None if they were not asked. `unseen` holds the
    preconditions on objects out of view and `assumed` the effects on them, which are believed without a question.
    """

    action: str
    preconditions: tuple[Answer, ...]
    effects: tuple[Answer, ...] | None
    info: str | None
    unseen: Mapping[str, bool] = field(default_factory=dict)
    assumed: Mapping[str, bool] = field(default_factory=dict)

    @property
    def outcome(self) -> Outcome:
        """The outcome. A failed move into a column without room is recorded as a move but changed nothing."""
        if self.info is None:
            return Outcome.CALLED_OFF
        if self.effects is None:
            return Outcome.NOT_LEGAL
        return Outcome.SUCCESS if self.info == "success" else Outcome.FAILED


@dataclass(frozen=True, slots=True)
class Replan:
    """An enumeration after `step` attempts and the plan made from it, or None if no plan was found."""

    step: int
    enumeration: Enumeration
    plan: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class GrounderEpisode:
    """A problem played by a grounder method. `initial` is None in Household, which starts from given facts.

    `started` is False if no action was tried, because the first picture gave no plan or an invalid answer.
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
    """One action of a plan that a model wrote, with its parameters in order, without their names."""

    name: str
    parameters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlannerStep:
    """One reply of a planning model and the outcome of its first action.

    `reply` is the parsed JSON, `plan` the actions that could be read from it. `fed_back` is the outcome that later
    prompts contain; None if a malformed plan ended the episode.
    """

    reply: Mapping[str, object]
    plan: tuple[PlannedAction, ...]
    action: str | None
    success: bool
    info: str | None
    fed_back: str | None

    @property
    def explanation(self) -> str | None:
        """The model's reasoning, if the prompt asked for it."""
        given = self.reply.get("explanation")
        return given if isinstance(given, str) else None


@dataclass(frozen=True, slots=True)
class PlannerEpisode:
    """A problem played by a planner method. A reply that was not JSON has no step."""

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
    """The setting of a run, from the names of its folders. `fail` is the chance that a move fails."""

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

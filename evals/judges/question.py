"""The judge of questions: knows the right answer, and how much of it an answer must have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum

from envs.base import Question
from evals.judges import question_changes
from evals.judges.changes import Again, Changed
from evals.judges.controlled import BLIND, OTHER_ANSWERS, Shown, blinded, guessing
from evals.judges.controlled import MEANING as CONTROLS
from evals.run.judging import Judge, Judging, Measure, Score, Tally
from evals.run.trace import NOTHING, Record, Truth
from models.base import Kind, Mind, Model, Request, Unanswerable
from models.sim import StandIn
from planners.outcome import Planner
from tools.events import Answered, Asked, Ended, Event, Reason, Value

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Failure(StrEnum):
    """Why a question was not answered right."""

    WRONG = "wrong"
    UNREADABLE = "unreadable"
    TRUNCATED = "truncated"
    NO_ANSWER = "no_answer"


MEANING = {
    Failure.WRONG: "The answer can be read and is not the right one.",
    Failure.UNREADABLE: "The reply could not be read.",
    Failure.TRUNCATED: "The reply was cut off before it could be read.",
    Failure.NO_ANSWER: "The agent gave no answer.",
}

JUDGING = Judging(
    classes={str(failure): meaning for failure, meaning in MEANING.items()},
    measures=(
        Measure("chance", "mean", "by chance", "the expected success of guessing", of=("chance",), column=2),
        Measure("unreadable", "mean", of=("unreadable",), column=3),
    ),
    controls=dict(CONTROLS),
    changes=question_changes.CHANGES,
    faculties=question_changes.FACULTIES,
    together=question_changes.TOGETHER,
    truthful=(question_changes.ANSWERING,),
    panels=("question",),
    overall=(),
    cluster="picture",
)


def same(given: Value, right: Value) -> float:
    """1 for the same answer, whatever its case; 0 for another."""
    if isinstance(given, str) and isinstance(right, str):
        return float(given.strip().casefold() == right.strip().casefold())
    return float(given == right)


@dataclass(frozen=True)
class QuestionJudge:
    """Who knows the right answer to one question. `worth` says how much a given answer is worth, from 0 to 1."""

    question: Question
    answer: Value
    tags: Mapping[str, str] = field(default_factory=dict)
    worth: Callable[[Value, Value], float] = same

    def beside(self, event: Event) -> Truth:
        """The right answer, beside replies to the question and beside the answer given."""
        match event:
            case Asked() if event.phase == "question":
                return Truth(value=self.answer, right=event.value is not None and self._worth(event.value) == 1.0)
            case Answered():
                return Truth(value=self.answer, right=self._worth(event.value) == 1.0)
            case _:
                return NOTHING

    def score(self, records: Sequence[Record]) -> Score:
        """What the answer is worth."""
        given = next((record.event for record in records if isinstance(record.event, Answered)), None)
        value = self._worth(given.value) if given else 0.0
        failure = self._failure(records, value, answered=given is not None)
        options = len(self.question.options)
        measures = {"chance": 1 / options if options else 0.0, "unreadable": float(failure == Failure.UNREADABLE)}
        kinds = {name: tag for name, tag in self.tags.items() if name not in ("problem", "repeat", "world", "level")}
        tallies = (Tally(by=kinds, right=int(value == 1.0), total=1),) if kinds else ()
        return Score(value, value == 1.0, failure, measures, tallies)

    async def right(self, request: Request, mind: Mind) -> str:
        """The right answer in the form that was asked for, or another option where the mind errs."""
        options = request.options or self.question.options
        guess, wrong = mind.blunders(), not mind_sees(mind, self.answer)
        if request.kind is Kind.CHOICE and options:
            others = [option for option in options if option != self.answer] if wrong else list(options)
            chosen = others[mind.pick(len(others))] if guess or wrong else str(self.answer)
            if chosen not in options:
                raise Unanswerable("the right answer is not among the options that were asked about")
            return LETTERS[options.index(chosen)]
        if request.kind is Kind.YES_NO and isinstance(self.answer, bool):
            said = bool(mind.pick(2)) if guess else self.answer != wrong
            return "Yes" if said else "No"
        if request.kind is Kind.NUMBER and isinstance(self.answer, int | float):
            return f"{self.answer + (guess or wrong):g}"
        raise Unanswerable(f"a stand-in cannot compute a reply of the kind {request.kind} to this question")

    def controlled(self, control: str, model: Model, other: Judge | None) -> Model:
        """The model under a control."""
        identity = f"{model.identity}, control {control}"
        if control == BLIND:
            return guessing(model).for_episode(self) if isinstance(model, StandIn) else blinded(model, identity, self)
        if control == OTHER_ANSWERS and isinstance(other, QuestionJudge):
            own = model.for_episode(self) if isinstance(model, StandIn) else model
            return Shown(own, identity, other.question.pictures or self.question.pictures)
        raise ValueError(f"questions have no control {control!r}")

    def planner(self, control: str | None, planner: Planner) -> Planner:
        """The planner, whatever it is for."""
        return planner

    def rehearse(self, planner: Planner) -> str:
        """Nothing: questions need no planner."""
        return ""

    def attempt(self, action: str) -> str:
        """Nothing: a question has no actions."""
        raise ValueError(f"a question has no actions, and {action!r} cannot be repeated")

    def reseed(self, seed: int) -> None:
        """Nothing: a question has no chance."""

    def occasions(self, records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
        """The faculties that had occasion to fail in this record."""
        return question_changes.occasions(records, changes)

    def impossible(self, records: Sequence[Record], changes: Set[str]) -> bool:
        """Never: a question has no world that could refuse."""
        return False

    def unfit(self, records: Sequence[Record], changes: Set[str], agent: str) -> str:
        """Why the changes make no sense for this question."""
        return question_changes.unfit(self, changes)

    async def changed(self, again: Again) -> Changed:
        """What to ask the question again with."""
        return await question_changes.changed(self, again)

    def _worth(self, value: Value) -> float:
        return self.worth(value, self.answer)

    def _failure(self, records: Sequence[Record], value: float, *, answered: bool) -> str | None:
        if value == 1.0:
            return None
        if answered:
            return Failure.WRONG
        last = records[-1].event if records else None
        reason = last.reason if isinstance(last, Ended) else None
        named = {Reason.UNREADABLE: Failure.UNREADABLE, Reason.TRUNCATED: Failure.TRUNCATED}
        return named.get(reason, Failure.NO_ANSWER) if reason else Failure.NO_ANSWER


def mind_sees(mind: Mind, answer: Value) -> bool:
    """Whether a stand-in perceives what the answer depends on; one without rates for questions always does."""
    try:
        return mind.sees(f"answer {answer}", True)
    except ValueError:
        return True

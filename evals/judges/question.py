"""The judge of questions: knows the right answer, and marks a given one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import StrEnum

from envs.base import Question
from evals.judges import question_changes, question_oracle
from evals.judges.changes import RerunContext, RerunSetup
from evals.judges.controlled import (
    BLIND,
    OTHER_ANSWERS,
    Captioned,
    OtherPictures,
    ShuffledPictures,
    blinded,
    guessing,
    oracle,
)
from evals.judges.disturbed import disturbed
from evals.run.controls import PICTURES
from evals.run.judging import Judge, Judging, Measure, Score, Tally
from evals.run.trace import NOTHING, Record, Truth
from models.base import Mind, Model, Request
from models.sim import StandIn
from planners.outcome import Planner
from tools.events import Answered, Asked, Ended, Event, Reason, Value
from tools.questions import restated, written

CAPTIONS, SHUFFLED, ORACLE = "captions", "shuffled-pictures", "oracle"
CONTROLS = {
    BLIND: "the model sees grey pictures, a simulated one guesses; what is solved needs no eyes",
    CAPTIONS: "the model reads a short description of each picture instead of seeing it, a simulated one guesses",
    SHUFFLED: "the model sees the pictures of the question in another order, a simulated one guesses",
    OTHER_ANSWERS: "the model sees the pictures of another question, a simulated one guesses",
    ORACLE: "every reply is right; what is not solved is lost by the agent or by how replies are read",
}
PHASE = question_changes.PHASE
NOT_COUNTED = frozenset({"problem", "repeat", "world", "level", "chance"})
"""Tags that identify a question and are not tallied."""


class Failure(StrEnum):
    """Why a question was not answered correctly."""

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
        Measure("votes", "mean", "votes", "replies to the question itself, where there are several", of=("votes",)),
        Measure(
            "same_wrong",
            "share",
            "same wrong",
            "how often two wrong replies to one question are the same wrong answer; more votes do not mend that",
            of=("wrong_pairs_alike",),
            over=("wrong_pairs",),
            column=4,
        ),
    ),
    controls={**CONTROLS, **PICTURES},
    changes=question_changes.CHANGES,
    faculties=question_changes.FACULTIES,
    together=question_changes.TOGETHER,
    truthful=(question_changes.ANSWERING,),
    panels=("question",),
    overall=(),
    cluster="picture",
)


@dataclass(frozen=True, slots=True)
class Marked:
    """The mark of an answer, from 0 to 1; `fault` says why it could not be read, `counts` are further measures.

    `read` is what each scoring profile reads in the answer, if there are several.
    """

    value: float
    fault: str = ""
    counts: Mapping[str, float] = field(default_factory=dict)
    read: Mapping[str, str] = field(default_factory=dict)


Marking = Callable[[str, Value], Marked]
"""Marks an answer, given its text and the value that the agent read in it."""


def same(given: Value, right: Value) -> float:
    """1 for the same answer, regardless of case; 0 for another."""
    if isinstance(given, str) and isinstance(right, str):
        return float(given.strip().casefold() == right.strip().casefold())
    return float(given == right)


@dataclass(frozen=True)
class Facts:
    """Further facts about a question, for stand-ins and controls.

    `problem` is its id. `chance` is the expected success of guessing, if that does not follow from the form of the
    answer. `captions` describes each picture in words. `spots` are the counted things: the index of a picture and a
    place in it, from 0 to 1 from the left and from the top. `explanation` says why the answer is right, for people.
    """

    problem: str = ""
    chance: float | None = None
    captions: Callable[[], tuple[str, ...]] | None = field(default=None, repr=False, compare=False)
    spots: tuple[tuple[int, float, float], ...] = ()
    explanation: str = ""


@dataclass(frozen=True)
class QuestionJudge:
    """Knows the right answer to one question. `marking` marks a given answer.

    `shown` are the options as a rerun shows them to the agent, if it shows them in another order.
    """

    question: Question
    answer: Value
    tags: Mapping[str, str] = field(default_factory=dict)
    marking: Marking | None = None
    facts: Facts = field(default_factory=Facts)
    shown: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def chance(self) -> float:
        """The expected success of guessing."""
        known = self.facts.chance
        return question_oracle.chance(self.question) if known is None else known

    def beside(self, event: Event) -> Truth:
        """The right answer, for replies to the question and for the final answer."""
        match event:
            case Asked() if event.phase == PHASE:
                right = event.value is not None and self._mark_reply(event).value == 1.0
                return Truth(value=self.answer, right=right)
            case Answered():
                return Truth(
                    value=self.answer, right=self._mark_shown(event.text, event.value, self.shown).value == 1.0
                )
            case _:
                return NOTHING

    def mark(self, text: str, value: Value) -> Marked:
        """The mark of an answer, by its text or its value."""
        if self.marking is not None:
            return self.marking(text, value)
        return Marked(same(value, self.answer))

    def score(self, records: Sequence[Record]) -> Score:
        """The score of the final answer."""
        given = next((record.event for record in records if isinstance(record.event, Answered)), None)
        marked = self._marked(records, given)
        value = marked.value
        failure = None if value == 1.0 else self._failure(records, marked, answered=given is not None)
        unread = float(failure == Failure.UNREADABLE)
        measures = {"chance": self.chance, "unreadable": unread, **marked.counts, **self._votes(records)}
        kinds = {name: tag for name, tag in self.tags.items() if name not in NOT_COUNTED}
        tallies = (Tally(by=kinds, right=int(value == 1.0), total=1),) if kinds else ()
        return Score(value, value == 1.0, failure, measures, tallies)

    async def right(self, request: Request, mind: Mind) -> str:
        """The right answer in the requested form, or a wrong one if the mind errs."""
        return question_oracle.reply(self, request, mind)

    def controlled(self, control: str, model: Model, other: Judge | None) -> Model:
        """The model under a control."""
        if control in PICTURES:
            return disturbed(control, model)
        identity = f"{model.identity}, control {control}"
        if control == ORACLE:
            return oracle(self)
        if isinstance(model, StandIn) and control in JUDGING.controls:
            return guessing(model).for_episode(self)
        match control:
            case "blind":
                return blinded(model, identity, self)
            case "captions":
                if self.facts.captions is None:
                    raise ValueError("--control captions: there are no descriptions of these pictures")
                return Captioned(model, identity, self.facts.captions())
            case "shuffled-pictures":
                return ShuffledPictures(model, identity, self.facts.problem or self.question.text)
            case "other-answers" if isinstance(other, QuestionJudge):
                return OtherPictures(model, identity, other.question.pictures or self.question.pictures)
        raise ValueError(f"questions have no control {control!r}")

    def planner(self, control: str | None, planner: Planner) -> Planner:
        """The planner, unchanged."""
        return planner

    def rehearse(self, planner: Planner) -> str:
        """Empty: questions need no planner."""
        return ""

    def attempt(self, action: str) -> str:
        """Refuse: a question has no actions."""
        raise ValueError(f"a question has no actions, and {action!r} cannot be repeated")

    def reseed(self, seed: int) -> None:
        """Do nothing: a question has no chance."""

    def could_fail(self, records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
        """The faculties that could have failed in this record."""
        return question_changes.could_fail(records, changes)

    def impossible(self, records: Sequence[Record], changes: Set[str]) -> bool:
        """False: a question has no actions."""
        return False

    def unfit(self, records: Sequence[Record], changes: Set[str], agent: str) -> str:
        """Why the changes do not apply to this question."""
        return question_changes.unfit(self, changes)

    async def changed(self, context: RerunContext) -> RerunSetup:
        """What to ask the question again with."""
        return await question_changes.changed(self, context)

    def _marked(self, records: Sequence[Record], given: Answered | None) -> Marked:
        """The mark of the final answer; without one, `marking` gets the last reply."""
        if given is not None:
            return self._mark_shown(given.text, given.value, self.shown)
        if self.marking is None:
            return Marked(0.0)
        last = next(reversed(self._replies(records)), None)
        as_stated = last is not None and last.options in ((), self.question.options)
        return self.mark(last.reply, None) if last and as_stated else Marked(0.0)

    def _replies(self, records: Sequence[Record]) -> list[Asked]:
        """The replies to the question itself."""
        return [event for record in records if isinstance(event := record.event, Asked) and event.phase == PHASE]

    def _mark_reply(self, asked: Asked) -> Marked:
        """The mark of a reply, regardless of the order of its options."""
        return self._mark_shown(asked.reply, asked.value, asked.options)

    def _mark_shown(self, text: str, value: Value, shown: tuple[str, ...]) -> Marked:
        """The mark of an answer in letters of the options as shown."""
        own = self.question.options
        if shown in ((), own):
            return self.mark(text, value)
        value = restated(value, self.question.kind, shown, own)
        return self.mark(written(value, self.question), value)

    def _votes(self, records: Sequence[Record]) -> dict[str, float]:
        """The number of readable replies, of pairs of wrong ones, and of pairs of equal wrong ones, if several."""
        read = [event for event in self._replies(records) if event.value is not None]
        if len(read) < 2:
            return {}
        own, kind = self.question.options, self.question.kind
        wrong = Counter(
            restated(event.value, kind, event.options, own) for event in read if self._mark_reply(event).value < 1.0
        )
        pairs, alike = math.comb(wrong.total(), 2), sum(math.comb(count, 2) for count in wrong.values())
        return {"votes": float(len(read)), "wrong_pairs": float(pairs), "wrong_pairs_alike": float(alike)}

    def _failure(self, records: Sequence[Record], marked: Marked, *, answered: bool) -> str:
        if answered and not marked.fault:
            return Failure.WRONG
        if answered:
            asked = [record.event for record in records if isinstance(record.event, Asked)]
            return Failure.TRUNCATED if asked and asked[-1].truncated else Failure.UNREADABLE
        last = records[-1].event if records else None
        reason = last.reason if isinstance(last, Ended) else None
        named = {Reason.UNREADABLE: Failure.UNREADABLE, Reason.TRUNCATED: Failure.TRUNCATED}
        return named.get(reason, Failure.NO_ANSWER) if reason else Failure.NO_ANSWER

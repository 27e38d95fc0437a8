"""The course of an episode as a sequence of moments, and the first divergence of two courses.

A course is derived from events alone, for any task: questions, plans, attempts, the final answer, and the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest
from typing import TypeAlias

from evals.run.trace import Record
from tools.events import Acted, Answered, Asked, CalledOff, Ended, Phase, Planned, Replanned, Value


@dataclass(frozen=True, slots=True)
class Asking:
    """Questions asked together, in any order: the given and the right answer by subject."""

    step: int
    phase: str
    answers: Mapping[str, Value]
    truth: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Planning:
    """A plan of a planner; empty if there was none."""

    step: int
    plan: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doing:
    """An attempt, and whether it was executed."""

    step: int
    action: str
    outcome: str
    executed: bool


@dataclass(frozen=True, slots=True)
class Answering:
    """The final answer to a question, and the right one."""

    step: int
    value: Value
    truth: Value = None


@dataclass(frozen=True, slots=True)
class Ending:
    """The end and its reason."""

    step: int
    reason: str


Moment: TypeAlias = Asking | Planning | Doing | Answering | Ending


class DivergenceKind(StrEnum):
    """The kind of the first difference of two courses."""

    ANSWERS = "answers"
    QUESTIONS = "questions"
    PLAN = "plan"
    ACTION = "action"
    OUTCOME = "outcome"
    ANSWER = "answer"
    END = "end"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference: after how many attempts, of what kind, and what either side has.

    `truth` has the right answers to differing questions, if they are known.
    """

    step: int
    kind: DivergenceKind
    left: tuple[str, ...]
    right: tuple[str, ...]
    truth: tuple[str, ...] = ()


@dataclass
class _Course:
    """Builds a course. Questions wait until it is clear which were asked together."""

    moments: list[Moment] = field(default_factory=list)
    waiting: list[tuple[Asked, Value]] = field(default_factory=list)
    attempts: int = 0

    def ask(self, event: Asked, truth: Value) -> None:
        if self.waiting and (self.waiting[0][0].phase, self.waiting[0][0].step) != (event.phase, event.step):
            self.settle()
        self.waiting.append((event, truth))

    def settle(self) -> None:
        """Add the waiting questions as one moment. Of several replies to a question, the last counts."""
        if self.waiting:
            answers = {_name(event): event.value for event, _ in self.waiting}
            truth = {_name(event): value for event, value in self.waiting}
            self.moments.append(Asking(self.attempts, str(self.waiting[0][0].phase), answers, truth))
            self.waiting = []

    def attempt(self, action: str, outcome: str, executed: bool) -> None:
        self.moments.append(Doing(self.attempts, action, outcome, executed))
        self.attempts += 1


def course_of(records: Iterable[Record]) -> list[Moment]:
    """The course of a trace."""
    course = _Course()
    for record in records:
        event, truth = record.event, record.truth.value
        if isinstance(event, Asked):
            if _counts(event):
                course.ask(event, truth)
            continue
        if isinstance(event, Planned | Acted | CalledOff | Answered | Ended | Replanned):
            course.settle()
        match event:
            case Planned():
                course.moments.append(Planning(course.attempts, event.plan))
            case Acted():
                course.attempt(event.action, event.outcome, event.outcome.startswith("executed"))
            case CalledOff():
                course.attempt(event.action, "called off", False)
            case Answered():
                course.moments.append(Answering(course.attempts, event.value, truth))
            case Ended():
                course.moments.append(Ending(course.attempts, str(event.reason)))
    course.settle()
    return course.moments


def _counts(event: Asked) -> bool:
    """Whether a reply is compared by itself. Decisions show in the actions and answers that follow."""
    return bool(event.about) or (event.phase == Phase.FREE and not event.proposes and not event.decides)


def _name(event: Asked) -> str:
    return event.about or event.question


def first_divergence(left: Sequence[Moment], right: Sequence[Moment]) -> Divergence | None:
    """The first moment at which two courses differ; None if they do not.

    If only one side asks questions, only attempts and answers are compared. Plans and ends are compared only if both
    sides have them.
    """
    kinds = [{type(moment) for moment in side} for side in (left, right)]
    skipped: set[type] = {kind for kind in (Asking, Planning, Ending) if (kind in kinds[0]) != (kind in kinds[1])}
    if Asking in skipped:
        skipped |= {Planning, Ending}  # methods of different kinds end for different reasons
    pairs = zip_longest(_without(left, skipped), _without(right, skipped))
    return next((found for one, other in pairs if (found := _divergence(one, other))), None)


def _without(moments: Sequence[Moment], skipped: set[type]) -> Iterator[Moment]:
    return (moment for moment in moments if type(moment) not in skipped)


def _divergence(left: Moment | None, right: Moment | None) -> Divergence | None:
    step = min(moment.step for moment in (left, right) if moment)
    match left, right:
        case Asking(), Asking():
            return _divergence_of_questions(left, right)
        case Answering(), Answering():
            return _divergence_of_answers(left, right)
        case Planning(), Planning():
            same, kind = left.plan == right.plan, DivergenceKind.PLAN
        case Doing(), Doing():
            same = (left.action, left.executed) == (right.action, right.executed)
            kind = DivergenceKind.ACTION if left.action != right.action else DivergenceKind.OUTCOME
        case Ending(), Ending():
            same, kind = left.reason == right.reason, DivergenceKind.END
        case (Ending() | None, _) | (_, Ending() | None):
            same, kind = False, DivergenceKind.END
        case _:
            same, kind = False, DivergenceKind.ACTION
    return None if same else Divergence(step, kind, _described(left), _described(right), _right_answer(left, right))


def _divergence_of_questions(left: Asking, right: Asking) -> Divergence | None:
    differing = sorted(
        name for name in left.answers.keys() & right.answers if left.answers[name] != right.answers[name]
    )
    if differing:
        true = {**right.truth, **left.truth}
        return Divergence(
            left.step,
            DivergenceKind.ANSWERS,
            tuple(f"{name}: {worded(left.answers[name])}" for name in differing),
            tuple(f"{name}: {worded(right.answers[name])}" for name in differing),
            tuple(f"{name}: {worded(true[name])}" for name in differing if true.get(name) is not None),
        )
    if left.phase == right.phase and left.answers.keys() == right.answers.keys():
        return None
    only = [sorted(one.answers.keys() - other.answers) for one, other in ((left, right), (right, left))]
    return Divergence(left.step, DivergenceKind.QUESTIONS, tuple(only[0]), tuple(only[1]))


def _divergence_of_answers(left: Answering, right: Answering) -> Divergence | None:
    if left.value == right.value:
        return None
    sides = (worded(left.value),), (worded(right.value),)
    return Divergence(left.step, DivergenceKind.ANSWER, *sides, _right_answer(left, right))


def _right_answer(*moments: Moment | None) -> tuple[str, ...]:
    """The right answer, if one side gives an answer and it is known."""
    known = (moment.truth for moment in moments if isinstance(moment, Answering) and moment.truth is not None)
    return tuple(map(worded, known))[:1]


def worded(value: Value) -> str:
    """An answer in words."""
    match value:
        case None:
            return "unreadable"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(value)
        case float():
            return f"{value:g}"
    return str(value)


def _described(moment: Moment | None) -> tuple[str, ...]:
    match moment:
        case Asking():
            return (f"asks: {moment.phase}",)
        case Planning():
            return moment.plan or ("no plan",)
        case Doing():
            return (f"{moment.action}: {moment.outcome}",)
        case Answering():
            return (f"answers: {worded(moment.value)}",)
        case Ending():
            return (f"ends: {moment.reason}",)
        case _:
            return ("nothing more",)

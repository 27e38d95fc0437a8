"""The course of an episode in stages that can be held against another's, and the first at which two part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest
from typing import TypeAlias

from evals.trace import Record
from tools.events import Acted, Asked, CalledOff, Ended, Planned, Replanned


@dataclass(frozen=True, slots=True)
class Asking:
    """Questions asked together. Which came first is chance; what was said and what is true is kept by atom."""

    step: int
    phase: str
    answers: Mapping[str, bool | None]
    truth: Mapping[str, bool | None]


@dataclass(frozen=True, slots=True)
class Planning:
    """A plan made by a planner; empty where there was none."""

    step: int
    plan: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doing:
    """An attempt, and whether the world carried it out."""

    step: int
    action: str
    outcome: str
    executed: bool


@dataclass(frozen=True, slots=True)
class Ending:
    """The end, in the words of who ended it."""

    step: int
    reason: str


Stage: TypeAlias = Asking | Planning | Doing | Ending


class Parting(StrEnum):
    """In what two courses differ first."""

    ANSWERS = "answers"
    QUESTIONS = "questions"
    PLAN = "plan"
    ACTION = "action"
    OUTCOME = "outcome"
    END = "end"


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference: after how many attempts, in what, and what stands on either side.

    `truth` is what was true of the atoms that got different answers, where it is known.
    """

    step: int
    parting: Parting
    left: tuple[str, ...]
    right: tuple[str, ...]
    truth: tuple[str, ...] = ()


def stages_of(records: Iterable[Record]) -> list[Stage]:
    """The stages of a trace."""
    stages: list[Stage] = []
    together: list[tuple[Asked, bool | None]] = []
    attempts = 0
    for record in records:
        event = record.event
        if isinstance(event, Asked):
            if together and (together[0][0].phase, together[0][0].step) != (event.phase, event.step):
                stages.append(_asking(together, attempts))
                together = []
            together.append((event, record.truth.value))
            continue
        if not isinstance(event, Planned | Acted | CalledOff | Ended | Replanned):
            continue
        if together:
            stages.append(_asking(together, attempts))
            together = []
        match event:
            case Planned():
                stages.append(Planning(attempts, event.plan))
            case Acted():
                executed = event.outcome.startswith("executed")
                stages.append(Doing(attempts, event.action, event.outcome, executed))
                attempts += 1
            case CalledOff():
                stages.append(Doing(attempts, event.action, "called off", False))
                attempts += 1
            case Ended():
                stages.append(Ending(attempts, event.reason))
    return [*stages, _asking(together, attempts)] if together else stages


def _asking(together: Sequence[tuple[Asked, bool | None]], attempts: int) -> Asking:
    return Asking(
        attempts,
        str(together[0][0].phase),
        {event.atom: event.answer for event, _ in together},
        {event.atom: true for event, true in together},
    )


def first_divergence(left: Sequence[Stage], right: Sequence[Stage]) -> Divergence | None:
    """The first stage at which two courses differ; None if they do not.

    Courses of different methods, one of which asks nothing, are compared by their attempts alone. Plans and reasons to
    end are left out where only one side wrote them down.
    """
    kinds = [{type(stage) for stage in side} for side in (left, right)]
    skipped: set[type] = {kind for kind in (Asking, Planning, Ending) if (kind in kinds[0]) != (kind in kinds[1])}
    if Asking in skipped:
        skipped |= {Planning, Ending}  # methods of different kinds end for different reasons
    pairs = zip_longest(_without(left, skipped), _without(right, skipped))
    return next((found for one, other in pairs if (found := _parting(one, other))), None)


def _without(stages: Sequence[Stage], skipped: set[type]) -> Iterator[Stage]:
    return (stage for stage in stages if type(stage) not in skipped)


def _parting(left: Stage | None, right: Stage | None) -> Divergence | None:
    step = min(stage.step for stage in (left, right) if stage)
    match left, right:
        case Asking(), Asking():
            return _parting_of_answers(left, right)
        case Planning(), Planning():
            same, parting = left.plan == right.plan, Parting.PLAN
        case Doing(), Doing():
            same = (left.action, left.executed) == (right.action, right.executed)
            parting = Parting.ACTION if left.action != right.action else Parting.OUTCOME
        case Ending(), Ending():
            same, parting = left.reason == right.reason, Parting.END
        case (Ending() | None, _) | (_, Ending() | None):
            same, parting = False, Parting.END
        case _:
            same, parting = False, Parting.ACTION
    return None if same else Divergence(step, parting, _told(left), _told(right))


def _parting_of_answers(left: Asking, right: Asking) -> Divergence | None:
    differing = sorted(
        atom for atom in left.answers.keys() & right.answers if left.answers[atom] != right.answers[atom]
    )
    if differing:
        true = {**right.truth, **left.truth}
        return Divergence(
            left.step,
            Parting.ANSWERS,
            tuple(f"{atom}: {_word(left.answers[atom])}" for atom in differing),
            tuple(f"{atom}: {_word(right.answers[atom])}" for atom in differing),
            tuple(f"{atom}: {_word(true[atom])}" for atom in differing if true[atom] is not None),
        )
    if left.phase == right.phase and left.answers.keys() == right.answers.keys():
        return None
    only = [sorted(one.answers.keys() - other.answers) for one, other in ((left, right), (right, left))]
    return Divergence(left.step, Parting.QUESTIONS, tuple(only[0]), tuple(only[1]))


def _word(value: bool | None) -> str:
    return "unreadable" if value is None else "yes" if value else "no"


def _told(stage: Stage | None) -> tuple[str, ...]:
    match stage:
        case Asking():
            return (f"asks: {stage.phase}",)
        case Planning():
            return stage.plan or ("no plan",)
        case Doing():
            return (f"{stage.action}: {stage.outcome}",)
        case Ending():
            return (f"ends: {stage.reason}",)
        case _:
            return ("nothing more",)

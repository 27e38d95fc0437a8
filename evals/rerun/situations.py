"""Compare, describe and repeat the records of an episode."""

from __future__ import annotations

from collections.abc import Sequence

from evals.judges.changes import Changeable
from evals.run.judging import Judge
from evals.run.trace import Record, Recorder, Truth, until
from tools.events import Acted, Answered, Asked, Called, CalledOff, Ended, Event, Observed, Planned, Replanned, Value

UNREAD = "nothing that can be read"


class RecordMismatch(Exception):
    """A rerun deviates from its record where it must not; the message says where."""


def steps_of(records: Sequence[Record]) -> int:
    """How many actions were attempted or called off."""
    return sum(isinstance(record.event, Acted | CalledOff) for record in records)


def changeable(judge: Judge) -> Changeable:
    """The judge as a `Changeable`; `ValueError` if it is none."""
    if not isinstance(judge, Changeable):
        raise ValueError("the judge of this benchmark offers no changes, so its episodes cannot be played again")
    return judge


def restore(judge: Judge, records: Sequence[Record], step: int) -> None:
    """Repeat the first attempts of a record in a fresh world; `RecordMismatch` if an outcome differs."""
    recorder, repeating = Recorder(None, judge), changeable(judge)
    for record in until(records, step):
        event = record.event
        if isinstance(event, Acted) and not event.refused:
            event = event.model_copy(update={"outcome": repeating.attempt(event.action)})
        if isinstance(event, Acted | CalledOff | Observed):
            recorder(event)
            now = recorder.records[-1]
            if not records_match(record, now):
                where = f"step {steps_of(recorder.records)}"
                raise RecordMismatch(
                    f"{where}: {describe(event, now.truth)}; recorded: {describe(record.event, record.truth)}"
                )


def records_match(one: Record, other: Record, *, plans_until: int | None = None) -> bool:
    """Whether two records are equal; with `plans_until`, plans may differ from that step on.

    A field of the truth that only one of them has is not compared.
    """
    pairs = ((getattr(one.truth, name), getattr(other.truth, name)) for name in Truth.model_fields)
    if any(was is not None and now is not None and was != now for was, now in pairs):
        return False
    return _facts(one.event, plans_until) == _facts(other.event, plans_until)


def _facts(event: Event, plans_until: int | None) -> object:
    """The content of an event, without what depends on the clock, the renderer or the wording."""
    match event:
        case Observed():
            return event.type, event.step, event.visible
        case Planned():
            plan = event.plan if plans_until is None else event.plan[: plans_until - event.step]
            return event.type, event.step, event.belief, plan
        case Ended():
            return event.type, event.step, event.reason
        case _:
            return event


def describe(event: Event, truth: Truth | None = None) -> str:
    """An event in a few words."""
    match event:
        case Acted():
            happened = f", in truth {truth.happened}" if truth and truth.happened else ""
            return f"{event.action} is {event.outcome}{happened}"
        case CalledOff():
            return f"{event.action} is called off"
        case Asked() if event.proposes:
            return f"proposed is {' '.join(event.actions) or UNREAD}"
        case Asked() if event.decides:
            return f"called are {', '.join(event.actions) or 'no tools'}"
        case Asked():
            subject = f"'{event.about}'" if event.about else "the question"
            return f"{subject} is answered {in_words(event.value)}"
        case Answered():
            return f"the answer is {in_words(event.value)}"
        case Planned():
            return f"the plan is {' '.join(event.plan) or event.status}"
        case Called():
            return f"{event.name} says {event.result!r}"
        case Replanned():
            return f"planned anew because {event.because}"
        case Ended():
            return f"it ends: {event.reason}"
        case Observed() if truth and truth.state:
            return f"true is {', '.join(truth.state)}"
        case _:
            return f"{event.type}"


def in_words(value: Value) -> str:
    """The value of a reply, in words."""
    if value is None:
        return UNREAD
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def first_wrong_answer(records: Sequence[Record]) -> str:
    """The first answer that was wrong; empty if there was none."""
    for record in records:
        event = record.event
        if isinstance(event, Asked) and record.truth.right is False:
            return f"step {event.step}, {event.phase}: {describe(event)}"
    return ""

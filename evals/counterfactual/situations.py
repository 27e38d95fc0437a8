"""Moments of a recorded episode: what had happened by then, and the world as it stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from envs.base import World
from evals.trace import Record, Recorder, Truth
from planners.task import Step
from tools.events import (
    Acted,
    Asked,
    Called,
    CalledOff,
    Decided,
    Ended,
    Event,
    Observed,
    Planned,
    Proposed,
    Replanned,
)


class Parted(Exception):
    """What is played again does not go as it is recorded; the message says where."""


def steps_of(records: Sequence[Record]) -> int:
    """How many actions were attempted or called off."""
    return sum(isinstance(record.event, Acted | CalledOff) for record in records)


def until(records: Sequence[Record], step: int) -> list[Record]:
    """What happened up to and with that many attempts; nothing if it is none."""
    found: list[Record] = []
    for record in records if step else ():
        found.append(record)
        step -= isinstance(record.event, Acted | CalledOff)
        if not step:
            break
    return found


def restore(world: World, records: Sequence[Record], step: int) -> None:
    """Repeat the first attempts of a record in a world just opened; `Parted` if they do not come out as they did."""
    recorder = Recorder(None, world)
    for record in until(records, step):
        event = record.event
        if isinstance(event, Acted) and not event.refused:
            event = event.model_copy(update={"outcome": world.step(Step.parse(event.action)).outcome})
        if isinstance(event, Acted | CalledOff | Observed):
            recorder(event)
            now = recorder.records[-1]
            if not alike(record, now):
                where = f"step {steps_of(recorder.records)}"
                raise Parted(f"{where}: {told(event, now.truth)}; recorded: {told(record.event, record.truth)}")


@dataclass(frozen=True, slots=True)
class PlanInHand:
    """A plan that was being carried out: the how manieth of the episode, and what of it was done."""

    number: int
    done: tuple[Step, ...]


def plan_in_hand(records: Sequence[Record], step: int) -> PlanInHand | None:
    """The plan at hand after that many attempts; None if there was none, or the agent did not keep to it."""
    happened = until(records, step)
    plans = [(place, record.event) for place, record in enumerate(happened) if isinstance(record.event, Planned)]
    if not plans:
        return None
    place, planned = plans[-1]
    done = [record.event.action for record in happened[place:] if isinstance(record.event, Acted | CalledOff)]
    if list(planned.plan[: len(done)]) != done:
        return None
    return PlanInHand(len(plans) - 1, tuple(map(Step.parse, done)))


def alike(one: Record, other: Record, *, plans_until: int | None = None) -> bool:
    """Whether two records tell the same; a plan may differ in what is to be done from a step on.

    Older records say less of the truth: what only one of them says is no difference.
    """
    pairs = ((getattr(one.truth, name), getattr(other.truth, name)) for name in Truth.model_fields)
    if any(was is not None and now is not None and was != now for was, now in pairs):
        return False
    return _facts(one.event, plans_until) == _facts(other.event, plans_until)


def _facts(event: Event, plans_until: int | None) -> object:
    """What an event says, without what depends on the clock, on the renderer or on how it is worded."""
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


def told(event: Event, truth: Truth | None = None) -> str:
    """An event in a few words."""
    match event:
        case Acted():
            happened = f", in truth {truth.happened}" if truth and truth.happened else ""
            return f"{event.action} is {event.outcome}{happened}"
        case CalledOff():
            return f"{event.action} is called off"
        case Asked():
            said = "nothing that can be read" if event.answer is None else "yes" if event.answer else "no"
            return f"'{event.atom}' is answered {said}"
        case Planned():
            return f"the plan is {' '.join(event.plan) or event.status}"
        case Proposed():
            return f"proposed is {' '.join(event.plan) or 'nothing that can be read'}"
        case Decided():
            return f"called are {', '.join(event.calls) or 'no tools'}"
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

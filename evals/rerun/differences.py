"""The first answer and the first action in which a rerun differs from its record."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from evals.rerun.situations import describe
from evals.run.trace import Record
from tools.events import Acted, Asked, CalledOff, Ended


@dataclass(frozen=True, slots=True)
class Difference:
    """The step at which something differs, what it was and what it is now."""

    step: int
    was: str
    now: str


def first_other_action(before: Sequence[Record], after: Sequence[Record], start: int = 0) -> Difference | None:
    """The first attempt, or end, that differs. `start` is the step at which the rerun's record begins."""
    were, are = _attempts(before)[start:], _attempts(after)
    for place, (was, now) in enumerate(zip_longest(were, are)):
        if was != now:
            return Difference(start + place, was or _end(before), now or _end(after))
    was, now = _end(before), _end(after)
    return Difference(start + len(are), was, now) if was != now else None


def first_other_answer(before: Sequence[Record], after: Sequence[Record]) -> Difference | None:
    """The first question that was answered differently, up to the first other action."""
    recorded: defaultdict[tuple[int, str, str], deque[Asked]] = defaultdict(deque)
    for event in (record.event for record in before):
        if isinstance(event, Asked) and _answers(event):
            recorded[event.step, event.phase, event.about].append(event)
    other = first_other_action(before, after)
    for event in (record.event for record in after):
        if not isinstance(event, Asked) or not _answers(event):
            continue
        if other and event.step > other.step:
            return None
        were = recorded[event.step, event.phase, event.about]
        was = were.popleft() if were else None
        if was is not None and was.value != event.value:
            return Difference(event.step, describe(was), describe(event))
    return None


def _answers(event: Asked) -> bool:
    """Whether it is a question, not a request for actions."""
    return not event.proposes and not event.decides


def _attempts(records: Sequence[Record]) -> list[str]:
    return [describe(record.event) for record in records if isinstance(record.event, Acted | CalledOff)]


def _end(records: Sequence[Record]) -> str:
    last = records[-1].event if records else None
    return describe(last) if isinstance(last, Ended) else "it breaks off"

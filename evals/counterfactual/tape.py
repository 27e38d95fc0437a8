"""The record of an episode as something to follow: what was answered then is answered again, as long as it fits.

Up to a step everything has to go as recorded, events and truth alike; if it does not, the world or the agent is not
what it was, and nothing that follows would mean anything. From that step on the record is followed as long as nothing
differs, so that a model is asked only what it was never asked.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import TypeAlias

from evals.counterfactual.situations import Parted, alike, told
from evals.trace import Record
from models.base import Kind, Reply, Request, Usage
from models.turns import Call, Turn, write_turn
from tools.events import Acted, Asked, Began, Believed, CalledOff, Decided, Entered, Event, Proposed

Replied: TypeAlias = Asked | Proposed | Decided
Key: TypeAlias = tuple[int, str, str]


class Tape:
    """A record that is followed. `until` is the step up to which nothing may differ."""

    def __init__(self, records: Sequence[Record], until: int, *, rewritten: bool = False) -> None:
        self.until = until
        self.attempts = 0
        self.following = bool(records)
        self.parted: Parted | None = None
        self._rewritten = rewritten
        self._to_say = _replies(records)
        self._to_hear = _replies(records)
        self._story = [record for record in records if _tells(record.event)]
        self._place = 0
        self._other_answer = False

    @property
    def free(self) -> bool:
        """Whether things may go otherwise by now."""
        return self.attempts >= self.until

    def recall(self, request: Request) -> Reply | None:
        """What was replied here; None if this was not asked. `Parted` where it should have been."""
        said = self._to_say[_key_of_request(request, self.attempts)]
        if self.following and said:
            return _reply(said.popleft())
        if not self.free:
            raise self._part(f"asked {request.about or request.kind} at {request.place}, which the record has not")
        self.following = False
        return None

    def hear(self, record: Record) -> None:
        """Take note of what happened; `Parted` if it had to be as recorded and is not."""
        event = record.event
        if self.parted:
            return
        if isinstance(event, Asked | Proposed | Decided):
            self._hear_reply(event)
        elif _tells(event):
            self._hear_story(record)
        if isinstance(event, Acted | CalledOff):
            self.attempts += 1

    def _hear_reply(self, event: Replied) -> None:
        recorded = self._to_hear[_key(event)]
        was = recorded.popleft() if recorded else None
        if was is not None and _read(was) == _read(event):
            return
        if not self.free:
            raise self._part(f"{told(event)}; recorded: {told(was) if was else 'nothing of the kind'}")
        self._other_answer = True

    def _hear_story(self, record: Record) -> None:
        if not self.following:
            return
        was = self._story[self._place] if self._place < len(self._story) else None
        self._place += 1
        left = self.until if self._rewritten and not self.free else None
        if was is not None and alike(was, record, plans_until=left) and not (self.free and self._other_answer):
            return
        if not self.free:
            raise self._part(f"{told(record.event)}; recorded: {told(was.event) if was else 'the end'}")
        self.following = False

    def _part(self, what: str) -> Parted:
        self.parted = Parted(f"step {self.attempts}: {what}")
        return self.parted


def _tells(event: Event) -> bool:
    """Whether an event belongs to the story: no reply, and nothing that only follows from the others."""
    return not isinstance(event, Asked | Proposed | Decided | Began | Entered | Believed)


def _replies(records: Sequence[Record]) -> defaultdict[Key, deque[Replied]]:
    found: defaultdict[Key, deque[Replied]] = defaultdict(deque)
    for record in records:
        if isinstance(record.event, Asked | Proposed | Decided):
            found[_key(record.event)].append(record.event)
    return found


def _key(event: Replied) -> Key:
    if isinstance(event, Asked):
        return event.step, event.phase, event.atom
    return event.step, event.type, ""


def _key_of_request(request: Request, step: int) -> Key:
    if request.kind is Kind.YES_NO:
        return step, request.place.partition(" ")[0], str(request.about)
    return step, "decided" if isinstance(request, Turn) else "proposed", ""


def _read(event: Replied) -> object:
    """What was made of a reply."""
    match event:
        case Asked():
            return event.answer
        case Proposed():
            return event.plan
        case Decided():
            return event.calls, event.reply


def _reply(event: Replied) -> Reply:
    """The reply as a model would give it again. What a turn was besides words and calls is not in the record."""
    text = event.reply
    if isinstance(event, Decided):
        calls = [Call.parse(call, id=f"call-{event.step}-{place}") for place, call in enumerate(event.calls)]
        text = write_turn(event.reply, calls)
    yes, no = (event.yes, event.no) if isinstance(event, Asked) else (None, None)
    usage = Usage(event.prompt_tokens, event.completion_tokens, event.cost)
    return Reply(text, usage, yes, no, event.truncated, cached=True, seconds=event.seconds)

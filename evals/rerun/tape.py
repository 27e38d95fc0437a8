"""Replay the record of an episode: recorded answers are given again as long as the rerun matches.

Up to a step all events and truths must be as recorded; otherwise world or agent have changed, and the rerun would be
meaningless. From that step on the record is followed as long as nothing differs, so that a model is asked only
questions that are not recorded.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import TypeAlias

from evals.rerun.situations import RecordMismatch, describe, records_match
from evals.run.prompts import PromptStore
from evals.run.trace import Record
from models.base import Reply, Request, Usage
from models.turns import Call, Turn, write_turn
from tools.events import Acted, Asked, Began, Believed, CalledOff, Entered, Event

Key: TypeAlias = tuple[int, str, str]
"""The identity of a request: the number of attempts, the phase, the subject."""


class Tape:
    """A record to follow. `until` is the step up to which nothing may differ.

    With `rewritten`, plans may differ from the record from that step on.
    """

    def __init__(self, records: Sequence[Record], until: int) -> None:
        self.until = until
        self.rewritten = False
        self.attempts = 0
        self.following = bool(records)
        self.mismatch: RecordMismatch | None = None
        self._recorded_replies = _replies(records)
        self._expected_replies = _replies(records)
        self._expected_events = [record for record in records if _must_match(record.event)]
        self._place = 0
        self._other_answer = False

    @property
    def free(self) -> bool:
        """Whether the rerun may differ from the record by now."""
        return self.attempts >= self.until

    def recall(self, request: Request) -> Reply | None:
        """The recorded reply; None if there is none, or `RecordMismatch` if there has to be one."""
        replies = self._recorded_replies[_key_of_request(request, self.attempts)]
        if self.following and replies:
            return _reply(_matching_reply(replies, request))
        if not self.free:
            raise self._mismatch(f"asked {request.about or request.kind} at {request.place}, which is not recorded")
        self.following = False
        return None

    def follow(self, record: Record) -> None:
        """Compare a new record; `RecordMismatch` if it had to be as recorded and is not."""
        event = record.event
        if self.mismatch:
            return
        if isinstance(event, Asked):
            self._follow_reply(event)
        elif _must_match(event):
            self._follow_event(record)
        if isinstance(event, Acted | CalledOff):
            self.attempts += 1

    def _follow_reply(self, event: Asked) -> None:
        recorded = self._expected_replies[_key(event)]
        same = next((one for one in recorded if _read(one) == _read(event)), None)
        if same is not None:
            recorded.remove(same)
            return
        was = recorded.popleft() if recorded else None
        if not self.free:
            raise self._mismatch(f"{describe(event)}; recorded: {describe(was) if was else 'nothing of the kind'}")
        self._other_answer = True

    def _follow_event(self, record: Record) -> None:
        if not self.following:
            return
        was = self._expected_events[self._place] if self._place < len(self._expected_events) else None
        self._place += 1
        left = self.until if self.rewritten and not self.free else None
        if was is not None and records_match(was, record, plans_until=left) and not (self.free and self._other_answer):
            return
        if not self.free:
            raise self._mismatch(f"{describe(record.event)}; recorded: {describe(was.event) if was else 'the end'}")
        self.following = False

    def _mismatch(self, what: str) -> RecordMismatch:
        self.mismatch = RecordMismatch(f"step {self.attempts}: {what}")
        return self.mismatch


def _must_match(event: Event) -> bool:
    """Whether an event is compared in order: not replies, nor events that follow from others."""
    return not isinstance(event, Asked | Began | Entered | Believed)


def _replies(records: Sequence[Record]) -> defaultdict[Key, deque[Asked]]:
    found: defaultdict[Key, deque[Asked]] = defaultdict(deque)
    for record in records:
        if isinstance(record.event, Asked):
            found[_key(record.event)].append(record.event)
    return found


def _key(event: Asked) -> Key:
    return event.step, "decision" if event.decides else event.phase, event.about


def _key_of_request(request: Request, step: int) -> Key:
    phase = "decision" if isinstance(request, Turn) else request.place.rpartition(" ")[0]
    return step, phase, request.about or ""


def _matching_reply(replies: deque[Asked], request: Request) -> Asked:
    """Of several replies with the same key, the one to this prompt; the first if their prompts are equal."""
    if len({event.prompt for event in replies}) > 1:
        # A prompt's id has the hashes of pictures only if they were drawn; try without first, as drawing is slow.
        for looks in (False, True):
            name = PromptStore().keep(request, looks=looks)
            found = next((event for event in replies if event.prompt == name), None)
            if found is not None:
                replies.remove(found)
                return found
    return replies.popleft()


def _read(event: Asked) -> object:
    """What was made of a reply."""
    return (event.value, event.reply) if event.decides else event.value


def _reply(event: Asked) -> Reply:
    """The reply as a model would give it again. What a turn was besides words and calls is not in the record."""
    text = event.reply
    if event.decides:
        calls = [Call.parse(call, id=f"call-{event.step}-{place}") for place, call in enumerate(event.actions)]
        text = write_turn(event.reply, calls)
    usage = Usage(event.prompt_tokens, event.completion_tokens, event.cost)
    return Reply(text, usage, event.yes, event.no, event.truncated, cached=True, seconds=event.seconds)

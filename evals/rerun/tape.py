"""The record of an episode as something to follow: what was answered then is answered again, as long as it fits.

Up to a step everything has to go as recorded, events and truth alike. If it does not, the world or the agent is not
what it was, and nothing that follows would mean anything. From that step on the record is followed as long as nothing
differs, so that a model is asked only what it was never asked.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import TypeAlias

from evals.rerun.situations import Parted, alike, told
from evals.run.prompts import PromptStore
from evals.run.trace import Record
from models.base import Reply, Request, Usage
from models.turns import Call, Turn, write_turn
from tools.events import Acted, Asked, Began, Believed, CalledOff, Entered, Event

Key: TypeAlias = tuple[int, str, str]
"""Which request it is: after how many attempts, in which phase, about what."""


class Tape:
    """A record that is followed. `until` is the step up to which nothing may differ.

    With `rewritten`, plans may differ from the record in what is to be done from that step on.
    """

    def __init__(self, records: Sequence[Record], until: int) -> None:
        self.until = until
        self.rewritten = False
        self.attempts = 0
        self.following = bool(records)
        self.parted: Parted | None = None
        self._to_say = _replies(records)
        self._to_hear = _replies(records)
        self._story = [record for record in records if _tells(record.event)]
        self._place = 0
        self._other_answer = False

    @property
    def free(self) -> bool:
        """Whether things may differ from the record by now."""
        return self.attempts >= self.until

    def recall(self, request: Request) -> Reply | None:
        """What was replied here; None if this was not asked. `Parted` where it should have been."""
        said = self._to_say[_key_of_request(request, self.attempts)]
        if self.following and said:
            return _reply(_taken(said, request))
        if not self.free:
            raise self._part(f"asked {request.about or request.kind} at {request.place}, which the record has not")
        self.following = False
        return None

    def hear(self, record: Record) -> None:
        """Take note of what happened; `Parted` if it had to be as recorded and is not."""
        event = record.event
        if self.parted:
            return
        if isinstance(event, Asked):
            self._hear_reply(event)
        elif _tells(event):
            self._hear_story(record)
        if isinstance(event, Acted | CalledOff):
            self.attempts += 1

    def _hear_reply(self, event: Asked) -> None:
        recorded = self._to_hear[_key(event)]
        same = next((one for one in recorded if _read(one) == _read(event)), None)
        if same is not None:
            recorded.remove(same)
            return
        was = recorded.popleft() if recorded else None
        if not self.free:
            raise self._part(f"{told(event)}; recorded: {told(was) if was else 'nothing of the kind'}")
        self._other_answer = True

    def _hear_story(self, record: Record) -> None:
        if not self.following:
            return
        was = self._story[self._place] if self._place < len(self._story) else None
        self._place += 1
        left = self.until if self.rewritten and not self.free else None
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


def _taken(said: deque[Asked], request: Request) -> Asked:
    """Of several replies at the same place the one to this very prompt; the first if their prompts do not differ."""
    if len({event.prompt for event in said}) > 1:
        # Whether hashes of pictures are part of a prompt's name depends on who looked; drawing them takes time.
        for looks in (False, True):
            name = PromptStore().keep(request, looks=looks)
            found = next((event for event in said if event.prompt == name), None)
            if found is not None:
                said.remove(found)
                return found
    return said.popleft()


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

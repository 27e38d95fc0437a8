"""The trace of an episode: every event with the truth of that moment, written to disk as it happens.

One JSON object per line: `{"event": {...}, "truth": {...}}`. The judge fills `truth`:

    asked, answered   value: the right answer; right: whether the given one was
    observed, ended   state: what is true now; goal: whether the goal holds
    planned           wrong: where belief and truth differ
    asked             of a problem in PDDL, also wrong: the facts in view that it has wrong
    called_off        legal: whether the action was possible
    acted             happened: what the attempt really did; legal: whether it was possible; goal: whether it holds
                      now; state: what is true after it

Every episode of a world has its own file. Questions are many and short: they share `items.jsonl`, with a line
`{"id": …, "records": [...]}` for each, written when it is answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from evals.run.files import Lines
from planners.files import Unreadable, read_text
from tools.events import Acted, CalledOff, Ended, Event, Value

if TYPE_CHECKING:
    from evals.run.judging import Judge


class Truth(BaseModel):
    """What was true when an event happened. The event decides which fields are set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: Value = None
    right: bool | None = None
    state: tuple[str, ...] | None = None
    goal: bool | None = None
    wrong: tuple[str, ...] | None = None
    legal: bool | None = None
    happened: str | None = None


NOTHING = Truth()
LARGEST_TRACE = 16 * 2**20
"""The largest trace that is read, in bytes. Long ones of ViPlan are below one million; in memory records take 25 times
as much."""


class Record(BaseModel):
    """One line of a trace."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    event: Event
    truth: Truth = NOTHING


class Item(BaseModel):
    """A line of `items.jsonl`: all records of one question."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    records: tuple[Record, ...]


class DamagedTrace(Exception):
    """A trace that cannot be read; the message says where."""


class Recorder:
    """Records the events of one episode, for scoring and, with a path, on disk."""

    def __init__(self, path: Path | None, judge: Judge) -> None:
        self.records: list[Record] = []
        # An agent must not reach the judge through the recorder.
        self._beside = judge.beside
        self._lines = Lines(path, "wb") if path else None

    def __call__(self, event: Event) -> None:
        """Write the event; it has left the process when this returns. `CannotKeep` if that fails."""
        # Both parts were validated when they were created.
        record = Record.model_construct(event=event, truth=self._beside(event))
        self.records.append(record)
        if self._lines:
            self._lines.write(record.model_dump_json(exclude_none=True) + "\n")

    def close(self) -> None:
        """Close the file."""
        if self._lines:
            self._lines.close()


def read_trace(path: Path) -> list[Record]:
    """The records of a trace; a last line truncated by a kill is skipped."""
    return list(_read(path))


def whole(records: list[Record], name: str) -> list[Record]:
    """The records, if they reach the end of the episode; else `DamagedTrace`."""
    if not records or not isinstance(records[-1].event, Ended):
        raise DamagedTrace(f"{name} is incomplete: it breaks off before the episode ends")
    return records


def read_whole(path: Path) -> list[Record]:
    """The records in a file, if they reach the end of the episode; else `DamagedTrace`."""
    return whole(read_trace(path), str(path))


def until(records: Sequence[Record], step: int) -> list[Record]:
    """The records up to and including that many attempts; none for 0."""
    found: list[Record] = []
    for record in records if step else ():
        found.append(record)
        step -= isinstance(record.event, Acted | CalledOff)
        if not step:
            break
    return found


def item_line(id: str, records: Sequence[Record]) -> str:
    """A line of `items.jsonl`."""
    return Item.model_construct(id=id, records=tuple(records)).model_dump_json(exclude_none=True) + "\n"


def _read(path: Path) -> Iterator[Record]:
    try:
        lines = read_text(path, LARGEST_TRACE).split("\n")
    except Unreadable as error:
        raise DamagedTrace(f"{path}: {error}") from None
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            yield Record.model_validate_json(line)
        except ValidationError as error:
            if number == len(lines):  # no newline after it: it was being written
                return
            raise DamagedTrace(f"{path}, line {number}: {reason_of(error)}") from None


def reason_of(error: ValidationError) -> str:
    """The first error, in a few words."""
    return error.errors(include_url=False, include_context=False, include_input=False)[0]["msg"]


def dumped(value: Any, *, sort: bool = True) -> str:
    """JSON in the format of run directories."""
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=sort) + "\n"

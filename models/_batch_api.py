"""What a provider's batch API does, in words that all of them share.

A batch is sent under a name of ours, waits at the provider under an id of theirs, and ends with one line for each
request, in any order. `models._batch_queue` decides what goes into a batch and what becomes of its lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from models._replies import Malformed, read_object, read_text
from models._wire import Rejected
from models.base import Reply, Request, Transient

LARGEST_RESULTS = 512 * 2**20
"""Bytes of results that are read."""
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:=-]{0,250}")


@dataclass(frozen=True)
class Batch:
    """A batch as it is kept on disk. `remote` is the provider's id, None until it is known.

    `others` are ids that were taken for it and turned out to be someone else's.
    """

    name: str
    created: float
    keys: tuple[str, ...]
    remote: str | None = None
    others: tuple[str, ...] = ()


class NoRoom(Transient):
    """The provider takes no batch as large as this one for now. Nothing in it was answered."""


@dataclass(frozen=True)
class State:
    """How far a batch is. `files` are what to read when it has ended; `failure` is why nothing was answered."""

    ended: bool
    answered: int
    files: tuple[str, ...] = ()
    failure: Exception | None = None


@dataclass(frozen=True)
class Line:
    """The end of one request: its answer as the provider wrote it, or what went wrong."""

    key: str
    answer: str | None = None
    problem: Exception | None = None


class BatchApi(Protocol):
    """The batches of one model at one provider. Every call is a single attempt and may raise `Transient`."""

    most_requests: int
    most_bytes: int

    def line(self, key: str, request: Request) -> bytes:
        """One request of a batch, as JSON."""
        ...

    async def create(self, name: str, lines: Sequence[bytes]) -> str:
        """Send a batch; the provider's id for it."""
        ...

    async def find(self, batch: Batch, taken: Iterable[str]) -> str | None:
        """The id of a batch that may have been sent; `taken` are ids of other batches."""
        ...

    async def state(self, remote: str) -> State:
        """How far a batch is."""
        ...

    async def lines(self, remote: str, state: State) -> tuple[list[Line], int]:
        """The lines of a batch that has ended, and how many of them could not be read."""
        ...

    def read(self, request: Request, answer: str) -> Reply:
        """The reply in an answer."""
        ...

    def adapts(self, request: Request, rejected: Rejected) -> bool:
        """Whether the request will be sent differently from now on, after the provider did not take it as it was."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def read_id(value: Any, where: str) -> str:
    """An id that is fit to be a part of an address."""
    text = read_text(value, where)
    if not is_id(text):
        raise Malformed(f"{where} is no id")
    return text


def is_id(text: str) -> bool:
    """Whether a text is fit to be a part of an address."""
    return bool(_ID.fullmatch(text))


def read_lines(content: bytes, read: Callable[[dict[str, Any]], Line]) -> tuple[list[Line], int]:
    """The lines of a file of results, and how many of them could not be read."""
    found: list[Line] = []
    broken = 0
    for text in content.splitlines():
        if not text.strip():
            continue
        try:
            found.append(read(read_object(json.loads(text), "a line")))
        except (ValueError, RecursionError):
            broken += 1
    return found, broken


def unanswered(why: str) -> Transient:
    """The problem of a request that its batch did not answer."""
    return Transient(f"the batch did not answer it: {why}")

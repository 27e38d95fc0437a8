"""A person as a model: a page shows the requests, and the person's answers are the replies.

person:anna      the answers of Anna, on the page of a command such as `python -m evals.embodiedeval play`
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass
from threading import Lock

from models.base import Kind, Options, Reply, Request, UnfitModel

USAGE = "person:NAME   what NAME answers on a page (python -m evals.embodiedeval play)"
NO_PAGE = "a person answers on a page: start it with python -m evals.embodiedeval play"


@dataclass(frozen=True)
class Asked:
    """A request that waits for an answer, by its number."""

    number: int
    request: Request
    reply: Future[str]


class Desk:
    """The queue of requests for a person, oldest first. One thread adds requests, others show and answer them."""

    def __init__(self) -> None:
        self.open = False
        self._waiting: dict[int, Asked] = {}
        self._count = 0
        self._lock = Lock()

    def put(self, request: Request) -> Asked:
        """Add a request."""
        with self._lock:
            self._count += 1
            asked = Asked(self._count, request, Future())
            self._waiting[asked.number] = asked
        return asked

    def next(self) -> Asked | None:
        """The oldest request that waits; None if there is none."""
        with self._lock:
            return next(iter(self._waiting.values()), None)

    def answer(self, number: int, text: str) -> bool:
        """Answer a request; False if it is no longer waiting."""
        with self._lock:
            asked = self._waiting.pop(number, None)
        if asked is None:
            return False
        try:
            asked.reply.set_result(text)
        except InvalidStateError:  # the request was cancelled
            return False
        return True

    def drop(self, asked: Asked) -> None:
        """Remove a request that was cancelled."""
        with self._lock:
            self._waiting.pop(asked.number, None)


DESK = Desk()
"""The requests of this process."""


class Person:
    """Waits for the answers of one person."""

    looks = True
    simulated = False
    cacheable = True
    kinds = frozenset({Kind.CHOICE})

    def __init__(self, name: str, desk: Callable[[], Desk] = lambda: DESK) -> None:
        self.identity = f"person {name}"
        self._desk = desk

    async def ask(self, request: Request) -> Reply:
        """The person's answer; waits for it without a time limit."""
        desk = self._desk()
        if not desk.open:
            raise UnfitModel(NO_PAGE)
        asked = desk.put(request)
        try:
            return Reply(await asyncio.wrap_future(asked.reply))
        finally:
            desk.drop(asked)


def load(rest: str, options: Options) -> Person:
    """The person of this name."""
    if options:
        raise ValueError("person takes no options")
    if not rest.isidentifier():
        raise ValueError(f"person needs a name of letters and digits, such as person:anna, not {rest!r}")
    return Person(rest)

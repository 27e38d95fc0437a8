"""How fast an endpoint may be asked: so many at once, so many a minute, and not at all while it is down.

The number of questions under way is halved when the endpoint says to slow down and grows back one by one as answers
come in. When it does not answer at all, everybody waits while one question after the other tries the door.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

from models.base import RunMustStop, Transient

KNOCKS = 3
"""How many questions in a row must find nobody before the endpoint counts as down."""
LONGEST_WAIT = 30.0
"""Seconds between two tries of an endpoint that is down, at the most."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an endpoint is spared. `patience` is how long one that is down is waited for, in seconds."""

    in_flight: int = 64
    per_minute: int | None = None
    tokens_per_minute: int | None = None
    patience: float = 3600.0


class Window:
    """So much in any minute."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._used: deque[tuple[float, int]] = deque()
        self._sum = 0

    def wait(self, amount: int, now: float) -> float:
        """Seconds until the amount fits; one that never fits goes when the window is empty."""
        while self._used and self._used[0][0] <= now - 60.0:
            self._sum -= self._used.popleft()[1]
        if self._most is None or not self._used or self._sum + amount <= self._most:
            return 0.0
        return self._used[0][0] + 60.0 - now

    def take(self, amount: int, now: float) -> None:
        """Note that the amount was used."""
        if self._most is not None:
            self._used.append((now, amount))
            self._sum += amount


class Ticket(NamedTuple):
    """A place in the line. The future's result is whether its holder is the one to try the door."""

    admitted: asyncio.Future[bool]
    tokens: int


class Endpoint:
    """The limiter of one endpoint, shared by all who ask it in one event loop.

    Whoever asks stands in line; only the head of the line is ever looked at, so a long line costs nothing.
    """

    def __init__(
        self, name: str, limits: Limits | None = None, tell: Callable[[str], None] = lambda text: None
    ) -> None:
        self.name = name
        self.limits = limits or Limits()
        self.tell = tell
        self.allowed = float(self.limits.in_flight)
        self.flying = 0
        self.waited = 0.0
        self._line: deque[Ticket] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._requests = Window(self.limits.per_minute)
        self._tokens = Window(self.limits.tokens_per_minute)
        self._not_before = 0.0
        self._knocks = 0
        self._down_since: float | None = None
        self._knocking = False

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncIterator[None]:
        """One question's turn; what becomes of it is seen by how the block is left."""
        knocker = await self._enter(tokens)
        try:
            yield
            self._note_answer()
        except Transient as trouble:
            self._note(trouble)
            raise
        finally:
            self._leave(knocker)

    async def _enter(self, tokens: int) -> bool:
        ticket = Ticket(asyncio.get_running_loop().create_future(), tokens)
        self._line.append(ticket)
        self._admit()
        try:
            return await ticket.admitted
        except asyncio.CancelledError:
            if ticket.admitted.done() and not ticket.admitted.cancelled() and not ticket.admitted.exception():
                self._leave(ticket.admitted.result())  # it was let in at the moment it gave up
            raise

    def _leave(self, knocker: bool) -> None:
        self.flying -= 1
        if knocker:
            self._knocking = False
        self._admit()

    def _admit(self) -> None:
        """Let in whoever may go, in order; come back later if the head of the line has to wait."""
        while self._line:
            ticket = self._line[0]
            if ticket.admitted.done():  # gave up
                self._line.popleft()
                continue
            now = time.monotonic()
            if self._down_since is not None and now - self._down_since > self.limits.patience:
                self._send_home(f"{self.name} has not answered for {now - self._down_since:.0f} s")
                return
            if self._knocking or self.flying >= max(1, int(self.allowed)):
                return
            pause = max(self._not_before - now, self._requests.wait(1, now), self._tokens.wait(ticket.tokens, now))
            if pause > 0:
                self._come_back(pause)
                return
            self._line.popleft()
            self._let_in(ticket, now)

    def _let_in(self, ticket: Ticket, now: float) -> None:
        self.flying += 1
        self._requests.take(1, now)
        self._tokens.take(ticket.tokens, now)
        self._knocking = self._down_since is not None
        ticket.admitted.set_result(self._knocking)

    def _come_back(self, pause: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(pause, self._admit)

    def _send_home(self, reason: str) -> None:
        for ticket in self._line:
            if not ticket.admitted.done():
                ticket.admitted.set_exception(RunMustStop(reason))
        self._line.clear()

    def _note(self, trouble: Transient) -> None:
        now = time.monotonic()
        if trouble.slow_down:
            self.allowed = max(1.0, self.allowed / 2)
        if trouble.retry_after is not None:
            self._not_before = max(self._not_before, now + trouble.retry_after)
        if not trouble.down:
            self._knocks = 0
            return
        self._knocks += 1
        if self._knocks < KNOCKS:
            return
        if self._down_since is None:
            self._down_since = now
            self.tell(f"{self.name} does not answer ({trouble}); waiting for it, nothing is lost")
        self._not_before = now + min(LONGEST_WAIT, 0.25 * 2 ** min(10, self._knocks - KNOCKS))

    def _note_answer(self) -> None:
        self._knocks = 0
        self.allowed = min(float(self.limits.in_flight), self.allowed + 1.0 / max(1.0, self.allowed))
        if self._down_since is not None:
            away = time.monotonic() - self._down_since
            self.waited += away
            self._down_since, self._not_before = None, 0.0
            self.tell(f"{self.name} answers again after {away:.0f} s")

"""Limits requests to an endpoint: how many at once, how many per minute, and none while it is down.

The number of concurrent questions is halved when the endpoint asks to slow down and grows back one by one as answers
arrive. When the endpoint does not answer, all questions wait while one at a time probes it.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import NamedTuple

from models.base import RunMustStop, Transient

FAILED_CONNECTIONS = 3
"""Questions that must fail to connect in a row before the endpoint is considered down."""
FIRST_WAIT, LONGEST_WAIT = 0.25, 30.0
"""Seconds between two probes of an endpoint that is down: the first pause and the longest."""
SHOWN_SECONDS = 5.0
"""Waits that the endpoint asks for are reported from this many seconds on."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of an endpoint. `patience` is how many seconds to wait for one that does not answer."""

    in_flight: int = 64
    per_minute: int | None = None
    tokens_per_minute: int | None = None
    patience: float = 3600.0


class Window:
    """The amount that may be used within any minute."""

    def __init__(self, most: int | None) -> None:
        self._most = most
        self._used: deque[tuple[float, int]] = deque()
        self._sum = 0

    def wait(self, amount: int, now: float) -> float:
        """Seconds until the amount fits; an amount above the limit waits for an empty window."""
        while self._used and self._used[0][0] <= now - 60.0:
            self._sum -= self._used.popleft()[1]
        if self._most is None or not self._used or self._sum + amount <= self._most:
            return 0.0
        return self._used[0][0] + 60.0 - now

    def take(self, amount: int, now: float) -> None:
        """Record that the amount was used."""
        if self._most is not None:
            self._used.append((now, amount))
            self._sum += amount


class Ticket(NamedTuple):
    """A place in the queue. The result of `admitted` is whether the question probes the endpoint."""

    admitted: asyncio.Future[bool]
    tokens: int


class Endpoint:
    """The limiter of one endpoint, shared by all of its users in one event loop.

    Questions wait in a queue of which only the head is checked, so a long queue costs nothing.
    """

    def __init__(
        self, name: str, limits: Limits | None = None, notify: Callable[[str], None] = lambda text: None
    ) -> None:
        self.name = name
        self.limits = limits or Limits()
        self.notify = notify
        self.allowed = float(self.limits.in_flight)
        self.in_flight = 0
        self._line: deque[Ticket] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._requests = Window(self.limits.per_minute)
        self._tokens = Window(self.limits.tokens_per_minute)
        self._not_before = 0.0
        self._shown_until = 0.0
        self._failed = 0
        self._failed_probes = 0
        self._silent_since: float | None = None
        self._down = False
        self._probing = False
        self._given_up = ""

    @asynccontextmanager
    async def turn(self, tokens: int, longest_wait: float = math.inf) -> AsyncIterator[None]:
        """Wait for a question's turn; an exception in the block tells the limiter how it went.

        Waits that the endpoint asks for are limited to `longest_wait` and the patience.
        """
        probes = await self._enter(tokens)
        started = time.monotonic()
        try:
            yield
            self._note_answer()
        except Transient as error:
            if error.retry_after is not None:
                self._note_wait(error, started, longest_wait)
            self._note(error, started, probes)
            raise
        finally:
            self._leave(probes)

    async def _enter(self, tokens: int) -> bool:
        ticket = Ticket(asyncio.get_running_loop().create_future(), tokens)
        self._line.append(ticket)
        self._admit()
        try:
            return await ticket.admitted
        except asyncio.CancelledError:
            if ticket.admitted.done() and not ticket.admitted.cancelled() and not ticket.admitted.exception():
                self._leave(ticket.admitted.result())  # admitted at the moment it was cancelled
            raise

    def _leave(self, probes: bool) -> None:
        self.in_flight -= 1
        if probes:
            self._probing = False
        self._admit()

    def _admit(self) -> None:
        """Admit questions from the head of the queue; if the first has to wait, check again later."""
        while self._line:
            ticket = self._line[0]
            if ticket.admitted.done():  # cancelled
                self._line.popleft()
                continue
            now = time.monotonic()
            if self._is_dead(now):
                self._reject_all(f"{self._given_up} (--patience {self.limits.patience:g})")
                return
            if self._probing or self.in_flight >= max(1, int(self.allowed)):
                return
            pause = max(self._not_before - now, self._requests.wait(1, now), self._tokens.wait(ticket.tokens, now))
            if pause > 0:
                self._check_later(min(pause, self._patience_left(now)) if self._down else pause)
                return
            self._line.popleft()
            self._release(ticket, now)

    def _release(self, ticket: Ticket, now: float) -> None:
        self.in_flight += 1
        self._requests.take(1, now)
        self._tokens.take(ticket.tokens, now)
        self._probing = self._down
        ticket.admitted.set_result(self._probing)

    def _check_later(self, pause: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(pause, self._admit)

    def _reject_all(self, reason: str) -> None:
        for ticket in self._line:
            if not ticket.admitted.done():
                ticket.admitted.set_exception(RunMustStop(reason))
        self._line.clear()

    def _patience_left(self, now: float) -> float:
        """Seconds of patience left with an endpoint that does not answer."""
        silent = 0.0 if self._silent_since is None else now - self._silent_since
        return max(0.0, self.limits.patience - silent)

    def _is_dead(self, now: float) -> bool:
        """Whether the patience is used up without an answer, and no pending question may still succeed."""
        found = self._failed >= FAILED_CONNECTIONS or (self._failed > 0 and self.in_flight == 0)
        if not self._given_up and found and self._silent_since is not None and not self._patience_left(now):
            self._given_up = f"{self.name} has not answered for {now - self._silent_since:.0f} s"
        return bool(self._given_up)

    def _note_wait(self, error: Transient, started: float, longest: float) -> None:
        """Make all questions wait for as long as the endpoint asks, up to a limit."""
        now, asked = time.monotonic(), error.retry_after or 0.0
        if self._silent_since is None:
            self._silent_since = started
        elif not self._patience_left(now):
            self._given_up = f"{self.name} has only asked to wait for {now - self._silent_since:.0f} s"
        wait = error.retry_after = min(asked, longest, self.limits.patience)
        self._not_before = max(self._not_before, now + wait)
        if (wait < asked or wait >= SHOWN_SECONDS) and now >= self._shown_until:
            self.notify(f"{error}; it now asks to wait {min(asked, 1e9):.0f} s: waiting {wait:.3g} s")
            self._shown_until = now + wait

    def _note(self, error: Transient, started: float, probes: bool) -> None:
        now = time.monotonic()
        if error.slow_down:
            self.allowed = max(1.0, self.allowed / 2)
        if not error.down:
            self._failed = 0
            if not self._down and error.retry_after is None:
                self._silent_since = None  # the endpoint answers
            return
        self._failed += 1
        if self._silent_since is None:
            self._silent_since = started
        if self._failed < FAILED_CONNECTIONS:
            return
        if not self._down:
            self._down, self._failed_probes = True, 0
            self.notify(f"{self.name} does not answer ({error}); waiting for it, nothing is lost")
        elif probes:
            # Only the probing question lengthens the pause, because many others may fail at the same time.
            self._failed_probes += 1
        else:
            return
        self._not_before = now + min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(10, self._failed_probes))

    def _note_answer(self) -> None:
        self._failed = 0
        self.allowed = min(float(self.limits.in_flight), self.allowed + 1.0 / max(1.0, self.allowed))
        if self._down and self._silent_since is not None:
            self._not_before = 0.0
            self.notify(f"{self.name} answers again after {time.monotonic() - self._silent_since:.0f} s")
        self._down, self._silent_since = False, None

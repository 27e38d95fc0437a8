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


class Endpoint:
    """The limiter of one endpoint, shared by all who ask it in one event loop."""

    def __init__(
        self, name: str, limits: Limits | None = None, tell: Callable[[str], None] = lambda text: None
    ) -> None:
        self.name = name
        self.limits = limits or Limits()
        self.tell = tell
        self.allowed = float(self.limits.in_flight)
        self.flying = 0
        self.waited = 0.0
        self._changed = asyncio.Condition()
        self._requests = Window(self.limits.per_minute)
        self._tokens = Window(self.limits.tokens_per_minute)
        self._not_before = 0.0
        self._knocks = 0
        self._down_since: float | None = None
        self._knocking = False

    @property
    def down(self) -> bool:
        """Whether nobody answers there at the moment."""
        return self._down_since is not None

    @asynccontextmanager
    async def turn(self, tokens: int) -> AsyncIterator[None]:
        """One question's turn; what becomes of it is seen by how the block is left."""
        knocker = await self._enter(tokens)
        try:
            yield
        except Transient as trouble:
            await self._leave(knocker)
            await self._note(trouble)
            raise
        except BaseException:
            await self._leave(knocker)
            raise
        else:
            await self._leave(knocker)
            self._note_answer()

    async def _enter(self, tokens: int) -> bool:
        """Wait for room. True if the endpoint is down and this question is the one that tries the door."""
        async with self._changed:
            while True:
                pause = self._pause(tokens)
                if pause == 0.0:
                    break
                try:
                    await asyncio.wait_for(self._changed.wait(), pause)
                except TimeoutError:
                    continue
            self.flying += 1
            now = time.monotonic()
            self._requests.take(1, now)
            self._tokens.take(tokens, now)
            if self.down:
                self._knocking = True
            return self.down

    def _pause(self, tokens: int) -> float | None:
        """Seconds to wait before looking again; 0 if it may go now, None if only a change can help."""
        now = time.monotonic()
        if self._down_since is not None and now - self._down_since > self.limits.patience:
            raise RunMustStop(f"{self.name} has not answered for {now - self._down_since:.0f} s")
        if self._knocking or self.flying >= max(1, int(self.allowed)):
            return None
        return max(self._not_before - now, self._requests.wait(1, now), self._tokens.wait(tokens, now), 0.0)

    async def _leave(self, knocker: bool) -> None:
        async with self._changed:
            self.flying -= 1
            if knocker:
                self._knocking = False
            self._changed.notify_all()

    async def _note(self, trouble: Transient) -> None:
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

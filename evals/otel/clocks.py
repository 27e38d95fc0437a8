"""When things happened: now, while a run is played; reckoned from how long each took, when it is over."""

from __future__ import annotations

import time
from typing import Protocol

NANOSECONDS = 1_000_000_000
MOMENT = 1_000
"""What an event takes of which no duration is known: just enough to keep the order."""


class Clock(Protocol):
    """Times in nanoseconds."""

    def now(self) -> int:
        """The time."""
        ...

    def lasted(self, seconds: float, together: object = None) -> tuple[int, int]:
        """From when to when something took place that is over. What has the same `together` began at once."""
        ...


class WallClock:
    """The clock on the wall."""

    def now(self) -> int:
        """The time."""
        return time.time_ns()

    def lasted(self, seconds: float, together: object = None) -> tuple[int, int]:
        """It is over just now."""
        end = self.now()
        return end - int(seconds * NANOSECONDS), end


class DurationClock:
    """A clock that goes as far as what took place took. Traces say how long, not when."""

    def __init__(self, start: int) -> None:
        self._now = start
        self._began = start
        self._together: object = None

    def now(self) -> int:
        """The time, a moment later at each look."""
        self._now += MOMENT
        return self._now

    def lasted(self, seconds: float, together: object = None) -> tuple[int, int]:
        """Right after what came before, or beside it."""
        if together is None or together != self._together:
            self._began, self._together = self.now(), together
        end = self._began + int(seconds * NANOSECONDS) + MOMENT
        self._now = max(self._now, end)
        return self._began, end

"""The times of spans: the current time during a run, or computed from durations afterwards."""

from __future__ import annotations

import time
from typing import Protocol

NANOSECONDS = 1_000_000_000
MOMENT = 1_000
"""The duration of events without one, which keeps their order."""


class Clock(Protocol):
    """Times in nanoseconds."""

    def now(self) -> int:
        """The time."""
        ...

    def lasted(self, seconds: float, together: object = None) -> tuple[int, int]:
        """Start and end of something that has just ended. What has the same `together` started at the same time."""
        ...


class WallClock:
    """The wall clock."""

    def now(self) -> int:
        """The time."""
        return time.time_ns()

    def lasted(self, seconds: float, together: object = None) -> tuple[int, int]:
        """It ended now."""
        end = self.now()
        return end - int(seconds * NANOSECONDS), end


class DurationClock:
    """A clock that advances by durations, since traces have no times."""

    def __init__(self, start: int) -> None:
        self._now = start
        self._began = start
        self._together: object = None

    def now(self) -> int:
        """The time, a little later at each call."""
        self._now += MOMENT
        return self._now

    def lasted(self, seconds: float, together: object = None) -> tuple[int, int]:
        """After the previous span, or parallel to it."""
        if together is None or together != self._together:
            self._began, self._together = self.now(), together
        end = self._began + int(seconds * NANOSECONDS) + MOMENT
        self._now = max(self._now, end)
        return self._began, end

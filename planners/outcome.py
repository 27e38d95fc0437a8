"""The outcome of planning. Unsolvable, timeout and out of memory are results, not exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from planners.task import Step, Task


class Status(StrEnum):
    """How planning ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out of memory"
    ERROR = "error"


class PlannerUnavailable(Exception):
    """The planner crashed or ran out of time or memory. Never the agent's fault."""


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """A status, the plan if there is one, and the engine that computed it."""

    status: Status
    plan: tuple[Step, ...] = ()
    engine: str = ""
    seconds: float = 0.0
    cached: bool = False
    message: str = ""

    @property
    def solved(self) -> bool:
        """Whether there is a plan."""
        return self.status is Status.SOLVED

    @property
    def failed(self) -> bool:
        """Whether the planner itself failed, so that nothing is known about the task."""
        return self.status in (Status.ERROR, Status.TIMEOUT, Status.OUT_OF_MEMORY)

    def checked(self) -> PlanOutcome:
        """The outcome; raises `PlannerUnavailable` if the planner itself failed."""
        if self.failed:
            raise PlannerUnavailable(f"{self.engine}: {self.status} {self.message}".rstrip())
        return self


class Planner(Protocol):
    """A planner. `engine` is its name and version, used in cache keys and run records."""

    @property
    def engine(self) -> str: ...

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan, in the calling thread."""
        ...

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan without blocking the event loop; cancelling it ends the engine's processes."""
        ...

    def close(self) -> None:
        """End background processes."""
        ...

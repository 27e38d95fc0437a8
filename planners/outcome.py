"""What came of planning. Unsolvable, out of time and out of memory are results, not exceptions."""

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
    """The planner crashed or ran out of time or memory: never the agent's fault."""


@dataclass(frozen=True, slots=True)
class PlanOutcome:
    """A status, the plan if there is one, and the engine that gave it."""

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
        """Whether the planner itself failed, so that nothing is known of the task."""
        return self.status in (Status.ERROR, Status.TIMEOUT, Status.OUT_OF_MEMORY)

    def checked(self) -> PlanOutcome:
        """The outcome; `PlannerUnavailable` if it says nothing about the task, since the planner itself failed."""
        if self.failed:
            raise PlannerUnavailable(f"{self.engine}: {self.status} {self.message}".rstrip())
        return self


class Planner(Protocol):
    """Anything that plans. `engine` names it and its version: it is part of cache keys and run records."""

    @property
    def engine(self) -> str: ...

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan, in the calling thread."""
        ...

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan without blocking the event loop; cancelling it ends the engine's processes."""
        ...

    def close(self) -> None:
        """End what runs in the background."""
        ...

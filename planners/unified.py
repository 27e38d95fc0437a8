"""Any engine of unified-planning by its name: the long way round, and the one that knows them all.

Its planners share files in the working directory, leave children behind when they run out of time, and print.
So they live in worker processes with a directory of their own, as Fast Downward's translator does.
"""

from __future__ import annotations

import sys
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from planners._answers import outcome
from planners._pool import Call, Pool
from planners.outcome import PlanOutcome
from planners.task import Task
from planners.write import problem_text


class UnifiedPlanning:
    """Plans with an engine of unified-planning; safe to share between threads and tasks."""

    def __init__(self, engine: str = "fast-downward", workers: int = 1) -> None:
        self._name = engine
        self.optimal = engine == "fast-downward-opt"
        here = Path(__file__).parent
        command = [sys.executable, "-I", str(here / "_worker.py"), str(here / "_up_engine.py"), engine]
        self._pool = Pool(command, workers)

    @cached_property
    def engine(self) -> str:
        """Name of the engine, with the version of unified-planning."""
        return f"unified-planning {version('unified-planning')} {self._name}"

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan, in the calling thread."""
        return self._solve(task, timeout, Call())

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan without blocking the event loop; cancelling it ends the engine's processes."""
        return await self._pool.run(lambda call: self._solve(task, timeout, call))

    def close(self) -> None:
        """End the worker processes."""
        self._pool.close()

    def _solve(self, task: Task, timeout: float, call: Call) -> PlanOutcome:
        def ask() -> dict[str, object]:
            request = {
                "domain": task.domain.text,
                "problem": problem_text(task, init=False),
                "init": sorted([atom.predicate, *atom.args] for atom in task.init),
            }
            return self._pool.ask(request, timeout, call)

        return outcome(task, self.engine, ask)

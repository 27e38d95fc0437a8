"""Fast Downward, the fast way: its translator stays loaded in worker processes, its search binary is run directly.

Through unified-planning every plan starts two Python interpreters. Here none: the same translator and the same
search configuration give the same plans in a fraction of the time.
"""

from __future__ import annotations

import sys
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias

from planners._answers import outcome
from planners._pool import Call, Pool
from planners.outcome import PlanOutcome
from planners.task import Task
from planners.write import problem_text

Search: TypeAlias = Literal["default", "optimal"]

# unified-planning's `fast-downward` engine runs the alias lama-first. Its optimal engine, LM-cut, does not take
# conditional effects; hmax does.
_SEARCHES: dict[str, str] = {"default": "lama-first", "optimal": "astar(hmax())"}


class FastDownward:
    """Plans with Fast Downward; safe to share between threads and tasks."""

    def __init__(self, search: Search = "default", workers: int = 2) -> None:
        self.optimal = search == "optimal"
        self._search = _SEARCHES[search]
        here = Path(__file__).parent
        # Without site packages (-S) it starts sooner; the translator needs none.
        command = [sys.executable, "-I", "-S", str(here / "_worker.py"), str(here / "_fd_engine.py"), str(_downward())]
        self._pool = Pool(command, workers)

    @cached_property
    def engine(self) -> str:
        """Name, version and search."""
        return f"fast-downward {version('up-fast-downward')} {self._search}"

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
            request = {"domain": task.domain.text, "problem": problem_text(task), "search": self._search}
            return self._pool.ask(request, timeout, call)

        return outcome(task, self.engine, ask)


def _downward() -> Path:
    """Where Fast Downward is installed. Its package is not imported: that would import unified-planning."""
    spec = find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        raise PackageNotFoundError("up-fast-downward is not installed: pip install up-fast-downward==0.5.1")
    return Path(spec.origin).parent / "downward"

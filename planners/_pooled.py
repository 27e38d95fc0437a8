"""A planner whose engine runs in worker processes. Every plan is validated before it is returned."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from planners._pool import Call, NoAnswer, Pool, TimedOut
from planners.outcome import PlanOutcome, Status
from planners.task import Step, Task


class PooledPlanner:
    """Plans with the engine of its workers; can be shared between threads and tasks.

    `engine` names the engine, its version and search; `optimal` says whether its plans are shortest;
    `request` converts a task to the engine's input.
    """

    def __init__(
        self,
        engine: str,
        command: Sequence[str],
        request: Callable[[Task], dict[str, Any]],
        *,
        workers: int,
        optimal: bool,
    ) -> None:
        self.engine = engine
        self.optimal = optimal
        self._request = request
        self._pool = Pool(command, workers)

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
        start = time.perf_counter()
        status, plan, message = self._judged(task, timeout, call)
        return PlanOutcome(status, plan, self.engine, time.perf_counter() - start, message=message)

    def _judged(self, task: Task, timeout: float, call: Call) -> tuple[Status, tuple[Step, ...], str]:
        if task.solved(task.init):
            return Status.SOLVED, (), ""
        try:
            answer = self._pool.ask(self._request(task), timeout, call)
        except TimedOut:
            return Status.TIMEOUT, (), ""
        except NoAnswer as error:
            return Status.ERROR, (), f"the planner's process ended ({type(error).__name__}) {error}".rstrip()
        status = Status(answer["status"])
        if status is not Status.SOLVED:
            return status, (), answer.get("message", "")
        plan = tuple(Step(name, tuple(args)) for name, *args in answer["plan"])
        fault = task.fault(plan)
        if fault:
            return Status.ERROR, (), f"the planner's plan is wrong: {fault}: {', '.join(map(str, plan))}"
        return Status.SOLVED, plan, ""

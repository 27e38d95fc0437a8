"""From what a worker answered to an outcome that can be trusted: every plan is carried out before it is passed on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from planners._pool import NoAnswer, TimedOut
from planners.outcome import PlanOutcome, Status
from planners.task import Step, Task


def outcome(task: Task, engine: str, ask: Callable[[], dict[str, Any]]) -> PlanOutcome:
    """Ask, unless there is nothing to do, and judge the answer."""
    start = time.perf_counter()
    status, plan, message = _judged(task, ask)
    return PlanOutcome(status, plan, engine, time.perf_counter() - start, message=message)


def _judged(task: Task, ask: Callable[[], dict[str, Any]]) -> tuple[Status, tuple[Step, ...], str]:
    if task.solved(task.init):
        return Status.SOLVED, (), ""
    try:
        answer = ask()
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

"""unified-planning and one of its engines; loaded by `_worker.py`, never imported by us."""

from __future__ import annotations

import subprocess
import warnings
from functools import lru_cache
from typing import Any


class _SameGroup(subprocess.Popen[bytes]):
    """Starts an engine's child processes in the worker's process group, so that they end with it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{**options, "start_new_session": False})


class Engine:
    """One engine of unified-planning, by its name."""

    def __init__(self, name: str) -> None:
        subprocess.Popen = _SameGroup  # type: ignore[misc,assignment]
        warnings.simplefilter("ignore")
        import unified_planning.shortcuts as up
        from unified_planning.io import PDDLReader

        self._name = name
        self._up = up
        self._reader = PDDLReader()
        up.get_environment().credits_stream = None
        # Keep the parsed problem: between plans only the facts change.
        self._base = lru_cache(maxsize=32)(self._reader.parse_problem_string)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Set the facts on a copy of the problem and run the engine in the current directory."""
        names = self._up.get_environment().factory.engines
        if self._name not in names:
            return {"status": "error", "message": f"no engine {self._name!r}; engines: {', '.join(sorted(names))}"}
        problem = self._base(request["domain"], request["problem"]).clone()
        for predicate, *args in request["init"]:
            fluent = problem.fluent(predicate)
            problem.set_initial_value(fluent(*map(problem.object, args)), True)
        with self._up.OneshotPlanner(name=self._name) as planner:
            return _answer(planner.solve(problem))


def _answer(result: Any) -> dict[str, Any]:
    status = result.status.name
    if result.plan is not None:
        steps = [[step.action.name, *map(str, step.actual_parameters)] for step in result.plan.actions]
        return {"status": "solved", "plan": steps}
    if status.startswith("UNSOLVABLE"):
        return {"status": "unsolvable"}
    said = " / ".join(line for log in result.log_messages or () for line in log.message.strip().splitlines()[-2:])
    known = {"TIMEOUT": "timeout", "MEMOUT": "out of memory"}
    return {"status": known.get(status, "error"), "message": f"{status}: {said}"}

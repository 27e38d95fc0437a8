"""Any engine of unified-planning by its name. Slower than `fast_downward`, but supports all engines.

Its planners share files in the working directory, leave child processes behind after a timeout, and print to standard
output. So they run in worker processes with their own directory, like Fast Downward's translator.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from planners._pooled import PooledPlanner
from planners.task import Task
from planners.write import problem_text


class UnifiedPlanning(PooledPlanner):
    """Plans with an engine of unified-planning; can be shared between threads and tasks."""

    def __init__(self, engine: str = "fast-downward", workers: int = 1) -> None:
        here = Path(__file__).parent
        super().__init__(
            f"unified-planning {version('unified-planning')} {engine}",
            [sys.executable, "-I", str(here / "_worker.py"), str(here / "_up_engine.py"), engine],
            _request,
            workers=workers,
            optimal=engine == "fast-downward-opt",
        )


def _request(task: Task) -> dict[str, object]:
    return {
        "domain": task.domain.text,
        "problem": problem_text(task, init=False),
        "init": sorted([atom.predicate, *atom.args] for atom in task.init),
    }

"""Fast Downward without start-up costs: the translator stays loaded in workers, and the search binary is run directly.

With unified-planning, every plan starts two Python interpreters. Here it starts none: the same translator and
search configuration give the same plans in a fraction of the time.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias

from planners._pooled import PooledPlanner
from planners.write import problem_text

Search: TypeAlias = Literal["default", "optimal"]

# unified-planning's `fast-downward` engine runs the alias lama-first. Its optimal engine, LM-cut, does not support
# conditional effects; hmax does.
_SEARCHES: dict[str, str] = {"default": "lama-first", "optimal": "astar(hmax())"}


class FastDownward(PooledPlanner):
    """Plans with Fast Downward; can be shared between threads and tasks."""

    def __init__(self, search: Search = "default", workers: int = 2) -> None:
        run = _SEARCHES[search]
        super().__init__(
            f"fast-downward {version('up-fast-downward')} {run}",
            worker_command(),
            lambda task: {"domain": task.domain.text, "problem": problem_text(task), "search": run},
            workers=workers,
            optimal=search == "optimal",
        )


def worker_command() -> list[str]:
    """The command that starts a worker with the translator loaded."""
    here = Path(__file__).parent
    # Without site packages (-S) it starts faster; the translator needs none.
    return [sys.executable, "-I", "-S", str(here / "_worker.py"), str(here / "_fd_engine.py"), str(_downward())]


def _downward() -> Path:
    """The folder of Fast Downward. Its package is not imported, because that would import unified-planning."""
    spec = find_spec("up_fast_downward")
    if spec is None or spec.origin is None:
        raise PackageNotFoundError("up-fast-downward is not installed: pip install up-fast-downward==0.5.1")
    return Path(spec.origin).parent / "downward"

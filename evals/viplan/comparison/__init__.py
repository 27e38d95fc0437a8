"""What ViPlan adds to comparisons: the original's recorded runs, and the tables and figures of its paper.

`evals.compare.exhibits` documents this interface.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evals.compare.arms import Arm, Part
    from evals.compare.exhibits import Exhibit

TABLES = {
    "methods": "runs of ViPlan",
    "splits": "runs of ViPlan",
    "cot": "a method that was played with and without chain of thought on the same model",
    "ranking": "two models that were played with the same methods, plan and ground or one of them",
    "compounding": "--curve, and runs that ask about facts",
}


def read_parts(path: Path) -> list[Part] | None:
    """The recorded runs in a folder; None if it holds none."""
    from evals.viplan.comparison.recorded import is_recorded, read_parts

    return read_parts(path) if is_recorded(path) else None


def exhibits(arms: Sequence[Arm]) -> Iterator[Exhibit]:
    """The paper's tables and figures."""
    from evals.viplan.comparison.tables import exhibits

    return exhibits(arms)


def curve(arms: Sequence[Arm], problems: Path | None, say: Callable[[str], None]) -> Exhibit:
    """Problems solved against the questions that had to be answered right."""
    from evals.viplan.comparison.compounding import curves
    from evals.viplan.comparison.tables import compounding

    return compounding(curves(arms, problems, say))

"""Episodes as data: the problem, the seed and the step limit.

An episode can be pickled and played in another process or on another machine. Its benchmark opens the task and the
judge from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Episode:
    """One problem to be played once.

    It is scored under `split`. `tags` hold its `problem` if several episodes share one, its `level` of difficulty, and
    whatever tables group by or intervals are clustered by (a picture, a scene).
    """

    id: str
    split: str
    seed: int = 0
    step_limit: int = 1
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def problem(self) -> str:
        """The problem; by default the episode's id."""
        return self.tags.get("problem", self.id)

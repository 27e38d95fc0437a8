"""Episodes as data: which problem is played, how often chance may differ, and how many steps there are.

An episode pickles, so that it can be played in another process or on another machine. Its benchmark opens the task and
the judge from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Episode:
    """One problem to be played once.

    `split` is what it is counted under. `tags` say what else it is: its `problem` where several episodes share one, its
    `level` of difficulty, and whatever tables group by or intervals are clustered by (a picture, a scene).
    """

    id: str
    split: str
    seed: int = 0
    step_limit: int = 1
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def problem(self) -> str:
        """The problem that is played; the episode's own name where it has no other."""
        return self.tags.get("problem", self.id)

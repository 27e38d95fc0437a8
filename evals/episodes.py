"""What a benchmark yields: episodes to play. The runner knows nothing else of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from envs.base import World
from envs.pictures import PictureStore


@dataclass(frozen=True)
class Episode:
    """One problem to be played once. `open` makes its world; a second call makes the same one again.

    `split` is what it is counted under; `level` how hard it is, where a split's name says more than that.
    """

    id: str
    problem: str
    split: str
    seed: int
    step_limit: int
    open: Callable[[PictureStore], World]
    level: str = ""

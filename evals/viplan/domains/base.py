"""The interface of ViPlan's domains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from envs.base import World
from envs.pictures import PictureStore
from evals.viplan.settings import ViPlanSettings
from evals.viplan.splits import SPLITS
from models.replay import Replay

PLANNER_STEPS = {"simple": 10, "medium": 20, "hard": 30}


@dataclass(frozen=True)
class Posed:
    """A problem that is ready to be played: its name, and a function that opens its world with a seed.

    When a recorded run is replayed, the world behaves as recorded.
    """

    id: str
    name: str
    split: str
    open: Callable[[int, Replay | None, PictureStore], World]


class PlayedDomain(Protocol):
    """A domain of ViPlan."""

    name: str

    def files(self, settings: ViPlanSettings, split: str) -> Sequence[Path]:
        """The files that define the problems of a split."""
        ...

    def posed(self, settings: ViPlanSettings, split: str) -> Sequence[Posed]:
        """The problems of a split, in order."""
        ...

    def check(self, settings: ViPlanSettings) -> None:
        """Raise `ValueError` or `FileNotFoundError` if the settings do not fit this domain."""
        ...

    def fingerprints(self, settings: ViPlanSettings) -> dict[str, str]:
        """Hashes of the world's pictures, texts and rules."""
        ...

    def steps(self, split: str, family: str) -> int:
        """The step limit of an episode."""
        ...


def splits_of(settings: ViPlanSettings) -> Sequence[str]:
    """The splits of a run, in order."""
    return SPLITS if settings.split == "all" else (settings.split,)

"""What ViPlan asks of a domain."""

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
    """A problem that is ready to be played: its name, and how its world is opened with a seed.

    Where a recorded run is played again, the world goes as it went in the record.
    """

    id: str
    name: str
    split: str
    open: Callable[[int, Replay | None, PictureStore], World]


class PlayedDomain(Protocol):
    """A domain of ViPlan."""

    name: str

    def files(self, settings: ViPlanSettings, split: str) -> Sequence[Path]:
        """The files that decide which problems of a split a run plays."""
        ...

    def posed(self, settings: ViPlanSettings, split: str) -> Sequence[Posed]:
        """The problems of a split that a run plays, in order."""
        ...

    def check(self, settings: ViPlanSettings) -> None:
        """Raise `ValueError` or `FileNotFoundError` if what the user chose cannot be played here."""
        ...

    def fingerprints(self, settings: ViPlanSettings) -> dict[str, str]:
        """Hashes of how the world looks, speaks and works."""
        ...

    def steps(self, split: str, family: str) -> int:
        """How many steps an episode may take."""
        ...


def splits_of(settings: ViPlanSettings) -> Sequence[str]:
    """How hard the problems are that a run plays, in order."""
    return SPLITS if settings.split == "all" else (settings.split,)

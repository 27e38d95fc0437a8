"""What ViPlan asks of a domain, and what a user may choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from pydantic import Field

from agents.base import Agent
from envs.base import World
from envs.pictures import PictureStore
from evals.settings import Settings
from evals.splits import SPLITS
from models.base import Model
from planners.outcome import Planner
from tools.toolbox import Conduct

PLANNER_STEPS = {"simple": 10, "medium": 20, "hard": 30}


class ViPlanSettings(Settings):
    """What a user may choose for ViPlan."""

    domain: Literal["blocksworld", "household", "all"] = "blocksworld"
    split: Literal["simple", "medium", "hard", "all"] = "all"
    fail_probability: float = Field(default=0.0, ge=0.0, le=1.0)
    problems: str | None = None
    viplan_root: str | None = None
    renderer: Literal["ray", "blender"] = "ray"
    env_url: str | None = None
    rules: Conduct = Conduct.MENDED


@dataclass(frozen=True)
class Posed:
    """A problem that is ready to be played: who it is, and how its world is opened with a seed."""

    id: str
    name: str
    split: str
    open: Callable[[int, Model, PictureStore], World]


class PlayedDomain(Protocol):
    """A domain of ViPlan."""

    name: str

    def files(self, settings: ViPlanSettings, split: str) -> Sequence[Path]:
        """The files that decide which problems of a split a run plays."""
        ...

    def posed(self, settings: ViPlanSettings, split: str) -> Sequence[Posed]:
        """The problems of a split that a run plays, in order."""
        ...

    def check(self, settings: ViPlanSettings, planner: Planner) -> None:
        """Raise `ValueError` or `FileNotFoundError` if what the user chose cannot be played here."""
        ...

    def fingerprints(self, settings: ViPlanSettings) -> dict[str, str]:
        """Hashes of how the world looks, speaks and works."""
        ...

    def steps(self, split: str, agent: Agent) -> int:
        """How many steps an episode may take."""
        ...


def splits_of(settings: ViPlanSettings) -> Sequence[str]:
    """How hard the problems are that a run plays, in order."""
    return SPLITS if settings.split == "all" else (settings.split,)

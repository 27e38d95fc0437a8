"""What a benchmark is: settings that a user may choose, and the episodes that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from agents.base import Agent
from evals.episodes import Episode
from evals.settings import Settings
from models.base import Model
from planners.outcome import Planner
from tools.prompts import PromptSet
from tools.toolbox import Conduct

Chosen = TypeVar("Chosen", bound=Settings, contravariant=True)


class Benchmark(Protocol[Chosen]):
    """A set of episodes with scores by split. Its command is `python -m evals.<name>`."""

    name: str

    @property
    def settings(self) -> type[Settings]:
        """The class of its settings."""
        ...

    def splits(self, settings: Chosen) -> Sequence[str]:
        """The splits that a run plays, in the order of its tables."""
        ...

    def prompts(self, settings: Chosen) -> PromptSet:
        """The prompts that agents use."""
        ...

    def conduct(self, settings: Chosen) -> Conduct:
        """The rules that agents follow."""
        ...

    def check(self, settings: Chosen, planner: Planner) -> None:
        """Raise `ValueError` or `FileNotFoundError` if what the user chose cannot be played."""
        ...

    def at_once(self, settings: Chosen) -> int | None:
        """How many episodes can be played at the same time; None for any number."""
        ...

    def fingerprints(self, settings: Chosen) -> dict[str, str]:
        """Hashes of what else decides the numbers: the problems, the worlds' texts and pictures."""
        ...

    def episodes(self, settings: Chosen, agent: Agent, model: Model) -> Sequence[Episode]:
        """What to play, in order."""
        ...

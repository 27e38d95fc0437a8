"""What a benchmark is: its settings, the episodes they define, and how an episode is opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from envs.base import Task
from envs.pictures import PictureStore
from evals.run.episodes import Episode
from evals.run.judging import Judge, Judging
from evals.run.settings import Settings
from planners import get_planner
from planners.outcome import Planner
from tools.base import Conduct
from tools.prompts import PromptSet

Chosen = TypeVar("Chosen", bound=Settings, contravariant=True)


def _perfect() -> Planner:
    return get_planner("fd-opt")


@dataclass(frozen=True)
class Supplies:
    """What a benchmark opens episodes with: a picture store, and an optimal planner for judges that need one.

    The planner is created on first use.
    """

    pictures: PictureStore = field(default_factory=PictureStore)
    planner: Callable[[], Planner] = _perfect


class Benchmark(Protocol[Chosen]):
    """A set of episodes, scored by split. Its command is `python -m evals.<name>`."""

    name: str

    @property
    def settings(self) -> type[Settings]:
        """The settings class."""
        ...

    def judging(self, settings: Chosen) -> Judging:
        """What its judges have in common."""
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

    def check(self, settings: Chosen) -> None:
        """Raise `ValueError` or `FileNotFoundError` if the settings cannot be played."""
        ...

    def check_pictures(self, settings: Chosen) -> None:
        """Raise `ValueError` if a picture of the chosen problems is damaged. Called only if pictures will be used."""
        ...

    def at_once(self, settings: Chosen) -> int | None:
        """How many episodes can be played concurrently; None for any number."""
        ...

    def fingerprints(self, settings: Chosen) -> dict[str, str]:
        """Hashes of everything else that decides the numbers: the problems, the worlds' texts and pictures."""
        ...

    def episodes(self, settings: Chosen) -> Sequence[Episode]:
        """The episodes, in order. Listing them needs no agent, model or planner."""
        ...

    def step_limit(self, episode: Episode, settings: Chosen, family: str) -> int:
        """How many steps an agent of this family may take."""
        ...

    def open(self, episode: Episode, settings: Chosen, supplies: Supplies) -> tuple[Task, Judge]:
        """The task for the agent, and its judge. Every call creates new, equal ones."""
        ...


class Defaults:
    """Default implementations that fit most benchmarks."""

    def splits(self, settings: Any) -> Sequence[str]:
        """The splits in the order of the episodes."""
        return list(dict.fromkeys(episode.split for episode in self.episodes(settings)))

    def prompts(self, settings: Any) -> PromptSet:
        """Our own prompts."""
        return PromptSet.ours()

    def conduct(self, settings: Any) -> Conduct:
        """Our own rules."""
        return Conduct.MENDED

    def check(self, settings: Any) -> None:
        """Accept all settings."""

    def check_pictures(self, settings: Any) -> None:
        """Pictures that are drawn are whole."""

    def at_once(self, settings: Any) -> int | None:
        """No limit."""
        return None

    def step_limit(self, episode: Episode, settings: Any, family: str) -> int:
        """The episode's own limit."""
        return episode.step_limit

    def episodes(self, settings: Any) -> Sequence[Episode]:
        """The episodes, in order."""
        raise NotImplementedError

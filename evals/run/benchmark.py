"""What a benchmark is: settings that a user may choose, the episodes that follow from them, and how each is opened."""

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
    """What a benchmark opens episodes with: where pictures are kept, and a perfect planner for judges that need one.

    The planner is made when it is first called for.
    """

    pictures: PictureStore = field(default_factory=PictureStore)
    planner: Callable[[], Planner] = _perfect


class Benchmark(Protocol[Chosen]):
    """A set of episodes with scores by split. Its command is `python -m evals.<name>`."""

    name: str

    @property
    def settings(self) -> type[Settings]:
        """The class of its settings."""
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
        """Raise `ValueError` or `FileNotFoundError` if what the user chose cannot be played."""
        ...

    def at_once(self, settings: Chosen) -> int | None:
        """How many episodes can be played at the same time; None for any number."""
        ...

    def fingerprints(self, settings: Chosen) -> dict[str, str]:
        """Hashes of what else decides the numbers: the problems, the worlds' texts and pictures."""
        ...

    def episodes(self, settings: Chosen) -> Sequence[Episode]:
        """What to play, in order. No agent, model or planner is needed to list it."""
        ...

    def step_limit(self, episode: Episode, settings: Chosen, family: str) -> int:
        """How many steps an agent of this family may take."""
        ...

    def open(self, episode: Episode, settings: Chosen, supplies: Supplies) -> tuple[Task, Judge]:
        """The task as an agent meets it, and the judge who knows. A second call makes the same ones anew."""
        ...


class Defaults:
    """What most benchmarks answer alike. A benchmark that inherits it needs only what is its own."""

    def splits(self, settings: Any) -> Sequence[str]:
        """The splits in the order in which episodes come."""
        return list(dict.fromkeys(episode.split for episode in self.episodes(settings)))

    def prompts(self, settings: Any) -> PromptSet:
        """Our own."""
        return PromptSet.ours()

    def conduct(self, settings: Any) -> Conduct:
        """Rules without the quirks of any original."""
        return Conduct.MENDED

    def check(self, settings: Any) -> None:
        """Nothing that the settings allow is unplayable."""

    def at_once(self, settings: Any) -> int | None:
        """Any number of episodes."""
        return None

    def step_limit(self, episode: Episode, settings: Any, family: str) -> int:
        """The episode's own."""
        return episode.step_limit

    def episodes(self, settings: Any) -> Sequence[Episode]:
        """What to play, in order."""
        raise NotImplementedError

"""What is compared: arms. An arm is one agent with one model under one set of conditions, on all that it played.

Runs that differ only in seed, domain or split are parts of one arm. Recorded runs of the original are arms too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path, PurePath
from typing import Any, TypeAlias

from evals.comparison.stages import Stage
from evals.report.wording import short, spaced
from evals.splits import split_place
from evals.table import USUAL

Stratum: TypeAlias = tuple[str, str]
"""Domain and split."""

PARTS = frozenset({"domain", "split", "seed"})
"""Settings in which the parts of an arm differ."""
COT = "_cot"


class Unusable(Exception):
    """What was given cannot be compared; the message says why and what to do."""


class UnknownCourse(Exception):
    """How an episode went cannot be read; the message says why. What came of it is known all the same."""


@dataclass(frozen=True, slots=True)
class Played:
    """One episode. `success` is None where model, planner or program broke down: it says nothing about the agent.

    `answers` tells how many questions were asked and how many answered rightly, `stages` reads its course
    (`UnknownCourse` if it cannot be read), `start` is a hash of where it begins and what is wanted; None where that is
    not known. `page` shows it to people.
    """

    domain: str
    split: str
    problem: str
    seed: int
    success: bool | None
    asks: bool = False
    answers: Callable[[], tuple[int, int]] = field(default=lambda: (0, 0), compare=False, repr=False)
    stages: Callable[[], Sequence[Stage]] = field(default=lambda: (), compare=False, repr=False)
    start: Callable[[], str | None] = field(default=lambda: None, compare=False, repr=False)
    page: Path | None = None

    @property
    def stratum(self) -> Stratum:
        """Domain and split."""
        return self.domain, self.split


@dataclass(frozen=True)
class Part:
    """One run, or all that was recorded of one method and model. `expected` is how many episodes it was to have."""

    name: str
    settings: Mapping[str, Any]
    fingerprints: Mapping[str, Any]
    played: tuple[Played, ...]
    expected: int
    warnings: tuple[str, ...] = ()
    looks: bool = True
    path: str = ""

    @property
    def seeds(self) -> set[int]:
        """The seeds of its episodes."""
        return {episode.seed for episode in self.played}


@dataclass(frozen=True)
class Arm:
    """One agent with one model under one set of conditions.

    `method` is the agent without `_cot`, with the conditions behind it in which arms of this comparison differ.
    """

    method: str
    cot: bool
    model: str
    parts: tuple[Part, ...]

    @property
    def label(self) -> str:
        """Its name in tables."""
        return f"{self.agent} · {self.model}"

    @property
    def agent(self) -> str:
        """Method and chain of thought in one."""
        return titled(self.method, self.cot)

    @cached_property
    def played(self) -> tuple[Played, ...]:
        """Every episode of every part."""
        return tuple(episode for part in self.parts for episode in part.played)

    @cached_property
    def strata(self) -> tuple[Stratum, ...]:
        """What it played, from easy to hard within each domain."""
        return in_order({episode.stratum for episode in self.played})

    @property
    def seeds(self) -> set[int]:
        """The seeds of its episodes."""
        return {episode.seed for episode in self.played}

    @property
    def asks(self) -> bool:
        """Whether it is a method that asks questions, rather than one that proposes actions."""
        return any(episode.asks for episode in self.played)

    @property
    def lost(self) -> int:
        """Episodes that say nothing about the agent."""
        return sum(episode.success is None for episode in self.played)

    @property
    def missing(self) -> int:
        """Episodes that it was to have and that are not finished."""
        return max(0, sum(part.expected for part in self.parts) - len(self.played))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What nobody may overlook."""
        return tuple(dict.fromkeys(warning for part in self.parts for warning in part.warnings))


def titled(method: str, cot: bool) -> str:
    """`ground` and `ground_cot`, with the conditions behind."""
    name, comma, conditions = method.partition(", ")
    return f"{name}{COT if cot else ''}{comma}{conditions}"


def in_order(strata: Iterable[Stratum]) -> tuple[Stratum, ...]:
    """Domains by name, splits from easy to hard."""
    return tuple(sorted(set(strata), key=lambda stratum: (stratum[0], split_place(stratum[1]))))


def arms_of(parts: Sequence[Part]) -> list[Arm]:
    """The parts put together to arms, in the order in which they were given."""
    groups: list[list[Part]] = []
    for part in parts:
        fitting = (group for group in groups if _fits(part, group))
        group = next(fitting, None)
        if group is None:
            groups.append([part])
        else:
            group.append(part)
    varying = _varying([group[0].settings for group in groups])
    return _told_apart([_arm(group, varying) for group in groups])


def _fits(part: Part, group: Sequence[Part]) -> bool:
    """Whether a part belongs to the same arm: equal but for what it played."""
    if conditions(part.settings) != conditions(group[0].settings):
        return False
    covered = {(*episode.stratum, episode.seed) for other in group for episode in other.played}
    return not any((*episode.stratum, episode.seed) in covered for episode in part.played) and bool(part.played)


def conditions(settings: Mapping[str, Any]) -> dict[str, Any]:
    """All that makes an arm what it is."""
    return {name: value for name, value in settings.items() if name not in PARTS}


def _varying(groups: Sequence[Mapping[str, Any]]) -> list[str]:
    """Conditions besides agent and model in which the arms differ."""
    names = dict.fromkeys(name for settings in groups for name in settings if name not in PARTS | {"agent", "model"})
    return [name for name in names if len({repr(settings.get(name, USUAL.get(name))) for settings in groups}) > 1]


def _arm(group: Sequence[Part], varying: Sequence[str]) -> Arm:
    settings = group[0].settings
    agent, model = short(str(settings.get("agent", "?"))), short(str(settings.get("model", "?")))
    unusual = [name for name in varying if settings.get(name, USUAL.get(name)) != USUAL.get(name)]
    told = [f"{spaced(name)} {PurePath(str(settings[name])).name}" for name in unusual if name != "source"]
    if "source" in unusual:
        told.insert(0, str(settings["source"]))
    return Arm(", ".join([agent.removesuffix(COT), *told]), agent.endswith(COT), model, tuple(group))


def _told_apart(arms: Sequence[Arm]) -> list[Arm]:
    """Arms of one name with that of their folder behind it, or the way there if they share that too."""
    found = []
    for arm in arms:
        alike = [other.parts[0] for other in arms if (other.method, other.label) == (arm.method, arm.label)]
        names = {part.name for part in alike}
        folder = arm.parts[0].name if len(names) == len(alike) else arm.parts[0].path
        found.append(arm if len(alike) == 1 else replace(arm, method=f"{arm.method}, {folder}"))
    return found

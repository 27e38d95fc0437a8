"""What is compared: arms. An arm is one agent with one model under one set of conditions, on all that it played.

Runs that differ only in what they played (seed, domain, split) are parts of one arm. Runs that another program recorded
can be arms too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from evals.compare.conditions import NAMED, conditions, unusual
from evals.compare.courses import Moment
from evals.pages.wording import short
from evals.run.judging import Judging

Stratum: TypeAlias = tuple[str, str]
"""Domain and split."""

COT = "_cot"


class Unusable(Exception):
    """The input cannot be compared; the message says why and what to do."""


class Unlike(Unusable):
    """Runs of different kinds: they can still be compared on the problems they share, if the user forces it."""


class UnknownCourse(Exception):
    """The course of an episode cannot be read; the message says why. Its outcome is known all the same."""


@dataclass(frozen=True, slots=True)
class Played:
    """One episode. `success` is None if it says nothing about the model: something broke down, or the agent's code did.

    `answers` counts the answers that can be right or wrong and the right ones among them; `asks` says whether there are
    any. `course` reads the course (`UnknownCourse` if it cannot be read), `start` is a hash of where the episode begins
    and what is wanted, or None. `page` is where people can look at it.
    """

    domain: str
    split: str
    problem: str
    seed: int
    success: bool | None
    repeat: int = 0
    tags: Mapping[str, str] = field(default_factory=dict, compare=False)
    asks: bool = False
    answers: Callable[[], tuple[int, int]] = field(default=lambda: (0, 0), compare=False, repr=False)
    course: Callable[[], Sequence[Moment]] = field(default=lambda: (), compare=False, repr=False)
    start: Callable[[], str | None] = field(default=lambda: None, compare=False, repr=False)
    page: Path | None = None

    @property
    def stratum(self) -> Stratum:
        """Domain and split."""
        return self.domain, self.split

    @property
    def draw(self) -> tuple[int, int]:
        """What tells several episodes of a problem apart: the seed, and which repeat it is."""
        return self.seed, self.repeat

    def cluster(self, tag: str) -> Hashable:
        """What it shares with episodes that are no independent witnesses; by default, nothing but the problem."""
        if tag != "problem" and tag in self.tags:
            return self.domain, self.tags[tag]
        return self.domain, self.split, self.problem

    def level(self, tag: str) -> Hashable:
        """Its group at one level of the benchmark's overall number."""
        return self.stratum if tag == "split" else self.tags.get(tag, "")


@dataclass(frozen=True)
class Part:
    """One run, or all recorded episodes of one method and model.

    `expected` is how many episodes it was to have, `splits` the order of their splits, `judging` how they make one
    number, and `usual` what its settings are if nobody chooses.
    """

    name: str
    settings: Mapping[str, Any]
    fingerprints: Mapping[str, Any]
    played: tuple[Played, ...]
    expected: int
    warnings: tuple[str, ...] = ()
    looks: bool = True
    path: str = ""
    splits: tuple[str, ...] = ()
    judging: Judging = field(default_factory=Judging)
    usual: Mapping[str, Any] = field(default_factory=dict)

    @property
    def benchmark(self) -> str:
        """The name of its benchmark."""
        return str(self.settings.get("benchmark") or "")

    @cached_property
    def conditions(self) -> dict[str, Any]:
        """All settings that make it what it is, whatever it played."""
        return conditions(self.settings, {tag for episode in self.played for tag in episode.tags})


@dataclass(frozen=True)
class Arm:
    """One agent with one model under one set of conditions.

    `method` is the agent without `_cot`, followed by the conditions in which arms of this comparison differ.
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

    @property
    def benchmark(self) -> str:
        """The name of its benchmark."""
        return self.parts[0].benchmark

    @property
    def judging(self) -> Judging:
        """What its judges have in common."""
        return self.parts[0].judging

    @cached_property
    def played(self) -> tuple[Played, ...]:
        """Every episode of every part."""
        return tuple(episode for part in self.parts for episode in part.played)

    @cached_property
    def strata(self) -> tuple[Stratum, ...]:
        """What it played, in the order of the benchmark within each domain."""
        return strata_of([self])

    @property
    def draws(self) -> set[tuple[int, int]]:
        """The seeds and repeats of its episodes."""
        return {episode.draw for episode in self.played}

    @property
    def seeds(self) -> set[int]:
        """The seeds of its episodes."""
        return {episode.seed for episode in self.played}

    @property
    def asks(self) -> bool:
        """Whether it is a method that asks questions which have a right answer."""
        return any(episode.asks for episode in self.played)

    @property
    def lost(self) -> int:
        """Episodes that say nothing about the model."""
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


def strata_of(arms: Iterable[Arm]) -> tuple[Stratum, ...]:
    """What some arms played: domains by name, splits in the order of their benchmark."""
    listed = list(arms)
    order = dict.fromkeys(split for arm in listed for part in arm.parts for split in part.splits)
    return in_order({episode.stratum for arm in listed for episode in arm.played}, tuple(order))


def in_order(strata: Iterable[Stratum], splits: Sequence[str]) -> tuple[Stratum, ...]:
    """Domains by name, splits in the order given; others follow by name."""
    places = {split: place for place, split in enumerate(splits)}
    return tuple(sorted(set(strata), key=lambda one: (one[0], places.get(one[1], len(places)), one[1])))


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
    varying = _varying([group[0] for group in groups])
    return _distinct([_arm(group, varying) for group in groups])


def _fits(part: Part, group: Sequence[Part]) -> bool:
    """Whether a part belongs to the same arm: equal but for what it played."""
    if part.conditions != group[0].conditions:
        return False
    covered = {(episode.stratum, episode.seed) for other in group for episode in other.played}
    return not any((episode.stratum, episode.seed) in covered for episode in part.played) and bool(part.played)


def _varying(groups: Sequence[Part]) -> list[str]:
    """Conditions besides agent and model in which the arms differ."""
    names = dict.fromkeys(name for part in groups for name in part.conditions if name not in NAMED)
    # A run that does not know a setting had what is usual.
    values = {name: {repr(part.settings.get(name, part.usual.get(name))) for part in groups} for name in names}
    return [name for name in names if len(values[name]) > 1]


def _arm(group: Sequence[Part], varying: Sequence[str]) -> Arm:
    settings = group[0].settings
    agent, model = short(str(settings.get("agent", "?"))), short(str(settings.get("model", "?")))
    method = ", ".join([agent.removesuffix(COT), *unusual(settings, group[0].usual, varying)])
    return Arm(method, agent.endswith(COT), model, tuple(group))


def _distinct(arms: Sequence[Arm]) -> list[Arm]:
    """Arms of one name with the name of their folder behind it, or its path if they share that name too."""
    found = []
    for arm in arms:
        alike = [other.parts[0] for other in arms if (other.method, other.label) == (arm.method, arm.label)]
        names = {part.name for part in alike}
        folder = arm.parts[0].name if len(names) == len(alike) else arm.parts[0].path
        found.append(arm if len(alike) == 1 else replace(arm, method=f"{arm.method}, {folder}"))
    return found

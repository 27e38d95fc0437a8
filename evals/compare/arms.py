"""Arms of a comparison. An arm is one agent with one model under one set of conditions.

Runs that differ only in seed, domain or split are parts of one arm. Runs recorded by another program can be arms, too.
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
    """Runs that differ in more than their conditions; --force compares them on the problems they share."""


class UnknownCourse(Exception):
    """The course of an episode cannot be read; the message says why. Its outcome is still known."""


@dataclass(frozen=True, slots=True)
class Played:
    """One episode. `success` is None if it is not scored; `end` is how it ended, if the judge tells.

    `answers` counts the right answers and all that can be right or wrong; `asks` says whether there are any. `course`
    reads the course (`UnknownCourse` if it cannot be read), `start` is a hash of the initial state and the goal, or
    None. `page` is the path of its page.
    """

    domain: str
    split: str
    problem: str
    seed: int
    success: bool | None
    repeat: int = 0
    tags: Mapping[str, str] = field(default_factory=dict, compare=False)
    asks: bool = False
    end: str | None = None
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
        """The seed and the number of the repeat, which distinguish episodes of one problem."""
        return self.seed, self.repeat

    def cluster(self, tag: str) -> Hashable:
        """The cluster of the episode under a tag; by default its problem."""
        if tag != "problem" and tag in self.tags:
            return self.domain, self.tags[tag]
        return self.domain, self.split, self.problem

    def level(self, tag: str) -> Hashable:
        """Its group at one level of the benchmark's overall number."""
        return self.stratum if tag == "split" else self.tags.get(tag, "")


@dataclass(frozen=True)
class Part:
    """One run, or all recorded episodes of one method and model.

    `expected` is the number of episodes, `splits` the order of their splits, `judging` has the formula of the overall
    number, and `usual` are the default settings.
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
        """All settings but those that choose what is played."""
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
        """The method, with `_cot` for chain of thought."""
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
        """The strata it played, in the order of the benchmark within each domain."""
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
        """Whether it asks questions that have a right answer."""
        return any(episode.asks for episode in self.played)

    @property
    def lost(self) -> int:
        """The number of episodes that are not scored."""
        return sum(episode.success is None for episode in self.played)

    @property
    def missing(self) -> int:
        """The number of unfinished episodes."""
        return max(0, sum(part.expected for part in self.parts) - len(self.played))

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings to show first."""
        return tuple(dict.fromkeys(warning for part in self.parts for warning in part.warnings))


def titled(method: str, cot: bool) -> str:
    """The name of an agent, such as `ground_cot`, with its conditions appended."""
    name, comma, conditions = method.partition(", ")
    return f"{name}{COT if cot else ''}{comma}{conditions}"


def strata_of(arms: Iterable[Arm]) -> tuple[Stratum, ...]:
    """The strata of arms: domains by name, splits in the order of their benchmark."""
    listed = list(arms)
    order = dict.fromkeys(split for arm in listed for part in arm.parts for split in part.splits)
    return in_order({episode.stratum for arm in listed for episode in arm.played}, tuple(order))


def in_order(strata: Iterable[Stratum], splits: Sequence[str]) -> tuple[Stratum, ...]:
    """Domains by name, splits in the order given; others follow by name."""
    places = {split: place for place, split in enumerate(splits)}
    return tuple(sorted(set(strata), key=lambda one: (one[0], places.get(one[1], len(places)), one[1])))


def arms_of(parts: Sequence[Part]) -> list[Arm]:
    """The parts grouped into arms, in the given order."""
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
    """Whether a part belongs to the same arm: all conditions are equal."""
    if part.conditions != group[0].conditions:
        return False
    covered = {(episode.stratum, episode.seed) for other in group for episode in other.played}
    return not any((episode.stratum, episode.seed) in covered for episode in part.played) and bool(part.played)


def _varying(groups: Sequence[Part]) -> list[str]:
    """Conditions besides agent and model in which the arms differ."""
    names = dict.fromkeys(name for part in groups for name in part.conditions if name not in NAMED)
    # A run without a setting had its default.
    values = {name: {repr(part.settings.get(name, part.usual.get(name))) for part in groups} for name in names}
    return [name for name in names if len(values[name]) > 1]


def _arm(group: Sequence[Part], varying: Sequence[str]) -> Arm:
    settings = group[0].settings
    agent, model = short(str(settings.get("agent", "?"))), short(str(settings.get("model", "?")))
    method = ", ".join([agent.removesuffix(COT), *unusual(settings, group[0].usual, varying)])
    return Arm(method, agent.endswith(COT), model, tuple(group))


def _distinct(arms: Sequence[Arm]) -> list[Arm]:
    """Arms with equal names get the name of their folder appended, or its path if that is equal, too."""
    found = []
    for arm in arms:
        alike = [other.parts[0] for other in arms if (other.method, other.label) == (arm.method, arm.label)]
        names = {part.name for part in alike}
        folder = arm.parts[0].name if len(names) == len(alike) else arm.parts[0].path
        found.append(arm if len(alike) == 1 else replace(arm, method=f"{arm.method}, {folder}"))
    return found

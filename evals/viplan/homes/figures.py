"""Rates of a household over many attempts, and the same rates in the recorded runs of the original.

The recorded ones are counted over all runs of eight models in the original's simulator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from envs.base import Observation, Outcome
from envs.household.rollout import Played
from envs.household.world import Household
from planners.formula import Atom

FAILED = {
    "navigate-to": 0.08,
    "grasp": 0.02,
    "place-on": 0.28,
    "place-inside": 0.20,
    "place-next-to": 0.50,
    "open-container": 0.12,
    "close-container": 0.24,
}
"""How often a legal action failed in the original."""
TRUE = {"reachable": 0.67, "open": 0.45, "nextto": 0.14, "inside": 0.10, "ontop": 0.08, "holding": 0.07}
"""How often a fact that was asked about was true in the original."""
VISIBLE = {"simple": 2.7, "medium": 4.2, "hard": 5.0}
"""Objects in view at a step in the original."""
LEFT_BEHIND = 0.45
"""How often, after driving somewhere, another visible thing was out of reach, as in the domain."""


@dataclass
class Census:
    """Counts of outcomes, visibility and facts."""

    tried: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    looks: Counter[str] = field(default_factory=Counter)
    others: int = 0
    left_behind: int = 0
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, world: Household, split: str, played: Played) -> None:
        """Count one attempt, and the observation after it."""
        action, seen = played.step.action, world.observe()
        self.tried[action] += 1
        if played.outcome is Outcome.FAILED:
            self.failed[action] += 1
            self.reasons[f"{action}: {_general(played.happened, world)}"] += 1
        self.looks[split] += 1
        self.seen[split] += len(seen.visible or ())
        for atom in world.domain.atoms(world.objects):
            if seen.shows(atom):
                self.asked[atom.predicate] += 1
                self.true[atom.predicate] += atom in played.after
        if action == "navigate-to" and played.outcome is Outcome.EXECUTED:
            self._count_left_behind(played, seen)

    def _count_left_behind(self, played: Played, seen: Observation) -> None:
        (target,) = played.step.args
        for name in seen.visible or ():
            if name != target and Atom("holding", (name,)) not in played.after:
                self.others += 1
                self.left_behind += Atom("reachable", (name,)) not in played.after

    def together(self, other: Census) -> Census:
        """The sum of two counts."""
        return Census(
            self.tried + other.tried,
            self.failed + other.failed,
            self.asked + other.asked,
            self.true + other.true,
            self.seen + other.seen,
            self.looks + other.looks,
            self.others + other.others,
            self.left_behind + other.left_behind,
            self.reasons + other.reasons,
        )


@dataclass(frozen=True, slots=True)
class Episode:
    """One problem played by plans from the true state."""

    problem: str
    split: str
    seed: int
    solved: bool
    steps: int
    seconds: float
    reset: float


@dataclass(frozen=True, slots=True)
class RateRow:
    """One rate of ours beside the recorded one; `n` is out of how many."""

    group: str
    name: str
    ours: float | None
    n: int
    recorded: float


def lines(census: Census) -> list[RateRow]:
    """All rates that the record has, too."""
    return [
        *_rates("a legal action fails", FAILED, census.failed, census.tried),
        *_rates("a fact in view is true", TRUE, census.true, census.asked),
        *_rates("objects in view", VISIBLE, census.seen, census.looks),
        RateRow("after driving", "others out of reach", *_share(census.left_behind, census.others), LEFT_BEHIND),
    ]


def _rates(group: str, recorded: Mapping[str, float], part: Counter[str], whole: Counter[str]) -> Iterable[RateRow]:
    return [RateRow(group, name, *_share(part[name], whole[name]), value) for name, value in recorded.items()]


def _share(part: int, whole: int) -> tuple[float | None, int]:
    return (part / whole if whole else None), whole


def _general(happened: str, world: Household) -> str:
    """The reason of a failure, without names of objects."""
    words = happened.removeprefix("failed: ").split()
    return " ".join("…" if word in world.objects else word for word in words)

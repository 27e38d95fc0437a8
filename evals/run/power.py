"""The smallest difference that a paired comparison could show, before it is played or after.

A run of n problems cannot show every difference: with few problems, a real one is mostly missed. The test is McNemar's,
exact and two-sided, as in `evals.compare`. Its power depends on how often the two sides differ against the trend
(`against`: the share of problems that only the worse side solves), which is known after a comparison and has to be
assumed before.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Numbers: TypeAlias = np.ndarray[Any, Any]

POWER, ALPHA = 0.8, 0.05
STEP = 0.001
"""Differences are found to this precision."""
REACH = 7
"""Counts further from the mean than so many standard deviations are left out."""


@dataclass(frozen=True, slots=True)
class Detectable:
    """The smallest differences that a comparison on `problems` problems could show; None if there is none up to 1.

    `least` is for a worse side that solves nothing that the better side does not. `independent` is for two sides whose
    successes have nothing to do with each other, around one half: no two agents on the same problems should need more.
    """

    problems: int
    least: float | None
    independent: float | None

    def __str__(self) -> str:
        if self.least is None:
            return f"{self.problems:,} problems are too few for a paired comparison to show any difference"
        return (
            f"{self.problems:,} problems: a paired comparison can show a difference in success of {self.least:.2g} if "
            f"the better run solves all that the other does, of {self.independent or 1:.2g} if their successes are "
            f"independent (exact McNemar, 80 % power)"
        )


def detectable(problems: int) -> Detectable:
    """What a comparison on this many problems could show."""
    return Detectable(problems, smallest_difference(problems), _smallest(problems, _independent))


def smallest_difference(problems: int, against: float = 0.0) -> float | None:
    """The smallest difference that is found with 80 % power; None if not even the largest possible one is.

    `against` is the share of problems that only the worse side solves.
    """
    return _smallest(problems, lambda difference: (against, against + difference), 1 - 2 * against)


def power(problems: int, against: float, ahead: float) -> float:
    """The chance that the test finds the difference, if each problem is solved by one side alone with these chances."""
    either = against + ahead
    if not either:
        return 0.0
    differing, weights = _binomial(problems, either)
    found = (weight * _found(int(count), ahead / either) for count, weight in zip(differing, weights, strict=True))
    return float(math.fsum(found))


def _smallest(problems: int, sides: Callable[[float], tuple[float, float]], most: float = 1.0) -> float | None:
    """By bisection: the larger the difference, the greater the power."""

    def found(steps: int) -> bool:
        return power(problems, *sides(steps * STEP)) >= POWER

    low, high = 0, math.floor(most / STEP + 1e-9)
    if high < 1 or not found(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high * STEP


def _independent(difference: float) -> tuple[float, float]:
    worse, better = 0.5 - difference / 2, 0.5 + difference / 2
    return worse * (1 - better), better * (1 - worse)


def _found(differing: int, ahead: float) -> float:
    """The chance that the test rejects, given how many problems differ; either direction counts."""
    most = _critical(differing)
    if most < 0:
        return 0.0
    wins, weights = _binomial(differing, ahead)
    return float(weights[(wins <= most) | (wins >= differing - most)].sum())


@cache
def _critical(differing: int) -> int:
    """The largest number of wins of the worse side at which the two-sided test still rejects; -1 if there is none."""
    wins, weights = _binomial(differing, 0.5)
    rejected = wins[2 * weights.cumsum() <= ALPHA]
    return int(rejected[-1]) if len(rejected) else -1


def _binomial(trials: int, chance: float) -> tuple[Numbers, Numbers]:
    """Counts and their chances, without those too far from the mean to matter."""
    import numpy as np

    if trials == 0 or chance <= 0.0 or chance >= 1.0:
        return np.array([trials if chance >= 1.0 else 0]), np.array([1.0])
    reach = REACH * math.sqrt(trials * chance * (1 - chance)) + REACH
    low, high = max(0, math.floor(trials * chance - reach)), min(trials, math.ceil(trials * chance + reach))
    counts = np.arange(low, high + 1)
    logs = _log_factorials(trials)
    ways = logs[trials] - logs[counts] - logs[trials - counts]
    return counts, np.exp(ways + counts * math.log(chance) + (trials - counts) * math.log1p(-chance))


@cache
def _log_factorials(most: int) -> Numbers:
    import numpy as np

    return np.concatenate([[0.0], np.log(np.arange(1, most + 1)).cumsum()])

"""Statistics of paired comparisons; only the bootstrap needs numpy.

Both sides play the same problems, so differences are tested problem by problem: a problem that both solve, or neither,
is no evidence about which is better.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

CONFIDENCE = 0.95
RESAMPLES = 10_000
_AT_ONCE = 1_000
"""Resamples per batch, as a trade-off between speed and memory."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Two-sided p-values of no difference: exact, and mid-p, which is less conservative."""

    exact: float
    mid: float


def spread(values: Sequence[float]) -> float | None:
    """The standard error of a mean, from the sample variance; None for a single value."""
    count = len(values)
    if count < 2:
        return None
    mean = math.fsum(values) / count
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count)


def wilson(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's score interval of a success rate: always within 0 to 1, never empty."""
    if not 0 <= successes <= trials or not trials:
        raise ValueError(f"{successes} successes of {trials} trials make no rate")
    return _score_interval(successes / trials, float(trials), confidence)


def combined(parts: Sequence[tuple[float, Interval]]) -> Interval:
    """The interval of a mean of independent rates, from their intervals (Newcombe's method for differences)."""
    count = len(parts)
    if not count:
        raise ValueError("a mean needs at least one rate")
    if count == 1:
        return parts[0][1]
    mean = math.fsum(value for value, _ in parts) / count
    below = math.sqrt(math.fsum((value - interval.low) ** 2 for value, interval in parts)) / count
    above = math.sqrt(math.fsum((interval.high - value) ** 2 for value, interval in parts)) / count
    return Interval(max(0.0, mean - below), min(1.0, mean + above))


def clustered(clusters: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Interval:
    """The interval of a rate whose trials are clustered by a picture, a scene or a problem.

    Wilson's interval with the effective number of trials: all of them if each cluster has one, fewer the more similar
    the trials of a cluster are.
    """
    values = [value for cluster in clusters for value in cluster]
    if not values:
        raise ValueError("an interval needs at least one trial")
    mean = math.fsum(values) / len(values)
    return _score_interval(mean, effective_trials(clusters), confidence)


def effective_trials(clusters: Sequence[Sequence[float]]) -> float:
    """The effective number of independent trials (Kish's design effect); `ValueError` if there are none."""
    values = [value for cluster in clusters for value in cluster]
    if not values:
        raise ValueError("no trials have no worth")
    mean = math.fsum(values) / len(values)
    sizes = [len(cluster) for cluster in clusters if cluster]
    trials, count = sum(sizes), len(sizes)
    if count == trials:
        return float(trials)
    if count == 1 or mean in (0.0, 1.0):
        return float(count)  # the correlation within clusters is unknown, so each cluster counts once
    between = math.fsum(math.fsum(value - mean for value in cluster) ** 2 for cluster in clusters)
    return trials / max(1.0, between / (trials * mean * (1 - mean)))


def _score_interval(share: float, trials: float, confidence: float) -> Interval:
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    scale = 1 + z**2 / trials
    middle = (share + z**2 / (2 * trials)) / scale
    reach = z * math.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2)) / scale
    # At 0 and 1 the bound is exact, which rounding may miss.
    return Interval(0.0 if share == 0 else max(0.0, middle - reach), 1.0 if share == 1 else min(1.0, middle + reach))


def sign_flip(differences: Sequence[int]) -> PairedTest:
    """The exact sign-flip test of paired differences.

    Differences are per problem: by how many successes one side is ahead. With one episode per problem this is McNemar's
    test; several episodes of a problem, which are not independent, stay together.
    """
    sizes = Counter(abs(difference) for difference in differences if difference)
    if not sizes:
        return PairedTest(1.0, 1.0)
    # The number of sign choices that lead to each sum, in integers to avoid rounding.
    ways: dict[int, int] = {0: 1}
    for size, number in sizes.items():
        flips = [(size * (number - 2 * flipped), math.comb(number, flipped)) for flipped in range(number + 1)]
        after: defaultdict[int, int] = defaultdict(int)
        for total, count in ways.items():
            for moved, choices in flips:
                after[total + moved] += count * choices
        ways = after
    seen = abs(sum(differences))
    beyond = sum(count for total, count in ways.items() if abs(total) > seen)
    equal = sum(count for total, count in ways.items() if abs(total) == seen)
    every = 2 ** sizes.total()
    return PairedTest((beyond + equal) / every, (2 * beyond + equal) / (2 * every))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for the family-wise error rate (Holm)."""
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(_ascending(p_values)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for the false discovery rate (Benjamini and Hochberg)."""
    adjusted = [0.0] * len(p_values)
    lowest = 1.0
    for rank, place in reversed(list(enumerate(_ascending(p_values), 1))):
        lowest = min(lowest, len(p_values) / rank * p_values[place])
        adjusted[place] = lowest
    return adjusted


def _ascending(values: Sequence[float]) -> list[int]:
    return sorted(range(len(values)), key=lambda place: values[place])


def bootstrap(
    strata: Sequence[Sequence[float]],
    *,
    sizes: Sequence[Sequence[int]] | None = None,
    weights: Sequence[float] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Interval:
    """The percentile interval of the mean of the strata's means, resampled within each stratum.

    For a paired bootstrap, pass the differences per problem. A value may be the mean of a cluster; `sizes` then has the
    number of problems in each. `weights` are the weights of the strata, by default equal.
    """
    import numpy as np

    if not strata or not all(len(stratum) for stratum in strata):
        raise ValueError("a bootstrap needs at least one problem in each split")
    dice = np.random.default_rng(seed)
    counts = sizes or [[1] * len(stratum) for stratum in strata]
    shares = weights or [1 / len(strata)] * len(strata)
    means = np.zeros(resamples)
    for stratum, count, share in zip(strata, counts, shares, strict=True):
        means += share * _resampled_means(np.asarray(stratum, dtype=float), np.asarray(count), resamples, dice)
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(means, [tail, 100 - tail])
    return Interval(float(low), float(high))


def _resampled_means(
    values: np.ndarray[Any, Any], sizes: np.ndarray[Any, Any], resamples: int, dice: np.random.Generator
) -> np.ndarray[Any, Any]:
    import numpy as np

    rounds = [min(_AT_ONCE, resamples - done) for done in range(0, resamples, _AT_ONCE)]
    found = []
    for count in rounds:
        drawn = dice.integers(0, len(values), (count, len(values)))
        found.append((values * sizes)[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(found)

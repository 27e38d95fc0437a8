"""How far people, or a judge and people, agree: on answers by name, and on scores from 0 to 10.

Ratings by name: the exact share, Cohen's kappa of two raters, Krippendorff's alpha of any number with gaps. Scores:
Pearson's r with its interval, Spearman, and how far apart they lie.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import TypeVar

from evals.run.statistics import CONFIDENCE, Interval, clustered, wilson

BANDS = ((9, 10), (7, 8), (5, 6), (3, 4), (0, 2))
"""The bands of a score from 0 to 10."""
MOST = 10

First = TypeVar("First")
Second = TypeVar("Second")


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, and where the share may lie."""

    value: float
    interval: Interval
    count: int


def exact(one: Sequence[Hashable], other: Sequence[Hashable]) -> Share:
    """How often two raters say the same, with Wilson's interval."""
    same = sum(left == right for left, right in _paired(one, other))
    return Share(same / len(one), wilson(same, len(one)), len(one))


def pairwise(units: Sequence[Sequence[Hashable]]) -> Share | None:
    """How often two ratings of the same unit agree, over all pairs of ratings; None where no unit has two.

    The pairs of a unit share its ratings, so the interval takes each unit as a cluster.
    """
    pairs = [[float(left == right) for left, right in combinations(unit, 2)] for unit in units if len(unit) > 1]
    values = [value for unit in pairs for value in unit]
    return Share(sum(values) / len(values), clustered(pairs), len(values)) if values else None


def cohen_kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Cohen's kappa of two raters; None where both always say the same one thing, so that chance explains all."""
    pairs = _paired(one, other)
    count, left, right = len(pairs), Counter(one), Counter(other)
    seen = sum(a == b for a, b in pairs) / count
    expected = sum(left[name] * right[name] for name in left) / count**2
    return None if expected == 1 else (seen - expected) / (1 - expected)


def nominal(one: Hashable, other: Hashable) -> float:
    """How far apart two names are: not at all, or wholly."""
    return float(one != other)


def interval(one: float, other: float) -> float:
    """How far apart two scores are."""
    return float(one - other) ** 2


def krippendorff_alpha(units: Sequence[Sequence[Hashable]], distance: Callable[..., float] = nominal) -> float | None:
    """Krippendorff's alpha. A unit is what was rated, with the ratings it got; raters may leave units out.

    None where there are no two ratings of a unit, or all ratings are the same: then nothing could have differed.
    """
    rated = [Counter(unit) for unit in units if len(unit) > 1]
    totals: Counter[Hashable] = sum(rated, Counter())
    count = totals.total()
    if not count:
        return None
    expected = _disagreement(totals, distance) / (count - 1)
    seen = math.fsum(_disagreement(unit, distance) / (unit.total() - 1) for unit in rated)
    return None if expected == 0 else 1 - seen / expected


def _disagreement(ratings: Counter[Hashable], distance: Callable[..., float]) -> float:
    """The distances of all ordered pairs of ratings."""
    return math.fsum(a * b * distance(left, right) for left, a in ratings.items() for right, b in ratings.items())


def pearson(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's r; None where one side does not vary."""
    pairs = _paired(one, other)
    x, y = math.fsum(one) / len(pairs), math.fsum(other) / len(pairs)
    products = math.fsum((a - x) * (b - y) for a, b in pairs)
    squares = math.fsum((a - x) ** 2 for a in one) * math.fsum((b - y) ** 2 for b in other)
    return None if squares == 0 else max(-1.0, min(1.0, products / math.sqrt(squares)))


def pearson_interval(r: float, count: int, confidence: float = CONFIDENCE) -> Interval:
    """Where Pearson's r may lie, by Fisher's z; anywhere for fewer than four pairs."""
    if count < 4:
        return Interval(-1.0, 1.0)
    if abs(r) == 1:
        return Interval(r, r)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) / math.sqrt(count - 3)
    return Interval(math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach))


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Spearman's rank correlation; equal values share the mean of their ranks."""
    _paired(one, other)
    return pearson(_ranks(one), _ranks(other))


def _ranks(values: Sequence[float]) -> list[float]:
    below = {value: sum(other < value for other in values) for value in set(values)}
    equal = Counter(values)
    return [below[value] + (equal[value] + 1) / 2 for value in values]


def band(score: float) -> int:
    """Which of the bands a score falls into, the best first."""
    if not 0 <= score <= MOST:
        raise ValueError(f"a score goes from 0 to {MOST}, and {score:g} does not")
    return next(place for place, (low, _) in enumerate(BANDS) if score >= low)


def band_exact(one: Sequence[float], other: Sequence[float]) -> Share:
    """How often two raters put a score into the same band."""
    return exact([band(score) for score in one], [band(score) for score in other])


def mean_absolute_error(one: Sequence[float], other: Sequence[float]) -> float:
    """How far apart two scores are on the average."""
    pairs = _paired(one, other)
    return math.fsum(abs(a - b) for a, b in pairs) / len(pairs)


@dataclass(frozen=True, slots=True)
class Scores:
    """What there is to say of two raters' scores of the same things. `r` and `rho` are None where one never varies."""

    count: int
    r: float | None
    interval: Interval | None
    rho: float | None
    exact: Share
    bands: Share
    mae: float


def compare_scores(one: Sequence[float], other: Sequence[float]) -> Scores:
    """A judge beside people, or one person beside another."""
    r = pearson(one, other)
    within = None if r is None else pearson_interval(r, len(one))
    return Scores(
        len(one), r, within, spearman(one, other), exact(one, other), band_exact(one, other),
        mean_absolute_error(one, other),
    )  # fmt: skip


def _paired(one: Sequence[First], other: Sequence[Second]) -> list[tuple[First, Second]]:
    if len(one) != len(other):
        raise ValueError(f"{len(one)} ratings cannot be paired with {len(other)}")
    if not one:
        raise ValueError("agreement needs at least one thing that both rated")
    return list(zip(one, other, strict=True))

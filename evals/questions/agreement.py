"""Agreement between people, or between a judge and people, on categorical answers and on scores from 0 to 10.

For categories: exact agreement, Cohen's kappa of two raters, and Krippendorff's alpha of any number of raters with
missing ratings. For scores: Pearson's r with its interval, Spearman's rho, and the mean absolute error.
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
    """A count out of a total, with the interval of the share."""

    value: float
    interval: Interval
    count: int


def exact(one: Sequence[Hashable], other: Sequence[Hashable]) -> Share:
    """The exact agreement of two raters, with Wilson's interval."""
    same = sum(left == right for left, right in _paired(one, other))
    return Share(same / len(one), wilson(same, len(one)), len(one))


def pairwise(units: Sequence[Sequence[Hashable]]) -> Share | None:
    """The share of pairs of ratings of the same unit that agree; None if no unit has two ratings.

    The pairs of a unit are not independent, so the interval is clustered by unit.
    """
    pairs = [[float(left == right) for left, right in combinations(unit, 2)] for unit in units if len(unit) > 1]
    values = [value for unit in pairs for value in unit]
    return Share(sum(values) / len(values), clustered(pairs), len(values)) if values else None


def cohen_kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Cohen's kappa of two raters; None if both always give the same single category."""
    pairs = _paired(one, other)
    count, left, right = len(pairs), Counter(one), Counter(other)
    seen = sum(a == b for a, b in pairs) / count
    expected = sum(left[name] * right[name] for name in left) / count**2
    return None if expected == 1 else (seen - expected) / (1 - expected)


def nominal(one: Hashable, other: Hashable) -> float:
    """The distance of two categories: 0 or 1."""
    return float(one != other)


def interval(one: float, other: float) -> float:
    """The squared distance of two scores."""
    return float(one - other) ** 2


def krippendorff_alpha(units: Sequence[Sequence[Hashable]], distance: Callable[..., float] = nominal) -> float | None:
    """Krippendorff's alpha. A unit is the list of ratings of one thing; raters may leave units out.

    None if no unit has two ratings, or if all ratings are the same.
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
    """The sum of the distances of all ordered pairs of ratings."""
    return math.fsum(a * b * distance(left, right) for left, a in ratings.items() for right, b in ratings.items())


def pearson(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's r; None if one side does not vary."""
    pairs = _paired(one, other)
    x, y = math.fsum(one) / len(pairs), math.fsum(other) / len(pairs)
    products = math.fsum((a - x) * (b - y) for a, b in pairs)
    squares = math.fsum((a - x) ** 2 for a in one) * math.fsum((b - y) ** 2 for b in other)
    return None if squares == 0 else max(-1.0, min(1.0, products / math.sqrt(squares)))


def pearson_interval(r: float, count: int, confidence: float = CONFIDENCE) -> Interval:
    """The interval of Pearson's r by Fisher's z; from -1 to 1 for fewer than four pairs."""
    if count < 4:
        return Interval(-1.0, 1.0)
    if abs(r) == 1:
        return Interval(r, r)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) / math.sqrt(count - 3)
    return Interval(math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach))


def spearman(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Spearman's rank correlation; ties get their mean rank."""
    _paired(one, other)
    return pearson(_ranks(one), _ranks(other))


def _ranks(values: Sequence[float]) -> list[float]:
    below = {value: sum(other < value for other in values) for value in set(values)}
    equal = Counter(values)
    return [below[value] + (equal[value] + 1) / 2 for value in values]


def band(score: float) -> int:
    """The band of a score, counted from the best one."""
    if not 0 <= score <= MOST:
        raise ValueError(f"a score goes from 0 to {MOST}, and {score:g} does not")
    return next(place for place, (low, _) in enumerate(BANDS) if score >= low)


def band_exact(one: Sequence[float], other: Sequence[float]) -> Share:
    """The share of scores that two raters put into the same band."""
    return exact([band(score) for score in one], [band(score) for score in other])


def mean_absolute_error(one: Sequence[float], other: Sequence[float]) -> float:
    """The mean absolute difference of two raters' scores."""
    pairs = _paired(one, other)
    return math.fsum(abs(a - b) for a, b in pairs) / len(pairs)


@dataclass(frozen=True, slots=True)
class Scores:
    """All agreement measures for two raters' scores. `r` and `rho` are None if one rater's scores never vary."""

    count: int
    r: float | None
    interval: Interval | None
    rho: float | None
    exact: Share
    bands: Share
    mae: float


def compare_scores(one: Sequence[float], other: Sequence[float]) -> Scores:
    """Compare a judge with people, or one person with another."""
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

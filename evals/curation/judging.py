"""Statistics of judges: recall and precision, panels, calibration and correction by people's scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist, median

from evals.curation.drafts import HIGHEST
from evals.run.statistics import CONFIDENCE, Interval, spread


@dataclass(frozen=True, slots=True)
class Noticed:
    """Counts from which the recall and the precision of a judge follow."""

    hits: int
    faulty: int
    alarms: int
    sound: int

    @property
    def recall(self) -> float | None:
        """Of the faulty questions, those that were noticed."""
        return self.hits / self.faulty if self.faulty else None

    @property
    def precision(self) -> float | None:
        """Of the questions called faulty, those that are."""
        return self.hits / (self.hits + self.alarms) if self.hits + self.alarms else None


def panel(scores: Sequence[Sequence[int | None]]) -> list[int | None]:
    """The median of several judges' scores of each question, rounded down; None where nobody judged."""
    given = ([score for score in some if score is not None] for some in scores)
    return [math.floor(median(some)) if some else None for some in given]


def calibrated(judge: Sequence[float], people: Mapping[int, float]) -> list[float]:
    """The judge's scores as people would give them, by isotonic regression on those that people gave, too.

    `people` has scores by the place of the question. The order of the judge's scores stays. Between scores that people
    also gave, values are interpolated.
    """
    if not people:
        raise ValueError("calibration needs at least one score from people")
    by_score: dict[float, list[float]] = {}
    for place, score in people.items():
        by_score.setdefault(judge[place], []).append(score)
    # Pool adjacent violators: neighbours whose means are in the wrong order become one.
    blocks: list[tuple[list[float], list[float]]] = []
    for score in sorted(by_score):
        blocks.append(([score], by_score[score]))
        while len(blocks) > 1 and _mean(blocks[-2][1]) > _mean(blocks[-1][1]):
            scores, values = blocks.pop()
            blocks[-1] = (blocks[-1][0] + scores, blocks[-1][1] + values)
    points = [(score, _mean(values)) for scores, values in blocks for score in scores]
    return [_between(points, score) for score in judge]


def _between(points: Sequence[tuple[float, float]], score: float) -> float:
    """A value on the line through points; that of the nearest end beyond them."""
    if score <= points[0][0]:
        return points[0][1]
    for (a, low), (b, high) in pairwise(points):
        if score <= b:
            return low + (high - low) * (score - a) / (b - a)
    return points[-1][1]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval."""

    value: float
    interval: Interval


def plain_mean(scores: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """The mean of some scores with a normal interval."""
    return _estimate(_mean(scores), (spread(scores) or 0.0) ** 2, confidence)


def corrected_mean(judge: Sequence[float], people: Mapping[int, float], confidence: float = CONFIDENCE) -> Estimate:
    """The mean score that people would give to all questions: the judge's, corrected by where people scored, too.

    Prediction-powered inference (Angelopoulos and others, 2023), with the power tuned to how well the judge predicts
    people: an uninformative judge gets no weight, and the interval is never much wider than that of people alone.
    """
    labelled = sorted(people)
    if len(labelled) < 2:
        raise ValueError(f"a corrected mean needs at least two scores from people, not {len(labelled)}")
    rest = [score for place, score in enumerate(judge) if place not in people]
    judged, true = [judge[place] for place in labelled], [people[place] for place in labelled]
    if not rest:
        return plain_mean(true, confidence)
    few, many = len(labelled), len(rest)
    power = _power(judged, true, few, many)
    errors = [y - power * x for x, y in zip(judged, true, strict=True)]
    value = power * _mean(rest) + _mean(errors)
    variance = power**2 * (spread(rest) or 0.0) ** 2 + (spread(errors) or 0.0) ** 2
    return _estimate(min(float(HIGHEST), max(0.0, value)), variance, confidence)


def _power(judged: Sequence[float], true: Sequence[float], few: int, many: int) -> float:
    """The weight of the judge that minimises the variance."""
    x, y = _mean(judged), _mean(true)
    variance = math.fsum((a - x) ** 2 for a in judged)
    covariance = math.fsum((a - x) * (b - y) for a, b in zip(judged, true, strict=True))
    return 0.0 if variance == 0 else min(1.0, max(0.0, covariance / variance / (1 + few / many)))


def _estimate(value: float, variance: float, confidence: float) -> Estimate:
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(variance)
    return Estimate(value, Interval(max(0.0, value - reach), min(float(HIGHEST), value + reach)))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)

"""How much errors of questions with something in common go together.

Two questions of one episode that share groups are wrong together more often than their own rates say. In a model where
an error happens if a normal number is below a threshold, that excess gives the correlation of the two numbers. The
share of each group in the variance is then what explains the correlations of all pairs best.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from evals.viplan.twins.fitting import Floats

GROUPS = ("look", "first", "second", "fact", "near", "kind", "one", "two")
MOST, EACH = 120, 400
"""How many questions of an episode are paired, and how many pairs of a sort are used of each."""
PAIRS = 20_000
"""How many pairs of a sort the correlation is computed from."""
PULL = 1000
"""How many pairs the correlation of all models counts for in that of one."""
FEW = 300
"""Fewer pairs of a sort tell nothing."""
HIGHEST = 0.97
MOST_SHARED = 0.95
"""The most of the variance that questions with something in common share; the rest is the question's own."""


@dataclass(frozen=True)
class Asked:
    """A question of an episode: its groups, the threshold of an error, and the error less its chance."""

    keys: Sequence[str]
    threshold: float
    surprise: float


@dataclass(frozen=True)
class Likeness:
    """What pairs have in common, how many pairs there are, and how their numbers are correlated."""

    groups: frozenset[str]
    pairs: int
    correlation: float


def likenesses(episodes: Iterable[Sequence[Asked]], seed: int = 0) -> list[Likeness]:
    """The correlation of each sort of pairs, by what they have in common."""
    dice = np.random.default_rng(seed)
    found: dict[int, list[Floats]] = {}
    for episode in episodes:
        chosen = [episode[at] for at in dice.permutation(len(episode))[:MOST]]
        for sort, pairs in _pairs(chosen, dice):
            found.setdefault(sort, []).append(pairs)
    likely = []
    for sort, parts in sorted(found.items()):
        pairs = np.concatenate(parts)
        groups = frozenset(name for place, name in enumerate(GROUPS) if sort >> place & 1)
        if len(pairs) >= FEW:
            sample = pairs[dice.permutation(len(pairs))[:PAIRS]]
            likely.append(Likeness(groups, len(pairs), _correlation(sample, pairs[:, 2].mean() * len(sample))))
    return likely


def _pairs(questions: Sequence[Asked], dice: np.random.Generator) -> Iterable[tuple[int, Floats]]:
    """The pairs of an episode by sort: both thresholds, and the product of both surprises."""
    if len(questions) < 2:
        return
    one, other = np.triu_indices(len(questions), 1)
    sort = np.zeros(len(one), dtype=np.int64)
    for place in range(len(GROUPS)):
        numbers: dict[str, int] = {}
        keys = np.array(
            [
                numbers.setdefault(question.keys[place], len(numbers)) if question.keys[place] else -1 - at
                for at, question in enumerate(questions)
            ]
        )
        sort |= (keys[one] == keys[other]).astype(np.int64) << place
    threshold = np.array([question.threshold for question in questions])
    surprise = np.array([question.surprise for question in questions])
    for kind in np.unique(sort):
        at = dice.permutation(np.flatnonzero(sort == kind))[:EACH]
        product = surprise[one[at]] * surprise[other[at]]
        yield int(kind), np.stack([threshold[one[at]], threshold[other[at]], product], axis=1)


def _correlation(pairs: Floats, excess: float) -> float:
    """The correlation of the numbers behind pairs that explains their excess of common errors; at least 0."""
    low, high = 0.0, HIGHEST
    if excess <= 0.0:
        return 0.0
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (middle, high) if _excess(pairs, middle) < excess else (low, middle)
    return low


_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(21)


def _excess(pairs: Floats, correlation: float) -> float:
    """How many more common errors than by chance a correlation gives."""
    shared, own = np.sqrt(correlation), np.sqrt(1.0 - correlation)
    one, other = pairs[:, 0], pairs[:, 1]
    both = np.zeros(len(pairs))
    for node, weight in zip(_NODES, _WEIGHTS / _WEIGHTS.sum(), strict=True):
        both += weight * normal((one - shared * node) / own) * normal((other - shared * node) / own)
    return float((both - normal(one) * normal(other)).sum())


def normal(values: Floats) -> Floats:
    """The distribution function of the normal distribution, by formula 7.1.26 of Abramowitz and Stegun."""
    scaled = np.abs(values) / np.sqrt(2.0)
    term = 1.0 / (1.0 + 0.3275911 * scaled)
    series = (
        (((1.061405429 * term - 1.453152027) * term + 1.421413741) * term - 0.284496736) * term + 0.254829592
    ) * term
    return np.asarray(0.5 * (1.0 + np.sign(values) * (1.0 - series * np.exp(-(scaled**2)))))


def drawn_to(common: Sequence[Likeness], own: Sequence[Likeness]) -> list[Likeness]:
    """The correlations of one model, drawn to those of all, the more so the fewer its pairs."""
    known = {one.groups: one for one in own}
    drawn = []
    for one in common:
        pairs, mine = (known[one.groups].pairs, known[one.groups].correlation) if one.groups in known else (0, 0.0)
        correlation = (pairs * mine + PULL * one.correlation) / (pairs + PULL)
        drawn.append(Likeness(one.groups, pairs + PULL, correlation))
    return drawn


def shares(likely: Sequence[Likeness]) -> dict[str, float]:
    """The share of each group: not negative, and the best fit to all correlations, each weighted by its pairs."""
    rows = np.array([[name in one.groups for name in GROUPS] for one in likely], float)
    weight = np.sqrt(np.array([min(one.pairs, PAIRS) for one in likely], float))
    wanted = np.array([one.correlation for one in likely]) * weight
    best: tuple[float, dict[str, float]] = (float("inf"), {})
    for count in range(len(GROUPS) + 1):
        for chosen in combinations(range(len(GROUPS)), count):
            columns = rows[:, chosen] * weight[:, None]
            solved = np.linalg.lstsq(columns, wanted, rcond=None)[0] if count else np.zeros(0)
            error = float(((columns @ solved - wanted) ** 2).sum())
            if (solved >= 0).all() and error < best[0]:
                scale = min(1.0, MOST_SHARED / max(float(solved.sum()), MOST_SHARED))
                best = (
                    error,
                    {GROUPS[at]: round(scale * float(share), 3) for at, share in zip(chosen, solved, strict=True)},
                )
    return best[1]

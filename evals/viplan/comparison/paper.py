"""Chain of thought and the ranking of models, as the paper has them (table 3 and figure 4)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from evals.compare.arms import Stratum, in_order
from evals.compare.matrices import Estimate, Key, Scores, conditions_of, whole
from evals.viplan.splits import SPLITS

BEYOND = 3.0
"""A difference counts if it is larger than so many of its errors."""
TOP = 5
RANKED = ("plan", "ground")
"""The methods by which models are ranked."""


@dataclass(frozen=True, slots=True)
class CotDifference:
    """What chain of thought adds, mean over models that were run with and without (table 3 of the paper).

    `error` is None where one of the rates has none.
    """

    method: str
    domain: str
    split: str
    mean: float
    error: float | None
    models: int

    @property
    def ratio(self) -> float | None:
        """The difference divided by its error; None without an error."""
        return abs(self.mean) / self.error if self.error else None

    @property
    def beyond(self) -> bool:
        """Whether the difference counts by the paper's rule."""
        return self.ratio is not None and self.ratio > BEYOND


def cot_differences(scores: Scores) -> list[CotDifference]:
    """With minus without chain of thought, for each method, domain and split that has both."""
    groups: defaultdict[tuple[str, str, str], list[tuple[Estimate, Estimate]]] = defaultdict(list)
    for key, plain in scores.items():
        reasoned = scores.get(key._replace(cot=True))
        if not key.cot and reasoned:
            groups[key.method, key.domain, key.split].append((reasoned, plain))
    return [_cot_difference(*key, pairs) for key, pairs in groups.items()]


def _cot_difference(method: str, domain: str, split: str, pairs: Sequence[tuple[Estimate, Estimate]]) -> CotDifference:
    mean = math.fsum(reasoned.value - plain.value for reasoned, plain in pairs) / len(pairs)
    errors = [one.sem for pair in pairs for one in pair]
    known = [error for error in errors if error is not None]
    error = math.hypot(*known) / len(pairs) if len(known) == len(errors) else None
    return CotDifference(method, domain, split, mean, error, len(pairs))


@dataclass(frozen=True, slots=True)
class Rank:
    """A model's place; models with the same mean share it."""

    place: int
    model: str
    success: Estimate

    @property
    def top(self) -> bool:
        """Whether it is among the first five."""
        return self.place <= TOP


@dataclass(frozen=True)
class Ranking:
    """Models by their mean success, over which methods and splits, and the models that lack some of them."""

    methods: tuple[str, ...]
    strata: tuple[Stratum, ...]
    ranks: tuple[Rank, ...]
    left_out: tuple[str, ...]


def rankings(scores: Scores) -> list[Ranking]:
    """Models ranked by their mean over the plan and ground methods, domains and splits (figure 4).

    One ranking for each set of conditions under which more than one model has all of them.
    """
    plain = {key: rate for key, rate in scores.items() if not key.cot and key.method.partition(", ")[0] in RANKED}
    groups: defaultdict[str, dict[Key, Estimate]] = defaultdict(dict)
    for key, rate in plain.items():
        groups[conditions_of(key.method)][key] = rate
    return [found for found in map(_ranking, groups.values()) if len(found.ranks) > 1]


def _ranking(scores: Scores) -> Ranking:
    methods = tuple(dict.fromkeys(key.method for key in scores))
    strata = in_order(((key.domain, key.split) for key in scores), SPLITS)
    models = tuple(dict.fromkeys(key.model for key in scores))
    means: dict[str, Estimate] = {}
    for model in models:
        cells = [scores.get(Key(domain, method, False, model, split)) for method in methods for domain, split in strata]
        if mean := whole(cells):
            means[model] = mean
    ordered = sorted(means.items(), key=lambda item: (-item[1].value, item[0]))
    values = [mean.value for mean in means.values()]
    ranks = [Rank(1 + sum(value > mean.value for value in values), model, mean) for model, mean in ordered]
    return Ranking(methods, strata, tuple(ranks), tuple(model for model in models if model not in means))

"""Error rates of answers per predicate: for true facts (missed) and false facts (imagined)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from models.sim import published

LEAST = 0.005
"""The least assumed error rate."""


class Wrong(NamedTuple):
    """The chance of a no for a true fact, and of a yes for a false one."""

    missed: float
    imagined: float

    @property
    def yes(self) -> float:
        """The weight of a yes: its log-likelihood ratio."""
        return math.log((1 - self.missed) / self.imagined)

    @property
    def no(self) -> float:
        """The weight of a no; negative if answers are informative."""
        return math.log(self.missed / (1 - self.imagined))


SELDOM = Wrong(0.05, 0.05)


@dataclass(frozen=True)
class Rates:
    """Error rates by predicate, and a default. With equal rates, repair finds the nearest state by Hamming distance."""

    default: Wrong = SELDOM
    known: Mapping[str, Wrong] = field(default_factory=dict)

    def of(self, predicate: str) -> Wrong:
        """The error rates of answers about a predicate."""
        return self.known.get(predicate, self.default)

    def weight(self, predicate: str, answer: float) -> float:
        """The weight of an answer, or of a probability of yes: a log-likelihood ratio."""
        wrong = self.of(predicate)
        return answer * wrong.yes + (1 - answer) * wrong.no


@cache
def published_rates(world: str) -> Rates:
    """Error rates from the ViPlan paper, the mean of its models without reasoning; the default for other worlds.

    The paper has one accuracy for true and false facts, so a yes is assumed to be wrong as often as a no.
    """
    found: dict[str, list[float]] = {}
    for rates in published().values():
        for (domain, cot, _, predicate), accuracy in rates.items():
            if domain == world and not cot:
                found.setdefault(predicate, []).append(accuracy)
    wrong = {predicate: _bounded(1 - sum(values) / len(values)) for predicate, values in found.items()}
    return Rates(known={predicate: Wrong(rate, rate) for predicate, rate in wrong.items()})


class Seen(NamedTuple):
    """An answer and its believed truth, both as probabilities of yes."""

    predicate: str
    truth: float
    answer: float


@dataclass(frozen=True)
class Tally:
    """Counts of right and wrong answers, to learn rates from. `assumed` rates weigh as much as `strength` answers."""

    assumed: Rates = field(default_factory=Rates)
    strength: float = 10.0
    counts: Mapping[str, tuple[float, float, float, float]] = field(default_factory=dict)

    def with_answers(self, answers: Iterable[Seen]) -> Tally:
        """The tally with more answers."""
        counts = {predicate: list(found) for predicate, found in self.counts.items()}
        for predicate, truth, answer in answers:
            found = counts.setdefault(predicate, [0.0] * 4)
            found[0] += truth
            found[1] += truth * (1 - answer)
            found[2] += 1 - truth
            found[3] += (1 - truth) * answer
        return Tally(self.assumed, self.strength, {name: (a, b, c, d) for name, (a, b, c, d) in counts.items()})

    def rates(self) -> Rates:
        """The rates from the counts, mixed with the assumed ones."""
        learned = {name: self._wrong(self.assumed.of(name), found) for name, found in self.counts.items()}
        return Rates(self.assumed.default, {**self.assumed.known, **learned})

    def _wrong(self, assumed: Wrong, found: tuple[float, float, float, float]) -> Wrong:
        true, missed, false, imagined = found
        return Wrong(
            _bounded((missed + self.strength * assumed.missed) / (true + self.strength)),
            _bounded((imagined + self.strength * assumed.imagined) / (false + self.strength)),
        )


def _bounded(rate: float) -> float:
    return min(max(rate, LEAST), 1 - LEAST)

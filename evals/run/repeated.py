"""The reliability of success when every problem is played several times: pass@k and pass^k.

pass@k is the chance that at least one of k attempts succeeds, pass^k that all of them do. Both are estimated without
bias from n attempts, c of them successful: `1 - C(n-c, k) / C(n, k)` and `C(c, k) / C(n, k)`, averaged over problems.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pydantic import BaseModel

from evals.run.results import EpisodeResult
from evals.run.statistics import Interval, clustered

LISTED = 8
"""Up to this many attempts every k is listed; beyond it, only powers of two."""


class Chance(BaseModel):
    """A mean over problems with its 95 % confidence interval."""

    value: float
    low: float
    high: float


class Attempts(BaseModel):
    """The chances that at least one and that every one of `k` attempts succeeds, as means over `problems` problems."""

    k: int
    problems: int
    some: Chance
    every: Chance


def attempts(results: Sequence[EpisodeResult]) -> list[Attempts]:
    """pass@k and pass^k for each k; nothing if no problem was played more than once.

    Problems with fewer scored attempts than others are left out.
    """
    tries: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for result in results:
        if result.scored:
            tries[result.split, result.problem].append(result.success)
    return reliability(tries.values())


def reliability(tries: Iterable[Sequence[bool]]) -> list[Attempts]:
    """The same from the successes of each problem's attempts."""
    problems = list(tries)
    most = max(map(len, problems), default=0)
    whole = [sum(successes) for successes in problems if len(successes) == most]
    if most < 2:
        return []
    return [_attempts(k, most, whole) for k in _listed(most)]


def _listed(most: int) -> list[int]:
    if most <= LISTED:
        return list(range(1, most + 1))
    powers = [2**power for power in range(most.bit_length()) if 2**power < most]
    return [*powers, most]


def _attempts(k: int, most: int, successes: Sequence[int]) -> Attempts:
    some = [1.0 - math.comb(most - count, k) / math.comb(most, k) for count in successes]
    every = [math.comb(count, k) / math.comb(most, k) for count in successes]
    return Attempts(k=k, problems=len(successes), some=_chance(some), every=_chance(every))


def _chance(values: Sequence[float]) -> Chance:
    interval: Interval = clustered([[value] for value in values])
    return Chance(value=math.fsum(values) / len(values), low=interval.low, high=interval.high)

"""Success in matrices: every arm by split, and methods by domain or split over several models.

A rate of n problems has the standard error sqrt(p(1-p)/n) and Wilson's interval, or clustered ones where problems share
a picture or a scene. A mean of independent rates has the root of their summed squared errors over their number; a mean
over several models has the spread between them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from evals.compare.arms import Arm, Played, Stratum, in_order, strata_of, titled
from evals.run.scores import mean_with_sem
from evals.run.statistics import Interval, clustered, combined, spread

COMBINED = "combined"


class Key(NamedTuple):
    """What a rate belongs to."""

    domain: str
    method: str
    cot: bool
    model: str
    split: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rate or a mean of `n` rates, with its standard error and 95 % interval.

    A single one has no error; a mean over models has no interval.
    """

    value: float
    sem: float | None
    n: int
    interval: Interval | None = None


Scores: TypeAlias = Mapping[Key, Estimate]


def scores_of(arms: Iterable[Arm]) -> dict[Key, Estimate]:
    """The success of every arm on every split that it played."""
    return {
        Key(*_key(arm, stratum)): rate
        for arm in arms
        for stratum in arm.strata
        if (rate := rate_of((one for one in arm.played if one.stratum == stratum), arm.judging.cluster))
    }


def _key(arm: Arm, stratum: Stratum) -> Key:
    return Key(stratum[0], arm.method, arm.cot, arm.model, stratum[1])


def rate_of(played: Iterable[Played], cluster: str = "problem") -> Estimate | None:
    """The share of problems solved, repeats averaged; None if nothing was scored.

    Problems with the same value of the tag `cluster` are not independent.
    """
    problems: defaultdict[tuple[Stratum, str], list[bool]] = defaultdict(list)
    clusters: dict[tuple[Stratum, str], Hashable] = {}
    for episode in played:
        if episode.success is not None:
            problems[episode.stratum, episode.problem].append(episode.success)
            clusters[episode.stratum, episode.problem] = episode.cluster(cluster)
    groups: defaultdict[Hashable, list[Sequence[bool]]] = defaultdict(list)
    for problem, outcomes in problems.items():
        groups[clusters[problem]].append(outcomes)
    return share_of(list(groups.values()))


def share_of(clusters: Sequence[Sequence[Sequence[bool]]]) -> Estimate | None:
    """The share of successes over clusters of problems with repeats."""
    shares = [[sum(outcomes) / len(outcomes) for outcomes in cluster] for cluster in clusters]
    count = sum(map(len, shares))
    if not count:
        return None
    mean = math.fsum(share for cluster in shares for share in cluster) / count
    between = math.fsum(math.fsum(share - mean for share in cluster) ** 2 for cluster in shares)
    trials = [[float(one) for outcomes in cluster for one in outcomes] for cluster in clusters]
    return Estimate(mean, math.sqrt(between) / count if len(shares) > 1 else None, count, _around(mean, trials))


def _around(mean: float, trials: Sequence[Sequence[float]]) -> Interval:
    """The interval of the trials, extended to contain the mean if problems have different numbers of repeats."""
    interval = clustered(trials)
    return Interval(min(mean, interval.low), max(mean, interval.high))


def propagated(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates."""
    value, error = mean_with_sem([(estimate.value, estimate.sem or 0.0) for estimate in estimates])
    known = all(estimate.sem is not None for estimate in estimates)
    parts = [(estimate.value, estimate.interval) for estimate in estimates if estimate.interval is not None]
    interval = combined(parts) if len(parts) == len(estimates) else None
    return Estimate(_even(value), error if known else None, len(estimates), interval)


def over_models(estimates: Sequence[Estimate]) -> Estimate | None:
    """The mean over models with the spread between them; a single model keeps its own error."""
    if len(estimates) < 2:
        return estimates[0] if estimates else None
    values = [estimate.value for estimate in estimates]
    return Estimate(_even(math.fsum(values) / len(values)), spread(values), len(values))


def _even(value: float) -> float:
    """The value without rounding errors, so that equal means share a rank."""
    return round(value, 12)


def overall(played: Sequence[Played], levels: Sequence[str], cluster: str) -> Estimate | None:
    """The overall number: means of means over the benchmark's levels; None if a group has no rate."""
    if not levels:
        return rate_of(played, cluster)
    groups: defaultdict[Hashable, list[Played]] = defaultdict(list)
    for episode in played:
        groups[episode.level(levels[0])].append(episode)
    return whole([overall(group, levels[1:], cluster) for group in groups.values()])


class Row(NamedTuple):
    """A method, or an average over methods, with an estimate or None for each column."""

    name: str
    cells: tuple[Estimate | None, ...]
    average: bool = False
    model: str = ""


@dataclass(frozen=True)
class Matrix:
    """Methods by columns. A column is (domain, split), or (domain, "") for all its splits together."""

    columns: tuple[Stratum, ...]
    rows: tuple[Row, ...]

    def best(self, column: int) -> float | None:
        """The highest value of a column, without averages."""
        cells = (row.cells[column] for row in self.rows if not row.average)
        return max((cell.value for cell in cells if cell), default=None)


def by_arm(arms: Sequence[Arm]) -> dict[str, Matrix]:
    """Every arm for each domain: its success on every split, and over all of them if there are several."""
    strata, scores = strata_of(arms), scores_of(arms)
    found = {}
    for domain in dict.fromkeys(domain for domain, _ in strata):
        columns = tuple(stratum for stratum in strata if stratum[0] == domain)
        rows = []
        for arm in arms:
            rates = [scores.get(_key(arm, column)) for column in columns]
            if any(rates):
                cells = [*rates, _over_splits(arm, domain, rates)] if len(columns) > 1 else rates
                rows.append(Row(arm.agent, tuple(cells), model=arm.model))
        if rows:
            found[domain] = Matrix((*columns, (domain, "")) if len(columns) > 1 else columns, tuple(rows))
    return found


def _over_splits(arm: Arm, domain: str, rates: Sequence[Estimate | None]) -> Estimate | None:
    """The number over all splits, if none is missing: the easiest are often finished first."""
    if not all(rates):
        return None
    scored = [one for one in arm.played if one.domain == domain and one.success is not None]
    return overall(scored, arm.judging.overall, arm.judging.cluster)


Cells: TypeAlias = Callable[[str, bool, str], Sequence[Estimate | None]]
"""The estimates of a method, with or without chain of thought, and a model in each column."""


def by_domain(scores: Scores, families: Mapping[str, str]) -> Matrix:
    """Method by domain, mean over splits and models. `families` is the kind of each method."""
    domains = sorted({key.domain for key in scores})
    splits = {domain: {key.split for key in scores if key.domain == domain} for domain in domains}

    def cells(method: str, cot: bool, model: str) -> list[Estimate | None]:
        means = [
            whole([scores.get(Key(domain, method, cot, model, split)) for split in splits[domain]])
            for domain in domains
        ]
        return [*means, whole(means)] if len(domains) > 1 else means

    columns = [*((domain, "") for domain in domains), *([(COMBINED, "")] if len(domains) > 1 else [])]
    return Matrix(tuple(columns), tuple(_rows(scores, cells, families)))


def by_split(scores: Scores, families: Mapping[str, str], splits: Sequence[str]) -> Matrix:
    """Method by domain and split, mean over models; splits in the order given."""
    columns = in_order(((key.domain, key.split) for key in scores), splits)

    def cells(method: str, cot: bool, model: str) -> list[Estimate | None]:
        return [scores.get(Key(domain, method, cot, model, split)) for domain, split in columns]

    return Matrix(columns, tuple(_rows(scores, cells, families)))


def whole(estimates: Sequence[Estimate | None]) -> Estimate | None:
    """The mean, if none of the estimates is missing."""
    known = [estimate for estimate in estimates if estimate]
    return propagated(known) if known and len(known) == len(estimates) else None


def _rows(scores: Scores, cells: Cells, families: Mapping[str, str]) -> Iterator[Row]:
    methods = list(dict.fromkeys((key.method, key.cot) for key in scores))
    # Averages are over methods of one family under the same conditions.
    kinds = dict.fromkeys((families[method], conditions_of(method)) for method, _ in methods)
    several = len({family for family, _ in kinds}) > 1
    for kind in kinds:
        same = [(method, cot) for method, cot in methods if (families[method], conditions_of(method)) == kind]
        rows = [_row(scores, cells, method, cot) for method, cot in same]
        yield from rows
        if len(rows) > 1 and several:
            columns = zip(*(row.cells for row in rows), strict=True)
            name = ", ".join(part for part in (f"mean of {kind[0]} methods", kind[1]) if part)
            yield Row(name, tuple(whole(column) for column in columns), average=True)


def _row(scores: Scores, cells: Cells, method: str, cot: bool) -> Row:
    models = dict.fromkeys(key.model for key in scores if (key.method, key.cot) == (method, cot))
    columns = zip(*(cells(method, cot, model) for model in models), strict=True)
    return Row(titled(method, cot), tuple(over_models([cell for cell in column if cell]) for column in columns))


def conditions_of(method: str) -> str:
    """The conditions appended to the name of a method."""
    return method.partition(", ")[2]

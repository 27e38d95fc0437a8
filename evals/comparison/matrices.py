"""Matrices of success: method by domain, method by split, chain of thought, and models ranked.

What the paper shows as tables 1 and 3 and figures 4 and 5. A rate of n problems has the error sqrt(p(1-p)/n); a mean of
independent rates the root of their summed squared errors over their number; a mean over models the spread between
them, as far as there are several.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from evals.comparison.arms import Arm, Played, Stratum, in_order, titled
from evals.scores import mean_with_sem
from evals.statistics import spread

BEYOND = 3.0
"""A difference of more than so many of its errors is called one."""
TOP = 5
COMBINED = "combined"
RANKED = ("plan", "ground")
"""The methods by which models are ranked."""


class Key(NamedTuple):
    """What a rate is about."""

    domain: str
    method: str
    cot: bool
    model: str
    split: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rate or a mean of rates with its standard error, and of how many it is. One alone has no error."""

    value: float
    sem: float | None
    n: int


Scores: TypeAlias = Mapping[Key, Estimate]


def scores_of(arms: Iterable[Arm]) -> dict[Key, Estimate]:
    """The success of every arm on every split that it played."""
    return {
        Key(domain, arm.method, arm.cot, arm.model, split): rate
        for arm in arms
        for (domain, split) in arm.strata
        if (rate := rate_of(played for played in arm.played if played.stratum == (domain, split)))
    }


def rate_of(played: Iterable[Played]) -> Estimate | None:
    """The share of successes. Episodes of one problem count as one observation between them."""
    problems: defaultdict[str, list[bool]] = defaultdict(list)
    for episode in played:
        if episode.success is not None:
            problems[episode.problem].append(episode.success)
    return share_of(problems)


def share_of(problems: Mapping[str, Sequence[bool]]) -> Estimate | None:
    """The share of successes over problems, each of which may have been played several times."""
    if not problems:
        return None
    shares = [sum(outcomes) / len(outcomes) for outcomes in problems.values()]
    count = len(shares)
    mean = math.fsum(shares) / count
    variance = math.fsum((share - mean) ** 2 for share in shares) / count
    return Estimate(mean, math.sqrt(variance / count) if count > 1 else None, count)


def propagated(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of independent estimates."""
    value, error = mean_with_sem([(estimate.value, estimate.sem or 0.0) for estimate in estimates])
    known = all(estimate.sem is not None for estimate in estimates)
    return Estimate(_even(value), error if known else None, len(estimates))


def over_models(estimates: Sequence[Estimate]) -> Estimate | None:
    """The mean over models with the spread between them; one model keeps its own error."""
    if len(estimates) < 2:
        return estimates[0] if estimates else None
    values = [estimate.value for estimate in estimates]
    return Estimate(_even(math.fsum(values) / len(values)), spread(values), len(values))


def _even(value: float) -> float:
    """Without the dust of adding in another order: equal means have to be equal to share a rank."""
    return round(value, 12)


class Row(NamedTuple):
    """A method in a matrix with an estimate for each column, None where it has none; or an average over methods."""

    name: str
    cells: tuple[Estimate | None, ...]
    average: bool = False
    model: str = ""


@dataclass(frozen=True)
class Matrix:
    """Methods by columns. A column is (domain, split), or (domain, "") for the mean over its splits."""

    columns: tuple[Stratum, ...]
    rows: tuple[Row, ...]

    def best(self, column: int) -> float | None:
        """The highest value of a column, averages left aside."""
        cells = (row.cells[column] for row in self.rows if not row.average)
        return max((cell.value for cell in cells if cell), default=None)


Cells: TypeAlias = Callable[[str, bool, str], Sequence[Estimate | None]]
"""What a method, with cot or without, and a model have in each column."""


def by_domain(scores: Scores, families: Mapping[str, str]) -> Matrix:
    """Method by domain, mean over splits and models (table 1). `families` says of each method what kind it is."""
    domains = sorted({key.domain for key in scores})
    splits = {domain: {key.split for key in scores if key.domain == domain} for domain in domains}

    def cells(method: str, cot: bool, model: str) -> list[Estimate | None]:
        means = [
            _whole([scores.get(Key(domain, method, cot, model, split)) for split in splits[domain]])
            for domain in domains
        ]
        return [*means, _whole(means)] if len(domains) > 1 else means

    columns = [*((domain, "") for domain in domains), *([(COMBINED, "")] if len(domains) > 1 else [])]
    return Matrix(tuple(columns), tuple(_rows(scores, cells, families)))


def by_split(scores: Scores, families: Mapping[str, str]) -> Matrix:
    """Method by domain and split, mean over models (figure 5)."""
    columns = in_order((key.domain, key.split) for key in scores)

    def cells(method: str, cot: bool, model: str) -> list[Estimate | None]:
        return [scores.get(Key(domain, method, cot, model, split)) for domain, split in columns]

    return Matrix(columns, tuple(_rows(scores, cells, families)))


def by_model(scores: Scores) -> dict[str, Matrix]:
    """Every rate as it is, by domain: a row for each method and model, and the mean over splits at its end."""
    found = {}
    for domain in sorted({key.domain for key in scores}):
        columns = in_order((key.domain, key.split) for key in scores if key.domain == domain)
        rows = []
        for method, cot, model in dict.fromkeys(key[1:4] for key in scores if key.domain == domain):
            rates = [scores.get(Key(domain, method, cot, model, split)) for _, split in columns]
            rows.append(
                Row(titled(method, cot), tuple([*rates, _whole(rates)] if len(columns) > 1 else rates), model=model)
            )
        found[domain] = Matrix((*columns, (domain, "")) if len(columns) > 1 else columns, tuple(rows))
    return found


def _whole(estimates: Sequence[Estimate | None]) -> Estimate | None:
    """The mean, if nothing is missing: what was finished first is seldom the hardest."""
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
            yield Row(name, tuple(_whole(column) for column in columns), average=True)


def _row(scores: Scores, cells: Cells, method: str, cot: bool) -> Row:
    models = dict.fromkeys(key.model for key in scores if (key.method, key.cot) == (method, cot))
    columns = zip(*(cells(method, cot, model) for model in models), strict=True)
    return Row(titled(method, cot), tuple(over_models([cell for cell in column if cell]) for column in columns))


def conditions_of(method: str) -> str:
    """What stands behind the name of a method."""
    return method.partition(", ")[2]


@dataclass(frozen=True, slots=True)
class CotDifference:
    """What chain of thought adds, mean over models that were run with and without (table 3).

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
        """How many of its errors the difference is away from none; None where there is no error to measure by."""
        return abs(self.mean) / self.error if self.error else None

    @property
    def beyond(self) -> bool:
        """Whether it is a difference by the paper's rule."""
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
    strata = in_order((key.domain, key.split) for key in scores)
    models = tuple(dict.fromkeys(key.model for key in scores))
    means: dict[str, Estimate] = {}
    for model in models:
        cells = [scores.get(Key(domain, method, False, model, split)) for method in methods for domain, split in strata]
        if mean := _whole(cells):
            means[model] = mean
    ordered = sorted(means.items(), key=lambda item: (-item[1].value, item[0]))
    values = [mean.value for mean in means.values()]
    ranks = [Rank(1 + sum(value > mean.value for value in values), model, mean) for model, mean in ordered]
    return Ranking(methods, strata, tuple(ranks), tuple(model for model in models if model not in means))

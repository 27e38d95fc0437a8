"""Checks published tables for internal consistency. A benchmark states its counts and rules as data.

A rule computes cells from other cells and finds those that deviate. Rounding is part of a rule: the largest allowed
difference between a printed and a computed value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

Place: TypeAlias = tuple[str, str]
"""Category and subcategory of a cell."""
_EXACT = 1e-9


class Key(NamedTuple):
    """The position of a cell."""

    table: str
    model: str
    category: str
    subcategory: str
    metric: str

    @property
    def name(self) -> str:
        """The cell in words."""
        row = " · ".join(word for word in (self.model, self.category, self.subcategory) if word)
        return f"table {self.table}, {row} ({self.metric})"


Cells: TypeAlias = Mapping[Key, float]


@dataclass(frozen=True, slots=True)
class Check:
    """A cell and its value computed from others. `expected` is None if a required cell is missing."""

    key: Key
    printed: float
    expected: float | None
    tolerance: float

    @property
    def holds(self) -> bool:
        """Whether the printed value equals the computed one, up to rounding."""
        return self.expected is not None and abs(self.printed - self.expected) <= self.tolerance + _EXACT

    def __str__(self) -> str:
        expected = "cannot be computed" if self.expected is None else f"follows as {self.expected:.2f}"
        return f"{self.key.name}: printed {self.printed:.2f}, {expected}"


class Rule(Protocol):
    """A rule that cells of a table must satisfy."""

    @property
    def name(self) -> str: ...

    def checks(self, cells: Cells) -> Iterator[Check]:
        """A check of every cell that the rule applies to."""
        ...


@dataclass(frozen=True, slots=True)
class Fractions:
    """Cells are percentages `k / n` with a whole number `k`; `counts` gives `n`."""

    name: str
    table: str
    metric: str
    counts: Mapping[Place, int]
    tolerance: float

    def checks(self, cells: Cells) -> Iterator[Check]:
        """Every cell with a count."""
        for key, value in cells.items():
            count = self.counts.get((key.category, key.subcategory))
            if count and key.table == self.table and key.metric == self.metric:
                yield Check(key, value, 100 * correct(value, count) / count, self.tolerance)


@dataclass(frozen=True, slots=True)
class Total:
    """A cell of a model is the mean of others, weighted by their counts.

    With `whole`, the numbers of right answers are computed first, which is exact; else printed values are averaged.
    """

    name: str
    metric: str
    parts_table: str
    parts: Mapping[Place, int]
    table: str
    total: Place
    tolerance: float
    whole: bool = False

    def checks(self, cells: Cells) -> Iterator[Check]:
        """The cell of every model."""
        for key, value in cells.items():
            if key.table == self.table and key.metric == self.metric and (key.category, key.subcategory) == self.total:
                yield Check(key, value, self._mean(cells, key.model), self.tolerance)

    def _mean(self, cells: Cells, model: str) -> float | None:
        total = 0.0
        for place, count in self.parts.items():
            value = cells.get(Key(self.parts_table, model, *place, self.metric))
            if value is None:
                return None
            total += 100 * correct(value, count) if self.whole else value * count
        return total / sum(self.parts.values())


@dataclass(frozen=True, slots=True)
class Ratios:
    """Accuracies are `100 * part / whole` of two other metrics of the same cell."""

    name: str
    table: str
    ratio: str
    part: str
    whole: str
    tolerance: float

    def checks(self, cells: Cells) -> Iterator[Check]:
        """Every accuracy, with the tolerance of its last printed digit."""
        for key, value in cells.items():
            if key.table == self.table and key.metric == self.ratio:
                part, whole = (cells.get(key._replace(metric=name)) for name in (self.part, self.whole))
                expected = None if part is None or not whole else 100 * part / whole
                yield Check(key, value, expected, self.tolerance)


@dataclass(frozen=True, slots=True)
class Sums:
    """A count is the sum of others of the same model and metric, or of the `stated` counts."""

    name: str
    table: str
    metric: str
    total: Place
    parts: Sequence[Place] = ()
    stated: int | None = None

    def checks(self, cells: Cells) -> Iterator[Check]:
        """The total of every model."""
        for key, value in cells.items():
            if key.table == self.table and key.metric == self.metric and (key.category, key.subcategory) == self.total:
                yield Check(key, value, self.stated if self.stated is not None else self._sum(cells, key), 0.0)

    def _sum(self, cells: Cells, key: Key) -> float | None:
        values = [cells.get(key._replace(category=category, subcategory=sub)) for category, sub in self.parts]
        return None if None in values else float(sum(value for value in values if value is not None))


@dataclass(frozen=True, slots=True)
class Finding:
    """The checks of all rules with the same name."""

    rule: str
    checks: tuple[Check, ...]

    @property
    def deviations(self) -> tuple[Check, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if not check.holds)


def correct(value: float, count: int) -> int:
    """The number of right answers for a percentage of `count` answers."""
    return round(value * count / 100)


def examine(cells: Cells, rules: Sequence[Rule]) -> list[Finding]:
    """Check all rules. A rule that applies to no cell of the file has no checks."""
    found: dict[str, list[Check]] = {}
    for rule in rules:
        found.setdefault(rule.name, []).extend(rule.checks(cells))
    return [Finding(name, tuple(checks)) for name, checks in found.items()]

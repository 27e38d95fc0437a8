"""Ridge logistic regression on few features out of many, with numpy alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
ROUNDS, CLOSE = 12, 0.02
LIMIT = 9.0
"""Log-odds beyond this one are not told apart."""


@dataclass(frozen=True)
class Design:
    """Cells of questions with the same features: their features by number, how many there are, and how many are wrong.

    Rows are padded with the number of a feature that has no coefficient: the last one.
    """

    names: tuple[str, ...]
    cells: NDArray[np.int64]
    total: Floats
    wrong: Floats

    @classmethod
    def of(cls, questions: Iterable[tuple[Sequence[str], bool]], names: Sequence[str]) -> Design:
        """The cells of questions, each given by its features and whether it was answered wrong."""
        number = {name: place for place, name in enumerate(names)}
        total: Counter[tuple[str, ...]] = Counter()
        wrong: Counter[tuple[str, ...]] = Counter()
        for features, missed in questions:
            total[tuple(features)] += 1
            wrong[tuple(features)] += missed
        width = max(map(len, total))
        cells = np.full((len(total), width), len(names), dtype=np.int64)
        for row, features in enumerate(total):
            known = [number[name] for name in features if name in number]
            cells[row, : len(known)] = known
        return cls(
            tuple(names), cells, np.array([*total.values()], float), np.array([wrong[one] for one in total], float)
        )

    def predicted(self, coefficients: Floats) -> Floats:
        """The log-odds of an error in each cell."""
        odds: Floats = np.append(coefficients, 0.0)[self.cells].sum(axis=1)
        return np.clip(odds, -LIMIT, LIMIT)

    def fit(self, penalty: Floats, offset: Floats) -> Floats:
        """The coefficients that explain the errors best, each drawn towards 0 by its penalty."""
        found = np.zeros(len(self.names))
        for _ in range(ROUNDS):
            odds = np.clip(self.predicted(found) + offset, -LIMIT, LIMIT)
            chance = 1.0 / (1.0 + np.exp(-odds))
            slope = self._summed(self.wrong - self.total * chance) - penalty * found
            step = np.linalg.solve(self._curvature(self.total * chance * (1.0 - chance)) + np.diag(penalty), slope)
            found += np.clip(step, -3.0, 3.0)
            if np.abs(step).max() < CLOSE:
                break
        return found

    def _summed(self, values: Floats) -> Floats:
        count = len(self.names) + 1
        sums = sum(np.bincount(column, values, count) for column in self.cells.T)
        return np.asarray(sums)[:-1]

    def _curvature(self, weights: Floats) -> Floats:
        count = len(self.names) + 1
        sums = np.zeros(count * count)
        for one in self.cells.T:
            for other in self.cells.T:
                sums += np.bincount(one * count + other, weights, count * count)
        return sums.reshape(count, count)[:-1, :-1]


Coefficients: TypeAlias = Mapping[str, float]

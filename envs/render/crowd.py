"""Finds points near other solids with a coarse grid, so that most points need no exact test."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Floats, Ints, Numbers

_FINEST = 64
"""The most cells along the longest side of the grid."""


class Crowd:
    """Solids by number, with the lowest and highest corners of their bounding boxes, one row each."""

    def __init__(self, numbers: Ints, low: Floats, high: Floats) -> None:
        self._numbers, self._low, self._high = numbers, low, high
        self._grids: dict[float, _Grid] = {}

    def near(self, point: Numbers, reach: float, besides: NDArray[np.integer[Any]] | None) -> Bools:
        """Points that may be within reach of a solid other than their own."""
        grid = self._grids.get(reach)
        if grid is None:
            grid = self._grids[reach] = _Grid(self._numbers, self._low - reach, self._high + reach, reach)
        return grid.near(point, besides)


class _Grid:
    """The number of boxes that overlap each cell, and the solid of one of them."""

    def __init__(self, numbers: Ints, low: Floats, high: Floats, reach: float) -> None:
        self._start, end = low.min(axis=0), high.max(axis=0)
        self._cell = max(reach, float((end - self._start).max()) / _FINEST)
        self._shape = self._place(end)[:, 0] + 1
        self._count, self._number = (np.zeros(self._shape, dtype=np.int32) for _ in range(2))
        for number, first, last in zip(numbers, self._place(low.T).T, self._place(high.T).T, strict=True):
            cells = tuple(slice(a, b + 1) for a, b in zip(first, last, strict=True))
            self._count[cells] += 1
            self._number[cells] = number

    def _place(self, point: Numbers) -> Ints:
        """The cells that points are in."""
        columns = point.reshape(3, -1) - self._start[:, None]
        cells: Ints = np.floor(columns / self._cell).astype(np.int32)
        return cells

    def near(self, point: Numbers, besides: NDArray[np.integer[Any]] | None) -> Bools:
        place = self._place(point)
        inside = ((place >= 0) & (place < self._shape[:, None])).all(axis=0)
        x, y, z = np.where(inside, place, 0)
        count = self._count[x, y, z]
        company: Bools = (
            count > 0 if besides is None else (count > 1) | ((count == 1) & (self._number[x, y, z] != besides))
        )
        return inside & company

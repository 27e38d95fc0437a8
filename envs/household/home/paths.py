"""The free floor where the robot can stand and drive, as a grid over the floor plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from envs.household.home.model import Room
from envs.household.home.robot import RADIUS
from envs.household.home.site import FLAT, Block, region, standing
from envs.household.home.things.openings import WALL
from envs.household.home.walls import Opening
from envs.render.arrays import Bools, Floats

_CELL = 0.1
_TALL = 1.45
"""The height of the robot; higher things are no obstacles."""


class Paths:
    """The free floor of a home for a body of some radius and height, with a safety margin."""

    def __init__(
        self,
        rooms: Sequence[Room],
        ways: Iterable[Opening],
        blocks: Iterable[Block],
        *,
        radius: float = RADIUS,
        tall: float = _TALL,
    ) -> None:
        corners = np.array([room.corners for room in rooms])
        low, high = corners[:, :2].min(axis=0), corners[:, 2:].max(axis=0)
        self._x: Floats = np.arange(low[0], high[0], _CELL)[:, None] + _CELL / 2.0
        self._y: Floats = np.arange(low[1], high[1], _CELL)[None, :] + _CELL / 2.0
        free = np.zeros((self._x.size, self._y.size), dtype=np.bool_)
        for room in rooms:
            x0, y0, x1, y1 = room.corners
            free |= self._within(Block(room.name, x0, y0, x1, y1), -radius)
        for way in ways:
            half = way.size[0] / 2.0
            # A passage connects two rooms and is crossed in its middle.
            bridge = region("way", standing(way.x, way.y, way.inward), -half, -WALL - radius, half, WALL + radius)
            free |= self._within(bridge, -radius, along=way)
        for block in blocks:
            if block.high > FLAT and block.low < tall:
                free &= ~self._within(block, radius + 0.02)
        self.free: Bools = free

    def _within(self, block: Block, margin: float, along: Opening | None = None) -> Bools:
        """The cells in a rectangle, enlarged by a margin on all sides, or only across a passage."""
        mx = 0.0 if along is not None and not along.along_x else margin
        my = 0.0 if along is not None and along.along_x else margin
        inside: Bools = (
            (self._x >= block.x0 - mx)
            & (self._x <= block.x1 + mx)
            & (self._y >= block.y0 - my)
            & (self._y <= block.y1 + my)
        )
        return inside

    def from_here(self, x: float, y: float) -> Bools:
        """The cells that are reachable from a place."""
        found = np.zeros_like(self.free)
        i, j = int((x - self._x[0, 0]) / _CELL + 0.5), int((y - self._y[0, 0]) / _CELL + 0.5)
        found[i, j] = self.free[i, j]
        while True:
            grown = found.copy()
            grown[1:] |= found[:-1]
            grown[:-1] |= found[1:]
            grown[:, 1:] |= found[:, :-1]
            grown[:, :-1] |= found[:, 1:]
            grown &= self.free
            if bool((grown == found).all()):
                return found
            found = grown

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """The cell nearest to a point, which may be off the floor."""
        i, j = int((x - self._x[0, 0]) / _CELL + 0.5), int((y - self._y[0, 0]) / _CELL + 0.5)
        return min(max(i, 0), self.free.shape[0] - 1), min(max(j, 0), self.free.shape[1] - 1)

    def middle(self, i: int, j: int) -> tuple[float, float]:
        """The centre of a cell."""
        return round(float(self._x[i, 0]), 3), round(float(self._y[0, j]), 3)

    def cells(self, which: Bools) -> list[tuple[float, float]]:
        """The centres of cells."""
        return [self.middle(int(i), int(j)) for i, j in zip(*np.nonzero(which), strict=True)]

    def near(self, block: Block, reach: float) -> Bools:
        """The free cells within `reach` of a rectangle."""
        return self.free & self._within(block, reach)

"""Contacts between shapes: bounding boxes first, then MuJoCo's distance for the few pairs that are close.

Shapes can be tested at their poses or at hypothetical ones; nothing is moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import mujoco
import numpy as np
from numpy.typing import NDArray

from envs.household.home.model import Pose
from envs.household.home.physics import Physics, Piece
from envs.render.arrays import Bools, Floats

Geoms = NDArray[np.intp]


class Touch:
    """Distances between the shapes of a home. `refresh` after anything has moved."""

    def __init__(self, physics: Physics) -> None:
        self._physics = physics
        model, data = physics.model, physics.data
        self._place, self._turn = data.geom_xpos, data.geom_xmat
        self._middle, self._half = model.geom_aabb[:, :3].copy(), model.geom_aabb[:, 3:].copy()
        self._home = [physics.local(geom) for geom in range(model.ngeom)]
        self.refresh()

    def refresh(self) -> None:
        """Recompute the bounding boxes of all shapes."""
        self.low, self.high = self._boxes(np.arange(len(self._middle)))

    def _boxes(self, geoms: Geoms) -> tuple[Floats, Floats]:
        turn = self._turn[geoms].reshape(-1, 3, 3)
        middle, half = self._middle[geoms], self._half[geoms]
        centre = self._place[geoms] + sum(turn[:, :, k] * middle[:, k, None] for k in range(3))
        reach = sum(np.abs(turn[:, :, k]) * half[:, k, None] for k in range(3))
        return centre - reach, centre + reach

    @contextmanager
    def at(self, piece: Piece, pose: Pose) -> Iterator[None]:
        """Within the block, treat a piece as if it were at another pose."""
        geoms = piece.geoms
        kept = self._place[geoms].copy(), self._turn[geoms].copy(), self.low[geoms].copy(), self.high[geoms].copy()
        turn, origin = np.array(pose.rotation).reshape(3, 3), np.array(pose.position)
        for geom in geoms.tolist():
            place, own = self._home[geom]
            self._place[geom] = origin + (turn * place).sum(axis=1)
            self._turn[geom] = (turn[:, :, None] * own[None, :, :]).sum(axis=1).ravel()
        self.low[geoms], self.high[geoms] = self._boxes(geoms)
        try:
            yield
        finally:
            self._place[geoms], self._turn[geoms], self.low[geoms], self.high[geoms] = kept

    def hits(self, geoms: Geoms, others: Bools, within: float) -> Iterator[tuple[int, int]]:
        """Pairs of `geoms` and `others` closer than `within`; a negative value means a deeper overlap."""
        candidates = np.flatnonzero(others)
        low, high = self.low[candidates] - within, self.high[candidates] + within
        for geom in geoms.tolist():
            close = ((low <= self.high[geom]) & (self.low[geom] <= high)).all(axis=1)
            for other in candidates[close].tolist():
                if self._distance(geom, other, max(within, 0.0)) < within:
                    yield geom, other

    def _distance(self, geom: int, other: int, reach: float) -> float:
        physics = self._physics
        return float(mujoco.mj_geomDistance(physics.model, physics.data, geom, other, reach + 1e-3, None))

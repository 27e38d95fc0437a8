"""The part of a picture in which solids may be visible, so that other rays need not test them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np

from envs.render.arrays import Bools, Floats
from envs.render.samples import Lens
from envs.render.scene import Shape, Solid
from envs.render.shapes import triangles

_NEAR = 0.01
"""The least distance of anything to the eye, in metres."""
_MARGIN = 2.0
"""The margin in pixels on each side."""
_SIGNS = np.array(list(product((0, 1), repeat=3)))
_EDGES = np.array([(a, b) for a in range(8) for b in range(a) if abs(_SIGNS[a] - _SIGNS[b]).sum() == 1])


@dataclass(frozen=True, slots=True)
class Patch:
    """A rectangle of a picture: from one row up to another, and from one column up to another."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def empty(self) -> bool:
        """Whether it has no pixels."""
        return self.top >= self.bottom or self.left >= self.right


def windows(lens: Lens, solids: Sequence[Solid]) -> Bools:
    """The pixels that may show one of the solids: those within their projected bounding boxes."""
    return inside(lens, frames(lens, solids))


def frames(lens: Lens, solids: Sequence[Solid]) -> list[Patch]:
    """The rectangle around the projected box of each solid; empty if out of view."""
    if not solids:
        return []
    points, front = _in_front(lens.seen_from(_corners(solids).reshape(3, -1)).reshape(3, len(solids), 8))
    x, y = lens.on_picture(points)
    sides = zip(*_span(y, front, lens.height), *_span(x, front, lens.width), strict=True)
    return [Patch(*side) for side in sides]


def inside(lens: Lens, some: Sequence[Patch]) -> Bools:
    """The pixels within one of the rectangles."""
    found = np.zeros((lens.height, lens.width), dtype=np.bool_)
    for frame in some:
        found[frame.top : frame.bottom, frame.left : frame.right] = True
    return found.ravel()


def _span(place: Floats, front: Bools, most: int) -> tuple[list[int], list[int]]:
    """For each solid, the range of pixels along one side that its points reach."""
    first = np.where(front, place, np.inf).min(axis=1) - _MARGIN
    last = np.where(front, place, -np.inf).max(axis=1) + (_MARGIN + 1.0)
    low, high = (np.clip(end, 0.0, most).astype(int).tolist() for end in (first, last))
    return low, high


def _corners(solids: Sequence[Solid]) -> Floats:
    """The corners of the oriented bounding boxes of solids: coordinates, solids, corners."""
    ends = np.stack([_ends(solid.shape) for solid in solids])
    local = np.stack([ends[:, _SIGNS[:, axis], axis] for axis in range(3)])
    turn = np.array([solid.rotation for solid in solids]).T[:, :, None]
    place = np.array([solid.position for solid in solids]).T[:, :, None]
    rows = [local[0] * turn[k] + local[1] * turn[k + 1] + local[2] * turn[k + 2] for k in (0, 3, 6)]
    corners: Floats = np.stack(rows) + place
    return corners


@lru_cache(maxsize=256)
def _ends(shape: Shape) -> Floats:
    points, _ = triangles(shape)
    return np.stack([points.min(axis=(0, 1)), points.max(axis=(0, 1))])


def _in_front(points: Floats) -> tuple[Floats, Bools]:
    """The corners of boxes and the intersections of their edges with the near plane, and which are in front of it."""
    a, b = points[:, :, _EDGES[:, 0]], points[:, :, _EDGES[:, 1]]
    crossing = (a[2] < _NEAR) != (b[2] < _NEAR)
    share = (_NEAR - a[2]) / np.where(crossing, b[2] - a[2], 1.0)
    front = np.concatenate([points[2] >= _NEAR, crossing], axis=1)
    found = np.concatenate([points, a + (b - a) * share], axis=2)
    # Points behind the eye are ignored, but must not cause a division by zero.
    found[2] = np.where(front, found[2], 1.0)
    return found, front

"""The part of a picture in which solids can be seen at all, so that rays elsewhere need not look for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from envs.render.arrays import Bools, Floats
from envs.render.samples import Lens
from envs.render.scene import Shape, Solid
from envs.render.shapes import triangles

_NEAR = 0.01
"""Nothing is nearer to the eye than this, in metres."""
_MARGIN = 2.0
"""Pixels to spare on each side."""
_SIGNS = np.array(list(product((0, 1), repeat=3)))
_EDGES = np.array([(a, b) for a in range(8) for b in range(a) if abs(_SIGNS[a] - _SIGNS[b]).sum() == 1])


def windows(lens: Lens, solids: Sequence[Solid]) -> Bools:
    """The pixels that may show one of the solids: those within the frames round their boxes."""
    inside = np.zeros((lens.height, lens.width), dtype=np.bool_)
    for solid in solids:
        points = _in_front(lens.seen_from(_corners(solid)))
        if points.shape[1]:
            x, y = lens.on_picture(points)
            left, right = (_pixel(end, lens.width) for end in (x.min() - _MARGIN, x.max() + _MARGIN + 1.0))
            top, bottom = (_pixel(end, lens.height) for end in (y.min() - _MARGIN, y.max() + _MARGIN + 1.0))
            inside[top:bottom, left:right] = True
    return inside.ravel()


def _pixel(place: float, most: int) -> int:
    return int(min(max(place, 0.0), most))


def _corners(solid: Solid) -> Floats:
    """The corners of the box round a solid that is turned as the solid is."""
    ends = _ends(solid.shape)
    local = np.stack([ends[_SIGNS[:, axis], axis] for axis in range(3)])
    turn = np.array(solid.rotation).reshape(3, 3)
    rows = [local[0] * row[0] + local[1] * row[1] + local[2] * row[2] for row in turn]
    corners: Floats = np.stack(rows) + np.array(solid.position)[:, None]
    return corners


@lru_cache(maxsize=4096)
def _ends(shape: Shape) -> Floats:
    points, _ = triangles(shape)
    return np.stack([points.min(axis=(0, 1)), points.max(axis=(0, 1))])


def _in_front(points: Floats) -> Floats:
    """The corners of a box that lie before the eye, and the points where its edges come forward from behind it."""
    a, b = points[:, _EDGES[:, 0]], points[:, _EDGES[:, 1]]
    crossing = (a[2] < _NEAR) != (b[2] < _NEAR)
    a, b = a[:, crossing], b[:, crossing]
    share = (_NEAR - a[2]) / (b[2] - a[2])
    return np.concatenate([points[:, points[2] >= _NEAR], a + (b - a) * share], axis=1)

"""Rays against triangles, on Embree.

Embree says which triangle a ray meets; where on it is worked out again in double precision, because Embree's own
distances differ between processors. embreex holds the interpreter lock while it traces and commits a scene on
its first ray, so one geometry may be used from several threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Floats, Ints, Singles, cross, dot
from envs.render.scene import Solid
from envs.render.shapes import placed, sides

SIDES = 6
_INSET = 1e-5


class RendererUnavailable(ImportError):
    """The renderer's ray tracing library is missing on this machine."""


@cache
def _embree() -> tuple[Any, Any, Any]:
    try:
        from embreex.mesh_construction import TriangleMesh
        from embreex.rtcore import EmbreeDevice
        from embreex.rtcore_scene import EmbreeScene
    except ImportError as error:
        raise RendererUnavailable(
            "the ray renderer needs embreex, which is not installed or does not load: pip install 'embreex>=4.4'. "
            "There are wheels for Linux x86_64, macOS and Windows; on Linux ARM build it from source or use a "
            "machine of another kind."
        ) from error
    return EmbreeScene, TriangleMesh, EmbreeDevice()


class Geometry:
    """The triangles of some solids.

    `owner` says whose each triangle is: the number its solid was given. `face` tells the sides of a solid apart as
    well: it is `SIDES` times the owner, plus the axis that the side mostly faces.
    """

    def __init__(self, solids: Sequence[tuple[int, Solid]]) -> None:
        parts = [placed(solid, _INSET * (number % 64)) for number, solid in solids]
        counts = [len(points) for points, _ in parts]
        self._numbers = [number for number, _ in solids]
        self.owner: Ints = np.repeat(np.array(self._numbers, dtype=np.int32), counts)
        self.face: Ints = self.owner * SIDES
        if parts:
            self.face += np.concatenate([sides(solid.shape) for _, solid in solids])
        self.outlines = [points.reshape(-1, 3).T for points, _ in parts]
        points, normals = (np.concatenate([np.zeros((0, 3, 3)), *(part[which] for part in parts)]) for which in (0, 1))
        self._planes, self._shares, self._normals = _equations(points, normals)
        self._curved: Bools = (self._normals[3:] != 0.0).any(axis=0)
        self._scene: Any = None
        if parts:
            scene, mesh, device = _embree()
            self._scene = scene(device)
            mesh(self._scene, points.astype(np.float32))

    def first(self, origin: Floats, direction: Floats) -> tuple[Ints, Floats]:
        """The first triangle each ray meets (-1 for none) and how far off, in lengths of the direction."""
        count = direction.shape[1]
        if self._scene is None or not count:
            return np.full(count, -1, dtype=np.int32), np.full(count, np.inf)
        triangle: Ints = self._scene.run(_rows(origin, count), _rows(direction, count), query="INTERSECT")
        met = np.flatnonzero(triangle >= 0)
        plane, ray = self._planes[:, triangle[met]], direction[:, met]
        towards = dot(plane, ray)
        # Embree does not report rays along a plane, but in double precision one may turn out to be.
        towards[towards == 0.0] = 1e-300
        distance = np.full(count, np.inf)
        distance[met] = (plane[3] - dot(plane, origin if origin.shape[1] == 1 else origin[:, met])) / towards
        return triangle, distance

    def blocked(self, origin: Singles, direction: Singles) -> Bools:
        """Whether anything lies between the origin and the end of the direction; here each is a row of three."""
        if self._scene is None or not len(origin):
            return np.zeros(len(origin), dtype=np.bool_)
        hits: Ints = self._scene.run(origin, direction, dists=1.0, query="OCCLUDED")
        return hits >= 0

    def near(self, point: Floats, reach: float, besides: NDArray[np.int16] | None = None) -> Bools:
        """Points that may be within reach of a solid other than the one they are told to lie on."""
        close = np.zeros(point.shape[1], dtype=np.bool_)
        boxes = [(points.min(axis=1)[:, None], points.max(axis=1)[:, None]) for points in self.outlines]
        if not boxes:
            return close
        low, high = (np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0))
        some = np.flatnonzero(_beyond(point, low, high) < reach * reach)
        point, besides = point[:, some], None if besides is None else besides[some]
        for number, (low, high) in zip(self._numbers, boxes, strict=True):
            within = _beyond(point, low, high) < reach * reach
            close[some] |= within if besides is None else within & (besides != number)
        return close

    def balls(self) -> list[tuple[Floats, float]]:
        """For each solid the centre and radius of a ball round it."""
        found = []
        for points in self.outlines:
            centre = (points.min(axis=1) + points.max(axis=1))[:, None] * 0.5
            found.append((centre, float(np.sqrt(dot(points - centre, points - centre).max()))))
        return found

    def normal(self, triangle: Ints, point: Floats) -> Floats:
        """The normals, smoothed over each triangle, at points on it."""
        normals: Floats = self._normals[:3, triangle]
        curved = np.flatnonzero(self._curved[triangle])
        share, turn = self._shares[:, triangle[curved]], self._normals[3:, triangle[curved]]
        point = point[:, curved]
        u, v = dot(share[0:3], point) + share[3], dot(share[4:7], point) + share[7]
        turned = normals[:, curved] + u * turn[0:3] + v * turn[3:6]
        normals[:, curved] = turned / np.sqrt(np.maximum(dot(turned, turned), 1e-12))
        return normals


def _beyond(point: Floats, low: Floats, high: Floats) -> Floats:
    """The squared distance of points from a box along the axes."""
    gap = np.maximum(np.maximum(low - point, point - high), 0.0)
    return dot(gap, gap)


def _rows(vectors: Floats, count: int) -> Any:
    """Vectors as Embree wants them: one after the other, in single precision."""
    rows = np.empty((count, 3), dtype=np.float32)
    for axis in range(3):
        rows[:, axis] = vectors[axis]
    return rows


def _equations(points: Floats, normals: Floats) -> tuple[Floats, Floats, Floats]:
    """For each triangle: its plane, how its corners share in a point on it, and its normals to be shared."""
    a, b, c = (np.ascontiguousarray(points[:, corner].T) for corner in range(3))
    plane = cross(b - a, c - a)
    size = np.maximum(dot(plane, plane), 1e-300)
    towards_b, towards_c = cross(c - a, plane) / size, cross(plane, b - a) / size
    planes = np.concatenate([plane, dot(plane, a)[None]])
    shares = np.concatenate([towards_b, -dot(towards_b, a)[None], towards_c, -dot(towards_c, a)[None]])
    na, nb, nc = (np.ascontiguousarray(normals[:, corner].T) for corner in range(3))
    return planes, shares, np.concatenate([na, nb - na, nc - na])

"""Intersects rays with triangles, using Embree.

Embree finds which triangle a ray hits; the distance is recomputed in double precision, because Embree's own
distances differ between processors. embreex holds the GIL while it traces and commits a scene on
its first ray, so a geometry can be used from several threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Floats, Ints, Numbers, Singles, columns, cross, dot
from envs.render.crowd import Crowd
from envs.render.scene import Solid
from envs.render.shapes import Pattern, pattern, placed

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

    `owner` is the number of each triangle's solid. `face` also distinguishes the sides of a solid:
    it is `SIDES` times the owner, plus the axis that the side mostly faces. The extra last entry is for rays that
    hit nothing: triangle -1 with owner -1 and no side.
    """

    def __init__(self, solids: Sequence[tuple[int, Solid]]) -> None:
        numbers = np.array([number for number, _ in solids], dtype=np.int32)
        patterns = [pattern(solid.shape) for _, solid in solids]
        ends = np.cumsum([0, *(len(cut.faces) for cut in patterns)])
        points, normals = placed([solid for _, solid in solids], _INSET * (numbers % 64))
        self.owner: Ints = np.append(np.repeat(numbers, np.diff(ends)), np.int32(-1))
        self.face: Ints = self.owner * SIDES
        self.face[:-1] += np.concatenate([np.zeros(0, dtype=np.int32), *(cut.sides for cut in patterns)])
        self.outlines = [points[start:end].reshape(-1, 3).T for start, end in pairwise(ends)]
        nothing = np.zeros((1, 3, 3))
        equations = _equations(np.concatenate([points, nothing]), np.concatenate([normals, nothing]))
        self._planes, self._shares, self._normals = equations
        self._curved: Bools = (self._normals[3:] != 0.0).any(axis=0)
        self._crowds: list[Crowd] = []
        self._scenes: list[tuple[Any, int]] = []
        if patterns:
            corners = points.reshape(-1, 3)
            low, high = (end.reduceat(corners, ends[:-1] * 3) for end in (np.minimum, np.maximum))
            self._crowds.append(Crowd(numbers, low, high))
            self._scenes.append((_scene(corners.astype(np.float32), patterns), 0))

    @classmethod
    def joined(cls, parts: Sequence[Geometry]) -> Geometry:
        """Several geometries as one, without rebuilding them; their solids must have different numbers."""
        whole = cls(())
        for name in ("owner", "face", "_curved", "_planes", "_shares", "_normals"):
            tables = [*(getattr(part, name)[..., :-1] for part in parts), getattr(whole, name)]
            setattr(whole, name, np.concatenate(tables, axis=-1))
        start = 0
        for part in parts:
            whole.outlines += part.outlines
            whole._crowds += part._crowds
            whole._scenes += [(scene, start + first) for scene, first in part._scenes]
            start += len(part.owner) - 1
        return whole

    def met(
        self, origin: Numbers, direction: Numbers, reach: float = np.inf, others: NDArray[np.intp] | None = None
    ) -> Ints:
        """The first triangle that each ray hits within `reach` lengths of its direction; -1 for none.

        `others` are the rays that can hit more than the first of joined geometries, if that is known.
        """
        count = direction.shape[1]
        best = np.full(count, -1, dtype=np.int32)
        if not count:
            return best
        starts, ways = _rows(origin, count), _rows(direction, count)
        options = {} if reach == np.inf else {"dists": reach}
        for scene, first in self._scenes:
            if first == 0:
                best = scene.run(starts, ways, query="INTERSECT", **options)
                continue
            which = np.arange(count) if others is None else others
            triangle: Ints = scene.run(starts[which], ways[which], query="INTERSECT", **options)
            hit = np.flatnonzero(triangle >= 0)
            theirs, which = triangle[hit] + first, which[hit]
            mine = best[which]
            start, way = origin if origin.shape[1] == 1 else columns(origin, which), columns(direction, which)
            nearer = (mine < 0) | (self.distance(theirs, start, way) < self.distance(mine, start, way))
            best[which[nearer]] = theirs[nearer]
        return best

    def first(
        self, origin: Numbers, direction: Numbers, reach: float = np.inf, others: NDArray[np.intp] | None = None
    ) -> tuple[Ints, Floats]:
        """The triangles that `met` returns, and their distances in lengths of the direction."""
        triangle = self.met(origin, direction, reach, others)
        hit = np.flatnonzero(triangle >= 0)
        distance = np.full(len(triangle), np.inf)
        start = origin if origin.shape[1] == 1 else columns(origin, hit)
        distance[hit] = self.distance(triangle[hit], start, columns(direction, hit))
        return triangle, distance

    def distance(self, triangle: Ints, origin: Numbers, direction: Numbers) -> Floats:
        """The distance along each ray to the plane of a triangle."""
        plane = columns(self._planes, triangle)
        towards = dot(plane, direction)
        # Embree does not report rays parallel to a plane, but in double precision a ray may be parallel.
        towards[towards == 0.0] = 1e-300
        distance: Floats = (plane[3] - dot(plane, origin)) / towards
        return distance

    def blocked(self, origin: Singles, direction: Singles) -> Bools:
        """Whether anything is between the origin and the end of the direction; here each is a row of three."""
        found = np.zeros(len(origin), dtype=np.bool_)
        for scene, first in self._scenes if len(origin) else ():
            free = np.flatnonzero(~found) if first else slice(None)
            hits: Ints = scene.run(origin[free], direction[free], dists=1.0, query="OCCLUDED")
            found[free] = hits >= 0
        return found

    def near(self, point: Numbers, reach: float, besides: NDArray[np.integer[Any]] | None = None) -> Bools:
        """Points that may be within reach of a solid other than their own."""
        close = np.zeros(point.shape[1], dtype=np.bool_)
        for crowd in self._crowds:
            close |= crowd.near(point, reach, besides)
        return close

    def balls(self) -> list[tuple[Floats, float]]:
        """The centre and radius of a bounding sphere of each solid."""
        found = []
        for points in self.outlines:
            centre = (points.min(axis=1) + points.max(axis=1))[:, None] * 0.5
            found.append((centre, float(np.sqrt(dot(points - centre, points - centre).max()))))
        return found

    def normal(self, triangle: Ints, point: Floats) -> Floats:
        """The interpolated normals at points on triangles."""
        normals = columns(self._normals[:3], triangle)
        curved = np.flatnonzero(self._curved[triangle])
        share, turn = columns(self._shares, triangle[curved]), columns(self._normals[3:], triangle[curved])
        point = columns(point, curved)
        u, v = dot(share[0:3], point) + share[3], dot(share[4:7], point) + share[7]
        turned = columns(normals, curved) + u * turn[0:3] + v * turn[3:6]
        normals[:, curved] = turned / np.sqrt(np.maximum(dot(turned, turned), 1e-12))
        return normals


def _scene(corners: Singles, patterns: Sequence[Pattern]) -> Any:
    """An Embree scene of triangles. Points are shared, because reading them takes most of the build time."""
    first, faces, corner, point = [], [], 0, 0
    for cut in patterns:
        first.append(cut.first + corner)
        faces.append(cut.faces + point)
        corner, point = corner + cut.faces.size, point + len(cut.first)
    scene, mesh, device = _embree()
    built = scene(device)
    mesh(built, corners[np.concatenate(first)], np.concatenate(faces))
    return built


def _rows(vectors: Numbers, count: int) -> Any:
    """Vectors in Embree's format: contiguous, in single precision."""
    rows = np.empty((count, 3), dtype=np.float32)
    for axis in range(3):
        rows[:, axis] = vectors[axis]
    return rows


def _equations(points: Floats, normals: Floats) -> tuple[Floats, Floats, Floats]:
    """For each triangle: its plane, the coefficients of barycentric coordinates, and its normals."""
    a, b, c = (np.ascontiguousarray(points[:, corner].T) for corner in range(3))
    plane = cross(b - a, c - a)
    size = np.maximum(dot(plane, plane), 1e-300)
    towards_b, towards_c = cross(c - a, plane) / size, cross(plane, b - a) / size
    planes = np.concatenate([plane, dot(plane, a)[None]])
    shares = np.concatenate([towards_b, -dot(towards_b, a)[None], towards_c, -dot(towards_c, a)[None]])
    na, nb, nc = (np.ascontiguousarray(normals[:, corner].T) for corner in range(3))
    return planes, shares, np.concatenate([na, nb - na, nc - na])

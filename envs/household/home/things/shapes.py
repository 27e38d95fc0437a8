"""Shapes of soft and organic things, in addition to those of `envs.render.forms`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin

from envs.render.meshes import Builder, Flat, cross, mixed, rounded, unit
from envs.render.scene import Mesh, Vector

_AROUND = 20
"""Points round a section."""


def loft(rings: Sequence[Sequence[Vector]]) -> Mesh:
    """A smooth skin over rings of equally many points, each counter-clockwise seen from where the next one is.

    Its ends are closed and flat.
    """
    builder = Builder()
    loops = [[*ring, ring[0]] for ring in rings]
    normals = [[*around, around[0]] for around in _normals(rings)]
    for (low, high), (start, end) in zip(pairwise(loops), pairwise(normals), strict=True):
        builder.band(low, high, start, end)
    for loop, inner in ((loops[0][::-1], rings[1]), (loops[-1], rings[-2])):
        middle = _mean(loop[:-1])
        out = unit(mixed(middle, 1.0, _mean(inner), -1.0))
        builder.band(loop, [middle] * len(loop), [out] * len(loop), [out] * len(loop))
    return builder.mesh()


def limb(path: Sequence[Flat], sections: Sequence[tuple[float, float, float]], *, ground: float = 0.0) -> Mesh:
    """A soft thing along a path on the ground: half its width at each point, its underside and its upper side.

    Its underside is flat on the `ground`.
    """
    rings = []
    for number, ((x, y), (wide, low, high)) in enumerate(zip(path, sections, strict=True)):
        before, after = path[max(number - 1, 0)], path[min(number + 1, len(path) - 1)]
        ahead = (after[0] - before[0], after[1] - before[1])
        length = hypot(*ahead)
        left = (-ahead[1] / length, ahead[0] / length)
        middle, tall = (low + high) / 2, (high - low) / 2
        ring = []
        for step in range(_AROUND):
            angle = 2.0 * pi * step / _AROUND
            out = wide * cos(angle)
            ring.append((x + left[0] * out, y + left[1] * out, max(ground, middle + tall * sin(angle))))
        rings.append(ring)
    return loft(rings)


def stretched(mesh: Mesh, by: Vector) -> Mesh:
    """The mesh scaled along its axes."""

    def along(vector: Vector, share: Vector) -> Vector:
        return vector[0] * share[0], vector[1] * share[1], vector[2] * share[2]

    leaning = (1.0 / by[0], 1.0 / by[1], 1.0 / by[2])
    return Mesh(
        tuple(rounded(along(point, by)) for point in mesh.points),
        mesh.faces,
        tuple(rounded(unit(along(normal, leaning))) for normal in mesh.normals),
    )


def arc(centre: Flat, radius: float, start: float, end: float, steps: int) -> list[Flat]:
    """Points on a circle from angle to angle, in radians."""
    angles = [start + (end - start) * step / (steps - 1) for step in range(steps)]
    return [(round(centre[0] + radius * cos(angle), 7), round(centre[1] + radius * sin(angle), 7)) for angle in angles]


def _normals(rings: Sequence[Sequence[Vector]]) -> list[list[Vector]]:
    """The outward normal at each point, from neighbouring points."""
    count = len(rings[0])

    def normal(row: int, step: int) -> Vector:
        around = mixed(rings[row][(step + 1) % count], 1.0, rings[row][step - 1], -1.0)
        along = mixed(rings[min(row + 1, len(rings) - 1)][step], 1.0, rings[max(row - 1, 0)][step], -1.0)
        return unit(cross(around, along))

    return [[normal(row, step) for step in range(count)] for row in range(len(rings))]


def _mean(points: Sequence[Vector]) -> Vector:
    x, y, z = (sum(point[axis] for point in points) / len(points) for axis in range(3))
    return x, y, z

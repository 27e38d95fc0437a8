"""Builds meshes: shared points, bands of faces between rows of points, and triangulated outlines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from envs.render.scene import Mesh, Vector

Flat = tuple[float, float]


class Builder:
    """Builds a mesh; points with equal position and normal are shared."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[Vector, Vector], int] = {}
        self._places: list[Vector] = []
        self._faces: list[tuple[int, int, int]] = []

    def point(self, place: Vector, normal: Vector) -> int:
        """The index of a point, which is added if it is new."""
        corner = (rounded(place), rounded(normal))
        if corner not in self._numbers:
            self._numbers[corner] = len(self._places)
            self._places.append(corner[0])
        return self._numbers[corner]

    def face(self, a: int, b: int, c: int) -> None:
        """Add a triangle, unless two of its corners coincide, as on an axis."""
        if len({self._places[a], self._places[b], self._places[c]}) == 3:
            self._faces.append((a, b, c))

    def band(
        self, low: Sequence[Vector], high: Sequence[Vector], start: Sequence[Vector], end: Sequence[Vector]
    ) -> None:
        """Add faces between two rows of points; seen from outside, `high` is above `low`."""
        below = [self.point(place, normal) for place, normal in zip(low, start, strict=True)]
        above = [self.point(place, normal) for place, normal in zip(high, end, strict=True)]
        for (a, b), (d, c) in zip(pairwise(below), pairwise(above), strict=True):
            self.face(a, b, c)
            self.face(a, c, d)

    def mesh(self) -> Mesh:
        """The finished mesh."""
        points, normals = zip(*self._numbers, strict=True)
        return Mesh(points, tuple(self._faces), normals)


def two_sided(top: list[list[Vector]], bottom: list[list[Vector]]) -> Mesh:
    """A mesh of two grids of points, one above the other, with a seam around them."""
    builder = Builder()
    for rows, up in ((top, 1.0), (bottom, -1.0)):
        normals = _slopes(rows, up)
        for (low, high), (start, end) in zip(pairwise(rows), pairwise(normals), strict=True):
            turned = (low, high, start, end) if up > 0.0 else (low[::-1], high[::-1], start[::-1], end[::-1])
            builder.band(*turned)

    def around(rows: list[list[Vector]]) -> list[Vector]:
        right, left = [row[-1] for row in rows], [row[0] for row in rows]
        return [*rows[0], *right[1:], *rows[-1][-2::-1], *left[-2::-1]]

    upper, lower = around(top), around(bottom)
    for (a, b), (d, c) in zip(pairwise(lower), pairwise(upper), strict=True):
        out = [unit((b[1] - a[1], a[0] - b[0], 0.0))] * 2
        builder.band([a, b], [d, c], out, out)
    return builder.mesh()


def _slopes(rows: list[list[Vector]], up: float) -> list[list[Vector]]:
    """The normal at each point of a grid, from its neighbours."""

    def normal(row: int, column: int) -> Vector:
        across = (rows[row][max(column - 1, 0)], rows[row][min(column + 1, len(rows[row]) - 1)])
        along = (rows[max(row - 1, 0)][column], rows[min(row + 1, len(rows) - 1)][column])
        a, b = (mixed(high, 1.0, low, -1.0) for low, high in (across, along))
        return unit(mixed(cross(a, b), up, (0.0, 0.0, 0.0), 0.0))

    return [[normal(row, column) for column in range(len(rows[row]))] for row in range(len(rows))]


def frames(points: Sequence[Vector], closed: bool) -> list[tuple[Vector, Vector, Vector]]:
    """Two directions across a path at each of its points, with minimal rotation between neighbours."""
    found = []
    side: Vector | None = None
    for number, here in enumerate(points):
        before = points[number - 1] if number else points[-2] if closed else here
        after = points[number + 1] if number + 1 < len(points) else points[1] if closed else here
        way = unit(mixed(after, 1.0, before, -1.0))
        if side is None:
            side = (0.0, 0.0, 1.0) if abs(way[2]) < 0.9 else (1.0, 0.0, 0.0)
        side = unit(mixed(side, 1.0, way, -(side[0] * way[0] + side[1] * way[1] + side[2] * way[2])))
        found.append((here, side, cross(way, side)))
    return found


def ears(outline: Sequence[Flat]) -> list[tuple[int, int, int]]:
    """Triangulate an outline by ear clipping."""
    left, found = list(range(len(outline))), []
    while len(left) > 3:
        for place in range(len(left)):
            a, b, c = left[place - 1], left[place], left[(place + 1) % len(left)]
            others = (outline[other] for other in left if other not in (a, b, c))
            corner = (outline[a], outline[b], outline[c])
            if _area(*corner) > 0.0 and not any(_within(point, *corner) for point in others):
                found.append((a, b, c))
                del left[place]
                break
        else:
            raise ValueError("the outline crosses itself or runs clockwise; list its corners counter-clockwise")
    return [*found, (left[0], left[1], left[2])]


def _area(a: Flat, b: Flat, c: Flat) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _within(point: Flat, a: Flat, b: Flat, c: Flat) -> bool:
    return _area(a, b, point) >= 0.0 and _area(b, c, point) >= 0.0 and _area(c, a, point) >= 0.0


def rounded(vector: Vector) -> Vector:
    """A rounded vector, the same on every machine; adding 0.0 turns -0.0 into 0.0."""
    return round(vector[0], 9) + 0.0, round(vector[1], 9) + 0.0, round(vector[2], 9) + 0.0


def mixed(a: Vector, share: float, b: Vector, other: float) -> Vector:
    """A weighted sum of two vectors."""
    return a[0] * share + b[0] * other, a[1] * share + b[1] * other, a[2] * share + b[2] * other


def cross(a: Vector, b: Vector) -> Vector:
    """The cross product of two vectors."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def unit(a: Vector) -> Vector:
    """The unit vector."""
    length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) or 1.0
    return a[0] / length, a[1] / length, a[2] / length

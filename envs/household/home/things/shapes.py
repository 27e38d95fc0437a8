"""Round and bent shapes as triangles."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin

from envs.render.scene import Mesh, Vector

_ROUND = 28
"""Segments round a shape."""


def lathe(profile: Sequence[tuple[float, float]], *, squash: float = 1.0, segments: int = _ROUND) -> Mesh:
    """A profile of (radius, height) turned about the z axis, its outside to the right of the way it is drawn upwards.

    Where the profile runs down again inside, the shape is hollow. `squash` flattens it along y.
    """
    points: list[Vector] = []
    for radius, height in profile:
        for step in range(segments):
            angle = 2.0 * pi * step / segments
            points.append((round(radius * cos(angle), 7), round(radius * squash * sin(angle), 7), height))
    return Mesh(tuple(points), _walls(len(profile), segments, closed=False))


def ellipsoid(radii: Vector, *, segments: int = 20) -> Mesh:
    """A ball stretched along its axes."""
    rings = segments // 2
    profile = [(max(1e-6, sin(pi * ring / rings)), -cos(pi * ring / rings)) for ring in range(rings + 1)]
    ball = lathe(profile, segments=segments)
    points = tuple((round(x * radii[0], 7), round(y * radii[1], 7), round(z * radii[2], 7)) for x, y, z in ball.points)
    return Mesh(points, ball.faces)


def loft(rings: Sequence[Sequence[Vector]]) -> Mesh:
    """A skin over closed rings of equally many points, each counter-clockwise seen from where the next one is.

    The ends are closed by fans about their middles.
    """
    count = len(rings[0])
    points = [point for ring in rings for point in ring]
    faces = list(_walls(len(rings), count, closed=False))
    for ring, first, flip in ((rings[0], 0, True), (rings[-1], (len(rings) - 1) * count, False)):
        middle = len(points)
        points.append(_mean(ring))
        for step in range(count):
            a, b = first + step, first + (step + 1) % count
            faces.append((middle, b, a) if flip else (middle, a, b))
    return Mesh(tuple(points), tuple(faces))


def extrusion(outline: Sequence[tuple[float, float]], height: float) -> Mesh:
    """An outline in the xy plane, counter-clockwise and seen whole from its middle, as a prism about z = 0."""
    return loft([[(x, y, z) for x, y in outline] for z in (-height / 2, height / 2)])


def ring(radius: float, tube: float, *, segments: int = 24, around: int = 10) -> Mesh:
    """A ring lying flat, of a round tube."""
    points: list[Vector] = []
    for step in range(segments):
        turn = 2.0 * pi * step / segments
        for part in range(around):
            angle = 2.0 * pi * part / around
            far = radius + tube * cos(angle)
            points.append((round(far * cos(turn), 7), round(far * sin(turn), 7), round(tube * sin(angle), 7)))
    # The section goes round outwards and up, the ring counter-clockwise: walls look outwards when walked backwards.
    flipped = tuple((a, c, b) for a, b, c in _walls(segments, around, closed=True))
    return Mesh(tuple(points), flipped)


def _walls(rings: int, count: int, *, closed: bool) -> tuple[tuple[int, int, int], ...]:
    """Triangles between neighbouring rings of points."""
    faces: list[tuple[int, int, int]] = []
    for row in range(rings if closed else rings - 1):
        low, high = row * count, (row + 1) % rings * count
        for step in range(count):
            after = (step + 1) % count
            faces += [(low + step, low + after, high + after), (low + step, high + after, high + step)]
    return tuple(faces)


def _mean(points: Sequence[Vector]) -> Vector:
    x, y, z = (round(sum(point[axis] for point in points) / len(points), 7) for axis in range(3))
    return x, y, z

"""Round and bent shapes as meshes with smooth normals: bowls and cups, cones, capsules, cushions, handles, cloth.

Every mesh is closed and centred on its own centre or axis, in metres, z up. Physics and both renderers know only
boxes, balls, cylinders and meshes; all other shapes are made here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import acos, cos, hypot, pi, sin, sqrt

from envs.render.meshes import Builder, Flat, ears, frames, mixed, rounded, two_sided, unit
from envs.render.scene import Mesh, Vector

_CREASE = 0.7
"""A profile that turns by more than this angle (in radians) has an edge there; smaller turns are smooth."""


def lathe(profile: Sequence[Flat], *, segments: int = 32) -> Mesh:
    """Rotate a profile about the z axis: (radius, height) points, with the outside to the right of their direction.

    A vase goes from the centre of its foot up the outside; a bowl then comes down again inside, back to radius 0:
    `lathe([(0, 0), (0.04, 0), (0.08, 0.06), (0.075, 0.06), (0.035, 0.005), (0, 0.005)])`. Gentle bends are smooth,
    sharp ones are edges.
    """
    builder = Builder()
    circle = _circle(segments)
    profile = [profile[0], *(after for before, after in pairwise(profile) if after != before)]
    for (low, high), (start, end) in zip(pairwise(profile), _turning(profile), strict=True):
        rows = [[(x * radius, y * radius, height) for x, y in circle] for radius, height in (low, high)]
        normals = [[(x * out, y * out, up) for x, y in circle] for out, up in (start, end)]
        builder.band(rows[0], rows[1], normals[0], normals[1])
    return builder.mesh()


def frustum(low: float, high: float, height: float, *, segments: int = 32) -> Mesh:
    """A truncated cone with its lower and upper radius."""
    half = height / 2.0
    return lathe([(0.0, -half), (low, -half), (high, half), (0.0, half)], segments=segments)


def cone(radius: float, height: float, *, segments: int = 32) -> Mesh:
    """A cone that stands on its round side."""
    return frustum(radius, 0.0, height, segments=segments)


def capsule(radius: float, height: float, *, segments: int = 24) -> Mesh:
    """An upright cylinder with a half ball at each end; `height` is from tip to tip."""
    straight = max(height / 2.0 - radius, 0.0)
    steps = max(segments // 4, 2)
    arc = [(sin(pi / 2.0 * step / steps), cos(pi / 2.0 * step / steps)) for step in range(steps + 1)]
    low = [(radius * x, -straight - radius * z) for x, z in arc]
    return lathe([*low, *((x, -z) for x, z in reversed(low))], segments=segments)


def ellipsoid(size: Vector, *, segments: int = 32) -> Mesh:
    """An ellipsoid of some width, depth and height."""
    a, b, c = (length / 2.0 for length in size)
    rounds = segments // 2
    ball = lathe([(sin(pi * k / rounds), -cos(pi * k / rounds)) for k in range(rounds + 1)], segments=segments)
    normals = tuple(unit((x / a, y / b, z / c)) for x, y, z in ball.points)
    return Mesh(tuple(rounded((x * a, y * b, z * c)) for x, y, z in ball.points), ball.faces, normals)


def ring(radius: float, thickness: float, *, segments: int = 32) -> Mesh:
    """A torus about the z axis: `radius` to the centre of the tube, which is `thickness` thick."""
    return lathe(
        [(radius + thickness / 2.0 * y, -thickness / 2.0 * x) for x, y in _circle(12)],
        segments=segments,
    )


def prism(outline: Sequence[Flat], height: float) -> Mesh:
    """An outline, counter-clockwise seen from above, extruded symmetrically about z = 0. It may be concave."""
    builder = Builder()
    half = height / 2.0
    for a, b in pairwise([*outline, outline[0]]):
        out = unit((b[1] - a[1], a[0] - b[0], 0.0))
        builder.band([(*a, -half), (*b, -half)], [(*a, half), (*b, half)], [out] * 2, [out] * 2)
    cover = ears(outline)
    for z, up in ((half, 1.0), (-half, -1.0)):
        corners = [builder.point((x, y, z), (0.0, 0.0, up)) for x, y in outline]
        for first, second, third in cover:
            rest = (corners[second], corners[third])
            builder.face(corners[first], *(rest if up > 0.0 else rest[::-1]))
    return builder.mesh()


def tube(path: Sequence[Vector], radius: float, *, closed: bool = False, segments: int = 10) -> Mesh:
    """A round bar along a path: handles, taps, chair frames. Its ends are flat; `closed` joins them."""
    builder = Builder()
    points = [*path, path[0]] if closed else list(path)
    circle = _circle(segments)
    rings, outs = [], []
    for centre, side, up in frames(points, closed):
        out = [mixed(side, x, up, y) for x, y in circle]
        rings.append([mixed(centre, 1.0, way, radius) for way in out])
        outs.append(out)
    for (low, high), (start, end) in zip(pairwise(rings), pairwise(outs), strict=True):
        builder.band(low, high, start, end)
    if not closed:
        for here, other, loop in ((points[0], points[1], rings[0][::-1]), (points[-1], points[-2], rings[-1])):
            way = unit(mixed(here, 1.0, other, -1.0))
            builder.band(loop, [here] * len(loop), [way] * len(loop), [way] * len(loop))
    return builder.mesh()


def sheet(size: Flat, height: Callable[[float, float], float], thickness: float = 0.004, *, cells: int = 16) -> Mesh:
    """A cloth of some width and depth. `height` gives its height at points from (-1, -1) to (1, 1)."""
    steps = [2.0 * step / cells - 1.0 for step in range(cells + 1)]
    half = thickness / 2.0

    def level(sign: float) -> list[list[Vector]]:
        return [[(x * size[0] / 2.0, y * size[1] / 2.0, height(x, y) + sign * half) for x in steps] for y in steps]

    return two_sided(level(1.0), level(-1.0))


def cushion(size: Vector, *, cells: int = 14) -> Mesh:
    """A pillow: thick in the middle, thin at its seam, with slightly extended corners."""
    width, depth, height = (length / 2.0 for length in size)
    # Denser towards the seam, where the curvature is largest.
    steps = [sin(pi / 2.0 * (2.0 * step / cells - 1.0)) for step in range(cells + 1)]

    def level(sign: float) -> list[list[Vector]]:
        return [
            [
                (
                    x * width * (1.0 - 0.06 * (1.0 - y * y)),
                    y * depth * (1.0 - 0.06 * (1.0 - x * x)),
                    sign * height * (0.04 + 0.96 * sqrt(max((1.0 - x * x) * (1.0 - y * y), 0.0)) ** 0.8),
                )
                for x in steps
            ]
            for y in steps
        ]

    return two_sided(level(1.0), level(-1.0))


def _turning(profile: Sequence[Flat]) -> list[tuple[Flat, Flat]]:
    """For each piece of a profile, the normals at its start and end; shared where the bend is smooth."""
    outs = [_out(a, b) for a, b in pairwise(profile)]
    closed = profile[0] == profile[-1]
    count = len(outs)

    def shared(mine: int, other: int) -> Flat:
        if not closed and not 0 <= other < count:
            return outs[mine]
        (x, z), (u, v) = outs[mine], outs[other % count]
        if acos(max(-1.0, min(1.0, x * u + z * v))) > _CREASE:
            return outs[mine]
        length = hypot(x + u, z + v)
        return (x + u) / length, (z + v) / length

    ends = [(shared(piece, piece - 1), shared(piece, piece + 1)) for piece in range(count)]
    if not closed:
        ends[0] = (_tip(profile[0], ends[0][0]), ends[0][1])
        ends[-1] = (ends[-1][0], _tip(profile[-1], ends[-1][1]))
    return ends


def _tip(place: Flat, out: Flat) -> Flat:
    """The normal at a tip on the axis, which is vertical if the tip is smooth."""
    return (0.0, 1.0 if out[1] > 0.0 else -1.0) if place[0] == 0.0 and abs(out[1]) > cos(_CREASE) else out


def _out(a: Flat, b: Flat) -> Flat:
    length = hypot(b[0] - a[0], b[1] - a[1])
    return (b[1] - a[1]) / length, (a[0] - b[0]) / length


@cache
def _circle(count: int) -> list[Flat]:
    angles = [2.0 * pi * step / count for step in range(count + 1)]
    return [(round(cos(angle), 9) + 0.0, round(sin(angle), 9) + 0.0) for angle in angles]

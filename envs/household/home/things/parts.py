"""Builds parts from positions (slabs between planes, rods between points), and things from parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import sqrt
from typing import TypeAlias

from envs.household.home.model import Cavity, Leaf, Part, Pose, Surface, Thing
from envs.household.home.things.kind import Order
from envs.household.home.things.turns import LAID, Axis, moved, plus, pointing, turned
from envs.render.scene import UPRIGHT, Box, Cylinder, Material, Mesh, Rotation, Shape, Sphere, Vector

Span: TypeAlias = tuple[float, float]
Bounds: TypeAlias = tuple[Vector, Vector]

_FILM = 0.0009
"""The height of print over its surface, which the renderer can still resolve."""


def slab(
    material: Material, x: Span, y: Span, z: Span, *, bevel: float = 0.0, along: Axis = "x", solid: bool = True
) -> Part:
    """A box between planes; `along` is the axis its grain runs along."""
    size = [round(high - low, 6) for low, high in (x, y, z)]
    first = "xyz".index(along)
    own = (size[first], size[(first + 1) % 3], size[(first + 2) % 3])
    return Part(Box(own, bevel), material, Pose(_middle(x, y, z), LAID[along]), solid)


def _middle(x: Span, y: Span, z: Span) -> Vector:
    return round(sum(x) / 2, 6), round(sum(y) / 2, 6), round(sum(z) / 2, 6)


def rod(material: Material, radius: float, start: Vector, end: Vector, *, solid: bool = True) -> Part:
    """A round rod from point to point."""
    way = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    length = round(sqrt(sum(value * value for value in way)), 6)
    return Part(Cylinder(radius, length), material, Pose(_middle(*zip(start, end, strict=True)), pointing(way)), solid)


def ball(material: Material, radius: float, centre: Vector, *, solid: bool = True) -> Part:
    """A ball."""
    return Part(Sphere(radius), material, Pose(centre), solid)


def shown(material: Material, shape: Shape, at: Vector = (0.0, 0.0, 0.0), turn: Rotation = UPRIGHT) -> Part:
    """A visible part without collisions."""
    return Part(shape, material, Pose(at, turn), solid=False)


def on_top(material: Material, x: Span, y: Span, top: float, level: int = 1) -> Part:
    """Something flat that is stuck to or printed on an upper side, over `level - 1` others."""
    return slab(material, x, y, (top - _FILM, top + _FILM * level), solid=False)


def on_front(material: Material, x: Span, z: Span, front: float, level: int = 1) -> Part:
    """Something flat that is stuck to or printed on a side that looks to the front."""
    return slab(material, x, (front - _FILM * level, front + _FILM), z, solid=False)


def felt(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Copies of the parts for collisions only."""
    return tuple(replace(part, seen=False) for part in parts)


def seen_only(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Copies of the parts for pictures only."""
    return tuple(replace(part, solid=False) for part in parts)


def span(centre: float, width: float) -> Span:
    """The interval of some width about a centre."""
    return (round(centre - width / 2, 6), round(centre + width / 2, 6))


def ends(whole: Span, wide: float) -> tuple[Span, Span]:
    """The two ends of an interval, each of some width."""
    return (whole[0], round(whole[0] + wide, 6)), (round(whole[1] - wide, 6), whole[1])


def bounds(parts: Iterable[Part]) -> Bounds:
    """The lowest and the highest corner of the bounding box of the parts."""
    boxes = [_box_round(part) for part in parts]
    low = tuple(min(box[0][axis] for box in boxes) for axis in range(3))
    high = tuple(max(box[1][axis] for box in boxes) for axis in range(3))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def _box_round(part: Part) -> Bounds:
    turn, position = part.pose.rotation, part.pose.position
    match part.shape:
        case Box(size):
            reach = tuple(sum(abs(turn[3 * row + k]) * size[k] / 2 for k in range(3)) for row in range(3))
        case Sphere(radius):
            reach = (radius,) * 3
        case Cylinder(radius, height):
            tilts = [turn[3 * row + 2] for row in range(3)]
            reach = tuple(abs(c) * height / 2 + radius * sqrt(max(0.0, 1.0 - c * c)) for c in tilts)
        case Mesh(points):
            corners = points if turn == UPRIGHT else tuple(turned(turn, point) for point in points)
            rows = list(zip(*corners, strict=True))
            return plus(position, (min(rows[0]), min(rows[1]), min(rows[2]))), plus(
                position, (max(rows[0]), max(rows[1]), max(rows[2]))
            )
    far = (reach[0], reach[1], reach[2])
    return plus(position, (-far[0], -far[1], -far[2])), plus(position, far)


def assembled(
    order: Order,
    parts: Sequence[Part],
    *,
    mass: float,
    leaves: Sequence[Leaf] = (),
    surfaces: Sequence[Surface] = (),
    cavities: Sequence[Cavity] = (),
    movable: bool = False,
    in_wall: bool = False,
) -> Thing:
    """A thing from its parts, moved so that its bounding box is centred over the origin.

    With `in_wall` it is not centred along y: y = 0 is the centre of the wall, whatever the size of its handles.
    """
    low, high = bounds([*parts, *(part for leaf in leaves for part in leaf.parts)])
    if in_wall:
        reach = max(-low[1], high[1])
        low, high = (low[0], -reach, low[2]), (high[0], reach, high[2])
    by = (-(low[0] + high[0]) / 2, -(low[1] + high[1]) / 2, -low[2])
    return Thing(
        name=order.name,
        kind=order.kind,
        parts=moved(parts, by),
        size=(round(high[0] - low[0], 6), round(high[1] - low[1], 6), round(high[2] - low[2], 6)),
        leaves=tuple(replace(leaf, anchor=plus(leaf.anchor, by), parts=moved(leaf.parts, by)) for leaf in leaves),
        surfaces=tuple(replace(surface, centre=plus(surface.centre, by)) for surface in surfaces),
        cavities=tuple(replace(cavity, centre=plus(cavity.centre, by)) for cavity in cavities),
        movable=movable,
        mass=mass,
    )


def movable(order: Order, parts: Sequence[Part], mass: float) -> Thing:
    """A movable thing."""
    return assembled(order, parts, mass=mass, movable=True)

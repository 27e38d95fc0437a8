"""Turning and moving parts and points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import cos, sin, sqrt
from typing import Literal, TypeAlias

from envs.household.home.model import Part, Pose
from envs.render.scene import UPRIGHT, Rotation, Vector

Axis: TypeAlias = Literal["x", "y", "z"]

LAID: dict[Axis, Rotation] = {
    "x": UPRIGHT,
    "y": (0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
    "z": (0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0),
}
"""Rotations of a shape's x axis to x, y or z, which set the direction of the grain."""


def about(axis: Axis, angle: float) -> Rotation:
    """A turn about an axis, rounded so that every machine has the same one."""
    c, s = round(cos(angle), 9), round(sin(angle), 9)
    if axis == "x":
        return (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c)
    if axis == "y":
        return (c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c)
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)


def after(second: Rotation, first: Rotation) -> Rotation:
    """The composition of two rotations: the first, then the second."""
    a, b, c, d, e, f, g, h, i = first
    rows = (second[:3], second[3:6], second[6:])
    # Unrolled for speed. The added zeros turn a sum of -0.0 into 0.0.
    values = (
        (0.0 + x * a + y * d + z * g, 0.0 + x * b + y * e + z * h, 0.0 + x * c + y * f + z * i) for x, y, z in rows
    )
    return tuple(round(value, 9) for row in values for value in row)  # type: ignore[return-value]


def turned(rotation: Rotation, vector: Vector) -> Vector:
    """The rotated vector."""
    r, (x, y, z) = rotation, vector
    return (r[0] * x + r[1] * y + r[2] * z, r[3] * x + r[4] * y + r[5] * z, r[6] * x + r[7] * y + r[8] * z)


def plus(a: Vector, b: Vector) -> Vector:
    """The sum of two vectors, to the nanometre."""
    return (round(a[0] + b[0], 9), round(a[1] + b[1], 9), round(a[2] + b[2], 9))


def moved(parts: Iterable[Part], by: Vector = (0.0, 0.0, 0.0), turn: Rotation = UPRIGHT) -> tuple[Part, ...]:
    """The parts rotated about the origin, then translated."""
    return tuple(
        replace(part, pose=Pose(plus(turned(turn, part.pose.position), by), after(turn, part.pose.rotation)))
        for part in parts
    )


def pointing(direction: Vector) -> Rotation:
    """A rotation of the z axis to a direction."""
    length = sqrt(sum(value * value for value in direction))
    x, y, z = (value / length for value in direction)
    if abs(z) > 0.999999:
        return UPRIGHT if z > 0.0 else about("x", 3.141592654)
    flat = sqrt(x * x + y * y)
    side = (-y / flat, x / flat, 0.0)
    up = (-side[1] * z, side[0] * z, side[1] * x - side[0] * y)
    rows = (side[0], up[0], x, side[1], up[1], y, side[2], up[2], z)
    return tuple(round(value, 9) for value in rows)  # type: ignore[return-value]

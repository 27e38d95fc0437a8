"""Coordinate frames: composition of poses, and the motion of leaves."""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TypeAlias

from envs.household.home.model import Leaf, Pose
from envs.household.home.things.turns import after, plus, turned
from envs.render.scene import Rotation, Vector

Quaternion: TypeAlias = tuple[float, float, float, float]
"""A rotation as w, x, y, z."""

STILL = Pose()


def within(outer: Pose, inner: Pose) -> Pose:
    """Convert a pose from the frame `outer` to the frame in which `outer` is given."""
    return Pose(plus(turned(outer.rotation, inner.position), outer.position), after(outer.rotation, inner.rotation))


def inverse(pose: Pose) -> Pose:
    """The inverse pose."""
    back = transposed(pose.rotation)
    x, y, z = turned(back, pose.position)
    return Pose((-x, -y, -z), back)


def spot(frame: Pose, point: Vector) -> Vector:
    """Convert a point from a frame to the outer one."""
    return plus(turned(frame.rotation, point), frame.position)


def transposed(rotation: Rotation) -> Rotation:
    """The inverse rotation."""
    r = rotation
    return (r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8])


def opened(leaf: Leaf, opening: float) -> Pose:
    """The displacement of a leaf at an opening from 0 to 1, in the frame of its thing."""
    way = leaf.travel * opening
    if leaf.kind == "slide":
        x, y, z = (round(value * way, 9) for value in leaf.axis)
        return Pose((x, y, z))
    turn = turning(leaf.axis, way)
    x, y, z = turned(turn, leaf.anchor)
    return Pose(plus(leaf.anchor, (-x, -y, -z)), turn)


def turning(axis: Vector, angle: float) -> Rotation:
    """The rotation about a unit axis."""
    c, s = round(cos(angle), 9), round(sin(angle), 9)
    x, y, z = axis
    k = 1.0 - c
    return (
        c + x * x * k,
        x * y * k - z * s,
        x * z * k + y * s,
        y * x * k + z * s,
        c + y * y * k,
        y * z * k - x * s,
        z * x * k - y * s,
        z * y * k + x * s,
        c + z * z * k,
    )


def quaternion(rotation: Rotation) -> Quaternion:
    """The same rotation as a quaternion with w >= 0, of length one."""
    m = rotation
    # Of four equivalent formulas, use the one with the largest divisor.
    squares = (1 + m[0] + m[4] + m[8], 1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8])
    most = max(range(4), key=lambda k: squares[k])
    rows = (
        (squares[0], m[7] - m[5], m[2] - m[6], m[3] - m[1]),
        (m[7] - m[5], squares[1], m[1] + m[3], m[2] + m[6]),
        (m[2] - m[6], m[1] + m[3], squares[2], m[5] + m[7]),
        (m[3] - m[1], m[2] + m[6], m[5] + m[7], squares[3]),
    )
    w, x, y, z = rows[most]
    length = sqrt(w * w + x * x + y * y + z * z)
    sign = -1.0 if w < 0.0 else 1.0
    return (sign * w / length, sign * x / length, sign * y / length, sign * z / length)


def rotation(q: Quaternion) -> Rotation:
    """A quaternion of any length as a rotation, to the millionth: the same on every machine."""
    length = sqrt(sum(value * value for value in q))
    w, x, y, z = (value / length for value in q)
    rows = (
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
        2 * (x * y + w * z),
        1 - 2 * (x * x + z * z),
        2 * (y * z - w * x),
        2 * (x * z - w * y),
        2 * (y * z + w * x),
        1 - 2 * (x * x + y * y),
    )
    return tuple(round(value, 6) for value in rows)  # type: ignore[return-value]

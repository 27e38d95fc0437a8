"""Where a gripper is, in seven numbers, and the motion between two such states.

The frame is the base of the arm: +x ahead, +y left, +z up. Positions are in metres, angles in degrees. Angles are
right-handed about the axes of the base: +roll turns clockwise when seen along +x, +pitch points the front down, +yaw
turns counterclockwise when seen from above. A gripper that points straight down has the angles (0, 0, 0). The opening
is 0 when the gripper is shut and 1 when it is open.
"""

from __future__ import annotations

from typing import NamedTuple


class State(NamedTuple):
    """The state of a gripper."""

    x: float
    y: float
    z: float
    roll: float
    pitch: float
    yaw: float
    opening: float


class Motion(NamedTuple):
    """A state minus an earlier one; angles are within (-180, 180]."""

    x: float
    y: float
    z: float
    roll: float
    pitch: float
    yaw: float
    opening: float


def wrapped(degrees: float) -> float:
    """The same angle within (-180, 180]."""
    rest = degrees % 360.0
    return rest - 360.0 if rest > 180.0 else rest


def motion_between(before: State, after: State) -> Motion:
    """The motion that leads from one state to another. Euler angles are subtracted one by one."""
    x, y, z, *turns, opening = (b - a for a, b in zip(before, after, strict=True))
    roll, pitch, yaw = (wrapped(turn) for turn in turns)
    return Motion(x, y, z, roll, pitch, yaw, opening)

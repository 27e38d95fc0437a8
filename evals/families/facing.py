"""Frames of reference in a picture (a second robot, or a chair to sit on) and directions in them.

A bearing is in degrees to the left of where the frame looks: 0 ahead, 90 left, -90 right, 180 behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import atan, atan2, cos, degrees, hypot, pi, radians, sin
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from envs.household.home.physics import ROBOT
from envs.shots.cameras import WIDTH, Free, looking

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.moment import Moment
    from envs.shots.situation import Place
    from envs.shots.view import View

OTHER = f"{ROBOT} 2"
"""The name of a second robot in views."""
SEATS = ("chair", "armchair")
WAYS = {
    0.0: "straight ahead",
    45.0: "ahead and to the left",
    90.0: "to the left",
    135.0: "behind and to the left",
    180.0: "straight behind",
    -135.0: "behind and to the right",
    -90.0: "to the right",
    -45.0: "ahead and to the right",
}
"""The eight directions by their bearings."""
_EYE = 1.0
"""The eye height of a frame above the floor."""
_BACK = 0.25
"""The upper share of a seat's height that consists of its back only."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A position and a direction on the floor plan; the angle in radians."""

    name: str
    seat: str
    """The kind of the seat; empty for a robot."""
    x: float
    y: float
    yaw: float

    def bearing(self, x: float, y: float) -> float:
        """The bearing of a point."""
        return wrapped(degrees(atan2(y - self.y, x - self.x) - self.yaw))

    def far(self, x: float, y: float) -> float:
        """The distance of a point."""
        return hypot(x - self.x, y - self.y)

    def at(self, bearing: float, far: float) -> Vector:
        """The place on the floor in a direction."""
        angle = self.yaw + radians(bearing)
        return self.x + far * cos(angle), self.y + far * sin(angle), 0.0

    def turned_to(self, view: View) -> Frame:
        """The same position in the camera's direction: the frame of someone who confuses the two."""
        return replace(self, yaw=looking(view.scene.camera)[0])


def wrapped(angle: float) -> float:
    """An angle in degrees, above -180 and up to 180."""
    return 180.0 - (180.0 - angle) % 360.0


def nearest_way(bearing: float) -> tuple[str, float]:
    """The nearest of the eight directions, and the angle to it in degrees."""
    way = min(WAYS, key=lambda other: abs(wrapped(bearing - other)))
    return WAYS[way], abs(wrapped(bearing - way))


def robot_frame(moment: Moment) -> Frame:
    """The second robot."""
    x, y, yaw = moment.situation.others[0]
    return Frame(OTHER, "", x, y, yaw)


def seat_frame(moment: Moment, name: str) -> Frame:
    """The frame of a seat by its pose: things face their own -y axis."""
    pose = moment.sim.pose(name)
    turn = pose.rotation
    return Frame(name, moment.thing(name).kind, *pose.position[:2], atan2(-turn[4], -turn[1]))


def drawn_frame(moment: Moment, name: str) -> Frame:
    """The frame from drawn points: from the back of a seat to its centre, from a robot's neck to its eye."""
    if name == OTHER:
        from envs.household.home.robot import Stance

        stance = Stance(*moment.situation.others[0])
        (x, y, _), (ex, ey, _) = stance.base.position, stance.eye.position
        return Frame(name, "", x, y, atan2(ey - y, ex - x))
    (a, b, low), (x, y, high) = moment.box(name)
    points = moment.points(name)
    back = points[:2, points[2] > high - _BACK * (high - low)]
    bx, by = np.mean([back.min(axis=1), back.max(axis=1)], axis=0).tolist()
    mx, my = (a + x) / 2.0, (b + y) / 2.0
    return Frame(name, moment.thing(name).kind, mx, my, atan2(my - by, mx - bx))


def seen_bearing(view: View, frame: Frame, point: Vector) -> float:
    """The bearing of a point by its pixel in cameras that look ahead, left, behind and right."""
    from envs.shots.view import View as Camera

    for turn in (0, 90, 180, -90):
        angle = frame.yaw + radians(turn)
        eye = Free((frame.x, frame.y, _EYE), (frame.x + cos(angle), frame.y + sin(angle), _EYE), 90.0)
        found = Camera(eye, replace(view.scene, camera=eye.camera)).project((*point[:2], _EYE))
        if found is None:
            continue
        # With a field of 90 degrees, the height of the view is twice the distance.
        aside = (found[0] - WIDTH / 2.0) / (view.measured.depth.shape[0] / 2.0)
        if abs(aside) <= 1.001:
            return wrapped(turn - degrees(atan(aside)))
    raise ValueError(f"{point} is where {frame.name} is")


def stands(moment: Moment, room: str, dice: Random, tries: int) -> Iterator[Place]:
    """Random stances in a room where a robot fits."""
    x0, y0, x1, y1 = next(one.corners for one in moment.home.rooms if one.name == room)
    for _ in range(tries):
        x, y = round(dice.uniform(x0 + 0.5, x1 - 0.5), 3), round(dice.uniform(y0 + 0.5, y1 - 0.5), 3)
        yaw = round(dice.uniform(-pi, pi), 3)
        if moment.sim.robot_fits(x, y, yaw, 0.35):
            yield x, y, yaw

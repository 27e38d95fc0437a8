"""Robot arms from primitives with true link lengths: a WidowX 250s, a Panda, and a Panda on wheels.

The frame is that of the base: x ahead, y left, z up. The frame of a gripper lies between its finger tips; when it
points straight down its axes are those of the base, so that its state has the angles (0, 0, 0). Fingers open along y.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import pi

import numpy as np

from envs.arm.looks import (
    DARK,
    GREY,
    LEFT_TIP,
    PALE,
    PANDA_FINGER,
    RIGHT_TIP,
    WIDOWX_FINGER,
    WIDOWX_PALM,
    Links,
    panda_links,
    panda_palm,
    wheeled_links,
    widowx_links,
)
from envs.arm.states import State
from envs.household.home.model import Part, Pose
from envs.household.home.things.turns import about
from envs.render.arrays import Floats
from envs.render.scene import UPRIGHT, Material, Rotation, Vector
from planners.names import unknown

GRIPPER = "gripper"
"""The name of the solids of a gripper."""
ARM = "arm"
"""The name of all other solids of an arm."""


@dataclass(frozen=True, slots=True)
class Joint:
    """A hinge: the offset and turn of its frame in that of the joint before, and its axis of rotation."""

    offset: Vector
    low: float
    high: float
    axis: Vector = (0.0, 0.0, 1.0)
    turn: Rotation = UPRIGHT


@dataclass(frozen=True, slots=True)
class Finger:
    """The parts of a finger in the frame of the shut gripper, and the distance that they move until it is open."""

    parts: tuple[Part, ...]
    way: Vector


@dataclass(frozen=True)
class Arm:
    """An arm: joints, the gripper's frame in that of the last one, the opening of the fingers, and the shapes.

    `links` are the parts fixed to the base, then to each joint. `palm` and `fingers` are in the frame of the gripper,
    and so are the position of the wrist camera, `eye`, and the point that it looks at, `gaze`. `spread` is the distance
    of a finger's inner side from the middle, shut and open.
    """

    name: str
    joints: tuple[Joint, ...]
    hand: tuple[tuple[float, ...], ...]
    spread: tuple[float, float]
    links: Links
    palm: tuple[Part, ...]
    fingers: tuple[Finger, ...]
    rest: tuple[float, ...]
    eye: Vector
    gaze: Vector

    @property
    def low(self) -> Floats:
        """The lower limits of the joints."""
        return np.array([joint.low for joint in self.joints])

    @property
    def high(self) -> Floats:
        """The upper limits of the joints."""
        return np.array([joint.high for joint in self.joints])

    def frames(self, angles: Sequence[float] | Floats) -> list[Floats]:
        """The frames of the base, of every joint and, last, of the gripper, as 4 x 4 matrices."""
        found = [np.eye(4)]
        for joint, angle in zip(self.joints, angles, strict=True):
            found.append(found[-1] @ _fixed(joint) @ _hinge(joint.axis, float(angle)))
        return [*found, found[-1] @ np.array(self.hand)]

    def tip(self, angles: Sequence[float] | Floats) -> Floats:
        """The frame of the gripper."""
        return self.frames(angles)[-1]

    def state(self, angles: Sequence[float] | Floats, opening: float) -> State:
        """The state of the gripper, to the millionth."""
        return state_of(self.tip(angles), opening)

    def gripper(self, opening: float) -> tuple[Part, ...]:
        """The parts of the gripper in its frame at an opening."""
        moved = (part for finger in self.fingers for part in _moved(finger, opening))
        return (*self.palm, *moved)


def _moved(finger: Finger, opening: float) -> Iterator[Part]:
    by = tuple(value * opening for value in finger.way)
    for part in finger.parts:
        x, y, z = (round(a + b, 6) for a, b in zip(part.pose.position, by, strict=True))
        yield replace(part, pose=Pose((x, y, z), part.pose.rotation))


def _pair(parts: tuple[Part, ...], spread: tuple[float, float]) -> tuple[Finger, Finger]:
    """A left finger and its mirror image with another tip; `parts` have their inner side at y = 0."""
    low, way = spread[0], round(spread[1] - spread[0], 6)

    def finger(side: float) -> Finger:
        places = [(x, round(side * (y + low), 6), z) for x, y, z in (part.pose.position for part in parts)]
        made = (
            replace(part, pose=Pose(at, part.pose.rotation), material=_tip(part.material, side))
            for part, at in zip(parts, places, strict=True)
        )
        return Finger(tuple(made), (0.0, side * way, 0.0))

    return finger(1.0), finger(-1.0)


def _tip(material: Material, side: float) -> Material:
    return RIGHT_TIP if side < 0.0 and material == LEFT_TIP else material


def _fixed(joint: Joint) -> Floats:
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = np.array(joint.turn).reshape(3, 3), joint.offset
    return made


def _hinge(axis: Vector, angle: float) -> Floats:
    made = np.eye(4)
    made[:3, :3] = turn_about(axis, angle)
    return made


def turn_about(axis: Vector, angle: float) -> Floats:
    """The 3 x 3 matrix of a right-handed turn about an axis of length one, in radians."""
    c, s = round(float(np.cos(angle)), 12), round(float(np.sin(angle)), 12)
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    way = np.array(axis)
    made: Floats = c * np.eye(3) + s * cross + (1.0 - c) * way[:, None] * way[None, :]
    return made


def matrix_of(state: State) -> Floats:
    """The frame of a gripper in a state: roll first, then pitch, then yaw, each about an axis of the base."""
    made = np.eye(4)
    roll, pitch, yaw = np.radians(state[3:6])
    made[:3, :3] = (
        turn_about((0.0, 0.0, 1.0), yaw) @ turn_about((0.0, 1.0, 0.0), pitch) @ turn_about((1.0, 0.0, 0.0), roll)
    )
    made[:3, 3] = state[:3]
    return made


def state_of(frame: Floats, opening: float) -> State:
    """The state of a gripper with this frame, to the millionth."""
    r = frame[:3, :3]
    pitch = np.arcsin(np.clip(-r[2, 0], -1.0, 1.0))
    roll, yaw = np.arctan2(r[2, 1], r[2, 2]), np.arctan2(r[1, 0], r[0, 0])
    values = (*frame[:3, 3], *np.degrees([roll, pitch, yaw]), opening)
    return State(*(round(float(value), 6) + 0.0 for value in values))


_WIDOWX = Arm(
    name="widowx",
    joints=(
        Joint((0.0, 0.0, 0.072), -3.14, 3.14),
        Joint((0.0, 0.0, 0.03865), -1.885, 1.990, (0.0, 1.0, 0.0)),
        Joint((0.04975, 0.0, 0.25), -2.147, 1.606, (0.0, 1.0, 0.0)),
        Joint((0.175, 0.0, 0.0), -3.14, 3.14, (1.0, 0.0, 0.0)),
        Joint((0.075, 0.0, 0.0), -1.745, 2.147, (0.0, 1.0, 0.0)),
        Joint((0.065, 0.0, 0.0), -3.14, 3.14, (1.0, 0.0, 0.0)),
    ),
    hand=((0.0, 0.0, -1.0, 0.093575), (0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)),
    spread=(0.015, 0.037),
    links=widowx_links(),
    palm=WIDOWX_PALM,
    fingers=_pair(
        WIDOWX_FINGER,
        (0.015, 0.037),
    ),
    rest=(0.0, -0.3976, 0.4266, 0.0, 1.2799, 0.0),
    eye=(0.085, 0.0, 0.055),
    gaze=(0.02, 0.0, -0.06),
)


_FORTH, _BACK = about("x", pi / 2), about("x", -pi / 2)
_O: Vector = (0.0, 0.0, 0.0)
_C = 2.0**-0.5
_PANDA_JOINTS = (
    Joint((0.0, 0.0, 0.333), -2.8973, 2.8973),
    Joint(_O, -1.7628, 1.7628, turn=_BACK),
    Joint((0.0, -0.316, 0.0), -2.8973, 2.8973, turn=_FORTH),
    Joint((0.0825, 0.0, 0.0), -3.0718, -0.0698, turn=_FORTH),
    Joint((-0.0825, 0.384, 0.0), -2.8973, 2.8973, turn=_BACK),
    Joint(_O, -0.0175, 3.7525, turn=_FORTH),
    Joint((0.088, 0.0, 0.0), -2.8973, 2.8973, turn=_FORTH),
)
_PANDA_HAND = ((_C, -_C, 0.0, 0.0), (-_C, -_C, 0.0, 0.0), (0.0, 0.0, -1.0, 0.2104), (0.0, 0.0, 0.0, 1.0))


def _panda_like(name: str, links: Links, hand: Material) -> Arm:
    return Arm(
        name=name,
        joints=_PANDA_JOINTS,
        hand=_PANDA_HAND,
        spread=(0.0, 0.04),
        links=links,
        palm=panda_palm(hand),
        fingers=_pair(
            PANDA_FINGER,
            (0.0, 0.04),
        ),
        rest=(-0.0001, -0.414, 0.0001, -2.4159, 0.0, 2.002, 0.7854),
        eye=(0.10, 0.0, 0.11),
        gaze=(0.03, 0.0, -0.10),
    )


ARMS: Mapping[str, Arm] = {
    "widowx": _WIDOWX,
    "panda": _panda_like("panda", panda_links(PALE, GREY), DARK),
    "mobile": _panda_like("mobile", wheeled_links(), DARK),
}
"""The arms by name."""
ARM_OF: Mapping[str, str] = {"bridge": "widowx", "droid": "panda", "rt1": "mobile"}
"""The arm of each source."""


def arm_named(name: str) -> Arm:
    """One of our arms, or the arm of a MuJoCo model: a name that ends in ".xml" is that of a file."""
    if name.endswith(".xml"):
        from envs.arm.mjcf import arm_of_file

        return arm_of_file(name)
    if name not in ARMS:
        raise unknown("arm", name, ARMS)
    return ARMS[name]


@lru_cache(maxsize=4096)
def boxes_of(arm: str, opening: float) -> tuple[tuple[Vector, Vector], ...]:
    """The boxes of a gripper at an opening, by centre and size in its frame."""
    from envs.household.home.things.parts import bounds

    found = []
    for part in arm_named(arm).gripper(opening):
        low, high = bounds([part])
        centre = tuple(round((a + b) / 2, 6) for a, b in zip(low, high, strict=True))
        size = tuple(round(b - a, 6) for a, b in zip(low, high, strict=True))
        found.append(((centre[0], centre[1], centre[2]), (size[0], size[1], size[2])))
    return tuple(found)

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

from envs.arm.states import State
from envs.household.home.model import Part, Pose
from envs.household.home.things.materials import paint
from envs.household.home.things.parts import ball, rod, slab, span
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
    """A hinge: where its frame is in that of the joint before, how it is turned, and the axis it turns about."""

    offset: Vector
    low: float
    high: float
    axis: Vector = (0.0, 0.0, 1.0)
    turn: Rotation = UPRIGHT


@dataclass(frozen=True, slots=True)
class Finger:
    """The parts of a finger in the frame of the gripper when it is shut, and how far they move until it is open."""

    parts: tuple[Part, ...]
    way: Vector


@dataclass(frozen=True)
class Arm:
    """An arm: joints, the gripper's frame in that of the last one, how far the fingers open, and what it looks like.

    `links` are the parts fixed to the base, then to each joint. `palm` and `fingers` are in the frame of the gripper,
    and so are the place of the wrist camera, `eye`, and what it looks at, `gaze`. `spread` is how far the inner side
    of a finger is from the middle, shut and open.
    """

    name: str
    joints: tuple[Joint, ...]
    hand: tuple[tuple[float, ...], ...]
    spread: tuple[float, float]
    links: tuple[tuple[Part, ...], ...]
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
        """The parts of the gripper in its frame when it is open so far."""
        moved = (part for finger in self.fingers for part in _moved(finger, opening))
        return (*self.palm, *moved)


def _moved(finger: Finger, opening: float) -> Iterator[Part]:
    by = tuple(value * opening for value in finger.way)
    for part in finger.parts:
        x, y, z = (round(a + b, 6) for a, b in zip(part.pose.position, by, strict=True))
        yield replace(part, pose=Pose((x, y, z), part.pose.rotation))


def _pair(parts: tuple[Part, ...], spread: tuple[float, float]) -> tuple[Finger, Finger]:
    """A left finger whose inner side is at y = 0, so far from the middle, and its mirror image."""
    low, way = spread[0], round(spread[1] - spread[0], 6)

    def finger(side: float) -> Finger:
        places = [(x, round(side * (y + low), 6), z) for x, y, z in (part.pose.position for part in parts)]
        made = (replace(part, pose=Pose(at, part.pose.rotation)) for part, at in zip(parts, places, strict=True))
        return Finger(tuple(made), (0.0, side * way, 0.0))

    return finger(1.0), finger(-1.0)


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


def _material(red: float, green: float, blue: float, gloss: float = 0.25) -> Material:
    return paint((red, green, blue), gloss)


_BLACK, _DARK, _GREY = _material(0.10, 0.10, 0.11), _material(0.20, 0.21, 0.23), _material(0.42, 0.44, 0.47)
_SILVER, _PALE = _material(0.72, 0.74, 0.77, 0.35), _material(0.90, 0.91, 0.92)
_ORANGE, _TEAL, _LENS = _material(0.96, 0.48, 0.08), _material(0.10, 0.52, 0.56), _material(0.05, 0.06, 0.09, 0.6)
_O: Vector = (0.0, 0.0, 0.0)


def _widowx_links() -> tuple[tuple[Part, ...], ...]:
    turned = (0.0, 0.045, 0.0), (0.0, -0.045, 0.0)
    return (
        (
            slab(_BLACK, (-0.09, 0.07), span(0, 0.15), (0.0, 0.03), bevel=0.006),
            rod(_DARK, 0.05, (0, 0, 0.03), (0, 0, 0.06)),
        ),
        (slab(_BLACK, span(0, 0.07), span(0, 0.075), (-0.012, 0.03), bevel=0.006),),
        (
            rod(_GREY, 0.03, *turned),
            slab(_BLACK, span(0.0, 0.042), span(0, 0.052), (0.0, 0.25), bevel=0.006),
            slab(_BLACK, (-0.02, 0.05), span(0, 0.05), (0.222, 0.272), bevel=0.006),
        ),
        (
            rod(_GREY, 0.028, (0, 0.042, 0), (0, -0.042, 0)),
            slab(_BLACK, (0.0, 0.17), span(0, 0.046), span(0, 0.04), bevel=0.006),
        ),
        (rod(_DARK, 0.023, (0.0, 0, 0), (0.05, 0, 0)),),
        (
            rod(_GREY, 0.026, (0, 0.038, 0), (0, -0.038, 0)),
            slab(_BLACK, (0.0, 0.045), span(0, 0.044), span(0, 0.038), bevel=0.005),
        ),
        (rod(_DARK, 0.021, (-0.02, 0, 0), (0.02, 0, 0)),),
    )


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
    links=_widowx_links(),
    palm=(
        slab(_DARK, span(0, 0.046), span(0, 0.125), (0.035, 0.072), bevel=0.005),
        slab(_SILVER, (0.0232, 0.052), span(0, 0.05), (0.042, 0.068), bevel=0.003),
    ),
    fingers=_pair(
        (
            slab(_SILVER, span(0, 0.020), (0.0, 0.011), (-0.018, 0.035), bevel=0.002),
            slab(_ORANGE, span(0, 0.0215), (-0.0006, 0.0118), (-0.0195, -0.004), bevel=0.002),
        ),
        (0.015, 0.037),
    ),
    rest=(0.0, -0.3976, 0.4266, 0.0, 1.2799, 0.0),
    eye=(0.085, 0.0, 0.055),
    gaze=(0.02, 0.0, -0.06),
)


def _panda_links(shell: Material, ring: Material) -> tuple[tuple[Part, ...], ...]:
    def drum(radius: float, centre: Vector, half: float) -> tuple[Part, ...]:
        x, y, z = centre
        return (
            rod(shell, radius, (x, y, z - half), (x, y, z + half)),
            rod(ring, radius * 0.72, (x, y, z - half - 0.008), (x, y, z + half + 0.008)),
        )

    return (
        (rod(shell, 0.085, _O, (0, 0, 0.135)), slab(shell, (-0.16, 0.0), span(0, 0.12), (0.0, 0.10), bevel=0.02)),
        (rod(shell, 0.062, (0, 0, -0.19), _O), ball(shell, 0.062, _O)),
        (*drum(0.066, _O, 0.075), rod(shell, 0.058, _O, (0, -0.19, 0))),
        (rod(shell, 0.058, (0, 0, -0.13), (0, 0, -0.01)), rod(shell, 0.052, (0, 0, -0.03), (0.0825, 0, 0))),
        (*drum(0.058, _O, 0.066), rod(shell, 0.05, _O, (-0.0825, 0.10, 0))),
        (rod(shell, 0.052, (0, 0, -0.29), (0, 0, -0.02)), ball(shell, 0.054, (0, 0, -0.28)), ball(shell, 0.055, _O)),
        (*drum(0.05, _O, 0.055), rod(shell, 0.045, _O, (0.088, 0, 0))),
        (rod(shell, 0.05, (0, 0, -0.05), (0, 0, 0.068)), rod(ring, 0.036, (0, 0, 0.068), (0, 0, 0.107))),
    )


_FORTH, _BACK = about("x", pi / 2), about("x", -pi / 2)
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


def _panda_like(name: str, links: tuple[tuple[Part, ...], ...], hand: Material, tips: Material) -> Arm:
    return Arm(
        name=name,
        joints=_PANDA_JOINTS,
        hand=_PANDA_HAND,
        spread=(0.0, 0.04),
        links=links,
        palm=(
            slab(hand, span(0, 0.062), span(0, 0.205), (0.045, 0.104), bevel=0.012),
            slab(_PALE, (0.0312, 0.062), span(0, 0.09), (0.068, 0.098), bevel=0.006),
        ),
        fingers=_pair(
            (
                slab(_BLACK, span(0, 0.022), (0.0, 0.020), (0.0, 0.045), bevel=0.003),
                slab(tips, span(0, 0.0235), (-0.0002, 0.0205), (-0.012, 0.016), bevel=0.002),
            ),
            (0.0, 0.04),
        ),
        rest=(-0.0001, -0.414, 0.0001, -2.4159, 0.0, 2.002, 0.7854),
        eye=(0.10, 0.0, 0.11),
        gaze=(0.03, 0.0, -0.10),
    )


def _wheeled() -> tuple[tuple[Part, ...], ...]:
    base, *others = _panda_links(_material(0.82, 0.83, 0.80), _TEAL)
    column = (
        slab(_PALE, (-0.20, 0.10), span(0, 0.30), (-0.60, 0.0), bevel=0.04),
        rod(_GREY, 0.30, (-0.05, 0, -0.86), (-0.05, 0, -0.62)),
        rod(_TEAL, 0.302, (-0.05, 0, -0.76), (-0.05, 0, -0.73)),
    )
    return ((*column, *base), *others)


ARMS: Mapping[str, Arm] = {
    "widowx": _WIDOWX,
    "panda": _panda_like("panda", _panda_links(_PALE, _GREY), _DARK, _ORANGE),
    "mobile": _panda_like("mobile", _wheeled(), _DARK, _ORANGE),
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
    """The boxes of a gripper that is open so far, by centre and size in its frame: nothing but numbers."""
    from envs.household.home.things.parts import bounds

    found = []
    for part in arm_named(arm).gripper(opening):
        low, high = bounds([part])
        centre = tuple(round((a + b) / 2, 6) for a, b in zip(low, high, strict=True))
        size = tuple(round(b - a, 6) for a, b in zip(low, high, strict=True))
        found.append(((centre[0], centre[1], centre[2]), (size[0], size[1], size[2])))
    return tuple(found)

"""The robot: a base on wheels, a torso, a head with a camera, and an arm with two fingers.

It has no motors: the poses of its links are set directly. The hand follows the gaze, so that it always appears at the
lower edge of the robot's own picture, with the held thing in view but not in the way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import atan2, cos, radians, sin, sqrt, tan

from envs.household.home.frames import spot, within
from envs.household.home.model import Part, Pose, Thing
from envs.household.home.things.turns import LAID, about, after, pointing
from envs.render.scene import Box, Camera, Cylinder, Material, Plain, Sphere, Vector

RADIUS = 0.24
"""The radius of its base."""
FIELD = radians(76.0)
"""The vertical field of view of its camera."""
HIGHEST, LOWEST = -0.2, 0.95
"""The limits of the head's tilt: up and down."""


@dataclass(frozen=True, slots=True)
class Optics:
    """The camera of a head: its vertical field of view, and the size of its square pictures in pixels."""

    field: float = FIELD
    size: int = 480


HEAD = Optics()
"""The default camera."""

_WIDEST = radians(75.0)
"""The largest angle between the centre of a picture and its sides, without the floor at the robot's feet."""
_NECK: Vector = (0.05, 0.0, 1.32)
_EYE: Vector = (0.10, 0.0, 0.04)
"""Positions in the frame of the head, which looks along x."""
_SHOULDER: Vector = (0.02, -0.19, 1.0)
_ARM = 0.29
"""The length of the upper arm, and of the forearm."""
WRIST: Vector = (0.38, -0.10, -0.285)
"""In the frame of the camera, which looks along x with z up."""
TIP = 0.115
"""The distance from the wrist to the fingertips."""
_RISE = 0.42
"""The distance of a held thing's top below the picture's centre, as a share of half the picture's height."""

_WHITE = Material(Plain((0.90, 0.91, 0.92)), gloss=0.15)
_GREY = Material(Plain((0.46, 0.49, 0.53)), gloss=0.15)
_DARK = Material(Plain((0.13, 0.14, 0.16)), gloss=0.25)
_BLUE = Material(Plain((0.16, 0.42, 0.68)), gloss=0.15)


@dataclass(frozen=True, slots=True)
class Stance:
    """The place of the robot, the direction it faces, and the downward tilt of its head."""

    x: float
    y: float
    yaw: float
    tilt: float = 0.35

    @property
    def base(self) -> Pose:
        """The frame of its base: x ahead, z up, on the floor."""
        return Pose((self.x, self.y, 0.0), about("z", self.yaw))

    @property
    def shoulder(self) -> Vector:
        """The position of the shoulder."""
        return spot(self.base, _SHOULDER)

    @property
    def eye(self) -> Pose:
        """The frame of its camera: x ahead, z up."""
        head = within(self.base, Pose(_NECK, about("y", self.tilt)))
        return within(head, Pose(_EYE))


def standing(x: float, y: float, yaw: float, tilt: float) -> Stance:
    """A stance rounded to the millionth, with the tilt limited to the range of the neck."""
    return Stance(round(x, 6), round(y, 6), round(yaw, 6), round(min(max(tilt, HIGHEST), LOWEST), 6))


def camera(stance: Stance, optics: Optics = HEAD) -> Camera:
    """The camera of a robot in a stance."""
    return camera_at(stance.eye, optics)


def camera_at(eye: Pose, optics: Optics) -> Camera:
    """The camera of an eye frame, which looks along x with z up."""
    return Camera(eye.position, spot(eye, (1.0, 0.0, 0.0)), round(2.0 * tan(optics.field / 2.0), 9))


def field(stance: Stance, optics: Optics = HEAD) -> tuple[float, float]:
    """The range of directions that the camera sees on the floor plan, without the floor at the robot's feet."""
    half = tan(optics.field / 2.0)
    lower = cos(stance.tilt) - half * sin(abs(stance.tilt))
    aside = min(atan2(half, lower), _WIDEST)
    return stance.yaw - aside, stance.yaw + aside


def links(stance: Stance) -> Mapping[str, Pose]:
    """The poses of its links."""
    base, eye = stance.base, stance.eye
    wrist = spot(eye, WRIST)
    shoulder = stance.shoulder
    elbow = _elbow(shoulder, wrist, spot(base, (0.0, -0.5, 0.0)), base.position)
    return {
        "base": base,
        "torso": base,
        "head": within(base, Pose(_NECK, about("y", stance.tilt))),
        "upper arm": _between(shoulder, elbow),
        "forearm": _between(elbow, wrist),
        "hand": Pose(wrist, eye.rotation),
    }


def carried(thing: Thing, stance: Stance, optics: Optics = HEAD) -> Pose:
    """The pose of a held thing: at the fingertips, flat things with their upper side towards the camera."""
    return within(stance.eye, in_hand(thing, optics))


def in_hand(thing: Thing, optics: Optics = HEAD) -> Pose:
    """The pose of a held thing in the frame of the camera."""
    width, depth, height = thing.size
    flat = height < 0.5 * min(width, depth)
    deep, tall = (height, depth) if flat else (depth, height)
    near = WRIST[0] + TIP - min(0.03, deep / 2.0)
    # Small things sit between the fingers, large ones hang from them.
    down = max(_RISE * near * tan(optics.field / 2.0) + tall / 2.0, -WRIST[2] - 0.02)
    ahead = near + deep / 2.0
    # A thing's front looks along its -y axis; a quarter turn makes it face the camera.
    facing = about("z", radians(-90.0))
    if flat:
        facing = after(about("y", radians(-90.0)), facing)
        origin = (ahead + height / 2.0, WRIST[1], -down)
    else:
        origin = (ahead, WRIST[1], -down - height / 2.0)
    return Pose(origin, facing)


def _elbow(shoulder: Vector, wrist: Vector, out: Vector, middle: Vector) -> Vector:
    """The position of the elbow, where two links of equal length meet, below and beside the line between their ends."""
    span = tuple(b - a for a, b in zip(shoulder, wrist, strict=True))
    length = sqrt(sum(value * value for value in span))
    ahead = [value / length for value in span]
    pole = (out[0] - middle[0], out[1] - middle[1], -1.0)
    along = sum(a * b for a, b in zip(pole, ahead, strict=True))
    aside = [a - along * b for a, b in zip(pole, ahead, strict=True)]
    scale = sqrt(max(_ARM * _ARM - length * length / 4.0, 0.0) / sum(value * value for value in aside))
    x, y, z = (round(a + s / 2.0 + scale * o, 9) for a, s, o in zip(shoulder, span, aside, strict=True))
    return (x, y, z)


def _between(start: Vector, end: Vector) -> Pose:
    """The frame at the centre of a link, with z along it."""
    x, y, z = (round((a + b) / 2.0, 9) for a, b in zip(start, end, strict=True))
    way = (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    return Pose((x, y, z), pointing(way))


def _at(shape: Box | Sphere | Cylinder, material: Material, *position: float, solid: bool = True) -> Part:
    x, y, z = position
    return Part(shape, material, Pose((x, y, z)), solid)


def _wheel(x: float, y: float) -> Part:
    return Part(Cylinder(0.07, 0.045), _DARK, Pose((x, y, 0.07), LAID["z"] if x else about("x", radians(90.0))), False)


def _fingers(apart: float) -> tuple[Part, ...]:
    return tuple(
        _at(Box((TIP - 0.03, 0.014, 0.026), 0.004), _DARK, 0.03 + (TIP - 0.03) / 2.0, side * apart, 0.0)
        for side in (-1.0, 1.0)
    )


_PALM = _at(Box((0.05, 0.10, 0.045), 0.01), _GREY, 0.015, 0.0, 0.0)
OPEN_HAND: tuple[Part, ...] = (_PALM, *_fingers(0.042))
CLOSED_HAND: tuple[Part, ...] = (_PALM, *_fingers(0.022))

PARTS: Mapping[str, tuple[Part, ...]] = {
    "base": (
        _wheel(0.0, 0.19),
        _wheel(0.0, -0.19),
        _at(Sphere(0.035), _DARK, 0.17, 0.0, 0.035, solid=False),
        _at(Sphere(0.035), _DARK, -0.17, 0.0, 0.035, solid=False),
        _at(Cylinder(RADIUS, 0.22), _WHITE, 0.0, 0.0, 0.16),
        _at(Cylinder(RADIUS + 0.004, 0.03), _BLUE, 0.0, 0.0, 0.16, solid=False),
    ),
    "torso": (
        _at(Box((0.18, 0.28, 0.80), 0.03), _WHITE, -0.10, 0.0, 0.67),
        _at(Box((0.012, 0.16, 0.10), 0.004), _DARK, -0.01, 0.0, 0.86, solid=False),
        _at(Cylinder(0.045, 0.22), _GREY, -0.02, 0.0, 1.17),
        _at(Sphere(0.065), _BLUE, _SHOULDER[0], _SHOULDER[1], _SHOULDER[2], solid=False),
    ),
    "head": (
        _at(Box((0.15, 0.22, 0.13), 0.03), _WHITE, -0.01, 0.0, 0.04),
        _at(Box((0.012, 0.18, 0.07), 0.005), _DARK, 0.062, 0.0, 0.04, solid=False),
    ),
    "upper arm": (_at(Cylinder(0.042, _ARM), _WHITE, 0.0, 0.0, 0.0),),
    "forearm": (
        _at(Cylinder(0.036, _ARM), _WHITE, 0.0, 0.0, 0.0),
        _at(Cylinder(0.039, 0.05), _BLUE, 0.0, 0.0, _ARM / 2.0 - 0.03, solid=False),
        _at(Sphere(0.044), _GREY, 0.0, 0.0, -_ARM / 2.0, solid=False),
    ),
    "hand": OPEN_HAND,
}
"""The parts of each link, in the frame of the link."""

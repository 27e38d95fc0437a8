"""Cameras: in the robot's head, or free in a room; 640 x 480 pixels by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from math import atan2, cos, degrees, hypot, pi, radians, sin, tan
from typing import TYPE_CHECKING, Any, TypeAlias

from planners.names import unknown

if TYPE_CHECKING:
    from envs.household.home.robot import Stance
    from envs.render.scene import Camera, Vector

WIDTH, HEIGHT = 640, 480
"""Pixels of a picture."""
HEAD = 76.0
"""The vertical field of view of the robot's head, in degrees."""
_WIDEST = radians(85.0)
"""The largest angle between the middle of a picture and its side."""


@dataclass(frozen=True, slots=True)
class Head:
    """The robot's head; `yaw` and `tilt` (down) in radians, `field` is the vertical field of view in degrees.

    With a field of 76 degrees or more, the hand shows at the lower edge.
    """

    x: float
    y: float
    yaw: float
    tilt: float = 0.35
    field: float = HEAD

    @property
    def stance(self) -> Stance:
        """Where the robot stands."""
        from envs.household.home.robot import standing

        return standing(self.x, self.y, self.yaw, self.tilt)

    @property
    def camera(self) -> Camera:
        """The camera for the renderer."""
        from envs.household.home.frames import spot
        from envs.render.scene import Camera

        eye = self.stance.eye
        return Camera(eye.position, spot(eye, (1.0, 0.0, 0.0)), _view(self.field))


@dataclass(frozen=True, slots=True)
class Free:
    """A camera at a point, looking at another; the robot is not drawn. `field` as for a `Head`."""

    eye: Vector
    target: Vector
    field: float = 55.0

    @property
    def stance(self) -> None:
        """No robot stands here."""
        return None

    @property
    def camera(self) -> Camera:
        """The camera for the renderer."""
        from envs.render.scene import Camera

        return Camera(self.eye, self.target, _view(self.field))


Eye: TypeAlias = Head | Free

_KINDS: Mapping[str, type[Any]] = {"head": Head, "free": Free}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def head(stance: Stance, field: float = HEAD) -> Head:
    """The head of a robot in a stance."""
    return Head(stance.x, stance.y, stance.yaw, stance.tilt, field)


def free(eye: Vector, target: Vector, field: float = 55.0) -> Free:
    """A free camera, with coordinates rounded to millimetres."""
    return Free(_to_mm(eye), _to_mm(target), field)


def looking(camera: Camera) -> tuple[float, float]:
    """The yaw and the downward tilt of a camera, in radians."""
    x, y, z = (b - a for a, b in zip(camera.position, camera.target, strict=True))
    return atan2(y, x), atan2(-z, hypot(x, y))


def field(camera: Camera, aspect: float = WIDTH / HEIGHT) -> tuple[float, float]:
    """The range of yaw that a camera sees."""
    yaw, tilt = looking(camera)
    half = camera.view / 2.0
    lower = cos(tilt) - half * sin(abs(tilt))
    aside = min(atan2(half * aspect, lower), _WIDEST)
    return yaw - aside, yaw + aside


def turn_between(one: Eye, other: Eye) -> float:
    """How far the second camera is turned to the left of the first, in degrees from -180 to 180."""
    turn = looking(other.camera)[0] - looking(one.camera)[0]
    return degrees((turn + pi) % (2.0 * pi) - pi)


def to_json(eye: Eye) -> list[Any]:
    """The camera as a list: its kind, then its values."""
    values = (list(value) if isinstance(value, tuple) else value for value in astuple(eye))
    return [_NAMES[type(eye)], *values]


def from_json(entry: Sequence[Any]) -> Eye:
    """The camera that `to_json` wrote."""
    name, *values = entry
    if name not in _KINDS:
        raise unknown("camera", str(name), _KINDS)
    made: Eye = _KINDS[name](*(tuple(value) if isinstance(value, list) else value for value in values))
    return made


def _view(angle: float) -> float:
    return round(2.0 * tan(radians(angle) / 2.0), 9)


def _to_mm(point: Vector) -> Vector:
    x, y, z = (round(value, 3) for value in point)
    return x, y, z

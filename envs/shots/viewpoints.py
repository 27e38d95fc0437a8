"""Search for viewpoints: robot heads and free cameras that see as many of some things as possible."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import atan2, cos, hypot, pi, sin
from random import Random
from typing import TYPE_CHECKING

from envs.shots.cameras import HEAD, HEIGHT, WIDTH, Eye, Free, Head, free, head, looking

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.moment import Moment

EYE_HEIGHT = 1.36
"""The height of the robot's head."""
_COARSE = 4
"""The factor by which resolution is reduced, both ways, to compare viewpoints."""
_WALL = 0.25
"""The least distance of a free camera from walls."""


def heads(
    moment: Moment, room: str, aims: Sequence[Vector], dice: Random, tries: int, field: float = HEAD
) -> Iterator[Head]:
    """Heads at random places in a room where the robot fits, turned to one of the aims."""
    from envs.household.home.robot import standing

    x0, y0, x1, y1 = next(one.corners for one in moment.home.rooms if one.name == room)
    for _ in range(tries):
        x, y = dice.uniform(x0, x1), dice.uniform(y0, y1)
        aim = dice.choice(aims)
        away = hypot(aim[0] - x, aim[1] - y)
        if away < 0.6:
            continue
        yaw, tilt = atan2(aim[1] - y, aim[0] - x), atan2(EYE_HEIGHT - aim[2], away)
        stance = standing(round(x, 3), round(y, 3), round(yaw + dice.uniform(-0.2, 0.2), 3), round(tilt, 3))
        if moment.sim.robot_fits(stance.x, stance.y, stance.yaw, stance.tilt):
            yield head(stance, field)


def free_eyes(
    moment: Moment,
    room: str,
    aims: Sequence[Vector],
    dice: Random,
    tries: int,
    away: tuple[float, float] = (1.0, 3.0),
    height: tuple[float, float] = (1.1, 1.7),
    field: float = 55.0,
) -> Iterator[Free]:
    """Free cameras at random places in a room, looking at one of the aims from a distance in `away`."""
    x0, y0, x1, y1 = next(one.corners for one in moment.home.rooms if one.name == room)
    for _ in range(tries):
        aim, angle, far = dice.choice(aims), dice.uniform(-pi, pi), dice.uniform(*away)
        x, y, z = aim[0] + far * cos(angle), aim[1] + far * sin(angle), dice.uniform(*height)
        if x0 + _WALL < x < x1 - _WALL and y0 + _WALL < y < y1 - _WALL and not _within_thing(moment, (x, y, z)):
            yield free((x, y, z), aim, field)


def best(moment: Moment, eyes: Iterator[Eye] | Sequence[Eye], names: Collection[str], least: int) -> list[Eye]:
    """The cameras that see at least `least` of the things, by a coarse count; the best first."""
    rated = [(roughly(moment, eye, names), number, eye) for number, eye in enumerate(eyes)]
    return [eye for seen, _, eye in sorted(rated, key=lambda one: (-one[0], one[1])) if seen >= least]


def roughly(moment: Moment, eye: Eye, names: Collection[str]) -> int:
    """How many of the things show in enough pixels, by a coarse count of every sixteenth pixel."""
    return len(showing(moment, eye, names))


def showing(moment: Moment, eye: Eye, names: Collection[str]) -> list[str]:
    """The things that show in enough pixels, by a coarse count of every sixteenth pixel."""
    from envs.render.ray import segment
    from envs.shots.view import PIXELS

    counts = segment(moment.scene(eye), WIDTH // _COARSE, HEIGHT // _COARSE).counts()
    return [name for name in names if counts.get(name, 0) * _COARSE**2 >= PIXELS]


def in_frame(eye: Eye, points: Mapping[str, Vector]) -> list[str]:
    """The points inside the field of view, whether or not they are occluded; renders nothing."""
    camera = eye.camera
    yaw, tilt = looking(camera)
    half = camera.view / 2.0
    found = []
    for name, point in points.items():
        x, y, z = (b - a for a, b in zip(camera.position, point, strict=True))
        ahead, aside = x * cos(yaw) + y * sin(yaw), x * sin(yaw) - y * cos(yaw)
        depth, up = ahead * cos(tilt) - z * sin(tilt), ahead * sin(tilt) + z * cos(tilt)
        if depth > 0.0 and abs(up) < half * depth and abs(aside) < half * depth * WIDTH / HEIGHT:
            found.append(name)
    return found


def _within_thing(moment: Moment, eye: Vector) -> bool:
    """Whether a point is in, or very close to, the bounding box of a thing."""
    for placed in moment.home.placed:
        leaves = (part for leaf in placed.thing.leaves for part in leaf.parts)
        if not any(part.solid for part in (*placed.thing.parts, *leaves)):
            continue
        low, high = moment.sim.box(placed.thing.name, leaves=True)
        if all(low[axis] - 0.15 < eye[axis] < high[axis] + 0.15 for axis in range(3)):
            return True
    return False

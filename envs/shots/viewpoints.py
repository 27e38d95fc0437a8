"""Where to look from: heads of robots that fit there, and free cameras, that see many of some things."""

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
"""Of the robot's head."""
_COARSE = 4
"""Of so many pixels, both ways, one is looked at to compare places."""
_WALL = 0.25
"""How far a free camera is from walls, at least."""


def heads(
    moment: Moment, room: str, aims: Sequence[Vector], dice: Random, tries: int, field: float = HEAD
) -> Iterator[Head]:
    """Places in a room where the robot fits, with its head turned to one of some points."""
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
    """Free cameras inside a room, so far from one of some points that they look at."""
    x0, y0, x1, y1 = next(one.corners for one in moment.home.rooms if one.name == room)
    for _ in range(tries):
        aim, angle, far = dice.choice(aims), dice.uniform(-pi, pi), dice.uniform(*away)
        x, y, z = aim[0] + far * cos(angle), aim[1] + far * sin(angle), dice.uniform(*height)
        if x0 + _WALL < x < x1 - _WALL and y0 + _WALL < y < y1 - _WALL and not _within_thing(moment, (x, y, z)):
            yield free((x, y, z), aim, field)


def best(moment: Moment, eyes: Iterator[Eye] | Sequence[Eye], names: Collection[str], least: int) -> list[Eye]:
    """Those of some cameras that see at least so many of some things, roughly; the ones that see most first."""
    rated = [(roughly(moment, eye, names), number, eye) for number, eye in enumerate(eyes)]
    return [eye for seen, _, eye in sorted(rated, key=lambda one: (-one[0], one[1])) if seen >= least]


def roughly(moment: Moment, eye: Eye, names: Collection[str]) -> int:
    """How many of some things show in enough pixels: a quick look at every sixteenth of them."""
    return len(showing(moment, eye, names))


def showing(moment: Moment, eye: Eye, names: Collection[str]) -> list[str]:
    """Those of some things that show in enough pixels, by a quick look at every sixteenth of them."""
    from envs.render.ray import segment
    from envs.shots.view import PIXELS

    counts = segment(moment.scene(eye), WIDTH // _COARSE, HEIGHT // _COARSE).counts()
    return [name for name in names if counts.get(name, 0) * _COARSE**2 >= PIXELS]


def in_frame(eye: Eye, points: Mapping[str, Vector]) -> list[str]:
    """Those of some points that would be in the picture if nothing hid them: no picture is needed for it."""
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
    """Whether a point is in, or very close to, the box round something."""
    for placed in moment.home.placed:
        leaves = (part for leaf in placed.thing.leaves for part in leaf.parts)
        if not any(part.solid for part in (*placed.thing.parts, *leaves)):
            continue
        low, high = moment.sim.box(placed.thing.name, leaves=True)
        if all(low[axis] - 0.15 < eye[axis] < high[axis] + 0.15 for axis in range(3)):
            return True
    return False

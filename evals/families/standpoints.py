"""Questions about the camera positions of pictures: above which point of the floor, and in which order.

Answers come from poses. They are verified by the distances of visible things, from depth alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import atan2, cos, degrees, dist, sin
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from envs.render.marks import Point, placed
from envs.shots.cameras import HEIGHT, WIDTH
from evals.families import rules
from evals.families.base import Recipe, Shot, moment_of, view_of
from evals.families.scenes import Scene
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.cameras import Eye, Head
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "Multi-view matching"
CAMERAS = "The later pictures were taken by a robot that stood at points on the floor in picture 1. At which of them?"
CAMERA = "Picture 2 was taken by a robot that stood at a point on the floor in picture 1. At which of them?"
DRIVE = "A robot drove straight ahead and took these pictures on its way. Sort them by time, the first first."
STANDS = 0.9
"""The least distance between points on the floor, in metres."""
TURN = 35.0
"""The least angle between them, seen from the centre of the visible things, in degrees."""
STEP, STEPS = 0.4, 4
_KNOWN = 3
"""The least number of things visible in both pictures."""
_OVER, _TRIES = 16, 40
"""The number of candidate cameras."""


def camera(moment: Moment, made: Scene, dice: Random) -> Recipe | None:
    """Questions about the point above which the second picture was taken."""
    return _stand(moment, made, dice, 1)


def cameras(moment: Moment, made: Scene, dice: Random) -> Recipe | None:
    """Questions about the points above which four later pictures were taken."""
    return _stand(moment, made, dice, 4)


def _stand(moment: Moment, made: Scene, dice: Random, asked: int) -> Recipe | None:
    from envs.shots.viewpoints import best, free_eyes, heads

    room = next(room for room in moment.home.rooms if room.kind == made.room)
    aims = [moment.middle(name) for name in made.movables if moment.room_of(name) == room.name]
    x, y, z = (fmean(axis) for axis in zip(*aims, strict=True))
    above = free_eyes(moment, room.name, [(x, y, 0.4)], dice, _OVER, (1.8, 3.6), (1.9, 2.2), 70.0)
    over = best(moment, list(above), made.movables, 3)
    stances = list(heads(moment, room.name, [(x, y, z)], dice, _TRIES, 60.0))
    for first in over[:2]:
        view = moment.view(first)
        seen = [
            eye for eye in stances if _floor(view, eye) and dist(eye.camera.position, first.camera.position) > STANDS
        ]
        chosen = _spread(seen, (x, y))[:6]
        known = [eye for eye in chosen if _common(moment, view, moment.view(eye)) >= _KNOWN]
        if len(chosen) >= 5 and len(known) >= asked:
            return _recipe(moment, made, first, chosen, dice.sample(known, asked), dice)
    return None


def _spread(stances: Sequence[Head], middle: tuple[float, float]) -> list[Head]:
    """Stances that are far from each other, and on different sides of the centre."""
    kept: list[Head] = []
    for eye in stances:
        if all(_apart(eye, other, middle) for other in kept):
            kept.append(eye)
    return kept


def _apart(one: Head, other: Head, middle: tuple[float, float]) -> bool:
    (a, b, _), (c, d, _) = one.camera.position, other.camera.position
    turn = degrees(atan2(b - middle[1], a - middle[0]) - atan2(d - middle[1], c - middle[0]))
    return dist((a, b), (c, d)) >= STANDS and abs((turn + 180.0) % 360.0 - 180.0) >= TURN


def _foot(eye: Head) -> Vector:
    x, y, _ = eye.camera.position
    return x, y, 0.0


def _floor(view: View, eye: Head) -> bool:
    """Whether the floor below a camera is in view."""
    found = view.project(_foot(eye))
    if found is None or not (12.0 <= found[0] < WIDTH - 12.0 and 12.0 <= found[1] < HEIGHT - 12.0):
        return False
    return dist(view.point(int(found[0]), int(found[1])), _foot(eye)) < 0.03


def _common(moment: Moment, one: View, other: View) -> int:
    """The number of things, other than walls and doors, that are clearly visible in both pictures."""
    names = set(one.seen) & set(other.seen) & {placed.thing.name for placed in moment.home.placed}
    return sum(one.clear(name, 400) and other.clear(name, 400) for name in sorted(names))


def _recipe(
    moment: Moment, made: Scene, first: Eye, stances: Sequence[Head], asked: Sequence[Head], dice: Random
) -> Recipe:
    order = rules.shuffled(stances, dice)
    points = []
    for number, eye in enumerate(order, 1):
        found = moment.view(first).project(_foot(eye))
        assert found is not None
        points.append(Point(int(found[0]), int(found[1]), str(number)))
    shots = (Shot(first, placed(points, (WIDTH, HEIGHT))), *(Shot(eye) for eye in asked))
    many = len(asked) > 1
    return Recipe(
        "multiview", SUB_CATEGORY, Kind.MATCHING if many else Kind.CHOICE, made.situation, shots,
        CAMERAS if many else CAMERA,
        tuple(order.index(eye) for eye in asked),
        tuple(f"point {number}" for number in range(1, len(order) + 1)),
        tuple(f"picture {number}" for number in range(2, len(asked) + 2)) if many else (),
        proof={"stands": [[round(value, 2) for value in _foot(eye)[:2]] for eye in order]},
    )  # fmt: skip


def nearest_stand(recipe: Recipe, number: int) -> str:
    """The point of the first picture whose distances to things match the depths in a later picture."""
    view, moment = view_of(recipe, number), moment_of(recipe)
    ranges = _ranges(moment, view)
    height = view.scene.camera.position[2]
    off = {}
    for mark in recipe.shots[0].marks:
        assert isinstance(mark, Point)
        x, y, _ = view_of(recipe).point(mark.x, mark.y)
        off[mark.text] = sum(abs(dist((x, y, height), moment.middle(name)) - far) for name, far in ranges.items())
    return min(off, key=lambda text: off[text])


def _ranges(moment: Moment, view: View) -> dict[str, float]:
    """The distances of the movables in a picture, by depth."""
    points, eye = view.points(), np.array(view.scene.camera.position)[:, None]
    names = [name for name in moment.movables if view.pixels(name) >= 60]
    return {name: float(np.median(np.sqrt(((points[:, view.mask(name)] - eye) ** 2).sum(axis=0)))) for name in names}


def drive(moment: Moment, made: Scene, dice: Random) -> Recipe | None:
    """Questions to sort shuffled pictures from a robot that drives straight ahead."""
    from envs.shots.viewpoints import heads

    room = next(room for room in moment.home.rooms if room.kind == made.room)
    aims = [moment.middle(name) for name in made.movables if moment.room_of(name) == room.name]
    for start in heads(moment, room.name, aims, dice, _TRIES, 60.0):
        step = [(STEP * k * cos(start.yaw), STEP * k * sin(start.yaw)) for k in range(STEPS)]
        way = [replace(start, x=round(start.x + x, 3), y=round(start.y + y, 3), tilt=0.3) for x, y in step]
        if not all(moment.sim.robot_fits(eye.x, eye.y, eye.yaw, eye.tilt) for eye in way):
            continue
        if _common(moment, moment.view(way[0]), moment.view(way[-1])) < _KNOWN:
            continue
        order = rules.shuffled(range(STEPS), dice)
        shots = tuple(Shot(way[number]) for number in order)
        answer = tuple(order.index(number) for number in range(STEPS))
        options = tuple(f"picture {number}" for number in range(1, STEPS + 1))
        proof = {"order": [number + 1 for number in answer]}
        return Recipe("multiview", SUB_CATEGORY, Kind.ORDER, made.situation, shots, DRIVE, answer, options, proof=proof)
    return None


def by_depth(recipe: Recipe) -> list[int]:
    """The order of the pictures by the depth of their common things, farthest first."""
    views = [view_of(recipe, number) for number in range(len(recipe.shots))]
    names = set.intersection(*(set(view.seen) for view in views))
    assert names, "no thing is in all pictures"
    far = [fmean(float(np.median(view.measured.depth[view.mask(name)])) for name in sorted(names)) for view in views]
    return sorted(range(len(views)), key=lambda number: -far[number])

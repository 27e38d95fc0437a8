"""Questions about the first thing that the robot hits if it drives straight on."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, sin
from random import Random
from typing import TYPE_CHECKING

from envs.household.home.robot import RADIUS
from envs.shots.actions import Put
from evals.families import rules
from evals.families.outcomes import (
    BULKY,
    GAP,
    NEAR,
    OBVIOUS,
    TRIES,
    Event,
    Made,
    Words,
    pose_of,
    recipe_of,
    room_of,
    words_for,
)
from evals.families.scenes import Scene
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.cameras import Head
    from envs.shots.moment import Moment
    from envs.shots.view import View

NONE = "none of them"
STEP = 0.03
"""The length of a step of the robot, in metres."""
WAY = 2.6
"""The longest drive."""
_DECOY, _CLOSE = 0.8, 1.25
"""How often a thing beside the way is nearer than all things on it, and its largest distance in metres."""


def drives(moment: Moment, made: Scene, dice: Random) -> Made:
    """Questions about a robot that will drive straight on, with things in front of it."""
    from envs.shots.cameras import head
    from envs.shots.moment import open_moment
    from envs.shots.viewpoints import heads

    room = room_of(moment, made)
    bulky = [name for name in made.movables if moment.thing(name).kind in BULKY]
    bulky = list({moment.thing(name).kind: name for name in rules.shuffled(bulky, dice)}.values())[:6]
    x0, y0, x1, y1 = next(one.corners for one in moment.home.rooms if one.name == room)
    aims: list[Vector] = [(dice.uniform(x0, x1), dice.uniform(y0, y1), 0.1) for _ in range(6)]
    for eye in heads(moment, room, aims, dice, 3 * TRIES):
        eye = head(eye.stance, 70.0)
        free = _room_ahead(moment, eye)
        if free < 1.6 or not 0.3 <= eye.tilt <= 0.7:
            continue
        actions = _strewn(moment, eye, bulky, free, room, dice)
        situation = made.situation.after(*actions)
        strewn = open_moment(situation)
        view = strewn.view(eye)
        names = rules.markable(view, [action.thing for action in actions])
        if len(names) < 4 or rules.crowded(view, names):
            continue
        hit = _met(strewn, eye, names)
        if hit is None or hit != in_way(strewn, eye, names):
            continue
        if hit == _lowest(view, names) and dice.random() > OBVIOUS:
            continue
        event = Event(situation, strewn, (eye,), tuple(names), None)
        words = words_for(event, NONE, dice)
        words = Words(words.marks, words.labels, words.options[:-1])
        proof = {"event": "drive", "hits": words.labels[hit]}
        yield recipe_of(event, Kind.CHOICE, _RUNS, (words.number(hit),), words, dice, **proof)
        return


_RUNS = (
    "The robot whose camera took this picture is about half a metre wide. It drives straight ahead, towards the middle "
    "of the picture. Which marked object does it run into first?"
)


def _room_ahead(moment: Moment, eye: Head) -> float:
    """The free distance ahead before things are placed."""
    steps = int(WAY / 0.1)
    for step in range(1, steps + 1):
        if not moment.sim.robot_fits(*_ahead(eye, step * 0.1), eye.yaw, eye.tilt):
            return (step - 1) * 0.1
    return WAY


def _ahead(eye: Head, far: float, aside: float = 0.0) -> tuple[float, float]:
    """A point at some distance ahead of the robot and to its left."""
    return eye.x + far * cos(eye.yaw) - aside * sin(eye.yaw), eye.y + far * sin(eye.yaw) + aside * cos(eye.yaw)


def _strewn(moment: Moment, eye: Head, names: Sequence[str], free: float, room: str, dice: Random) -> list[Put]:
    """Place things on the floor in front of the robot: two in its way, the others beside it.

    Mostly the others are on one side and one of them is the nearest of all. Otherwise the lowest thing in the picture,
    or the one in the middle of all, would be what is in the way.
    """
    actions: list[Put] = []
    spots: list[tuple[float, float]] = []
    side = dice.choice((-1, 1))
    decoy = dice.random() < _DECOY
    for number, name in enumerate(names):
        width = max(moment.thing(name).size[:2]) / 2.0
        edge = RADIUS + GAP + 0.02 + width * 1.4
        least, most, wide = 0.9, free + RADIUS, 0.5
        if decoy:
            least, most, wide = (0.9, _CLOSE, 0.15) if number == 2 else (_CLOSE, most, wide)
        for _ in range(NEAR):
            far = dice.uniform(least, most)
            side = side if decoy else dice.choice((-1, 1))
            aside = dice.uniform(-0.2, 0.2) if number < 2 else side * dice.uniform(edge, edge + wide)
            x, y = _ahead(eye, far, aside)
            put = Put(name, (round(x, 3), round(y, 3), 0.002), round(dice.uniform(0, 360)))
            apart = all(hypot(far - a, aside - b) > 0.35 for a, b in spots)
            if apart and moment.room_at(x, y) == room and not moment.sim.collides(name, pose_of(put), ignore=names):
                spots.append((far, aside))
                actions.append(put)
                break
    return actions


def _met(moment: Moment, eye: Head, names: Sequence[str]) -> str | None:
    """Drive ahead until something is hit; returns the marked thing that blocks the robot."""
    for step in range(int(WAY / STEP)):
        x, y = _ahead(eye, step * STEP)
        if not moment.sim.robot_fits(x, y, eye.yaw, eye.tilt):
            near = {name: hypot(moment.middle(name)[0] - x, moment.middle(name)[1] - y) for name in names}
            return min(near, key=lambda name: near[name]) if min(near.values()) < RADIUS + 0.3 else None
    return None


def in_way(moment: Moment, eye: Head, names: Sequence[str]) -> str | None:
    """The first thing in the robot's way, by its points; None if one is only grazed or two are equally far."""
    first: dict[str, float] = {}
    for name in names:
        x, y, _ = moment.points(name)
        ahead = (x - eye.x) * cos(eye.yaw) + (y - eye.y) * sin(eye.yaw)
        aside = (y - eye.y) * cos(eye.yaw) - (x - eye.x) * sin(eye.yaw)
        least, most = float(aside.min()), float(aside.max())
        if least > RADIUS + GAP or most < -RADIUS - GAP:
            continue
        if least > RADIUS - GAP / 2.0 or most < -RADIUS + GAP / 2.0:
            return None
        first[name] = float(ahead.min())
    order = sorted(first, key=lambda name: first[name])
    if not order or (len(order) > 1 and not rules.far_apart(first[order[0]], first[order[1]])):
        return None
    return order[0]


def _lowest(view: View, names: Sequence[str]) -> str:
    """The likely wrong guess: the lowest thing in the picture."""
    spots = {name: spot for name in names if (spot := view.spot(name)) is not None}
    return max(spots, key=lambda name: spots[name].y)

"""Which way to push or pull: arrows at the edge of a partly open door, or at the front of such a drawer.

`forces` computes the direction from the axis of the hinge or slide. `force_answer` moves the leaf a little and follows
the pixels at the arrows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import atan2, degrees, hypot
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from envs.render.arrays import Floats
from envs.render.marks import Arrow, Mark, placed
from envs.render.shapes import triangles
from envs.shots.actions import Open
from envs.shots.cameras import HEIGHT, WIDTH
from evals.families import rules
from evals.families.activity import OPENED, eyes_on
from evals.families.base import Answer, Recipe, Shot
from evals.families.facing import wrapped
from evals.families.places import SUB_CATEGORY
from evals.families.scenes import scene
from evals.families.words import noun
from models.base import Kind

if TYPE_CHECKING:
    from envs.household.home.model import Leaf, Part
    from envs.render.scene import Vector
    from envs.shots.moment import Moment
    from envs.shots.view import View

_TEXT = (
    "The arrows start at one point of a {leaf} of the {thing} in the red box. They show directions in the room. "
    "Along which arrow does one have to move this point to {do} the {leaf} further?"
)
_LENGTH = 0.24
"""The length of arrows in the room, in metres."""
_SHORTEST, _APART = 26.0, 22.0
"""Their least length in the picture, in pixels, and the least angle between them, in degrees."""
_LEAST = 4
_AJAR = (0.3, 0.65)
"""The range of openings."""
_MORE = 0.08
"""The change of the opening to follow a point."""
_NEAR = 0.12
"""The largest distance of followed points from the start of the arrows, in metres."""


def forces(dice: Random) -> Iterator[Recipe]:
    """Questions about one piece of furniture: to open it, and to close it."""
    from envs.shots.moment import open_moment

    room, kind, options = dice.choice(OPENED)
    made = scene(room, ((kind, options),), {}, dice)
    name, opening = made.situation.needs[0].name, round(dice.uniform(*_AJAR), 2)
    moment = open_moment(made.situation.after(Open(name, opening)))
    here = moment.room_of(name)
    if here is None:
        return
    for eye in eyes_on(moment, here, moment.middle(name), dice, (name,))[:6]:
        view = moment.view(eye)
        frame = view.frame(name)
        if frame is None or not view.clear(name, 3000, 0.5):
            continue
        for leaf in rules.shuffled(moment.thing(name).leaves, dice):
            lines = _lines(moment, view, name, leaf, opening)
            if len(lines) < _LEAST or not {"open", "close"} <= set(lines):
                continue
            for do in ("open", "close"):
                labels = {way: str(number) for number, way in enumerate(rules.shuffled(lines, dice), 1)}
                ordered = sorted(labels, key=lambda way: labels[way])
                _, box = rules.numbered(view, (), dice, name)
                marks: list[Mark] = [*box, *(Arrow(*lines[way], labels[way]) for way in ordered)]
                word = "door" if leaf.kind == "hinge" else "drawer"
                shot = Shot(eye, placed(marks, (WIDTH, HEIGHT)), (Open(name, opening),))
                text = _TEXT.format(leaf=word, thing=noun(kind), do=do)
                answer, named = (ordered.index(do),), tuple(f"arrow {labels[way]}" for way in ordered)
                proof = {"event": "force", "leaf": leaf.name}
                yield Recipe(
                    "dynamic", SUB_CATEGORY, Kind.CHOICE, made.situation, (shot,), text, answer, named, proof=proof
                )
            return


def _lines(moment: Moment, view: View, name: str, leaf: Leaf, opening: float) -> dict[str, tuple[int, int, int, int]]:
    """Arrows that are distinguishable in the picture, by their effect; opening and closing first."""
    from envs.household.home.frames import opened, spot, within
    from envs.household.home.things.turns import turned

    start, ways = _ways(leaf)
    pose = within(moment.sim.pose(name), opened(leaf, opening))
    middle = spot(pose, start)
    first = view.project(middle)
    if first is None or not view.shows(middle, 0.04):
        return {}
    found: dict[str, tuple[int, int, int, int]] = {}
    angles: list[float] = []
    for way, direction in ways.items():
        a, b, c = (p + _LENGTH * d for p, d in zip(middle, turned(pose.rotation, direction), strict=True))
        last = view.project((a, b, c))
        if last is None or not (10 <= last[0] < WIDTH - 10 and 10 <= last[1] < HEIGHT - 10):
            continue
        angle = degrees(atan2(last[1] - first[1], last[0] - first[0]))
        if hypot(last[0] - first[0], last[1] - first[1]) < _SHORTEST:
            continue
        if all(abs(wrapped(angle - other)) >= _APART for other in angles):
            angles.append(angle)
            found[way] = (int(first[0]), int(first[1]), int(last[0]), int(last[1]))
    return found


def _ways(leaf: Leaf) -> tuple[Vector, Mapping[str, Vector]]:
    """A point in the middle of the free edge or front of the shut leaf, and directions from there."""
    corners = np.concatenate([_points(part) for part in leaf.parts])
    low, high = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    x, z = (low[0] + high[0]) / 2.0, (low[2] + high[2]) / 2.0
    if leaf.kind == "slide":
        a, b, c = leaf.axis
        ways = {"open": (a, b, c), "close": (-a, -b, -c), "left": (-1.0, 0.0, 0.0), "right": (1.0, 0.0, 0.0)}
        return (x, low[1], z), {**ways, "up": (0.0, 0.0, 1.0), "down": (0.0, 0.0, -1.0)}
    far = 1.0 if abs(high[0] - leaf.anchor[0]) > abs(low[0] - leaf.anchor[0]) else -1.0
    start = (high[0] if far > 0 else low[0], low[1], z)
    # For a vertical axis, the edge is perpendicular to the line to the hinge.
    side = far * leaf.axis[2]
    ways = {"open": (0.0, side, 0.0), "close": (0.0, -side, 0.0), "away": (far, 0.0, 0.0), "hinge": (-far, 0.0, 0.0)}
    return start, {**ways, "up": (0.0, 0.0, 1.0), "down": (0.0, 0.0, -1.0)}


def _points(part: Part) -> Floats:
    """The vertices of all triangles of a part, in the frame of its leaf."""
    turn = np.array(part.pose.rotation).reshape(3, 3)
    found: Floats = triangles(part.shape)[0].reshape(-1, 3) @ turn.T + np.array(part.pose.position)
    return found


def force_answer(recipe: Recipe) -> Answer:
    """The arrow that points at its start follow if the leaf is moved a little."""
    from envs.shots.moment import open_moment

    shot = recipe.shots[0]
    (action,) = shot.actions
    assert isinstance(action, Open)
    sign = 1.0 if " open the " in recipe.text else -1.0
    before = open_moment(recipe.situation.after(action))
    after = open_moment(recipe.situation.after(Open(action.thing, action.opening + sign * _MORE)))
    view = before.view(shot.eye)
    arrows = [mark for mark in shot.marks if isinstance(mark, Arrow)]
    start = view.point(arrows[0].x0, arrows[0].y0)
    one, other = before.points(action.thing), after.points(action.thing)
    moved = np.abs(other - one).max(axis=0) > 1e-4
    # Points of a leaf that are directly above each other move in the same way.
    off = np.hypot(one[0] - start[0], one[1] - start[1]) + np.where(moved, 0.0, np.inf)
    if float(off.min()) > _NEAR:
        raise ValueError("nothing that moves is where the arrows start")
    a, b, c = (other - one)[:, off <= off.min() + 0.01].mean(axis=1).tolist()
    here, there = view.project(start), view.project((start[0] + a, start[1] + b, start[2] + c))
    assert here is not None
    assert there is not None
    angle = degrees(atan2(there[1] - here[1], there[0] - here[0]))
    turned = {mark.text: abs(wrapped(degrees(atan2(mark.y1 - mark.y0, mark.x1 - mark.x0)) - angle)) for mark in arrows}
    return (recipe.options.index(f"arrow {min(turned, key=lambda text: turned[text])}"),)

"""Rooms in which things are moved between two pictures: clearly visible things, and possible positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin
from random import Random
from typing import TYPE_CHECKING

from envs.shots.actions import Put
from envs.shots.cameras import Head
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot
from evals.families.scenes import Scene
from evals.families.words import unlike
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.arrays import Floats
    from envs.render.scene import Vector
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "Dynamic"
KINDS = unlike(
    ("cup", "bottle", "bowl", "kettle", "vase", "saucepan", "plate", "apple", "orange", "sandwich", "hardback", "box",
     "toolbox", "bucket", "basket", "ball", "gym_shoe", "pillow", "snack_food")
)  # fmt: skip
MOVED = (0.22, 0.55)
"""The distances that things are moved, in metres."""
ENOUGH = (300, 0.4)
"""The least pixels and visible share of a thing in a question."""
TRIES = 14
"""The number of cameras to compare."""


@dataclass(frozen=True, slots=True)
class Place:
    """A room, a first camera, and the things that are clearly visible in it."""

    made: Scene
    moment: Moment
    eye: Head
    seen: tuple[str, ...]

    @property
    def view(self) -> View:
        """The view of the camera."""
        return self.moment.view(self.eye)


def plain(view: View, names: Sequence[str]) -> list[str]:
    """The clearly visible things."""
    return [name for name in rules.markable(view, names) if view.clear(name, *ENOUGH)]


def recipe_at(
    place: Place,
    kind: Kind,
    text: str,
    answer: Answer,
    shots: Sequence[Shot],
    options: tuple[str, ...] = (),
    items: tuple[str, ...] = (),
    **proof: object,
) -> Recipe:
    """A recipe about a place."""
    situation = place.made.situation
    return Recipe("dynamic", SUB_CATEGORY, kind, situation, tuple(shots), text, answer, options, items, proof)


def moved_to(place: Place, name: str, angle: float, dice: Random) -> Put | None:
    """A thing moved in a direction on the floor plan, on the same support."""
    moment = place.moment
    pose = moment.sim.pose(name)
    if pose.rotation[8] < 0.999 or carries(moment, name):
        return None
    yaw = degrees(atan2(pose.rotation[3], pose.rotation[0]))
    for _ in range(4):
        x, y, z = pose.position
        size = max(moment.thing(name).size[:2])
        least = max(MOVED[0], 0.8 * size, 1.1 * rules.DISTANCE * place.view.from_eye(pose.position))
        far = dice.uniform(least, max(MOVED[1], least))
        spot = (round(x + far * cos(angle), 3), round(y + far * sin(angle), 3), round(z, 4))
        put = Put(name, spot, round(yaw, 2))
        if moment.room_at(*spot[:2]) == moment.room_of(name) and _rests(moment, put):
            return put
    return None


def _rests(moment: Moment, put: Put) -> bool:
    """Whether a moved thing is free of collisions and still on its support, which it hits if lowered a little."""
    from envs.household.home.model import Pose
    from envs.household.home.things.turns import about

    turn = about("z", radians(put.yaw))
    x, y, z = put.position
    on, sim = moment.support_of(put.thing), moment.sim
    (a, b, _), (c, d, _) = moment.box(put.thing)
    if on is not None:
        (low_x, low_y, _), (high_x, high_y, _) = moment.box(on)
        half = (c - a) / 2.0, (d - b) / 2.0
        if not (low_x + half[0] <= x <= high_x - half[0] and low_y + half[1] <= y <= high_y - half[1]):
            return False
        if not sim.collides(put.thing, Pose((x, y, z - 0.02), turn)):
            return False
    elif not moment.on_floor(put.thing):
        return False
    return not sim.collides(put.thing, Pose((x, y, z + 0.004), turn))


def carries(moment: Moment, name: str) -> bool:
    """Whether something rests on or in a thing."""
    return any(name in (moment.support_of(other), moment.inside(other)) for other in moment.movables if other != name)


def cloud(view: View, name: str) -> Floats:
    """The visible points of a thing."""
    return view.points()[:, view.mask(name)]


def seen_middle(view: View, name: str) -> Vector:
    """The mean of the visible points of a thing."""
    x, y, z = cloud(view, name).mean(axis=1).tolist()
    return x, y, z

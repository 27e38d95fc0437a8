"""Moments before an event, with marks on the things that may be affected, and recipes about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import hypot, radians
from random import Random
from typing import TYPE_CHECKING

from envs.household.home.model import Pose
from envs.household.home.things.turns import about
from envs.shots.actions import Put
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot
from evals.families.scenes import Scene
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.marks import Mark
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.situation import Situation
    from envs.shots.view import View

SUB_CATEGORY = "Future prediction"
BASES = ("box", "hardback", "toolbox", "bucket", "basket", "bowl", "pillow", "plate", "saucepan")
"""Kinds that something may land on or in."""
LOOSE = ("cup", "sandwich", "snack_food", "gym_shoe", "book", "bottle", "kettle")
"""Kinds that fall without rolling away."""
FLAT = ("box", "hardback", "book")
"""Kinds on which others can stand."""
STANDING = ("cup", "kettle", "bowl", "vase", "sandwich", "bottle", "saucepan")
BULKY = ("bucket", "basket", "box", "toolbox", "ball", "gym_shoe", "kettle", "pillow", "vase", "saucepan")
"""Kinds of obstacles for the robot."""
GAP = 0.10
"""The least distance of other things from a fall or a drive, in metres."""
TRIES = 14
"""The number of cameras to compare."""
NEAR = 12
"""Attempts to place a thing."""
OBVIOUS = 0.35
"""The share of questions whose answer the picture suggests: if there were none, that would be a cue."""


@dataclass(frozen=True, slots=True)
class Event:
    """A moment before something happens, and the pictures of it; the first carries the numbers."""

    situation: Situation
    moment: Moment
    eyes: tuple[Eye, ...]
    names: tuple[str, ...]
    """The marked things."""
    boxed: str | None

    @property
    def view(self) -> View:
        """The first picture."""
        return self.moment.view(self.eyes[0])

    def nearest(self) -> str:
        """The mark nearest to the box in the picture."""
        boxed = self.boxed
        assert boxed is not None
        return min(self.names, key=lambda name: across(self.view, name, boxed))


def room_of(moment: Moment, made: Scene) -> str:
    """The room of a scene."""
    return next(room.name for room in moment.home.rooms if room.kind == made.room)


def pose_of(put: Put) -> Pose:
    """The pose of a thing that is put somewhere."""
    return Pose(put.position, about("z", radians(put.yaw)))


def across(view: View, one: str, other: str) -> float:
    """The distance of two things in the picture."""
    a, b = view.spot(one), view.spot(other)
    return 0.0 if a is None or b is None else hypot(a.x - b.x, a.y - b.y)


Made = Iterator[Recipe]


def recipe_of(
    event: Event, kind: Kind, text: str, answer: Answer, words: Words, dice: Random, /, **proof: object
) -> Recipe:
    """A recipe; the pictures after the first one have no numbers."""
    shots = [Shot(event.eyes[0], words.marks)]
    for eye in event.eyes[1:]:
        _, marks = rules.numbered(event.moment.view(eye), (), dice, *([event.boxed] if event.boxed else []))
        shots.append(Shot(eye, marks))
    options = words.options if kind not in (Kind.NUMBER, Kind.TEXT) else ()
    return Recipe("future", SUB_CATEGORY, kind, event.situation, tuple(shots), text, answer, options, proof=proof)


@dataclass(frozen=True, slots=True)
class Words:
    """Marks, the number of each thing, and the options, with an extra one at the end."""

    marks: tuple[Mark, ...]
    labels: Mapping[str, str]
    options: tuple[str, ...]

    def number(self, name: str) -> int:
        """The option for a thing, or for the last one."""
        last = len(self.options) - 1
        return int(self.labels[name]) - 1 if name in self.labels else last


def words_for(event: Event, last: str, dice: Random) -> Words:
    """Marks and options for an event; `last` is the last option."""
    labels, marks = rules.numbered(event.view, event.names, dice, *([event.boxed] if event.boxed else []))
    return Words(marks, labels, (*rules.options_of(labels).values(), last))

"""Dynamic: moved things and their directions, motions of the camera, and the order of pictures.

`propose` uses the poses of things and cameras. `verify` uses only the pictures: the positions of visible things by
depth, and for the camera the motion that maps the things of the first picture to those of the second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from random import Random
from typing import TYPE_CHECKING

from envs.shots.cameras import Head
from evals.families import rules
from evals.families.base import TYPES, Answer, Recipe, view_of
from evals.families.camera_moves import by_time, cameras, frames, motion_of
from evals.families.forces import force_answer, forces
from evals.families.moves import by_moved, by_way, things_moved, ways
from evals.families.places import (
    KINDS,
    SUB_CATEGORY,
    TRIES,
    Place,
    plain,
)
from evals.families.scenes import Scene, mixed_room

if TYPE_CHECKING:
    from envs.shots.moment import Moment


_FORCES = 0.2
"""The share of rooms with a door or drawer to open instead of things that move."""


class Dynamic:
    """The family of questions about motion."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room."""
        from envs.shots.moment import open_moment

        if TYPES[0] in types and dice.random() < _FORCES:
            yield from forces(dice)
            return
        made = mixed_room(dice, KINDS, dice.randint(9, 12))
        moment = open_moment(made.situation)
        for eye in _eyes(moment, made, dice):
            place = Place(made, moment, eye, tuple(plain(moment.view(eye), made.movables)))
            if len(place.seen) < 4:
                continue
            for kinds, make in rules.shuffled(_MAKERS, dice):
                if set(kinds) & set(types):
                    yield from (recipe for recipe in make(place, dice) if recipe.type in types)

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from the pictures."""
        match str(recipe.proof["event"]):
            case "camera":
                return (recipe.options.index(motion_of(view_of(recipe, 0), view_of(recipe, 1))),)
            case "frames":
                return by_time(recipe)
            case "force":
                return force_answer(recipe)
            case "ways":
                return by_way(recipe)
            case _:
                return by_moved(recipe)


def _eyes(moment: Moment, made: Scene, dice: Random) -> list[Head]:
    """Two cameras."""
    from envs.shots.viewpoints import best, heads

    room = next(room.name for room in moment.home.rooms if room.kind == made.room)
    aims = [moment.middle(name) for name in made.movables if moment.room_of(name) == room]
    found = best(moment, list(heads(moment, room, aims, dice, TRIES, 62.0)), made.movables, 4)
    return [eye for eye in found[:2] if isinstance(eye, Head)]


Maker = Callable[[Place, Random], Iterator[Recipe]]
_MAKERS: tuple[tuple[tuple[str, ...], Maker], ...] = (
    (("multiple-choice", "composite-judgement", "open"), things_moved),
    (("multiple-choice", "matching"), ways),
    (("multiple-choice",), cameras),
    (("sorting",), frames),
)

FAMILY = Dynamic()

"""Rooms with places on their floors: the places visible to a camera, and the free straight lines between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import dist
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from envs.household.home.draft import Need
from envs.household.home.layout import LAYOUTS
from envs.household.home.site import Block
from envs.shots.cameras import HEIGHT, WIDTH
from envs.shots.situation import Situation
from evals.families import rules
from evals.families.floors import IN_WALLS, Floor, Spot, blocks

if TYPE_CHECKING:
    from envs.household.home.model import Room
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.view import View

NARROW, WIDE = 0.2, 0.4
"""Two radii around the robot's: a fact that holds for both does not depend on the exact size."""
THROUGH, CORE = 0.15, 0.15
"""The least length of a blocked line within an obstacle, and the margin by which the obstacle's box is reduced."""
LARGE = 300
"""The least pixels of an obstacle."""
_ROOMS: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "kitchen": (("table", ()),),
    "living room": (("table", ("coffee",)), ("armchair", ())),
    "bedroom": (("bed", ()),),
    "garage": (("carton", ()), ("workbench", ())),
}
"""Rooms with free floor, and their furniture."""
_LYING = ("ball", "box", "bucket", "toolbox", "basket", "gym_shoe")
_SPOTS, _EYES = 160, 8
_LEAST, _MARGIN = 7, 14


@dataclass(frozen=True)
class Look:
    """A room seen by one camera: places on its floor with their pixels, and the free floor for two radii."""

    situation: Situation
    eye: Eye
    moment: Moment
    view: View
    room: Room
    spots: Mapping[Spot, tuple[int, int]]
    narrow: Floor
    wide: Floor
    bare: Floor

    def blocked(self, one: Spot, other: Spot) -> bool:
        """Whether a visible obstacle clearly blocks a line."""
        through = self.bare.crossed(one, other)
        return any(
            length >= THROUGH and self.view.pixels(name) >= LARGE and self.moment.thing(name).kind not in IN_WALLS
            for name, length in through.items()
        )

    def clear(self, one: Spot, other: Spot) -> bool:
        """Whether a line is free for the larger radius and fully visible."""
        if not self.wide.straight(one, other):
            return False
        parts = [k / 20.0 for k in range(21)]
        along = [(one[0] + k * (other[0] - one[0]), one[1] + k * (other[1] - one[1]), 0.0) for k in parts]
        return sum(not self.view.shows(point) for point in along) <= 1

    @property
    def obstructed(self) -> int:
        """The number of pairs of places with an obstacle between them."""
        ends = list(combinations(self.spots, 2))
        one, other = (np.array([pair[k] for pair in ends]) for k in (0, 1))
        return int((self.bare.chords(one, other).max(axis=1) >= THROUGH).sum())


def looks(dice: Random) -> Iterator[Look]:
    """A room from a camera under its ceiling and from the robot's head, which show most places on the floor."""
    from envs.shots.moment import open_moment
    from envs.shots.viewpoints import free_eyes, heads

    kind = dice.choice(tuple(_ROOMS))
    stands = tuple(Need(f"{one}_1", one, options, room=kind) for one, options in _ROOMS[kind])
    lying = tuple(Need(f"{one}_1", one, room=kind) for one in dice.sample(_LYING, dice.randint(2, 5)))
    situation = Situation(dice.choice(LAYOUTS), dice.randrange(100_000), (*stands, *lying))
    moment = open_moment(situation)
    rooms = [room for room in moment.home.rooms if room.kind == kind]
    room = next((room for room in rooms if moment.room_of(stands[0].name) == room.name), rooms[0])
    x0, y0, x1, y1 = room.corners
    aims = [(x0 + a * (x1 - x0), y0 + b * (y1 - y0), 0.0) for a in (0.4, 0.6) for b in (0.4, 0.6)]
    above = list(free_eyes(moment, room.name, aims, dice, 24, (1.4, 3.4), (1.75, 2.2), 66.0))[:_EYES]
    own = list(heads(moment, room.name, aims, dice, 30, 66.0))[:_EYES]
    for eyes in (above, own):
        found = [_look(situation, moment, room, eye, dice) for eye in eyes]
        seeing = [look for look in found if len(look.spots) >= _LEAST]
        yield from sorted(seeing, key=lambda look: -(look.obstructed if eyes is above else len(look.spots)))[:1]


def _look(situation: Situation, moment: Moment, room: Room, eye: Eye, dice: Random) -> Look:
    view = moment.view(eye)
    standing = tuple(blocks(moment, room))
    sure = tuple(block for block in standing if moment.thing(block.owner).kind not in IN_WALLS)
    wide = Floor(room.corners, standing, WIDE)
    x0, y0, x1, y1 = room.corners
    tried = [(round(dice.uniform(x0, x1), 3), round(dice.uniform(y0, y1), 3)) for _ in range(_SPOTS)]
    spots: dict[Spot, tuple[int, int]] = {}
    for spot, free in zip(tried, wide.free(tried), strict=True):
        pixel = _pixel(view, spot) if free else None
        if pixel is not None and all(dist(pixel, other) >= 2 * rules.BETWEEN for other in spots.values()):
            spots[spot] = pixel
    cores = tuple(_core(block) for block in sure)
    narrow, bare = Floor(room.corners, sure, NARROW), Floor(room.corners, cores, 0.0)
    return Look(situation, eye, moment, view, room, spots, narrow, wide, bare)


def _core(block: Block) -> Block:
    """The inner part of a box, which a rotated thing also fills."""
    x, y = CORE * (block.x1 - block.x0), CORE * (block.y1 - block.y0)
    return replace(block, x0=block.x0 + x, y0=block.y0 + y, x1=block.x1 - x, y1=block.y1 - y)


def _pixel(view: View, spot: Spot) -> tuple[int, int] | None:
    """The pixel of a place, if the floor is visible there and around it."""
    found = view.project((*spot, 0.0))
    if found is None or not (_MARGIN <= found[0] < WIDTH - _MARGIN and _MARGIN <= found[1] < HEIGHT - _MARGIN):
        return None
    x, y = int(found[0]), int(found[1])
    for dx, dy in ((0, 0), (5, 0), (-5, 0), (0, 5), (0, -5)):
        owner = view.owner(x + dx, y + dy)
        if owner is None or not (owner == "shell" or owner.startswith("rug_")):
            return None
        if abs(view.point(x + dx, y + dy)[2]) > 0.03:
            return None
    return x, y

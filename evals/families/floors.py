"""The free floor of a room: obstacles, and straight lines that are free for a robot of some radius."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from envs.household.home.paths import Paths
from envs.household.home.site import FLAT, Block
from envs.render.arrays import Bools, Floats, Ints

if TYPE_CHECKING:
    from envs.household.home.model import Room
    from envs.shots.moment import Moment

Spot: TypeAlias = tuple[float, float]
"""A place on the floor plan."""

TALL = 1.45
"""Things that begin higher are no obstacles."""
IN_WALLS = ("door", "doorway", "window")


def blocks(moment: Moment, room: Room) -> list[Block]:
    """The obstacles in a room, as axis-aligned boxes of drawn points."""
    x0, y0, x1, y1 = room.corners
    found = []
    for placed in moment.home.placed:
        (a, b, low), (c, d, high) = moment.box(placed.thing.name)
        if low < TALL and high > FLAT and a < x1 and c > x0 and b < y1 and d > y0:
            found.append(Block(placed.thing.name, a, b, c, d, low, high))
    return found


@dataclass(frozen=True)
class Floor:
    """The free floor of a room for a robot of some radius."""

    corners: tuple[float, float, float, float]
    blocks: tuple[Block, ...]
    radius: float

    @cached_property
    def rectangles(self) -> Floats:
        """The rectangles that the robot's centre must avoid: x0, y0, x1, y1 in rows."""
        grown = [(b.x0 - self.radius, b.y0 - self.radius, b.x1 + self.radius, b.y1 + self.radius) for b in self.blocks]
        return np.array(grown, dtype=np.float64).reshape(-1, 4)

    def free(self, spots: Sequence[Spot]) -> Bools:
        """Whether the robot can stand at each place."""
        at = np.array(spots, dtype=np.float64).reshape(-1, 2)
        x0, y0, x1, y1 = self.corners
        room: Bools = (
            (at[:, 0] >= x0 + self.radius)
            & (at[:, 0] <= x1 - self.radius)
            & (at[:, 1] >= y0 + self.radius)
            & (at[:, 1] <= y1 - self.radius)
        )
        box = self.rectangles
        x, y = at[:, :1], at[:, 1:]
        inside: Bools = (x > box[:, 0]) & (x < box[:, 2]) & (y > box[:, 1]) & (y < box[:, 3])
        counts: Ints = inside.sum(axis=1, dtype=np.int32)
        found: Bools = np.logical_and(room, np.equal(counts, 0))
        return found

    def chords(self, one: Floats, other: Floats) -> Floats:
        """The length of each straight line within each rectangle, in metres: lines, rectangles."""
        way = other - one
        way = np.where(np.abs(way) < 1e-9, 1e-9, way)
        box = self.rectangles
        low = (box[None, :, :2] - one[:, None]) / way[:, None]
        high = (box[None, :, 2:] - one[:, None]) / way[:, None]
        enter = np.minimum(low, high).max(axis=2).clip(0.0, 1.0)
        leave = np.maximum(low, high).min(axis=2).clip(0.0, 1.0)
        found: Floats = np.maximum(leave - enter, 0.0) * np.sqrt((way * way).sum(axis=1))[:, None]
        return found

    def straight(self, one: Spot, other: Spot) -> bool:
        """Whether a straight line is free from end to end."""
        ends = np.array([one]), np.array([other])
        return bool(self.free((one, other)).all()) and bool((self.chords(*ends) < 1e-6).all())

    def crossed(self, one: Spot, other: Spot) -> dict[str, float]:
        """The obstacles on a straight line, with the length of the overlap."""
        if not self.blocks:
            return {}
        lengths = self.chords(np.array([one]), np.array([other]))[0].tolist()
        return {block.owner: length for block, length in zip(self.blocks, lengths, strict=True) if length > 1e-6}


def grid(moment: Moment, room: Room) -> Paths:
    """The free floor of a room as a grid for path planning."""
    return Paths((room,), (), blocks(moment, room))

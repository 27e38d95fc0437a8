"""The walls of a floor plan, and the holes in them for doors, passages and windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from envs.household.home.plans import Corners, Plan, kind_of
from envs.household.home.things.openings import DOOR_OPENING, WINDOW_OPENING

Quarter: TypeAlias = int
"""A direction in quarter turns: 0 is east (along x), 1 north, 2 west, 3 south."""
HEIGHT = 2.5
"""The height of rooms."""
SILL = 0.95
"""The height of window sills."""
_CORNER = 0.25
"""The least distance between an opening and a corner."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A hole in a wall: its centre on the floor plan, and the direction through it into `room`."""

    use: Literal["way", "window"]
    x: float
    y: float
    inward: Quarter
    room: str
    other: str | None = None

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return DOOR_OPENING if self.use == "way" else WINDOW_OPENING

    @property
    def sill(self) -> float:
        """The height of its lower edge above the floor."""
        return 0.0 if self.use == "way" else SILL

    @property
    def along_x(self) -> bool:
        """Whether its wall runs along the x axis."""
        return self.inward in (1, 3)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A straight piece of wall: its room, its side of the room, and its ends."""

    room: str
    outward: Quarter
    level: float
    start: float
    end: float

    @property
    def along_x(self) -> bool:
        """Whether it runs along the x axis."""
        return self.outward in (1, 3)

    def spot(self, along: float) -> tuple[float, float]:
        """The point of the wall at a coordinate along it."""
        return (along, self.level) if self.along_x else (self.level, along)


def sides(room: str, corners: Corners) -> tuple[Stretch, ...]:
    """The four walls of a room: east, north, west, south."""
    x0, y0, x1, y1 = corners
    return (
        Stretch(room, 0, x1, y0, y1),
        Stretch(room, 1, y1, x0, x1),
        Stretch(room, 2, x0, y0, y1),
        Stretch(room, 3, y0, x0, x1),
    )


def shared(plan: Plan, first: str, second: str) -> Stretch:
    """The piece of wall between two rooms, as part of the first one."""
    for mine in sides(first, plan.rooms[first]):
        for theirs in sides(second, plan.rooms[second]):
            start, end = max(mine.start, theirs.start), min(mine.end, theirs.end)
            if (mine.outward - theirs.outward) % 4 == 2 and mine.level == theirs.level and start < end:
                return Stretch(first, mine.outward, mine.level, start, end)
    raise ValueError(f"no wall between {first} and {second}")


def outer(plan: Plan, room: str) -> list[Stretch]:
    """The pieces of a room's walls that are outer walls."""
    found = []
    for side in sides(room, plan.rooms[room]):
        pieces = [(side.start, side.end)]
        for other in plan.rooms:
            for back in sides(other, plan.rooms[other]):
                if (side.outward - back.outward) % 4 == 2 and side.level == back.level:
                    pieces = [piece for whole in pieces for piece in _without(whole, (back.start, back.end))]
        found += [Stretch(room, side.outward, side.level, *piece) for piece in pieces]
    return found


def _without(whole: tuple[float, float], gone: tuple[float, float]) -> list[tuple[float, float]]:
    pieces = [(whole[0], min(whole[1], gone[0])), (max(whole[0], gone[1]), whole[1])]
    return [(start, end) for start, end in pieces if end - start > 1e-6]


def ways(plan: Plan, random: Random) -> list[Opening]:
    """The openings for doors and passages. Their direction is from `other` into `room`."""
    found = []
    for room, other in plan.ways:
        wall = shared(plan, room, other)
        x, y = wall.spot(_somewhere(wall, DOOR_OPENING[0], (0.0, 1.0), random))
        found.append(Opening("way", x, y, (wall.outward + 2) % 4, room, other))
    return found


def windows(plan: Plan, random: Random, wanted: Callable[[str], int]) -> list[Opening]:
    """The openings for windows: in each room as many as wanted and possible, on different walls first."""
    found = []
    for room in plan.rooms:
        walls = [wall for wall in outer(plan, room) if wall.end - wall.start > WINDOW_OPENING[0] + 2 * _CORNER]
        random.shuffle(walls)
        for wall in walls[: wanted(kind_of(room))]:
            x, y = wall.spot(_somewhere(wall, WINDOW_OPENING[0], (0.3, 0.7), random))
            found.append(Opening("window", x, y, (wall.outward + 2) % 4, room))
    return found


def _somewhere(wall: Stretch, width: float, share: tuple[float, float], random: Random) -> float:
    """The centre of an opening of some width, at a share of the usable length of the wall."""
    low, high = wall.start + width / 2.0 + _CORNER, wall.end - width / 2.0 - _CORNER
    if low > high:
        raise ValueError(f"the wall of the {wall.room} is too short for an opening of {width} m")
    return round(low + (high - low) * random.uniform(*share), 3)


def between(openings: Sequence[Opening], wall: Stretch) -> list[Opening]:
    """The openings in a piece of wall, sorted along it."""
    found = [
        opening
        for opening in openings
        if opening.along_x == wall.along_x
        and abs((opening.y if wall.along_x else opening.x) - wall.level) < 1e-6
        and wall.start < (opening.x if wall.along_x else opening.y) < wall.end
    ]
    return sorted(found, key=lambda opening: opening.x if wall.along_x else opening.y)

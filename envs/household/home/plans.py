"""Floor plans: which rooms there are, how large, and which of them have a way through to each other.

Every plan has each kind of room at least once, so that any task can be set in any of them. A seed mirrors and turns a
plan and says where along a wall its openings are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from envs.household.home.model import Room
from envs.household.home.things.openings import DOOR_OPENING, WALL, WINDOW_OPENING
from planners.names import unknown

Corners: TypeAlias = tuple[float, float, float, float]
Quarter: TypeAlias = int
"""A direction in quarter turns: 0 is east (along x), 1 north, 2 west, 3 south."""
HEIGHT = 2.5
"""Of rooms."""
SILL = 0.95
"""Of windows."""
_CORNER = 0.25
"""What is left of a wall between an opening and a corner, at least."""

KINDS = ("kitchen", "living room", "bedroom", "study", "hallway", "garage")


@dataclass(frozen=True, slots=True)
class Plan:
    """Rooms by name, with the middle of their walls as corners, and pairs of rooms with a way through."""

    rooms: Mapping[str, Corners]
    ways: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Opening:
    """A hole in a wall: its middle on the floor plan, and the direction in which one looks through into `room`."""

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
        """How high above the floor it begins."""
        return 0.0 if self.use == "way" else SILL

    @property
    def along_x(self) -> bool:
        """Whether its wall runs along the x axis."""
        return self.inward in (1, 3)


PLANS: Mapping[str, Plan] = {
    "row": Plan(
        {
            "living room": (0.0, 0.0, 5.2, 4.4),
            "study": (5.2, 0.0, 8.8, 4.4),
            "garage": (8.8, 0.0, 13.0, 4.4),
            "hallway": (0.0, 4.4, 13.0, 6.1),
            "kitchen": (0.0, 6.1, 4.6, 10.1),
            "bedroom": (4.6, 6.1, 8.8, 10.1),
            "guest room": (8.8, 6.1, 13.0, 10.1),
        },
        (
            ("living room", "hallway"),
            ("study", "hallway"),
            ("garage", "hallway"),
            ("kitchen", "hallway"),
            ("bedroom", "hallway"),
            ("guest room", "hallway"),
        ),
    ),
    "wing": Plan(
        {
            "garage": (0.0, 0.0, 4.4, 5.0),
            "kitchen": (0.0, 5.0, 4.4, 9.4),
            "hallway": (4.4, 0.0, 6.2, 9.4),
            "living room": (6.2, 0.0, 11.4, 4.8),
            "bedroom": (6.2, 4.8, 10.6, 9.4),
            "study": (3.0, 9.4, 7.2, 13.0),
        },
        (
            ("garage", "hallway"),
            ("kitchen", "hallway"),
            ("living room", "hallway"),
            ("bedroom", "hallway"),
            ("study", "hallway"),
        ),
    ),
    "open": Plan(
        {
            "living room": (0.0, 0.0, 5.6, 5.0),
            "kitchen": (5.6, 0.0, 10.0, 5.0),
            "garage": (10.0, 0.0, 14.2, 5.0),
            "hallway": (0.0, 5.0, 8.2, 6.7),
            "bedroom": (0.0, 6.7, 4.4, 10.7),
            "study": (4.4, 6.7, 8.2, 10.7),
        },
        (
            ("living room", "kitchen"),
            ("kitchen", "garage"),
            ("living room", "hallway"),
            ("kitchen", "hallway"),
            ("bedroom", "hallway"),
            ("study", "hallway"),
        ),
    ),
    "core": Plan(
        {
            "living room": (0.0, 0.0, 5.6, 4.6),
            "garage": (5.6, 0.0, 10.0, 4.6),
            "kitchen": (0.0, 4.6, 4.0, 9.0),
            "hallway": (4.0, 4.6, 7.2, 8.2),
            "study": (7.2, 4.6, 11.2, 8.2),
            "bedroom": (4.0, 8.2, 8.4, 12.4),
        },
        (
            ("living room", "kitchen"),
            ("living room", "hallway"),
            ("garage", "hallway"),
            ("kitchen", "hallway"),
            ("study", "hallway"),
            ("bedroom", "hallway"),
        ),
    ),
    "long": Plan(
        {
            "living room": (0.0, 0.0, 4.6, 5.4),
            "kitchen": (0.0, 5.4, 4.6, 9.4),
            "bedroom": (0.0, 9.4, 4.6, 13.4),
            "hallway": (4.6, 0.0, 6.3, 13.4),
            "garage": (6.3, 0.0, 10.5, 5.0),
            "study": (6.3, 5.0, 10.1, 8.8),
            "guest room": (6.3, 8.8, 10.5, 13.4),
        },
        (
            ("living room", "kitchen"),
            ("living room", "hallway"),
            ("kitchen", "hallway"),
            ("bedroom", "hallway"),
            ("garage", "hallway"),
            ("study", "hallway"),
            ("guest room", "hallway"),
        ),
    ),
    "corner": Plan(
        {
            "garage": (-4.4, 0.0, 0.0, 5.6),
            "kitchen": (0.0, 0.0, 5.0, 4.0),
            "living room": (5.0, 0.0, 10.4, 4.6),
            "hallway": (0.0, 4.0, 5.0, 6.2),
            "bedroom": (0.0, 6.2, 4.6, 10.4),
            "study": (5.0, 4.6, 9.0, 8.6),
        },
        (
            ("kitchen", "living room"),
            ("kitchen", "hallway"),
            ("garage", "hallway"),
            ("bedroom", "hallway"),
            ("study", "hallway"),
            ("study", "living room"),
        ),
    ),
}


def plan(layout: str) -> Plan:
    """The floor plan with this name."""
    if layout not in PLANS:
        raise unknown("layout", layout, PLANS)
    return PLANS[layout]


def kind_of(room: str) -> str:
    """What kind of room one is, by its name."""
    return "bedroom" if room == "guest room" else room


def turned(plan: Plan, random: Random) -> Plan:
    """The plan seen from another side, or in a mirror."""
    xs = [x for x0, _, x1, _ in plan.rooms.values() for x in (x0, x1)]
    ys = [y for _, y0, _, y1 in plan.rooms.values() for y in (y0, y1)]
    mirror_x, mirror_y, swap = (random.random() < 0.5 for _ in range(3))

    def moved(corners: Corners) -> Corners:
        x0, y0, x1, y1 = corners
        if mirror_x:
            x0, x1 = max(xs) + min(xs) - x1, max(xs) + min(xs) - x0
        if mirror_y:
            y0, y1 = max(ys) + min(ys) - y1, max(ys) + min(ys) - y0
        x0, y0, x1, y1 = (round(value, 6) for value in ((y0, x0, y1, x1) if swap else (x0, y0, x1, y1)))
        return x0, y0, x1, y1

    return Plan({name: moved(corners) for name, corners in plan.rooms.items()}, plan.ways)


def rooms(plan: Plan) -> tuple[Room, ...]:
    """The rooms inside their walls."""
    half = WALL / 2.0
    return tuple(
        Room(name, kind_of(name), (round(x0 + half, 6), round(y0 + half, 6), round(x1 - half, 6), round(y1 - half, 6)))
        for name, (x0, y0, x1, y1) in plan.rooms.items()
    )


@dataclass(frozen=True, slots=True)
class Stretch:
    """A straight piece of wall: of which room, on which side of it, and from where to where."""

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
        """A point of it, by its coordinate."""
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
    """The piece of wall between two rooms, as the first one's."""
    for mine in sides(first, plan.rooms[first]):
        for theirs in sides(second, plan.rooms[second]):
            start, end = max(mine.start, theirs.start), min(mine.end, theirs.end)
            if (mine.outward - theirs.outward) % 4 == 2 and mine.level == theirs.level and start < end:
                return Stretch(first, mine.outward, mine.level, start, end)
    raise ValueError(f"no wall between {first} and {second}")


def outer(plan: Plan, room: str) -> list[Stretch]:
    """The pieces of a room's walls that have nothing behind them."""
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
    """The holes for doors and passages. One looks through a way from its other room into its room."""
    found = []
    for room, other in plan.ways:
        wall = shared(plan, room, other)
        x, y = wall.spot(_somewhere(wall, DOOR_OPENING[0], (0.0, 1.0), random))
        found.append(Opening("way", x, y, (wall.outward + 2) % 4, room, other))
    return found


def windows(plan: Plan, random: Random, wanted: Callable[[str], int]) -> list[Opening]:
    """The holes for windows: in each room as many as are wanted and fit, on different walls first."""
    found = []
    for room in plan.rooms:
        walls = [wall for wall in outer(plan, room) if wall.end - wall.start > WINDOW_OPENING[0] + 2 * _CORNER]
        random.shuffle(walls)
        for wall in walls[: wanted(kind_of(room))]:
            x, y = wall.spot(_somewhere(wall, WINDOW_OPENING[0], (0.3, 0.7), random))
            found.append(Opening("window", x, y, (wall.outward + 2) % 4, room))
    return found


def _somewhere(wall: Stretch, width: float, share: tuple[float, float], random: Random) -> float:
    """The middle of an opening so wide, this far along what is left of the wall."""
    low, high = wall.start + width / 2.0 + _CORNER, wall.end - width / 2.0 - _CORNER
    if low > high:
        raise ValueError(f"the wall of the {wall.room} is too short for an opening of {width} m")
    return round(low + (high - low) * random.uniform(*share), 3)


def between(openings: Sequence[Opening], wall: Stretch) -> list[Opening]:
    """The openings in a piece of wall, in order along it."""
    found = [
        opening
        for opening in openings
        if opening.along_x == wall.along_x
        and abs((opening.y if wall.along_x else opening.x) - wall.level) < 1e-6
        and wall.start < (opening.x if wall.along_x else opening.y) < wall.end
    ]
    return sorted(found, key=lambda opening: opening.x if wall.along_x else opening.y)

"""The used area of a floor plan: blocks that are occupied, and zones that stay free in front of doors and furniture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from math import pi
from typing import TypeAlias

from envs.household.home.frames import opened, within
from envs.household.home.model import Part, Placed, Pose, Room, Thing
from envs.household.home.things.parts import bounds
from envs.household.home.things.turns import about
from envs.household.home.walls import HEIGHT, Opening, Quarter

Swept: TypeAlias = tuple[float, float, float, float, float, float]
"""The space that leaves sweep, as a box in the frame of their thing: x0, y0, x1, y1, low, high."""
AHEAD: tuple[tuple[float, float], ...] = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
"""The directions of quarter turns."""
FLAT = 0.03
"""Things that are not higher than this are no obstacles."""
_WAY = 0.95
"""The depth of free floor on both sides of a passage."""
_CASEMENT = 0.62
"""The distance that window casements swing into the room."""


@dataclass(frozen=True, slots=True)
class Block:
    """An axis-aligned box with its owner, its rectangle on the floor plan, and its lower and upper height."""

    owner: str
    x0: float
    y0: float
    x1: float
    y1: float
    low: float = 0.0
    high: float = HEIGHT

    def meets(self, other: Block) -> bool:
        """Whether the two overlap."""
        return (
            self.x0 < other.x1
            and other.x0 < self.x1
            and self.y0 < other.y1
            and other.y0 < self.y1
            and self.low < other.high
            and other.low < self.high
        )

    def inside(self, corners: tuple[float, float, float, float], slack: float = 1e-6) -> bool:
        """Whether it is within a rectangle."""
        x0, y0, x1, y1 = corners
        return self.x0 >= x0 - slack and self.y0 >= y0 - slack and self.x1 <= x1 + slack and self.y1 <= y1 + slack


@dataclass(slots=True)
class Site:
    """The rooms with their used area so far; `swings` are the spaces in which doors and windows swing."""

    rooms: Sequence[Room]
    swings: Sequence[Block] = ()
    placed: list[Placed] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    zones: list[Block] = field(default_factory=list)

    def fits(
        self, room: Room, blocks: Iterable[Block], zones: Iterable[Block] = (), *, ignore: Collection[str] = ()
    ) -> bool:
        """Whether blocks and their zones fit. Zones may overlap each other."""
        blocks, zones = list(blocks), list(zones)
        if not all(block.inside(room.corners) for block in (*blocks, *zones)):
            return False
        taken = [block for block in (*self.blocks, *self.swings) if block.owner not in ignore]
        free = [zone for zone in self.zones if zone.owner not in ignore]
        return not any(new.meets(old) for new in blocks for old in (*taken, *free)) and not any(
            zone.meets(old) for zone in zones for old in taken
        )

    def take(self, placed: Placed, blocks: Iterable[Block], zones: Iterable[Block] = ()) -> None:
        """Place a thing."""
        self.placed.append(placed)
        self.blocks += blocks
        self.zones += zones

    def room_of(self, placed: Placed) -> Room:
        """The room of a thing."""
        x, y, _ = placed.pose.position
        return next(
            room
            for room in self.rooms
            if room.corners[0] <= x <= room.corners[2] and room.corners[1] <= y <= room.corners[3]
        )


def standing(x: float, y: float, front: Quarter, z: float = 0.0) -> Pose:
    """The pose of a thing whose front faces a direction."""
    return Pose((round(x, 4), round(y, 4), z), about("z", (front + 1) * pi / 2.0))


def facing(pose: Pose) -> Quarter:
    """The direction that a thing's front faces, if it is parallel to a wall."""
    # The front is the local -y axis.
    x, y = -pose.rotation[1], -pose.rotation[4]
    return max(range(4), key=lambda q: AHEAD[q][0] * x + AHEAD[q][1] * y)


def block(thing: Thing, pose: Pose) -> Block:
    """The bounding box of a thing with its leaves shut."""
    width, depth, height = thing.size
    return region(thing.name, pose, -width / 2.0, -depth / 2.0, width / 2.0, depth / 2.0, 0.0, height)


def region(
    owner: str, pose: Pose, x0: float, y0: float, x1: float, y1: float, low: float = 0.0, high: float = HEIGHT
) -> Block:
    """A box given in the frame of a thing, which must be parallel to a wall."""
    r, (x, y, z) = pose.rotation, pose.position
    xs = sorted(x + r[0] * a + r[1] * b for a, b in ((x0, y0), (x1, y1)))
    ys = sorted(y + r[3] * a + r[4] * b for a, b in ((x0, y0), (x1, y1)))
    left, near, right, far = (round(value, 6) for value in (xs[0], ys[0], xs[1], ys[1]))
    return Block(owner, left, near, right, far, round(z + low, 6), round(z + high, 6))


def sweep(thing: Thing) -> Swept | None:
    """The box that the thing's leaves sweep; None without leaves."""
    parts = [
        _moved(part, opened(leaf, opening))
        for leaf in thing.leaves
        for part in leaf.parts
        for opening in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    ]
    if not parts:
        return None
    (x0, y0, low), (x1, y1, high) = bounds(parts)
    return x0, y0, x1, y1, low, high


def swing(owner: str, pose: Pose, swept: Swept | None) -> list[Block]:
    """The space that the leaves of a thing sweep, at its pose."""
    if swept is None:
        return []
    x0, y0, x1, y1, low, high = swept
    return [region(owner, pose, x0, y0, x1, y1, max(low, FLAT), high)]


def _moved(part: Part, frame: Pose) -> Part:
    return Part(part.shape, part.material, within(frame, part.pose))


def openings_zones(openings: Iterable[Opening], at_windows: bool) -> list[Block]:
    """The free zones beside passages and in front of windows; down to the floor if a window must be reached."""
    zones = []
    for opening in openings:
        half = opening.size[0] / 2.0 + 0.04
        deep = _WAY if opening.use == "way" else _CASEMENT + (_WAY / 2.0 if at_windows else 0.0)
        pose = standing(opening.x, opening.y, opening.inward)
        low = FLAT if at_windows and opening.use == "window" else opening.sill - 0.03
        high = opening.sill + opening.size[1]
        zones.append(region("openings", pose, -half, -deep, half, deep, low, high))
    return zones

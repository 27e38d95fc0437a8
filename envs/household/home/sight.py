"""Visibility between rooms: which other rooms can be seen through open doors and passages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, hypot, pi, remainder

from envs.household.home.frames import spot
from envs.household.home.model import Placed, Room

_AJAR = 0.02
"""A door that is open no further than this counts as shut."""
_BESIDE = 0.3
"""Within this distance of a passage, all directions are visible through it."""


@dataclass(frozen=True, slots=True)
class Way:
    """A passage in a wall: its ends, the rooms on both sides, and its door, if any."""

    ends: tuple[tuple[float, float], tuple[float, float]]
    rooms: tuple[str, str]
    door: str | None


class Sight:
    """The rooms of a home and the passages between them: things of the kinds `door` and `doorway`."""

    def __init__(self, rooms: Sequence[Room], placed: Sequence[Placed]) -> None:
        self._rooms = rooms
        self._ways = [way for thing in placed if thing.thing.kind in ("door", "doorway") for way in self._way(thing)]

    def _way(self, placed: Placed) -> Iterator[Way]:
        half, depth = placed.thing.size[0] / 2.0, placed.thing.size[1] / 2.0 + 0.1
        left, right, before, behind = (
            spot(placed.pose, point)[:2] for point in ((-half, 0, 0), (half, 0, 0), (0, -depth, 0), (0, depth, 0))
        )
        rooms = [room for point in (before, behind) for room in self.at(*point)]
        if len(rooms) == 2:
            yield Way((left, right), (rooms[0], rooms[1]), placed.thing.name if placed.thing.leaves else None)

    def at(self, x: float, y: float, margin: float = 0.0) -> list[str]:
        """The rooms that contain a point or are within the margin of it."""
        return [
            room.name
            for room in self._rooms
            if room.corners[0] - margin <= x <= room.corners[2] + margin
            and room.corners[1] - margin <= y <= room.corners[3] + margin
        ]

    def rooms(self, x: float, y: float, field: tuple[float, float], openings: Mapping[str, float]) -> tuple[str, ...]:
        """The rooms visible from a point within a range of directions, in the order of the home."""
        found: set[str] = set()
        for room in self.at(x, y) or self.at(x, y, 0.3):
            self._look((x, y), room, field, frozenset(), openings, found)
        return tuple(room.name for room in self._rooms if room.name in found)

    def _look(
        self,
        eye: tuple[float, float],
        room: str,
        field: tuple[float, float],
        passed: frozenset[str],
        openings: Mapping[str, float],
        found: set[str],
    ) -> None:
        """Add a room and the rooms seen through its passages; `field` is the visible range of directions."""
        found.add(room)
        for way in self._ways:
            if room not in way.rooms or (way.door is not None and openings.get(way.door, 0.0) <= _AJAR):
                continue
            other = way.rooms[1] if way.rooms[0] == room else way.rooms[0]
            narrowed, seen = _narrowed(field, eye, way)
            if seen and other not in passed:
                self._look(eye, other, narrowed, passed | {room}, openings, found)


def _narrowed(field: tuple[float, float], eye: tuple[float, float], way: Way) -> tuple[tuple[float, float], bool]:
    """The range of directions that remains visible through a passage, and whether it is not empty."""
    (ax, ay), (bx, by) = ((x - eye[0], y - eye[1]) for x, y in way.ends)
    if hypot((ax + bx) / 2.0, (ay + by) / 2.0) < _BESIDE + hypot(ax - bx, ay - by) / 2.0:
        return field, True
    start = atan2(ay, ax)
    turn = remainder(atan2(by, bx) - start, 2.0 * pi)
    low, high = min(start, start + turn), max(start, start + turn)
    shift = 2.0 * pi * round(((field[0] + field[1]) - (low + high)) / (4.0 * pi))
    low, high = max(low + shift, field[0]), min(high + shift, field[1])
    return (low, high), low < high

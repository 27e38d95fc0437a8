"""Routes over marks on the floor: turns on the spot and straight drives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import atan2, cos, degrees, dist, radians, sin

from envs.shots.cameras import Eye, Head
from evals.families.floors import Spot

TURN, DRIVE = 30.0, 0.4
"""The least difference between turns in degrees, and between drives in metres."""
LEAST, MOST = 20.0, 150.0
"""The range of turns in degrees."""
SHORTEST = 0.6
"""The least length of drives and arrows, in metres."""
MISSED = 0.35
"""The largest distance from a mark at which a route to it may end."""


@dataclass(frozen=True, slots=True)
class Move:
    """A turn to the left in degrees, or a drive in metres."""

    turn: float = 0.0
    drive: float = 0.0

    def __str__(self) -> str:
        if self.drive:
            return f"drive {self.drive:.1f} m straight ahead"
        return f"turn {'left' if self.turn > 0 else 'right'} by {abs(self.turn):.0f} degrees"

    @classmethod
    def parse(cls, text: str) -> Move:
        """The inverse of `str`."""
        words = text.split()
        if words[0] == "drive":
            return cls(drive=float(words[1]))
        return cls(turn=float(words[3]) * (1.0 if words[1] == "left" else -1.0))


def along(eye: Head, route: Sequence[Spot]) -> list[Move]:
    """The moves along a route, in steps of ten degrees and ten centimetres."""
    moves, looking = [], degrees(eye.yaw)
    for (x, y), (u, v) in pairwise(route):
        way = degrees(atan2(v - y, u - x))
        turn = (way - looking + 180.0) % 360.0 - 180.0
        moves += [Move(turn=round(turn / 10.0) * 10.0), Move(drive=round(dist((x, y), (u, v)), 1))]
        looking = way
    return moves


def distinct(turns: Sequence[float], drives: Sequence[float]) -> bool:
    """Whether all turns and drives are clearly different, also from mirrored turns."""
    lengths = all(abs(a - b) >= DRIVE - 1e-9 and max(a, b) >= 1.25 * min(a, b) for a, b in combinations(drives, 2))
    sides = all(LEAST <= abs(turn) <= MOST for turn in turns) and min(drives) >= SHORTEST
    return lengths and sides and all(abs(a - b) >= TURN for a, b in combinations(turns, 2))


def over(eye: Eye, moves: Sequence[Move], places: Sequence[Spot]) -> bool:
    """Whether the moves lead over the marks in order, one after each drive."""
    assert isinstance(eye, Head)
    x, y, yaw, left = eye.x, eye.y, eye.yaw, list(places)
    for move in moves:
        yaw += radians(move.turn)
        if move.drive:
            x, y = x + move.drive * cos(yaw), y + move.drive * sin(yaw)
            if not left or dist((x, y), left.pop(0)) > MISSED:
                return False
    return not left

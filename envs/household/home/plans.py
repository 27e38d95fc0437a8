"""Floor plans: rooms, their sizes, and the passages between them.

Every plan has each kind of room at least once, so that every task fits every plan. A seed mirrors and rotates the
plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from envs.household.home.model import Room
from envs.household.home.things.openings import WALL
from planners.names import unknown

Corners: TypeAlias = tuple[float, float, float, float]

KINDS = ("kitchen", "living room", "bedroom", "study", "hallway", "garage")


@dataclass(frozen=True, slots=True)
class Plan:
    """Rooms by name, with corners at the centre of their walls, and pairs of rooms with a passage."""

    rooms: Mapping[str, Corners]
    ways: tuple[tuple[str, str], ...]


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
    """The kind of a room, from its name."""
    return "bedroom" if room == "guest room" else room


def turned(plan: Plan, random: Random) -> Plan:
    """The plan, rotated or mirrored."""
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
    """The interiors of the rooms, without walls."""
    half = WALL / 2.0
    return tuple(
        Room(name, kind_of(name), (round(x0 + half, 6), round(y0 + half, 6), round(x1 - half, 6), round(y1 - half, 6)))
        for name, (x0, y0, x1, y1) in plan.rooms.items()
    )

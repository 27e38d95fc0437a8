"""The scenes that there are: floor plans with the kinds of their rooms, and a seed each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from envs.embodied.model import Group
from envs.household.home.plans import PLANS, Corners


@dataclass(frozen=True)
class ScenePlan:
    """Rooms with the middle of their walls as corners, their kinds, pairs of rooms with a way between them.

    `doors` is how many of the ways have a door, `shut` how many of those are shut at the start.
    """

    group: Group
    rooms: Mapping[str, Corners]
    kinds: Mapping[str, str]
    ways: tuple[tuple[str, str], ...]
    seed: int
    doors: float = 0.5
    shut: float = 0.0
    people: int = 0


def _houses() -> dict[str, ScenePlan]:
    found = {}
    for number, (_, plan) in enumerate(sorted(PLANS.items())[:2], 1):
        kinds = {room: "bedroom" if room == "guest room" else room for room in plan.rooms}
        found[f"house_{number:02}"] = ScenePlan("house", plan.rooms, kinds, plan.ways, 100 + number)
    return found


SCENES: Mapping[str, ScenePlan] = {
    "room_01": ScenePlan("room", {"living room": (0.0, 0.0, 5.4, 4.6)}, {"living room": "living room"}, (), 1),
    **_houses(),
}

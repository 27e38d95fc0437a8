"""The plans of all scenes: floor plans with the kinds of their rooms, and a seed each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from envs.embodied.model import Group, Posture
from envs.household.home.plans import PLANS, Corners


@dataclass(frozen=True)
class ScenePlan:
    """Rooms with the middle of their walls as corners, their kinds, pairs of rooms with a way between them.

    `doors` is how many of the ways have a door, `shut` how many of those are shut at the start. `people` are the
    postures of those who are there.
    """

    group: Group
    rooms: Mapping[str, Corners]
    kinds: Mapping[str, str]
    ways: tuple[tuple[str, str], ...]
    seed: int
    doors: float = 0.4
    shut: float = 0.0
    people: tuple[Posture, ...] = ()


_SIZES: Mapping[str, tuple[float, float]] = {
    "living room": (5.4, 4.8),
    "bedroom": (4.6, 4.4),
    "kitchen": (4.8, 4.4),
    "study": (4.2, 4.0),
    "bathroom": (3.8, 3.4),
    "dining room": (5.0, 4.4),
    "children's room": (4.8, 4.4),
    "garage": (5.2, 4.6),
    "laundry room": (4.0, 3.6),
    "office": (7.2, 5.6),
    "classroom": (8.0, 6.2),
    "gallery": (7.6, 6.0),
    "shop": (8.0, 6.2),
    "gym": (8.0, 6.0),
    "restaurant": (8.0, 6.0),
    "library": (7.6, 6.0),
    "waiting room": (7.2, 5.4),
}
_SINGLE = (
    *("living room",) * 9, *("bedroom",) * 8, *("kitchen",) * 7, *("study",) * 4, *("bathroom",) * 4,
    *("dining room",) * 3, *("children's room",) * 3, "laundry room", "garage",
)  # fmt: skip
_PUBLIC = ("shop", "office", "restaurant", "library", "waiting room", "classroom", "gallery", "gym")
_FLATS: Sequence[tuple[tuple[Corners, ...], tuple[tuple[int, int], ...]]] = (
    (((0.0, 0.0, 5.2, 4.6), (5.2, 0.0, 9.6, 4.6)), ((0, 1),)),
    (((0.0, 0.0, 5.2, 4.6), (0.0, 4.6, 4.6, 9.0)), ((0, 1),)),
    (((0.0, 0.0, 5.2, 4.6), (5.2, 0.0, 9.6, 4.6), (0.0, 4.6, 4.6, 9.0)), ((0, 1), (0, 2))),
    (((0.0, 0.0, 4.8, 4.6), (4.8, 0.0, 9.6, 4.6), (9.6, 0.0, 14.0, 4.6)), ((0, 1), (1, 2))),
    (((0.0, 0.0, 5.0, 4.6), (5.0, 0.0, 9.6, 4.6), (0.0, 4.6, 5.0, 9.0), (5.0, 4.6, 9.6, 9.0)), ((0, 1), (0, 2), (1, 3))),
    (((0.0, 0.0, 9.4, 1.9), (0.0, 1.9, 4.8, 6.5), (4.8, 1.9, 9.4, 6.5)), ((0, 1), (0, 2))),
    (((0.0, 0.0, 9.4, 1.9), (0.0, 1.9, 4.8, 6.5), (4.8, 1.9, 9.4, 6.5), (1.0, -4.4, 5.8, 0.0)), ((0, 1), (0, 2), (0, 3))),
)  # fmt: skip
_FLAT_KINDS = (
    ("living room", "bedroom"), ("kitchen", "dining room"), ("living room", "kitchen", "bedroom"),
    ("bedroom", "living room", "bathroom"), ("living room", "kitchen", "study", "bedroom"),
    ("hallway", "living room", "bedroom"), ("hallway", "kitchen", "bedroom", "bathroom"),
)  # fmt: skip
_OTHERS = (
    "kitchen",
    "study",
    "children's room",
    "bathroom",
    "dining room",
    "laundry room",
    "garage",
    "bedroom",
    "living room",
)
_POSTURES: Sequence[tuple[Posture, ...]] = (
    ("point",), ("sit",), ("stand", "wave"), ("hand out",), ("beckon", "sit"), ("point", "stand"), ("stand",), ("sit", "hand out"),
)  # fmt: skip


def _rooms() -> Iterator[tuple[str, ScenePlan]]:
    for number, kind in enumerate(_SINGLE, 1):
        dice = Random(f"room {number}")
        wide, deep = (round(side + dice.uniform(-0.3, 0.5), 1) for side in _SIZES[kind])
        people: tuple[Posture, ...] = (
            (("lie",), ("point",), ("sit",), ("beckon",))[number % 4] if number % 9 == 1 else ()
        )
        if people == ("lie",) and kind != "bedroom":
            people = ("sit",)
        yield (
            f"room_{number:02}",
            ScenePlan("room", {kind: (0.0, 0.0, wide, deep)}, {kind: kind}, (), number, people=people),
        )


def _flats() -> Iterator[tuple[str, ScenePlan]]:
    for number in range(1, 41):
        dice = Random(f"flat {number}")
        shape = (number - 1) % len(_FLATS)
        corners, ways = _FLATS[shape]
        kinds = list(_FLAT_KINDS[shape])
        # From the second round over the floor plans on, some rooms are exchanged, so that flats differ.
        for place in range(len(kinds)) if number > len(_FLATS) else ():
            if kinds[place] != "hallway" and dice.random() < 0.6:
                kinds[place] = dice.choice([kind for kind in _OTHERS if kind not in kinds])
        rooms = dict(zip(kinds, corners, strict=True))
        people = _POSTURES[number // 6 % len(_POSTURES)] if number % 6 == 0 else ()
        pairs = tuple((kinds[a], kinds[b]) for a, b in ways)
        plan = ScenePlan("flat", rooms, {kind: kind for kind in kinds}, pairs, 200 + number, 0.5, 0.25, people)
        yield f"flat_{number:02}", plan


def _houses() -> Iterator[tuple[str, ScenePlan]]:
    layouts = sorted(PLANS)
    for number in range(1, 26):
        dice = Random(f"house {number}")
        plan = PLANS[layouts[(number - 1) % len(layouts)]]
        kinds = {room: room for room in plan.rooms}
        kinds["garage"] = dice.choice(("garage", "gym", "dining room", "laundry room"))
        kinds["study"] = dice.choice(("study", "bathroom", "children's room"))
        if "guest room" in kinds:
            kinds["guest room"] = dice.choice(
                [kind for kind in ("bathroom", "children's room", "study") if kind not in kinds.values()]
            )
        rooms = {kinds[room]: corners for room, corners in plan.rooms.items()}
        ways = tuple((kinds[a], kinds[b]) for a, b in plan.ways)
        people: tuple[Posture, ...] = (("lie",), *_POSTURES)[number // 4 % 9] if number % 4 == 0 else ()
        yield (
            f"house_{number:02}",
            ScenePlan("house", rooms, {kind: kind for kind in rooms}, ways, 300 + number, 0.5, 0.15, people),
        )


def _publics() -> Iterator[tuple[str, ScenePlan]]:
    for number in range(1, 27):
        dice = Random(f"public {number}")
        kind = _PUBLIC[(number - 1) % len(_PUBLIC)]
        wide, deep = (round(side + dice.uniform(-0.4, 0.6), 1) for side in _SIZES[kind])
        rooms: dict[str, Corners] = {kind: (0.0, 0.0, wide, deep)}
        ways: tuple[tuple[str, str], ...] = ()
        if number % 3 == 0:
            other = {
                "gallery": "office",
                "shop": "office",
                "restaurant": "kitchen",
                "gym": "bathroom",
                "office": "kitchen",
            }.get(kind, "office")
            rooms[other] = (wide, 0.0, round(wide + 4.6, 1), min(deep, 4.8))
            ways = ((kind, other),)
        people = _POSTURES[(number * 3) % len(_POSTURES)]
        yield (
            f"public_{number:02}",
            ScenePlan("public", rooms, {room: room for room in rooms}, ways, 400 + number, 0.3, 0.0, people),
        )


SCENES: Mapping[str, ScenePlan] = {**dict(_rooms()), **dict(_flats()), **dict(_houses()), **dict(_publics())}
"""Every scene by its name."""

"""A draft of a home: with openings, furniture and scenery, without movables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import pi
from random import Random

from envs.household.home import plans, spots, walls
from envs.household.home.clutter import clutter
from envs.household.home.frames import opened, within
from envs.household.home.furnish import Furnisher
from envs.household.home.model import Part, Placed, Pose, Room, Thing
from envs.household.home.paths import Paths
from envs.household.home.plans import Plan
from envs.household.home.recipes import ANYWHERE, HOMES, RECIPES, Wish, rules, shunned
from envs.household.home.shell import shell
from envs.household.home.site import Block, Site, openings_zones, region, standing, sweep, swing
from envs.household.home.things import KINDS, make
from envs.household.home.things.parts import bounds
from envs.household.home.walls import Opening
from envs.render.arrays import Bools

IN_WALLS = ("door", "window")
_WINDOWS = {"kitchen": 1, "living room": 2, "bedroom": 1, "study": 1, "hallway": 1, "garage": 1}
_REACH = 0.95
"""The robot must be able to come this close to every needed thing."""
_STARTS = 60
"""Candidate start places of the robot."""


@dataclass(frozen=True, slots=True)
class Need:
    """A required thing: its place and, for a movable, the support or container; without either it is on the floor.

    `room` is a kind of room; by default any room that usually has such things. `options` are options of the
    kind; `opening` is how far it is open at the start.
    """

    name: str
    kind: str
    options: tuple[str, ...] = ()
    room: str | None = None
    on: str | None = None
    inside: str | None = None
    opening: float = 0.0


class NoRoom(ValueError):
    """A needed thing does not fit into the home."""


class Draft:
    """One attempt at a home."""

    def __init__(self, plan: Plan, seed: int, needs: Sequence[Need], random: Random) -> None:
        self.random, self.seed = random, seed
        self.needs = needs
        self._plan = plans.turned(plan, random)
        self._shunned = shunned(frozenset(need.kind for need in needs))
        self._numbers: Counter[str] = Counter()
        self.rooms: tuple[Room, ...] = plans.rooms(self._plan)
        self.fixed: list[Placed] = []
        self.openings = self._openings()
        at_windows = any(need.kind == "window" for need in needs)
        moving = [placed for placed in self.fixed if placed.thing.kind == "door" or at_windows]
        swings = [box for placed in moving for box in _swing(placed)]
        self.site = Site(self.rooms, swings, zones=openings_zones(self.openings, at_windows))
        self._furnisher = Furnisher(self.site, random)
        self._furnish_needs()
        self._furnish_rooms()
        self.fixed += self.site.placed
        ways = [opening for opening in self.openings if opening.use == "way"]
        self.paths = Paths(self.rooms, ways, [*self.site.blocks, *self._leaves()])
        self._home_floor = self._open_floor()
        self._clutter()
        self.shell: tuple[Part, ...] = shell(self._plan, self.openings, random)

    def number(self, kind: str) -> int:
        """The next number for a thing that no need names."""
        self._numbers[kind] += 1
        return self._numbers[kind]

    def _make(self, kind: str, options: tuple[str, ...] = ()) -> Thing:
        return make(kind, f"{kind}_{self.number(kind)}", self.seed, options)

    def placed(self, name: str) -> Placed:
        """A thing of the draft by name."""
        found = next((placed for placed in self.fixed if placed.thing.name == name), None)
        if found is None:
            raise ValueError(f"{name} is asked for as a support or container, but is no need itself")
        return found

    def _openings(self) -> list[Opening]:
        """Doors, passages and windows; needed ones first."""
        ways = walls.ways(self._plan, self.random)
        needed = [need for need in self.needs if need.kind == "window"]
        wanted = {kind: 2 if needed else number for kind, number in _WINDOWS.items()}
        windows = walls.windows(self._plan, self.random, lambda kind: wanted[kind])
        self.random.shuffle(ways)
        self.random.shuffle(windows)
        left = self._fill([need for need in self.needs if need.kind == "door"], ways)
        for way in left:
            if "door" not in self._shunned and self.random.random() < 0.6:
                self._hang(self._make("door"), way, 1.0)
            else:
                name = f"doorway_{self.number('doorway')}"
                self._hang(replace(self._make("door"), name=name, kind="doorway", leaves=()), way, 0.0)
        spare = self._fill(needed, windows)
        if needed:
            windows = [window for window in windows if window not in spare]
        else:
            for window in spare:
                self._hang(self._make("window"), window, 0.0)
        self._check_leaves()
        return [*ways, *windows]

    def _fill(self, needs: Sequence[Need], openings: Sequence[Opening]) -> list[Opening]:
        """Assign openings to needed doors and windows; return the remaining openings."""
        left = list(openings)
        for need in needs:
            suiting = [hole for hole in left if need.room in (None, *self._kinds(hole))]
            if not suiting:
                raise NoRoom(f"no opening is left for {need.name}")
            left.remove(suiting[0])
            self._hang(make(need.kind, need.name, self.seed, need.options), suiting[0], need.opening)
        return left

    def _kinds(self, opening: Opening) -> list[str]:
        return [plans.kind_of(room) for room in (opening.room, opening.other) if room is not None]

    def _hang(self, thing: Thing, opening: Opening, fraction: float) -> None:
        self.fixed.append(Placed(thing, standing(opening.x, opening.y, opening.inward, opening.sill), fraction))

    def _check_leaves(self) -> None:
        swept = [box for placed in self.fixed for box in _swing(placed)]
        if any(a.meets(b) for number, a in enumerate(swept) for b in swept[:number]):
            raise NoRoom("two doors or windows would hit each other")

    def _furnish_needs(self) -> None:
        needs = [need for need in self.needs if need.kind not in IN_WALLS and not KINDS[need.kind].movable]
        things = [(need, make(need.kind, need.name, self.seed, need.options)) for need in needs]
        for need, thing in sorted(things, key=lambda pair: -pair[1].size[0] * pair[1].size[1]):
            kinds = (need.room,) if need.room else HOMES.get(need.kind, ANYWHERE)
            rooms = [room for room in self.rooms if room.kind in kinds]
            if not rooms:
                raise NoRoom(f"no {need.room} for {need.name}; rooms: {', '.join(room.kind for room in self.rooms)}")
            self.random.shuffle(rooms)
            wishes = [Wish(need.kind, rule) for rule in rules(need.kind, need.options)]
            if not any(
                self._furnisher.place(thing, wish, room, needed=True, opening=need.opening)
                for room in rooms
                for wish in wishes
            ):
                raise NoRoom(f"no room is left for {need.name}")

    def _furnish_rooms(self) -> None:
        for room in self.rooms:
            for wish in RECIPES[room.kind]:
                if wish.kind in self._shunned:
                    continue
                for _ in range(wish.number if self.random.random() < wish.odds else 0):
                    self._furnisher.place(self._make(wish.kind, wish.options), wish, room)

    def _clutter(self) -> None:
        needed = {need.name for need in self.needs}
        for placed in self.site.placed:
            if placed.thing.name not in needed:
                self.fixed += clutter(placed, self.number, self._shunned, self.seed, self.random)

    def floor_spots(self, thing: Thing, kind: str | None) -> Iterator[Pose]:
        """Poses on free floor within the robot's reach, in rooms of a kind or in rooms with other needed things."""
        supports = [
            self.placed(need.name) for need in self.needs if need.name in {p.thing.name for p in self.site.placed}
        ]
        rooms = [room for room in self.rooms if room.kind == kind] if kind else [self.site.room_of(p) for p in supports]
        rooms = rooms or [room for room in self.rooms if room.kind in ANYWHERE]
        room = self.random.choice(rooms)
        for pose in spots.on_floor(thing, room.corners, self.random):
            x, y, _ = pose.position
            reach = max(thing.size[:2]) / 2.0 + 0.05
            lying = Block(thing.name, x - reach, y - reach, x + reach, y + reach, 0.0, thing.size[2])
            if self.site.fits(room, [lying]) and bool((self.paths.near(lying, _REACH) & self._home_floor).any()):
                yield pose

    def _leaves(self) -> list[Block]:
        """All leaves except those of doors, in their initial positions."""
        found = []
        for placed in self.fixed:
            for leaf in placed.thing.leaves if placed.thing.kind != "door" else ():
                frame = within(placed.pose, opened(leaf, placed.opening))
                (x0, y0, low), (x1, y1, high) = bounds(replace(p, pose=within(frame, p.pose)) for p in leaf.parts)
                found.append(Block(placed.thing.name, x0, y0, x1, y1, low, high))
        return found

    def starts(self) -> Iterator[tuple[float, float, float]]:
        """Possible start places, from which the robot can reach all needed things if it opens doors."""
        cells = self.paths.cells(self._home_floor)
        for _ in range(_STARTS):
            x, y = self.random.choice(cells)
            yield x, y, round(self.random.uniform(-pi, pi), 3)

    def _open_floor(self) -> Bools:
        """The part of the floor from which the robot can reach all needed things."""
        needed = [self.placed(need.name) for need in self.needs if not KINDS[need.kind].movable]
        for x, y in self.random.sample(self.paths.cells(self.paths.free), 12):
            floor = self.paths.from_here(x, y)
            if all(bool((self.paths.near(self._before(placed), 0.0) & floor).any()) for placed in needed):
                return floor
        raise NoRoom("the robot could not get to everything that is needed")

    def _before(self, placed: Placed) -> Block:
        width, depth, _ = placed.thing.size
        sides = 0.0 if placed.thing.kind != "table" else _REACH
        swept = sweep(placed.thing)
        ahead = _REACH if swept is None else max(_REACH, 0.6 - swept[1] - depth / 2.0)
        return region(
            placed.thing.name,
            placed.pose,
            -width / 2.0 - sides,
            -depth / 2.0 - ahead,
            width / 2.0 + sides,
            -depth / 2.0 + sides + (depth if sides else 0.0),
        )


def _swing(placed: Placed) -> list[Block]:
    return swing(placed.thing.name, placed.pose, sweep(placed.thing))

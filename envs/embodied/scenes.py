"""Scenes by name: rooms, furniture, small things, people, and the graph.

    room = scene("room_01")

A name gives the same scene every time. `names()` lists them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from math import hypot
from random import Random

from envs.embodied import graph
from envs.embodied.guests import Guests
from envs.embodied.kinds import STATES, has_states, make
from envs.embodied.model import Person, Scene, Traits
from envs.embodied.plans import SCENES, ScenePlan
from envs.embodied.rooms import RECIPES, STOCK, WINDOWS, style
from envs.embodied.view import Viewer
from envs.embodied.words import word
from envs.household.home import plans, spots, walls
from envs.household.home.frames import opened, within
from envs.household.home.furnish import Furnisher
from envs.household.home.looks import colours, prints
from envs.household.home.model import Home, Part, Placed, Pose, Room, Surface, Thing
from envs.household.home.recipes import Wish
from envs.household.home.shell import shell
from envs.household.home.site import Block, Site, openings_zones, standing, sweep, swing
from envs.household.home.things.openings import WALL
from envs.household.home.things.parts import bounds
from envs.household.home.walls import Opening
from planners.names import unknown

SEATS = ("sofa", "armchair", "chair", "stool", "bench", "booth", "pouffe")
"""Kinds of seats."""
_TRIES = 30
_HIGH = (0.3, 1.35)
"""The range of heights at which things can be seen and picked up."""


def names() -> tuple[str, ...]:
    """All scenes."""
    return tuple(SCENES)


@lru_cache(maxsize=6)
def scene(name: str) -> Scene:
    """The scene with this name."""
    if name not in SCENES:
        raise unknown("scene", name, SCENES)
    plan = SCENES[name]
    reason: Exception | None = None
    for attempt in range(_TRIES):
        try:
            return _Builder(name, plan, Random(f"{name}/{plan.seed}/{attempt}")).build()
        except ValueError as error:
            reason = error
    raise ValueError(f"scene {name!r} cannot be built: {reason}")


@lru_cache(maxsize=6)
def viewer(name: str) -> Viewer:
    """The viewer of a scene, cached as long as the scene."""
    return Viewer(scene(name))


class _Builder:
    def __init__(self, name: str, plan: ScenePlan, random: Random) -> None:
        self.name, self.plan, self.random = name, plan, random
        self.numbers: Counter[str] = Counter()
        drawn = plans.turned(plans.Plan(plan.rooms, plan.ways), random)
        half = WALL / 2.0
        self.rooms = tuple(
            Room(
                room, plan.kinds[room], (round(a + half, 6), round(b + half, 6), round(c - half, 6), round(d - half, 6))
            )
            for room, (a, b, c, d) in drawn.rooms.items()
        )
        self.drawn = drawn
        self.fixed: list[Placed] = []
        self.variants: dict[str, Mapping[str, Thing]] = {}
        self.states: dict[str, str] = {}
        self.people: list[Person] = []
        self.ways = walls.ways(drawn, random)
        self.windows = walls.windows(drawn, random, lambda room: WINDOWS.get(plan.kinds.get(room, ""), 1))
        self._hang()
        swings = [box for placed in self.fixed if placed.thing.kind == "door" for box in _swing(placed)]
        openings = [*self.ways, *self.windows]
        self.site = Site(self.rooms, swings, zones=openings_zones(openings, False))
        self.furnisher = Furnisher(self.site, random)

    def build(self) -> Scene:
        for room in self.rooms:
            for wish in RECIPES[room.kind]:
                for _ in range(wish.number if self.random.random() < wish.odds else 0):
                    self.furnisher.place(self._make(wish), wish, room)
        guests = Guests(self.site, self.rooms, self.random, self.plan.people)
        self.seats = {guest.seat for guest in guests.found}
        movables = [placed for room in self.rooms for placed in self._stock(room)]
        there = (*self.fixed, *self.site.placed, *movables)
        self._dark({placed.thing.name for placed in there})
        self.people, figures = guests.drawn(there, self.plan.seed)
        kinds = {room.name: room.kind for room in self.rooms}
        openings = [*self.ways, *self.windows]
        walls_ = shell(self.drawn, openings, self.random, lambda name, random: style(kinds[name], random))
        placed = (*there, *figures)
        made = graph.build(self.rooms, self.ways, self._doors(), self._blocks(), self._targets(movables, figures))
        start = made.points[0]
        home = Home(self.name, self.rooms, walls_, placed, (start.x, start.y, 0.0))
        traits = {item.thing.name: self._traits(item.thing) for item in placed}
        return Scene(self.name, self.plan.group, home, tuple(self.people), self.states, self.variants, traits, made)

    def number(self, kind: str) -> int:
        """The next number of a kind."""
        self.numbers[kind] += 1
        return self.numbers[kind]

    def _make(self, wish: Wish) -> Thing:
        return self._named(wish.kind, wish.options)

    def _named(self, kind: str, options: tuple[str, ...] = ()) -> Thing:
        name = f"{kind}_{self.number(kind)}"
        thing = make(kind, name, self.plan.seed, options)
        if has_states(kind):
            self.variants[name] = {"off": thing, "on": make(kind, name, self.plan.seed, (*options, "on"))}
            self.states[name] = self.random.choice(STATES)
        return thing

    def _dark(self, there: set[str]) -> None:
        """Drop the states of things that could not be placed."""
        for name in [name for name in self.states if name not in there]:
            del self.states[name], self.variants[name]

    def _hang(self) -> None:
        for way in self.ways:
            thing = make("door", f"door_{self.number('door')}", self.plan.seed)
            if self.random.random() < self.plan.doors:
                self._fix(thing, way, 0.0 if self.random.random() < self.plan.shut else 1.0)
            else:
                self.numbers["door"] -= 1
                name = f"doorway_{self.number('doorway')}"
                self._fix(replace(thing, name=name, kind="doorway", leaves=()), way, 0.0)
        for window in self.windows:
            self._fix(make("window", f"window_{self.number('window')}", self.plan.seed), window, 0.0)
        doors = [box for placed in self.fixed if placed.thing.kind == "door" for box in _swing(placed)]
        if any(a.meets(b) for number, a in enumerate(doors) for b in doors[:number]):
            raise ValueError("two doors would hit each other")

    def _fix(self, thing: Thing, opening: Opening, fraction: float) -> None:
        self.fixed.append(Placed(thing, standing(opening.x, opening.y, opening.inward, opening.sill), fraction))

    def _doors(self) -> list[tuple[str, tuple[float, float]]]:
        return [(placed.thing.name, placed.pose.position[:2]) for placed in self.fixed if placed.thing.kind == "door"]

    def _blocks(self) -> list[Block]:
        """The obstacles to walking: furniture, and the leaves of open doors."""
        return [*self.site.blocks, *(box for placed in self.fixed for box in _leaf(placed))]

    def _targets(self, movables: list[Placed], figures: list[Placed]) -> list[graph.Target]:
        """The targets that need a point nearby: people, small things, then furniture from its front."""
        found = [graph.Target(item.pose.position[:2], 1.1, _front(item)) for item in figures]
        found += [graph.Target(item.pose.position[:2], 0.95) for item in movables]
        for placed in self.site.placed:
            _, depth, height = placed.thing.size
            if height < 0.05:
                continue
            (x, y, z), front = placed.pose.position, _front(placed)
            ahead = (x + front[0] * depth / 2.0, y + front[1] * depth / 2.0)
            found.append(graph.Target(ahead, 1.0 if z < 0.3 else 1.5, front))
        return found

    def _stock(self, room: Room) -> Iterator[Placed]:
        """Place small things on the furniture of a room."""
        supports = [item for item in self.site.placed if self.site.room_of(item) == room and item.thing.surfaces]
        supports = [item for item in supports if item.thing.name not in self.seats]
        taken: list[tuple[Placed, float]] = []
        for kind, on, odds in STOCK.get(room.kind, ()):
            if self.random.random() >= odds:
                continue
            fitting = [item for item in supports if not on or item.thing.kind in on]
            placed = self._put_on(kind, fitting, taken)
            if placed is not None:
                taken.append((placed, hypot(*placed.thing.size[:2]) / 2.0))
                yield placed

    def _put_on(self, kind: str, supports: list[Placed], taken: list[tuple[Placed, float]]) -> Placed | None:
        thing = self._named(kind)
        reach = hypot(*thing.size[:2]) / 2.0
        order = list(supports)
        self.random.shuffle(order)
        # Seats come last: things usually lie on tables.
        order.sort(key=lambda item: thing.kind != "pillow" and item.thing.kind in SEATS)
        for support in order:
            low = [surface for surface in support.thing.surfaces if _HIGH[0] <= surface.centre[2] <= _HIGH[1]]
            bare = replace(support.thing, surfaces=tuple(low))
            if not low:
                continue
            poses = (
                spots.on(thing, bare, support.pose, self.random, tries=10)
                if thing.movable
                else self._at_back(thing, support, low)
            )
            for pose in poses:
                (x, y, z), turn = pose.position, pose.rotation
                z = round(z - (spots.GAP if thing.movable else 0.0), 4)
                if all(
                    abs(item.pose.position[2] - z) > 0.3
                    or hypot(item.pose.position[0] - x, item.pose.position[1] - y) > reach + far + 0.02
                    for item, far in taken
                ):
                    return Placed(thing, Pose((x, y, z), turn))
        self.numbers[kind] -= 1
        return None

    def _at_back(self, thing: Thing, support: Placed, surfaces: list[Surface]) -> Iterator[Pose]:
        """Poses at the back of surfaces, facing in the same direction as the furniture."""
        for _ in range(12):
            surface = self.random.choice(surfaces)
            (x, y, z), (wide, deep) = surface.centre, surface.size
            free = (wide - thing.size[0]) / 2.0
            if free >= 0.0 and thing.size[1] <= deep and thing.size[2] <= surface.clearance:
                across = round(x + self.random.uniform(-free, free), 3)
                yield within(support.pose, Pose((across, round(y + (deep - thing.size[1]) / 2.0, 3), z)))

    def _traits(self, thing: Thing) -> Traits:
        entry = word(thing.kind)
        main, share = next(iter(colours(thing).items()), ("", 0.0))
        wooden = main.endswith("wood")
        # A thing has a colour if one covers at least half of it; wood counts as a material instead.
        colour = main.removeprefix("dark ").removeprefix("light ") if share >= 0.5 and not wooden else ""
        noun = next((person.noun for person in self.people if person.name == thing.name), entry.noun)
        return Traits(
            noun,
            entry.plural,
            colour,
            "wood" if wooden else entry.material,
            entry.shape,
            entry.use,
            " ".join(prints(thing)),
            " ".join(entry.groups),
        )


def _front(placed: Placed) -> tuple[float, float]:
    """The direction that the front of a thing faces."""
    return -placed.pose.rotation[1], -placed.pose.rotation[4]


def _swing(placed: Placed) -> list[Block]:
    return swing(placed.thing.name, placed.pose, sweep(placed.thing))


def _leaf(placed: Placed) -> Iterator[Block]:
    """The leaves of an open door."""
    for leaf in placed.thing.leaves if placed.thing.kind == "door" else ():
        frame = within(placed.pose, opened(leaf, 1.0))
        (x0, y0, low), (x1, y1, high) = bounds(_moved(part, frame) for part in leaf.parts)
        yield Block(placed.thing.name, x0, y0, x1, y1, low, high)


def _moved(part: Part, frame: Pose) -> Part:
    return replace(part, pose=within(frame, part.pose))

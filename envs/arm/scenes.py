"""Tables and counters for arms, by source and seed: things and their places, the light and the cameras."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot, pi, radians, tan
from random import Random

from envs.arm.arms import ARM_OF, Arm, arm_named
from envs.arm.fixtures import made
from envs.household.home.model import Home, Part, Placed, Pose, Room, Thing
from envs.household.home.things.materials import BIRCH, CHERRY, OAK, WALNUT, paint, stone, wood
from envs.household.home.things.parts import slab, span
from envs.household.home.things.turns import about
from envs.render.scene import Camera, Light, Sky, Vector

SIZES: Mapping[str, tuple[int, int]] = {"bridge": (256, 256), "droid": (320, 180), "rt1": (320, 256)}
"""Pixels of one view: width and height."""
VIEWS: Mapping[str, tuple[str, ...]] = {
    "bridge": ("exo_1", "exo_2", "exo_3", "exo_4", "ego"),
    "droid": ("exo_1", "exo_2", "ego"),
    "rt1": ("exo_1",),
}
"""The cameras of each source."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A thing for a table: the number of its type, its scale, its noun, and the grasp.

    `grip` is the height of the finger tips over its underside, `reach` their distance from its middle for things that
    are grasped at the rim.
    """

    kind: str
    scale: float
    noun: str
    grip: float = 0.02
    number: int = 1
    rim: float = 0.0
    width: float = 0.05


TAKEN: tuple[Kind, ...] = (
    Kind("apple", 0.55, "apple", 0.025, width=0.056),
    Kind("orange", 0.60, "orange", 0.025, width=0.055),
    Kind("banana", 0.72, "banana", 0.012, width=0.035),
    Kind("bottle", 0.55, "bottle", 0.07, width=0.042),
    Kind("cup", 0.58, "cup", 0.03, width=0.058),
    Kind("ball", 0.29, "ball", 0.025, width=0.056),
    Kind("plaything", 0.45, "toy car", 0.022, width=0.055),
    Kind("plaything", 0.50, "toy duck", 0.025, number=5, width=0.05),
    Kind("sandwich", 0.36, "sandwich", 0.012, width=0.054),
    Kind("spoon", 0.55, "spoon", 0.006, width=0.032),
    Kind("marker", 0.80, "marker", 0.010, width=0.026),
)
"""The kinds that a gripper can grasp."""
PLACES: tuple[Kind, ...] = (
    Kind("bowl", 0.72, "bowl", 0.02, rim=0.07),
    Kind("plate", 0.60, "plate", 0.01, rim=0.078),
    Kind("basket", 0.46, "basket", 0.03, rim=0.072),
    Kind("saucepan", 0.55, "pot", 0.03, rim=0.06),
)
"""The kinds into or onto which something can be put."""
INSIDE = ("bowl", "basket", "saucepan", "sink")
"""The kinds into which things are put; onto all others they are put."""
FIXTURES: Mapping[str, tuple[str, ...]] = {
    "bridge": ("", "", "sink", "stove"),
    "droid": ("", "", "stove", "sink"),
    "rt1": ("", "", "stove", "sink"),
}


@dataclass(frozen=True, slots=True)
class Reach:
    """The workspace of a gripper: a sector of a ring about the base, and a range of heights."""

    near: float
    far: float
    side: float
    low: float
    high: float


REACH: Mapping[str, Reach] = {
    "bridge": Reach(0.16, 0.44, 0.22, 0.03, 0.29),
    "droid": Reach(0.30, 0.68, 0.36, 0.05, 0.44),
    "rt1": Reach(0.36, 0.64, 0.24, 0.05, 0.40),
}


@dataclass(frozen=True, eq=False)
class Table:
    """One scene: the arm, everything on the table, the light, the cameras outside."""

    source: str
    seed: int
    arm: Arm
    home: Home
    nouns: Mapping[str, str]
    """The noun of each thing; only of movables and of places to put them."""
    kinds: Mapping[str, Kind]
    fixture: str
    lights: tuple[Light, ...]
    sky: Sky
    cameras: Mapping[str, Camera]

    def thing(self, name: str) -> Thing:
        """A thing by its name."""
        return next(placed.thing for placed in self.home.placed if placed.thing.name == name)


@lru_cache(maxsize=64)
def table(source: str, seed: int, wanted: str = "", arm: str = "") -> Table:
    """The scene of a seed; `wanted` is a fixture that it must have: "drawers", "sink", "stove" or "towels"."""
    random = Random(f"{source}/{seed}/{wanted}")
    fixture = _fixture(source, random, wanted)
    placed, kinds = _furnish(source, seed, random, fixture, wanted)
    home = Home(
        f"{source} {seed}",
        (Room("room", "kitchen", (-3.0, -3.0, 3.0, 3.0)),),
        _shell(source, random),
        tuple(placed),
        _AWAY,
    )
    nouns = {name: kind.noun for name, kind in kinds.items()}
    lamp = (round(random.uniform(-0.2, 0.8), 3), round(random.uniform(-0.9, 0.9), 3), 2.1)
    warm = random.choice(((1.0, 1.0, 1.0), (1.0, 0.96, 0.90), (0.95, 0.98, 1.0)))
    light = Light(lamp, 0.28, round(random.uniform(0.52, 0.66), 3), warm, aim=(0.35, 0.0, 0.0))
    sky = Sky(above=(0.66, 0.67, 0.69), below=(0.55, 0.53, 0.50), reach=0.07, beyond=(0.75, 0.78, 0.80))
    cameras = {name: _camera(*spot, random) for name, spot in _CAMERAS[source].items()}
    return Table(source, seed, arm_named(arm or ARM_OF[source]), home, nouns, kinds, fixture, (light,), sky, cameras)


_AWAY = (40.0, 40.0, 0.0)
"""The place of the household's robot, which every home has: out of sight."""


def _shell(source: str, random: Random) -> tuple[Part, ...]:
    grain = random.randrange(997)
    tops = [wood(tone, grain, 0.16) for tone in (OAK, BIRCH, WALNUT, CHERRY)]
    tops += [stone((0.78, 0.77, 0.74), grain), paint((0.86, 0.87, 0.88), 0.15), paint((0.55, 0.62, 0.66), 0.12)]
    top, wall = random.choice(tops), random.choice(((0.80, 0.81, 0.79), (0.74, 0.79, 0.83), (0.86, 0.82, 0.74)))
    x = (0.22, 1.0) if source == "rt1" else (-0.25, 0.85 if source == "bridge" else 1.05)
    y = span(0.0, 1.5 if source == "bridge" else 1.9)
    floor, plaster = paint((0.50, 0.47, 0.43), 0.05), paint(wall, 0.0)
    return (
        slab(top, x, y, (-0.035, 0.0), bevel=0.004),
        slab(paint((0.90, 0.90, 0.88), 0.1), (x[0] + 0.03, x[1] - 0.03), (y[0] + 0.03, y[1] - 0.03), (-0.86, -0.035)),
        slab(floor, (-3.0, 3.0), (-3.0, 3.0), (-0.90, -0.86)),
        slab(plaster, (2.2, 2.3), (-3.0, 3.0), (-0.86, 2.6)),
        slab(plaster, (-3.0, 3.0), (-2.4, -2.3), (-0.86, 2.6)),
        slab(plaster, (-3.0, 3.0), (2.3, 2.4), (-0.86, 2.6)),
        slab(plaster, (-2.2, -2.1), (-3.0, 3.0), (-0.86, 2.6)),
    )


def _fixture(source: str, random: Random, wanted: str) -> str:
    chosen = random.choice(FIXTURES[source])
    return wanted if wanted in ("drawers", "sink", "stove") else "" if wanted else chosen


def _furnish(source: str, seed: int, random: Random, fixture: str, wanted: str) -> tuple[list[Placed], dict[str, Kind]]:
    """Places and things at free spots, each clear of the others."""
    reach = REACH[source]
    placed: list[Placed] = []
    kinds: dict[str, Kind] = {}
    taken: list[tuple[float, float, float]] = [(0.0, 0.0, 0.1 if source == "bridge" else 0.2)]
    if fixture == "drawers":
        side = random.choice((-1, 1))
        x, y = round(reach.far + 0.03, 3), round(side * reach.side * 0.7, 3)
        for number, height in ((1, 0.0), (2, 0.083)):
            opening = 0.5 if wanted else 0.0
            thing = replace(made("drawer", "drawer_1", seed), name=f"drawer_{number}")
            placed.append(Placed(thing, Pose((x, y, height), about("z", -pi / 2)), opening))
            kinds[thing.name] = Kind("drawer", 1.0, ("bottom drawer", "top drawer")[number - 1])
        taken += [(x, y, 0.14), (x - 0.15, y, 0.13)]
    elif fixture:
        thing = made(fixture, f"{fixture}_1", seed)
        side = random.choice((-1, 1))
        x, y = (
            (reach.far + 0.02, side * reach.side * 0.55)
            if fixture != "sink"
            else (reach.far - 0.04, side * reach.side * 0.7)
        )
        placed.append(Placed(thing, Pose((round(x, 3), round(y, 3), 0.0), about("z", -pi / 2))))
        kinds[thing.name] = Kind(fixture, 1.0, fixture)
        taken.append((x, y, hypot(thing.size[0], thing.size[1]) / 2))
    chosen = random.sample(PLACES, 2) + random.sample(TAKEN, 4 if source == "bridge" else 5)
    if wanted == "towels":
        chosen = [
            Kind("towel", 1.0, f"{colour} towel", 0.01, number) for number, colour in random.sample(_TOWELS, 2)
        ] + random.sample(TAKEN, 2)
    if wanted == "towels":
        for kind in chosen[:2]:
            placed.append(Placed(made("folded_towel", f"folded_towel_{kind.number}", seed), Pose(_STORE[kind.number])))
    for kind in chosen:
        thing = made(kind.kind, f"{kind.kind}_{kind.number}", seed, kind.scale)
        radius = hypot(thing.size[0], thing.size[1]) / 2 * 0.92
        spot = _free(random, reach, radius, taken)
        if spot is None or thing.name in kinds:
            continue
        taken.append((*spot, radius))
        kinds[thing.name] = kind
        turn = round(random.uniform(-pi, pi), 3)
        placed.append(Placed(thing, Pose((*spot, 0.0), about("z", turn))))
    return placed, kinds


_STORE: Mapping[int, Vector] = {number: (2.7, 2.6 - 0.4 * number, -0.86) for number in range(1, 5)}
"""Where things are stored that are not in the scene yet: on the floor, behind a wall."""
_TOWELS = ((1, "blue"), (2, "green"), (3, "yellow"), (4, "red"))


def _free(
    random: Random, reach: Reach, radius: float, taken: list[tuple[float, float, float]]
) -> tuple[float, float] | None:
    for _ in range(60):
        far, angle = random.uniform(reach.near, reach.far), random.uniform(-1.0, 1.0)
        x, y = round(far, 3), round(angle * (reach.side + 0.04), 3)
        if hypot(x, y) > reach.far + 0.06:
            continue
        if all(hypot(x - a, y - b) > radius + other + 0.012 for a, b, other in taken):
            return x, y
    return None


_CAMERAS: Mapping[str, Mapping[str, tuple[Vector, Vector, float]]] = {
    "bridge": {
        "exo_1": ((0.52, 0.66, 0.44), (0.29, 0.02, 0.10), 46.0),
        "exo_2": ((0.88, 0.22, 0.44), (0.29, 0.0, 0.12), 44.0),
        "exo_3": ((0.80, -0.40, 0.40), (0.29, 0.0, 0.12), 44.0),
        "exo_4": ((0.20, -0.66, 0.38), (0.29, 0.0, 0.12), 46.0),
    },
    "droid": {
        "exo_1": ((0.97, 0.69, 0.62), (0.46, 0.02, 0.20), 42.0),
        "exo_2": ((0.73, -0.85, 0.60), (0.46, -0.02, 0.20), 42.0),
    },
    "rt1": {"exo_1": ((0.16, 0.68, 0.70), (0.50, -0.02, 0.13), 48.0)},
}
"""The positions of cameras, the points that they look at, and their vertical fields of view in degrees."""
_JITTER = 0.035


def _camera(eye: Vector, target: Vector, field: float, random: Random) -> Camera:
    def near(point: Vector, by: float) -> Vector:
        x, y, z = (round(value + random.uniform(-by, by), 3) for value in point)
        return x, y, z

    return Camera(near(eye, _JITTER), near(target, _JITTER / 2), round(2.0 * tan(radians(field) / 2.0), 6))

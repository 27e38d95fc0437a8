"""One furnished room, put together by hand: what the tests of facts and actions need, and opened in no time."""

from __future__ import annotations

from math import pi

from envs.household.home.model import Home, Part, Placed, Pose, Room
from envs.household.home.simulation import Simulation
from envs.household.home.things import make
from envs.household.home.things.turns import about
from envs.render.scene import Box, Material, Plain, Vector
from planners.formula import Objects

WIDTH, DEPTH, HEIGHT, WALL = 5.0, 4.0, 2.5, 0.1
START = (2.5, 1.2, pi / 2)


def slab(size: Vector, middle: Vector, grey: float) -> Part:
    return Part(Box(size), Material(Plain((grey, grey, grey))), Pose(middle))


SHELL = (
    slab((WIDTH, DEPTH, 0.1), (WIDTH / 2, DEPTH / 2, -0.05), 0.5),
    *(slab((WALL, DEPTH, HEIGHT), (x, DEPTH / 2, HEIGHT / 2), 0.9) for x in (-WALL / 2, WIDTH + WALL / 2)),
    *(slab((WIDTH, WALL, HEIGHT), (WIDTH / 2, y, HEIGHT / 2), 0.9) for y in (-WALL / 2, DEPTH + WALL / 2)),
)

FURNITURE = {
    "cabinet_1": ("cabinet", (0.8, 3.7, 0.0), 0.0),
    "table_1": ("table", (2.6, 3.2, 0.0), 0.0),
    "shelf_1": ("shelf", (4.2, 3.8, 0.0), 0.0),
    "carton_1": ("carton", (4.3, 0.9, 0.0), -pi / 2),
}
"""What stands where, turned how far: fronts look down, at smaller y."""

MOVABLES = {
    "book_1": ("book", (2.4, 3.0), "table_1"),
    "book_2": ("book", (2.9, 3.0), "table_1"),
    "bowl_1": ("bowl", (0.8, 3.7), "cabinet_1"),
    "apple_1": ("apple", (1.2, 1.2), None),
}
"""What lies where; in the cabinet, on the table, or on the floor."""

TYPES = {
    **dict.fromkeys(("cabinet_1", "carton_1"), "container"),
    **dict.fromkeys(("table_1", "shelf_1"), "object"),
    **dict.fromkeys(MOVABLES, "movable"),
}


def small_home() -> Home:
    placed = [
        Placed(make(kind, name, 0), Pose(position, about("z", turn)), opening=float(name == "carton_1"))
        for name, (kind, position, turn) in FURNITURE.items()
    ]
    things = {one.thing.name: one.thing for one in placed}
    for name, (kind, (x, y), support) in MOVABLES.items():
        height = 0.0
        if support == "table_1":
            height = things[support].surfaces[0].centre[2]
        elif support == "cabinet_1":
            cavity = things[support].cavities[-1]
            height = cavity.centre[2] - cavity.size[2] / 2
        placed.append(Placed(make(kind, name, 0), Pose((x, y, height + 0.002))))
    room = Room("room_1", "living room", (0.0, 0.0, WIDTH, DEPTH))
    return Home("small", (room,), SHELL, tuple(placed), START)


def small_simulation() -> Simulation:
    sim = Simulation(small_home())
    sim.settle()
    return sim


def small_objects() -> Objects:
    from envs.household.problems import domain

    return domain().objects(TYPES)

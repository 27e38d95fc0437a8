"""Homes from floor plans: everything needed is there, nothing overlaps, the robot gets everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from math import atan2, cos, hypot, pi, sin
from random import Random

import numpy as np
import pytest

from envs.household.home.layout import LAYOUTS, Need, NoRoom, build
from envs.household.home.model import Home
from envs.household.home.physics import Physics
from envs.household.home.plans import KINDS, PLANS, kind_of
from envs.household.home.recipes import shunned
from envs.household.home.simulation import Simulation
from envs.household.home.things import KINDS as THINGS
from envs.household.home.touch import Touch

FOOD = (
    Need("electric_refrigerator_1", "electric_refrigerator"),
    Need("cabinet_1", "cabinet", room="kitchen"),
    Need("cabinet_2", "cabinet", ("drawers",)),
    Need("table_1", "table"),
    Need("carton_1", "carton", opening=1.0),
    Need("sandwich_1", "sandwich", inside="electric_refrigerator_1"),
    Need("snack_food_1", "snack_food", inside="cabinet_1"),
    Need("sock_1", "sock", inside="cabinet_2"),
    Need("apple_1", "apple", on="table_1"),
    Need("orange_1", "orange", on="table_1"),
    Need("plaything_1", "plaything", room="living room"),
)
OPENINGS = (
    Need("door_1", "door", opening=1.0),
    Need("door_2", "door", opening=0.6),
    *(Need(f"window_{number}", "window", opening=1.0) for number in (1, 2, 3)),
)
GARAGE = (
    Need("shelf_1", "shelf", ("doors",), room="garage"),
    Need("carton_1", "carton", room="garage", opening=1.0),
    Need("plate_1", "plate", inside="shelf_1"),
    Need("ball_1", "ball", room="garage"),
)
CASES: dict[str, Sequence[Need]] = {"food": FOOD, "openings": OPENINGS, "garage": GARAGE, "nothing": ()}
QUICK = [("row", 0, "food"), ("corner", 3, "garage")]
MANY = [("long", 1, "openings"), *((layout, seed, case) for seed, (layout, case) in enumerate(product(LAYOUTS, CASES)))]

every_home = pytest.mark.parametrize(
    ("layout", "seed", "case"),
    [*QUICK, *(pytest.param(*home, marks=pytest.mark.slow) for home in MANY)],
    scope="module",
)


@lru_cache(maxsize=4)
def home_of(layout: str, seed: int, case: str) -> Home:
    """Built once for the tests that look at one home after the other."""
    return build(layout, seed, CASES[case])


def overlaps(home: Home) -> set[tuple[str, str]]:
    """Things that are deeper in each other than the width of a hair and a half; rugs may lie under anything."""
    simulation = Physics(home)
    for placed in home.placed:
        for leaf in placed.thing.leaves:
            at = simulation.pieces[placed.thing.name, leaf.name].at
            simulation.data.qpos[at] = leaf.travel * placed.opening
    simulation.refresh()
    touch = Touch(simulation)
    flat = {placed.thing.name for placed in home.placed if placed.thing.kind == "rug"}
    found = set()
    for piece in simulation.pieces.values():
        others = simulation.owner != simulation.names.index(piece.owner)
        if piece.owner not in flat | {"shell"}:
            for _, other in touch.hits(piece.geoms, others, -0.003):
                found.add((piece.owner, simulation.names[simulation.owner[other]]))
    return {pair for pair in found if not flat.intersection(pair)}


@every_home
def test_nothing_is_inside_anything_else(layout: str, seed: int, case: str) -> None:
    assert overlaps(home_of(layout, seed, case)) == set()


@every_home
def test_everything_needed_is_there_and_nothing_like_it(layout: str, seed: int, case: str) -> None:
    home = home_of(layout, seed, case)
    needs = {need.name: need for need in CASES[case]}
    things = {placed.thing.name: placed for placed in home.placed}
    assert len(things) == len(home.placed), "names are unique"
    assert needs.keys() <= things.keys()
    unwanted = shunned(frozenset(need.kind for need in CASES[case]))
    assert not [name for name, placed in things.items() if placed.thing.kind in unwanted and name not in needs]
    assert {name for name, placed in things.items() if placed.thing.movable} <= needs.keys()
    for name, need in needs.items():
        assert things[name].thing.kind == need.kind
        assert things[name].opening == need.opening
        if need.room is not None:
            x, y, _ = things[name].pose.position
            rooms = [room for room in home.rooms if room.kind == need.room]
            assert any(r.corners[0] <= x <= r.corners[2] and r.corners[1] <= y <= r.corners[3] for r in rooms)


@every_home
def test_movables_stay_where_they_are_put(layout: str, seed: int, case: str) -> None:
    simulation = Simulation(home_of(layout, seed, case))
    start = simulation.save()
    touching = simulation.contacts()
    for need in CASES[case]:
        if need.on is not None:
            first, second = sorted((need.name, need.on))
            assert (first, second) in touching
    simulation.settle(2.0)
    assert simulation.save() == start


@every_home
def test_the_robot_can_stand_before_everything_needed(layout: str, seed: int, case: str) -> None:
    simulation = Simulation(home_of(layout, seed, case))
    assert simulation.robot_fits(*simulation.robot()), "it fits where it starts"
    for need in CASES[case]:
        target = need.inside or need.on or need.name
        (x0, y0, low), (x1, y1, high) = simulation.box(target)
        x, y, z, dice = (x0 + x1) / 2, (y0 + y1) / 2, (low + high) / 2, Random(need.name)
        for _ in range(400):
            angle, away = dice.uniform(-pi, pi), dice.uniform(0.5, 1.5)
            at = (x + cos(angle) * away, y + sin(angle) * away)
            yaw, tilt = atan2(y - at[1], x - at[0]), atan2(1.36 - z, hypot(x - at[0], y - at[1]))
            if simulation.robot_fits(*at, yaw, tilt):
                simulation.move_robot(*at, yaw, tilt)
                if simulation.seen().get(target, 0) > 400:
                    break
        else:
            pytest.fail(f"the robot never sees {target} from near by")


@pytest.mark.parametrize(
    ("layout", "seed", "case"),
    [QUICK[0], *(pytest.param(*home, marks=pytest.mark.slow) for home in (*QUICK[1:], MANY[0]))],
)
def test_the_same_arguments_give_the_same_home_and_picture(layout: str, seed: int, case: str) -> None:
    from envs.render.ray import snapshot

    homes = [build(layout, seed, CASES[case]) for _ in range(2)]
    assert homes[0] == homes[1]
    pictures = [snapshot(Simulation(home).scene(), 96, 96).rgb for home in homes]
    assert np.array_equal(*pictures)
    assert len(np.unique(pictures[0].reshape(-1, 3), axis=0)) > 50, "there is something to see"


@pytest.mark.slow
def test_seeds_and_layouts_differ() -> None:
    homes = [home_of(*home, "food") for home in (("row", 0), ("row", 1), ("open", 0))]
    assert all(a.rooms != b.rooms or a.placed != b.placed for a, b in combinations(homes, 2))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_plans_have_every_kind_of_room_and_ways_between_all(layout: str) -> None:
    plan = PLANS[layout]
    assert {kind_of(name) for name in plan.rooms} == set(KINDS)
    for (ax, ay, bx, by), (cx, cy, dx, dy) in combinations(plan.rooms.values(), 2):
        assert bx <= cx or dx <= ax or by <= cy or dy <= ay, "rooms overlap"
    reached, before = {next(iter(plan.rooms))}, set[str]()
    while reached != before:
        before = set(reached)
        reached |= {room for way in plan.ways if reached & set(way) for room in way}
    assert reached == set(plan.rooms)


@every_home
def test_leaves_of_needed_things_can_move(layout: str, seed: int, case: str) -> None:
    simulation = Simulation(home_of(layout, seed, case))
    simulation.move_robot(-50.0, -50.0, 0.0)
    for need in CASES[case]:
        if simulation.thing(need.name).leaves:
            assert not simulation.blocked_leaf(need.name, 0.0 if need.opening > 0.5 else 1.0)


FIXED = sorted(kind for kind in THINGS if not THINGS[kind].movable)


@pytest.mark.parametrize(
    "kind", [kind if kind == "picture" else pytest.param(kind, marks=pytest.mark.slow) for kind in FIXED]
)
def test_anything_can_be_needed(kind: str) -> None:
    home = build("open", 1, [Need(f"{kind}_1", kind)])
    (placed,) = (placed for placed in home.placed if placed.thing.kind == kind)
    assert placed.thing.name == f"{kind}_1"
    assert overlaps(home) == set()


@pytest.mark.slow
def test_what_lies_in_shut_things_is_out_of_sight() -> None:
    simulation = Simulation(home_of("row", 0, "food"))
    for container, content in (
        ("electric_refrigerator_1", "sandwich_1"),
        ("cabinet_1", "snack_food_1"),
        ("cabinet_2", "sock_1"),
    ):
        (x0, y0, _), (x1, y1, _) = simulation.box(container)
        for angle in np.arange(0.0, 2 * pi, pi / 6):
            simulation.move_robot((x0 + x1) / 2 + cos(angle), (y0 + y1) / 2 + sin(angle), float(angle) + pi, 0.5)
            assert content not in simulation.seen()


def test_what_cannot_be_had_is_said() -> None:
    with pytest.raises(ValueError, match="Did you mean 'row'"):
        build("rwo", 0)
    with pytest.raises(ValueError, match="no kind of thing 'aple'"):
        build("row", 0, [Need("aple_1", "aple")])
    with pytest.raises(ValueError, match="no kind of room 'attic'"):
        build("row", 0, [Need("table_1", "table", room="attic")])
    with pytest.raises(ValueError, match="no need 'table_1'"):
        build("row", 0, [Need("apple_1", "apple", on="table_1")])
    with pytest.raises(ValueError, match="apple_1 is needed twice"):
        build("row", 0, [Need("apple_1", "apple"), Need("apple_1", "apple")])
    with pytest.raises(ValueError, match="snack_food_1 is too large to lie in cabinet_1"):
        build(
            "row",
            0,
            [Need("cabinet_1", "cabinet", ("drawers",)), Need("snack_food_1", "snack_food", inside="cabinet_1")],
        )
    with pytest.raises(NoRoom, match=r"layout 'row' with seed 0: no opening is left for door_\d+, in \d+ tries"):
        build("row", 0, [Need(f"door_{number}", "door") for number in range(1, 9)])

"""The physics of a small room: what falls, opens, hits, is held and seen."""

from __future__ import annotations

from math import pi

import pytest

from envs.household.home.model import Home, Part, Placed, Pose, Room
from envs.household.home.simulation import Simulation, Snapshot
from envs.household.home.things import make
from envs.household.home.things.parts import slab
from envs.household.home.things.turns import about
from envs.render.scene import Material, Plain

GREY = Material(Plain((0.7, 0.7, 0.7)))
SHELL: tuple[Part, ...] = (
    slab(GREY, (-2.5, 2.5), (-2.5, 2.5), (-0.1, 0.0)),
    *(slab(GREY, side, (-2.5, 2.5), (0.0, 2.5)) for side in ((-2.6, -2.5), (2.5, 2.6))),
    *(slab(GREY, (-2.5, 2.5), side, (0.0, 2.5)) for side in ((-2.6, -2.5), (2.5, 2.6))),
)
FIXED = {
    "cabinet_1": ("cabinet", ("drawers",), (-1.2, 2.1), 0.0),
    "cabinet_2": ("cabinet", (), (1.2, 2.1), 0.0),
    "table_1": ("table", (), (0.0, -1.2), 0.0),
}
LOOSE = {
    "apple_1": ("apple", (0.2, -1.2, 0.75)),
    "book_1": ("book", (-0.2, -1.2, 0.75)),
    "cup_1": ("cup", (-0.2, -1.2, 0.79)),
    "bowl_1": ("bowl", (1.2, 2.1, 0.1)),
    "sock_1": ("sock", (-1.2, 2.1, 0.70)),
}


def room(**extra: Pose) -> Home:
    placed = [
        Placed(make(kind, name, 0, options), Pose((x, y, 0.0), about("z", turn)))
        for name, (kind, options, (x, y), turn) in FIXED.items()
    ]
    for name, (kind, position) in LOOSE.items():
        placed.append(Placed(make(kind, name, 0), extra.get(name, Pose(position))))
    return Home("small", (Room("room", "study", (-2.5, -2.5, 2.5, 2.5)),), SHELL, tuple(placed), (0.0, 0.3, -pi / 2))


@pytest.fixture(scope="module")
def settled() -> tuple[Simulation, Snapshot]:
    simulation = Simulation(room())
    simulation.settle(3.0)
    return simulation, simulation.save()


@pytest.fixture
def sim(settled: tuple[Simulation, Snapshot]) -> Simulation:
    simulation, start = settled
    simulation.restore(start)
    return simulation


def poses(simulation: Simulation) -> dict[str, Pose]:
    return {name: simulation.pose(name) for name in LOOSE}


def test_things_come_to_rest_on_what_is_below_them(sim: Simulation) -> None:
    touching = sim.contacts()
    assert {("apple_1", "table_1"), ("book_1", "table_1"), ("book_1", "cup_1")} <= touching
    assert {("bowl_1", "cabinet_2"), ("cabinet_1", "sock_1")} <= touching
    assert ("cup_1", "table_1") not in touching
    top = sim.thing("table_1").surfaces[0].centre[2]
    assert sim.pose("book_1").position[2] == pytest.approx(top, abs=0.002)


def test_things_at_rest_stay_where_they_are(sim: Simulation) -> None:
    before, picture = poses(sim), sim.scene()
    for _ in range(20):
        sim.settle(0.5)
    assert poses(sim) == before
    assert sim.scene() == picture


def test_what_hangs_in_the_air_falls(sim: Simulation) -> None:
    sim.put("apple_1", Pose((0.0, 0.5, 0.8)))
    sim.settle(3.0)
    assert sim.pose("apple_1").position[2] < 0.05
    assert ("apple_1", "shell") in sim.contacts()


def test_poses_are_to_the_millionth(sim: Simulation) -> None:
    for name in LOOSE:
        pose = sim.pose(name)
        assert all(value == round(value, 6) for value in (*pose.position, *pose.rotation))


def test_saved_moments_come_back_exactly(sim: Simulation) -> None:
    saved, seen, scene = sim.save(), dict(sim.seen()), sim.scene()
    sim.hold("apple_1")
    sim.move_robot(0.5, 0.5, 1.0, 0.6)
    sim.set_opening("cabinet_1", 1.0)
    sim.put("cup_1", Pose((0.0, 0.0, 0.5)))
    sim.settle()
    assert sim.save() != saved
    sim.restore(saved)
    assert sim.save() == saved
    assert sim.held is None
    assert sim.scene() == scene
    assert sim.seen() == seen


def test_after_going_back_the_same_happens_again(sim: Simulation) -> None:
    saved = sim.save()
    ends = []
    for _ in range(2):
        sim.restore(saved)
        sim.put("apple_1", Pose((0.4, -1.1, 1.2)))
        sim.settle(3.0)
        ends.append(sim.save())
    assert ends[0] == ends[1]


def test_the_same_calls_give_the_same_floats() -> None:
    ends = []
    for _ in range(2):
        simulation = Simulation(room())
        simulation.settle(3.0)
        simulation.set_opening("cabinet_1", 0.7)
        simulation.settle()
        ends.append(simulation.save())
    assert ends[0] == ends[1]


def test_a_drawer_takes_along_what_lies_in_it(sim: Simulation) -> None:
    x, y, z = sim.pose("sock_1").position
    sim.set_opening("cabinet_1", 1.0)
    travel = max(leaf.travel for leaf in sim.thing("cabinet_1").leaves)
    assert sim.pose("sock_1").position == pytest.approx((x, y - travel, z), abs=0.12)
    assert sim.pose("sock_1").position[1] < y - 0.1
    opened = sim.pose("sock_1")
    sim.settle()
    assert sim.pose("sock_1") == opened
    sim.set_opening("cabinet_1", 0.0)
    assert sim.pose("sock_1").position == pytest.approx((x, y, z), abs=2e-6)


def test_a_shut_container_hides_what_is_in_it(sim: Simulation) -> None:
    sim.move_robot(1.2, 0.9, pi / 2, 0.6)
    assert sim.seen()["cabinet_2"] > 10_000
    assert "bowl_1" not in sim.seen()
    sim.set_opening("cabinet_2", 1.0)
    sim.move_robot(1.2, 1.0, pi / 2, 0.8)
    assert sim.seen()["bowl_1"] > 300


def test_openings_are_asked_and_set_within_bounds(sim: Simulation) -> None:
    assert sim.opening("cabinet_1") == 0.0
    sim.set_opening("cabinet_1", 0.4)
    assert sim.opening("cabinet_1") == 0.4
    with pytest.raises(ValueError, match="from 0"):
        sim.set_opening("cabinet_1", 1.2)
    with pytest.raises(ValueError, match="table_1 has no leaves"):
        sim.opening("table_1")


def test_a_leaf_is_blocked_by_the_robot_and_by_things(sim: Simulation) -> None:
    sim.move_robot(0.0, 0.0, 0.0)
    assert not sim.blocked_leaf("cabinet_2", 1.0)
    sim.move_robot(1.2, 1.45, pi / 2)
    assert sim.blocked_leaf("cabinet_2", 1.0)
    sim.move_robot(0.0, 0.0, 0.0)
    sim.put("book_1", Pose((1.2, 1.65, 0.0)))
    assert not sim.blocked_leaf("cabinet_1", 1.0)
    assert not sim.blocked_leaf("cabinet_2", 1.0), "doors pass above what lies flat on the floor"
    sim.put("cup_1", Pose((1.2, 1.65, 0.3)))
    assert sim.blocked_leaf("cabinet_2", 1.0)


def test_what_would_overlap_collides(sim: Simulation) -> None:
    x, y, z = sim.pose("book_1").position
    assert sim.collides("apple_1", Pose((x, y, z + 0.005)))
    assert not sim.collides("apple_1", Pose((x, y, z + 0.005)), ignore=("book_1", "cup_1"))
    assert not sim.collides("apple_1", Pose((x + 0.4, y, z + 0.005)))
    assert sim.collides("apple_1", Pose((x + 0.4, y, z - 0.03)))
    assert sim.collides("apple_1", Pose((2.5, 0.0, 1.0))), "walls are in the way, too"


def test_asking_moves_nothing(sim: Simulation) -> None:
    before, touching, boxes = sim.save(), sim.contacts(), [sim.box(name) for name in (*LOOSE, *FIXED)]
    sim.collides("apple_1", Pose((0.0, 0.0, 0.5)))
    sim.robot_fits(1.0, 1.0, 0.0)
    sim.blocked_leaf("cabinet_1", 1.0)
    assert sim.save() == before
    assert sim.contacts() == touching
    assert [sim.box(name) for name in (*LOOSE, *FIXED)] == boxes


def test_the_robot_fits_only_where_it_overlaps_nothing(sim: Simulation) -> None:
    assert sim.robot_fits(0.0, 0.3, -pi / 2)
    assert not sim.robot_fits(0.0, -1.2, 0.0), "in the table"
    assert not sim.robot_fits(2.4, 0.0, 0.0), "in the wall"
    assert not sim.robot_fits(9.0, 0.0, 0.0), "outside"
    sim.put("cup_1", Pose((-1.0, 0.0, 0.05)))
    assert not sim.robot_fits(-1.0, 0.0, 0.0), "on the cup"


def test_the_hand_carries_what_it_holds(sim: Simulation) -> None:
    sim.hold("book_1")
    before = sim.pose("book_1")
    sim.settle()
    assert sim.pose("book_1") == before, "held things do not fall"
    sim.move_robot(1.0, 0.5, 0.3, 0.2)
    assert sim.pose("book_1") != before
    assert ("book_1", "robot") in sim.contacts()
    with pytest.raises(ValueError, match="it holds book_1"):
        sim.hold("cup_1")
    sim.release()
    sim.settle(3.0)
    assert sim.pose("book_1").position[2] < 0.1


@pytest.mark.parametrize("name", sorted(LOOSE))
@pytest.mark.parametrize("tilt", [-0.2, 0.3, 0.9])
def test_a_held_thing_is_in_view_but_not_in_the_way(sim: Simulation, name: str, tilt: float) -> None:
    from envs.render.ray import segment

    sim.hold(name)
    sim.move_robot(0.0, 0.3, 0.8, tilt)
    assert sim.seen()[name] > 400
    shown = segment(sim.scene(), 96, 96)
    mine = [number for number, owner in enumerate(shown.names) if owner in (name, "robot")]
    assert not (shown.segmentation[:60, 24:72][..., None] == mine).any()


@pytest.mark.parametrize("tilt", [-0.2, 0.3, 0.9])
def test_the_gripper_shows_at_the_lower_edge(sim: Simulation, tilt: float) -> None:
    sim.move_robot(0.0, 0.3, 0.8, tilt)
    assert 1_000 < sim.seen()["robot"] < 30_000


def test_only_movables_are_moved(sim: Simulation) -> None:
    with pytest.raises(ValueError, match="table_1 cannot be moved"):
        sim.put("table_1", Pose())
    with pytest.raises(ValueError, match="Did you mean 'apple_1'"):
        sim.pose("aple_1")


def test_boxes_go_round_things(sim: Simulation) -> None:
    low, high = sim.box("table_1")
    width, depth, height = sim.thing("table_1").size
    assert tuple(b - a for a, b in zip(low, high, strict=True)) == pytest.approx((width, depth, height), abs=0.01)
    shut = sim.box("cabinet_2")
    sim.set_opening("cabinet_2", 1.0)
    assert sim.box("cabinet_2") == shut
    assert sim.box("cabinet_2", leaves=True)[0][1] < shut[0][1] - 0.2

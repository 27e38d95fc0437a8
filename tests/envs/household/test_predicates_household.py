"""Facts of a home from its geometry, in a room that is put together by hand."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import pytest

from envs.household.home.model import Pose
from envs.household.home.simulation import Simulation
from envs.household.predicates import NEAR, OPEN, REACH, distance, facts, gap, is_open, reachable, visible
from tests.envs.household.small_home import small_home, small_objects, small_simulation


@pytest.fixture
def sim() -> Simulation:
    return small_simulation()


def true(sim: Simulation, *predicates: str) -> set[str]:
    return {str(atom) for atom in facts(sim, small_objects()) if not predicates or atom.predicate in predicates}


def stand(sim: Simulation, x: float, y: float, looking: float = pi / 2, tilt: float = 0.5) -> None:
    sim.move_robot(x, y, looking, tilt)


def top(sim: Simulation, support: str, board: int = 0) -> float:
    return sim.pose(support).position[2] + sim.thing(support).surfaces[board].centre[2]


def test_what_the_room_starts_with(sim: Simulation) -> None:
    relations = {"ontop book_1,table_1", "ontop book_2,table_1", "inside bowl_1,cabinet_1", "nextto bowl_1,cabinet_1"}
    assert true(sim, "ontop", "inside", "nextto") == relations
    assert true(sim, "open", "holding") == {"open carton_1"}


def test_near_is_not_enough_to_be_reachable(sim: Simulation) -> None:
    stand(sim, 2.4, 2.3)
    assert {"reachable book_1", "reachable table_1"} <= true(sim)
    stand(sim, 2.4, 2.3, looking=-pi / 2)
    assert distance(sim, "table_1") < REACH
    assert not reachable(sim, "table_1")


def test_seen_is_not_enough_to_be_reachable(sim: Simulation) -> None:
    stand(sim, 2.4, 0.7, tilt=0.3)
    assert "table_1" in visible(sim, small_objects())
    assert distance(sim, "table_1") > REACH
    assert not reachable(sim, "table_1")


def test_what_is_shut_away_is_not_visible(sim: Simulation) -> None:
    stand(sim, 0.8, 2.6)
    assert "bowl_1" not in visible(sim, small_objects())
    sim.set_opening("cabinet_1", 1.0)
    assert "bowl_1" in visible(sim, small_objects())
    assert "reachable bowl_1" in true(sim)


def test_open_begins_a_part_of_the_way(sim: Simulation) -> None:
    sim.set_opening("cabinet_1", OPEN - 0.01)
    assert not is_open(sim, "cabinet_1")
    sim.set_opening("cabinet_1", OPEN)
    assert is_open(sim, "cabinet_1")


def test_a_held_thing_is_in_on_and_beside_nothing(sim: Simulation) -> None:
    stand(sim, 2.4, 2.3)
    sim.hold("book_1")
    said = true(sim)
    assert "holding book_1" in said
    assert "reachable book_1" in said
    assert not [fact for fact in said if "book_1" in fact and not fact.startswith(("holding", "reachable"))]


@pytest.mark.parametrize("board", range(5))
def test_every_board_of_a_shelf_counts_as_its_top(sim: Simulation, board: int) -> None:
    sim.put("book_1", Pose((4.2, 3.8, top(sim, "shelf_1", board) + 0.005)))
    sim.settle()
    assert "ontop book_1,shelf_1" in true(sim)


def test_a_book_on_a_book_is_not_on_the_table(sim: Simulation) -> None:
    (x, y, _), height = sim.pose("book_2").position, sim.box("book_2")[1][2]
    sim.put("book_1", Pose((x, y, height + 0.003)))
    sim.settle()
    assert true(sim, "ontop") == {"ontop book_1,book_2", "ontop book_2,table_1"}
    assert "nextto book_1,book_2" not in true(sim)


def test_in_the_air_there_is_nothing_to_be_on(sim: Simulation) -> None:
    sim.put("apple_1", Pose((2.6, 3.2, top(sim, "table_1") + 0.05)))
    assert "ontop apple_1,table_1" not in true(sim)
    sim.settle()
    assert "ontop apple_1,table_1" in true(sim)


def test_on_the_floor_of_a_carton_is_inside_and_not_on_top(sim: Simulation) -> None:
    sim.put("apple_1", Pose((4.3, 0.9, 0.05)))
    sim.settle()
    said = true(sim)
    assert {"inside apple_1,carton_1", "nextto apple_1,carton_1"} <= said
    assert "ontop apple_1,carton_1" not in said


def test_beside_means_a_narrow_gap_at_one_height(sim: Simulation) -> None:
    x, y, z = sim.pose("book_2").position
    width = sim.box("book_2")[1][0] - x
    half = sim.thing("apple_1").size[0] / 2
    sim.put("apple_1", Pose((x + width + half + NEAR - 0.03, y, z + 0.002)))
    assert {"nextto apple_1,book_2", "nextto book_2,apple_1"} <= true(sim)
    sim.put("apple_1", Pose((x + width + half + NEAR + 0.03, y, z + 0.002)))
    assert "nextto apple_1,book_2" not in true(sim)
    sim.put("apple_1", Pose((x + width + half + 0.03, y, z + 0.4)))
    assert "nextto apple_1,book_2" not in true(sim)


def test_nothing_is_beside_what_is_in_another_room() -> None:
    home = small_home()
    x, y, z = small_simulation().pose("book_2").position
    room, middle = home.rooms[0], x + 0.15
    x0, y0, x1, y1 = room.corners
    left = replace(room, corners=(x0, y0, middle, y1))
    right = replace(room, name="room_2", corners=(middle, y0, x1, y1))
    for rooms, expected in (((room,), True), ((left, right), False)):
        sim = Simulation(replace(home, rooms=rooms))
        sim.put("apple_1", Pose((x + 0.2, y, z + 0.002)))
        assert ("nextto apple_1,book_2" in true(sim)) is expected


def test_gaps_are_measured_on_the_floor_plan() -> None:
    box = ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    assert gap(box, ((2.0, 0.0, 5.0), (3.0, 1.0, 6.0))) == 1.0
    assert gap(box, ((4.0, 5.0, 0.0), (5.0, 6.0, 1.0))) == 5.0
    assert gap(box, ((0.5, 0.5, 2.0), (2.0, 2.0, 3.0))) == 0.0


def test_turned_furniture_has_its_surfaces_and_cavities_with_it(sim: Simulation) -> None:
    # The carton stands turned by a quarter; a corner of its cavity is inside, the same offset unturned is not.
    width, depth, _ = sim.thing("carton_1").cavities[0].size
    assert width > depth + 0.02
    reach = (width + depth) / 4
    for dx, dy, expected in ((0.0, reach, True), (reach, 0.0, False)):
        sim.put("apple_1", Pose((4.3 + dx, 0.9 + dy, 0.15)))
        assert ("inside apple_1,carton_1" in true(sim)) is expected

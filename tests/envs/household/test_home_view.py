"""What the robot sees of a home, and the frames it is worked out in."""

from __future__ import annotations

import gc
from dataclasses import replace
from math import atan2, cos, hypot, pi, sin
from random import Random
from weakref import ref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.household.home import robot
from envs.household.home.frames import inverse, opened, quaternion, rotation, spot, turning, within
from envs.household.home.layout import LAYOUTS, Need, build
from envs.household.home.model import Home, Leaf, Pose
from envs.household.home.physics import plan
from envs.household.home.robot import Stance
from envs.household.home.sight import Sight
from envs.household.home.simulation import Simulation
from envs.household.home.things import KINDS, make
from envs.household.home.view import furniture
from envs.render.ray import segment
from envs.render.snapshot import Stage

angles = st.floats(-3.0, 3.0)
metres = st.floats(-5.0, 5.0)
axes = st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.1, 1)).map(
    lambda v: tuple(value / sum(w * w for w in v) ** 0.5 for value in v)
)
turns = st.builds(turning, axes, angles)
poses = st.builds(Pose, st.tuples(metres, metres, metres), turns)


@given(turns)
def test_rotations_survive_being_quaternions(turn: tuple[float, ...]) -> None:
    assert rotation(quaternion(turn)) == pytest.approx(turn, abs=2e-6)  # type: ignore[arg-type]


@given(poses, poses)
def test_a_pose_and_its_inverse_lead_back(outer: Pose, inner: Pose) -> None:
    back = within(inverse(outer), within(outer, inner))
    assert back.position == pytest.approx(inner.position, abs=1e-6)
    assert back.rotation == pytest.approx(inner.rotation, abs=1e-6)


@given(st.floats(0, 1))
def test_hinges_turn_about_their_anchor(opening: float) -> None:
    leaf = Leaf("door", "hinge", (0.0, 0.0, 1.0), (0.4, -0.2, 0.0), -1.7, ())
    assert spot(opened(leaf, opening), leaf.anchor) == pytest.approx(leaf.anchor, abs=1e-8)


@given(metres, metres, angles, st.floats(robot.HIGHEST, robot.LOWEST))
def test_the_arm_always_reaches_the_hand(x: float, y: float, yaw: float, tilt: float) -> None:
    links = robot.links(Stance(x, y, yaw, tilt))
    half = 0.29 / 2.0
    wrist, elbow = (spot(links["forearm"], (0.0, 0.0, end)) for end in (half, -half))
    assert wrist == pytest.approx(links["hand"].position, abs=1e-3)
    # With the head tilted up all the way the elbow is stretched to its last two millimetres.
    assert spot(links["upper arm"], (0.0, 0.0, half)) == pytest.approx(elbow, abs=3e-3)
    assert spot(links["upper arm"], (0.0, 0.0, -half)) == pytest.approx(Stance(x, y, yaw, tilt).shoulder, abs=1e-3)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_parts_are_turned_and_not_mirrored(kind: str) -> None:
    for options in ((), *((option,) for option in KINDS[kind].options)):
        thing = make(kind, f"{kind}_1", 0, options)
        for part in (*thing.parts, *(part for leaf in thing.leaves for part in leaf.parts)):
            turn = np.array(part.pose.rotation).reshape(3, 3)
            assert np.allclose(turn @ turn.T, np.eye(3), atol=1e-6)
            assert np.linalg.det(turn) == pytest.approx(1.0, abs=1e-6)


@pytest.fixture(scope="module")
def home() -> Home:
    return build("open", 2, [Need("door_1", "door", opening=1.0), Need("door_2", "door", opening=0.5)])


def stances(home: Home, simulation: Simulation, number: int) -> list[Stance]:
    """Places all over the home where the robot fits."""
    dice, found = Random(7), list[Stance]()
    while len(found) < number:
        x0, y0, x1, y1 = dice.choice(home.rooms).corners
        stance = Stance(dice.uniform(x0, x1), dice.uniform(y0, y1), dice.uniform(-pi, pi), dice.uniform(-0.2, 0.9))
        if simulation.robot_fits(stance.x, stance.y, stance.yaw, stance.tilt):
            found.append(stance)
    return found


def shown(simulation: Simulation) -> np.ndarray:
    seen = segment(simulation.scene(), 120, 120)
    names = np.array([*seen.names, ""])
    return names[seen.segmentation]


@pytest.mark.slow
def test_rooms_that_are_left_out_would_not_be_seen(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = Simulation(home)
    fewer = 0
    for stance in stances(home, simulation, 12):
        simulation.move_robot(stance.x, stance.y, stance.yaw, stance.tilt)
        part, solids = shown(simulation), len(simulation.scene().solids)
        with monkeypatch.context() as patch:
            patch.setattr(Sight, "rooms", lambda *_: tuple(room.name for room in home.rooms))
            simulation.move_robot(stance.x, stance.y, stance.yaw, stance.tilt)
            whole = shown(simulation)
            fewer += solids < len(simulation.scene().solids)
        # Shapes that touch are parted by their number in the scene, so a few pixels on edges may change hands.
        assert (part != whole).mean() < 0.004
    assert fewer > 6


def test_one_looks_through_doors_that_are_not_shut(home: Home) -> None:
    simulation = Simulation(home)
    (door,) = (placed for placed in home.placed if placed.thing.name == "door_1")
    x, y, _ = spot(door.pose, (0.0, -1.2, 0.0))
    dx, dy, _ = spot(door.pose, (0.0, 1.2, 0.0))
    simulation.move_robot(x, y, atan2(dy - y, dx - x), 0.1)
    through = len(simulation.scene().solids)
    simulation.set_opening("door_1", 0.0)
    assert len(simulation.scene().solids) < through
    assert simulation.seen()["door_1"] > 50_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "layout", [LAYOUTS[0], *(pytest.param(layout, marks=pytest.mark.slow) for layout in LAYOUTS[1:])]
)
def test_every_way_of_a_plan_can_be_looked_through(layout: str) -> None:
    home = build(layout, 1)
    sight = Sight(home.rooms, home.placed)
    for placed in home.placed:
        if placed.thing.kind in ("door", "doorway"):
            near, far = (spot(placed.pose, (0.0, side, 0.0))[:2] for side in (-0.9, 0.9))
            yaw = atan2(far[1] - near[1], far[0] - near[0])
            seen = sight.rooms(*near, (yaw - 0.5, yaw + 0.5), {placed.thing.name: 1.0})
            assert set(seen) >= {*sight.at(*near), *sight.at(*far)}
            if placed.thing.leaves:
                away = sight.rooms(*near, (yaw - 0.5, yaw + 0.5), {})
                assert away == tuple(sight.at(*near))


def test_the_camera_is_where_the_head_is() -> None:
    camera = robot.camera(Stance(1.0, 2.0, pi / 2, 0.5))
    (x, y, z), (a, b, c) = camera.position, camera.target
    assert 1.25 < z < 1.45
    assert hypot(x - 1.0, y - 2.0) < 0.2
    assert (a - x, b - y, c - z) == pytest.approx((0.0, cos(0.5), -sin(0.5)), abs=1e-6)


@pytest.mark.slow
def test_a_home_has_a_picture_that_shows_many_things() -> None:
    home = build("row", 0)
    simulation = Simulation(home)
    kinds = {placed.thing.name: placed.thing.kind for placed in home.placed}
    seen: set[str] = set()
    for stance in stances(home, simulation, 10):
        simulation.move_robot(stance.x, stance.y, stance.yaw, 0.3)
        seen |= {kinds[name] for name, pixels in simulation.seen().items() if name in kinds and pixels > 300}
    assert len(seen) >= 10


@pytest.mark.parametrize("count", [8, pytest.param(25, marks=pytest.mark.slow)])
def test_what_is_counted_of_a_few_things_is_what_is_counted_of_all(count: int) -> None:
    """Only rays that may meet a thing are cast for it; a window too small, or another ray, would lose pixels."""
    needs = [Need("cabinet_1", "cabinet", opening=1.0), Need("bowl_1", "bowl", inside="cabinet_1")]
    home = build("row", 1, [*needs, Need("door_1", "door", opening=1.0), Need("apple_1", "apple")])
    simulation, dice = Simulation(home), Random(3)
    names = [placed.thing.name for placed in home.placed]
    alone = 0
    for stance in stances(home, simulation, count):
        simulation.move_robot(stance.x, stance.y, stance.yaw, stance.tilt)
        every = simulation.pixels(*names)
        simulation.move_robot(stance.x, stance.y, stance.yaw, stance.tilt)
        some = [*[name for name in names if every[name]][:6], *dice.sample(names, 6)]
        counts = [simulation.pixels(name)[name] for name in some]
        seen = simulation.seen()
        assert counts == [seen.get(name, 0) for name in some]
        assert every == {name: seen.get(name, 0) for name in names} == simulation.pixels(*names)
        alone += sum(map(bool, counts))
    assert alone > 2 * count


def test_what_moves_out_of_view_changes_nothing_that_is_seen(home: Home) -> None:
    simulation, left_out = Simulation(home), 0
    for stance in stances(home, simulation, 12):
        simulation.move_robot(stance.x, stance.y, stance.yaw, stance.tilt)
        fewer, whole = (Stage(simulation.scene(), 240, 240, shadows=shadows) for shadows in (False, True))
        assert (fewer.owners(1) == whole.owners(1)).all()
        left_out += len(whole.geometry.owner) - len(fewer.geometry.owner)
    assert left_out > 10_000


@pytest.mark.slow
def test_a_home_is_worked_out_once_and_forgotten_with_it() -> None:
    home = build("row", 0, [])
    assert furniture(home) is furniture(home)
    assert furniture(home) is not furniture(replace(home))
    first, second = Simulation(home), Simulation(home)
    assert first.scene() == second.scene()
    kept = [ref(furniture(home)), ref(plan(home))]
    del home, first, second
    gc.collect()
    assert [what() for what in kept] == [None, None]

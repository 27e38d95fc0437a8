import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.arm import second
from envs.arm.arms import ARMS, boxes_of, matrix_of, state_of
from envs.arm.inverse import solve
from envs.arm.states import State, motion_between, wrapped

HOLDS = {
    "widowx": State(0.28, 0.02, 0.14, 0.0, 0.0, 5.0, 0.5),
    "panda": State(0.48, 0.05, 0.25, 0.0, 0.0, 5.0, 0.5),
    "mobile": State(0.48, 0.05, 0.25, 0.0, 0.0, 5.0, 0.5),
}


@pytest.mark.parametrize("name", ARMS)
@settings(max_examples=25, deadline=None)
@given(shares=st.lists(st.floats(0.0, 1.0), min_size=7, max_size=7))
def test_forward_kinematics_agrees_with_a_model_written_apart(name: str, shares: list[float]) -> None:
    arm = ARMS[name]
    joints = (arm.low + (arm.high - arm.low) * np.array(shares[: len(arm.joints)])).tolist()
    frame = arm.tip(joints)
    other = matrix_of(second.state(name, joints, 0.5))
    assert np.abs(frame - other).max() < 1e-5


@pytest.mark.parametrize("name", ARMS)
def test_inverse_kinematics_finds_what_forward_kinematics_confirms(name: str) -> None:
    arm, start = ARMS[name], HOLDS[name]
    for change in (start, start._replace(roll=25.0), start._replace(pitch=-25.0, y=-0.1), start._replace(yaw=-40.0)):
        joints = solve(arm, matrix_of(change), arm.rest)
        assert joints is not None
        found = second.state(name, joints, 0.5)
        assert max(abs(a - b) for a, b in zip(found[:3], change[:3], strict=True)) < 1e-3
        assert max(abs(wrapped(a - b)) for a, b in zip(found[3:6], change[3:6], strict=True)) < 0.3
    assert solve(arm, matrix_of(start._replace(x=2.0)), arm.rest) is None


@pytest.mark.parametrize(("dimension", "point", "way"), [
    # What each +20 degrees does to a point of the gripper, in the frame of the base.
    (3, (0.0, 0.0, -0.1), (0.0, 1.0, 0.0)),  # roll: the tips swing left
    (3, (0.0, 0.0, 0.1), (0.0, -1.0, 0.0)),  # and the top to the right
    (4, (0.0, 0.0, -0.1), (-1.0, 0.0, 0.0)),  # pitch: the tips swing to the base
    (4, (0.1, 0.0, 0.0), (0.0, 0.0, -1.0)),  # and the front goes down
    (5, (0.1, 0.0, 0.0), (0.0, 1.0, 0.0)),  # yaw: counterclockwise from above
])  # fmt: skip
@pytest.mark.parametrize("name", ["widowx", "panda"])
def test_positive_angles_turn_as_the_labels_say(
    name: str, dimension: int, point: tuple[float, ...], way: tuple[float, ...]
) -> None:
    arm, start = ARMS[name], HOLDS[name]._replace(yaw=0.0)
    goal = State(*(value + 20.0 * (number == dimension) for number, value in enumerate(start)))
    poses = []
    for state in (start, goal):
        joints = solve(arm, matrix_of(state), arm.rest)
        assert joints is not None
        # The frame is that of the second model: it shares no line with ours.
        poses.append(matrix_of(second.state(name, joints, 0.5)))
    before, after = ((pose @ np.array([*point, 1.0]))[:3] for pose in poses)
    assert float((after - before) @ np.array(way)) > 0.1 * np.sin(np.radians(20.0)) * 0.9


@pytest.mark.parametrize("name", ARMS)
def test_a_positive_opening_moves_the_fingers_apart(name: str) -> None:
    def apart(opening: float) -> float:
        places = [centre[1] for centre, _ in boxes_of(name, opening)]
        return max(places) - min(places)

    low, high = ARMS[name].spread
    assert apart(1.0) - apart(0.0) == pytest.approx(2 * (high - low), abs=1e-6)


@given(st.tuples(*(st.floats(-80.0, 80.0) for _ in range(3))))
def test_a_state_is_read_from_its_own_frame(angles: tuple[float, float, float]) -> None:
    state = State(0.1, -0.2, 0.3, *angles, 0.5)
    assert max(map(abs, motion_between(state, state_of(matrix_of(state), 0.5)))) < 1e-5

from hypothesis import given
from hypothesis import strategies as st

from envs.arm.states import State, motion_between, wrapped


def test_motion_is_after_minus_before_and_turns_take_the_short_way() -> None:
    before = State(0.1, 0.2, 0.3, 170.0, -170.0, 10.0, 1.0)
    after = State(0.4, 0.1, 0.3, -170.0, 170.0, 40.0, 0.0)
    motion = motion_between(before, after)
    assert [round(value, 9) for value in motion] == [0.3, -0.1, 0.0, 20.0, -20.0, 30.0, -1.0]


def test_half_a_turn_is_positive() -> None:
    assert wrapped(-180.0) == 180.0
    assert wrapped(180.0) == 180.0
    assert wrapped(540.0) == 180.0


@given(st.floats(-1e4, 1e4))
def test_wrapping_keeps_the_angle_and_stays_within_half_a_turn(angle: float) -> None:
    rest = wrapped(angle)
    assert -180.0 < rest <= 180.0
    turns = (angle - rest) / 360.0
    assert abs(turns - round(turns)) < 1e-9

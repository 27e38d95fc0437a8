"""Cameras of shots: where they are, which way they look, and how they are written."""

from __future__ import annotations

import json
from math import degrees, pi, radians, tan

import pytest

from envs.shots.cameras import Eye, Free, Head, field, free, from_json, head, looking, to_json, turn_between
from envs.shots.viewpoints import in_frame


@pytest.mark.parametrize(
    "eye", [Head(1.0, 2.5, 0.3), Head(1.0, 2.5, 0.3, 0.6, 55.0), Free((0.0, 1.0, 1.4), (2.0, 1.0, 0.7), 60.0)], ids=str
)
def test_a_camera_written_is_a_camera_read(eye: Eye) -> None:
    assert from_json(json.loads(json.dumps(to_json(eye)))) == eye


def test_what_is_no_camera_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'hed'.*Did you mean 'head'"):
        from_json(["hed", 1, 2, 3])


def test_the_field_is_from_top_to_bottom() -> None:
    assert Free((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), 90.0).camera.view == pytest.approx(2.0)
    assert Head(0.0, 0.0, 0.0, field=60.0).camera.view == pytest.approx(2.0 * tan(radians(30.0)))


def test_a_head_looks_where_it_is_turned() -> None:
    yaw, tilt = looking(Head(1.0, 2.0, 0.7, 0.4).camera)
    assert (yaw, tilt) == pytest.approx((0.7, 0.4), abs=1e-6)
    assert Free((0.0, 0.0, 1.0), (1.0, 0.0, 1.0)).stance is None
    again = head(Head(1.0, 2.0, 0.7, 0.4).stance, 55.0)
    assert (again.x, again.y, again.yaw, again.tilt, again.field) == (1.0, 2.0, 0.7, 0.4, 55.0)


def test_a_level_camera_sees_as_much_on_both_sides() -> None:
    low, high = field(Free((0.0, 0.0, 1.0), (0.0, 1.0, 1.0), 60.0).camera, aspect=1.0)
    assert (degrees(low), degrees(high)) == pytest.approx((60.0, 120.0))


@pytest.mark.parametrize(("one", "other", "turn"), [(0.0, 0.5, 0.5), (0.5, 0.0, -0.5), (3.0, -3.0, 2 * pi - 6.0)])
def test_turns_are_to_the_left_and_the_short_way(one: float, other: float, turn: float) -> None:
    assert turn_between(Head(0, 0, one), Head(5, 5, other)) == pytest.approx(degrees(turn), abs=1e-4)


def test_free_cameras_are_kept_to_the_millimetre() -> None:
    assert free((0.12345, 1.0, 1.0), (1.0, 2.00049, 0.0)).eye == (0.123, 1.0, 1.0)


def test_what_is_in_the_frame_needs_no_picture() -> None:
    eye = Free((0.0, 0.0, 1.0), (2.0, 0.0, 1.0), 60.0)
    # Half of the height at 2 m is 1.155 m, half of the width 1.540 m.
    points = {
        "middle": (2.0, 0.0, 1.0), "behind": (-2.0, 0.0, 1.0), "high": (2.0, 0.0, 2.15), "higher": (2.0, 0.0, 2.16),
        "left": (2.0, 1.53, 1.0), "lefter": (2.0, 1.55, 1.0), "right": (2.0, -1.53, 1.0), "righter": (2.0, -1.55, 1.0),
    }  # fmt: skip
    assert in_frame(eye, points) == ["middle", "high", "left", "right"]

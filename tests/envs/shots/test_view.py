"""What a camera sees, against computations of the tests' own: a pinhole, and a kitchen without what is in the way."""

from __future__ import annotations

import subprocess
import sys
from math import dist

import numpy as np
import pytest

from envs.shots.actions import Remove
from envs.shots.cameras import HEIGHT, WIDTH, Eye
from envs.shots.moment import open_moment
from envs.shots.view import PIXELS, View
from tests.conftest import ROOT
from tests.envs.shots.looks import HEAD, KITCHEN, LEFT, RIGHT, THINGS, digest, kitchen


def pinhole(eye: Eye, point: tuple[float, float, float]) -> tuple[float, float, float]:
    """Column, row and depth of a point: with vectors, and nothing of ours but the camera's numbers."""
    camera = eye.camera
    here, there = np.array(camera.position), np.array(camera.target)
    ahead = (there - here) / np.linalg.norm(there - here)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    down = np.cross(ahead, right)
    to = np.array(point) - here
    depth = float(to @ ahead)
    focal = HEIGHT / camera.view
    return WIDTH / 2 + focal * float(to @ right) / depth, HEIGHT / 2 + focal * float(to @ down) / depth, depth


@pytest.mark.parametrize("eye", [RIGHT, LEFT, HEAD], ids=["right", "left", "head"])
def test_points_appear_where_a_pinhole_shows_them(eye: Eye) -> None:
    view = kitchen().view(eye)
    for point in [(6.8, 1.7, 0.75), (6.5, 1.9, 0.1), (7.0, 1.5, 1.1), (4.0, 1.0, 2.0)]:
        expected = pinhole(eye, point)
        if expected[2] > 0:
            assert view.project(point) == pytest.approx(expected, abs=1e-6)
        else:
            assert view.project(point) is None


def test_nothing_behind_the_camera_appears() -> None:
    assert kitchen().view(RIGHT).project((8.5, 1.76, 1.7)) is None


@pytest.mark.parametrize("name", THINGS[:5])
def test_a_pixel_is_taken_back_to_the_point_it_shows(name: str) -> None:
    view = kitchen().view(RIGHT)
    spot = view.spot(name)
    assert spot is not None
    point = view.point(spot.x, spot.y)
    assert pinhole(RIGHT, point)[:2] == pytest.approx((spot.x + 0.5, spot.y + 0.5), abs=1e-6)
    low, high = kitchen().box(name)
    assert all(low[k] - 1e-6 <= point[k] <= high[k] + 1e-6 for k in range(3)), "it is on the thing"
    assert point == pytest.approx(tuple(view.points()[:, spot.y, spot.x]))
    assert view.shows(point, 1e-6)
    assert view.from_eye(point) == pytest.approx(dist(RIGHT.eye, point))


def test_the_table_is_met_at_its_height() -> None:
    view, top = kitchen().view(RIGHT), kitchen().box("table_1")[1][2]
    rows, columns = np.nonzero(view.mask("table_1"))
    heights = np.array([view.point(int(x), int(y))[2] for x, y in zip(columns[::97], rows[::97], strict=True)])
    assert (abs(heights - top) < 2e-4).mean() > 0.5
    assert heights.max() < top + 1e-6


def test_what_is_hidden_is_not_shown() -> None:
    view = kitchen().view(RIGHT)
    middle = kitchen().middle("table_1")
    assert view.owner(*(int(part) for part in pinhole(RIGHT, middle)[:2])) is not None
    assert not view.shows((middle[0], middle[1], 0.05)), "under the table"
    assert not view.shows((8.5, 1.76, 1.7)), "behind the camera"


def test_the_whole_of_a_thing_is_what_shows_when_all_else_is_gone() -> None:
    alone = open_moment(KITCHEN.after(*(Remove(name) for name in THINGS if name != "cup_1"))).view(RIGHT)
    view = kitchen().view(RIGHT)
    assert view.pixels("cup_1") < 0.6 * alone.pixels("cup_1"), "something is in the way"
    assert view.whole("cup_1") == pytest.approx(alone.pixels("cup_1"), rel=0.03)
    assert view.share("cup_1") == pytest.approx(view.pixels("cup_1") / alone.pixels("cup_1"), rel=0.03)
    assert alone.share("cup_1") == pytest.approx(1.0, abs=0.03)


def test_seen_counts_pixels() -> None:
    view = kitchen().view(RIGHT)
    for name in ("box_1", "cup_1"):
        assert view.pixels(name) == int(view.mask(name).sum())
        rows, columns = np.nonzero(view.mask(name))
        assert view.owner(int(columns[0]), int(rows[0])) == name
    assert view.pixels("ball_1") == 0
    assert not view.mask("ball_1").any()
    assert view.spot("ball_1") is None
    assert "shell" not in view.seen


def test_enough_of_a_thing_is_seen_at_the_boundary() -> None:
    view = kitchen().view(RIGHT)
    pixels, share = view.pixels("cup_1"), view.share("cup_1")
    assert view.clear("cup_1", pixels, share)
    assert not view.clear("cup_1", pixels + 1, share)
    assert not view.clear("cup_1", pixels, share + 1e-6)


def fake(seen: int, whole: int) -> View:
    """A view that shows so many pixels of a thing."""
    view = View(RIGHT, kitchen().scene(RIGHT))
    view.__dict__["seen"] = {"cup": seen}
    view._whole["cup"] = whole
    return view


@pytest.mark.parametrize(
    ("seen", "whole", "clear", "doubtful"),
    [
        (PIXELS, 500, True, False),
        (PIXELS - 1, 300, False, True),
        (PIXELS, 501, False, True),
        (30, 3000, False, True),
        (29, 291, False, False),
        (29, 290, False, True),
        (0, 0, False, False),
    ],
)
def test_what_one_could_not_be_sure_of_is_doubtful(seen: int, whole: int, clear: bool, doubtful: bool) -> None:
    view = fake(seen, whole)
    assert (view.clear("cup"), view.doubtful("cup")) == (clear, doubtful)


@pytest.mark.parametrize("name", THINGS[:5])
def test_the_spot_is_inside_the_silhouette(name: str) -> None:
    view = kitchen().view(RIGHT)
    spot, mask = view.spot(name), view.mask(name)
    assert spot is not None
    assert mask[spot.y - spot.room : spot.y + spot.room + 1, spot.x - spot.room : spot.x + spot.room + 1].all()
    left, top, right, bottom = view.frame(name) or (0, 0, 0, 0)
    assert left <= spot.x < right
    assert top <= spot.y < bottom
    assert mask[top:bottom, left:right].sum() == mask.sum()


def test_only_a_head_has_a_hand() -> None:
    hand = kitchen().view(HEAD).hand
    assert hand is not None
    assert dist(hand, HEAD.camera.position) < 1.2
    column, row, depth = pinhole(HEAD, hand)
    assert depth > 0
    assert abs(column - WIDTH / 2) < WIDTH / 2
    assert row > HEIGHT / 2
    assert kitchen().view(RIGHT).hand is None


def test_a_view_is_kept() -> None:
    assert kitchen().view(RIGHT) is kitchen().view(RIGHT)


@pytest.mark.slow
def test_another_process_draws_the_same_picture() -> None:
    code = "from tests.envs.shots.looks import digest; print(digest())"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == digest()

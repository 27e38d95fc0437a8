"""Windows never hide what can be seen, and leave out what cannot."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from envs.render.ray import count, segment
from envs.render.samples import Lens
from envs.render.scene import UPRIGHT, Box, Camera, Solid, Vector
from envs.render.snapshot import Stage
from envs.render.windows import windows
from tests.envs.render.rooms import GREY, furnished

EYES: list[Vector] = [(0.0, -1.8, 1.1), (0.3, 0.05, 0.55), (-0.2, -0.4, 0.47), (0.9, 0.9, 1.5), (0.0, -0.26, 0.3)]


@pytest.mark.parametrize("eye", EYES)
def test_whatever_is_seen_is_within_its_window(eye: Vector) -> None:
    stage = Stage(furnished(eye), 120, 120)
    shown = stage.geometry.owner[stage.geometry.met(stage.lens.eye, stage.lens.rows(0, 120))]
    for number, solid in enumerate(stage.solids):
        assert windows(stage.lens, [solid])[shown == number].all()
    assert (stage.owners(1) == shown).all()


def test_windows_are_small_and_what_is_behind_the_eye_has_none() -> None:
    lens = Lens(Camera((0.0, 0.0, 1.0), (0.0, 1.0, 1.0), 1.0), 100, 100, (100, 100))
    before, behind, above = (
        Solid("block", Box((0.2, 0.2, 0.2)), GREY, place, UPRIGHT)
        for place in ((0.0, 2.0, 1.0), (0.0, -2.0, 1.0), (0.0, 0.0, 3.0))
    )
    seen = windows(lens, [before]).reshape(100, 100)
    assert seen[50, 50]
    assert 100 < seen.sum() < 400
    assert not windows(lens, [behind, above]).any()
    assert (windows(lens, [before, behind]).reshape(100, 100) == seen).all()
    assert not windows(lens, []).any()


def test_a_box_round_the_eye_may_be_seen_anywhere() -> None:
    lens = Lens(Camera((0.0, 0.0, 1.0), (0.0, 1.0, 0.6), 1.0), 64, 48, (64, 48))
    assert windows(lens, [Solid("room", Box((3.0, 3.0, 3.0)), GREY)]).all()


def test_rows_of_rays_are_the_rays_of_pixels() -> None:
    lens = Lens(Camera((0.3, 0.2, 1.1), (2.0, 1.0, 0.3), 1.1), 100, 64, (99, 61))
    row, column = np.divmod(np.arange(6400), 100)
    rays = lens.rays(column + 0.5, row + 0.5)
    assert (lens.rows(0, 64) == rays).all()
    assert (lens.rows(3, 9) == rays[:, 300:900]).all()


@pytest.mark.parametrize("eye", EYES)
def test_a_count_of_some_things_is_that_of_the_whole_picture(eye: Vector) -> None:
    # No whole tiles: what sticks out of the picture does not count.
    whole = segment(furnished(eye), 131, 97).counts()
    for names in (["bowl"], ["table"], ["apple", "card"], list(whole), ["sofa", "can"], []):
        assert count(furnished(eye), names, 131, 97) == {name: whole.get(name, 0) for name in names}


def test_nothing_is_built_to_count_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stage, "geometry", property(lambda _: pytest.fail("built")))
    assert count(furnished(), ["sofa"], 60, 60) == {"sofa": 0}
    away = replace(furnished(), camera=Camera((0.0, -1.8, 1.1), (0.0, -3.0, 1.1), 1.0))
    assert count(away, ["bowl", "table"], 60, 60) == {"bowl": 0, "table": 0}

"""Pictures of a camera that moves: much as those of one that stays, the same bits however they are made."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from envs.render.png import png
from envs.render.ray import Frame, render, segment, snapshot
from envs.render.scene import Camera, Scene, Sky
from envs.render.snapshot import _moving, _still
from planners.names import UnknownName
from tests.envs.render.rooms import GREY, box, furnished


def test_it_looks_as_pictures_of_a_camera_that_stays_do() -> None:
    kept, fresh = render(furnished(), 200, 200), snapshot(furnished(), 200, 200)
    assert (kept.segmentation == fresh.segmentation).mean() > 0.9995
    assert kept.names == fresh.names
    np.testing.assert_allclose(kept.depth, fresh.depth, rtol=1e-3)
    difference = np.abs(kept.rgb.astype(int) - fresh.rgb.astype(int)).max(axis=2)
    assert (difference > 16).mean() < 0.02
    assert difference.mean() < 1.5


def test_segments_are_those_of_the_picture() -> None:
    for eye in ((0.0, -1.8, 1.1), (0.6, -1.2, 0.5), (-1.0, -1.0, 1.6)):
        seen, frame = segment(furnished(eye), 131, 97), snapshot(furnished(eye), 131, 97)
        assert (seen.segmentation == frame.segmentation).all()
        assert seen.names == frame.names


def test_solids_of_one_name_are_counted_together() -> None:
    seen = segment(furnished(), 160, 160)
    by_hand = Counter(seen.names[number] for number in seen.segmentation[seen.segmentation >= 0])
    assert {name: count for name, count in seen.counts().items() if count} == by_hand
    assert seen.names.count("table") == 5
    assert seen.pixels("table") == by_hand["table"] == seen.mask("table").sum() > 500
    assert set(seen.counts()) == set(seen.names)


def test_what_is_out_of_view_has_no_pixels() -> None:
    away = replace(furnished(), camera=Camera((0.0, -1.8, 1.1), (0.0, -3.0, 1.1), 1.0))
    assert segment(away, 80, 80).counts()["bowl"] == 0


def test_an_unknown_name_is_named() -> None:
    with pytest.raises(UnknownName, match=r"no solid 'bowel'\. Did you mean 'bowl'"):
        segment(furnished(), 40, 40).pixels("bowel")


def test_same_bits_for_any_number_of_threads() -> None:
    frames = [snapshot(furnished(), 160, 120, threads=threads) for threads in (1, 2, 2, 5)]
    assert all((frame.rgb == frames[0].rgb).all() for frame in frames)


def test_same_bits_from_many_threads_at_once() -> None:
    scenes = [furnished((0.1 * step, -1.8, 1.1), 0.02 * step) for step in range(-3, 3)]
    serial = [png(snapshot(scene, 96, 96).rgb) for scene in scenes]
    _still.cache_clear()
    _moving.cache_clear()
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda scene: png(snapshot(scene, 96, 96).rgb), scenes)) == serial


def test_a_moved_solid_leaves_no_trace() -> None:
    fresh = snapshot(furnished(shift=0.05), 120, 120).rgb
    snapshot(furnished(shift=-0.1), 120, 120)
    assert (snapshot(furnished(shift=0.05), 120, 120).rgb == fresh).all()


def test_sizes_that_are_no_multiple_of_a_tile_and_scenes_without_anything() -> None:
    frame = snapshot(furnished(), 97, 61)
    assert frame.rgb.shape == (61, 97, 3)
    assert frame.segmentation.shape == frame.depth.shape == (61, 97)
    nothing = snapshot(Scene((), furnished().camera, ()), 40, 40)
    assert (nothing.segmentation == -1).all()
    assert np.isinf(nothing.depth).all()
    assert (nothing.rgb == nothing.rgb[0, 0]).all()


def test_moving_or_not_a_solid_looks_the_same() -> None:
    scene = furnished()
    still = replace(scene, solids=tuple(replace(solid, moving=False) for solid in scene.solids))
    one, other = snapshot(scene, 160, 160), snapshot(still, 160, 160)
    assert (one.segmentation == other.segmentation).all()
    assert (np.abs(one.rgb.astype(int) - other.rgb.astype(int)).max(axis=2) > 2).mean() < 0.001


def _brightness(frame: Frame, name: str) -> float:
    return float(frame.rgb[frame.mask(name)].mean())


def test_a_table_darkens_the_floor_and_what_glows_stays_bright() -> None:
    scene = furnished()
    dark = snapshot(replace(scene, lights=()), 160, 160)
    assert _brightness(dark, "window") > _brightness(dark, "wall") + 60
    bare = tuple(solid for solid in scene.solids if solid.name in ("floor", "wall", "window", "rug"))
    lit, cast = snapshot(replace(scene, solids=bare), 160, 160), snapshot(scene, 160, 160)
    both = lit.mask("floor") & cast.mask("floor")
    darker = lit.rgb[both].astype(int).sum(axis=1) - cast.rgb[both].astype(int).sum(axis=1)
    assert (darker > 60).sum() > 300
    assert (darker < -30).mean() < 0.01


def test_corners_get_less_light_than_open_walls() -> None:
    corner = (box("floor", (4, 4, 0.1), GREY, (0, 0, -0.05)), box("wall", (4, 0.1, 3), GREY, (0, 0.5, 1.5)))
    frame = snapshot(replace(furnished(), solids=corner, lights=(), sky=Sky(reach=0.3)), 160, 160)
    column = frame.rgb[:, 80, 0].astype(int)[frame.mask("wall")[:, 80]]
    assert column[0] - column[-3] > 6


def test_edges_are_smooth() -> None:
    edge = (box("block", (0.5, 0.5, 0.5), GREY, (0.0, 0.0, 0.4)),)
    frame = snapshot(replace(furnished((0.7, -1.8, 1.1)), solids=edge, lights=()), 160, 160)
    assert len(np.unique(frame.rgb[:, :, 1])) > 8

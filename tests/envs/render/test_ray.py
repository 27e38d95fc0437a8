"""The renderer on small scenes: right surfaces, shadows, edges, and the same bits however it is run."""

from __future__ import annotations

import io
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from envs.render import trace
from envs.render.png import png
from envs.render.ray import _kept, render
from envs.render.scene import (
    UPRIGHT,
    Box,
    Camera,
    Cylinder,
    Label,
    Light,
    Material,
    Mesh,
    Plain,
    Scene,
    Shape,
    Solid,
    Sphere,
    Wood,
)

RED = Material(Plain((0.8, 0.1, 0.1)))
GREY = Material(Plain((0.6, 0.6, 0.6)))
OAK = Material(Wood((0.8, 0.6, 0.4), (0.5, 0.3, 0.2), seed=3, board=0.2))
TENT = Mesh(((-0.1, -0.1, 0), (0.1, -0.1, 0), (0, 0.1, 0), (0, 0, 0.2)), ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)))


def room(*solids: Solid, floor: Material = GREY) -> Scene:
    ground = Solid("floor", Box((4.0, 4.0, 0.1)), floor, (0.0, 0.0, -0.05))
    camera = Camera((0.0, -1.5, 1.0), (0.0, 0.0, 0.1), view=0.6)
    return Scene((ground, *solids), camera, (Light((-1.0, -1.0, 3.0), 0.1, 0.8),))


def ball(moving: bool, x: float = 0.0) -> Solid:
    return Solid("ball", Sphere(0.1), RED, (x, 0.0, 0.1), UPRIGHT, moving)


def test_every_shape_is_seen() -> None:
    shapes: dict[str, Shape] = {
        "box": Box((0.1, 0.1, 0.1), 0.01),
        "ball": Sphere(0.06),
        "can": Cylinder(0.05, 0.12),
        "tent": TENT,
    }
    solids = [
        Solid(name, shape, RED, (0.22 * number - 0.33, 0.0, 0.06), UPRIGHT, number % 2 == 0)
        for number, (name, shape) in enumerate(shapes.items())
    ]
    frame = render(room(*solids), 160, 120)
    assert frame.rgb.shape == (120, 160, 3)
    assert all(frame.pixels(name) > 100 for name in shapes)
    for name in shapes:
        red, green, _ = frame.rgb[frame.segmentation == frame.names.index(name)].mean(axis=0)
        assert red > 2 * green


def test_sizes_that_are_no_multiple_of_a_tile() -> None:
    frame = render(room(ball(True)), 97, 61)
    assert frame.rgb.shape == (61, 97, 3)
    assert frame.segmentation.shape == frame.depth.shape == (61, 97)


def test_depth_and_what_is_beyond_the_scene() -> None:
    scene = room(ball(True))
    upwards = Scene(scene.solids, Camera((0.0, -1.5, 0.5), (0.0, 0.0, 1.2), 0.6), scene.lights)
    frame = render(upwards, 80, 80)
    assert (frame.segmentation[0] == -1).all()
    assert np.isinf(frame.depth[0]).all()
    assert (frame.rgb[0] == frame.rgb[0, 0]).all()
    assert frame.rgb[0, 0, 2] > frame.rgb[0, 0, 0] > 150
    frame = render(scene, 80, 80)
    middle = frame.segmentation == frame.names.index("ball")
    assert abs(frame.depth[middle].min() - (1.5**2 + 0.9**2) ** 0.5) < 0.12


def test_a_solid_looks_much_the_same_moving_or_not() -> None:
    still, moving = render(room(ball(False)), 160, 160), render(room(ball(True)), 160, 160)
    difference = np.abs(still.rgb.astype(int) - moving.rgb.astype(int)).max(axis=2)
    assert (still.segmentation == moving.segmentation).all()
    assert (difference > 12).mean() < 0.01


def test_shadows_fall_away_from_the_lamp() -> None:
    bare, cast = render(room(), 160, 160).rgb.astype(int), render(room(ball(True)), 160, 160)
    darker = (bare - cast.rgb).sum(axis=2) > 60
    rows, columns = np.nonzero(darker & (cast.segmentation == 0))
    assert len(rows) > 120
    ball_columns = np.nonzero(cast.segmentation == 1)[1]
    assert columns.mean() > ball_columns.mean()


def test_edges_are_smooth() -> None:
    frame = render(room(ball(True)), 160, 160)
    reds = {int(red) for red in frame.rgb[40:120, 40:120, 1].ravel()}
    assert len(reds) > 60


def test_a_moved_solid_leaves_no_trace() -> None:
    fresh = render(room(ball(True, 0.2)), 160, 160).rgb
    render(room(ball(True, -0.2)), 160, 160)
    assert (render(room(ball(True, 0.2)), 160, 160).rgb == fresh).all()


def test_labels_are_legible() -> None:
    card = Solid("card", Box((0.4, 0.01, 0.3)), Material(Label("Kitchen 7", (0.4, 0.3))), (0.0, 0.0, 0.2))
    frame = render(room(card, floor=OAK), 160, 160)
    shown = frame.rgb[frame.segmentation == frame.names.index("card")].mean(axis=1)
    assert (shown < 90).sum() > 60
    assert (shown > 160).sum() > 1000


def test_same_bits_for_any_number_of_threads() -> None:
    scene = room(ball(True), floor=OAK)
    frames = []
    for threads in (1, 2, 5):
        _kept.clear()
        frames.append(render(scene, 160, 160, threads=threads).rgb)
    assert all((frame == frames[0]).all() for frame in frames)


def test_same_bits_from_many_threads_at_once() -> None:
    scenes = [room(ball(True, 0.02 * step), floor=OAK) for step in range(-4, 4)]
    serial = [png(render(scene, 120, 120).rgb) for scene in scenes]
    _kept.clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda scene: png(render(scene, 120, 120).rgb), scenes)) == serial


def test_png_is_read_back() -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (31, 47, 3), dtype=np.uint8)
    assert (np.asarray(Image.open(io.BytesIO(png(rgb)))) == rgb).all()


def test_without_embree_the_error_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    trace._embree.cache_clear()
    monkeypatch.setitem(sys.modules, "embreex.rtcore_scene", None)
    with pytest.raises(trace.RendererUnavailable, match="pip install 'embreex"):
        render(room(ball(True)), 44, 44)
    trace._embree.cache_clear()


def test_a_camera_whose_up_is_the_default_draws_the_same_picture() -> None:
    level = room(ball(True, 0.2))
    said = replace(level, camera=replace(level.camera, up=(0.0, 0.0, 1.0)))
    assert np.array_equal(render(level, 64, 48).segmentation, render(said, 64, 48).segmentation)
    assert np.array_equal(render(level, 64, 48).rgb, render(said, 64, 48).rgb)


def test_a_camera_rolled_by_a_quarter_draws_a_picture_turned_by_a_quarter() -> None:
    above = Camera((0.0, 0.0, 1.5), (0.0, 0.0, 0.0), view=0.6, up=(0.0, 1.0, 0.0))
    scene = replace(room(ball(True, 0.2)), camera=above)
    upright = render(scene, 64, 64).mask("ball")
    assert upright[:, 40:].any()
    assert not upright[:, :32].any()
    # Its top now points to the left of the first picture: what was on the right is above.
    rolled = render(replace(scene, camera=replace(above, up=(1.0, 0.0, 0.0))), 64, 64).mask("ball")
    assert rolled[:24].any()
    assert not rolled[32:].any()


def test_a_camera_that_looks_along_its_up_is_refused() -> None:
    scene = replace(room(), camera=Camera((0.0, 0.0, 1.5), (0.0, 0.0, 0.0), view=0.6, up=(0.0, 0.0, 1.0)))
    with pytest.raises(ValueError, match="give another `up`"):
        render(scene, 16, 16)

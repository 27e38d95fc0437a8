"""Textures: within their colours, the same every time, free of detail that pixels cannot hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from envs.render.arrays import Numbers, linear
from envs.render.scene import (
    Brushed,
    Clouds,
    Colour,
    Gradient,
    Label,
    Layers,
    Plain,
    Planks,
    Rug,
    Speckle,
    Stripes,
    Texture,
    Tiles,
    Weave,
    Wood,
)
from envs.render.textures import albedo, lettering

LIGHT: Colour = (0.9, 0.8, 0.7)
DARK: Colour = (0.3, 0.2, 0.1)
TEXTURES: dict[str, Texture] = {
    "plain": Plain(LIGHT),
    "wood": Wood(LIGHT, DARK, 3),
    "boards": Wood(LIGHT, DARK, 3, board=0.1, along="y"),
    "label": Label("some\ntext", (0.6, 0.6), LIGHT, DARK, "+z"),
    "planks": Planks(LIGHT, DARK, 5),
    "tiles": Tiles(LIGHT, (0.2, 0.1), shift=0.5),
    "checks": Tiles(LIGHT, (0.1, 0.1), other=DARK),
    "weave": Weave(LIGHT, DARK),
    "stripes": Stripes((LIGHT, DARK, (0.1, 0.5, 0.9)), 0.05),
    "speckle": Speckle(LIGHT, DARK, 0.02),
    "clouds": Clouds(LIGHT, DARK),
    "brushed": Brushed(LIGHT, "y"),
    "layers": Layers(LIGHT, DARK, 0.004, "x"),
    "rug": Rug(LIGHT, DARK, (0.7, 0.1, 0.1), (0.9, 0.7)),
    "gradient": Gradient(LIGHT, DARK, -0.3, 0.3, "x"),
}
DOUBLE: Any = np.dtype(np.float64)
SINGLE: Any = np.dtype(np.float32)


def painted(texture: Texture, like: Any = DOUBLE, pixel: float = 0.001, start: float = -0.4437) -> Numbers:
    """The texture on a level square, 90 cm wide, looked at every centimetre or so."""
    steps = np.linspace(start, start + 0.8973, 91)
    x, y = (axis.ravel() for axis in np.meshgrid(steps, steps))
    point = np.stack([x, y, np.full_like(x, 0.0123)]).astype(like)
    normal = np.repeat([[0.0], [0.0], [1.0]], len(x), axis=1).astype(like)
    return albedo(texture, point, normal, np.full(len(x), pixel, dtype=like))


@pytest.mark.parametrize("name", TEXTURES)
def test_colours_are_light_that_a_surface_can_send(name: str) -> None:
    colours = painted(TEXTURES[name])
    assert colours.shape == (3, 91 * 91)
    assert colours.min() >= 0.0
    assert colours.max() <= 1.25
    assert name == "plain" or colours.std(axis=1).max() > 0.003


@pytest.mark.parametrize("name", TEXTURES)
def test_the_same_bits_every_time_and_point_by_point(name: str) -> None:
    whole = painted(TEXTURES[name], SINGLE)
    assert whole.dtype == np.float32
    assert (painted(TEXTURES[name], SINGLE) == whole).all()
    point = np.array([[-0.4437, -0.43373], [-0.4437, -0.4437], [0.0123, 0.0123]], dtype=np.float32)
    normal, pixel = np.array([[0, 0], [0, 0], [1, 1]], dtype=np.float32), np.full(2, 0.001, dtype=np.float32)
    assert (albedo(TEXTURES[name], point, normal, pixel) == whole[:, :2]).all()


@pytest.mark.parametrize("name", TEXTURES)
def test_single_precision_changes_hardly_anything(name: str) -> None:
    apart = np.abs(painted(TEXTURES[name]) - painted(TEXTURES[name], SINGLE)).max(axis=0)
    assert (apart > 0.01).mean() < 0.03


@pytest.mark.parametrize(
    "name", ["wood", "planks", "weave", "stripes", "speckle", "brushed", "layers", "rug", "checks"]
)
def test_from_afar_detail_fades(name: str) -> None:
    near, far = painted(TEXTURES[name], pixel=0.0005), painted(TEXTURES[name], pixel=0.2)
    assert far.std(axis=1).max() < near.std(axis=1).max()
    assert np.abs(far.mean(axis=1) - near.mean(axis=1)).max() < 0.12


@pytest.mark.parametrize("name", ["wood", "planks", "clouds", "speckle", "weave", "brushed", "layers", "tiles"])
def test_seeds_give_another_piece_of_the_same(name: str) -> None:
    texture: Any = TEXTURES[name]
    fields = {key: getattr(texture, key) for key in texture.__slots__} | {"seed": 77}
    one, other = painted(texture), painted(type(texture)(**fields))
    assert (one != other).any()
    assert np.abs(one.mean(axis=1) - other.mean(axis=1)).max() < 0.1


def test_tiles_have_grout_between_them_and_bricks_are_shifted() -> None:
    point = np.array([[0.05, 0.0, 0.05, 0.1], [0.05, 0.05, 0.15, 0.15], [0.0] * 4])
    normal, pixel = np.repeat([[0.0], [0.0], [1.0]], 4, axis=1), np.full(4, 0.001)
    straight, brick = (
        albedo(Tiles((1.0, 1.0, 1.0), (0.1, 0.1), grout=(0.0, 0.0, 0.0), shift=shift), point, normal, pixel)[0]
        for shift in (0.0, 0.5)
    )
    assert straight.tolist() == pytest.approx([1.0, 0.0, 1.0, 0.0], abs=0.1)
    assert brick.tolist() == pytest.approx([1.0, 0.0, 0.0, 1.0], abs=0.1)


def test_stripes_come_one_after_the_other() -> None:
    point = np.array([[0.025, 0.075, 0.125, -0.025], [0.0] * 4, [0.0] * 4])
    normal, pixel = np.repeat([[0.0], [0.0], [1.0]], 4, axis=1), np.full(4, 0.001)
    red = albedo(Stripes(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), 0.05), point, normal, pixel)[0]
    assert red.tolist() == [1.0, 0.0, 1.0, 0.0]


def test_a_gradient_ends_where_it_says() -> None:
    point = np.array([[0.0] * 3, [0.0] * 3, [-1.0, 0.0, 2.0]])
    normal, pixel = np.zeros((3, 3)), np.full(3, 0.001)
    grey = albedo(Gradient((0.0, 0.0, 0.0), (1.0, 1.0, 1.0), -1.0, 1.0), point, normal, pixel)[0]
    assert grey.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize(
    ("side", "axis", "sign"), [("+x", 0, 1), ("-x", 0, -1), ("+y", 1, 1), ("-y", 1, -1), ("+z", 2, 1), ("-z", 2, -1)]
)
def test_labels_are_on_the_side_they_are_meant_for(side: Any, axis: int, sign: int) -> None:
    steps = np.linspace(-0.45, 0.45, 120)
    grid = np.stack([plane.ravel() for plane in np.meshgrid(steps, steps)])
    point = np.insert(grid, axis, 0.5 * sign, axis=0)
    label = Label("I", (1.0, 1.0), (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), side)
    for out in (1.0, -1.0):
        normal = np.zeros_like(point)
        normal[axis] = out * sign
        ink = albedo(label, point, normal, np.full(point.shape[1], 0.001))[0] < 0.5
        assert ink.any() == (out > 0.0)


def test_text_reads_from_left_to_right_seen_from_outside() -> None:
    ink = lettering("L")
    assert ink[:, : ink.shape[1] // 2].sum() > ink[:, ink.shape[1] // 2 :].sum()
    rights = {"-y": (0, 1), "+y": (0, -1), "+x": (1, 1), "-x": (1, -1), "+z": (0, 1), "-z": (0, 1)}
    for side, (axis, sign) in rights.items():
        out = "xyz".index(side[1])
        steps = np.linspace(-0.45, 0.45, 200)
        grid = np.stack([plane.ravel() for plane in np.meshgrid(steps, steps)])
        point = np.insert(grid, out, 0.0, axis=0)
        normal = np.zeros_like(point)
        normal[out] = 1.0 if side[0] == "+" else -1.0
        label = Label("L", (1.0, 1.0), (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), side)  # type: ignore[arg-type]
        dark = albedo(label, point, normal, np.full(point.shape[1], 0.001))[0] < 0.5
        assert (point[axis, dark] * sign).mean() < 0.0, side


def test_lines_of_text_stand_below_each_other() -> None:
    one, two = lettering("AB"), lettering("AB\nI")
    assert two.shape == (2 * one.shape[0], one.shape[1])
    assert (two[: one.shape[0]] == one).all()
    assert lettering("\nx").shape[0] == 2 * one.shape[0]


def test_linear_light_is_cached_read_only() -> None:
    from envs.render.patterns import rgb

    column = rgb((0.5, 0.5, 0.5), DOUBLE)
    assert column[0, 0] == linear(0.5)
    with pytest.raises(ValueError, match="read-only"):
        column[0, 0] = 1.0

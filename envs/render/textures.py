"""Evaluates textures at points: plain, wood, printed labels, and patterns. Colours are linear light."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from envs.render import patterns
from envs.render.arrays import Bytes, Numbers, noise, smooth
from envs.render.patterns import mix, rgb
from envs.render.scene import (
    Brushed,
    Clouds,
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

_INK_MARGIN = 0.04
"""The share of a label's height that stays free above and below its letters."""

_SEAM = 0.006
_CUT = {"x": (0, 1, 2), "y": (1, 0, 2), "z": (2, 0, 1)}
"""The axes along, across and into wood whose grain runs along an axis."""
_FINE, _COARSE = 0.004, 0.007
"""The pixel sizes up to which the grain of wood is fully visible, and visible at all."""


def albedo(texture: Texture, point: Numbers, normal: Numbers, pixel: Numbers) -> Numbers:
    """The colour at local points (three rows) with local normals; `pixel` is the size of a pixel on the surface."""
    match texture:
        case Plain(colour):
            return np.repeat(rgb(colour, point.dtype), point.shape[1], axis=1)
        case Wood():
            return _wood(texture, point, normal, pixel)
        case Label():
            return _label(texture, point, normal)
        case Planks():
            return patterns.planks(texture, point, normal, pixel)
        case Tiles():
            return patterns.tiles(texture, point, normal, pixel)
        case Weave():
            return patterns.weave(texture, point, normal, pixel)
        case Stripes():
            return patterns.stripes(texture, point, pixel)
        case Speckle():
            return patterns.speckle(texture, point, pixel)
        case Clouds():
            return patterns.clouds(texture, point)
        case Brushed():
            return patterns.brushed(texture, point, pixel)
        case Layers():
            return patterns.layers(texture, point, pixel)
        case Rug():
            return patterns.rug(texture, point, pixel)
        case Gradient():
            return patterns.gradient(texture, point)


def _wood(wood: Wood, point: Numbers, normal: Numbers, pixel: Numbers) -> Numbers:
    grain, width, depth = _CUT[wood.along]
    along = point[grain]
    # All sides are cut from the same block: depth on a side is width on top.
    across = np.where(np.abs(normal[depth]) > 0.6, point[width], point[depth] - 3.0)
    board = np.zeros_like(across) if wood.board == 0.0 else np.floor(across / wood.board)
    shift = noise(board * 7.0 + 0.5, board * 0.0 + 0.5, wood.seed + 11) * 40.0
    along, turned = along + shift, across + shift * 0.37
    drift = noise(along * 2.2, turned * 9.0, wood.seed + 1) - 0.5
    rings = turned * 62.0 + drift * 5.0
    wave = _from_afar(smooth(np.abs(2.0 * (rings - np.floor(rings)) - 1.0)), pixel)
    fibre = _from_afar(noise(along * 9.0, turned * 420.0, wood.seed + 2), pixel)
    cloud = noise(along * 1.6, turned * 14.0, wood.seed + 3)
    share = 0.34 * wave * (0.4 + 0.6 * cloud) + 0.26 * fibre + 0.30 * cloud
    if wood.board == 0.0:
        return mix(wood.light, wood.dark, np.minimum(share, 1.0))
    tone = noise(board * 5.0 + 0.5, board * 0.0 + 9.5, wood.seed + 4) * 0.22
    edge = np.abs(across / wood.board - board - 0.5) * 2.0
    # Wide and soft, because a sharp seam would alias at low angles.
    seam = smooth(np.clip(1.0 - (1.0 - edge) * wood.board / _SEAM, 0.0, 1.0))
    return mix(wood.light, wood.dark, np.minimum(share + tone, 1.0)) * (1.0 - 0.5 * seam)


def _from_afar(grain: Numbers, pixel: Numbers) -> Numbers:
    """Grain, faded to its mean where pixels are too coarse; closer up it is bit-identical."""
    share = (_COARSE - pixel) * (1.0 / (_COARSE - _FINE))
    return np.where(pixel > _FINE, 0.5 + (grain - 0.5) * np.maximum(share, 0.0), grain)


@cache
def _glyphs() -> tuple[Bytes, tuple[int, ...]]:
    with np.load(Path(__file__).parent / "data" / "glyphs.npz") as data:
        return data["coverage"], tuple(int(start) for start in data["starts"])


@cache
def lettering(text: str) -> Bytes:
    """The text as an image of ink: 255 is full ink. Characters beyond ASCII are printed as `?`."""
    lines = [_line(line) for line in text.split("\n")]
    widest = max(line.shape[1] for line in lines)
    return np.concatenate([_centred(line, widest) for line in lines])


def _line(text: str) -> Bytes:
    coverage, starts = _glyphs()
    codes = [ord(letter) - 32 if 32 <= ord(letter) < 127 else ord("?") - 32 for letter in text]
    letters = [coverage[:, starts[code] : starts[code + 1]] for code in codes]
    return np.concatenate([coverage[:, :0], *letters], axis=1)


def _centred(line: Bytes, width: int) -> Bytes:
    free = width - line.shape[1]
    return np.pad(line, ((0, 0), (free // 2, free - free // 2)))


_UPRIGHT = {
    "-y": (0, 1.0, 2, 1.0),
    "+y": (0, -1.0, 2, 1.0),
    "+x": (1, 1.0, 2, 1.0),
    "-x": (1, -1.0, 2, 1.0),
    "+z": (0, 1.0, 1, 1.0),
    "-z": (0, 1.0, 1, -1.0),
}
"""For each side, the axis and sign of the text's direction, and those of its up direction."""


def _label(label: Label, point: Numbers, normal: Numbers) -> Numbers:
    ink = lettering(label.text)
    rows, columns = ink.shape
    width, height = label.size
    # As large as the margins allow, but not wider than the label.
    scale = min(height * (1.0 - 2.0 * _INK_MARGIN) / rows, width * 0.86 / max(columns, 1))
    along, right, upwards, up = _UPRIGHT[label.side]
    x = np.floor(right * point[along] / scale + columns * 0.5).astype(np.int32)
    y = np.floor(rows * 0.5 - up * point[upwards] / scale).astype(np.int32)
    out = normal["xyz".index(label.side[1])] * (1.0 if label.side[0] == "+" else -1.0)
    on = (out > 0.5) & (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
    share = np.zeros(point.shape[1], dtype=point.dtype)
    share[on] = ink[y[on], x[on]] / 255.0
    return mix(label.paper, label.ink, share)

"""What colour a surface is at a point: plain, wood, or a printed label. Colours come out as linear light."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from envs.render.arrays import Bytes, Floats, linear, noise, smooth
from envs.render.scene import Colour, Label, Plain, Texture, Wood

_INK_MARGIN = 0.04
"""Part of a label's height that stays free above and below its letters."""

_SEAM = 0.006


def albedo(texture: Texture, point: Floats, normal: Floats) -> Floats:
    """The colour at local points (three rows) of a surface with local normals."""
    match texture:
        case Plain(colour):
            return np.repeat(_rgb(colour), point.shape[1], axis=1)
        case Wood():
            return _wood(texture, point, normal)
        case Label():
            return _label(texture, point, normal)


def _rgb(colour: Colour) -> Floats:
    return np.array([[linear(channel)] for channel in colour])


def _mix(a: Colour, b: Colour, share: Floats) -> Floats:
    mixed: Floats = _rgb(a) * (1.0 - share) + _rgb(b) * share
    return mixed


def _wood(wood: Wood, point: Floats, normal: Floats) -> Floats:
    along = point[0]
    # Sides are cut from the same tree: what is depth there is width on top.
    across = np.where(np.abs(normal[2]) > 0.6, point[1], point[2] - 3.0)
    board = np.zeros_like(across) if wood.board == 0.0 else np.floor(across / wood.board)
    shift = noise(board * 7.0 + 0.5, board * 0.0 + 0.5, wood.seed + 11) * 40.0
    along, turned = along + shift, across + shift * 0.37
    drift = noise(along * 2.2, turned * 9.0, wood.seed + 1) - 0.5
    rings = turned * 62.0 + drift * 5.0
    wave = np.abs(2.0 * (rings - np.floor(rings)) - 1.0)
    fibre = noise(along * 9.0, turned * 420.0, wood.seed + 2)
    cloud = noise(along * 1.6, turned * 14.0, wood.seed + 3)
    share = 0.34 * smooth(wave) * (0.4 + 0.6 * cloud) + 0.26 * fibre + 0.30 * cloud
    if wood.board == 0.0:
        return _mix(wood.light, wood.dark, np.minimum(share, 1.0))
    tone = noise(board * 5.0 + 0.5, board * 0.0 + 9.5, wood.seed + 4) * 0.22
    edge = np.abs(across / wood.board - board - 0.5) * 2.0
    # Wide and soft: seen at a low angle, a sharp seam would break up into dashes.
    seam = smooth(np.clip(1.0 - (1.0 - edge) * wood.board / _SEAM, 0.0, 1.0))
    return _mix(wood.light, wood.dark, np.minimum(share + tone, 1.0)) * (1.0 - 0.5 * seam)


@cache
def _glyphs() -> tuple[Bytes, tuple[int, ...]]:
    with np.load(Path(__file__).parent / "data" / "glyphs.npz") as data:
        return data["coverage"], tuple(int(start) for start in data["starts"])


@cache
def lettering(text: str) -> Bytes:
    """The text as a picture of ink: 255 where there is all of it. Characters beyond ASCII print as `?`."""
    coverage, starts = _glyphs()
    codes = [ord(letter) - 32 if 32 <= ord(letter) < 127 else ord("?") - 32 for letter in text]
    return np.concatenate([coverage[:, starts[code] : starts[code + 1]] for code in codes], axis=1)


def _label(label: Label, point: Floats, normal: Floats) -> Floats:
    ink = lettering(label.text)
    rows, columns = ink.shape
    width, height = label.size
    # As large as the margins allow, and never wider than the card.
    scale = min(height * (1.0 - 2.0 * _INK_MARGIN) / rows, width * 0.86 / columns)
    x = np.floor(point[0] / scale + columns * 0.5).astype(np.int32)
    y = np.floor(rows * 0.5 - point[2] / scale).astype(np.int32)
    on = (normal[1] < -0.9) & (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
    share = np.zeros(point.shape[1])
    share[on] = ink[y[on], x[on]] / 255.0
    return _mix(label.paper, label.ink, share)

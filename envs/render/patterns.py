"""Textures of a home: floors, cloth, stone, metal, paper. Each returns linear colours at local points.

`pixel` is the size of a pixel on the surface, in metres. Finer detail would alias,
so lines thinner than a pixel become paler instead of thinner, and fine grain fades into its mean.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from envs.render.arrays import Numbers, hashed, linear, noise, smooth
from envs.render.scene import (
    Brushed,
    Clouds,
    Colour,
    Gradient,
    Layers,
    Planks,
    Rug,
    Speckle,
    Stripes,
    Tiles,
    Weave,
)

_AXES = {"x": 0, "y": 1, "z": 2}
_JOINT = 0.003


@lru_cache(maxsize=4096)
def rgb(colour: Colour, like: np.dtype[Any]) -> Numbers:
    """A colour as a column of linear light."""
    column = np.array([[linear(channel)] for channel in colour], dtype=like)
    column.flags.writeable = False
    return column


def mix(a: Colour | Numbers, b: Colour | Numbers, share: Numbers) -> Numbers:
    """A mixture of two colours: `share` is the share of the second."""
    first, second = (rgb(colour, share.dtype) if isinstance(colour, tuple) else colour for colour in (a, b))
    mixed: Numbers = first * (1.0 - share) + second * share
    return mixed


def planks(floor: Planks, point: Numbers, normal: Numbers, pixel: Numbers) -> Numbers:
    """Boards end to end, with dark joints between them."""
    across, along = _laid(point, normal)[::-1]
    row = np.floor(across / floor.board)
    numbers = row.astype(np.int32)
    along = along / floor.length + hashed(numbers, numbers * 0, floor.seed, point.dtype)
    place = np.floor(along)
    piece = hashed(numbers, place.astype(np.int32), floor.seed + 1, point.dtype)
    ends, seams = _nearest(along) * floor.length, _nearest(across / floor.board) * floor.board
    joint = np.maximum(_line(ends, _JOINT, pixel), _line(seams, _JOINT, pixel))
    x, y = along * floor.length + piece * 37.0, across + piece * 11.0
    cloud = noise(x * 1.3, y * 16.0, floor.seed + 2)
    rings = y * 70.0 + noise(x * 1.9, y * 7.0, floor.seed + 3) * 6.0
    wave = _faded(smooth(2.0 * _nearest(rings)), 0.5, 0.009, pixel)
    tone = 0.24 * wave * (0.4 + 0.6 * cloud) + 0.3 * cloud + 0.42 * piece
    return mix(floor.light, floor.dark, tone) * (1.0 - 0.55 * joint)


def tiles(wall: Tiles, point: Numbers, normal: Numbers, pixel: Numbers) -> Numbers:
    """Rows of tiles, in one colour or two by turns."""
    width, height = wall.size
    u, v = _laid(point, normal)
    v = v / height
    row = np.floor(v)
    u = u / width + row * wall.shift
    colour = rgb(wall.colour, point.dtype)
    if wall.other is not None:
        parity = _chequer(u, pixel / width) * _chequer(v, pixel / height)
        colour = mix(wall.other, wall.colour, 0.5 + 0.5 * parity)
    tone = 0.93 + 0.14 * hashed(np.floor(u).astype(np.int32), row.astype(np.int32), wall.seed, point.dtype)
    grout = np.maximum(_line(_nearest(u) * width, wall.gap, pixel), _line(_nearest(v) * height, wall.gap, pixel))
    return mix(colour * tone, wall.grout, grout)


def weave(cloth: Weave, point: Numbers, normal: Numbers, pixel: Numbers) -> Numbers:
    """Threads over and under each other."""
    u, v = (side / cloth.thread for side in _laid(point, normal))
    warp_on_top = ((np.floor(u) + np.floor(v)).astype(np.int32) & 1).astype(point.dtype)
    size = 2.0 * cloth.thread
    share = _faded(warp_on_top, 0.5, size, pixel)
    # The middle of the upper thread is brighter.
    bulge = _faded(smooth(2.0 * np.where(warp_on_top > 0.5, _nearest(u), _nearest(v))), 0.5, size, pixel)
    uneven = noise(u * 0.11, v * 0.023, cloth.seed) + noise(u * 0.019, v * 0.13, cloth.seed + 1)
    return mix(cloth.weft, cloth.warp, share) * (0.72 + 0.3 * bulge + 0.13 * uneven)


def stripes(bands: Stripes, point: Numbers, pixel: Numbers) -> Numbers:
    """A sequence of bands, antialiased where two meet."""
    place = point[_AXES[bands.axis]] / bands.width
    number = np.floor(place)
    within = place - number
    neighbour = number + np.where(within < 0.5, -1.0, 1.0)
    share = np.clip(0.5 - _nearest(place) * bands.width / pixel, 0.0, 0.5)
    table = np.concatenate([rgb(colour, point.dtype) for colour in bands.colours], axis=1)
    mine, next_to = (table[:, band.astype(np.int32) % len(bands.colours)] for band in (number, neighbour))
    return mix(mine, next_to, share)


def speckle(stone: Speckle, point: Numbers, pixel: Numbers) -> Numbers:
    """Cut balls of another colour, at most one per cell of a grid."""
    cells = point / (stone.size * 1.2)
    corner = np.floor(cells)
    x, y, z = corner.astype(np.int32)
    chance = hashed(x + z * np.int32(7919), y + z * np.int32(104729), stone.seed, point.dtype)
    offsets = (cells - corner) - (0.35 + 0.3 * np.stack([_digits(chance, 2.0**shift) for shift in (4, 9, 14)]))
    reach = 0.25 + 0.17 * _digits(chance, 2.0**17)
    distance = np.sqrt(offsets[0] * offsets[0] + offsets[1] * offsets[1] + offsets[2] * offsets[2])
    inside = np.clip((reach - distance) * (stone.size * 1.2) / pixel + 0.5, 0.0, 1.0) * (chance < stone.cover)
    return mix(stone.colour, stone.spots, _faded(inside, 0.25 * stone.cover, 2.0 * stone.size, pixel))


def clouds(patches: Clouds, point: Numbers) -> Numbers:
    """Noise on a slanted plane, which has no seams because no side of a thing is parallel to it."""
    u = (point[0] + 0.61 * point[2]) / patches.size
    v = (point[1] + 0.79 * point[2]) / patches.size
    share = 0.64 * noise(u, v, patches.seed) + 0.36 * noise(u * 2.7, v * 2.7, patches.seed + 1)
    return mix(patches.light, patches.dark, smooth(share))


def brushed(metal: Brushed, point: Numbers, pixel: Numbers) -> Numbers:
    """Long streaks, fine ones among broad ones."""
    axis = _AXES[metal.axis]
    along, across = point[axis], point[axis - 2] + 0.73 * point[axis - 1]
    fine = _faded(noise(along * 4.0, across * 700.0, metal.seed), 0.5, 0.006, pixel)
    broad = noise(along * 1.5, across * 60.0, metal.seed + 1)
    return rgb(metal.colour, point.dtype) * (0.8 + 0.24 * fine + 0.16 * broad)


def layers(stack: Layers, point: Numbers, pixel: Numbers) -> Numbers:
    """Sheets of different tones, with dark gaps between some."""
    axis = _AXES[stack.axis]
    place = point[axis] / stack.thickness
    tone = hashed(np.floor(place).astype(np.int32), np.zeros(len(place), dtype=np.int32), stack.seed + 1, point.dtype)
    gap = _line(_nearest(place) * stack.thickness, stack.thickness * 0.3, pixel)
    broad = noise(place * 0.13, np.zeros_like(place), stack.seed)
    share = 0.5 * _faded(tone, 0.5, 4.0 * stack.thickness, pixel) + 0.2 * broad + 0.3 * gap
    return mix(stack.light, stack.dark, share)


def rug(carpet: Rug, point: Numbers, pixel: Numbers) -> Numbers:
    """A carpet with a border, a line and a ground with diamonds, made of tufts."""
    width, depth = carpet.size
    small = min(width, depth)
    edge = np.minimum(width * 0.5 - np.abs(point[0]), depth * 0.5 - np.abs(point[1]))
    step = small / 5.0
    diamond = np.abs(_wave(point[0] / step)) + np.abs(_wave(point[1] / step))
    ring = np.abs(diamond - 0.42) * step
    pattern = np.maximum(_line(ring, step * 0.12, pixel), _inside((0.16 - diamond) * step, pixel))
    colour = mix(carpet.ground, carpet.motif, pattern)
    colour = mix(colour, carpet.border, _inside(small * 0.13 - edge, pixel))
    line = sum(_line(np.abs(edge - small * place), small * 0.02, pixel) for place in (0.045, 0.13))
    colour = mix(colour, carpet.motif, np.minimum(line, 1.0))
    tuft = _faded(noise(point[0] * 160.0, point[1] * 160.0, carpet.seed), 0.5, 0.025, pixel)
    worn = noise(point[0] * 3.0, point[1] * 3.0, carpet.seed + 1)
    return colour * (0.78 + 0.26 * tuft + 0.12 * worn)


def gradient(sky: Gradient, point: Numbers) -> Numbers:
    """One colour into another."""
    share = (point[_AXES[sky.axis]] - sky.start) / (sky.end - sky.start)
    return mix(sky.first, sky.second, np.clip(share, 0.0, 1.0))


def _laid(point: Numbers, normal: Numbers) -> tuple[Numbers, Numbers]:
    """Coordinates along the surface: those of the side of a box that faces the same way."""
    facing = np.abs(normal)
    level = facing[2] >= np.maximum(facing[0], facing[1])
    u = np.where(level | (facing[1] >= facing[0]), point[0], point[1])
    return u, np.where(level, point[1], point[2])


def _nearest(place: Numbers) -> Numbers:
    """The distance to the nearest integer."""
    distance: Numbers = 0.5 - np.abs(place - np.floor(place) - 0.5)
    return distance


def _wave(place: Numbers) -> Numbers:
    """From -0.5 at the middle of a step to 0.5 and back."""
    return place - np.floor(place) - 0.5


def _chequer(place: Numbers, pixel: Numbers) -> Numbers:
    """1 on even places and -1 on odd ones, with a transition of one pixel."""
    half = place * 0.5 + 0.25
    distance = 2.0 * (0.25 - np.abs(half - np.floor(half) - 0.5))
    slope: Numbers = np.clip(distance * 2.0 / pixel, -1.0, 1.0)
    return slope


def _line(distance: Numbers, width: float, pixel: Numbers) -> Numbers:
    """The share of a pixel that a line at some distance covers."""
    return np.clip((width + pixel) * 0.5 - distance, 0.0, np.minimum(width, pixel)) / pixel


def _inside(depth: Numbers, pixel: Numbers) -> Numbers:
    """The share of a pixel inside an outline at a signed distance; negative is outside."""
    return np.clip(depth / pixel + 0.5, 0.0, 1.0)


def _faded(detail: Numbers, mean: float, size: float, pixel: Numbers) -> Numbers:
    """Detail that fades into its mean as its size decreases from four pixels to two."""
    faded: Numbers = mean + (detail - mean) * np.clip(2.0 - pixel * (4.0 / size), 0.0, 1.0)
    return faded


def _digits(chance: Numbers, scale: float) -> Numbers:
    """Another random number, from the later digits of one."""
    scaled = chance * scale
    digits: Numbers = scaled - np.floor(scaled)
    return digits

"""The picture being made: surfaces behind all pixels, and the passes over them that backdrop and frame share.

Pixels are numbered row by row. Tiles of 4x4 pixels are the coarse grid: each has one pixel that speaks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Floats, Ints, dot
from envs.render.light import lit
from envs.render.samples import Index, Lens, Samples

TILE = 4
_SPEAKER = 2
_OTHER_SIDE = 1e-4
"""Weight of a neighbour on another face: none, unless there is nobody else."""
_NEAR_PLANE = 0.003

SUBPIXELS = ((-0.375, -0.125), (0.125, -0.375), (0.375, 0.125), (-0.125, 0.375))

Bits = NDArray[np.uint16]


class View(Protocol):
    """Surfaces behind the pixels, with what is known of their light."""

    lens: Lens
    code: Ints
    bits: list[Bits]
    grid: Samples
    open: Floats

    def pick(self, which: Index) -> Samples:
        """The surfaces behind some pixels."""
        ...

    def hit(self, x: Floats, y: Floats) -> Samples:
        """The surfaces behind any points of the picture."""
        ...


def speakers(lens: Lens) -> Index:
    """The pixel that speaks for each tile."""
    rows, columns = np.mgrid[_SPEAKER : lens.height : TILE, _SPEAKER : lens.width : TILE]
    return (rows * lens.width + columns).ravel()


def pixels_of(lens: Lens, tiles: Bools) -> Bools:
    """The pixels of the marked tiles."""
    shaped = tiles.reshape(lens.height // TILE, lens.width // TILE)
    return np.repeat(np.repeat(shaped, TILE, axis=0), TILE, axis=1).ravel()


def tiles_of(lens: Lens, pixels: Bools) -> Bools:
    """The tiles that have a marked pixel."""
    return pixels.reshape(lens.height // TILE, TILE, lens.width // TILE, TILE).any(axis=(1, 3)).ravel()


def grown(marked: Bools, width: int) -> Bools:
    """Marked cells of a grid and the eight round each."""
    cells = np.pad(marked.reshape(-1, width), 1)
    rows = cells[:-2] | cells[1:-1] | cells[2:]
    grew: Bools = (rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]).ravel()
    return grew


def uneven(values: NDArray[np.generic], width: int) -> Bools:
    """Cells of a grid that differ from one of the four beside them."""
    cells = values.reshape(-1, width)
    mark = np.zeros(cells.shape, dtype=np.bool_)
    down, across = cells[1:] != cells[:-1], cells[:, 1:] != cells[:, :-1]
    mark[1:] |= down
    mark[:-1] |= down
    mark[:, 1:] |= across
    mark[:, :-1] |= across
    return mark.ravel()


def cast_shadows(view: View, known: Bits, tiles: Bools, trace: Callable[[Index], Bits]) -> None:
    """Find the shadows in some tiles: at their speakers, and at each pixel where those or the faces disagree."""
    lens, across = view.lens, view.lens.width // TILE
    asked = np.flatnonzero(tiles)
    speaker = speakers(lens)
    bits = known[speaker]
    bits[asked] = trace(speaker[asked])
    penumbra = (bits != 0) & (bits != 0xFFFF)
    unsure = tiles & (grown(uneven(bits, across) | penumbra, across) | tiles_of(lens, uneven(view.code, lens.width)))
    sure = np.flatnonzero(pixels_of(lens, tiles & ~unsure))
    known[sure] = np.repeat(np.repeat(bits.reshape(-1, across), TILE, axis=0), TILE, axis=1).ravel()[sure]
    doubtful = np.flatnonzero(pixels_of(lens, unsure))
    known[doubtful] = trace(doubtful)


def spread_openness(view: View, which: Index, samples: Samples) -> Floats:
    """How open pixels are, from the four speakers round each; those on the same face count."""
    lens, across = view.lens, view.lens.width // TILE
    row, column = np.divmod(which, lens.width)
    gx, gy = (column - _SPEAKER) * (1.0 / TILE), (row - _SPEAKER) * (1.0 / TILE)
    left = np.clip(np.floor(gx), 0, across - 2).astype(np.intp)
    top = np.clip(np.floor(gy), 0, lens.height // TILE - 2).astype(np.intp)
    tx, ty = np.clip(gx - left, 0.0, 1.0), np.clip(gy - top, 0.0, 1.0)
    total, weights = np.zeros(len(which)), np.zeros(len(which))
    for dy, wy in ((0, 1.0 - ty), (1, ty)):
        for dx, wx in ((0, 1.0 - tx), (1, tx)):
            tile = (top + dy) * across + left + dx
            agree = np.maximum(dot(view.grid.normal[:, tile], samples.normal) * 2.0 - 1.0, 0.0)
            off = dot(view.grid.point[:, tile] - samples.point, samples.normal) * (1.0 / _NEAR_PLANE)
            weight = (wx * wy + 1e-3) * (agree / (1.0 + off * off * off * off) + _OTHER_SIDE)
            total += weight * view.open[tile]
            weights += weight
    return total / weights


def seen(view: View, which: Index) -> list[Floats]:
    """The part of each lamp that pixels see."""
    return [lit(bits[which]) for bits in view.bits]


def smooth_edges(
    view: View,
    which: Index,
    code_of: Callable[[Samples], Ints],
    shade: Callable[[Samples, Sequence[Floats], Floats], Floats],
) -> Floats:
    """The light of pixels on an edge: the mean of rays through parts of the pixel.

    Where a part lies on the same face as a pixel near by, it borrows that pixel's shadow and openness.
    """
    total = np.zeros((3, len(which)))
    row, column = np.divmod(which, view.lens.width)
    for dx, dy in SUBPIXELS:
        samples = view.hit(column + (0.5 + dx), row + (0.5 + dy))
        lender = _lenders(view, row, column, samples, code_of(samples))
        total += shade(samples, seen(view, lender), spread_openness(view, lender, samples))
    total *= 1.0 / len(SUBPIXELS)
    return total


def _lenders(view: View, row: Index, column: Index, samples: Samples, code: Ints) -> Index:
    """For each sample the pixel at or beside it whose surface is most like its own."""
    best = row * view.lens.width + column
    quality = np.zeros(len(samples), dtype=np.int8)
    for dy, dx in ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)):
        y, x = np.clip(row + dy, 0, view.lens.height - 1), np.clip(column + dx, 0, view.lens.width - 1)
        pixel = y * view.lens.width + x
        theirs = view.code[pixel]
        value = np.where(theirs == code, 2, theirs // 2916 == code // 2916).astype(np.int8)
        better = value > quality
        best, quality = np.where(better, pixel, best), np.maximum(value, quality)
    return best

"""Passes over the pixels of a picture that its backdrop and its frames share.

Pixels are numbered row by row. Tiles of 4x4 pixels make a coarse grid; one pixel of each speaks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Ints, Singles
from envs.render.light import DARK, Bits
from envs.render.samples import Index, Lens, owner

TILE = 4
_SPEAKER = 2
_TRUST = np.array([1e-3, 1.0], dtype=np.float32)
"""Weight of a neighbour on another face (next to none, unless there is nobody else) and on the same."""

SUBPIXELS = ((-0.375, -0.125), (0.125, -0.375), (0.375, 0.125), (-0.125, 0.375))
_ROUND = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))


def speakers(lens: Lens) -> Index:
    """The pixel that speaks for each tile."""
    rows, columns = np.arange(_SPEAKER, lens.height, TILE), np.arange(_SPEAKER, lens.width, TILE)
    return (rows[:, None] * lens.width + columns).ravel()


def spread(lens: Lens, tiles: NDArray[Any]) -> NDArray[Any]:
    """Each tile's value for all of its pixels."""
    shaped = tiles.reshape(lens.height // TILE, lens.width // TILE)
    return np.repeat(np.repeat(shaped, TILE, axis=0), TILE, axis=1).ravel()


def tiles_of(lens: Lens, pixels: Bools) -> Bools:
    """The tiles that have a marked pixel."""
    rows = pixels.reshape(lens.height // TILE, TILE, lens.width)
    some = (rows[:, 0] | rows[:, 1] | rows[:, 2] | rows[:, 3]).reshape(-1, TILE)
    marked: Bools = some[:, 0] | some[:, 1] | some[:, 2] | some[:, 3]
    return marked


def tile_of(lens: Lens, which: Index) -> Index:
    """The tile of each pixel."""
    row, column = np.divmod(which, lens.width)
    tile: Index = row // TILE * (lens.width // TILE) + column // TILE
    return tile


def grown(marked: Bools, width: int) -> Bools:
    """Marked cells of a grid and the eight round each."""
    cells = marked.reshape(-1, width).copy()
    cells[1:] |= marked.reshape(-1, width)[:-1]
    cells[:-1] |= marked.reshape(-1, width)[1:]
    tall = cells.copy()
    cells[:, 1:] |= tall[:, :-1]
    cells[:, :-1] |= tall[:, 1:]
    return cells.ravel()


def uneven(values: NDArray[Any], width: int) -> Bools:
    """Cells of a grid that differ from one of the four beside them."""
    cells = values.reshape(-1, width)
    mark = np.zeros(cells.shape, dtype=np.bool_)
    down, across = cells[1:] != cells[:-1], cells[:, 1:] != cells[:, :-1]
    mark[1:] |= down
    mark[:-1] |= down
    mark[:, 1:] |= across
    mark[:, :-1] |= across
    return mark.ravel()


def cast_shadows(lens: Lens, edges: Bools, known: Bits, tiles: Bools, trace: Callable[[Index], Bits]) -> None:
    """Find the shadows in some tiles: at their speakers, and at each pixel where those disagree or faces meet."""
    across = lens.width // TILE
    speaker = speakers(lens)
    bits = known[speaker]
    asked = np.flatnonzero(tiles)
    bits[asked] = trace(speaker[asked])
    doubt = uneven(bits, across) | ((bits != 0) & (bits != DARK))
    unsure = tiles & (grown(doubt, across) | tiles_of(lens, edges))
    sure = np.flatnonzero(spread(lens, tiles & ~unsure))
    known[sure] = spread(lens, bits)[sure]
    doubtful = np.flatnonzero(spread(lens, unsure))
    known[doubtful] = trace(doubtful)


def spread_openness(lens: Lens, face: Ints, open_: Singles, which: Index) -> Singles:
    """How open pixels are, from the four speakers round each; those on the same face count most."""
    across = lens.width // TILE
    row, column = np.divmod(which.astype(np.int32), np.int32(lens.width))
    left = np.clip((column - _SPEAKER) // TILE, 0, across - 2)
    top = np.clip((row - _SPEAKER) // TILE, 0, lens.height // TILE - 2)
    tx = np.clip((column - (left * TILE + _SPEAKER)) * np.float32(1.0 / TILE), 0.0, 1.0)
    ty = np.clip((row - (top * TILE + _SPEAKER)) * np.float32(1.0 / TILE), 0.0, 1.0)
    mine, theirs = face[which], face[speakers(lens)]
    corner = top * across + left
    total, weights = (np.zeros(len(which), dtype=np.float32) for _ in range(2))
    for step, share in ((0, (1 - tx) * (1 - ty)), (1, tx * (1 - ty)), (across, (1 - tx) * ty), (across + 1, tx * ty)):
        tile = corner + step
        same = theirs[tile] == mine
        weight = (share + np.float32(1e-3)) * _TRUST[same.astype(np.intp)]
        total += weight * open_[tile]
        weights += weight
    return total / weights


def borrowed(lens: Lens, face: Ints, row: Index, column: Index, sample: Ints) -> Index:
    """For each sample the pixel at or beside it that shows the same face, or else the same solid."""
    best = row * lens.width + column
    quality = np.zeros(len(sample), dtype=np.int8)
    whose = owner(sample)
    for dy, dx in _ROUND:
        open_ = np.flatnonzero(quality < 2)
        y = np.clip(row[open_] + dy, 0, lens.height - 1)
        pixel = y * lens.width + np.clip(column[open_] + dx, 0, lens.width - 1)
        theirs = face[pixel]
        value = np.where(theirs == sample[open_], 2, owner(theirs) == whose[open_]).astype(np.int8)
        better = np.flatnonzero(value > quality[open_])
        best[open_[better]], quality[open_[better]] = pixel[better], value[better]
    return best

"""Operations on the pixels of a picture, shared by backdrops and frames.

Pixels are numbered row by row. Tiles of 4x4 pixels form a coarse grid; one pixel represents each tile.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from envs.render.arrays import Bools, Ints, Singles
from envs.render.light import DARK, Bits
from envs.render.samples import Index, Lens, owner

TILE = 4
_REPRESENTATIVE = 2
_OTHER_FACE = np.float32(1e-3)
"""The weight of a neighbour on another face: negligible, unless there are no others."""

SUBPIXELS = ((-0.375, -0.125), (0.125, -0.375), (0.375, 0.125), (-0.125, 0.375))
_ROUND = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))


def representatives(lens: Lens) -> Index:
    """The pixel that represents each tile."""
    return _representatives(lens.width, lens.height)


@lru_cache(maxsize=8)
def _representatives(width: int, height: int) -> Index:
    rows, columns = np.arange(_REPRESENTATIVE, height, TILE), np.arange(_REPRESENTATIVE, width, TILE)
    return (rows[:, None] * width + columns).ravel()


def spread(lens: Lens, tiles: NDArray[Any]) -> NDArray[Any]:
    """Expand each tile's value to all of its pixels."""
    shaped = tiles.reshape(lens.height // TILE, lens.width // TILE)
    return np.repeat(np.repeat(shaped, TILE, axis=0), TILE, axis=1).ravel()


def tiles_of(lens: Lens, pixels: Bools) -> Bools:
    """The tiles with a marked pixel."""
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
    """Marked cells of a grid and their eight neighbours."""
    cells = marked.reshape(-1, width).copy()
    cells[1:] |= marked.reshape(-1, width)[:-1]
    cells[:-1] |= marked.reshape(-1, width)[1:]
    tall = cells.copy()
    cells[:, 1:] |= tall[:, :-1]
    cells[:, :-1] |= tall[:, 1:]
    return cells.ravel()


def uneven(values: NDArray[Any], width: int, *, corners: bool = False) -> Bools:
    """Cells of a grid that differ from one of their four neighbours, or of eight with `corners`."""
    cells = values.reshape(-1, width)
    mark = np.zeros(cells.shape, dtype=np.bool_)
    down, across = cells[1:] != cells[:-1], cells[:, 1:] != cells[:, :-1]
    mark[1:] |= down
    mark[:-1] |= down
    mark[:, 1:] |= across
    mark[:, :-1] |= across
    if corners:
        falling, rising = cells[1:, 1:] != cells[:-1, :-1], cells[1:, :-1] != cells[:-1, 1:]
        mark[1:, 1:] |= falling
        mark[:-1, :-1] |= falling
        mark[1:, :-1] |= rising
        mark[:-1, 1:] |= rising
    return mark.ravel()


def torn(tiles: Singles, face: Ints, across: int, most: float) -> Bools:
    """Tiles that differ by more than a limit from one of their eight neighbours with the same face."""
    cells, faces = tiles.reshape(-1, across), face.reshape(-1, across)
    mark = np.zeros(cells.shape, dtype=np.bool_)
    for one, other in _beside():
        apart = (np.abs(cells[one] - cells[other]) > most) & (faces[one] == faces[other])
        mark[one] |= apart
        mark[other] |= apart
    return mark.ravel()


def softened(tiles: Singles, face: Ints, across: int) -> Singles:
    """Each tile's value, averaged with those of its eight neighbours with the same face."""
    values, faces = tiles.reshape(-1, across), face.reshape(-1, across)
    total, weights = values * np.float32(4.0), np.full(values.shape, 4.0, dtype=np.float32)
    for (one, other), weight in zip(_beside(), (2.0, 2.0, 1.0, 1.0), strict=True):
        same = np.where(faces[one] == faces[other], np.float32(weight), np.float32(0.0))
        for mine, theirs in ((one, other), (other, one)):
            total[mine] += same * values[theirs]
            weights[mine] += same
    return (total / weights).ravel()


def _beside() -> list[tuple[tuple[slice, slice], tuple[slice, slice]]]:
    """Pairs of slices of a grid shifted by one cell: down, across and diagonally."""
    whole, first, last = slice(None), slice(None, -1), slice(1, None)
    return [
        ((first, whole), (last, whole)),
        ((whole, first), (whole, last)),
        ((first, first), (last, last)),
        ((first, last), (last, first)),
    ]


class Tracer(Protocol):
    """Finds which sample points of a lamp are hidden from pixels."""

    def __call__(self, which: Index, *, roughly: bool = False) -> Bits: ...


def cast_shadows(lens: Lens, edges: Bools, known: Bits, tiles: Bools, trace: Tracer) -> None:
    """Find the shadows in some tiles: at their representatives, and per pixel where these disagree or faces meet."""
    across = lens.width // TILE
    representative = representatives(lens)
    bits = known[representative]
    asked = np.flatnonzero(tiles)
    bits[asked] = trace(representative[asked])
    split = tiles & ((bits != 0) & (bits != DARK) | uneven(bits, across, corners=True))
    known[:] = np.where(spread(lens, tiles), spread(lens, bits), known)
    # Where only faces meet, one ray tests whether the tile's value is valid for a pixel.
    meeting = np.flatnonzero(spread(lens, tiles & ~split & tiles_of(lens, edges)))
    rough = trace(meeting, roughly=True)
    doubtful = spread(lens, split)
    doubtful[meeting[rough != known[meeting]]] = True
    which = np.flatnonzero(doubtful)
    known[which] = trace(which)


class Blend:
    """Interpolates the values of the four representatives around each pixel."""

    def __init__(self, width: int, height: int) -> None:
        self._representatives = _representatives(width, height)
        self._across = width // TILE
        left, right_share = _between(width, self._across)
        top, lower_share = _between(height, height // TILE)
        self._corner: Ints = (top[:, None] * self._across + left).ravel()
        self._right = np.tile(right_share, height)
        self._lower = np.repeat(lower_share, width)

    def __call__(self, face: Ints, values: Singles, which: Index) -> Singles:
        """The interpolated values of some pixels. Representatives on the same face weigh most."""
        return self.shares(face, which).mix(values)

    def shares(self, face: Ints, which: Index) -> Shares:
        """The tiles and weights for some pixels."""
        corner, right, lower = self._corner[which], self._right[which], self._lower[which]
        mine, theirs = face[which], face[self._representatives]
        left, upper, step = 1.0 - right, 1.0 - lower, self._across
        familiar, total = np.zeros(len(which), dtype=np.bool_), np.zeros(len(which), dtype=np.float32)
        tiles, weights = [], []
        for tile, share in (
            (corner, left * upper),
            (corner + 1, right * upper),
            (corner + step, left * lower),
            (corner + step + 1, right * lower),
        ):
            same = theirs.take(tile) == mine
            weight = (share + np.float32(1e-3)) * np.where(same, np.float32(1.0), _OTHER_FACE)
            familiar |= same
            total += weight
            tiles.append(tile)
            weights.append(weight)
        return Shares(tiles, weights, total, familiar)


@dataclass(frozen=True)
class Shares:
    """For each pixel, four tiles, their weights, the sum of weights, and whether any tile shows the same face."""

    tiles: list[Ints]
    weights: list[Singles]
    total: Singles
    familiar: Bools

    def mix(self, values: Singles) -> Singles:
        """The weighted mean of the tiles' values."""
        mixed = np.zeros(len(self.total), dtype=np.float32)
        for tile, weight in zip(self.tiles, self.weights, strict=True):
            mixed += weight * values.take(tile)
        return mixed / self.total


blend = lru_cache(maxsize=8)(Blend)
"""A cached `Blend` for all pictures of a size."""


def _between(pixels: int, tiles: int) -> tuple[Ints, Singles]:
    """For each pixel along a side, the representative before it, and its relative distance to the next one."""
    place = np.arange(pixels, dtype=np.int32) - _REPRESENTATIVE
    before = np.clip(place // TILE, 0, max(tiles - 2, 0)).astype(np.int32)
    share = np.clip((place - before * TILE) * np.float32(1.0 / TILE), 0.0, 1.0)
    return before, share.astype(np.float32)


def borrowed(lens: Lens, face: Ints, row: Index, column: Index, sample: Ints) -> Index:
    """For each subpixel, the nearby pixel that shows the same face, or else the same solid."""
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

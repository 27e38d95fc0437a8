"""Passes over the pixels of a picture that its backdrop and its frames share.

Pixels are numbered row by row. Tiles of 4x4 pixels make a coarse grid; one pixel of each speaks for it.
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
_SPEAKER = 2
_STRANGER = np.float32(1e-3)
"""Weight of a neighbour on another face: next to none, unless there is no other neighbour."""

SUBPIXELS = ((-0.375, -0.125), (0.125, -0.375), (0.375, 0.125), (-0.125, 0.375))
_ROUND = ((0, 0), (0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))


def speakers(lens: Lens) -> Index:
    """The pixel that speaks for each tile."""
    return _speakers(lens.width, lens.height)


@lru_cache(maxsize=8)
def _speakers(width: int, height: int) -> Index:
    rows, columns = np.arange(_SPEAKER, height, TILE), np.arange(_SPEAKER, width, TILE)
    return (rows[:, None] * width + columns).ravel()


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


def uneven(values: NDArray[Any], width: int, *, corners: bool = False) -> Bools:
    """Cells of a grid that differ from one of the four beside them, or of the eight round them."""
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
    """Tiles of a grid that differ by more than a limit from one of their eight neighbours that shows the same face."""
    cells, faces = tiles.reshape(-1, across), face.reshape(-1, across)
    mark = np.zeros(cells.shape, dtype=np.bool_)
    for one, other in _beside():
        apart = (np.abs(cells[one] - cells[other]) > most) & (faces[one] == faces[other])
        mark[one] |= apart
        mark[other] |= apart
    return mark.ravel()


def softened(tiles: Singles, face: Ints, across: int) -> Singles:
    """Each tile's value mixed with those of the eight round it that show the same face."""
    values, faces = tiles.reshape(-1, across), face.reshape(-1, across)
    total, weights = values * np.float32(4.0), np.full(values.shape, 4.0, dtype=np.float32)
    for (one, other), weight in zip(_beside(), (2.0, 2.0, 1.0, 1.0), strict=True):
        same = np.where(faces[one] == faces[other], np.float32(weight), np.float32(0.0))
        for mine, theirs in ((one, other), (other, one)):
            total[mine] += same * values[theirs]
            weights[mine] += same
    return (total / weights).ravel()


def _beside() -> list[tuple[tuple[slice, slice], tuple[slice, slice]]]:
    """The parts of a grid that lie on each other when it is moved by one cell: down, across and to both corners."""
    whole, first, last = slice(None), slice(None, -1), slice(1, None)
    return [
        ((first, whole), (last, whole)),
        ((whole, first), (whole, last)),
        ((first, first), (last, last)),
        ((first, last), (last, first)),
    ]


class Tracer(Protocol):
    """Finds which spots of a lamp are hidden from pixels."""

    def __call__(self, which: Index, *, roughly: bool = False) -> Bits: ...


def cast_shadows(lens: Lens, edges: Bools, known: Bits, tiles: Bools, trace: Tracer) -> None:
    """Find the shadows in some tiles: at their speakers, and at each pixel where those disagree or faces meet."""
    across = lens.width // TILE
    speaker = speakers(lens)
    bits = known[speaker]
    asked = np.flatnonzero(tiles)
    bits[asked] = trace(speaker[asked])
    split = tiles & ((bits != 0) & (bits != DARK) | uneven(bits, across, corners=True))
    known[:] = np.where(spread(lens, tiles), spread(lens, bits), known)
    # Where only faces meet, one ray shows whether the speaker's value holds for a pixel.
    meeting = np.flatnonzero(spread(lens, tiles & ~split & tiles_of(lens, edges)))
    rough = trace(meeting, roughly=True)
    doubtful = spread(lens, split)
    doubtful[meeting[rough != known[meeting]]] = True
    which = np.flatnonzero(doubtful)
    known[which] = trace(which)


class Blend:
    """How each pixel mixes the values of the four speakers round it."""

    def __init__(self, width: int, height: int) -> None:
        self._speakers = _speakers(width, height)
        self._across = width // TILE
        left, right_share = _between(width, self._across)
        top, lower_share = _between(height, height // TILE)
        self._corner: Ints = (top[:, None] * self._across + left).ravel()
        self._right = np.tile(right_share, height)
        self._lower = np.repeat(lower_share, width)

    def __call__(self, face: Ints, values: Singles, which: Index) -> Singles:
        """The mixture for some pixels. Speakers on the same face count most."""
        return self.shares(face, which).mix(values)

    def shares(self, face: Ints, which: Index) -> Shares:
        """Whom some pixels listen to, and how much."""
        corner, right, lower = self._corner[which], self._right[which], self._lower[which]
        mine, theirs = face[which], face[self._speakers]
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
            weight = (share + np.float32(1e-3)) * np.where(same, np.float32(1.0), _STRANGER)
            familiar |= same
            total += weight
            tiles.append(tile)
            weights.append(weight)
        return Shares(tiles, weights, total, familiar)


@dataclass(frozen=True)
class Shares:
    """For each of some pixels four tiles, their weights and the sum of those, and whether any shows the same face."""

    tiles: list[Ints]
    weights: list[Singles]
    total: Singles
    familiar: Bools

    def mix(self, values: Singles) -> Singles:
        """The mixture of the tiles' values."""
        mixed = np.zeros(len(self.total), dtype=np.float32)
        for tile, weight in zip(self.tiles, self.weights, strict=True):
            mixed += weight * values.take(tile)
        return mixed / self.total


blend = lru_cache(maxsize=8)(Blend)
"""One `Blend` for all pictures of a size."""


def _between(pixels: int, tiles: int) -> tuple[Ints, Singles]:
    """For each pixel along a side the speaker before it, and how near it is to the one after."""
    place = np.arange(pixels, dtype=np.int32) - _SPEAKER
    before = np.clip(place // TILE, 0, max(tiles - 2, 0)).astype(np.int32)
    share = np.clip((place - before * TILE) * np.float32(1.0 / TILE), 0.0, 1.0)
    return before, share.astype(np.float32)


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

"""Masks of single things: the innermost pixel, where a mark goes, and the bounding box."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from envs.render.arrays import Bools


class Spot(NamedTuple):
    """A pixel by column and row; `room` is its distance from the edge of the mask, in pixels."""

    x: int
    y: int
    room: int


def inmost(mask: Bools) -> Spot | None:
    """The pixel furthest from the edge of a mask; of several, the one nearest to its middle. None if empty.

    The edge of the picture counts as an edge.
    """
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return None
    top, left = int(rows.min()), int(columns.min())
    left_over = np.pad(mask[top : rows.max() + 1, left : columns.max() + 1], 1)
    middle = (int(rows.sum()), int(columns.sum()), len(rows))
    room = -1
    while left_over.any():
        kept, room = left_over, room + 1
        left_over = _eroded(kept)
    y, x = np.nonzero(kept)
    y, x = y + (top - 1), x + (left - 1)
    # In integers: the same on every machine.
    far = (y * middle[2] - middle[0]) ** 2 + (x * middle[2] - middle[1]) ** 2
    best = int(np.argmin(far))
    return Spot(int(x[best]), int(y[best]), room)


def _eroded(mask: Bools) -> Bools:
    """The pixels whose eight neighbours belong to the mask."""
    across = mask.copy()
    across[:, 1:] &= mask[:, :-1]
    across[:, :-1] &= mask[:, 1:]
    inner = across.copy()
    inner[1:] &= across[:-1]
    inner[:-1] &= across[1:]
    return inner


def frame(mask: Bools, room: int = 2) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom (exclusive) of the mask, with a margin, clipped to the picture."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    height, width = mask.shape
    left, top = max(int(columns[0]) - room, 0), max(int(rows[0]) - room, 0)
    return left, top, min(int(columns[-1]) + room + 1, width), min(int(rows[-1]) + room + 1, height)

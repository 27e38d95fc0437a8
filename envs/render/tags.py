"""Draws names on a finished picture: a thin frame around each thing, and a tag beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

from envs.render.arrays import Bools, Bytes, Floats, Ints
from envs.render.ray import Segments
from envs.render.scene import Colour
from envs.render.textures import lettering

PALETTE: tuple[Colour, ...] = (
    (1.00, 0.84, 0.00),
    (0.20, 0.80, 1.00),
    (1.00, 0.45, 0.80),
    (0.55, 0.95, 0.30),
    (1.00, 0.58, 0.15),
    (0.72, 0.60, 1.00),
    (0.25, 0.95, 0.75),
    (1.00, 0.45, 0.40),
)
"""Colours that are bright enough for black letters and easy to distinguish."""

_SHRINK = 6
"""The factor by which printed letters are reduced."""
_ROOM = 2
"""The margin in pixels between a thing and its frame, and around the letters of a tag."""
_BRIGHT = 8 * 110
_STEP = 3
"""The step in pixels between candidate places for a tag."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom; right and bottom are the first pixels beyond."""


def label(rgb: Bytes, segments: Segments, names: Iterable[str] | Mapping[str, Colour]) -> Bytes:
    """The picture with a frame and a tag for each visible name, in given colours or alternating bright ones.

    A tag is outside its frame if there is room, covers as little of named things as possible, and never covers
    another tag unless the picture is full of them.
    """
    colours = names if isinstance(names, Mapping) else dict(zip(names, _endless(), strict=False))
    masks = {name: mask for name in colours if (mask := segments.mask(name)).any()}
    frames = {name: _frame(mask) for name, mask in masks.items()}
    drawn = rgb.copy()
    for name, frame in frames.items():
        _outline(drawn, frame, _bytes(colours[name]))
    taken = np.zeros(rgb.shape[:2], dtype=np.bool_)
    named = sums(np.any([taken, *masks.values()], axis=0))
    for name, frame in frames.items():
        card = _card(name, _bytes(colours[name]))[: rgb.shape[0], : rgb.shape[1]]
        top, left = _place(card.shape[:2], frame, named, sums(taken))
        spot = (slice(top, top + card.shape[0]), slice(left, left + card.shape[1]))
        drawn[spot], taken[spot] = card, True
    return drawn


def _endless() -> Iterable[Colour]:
    while True:
        yield from PALETTE


def _bytes(colour: Colour) -> Bytes:
    return np.array([round(channel * 255.0) for channel in colour], dtype=np.uint8)


def _frame(mask: Bools) -> Box:
    """The bounding box of marked pixels with a margin, clipped to the picture."""
    height, width = mask.shape
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    room = _ROOM + 1
    left, top = max(int(columns[0]) - room, 0), max(int(rows[0]) - room, 0)
    return left, top, min(int(columns[-1]) + room + 1, width), min(int(rows[-1]) + room + 1, height)


def _outline(rgb: Bytes, frame: Box, colour: Bytes) -> None:
    left, top, right, bottom = frame
    rgb[top, left:right] = rgb[bottom - 1, left:right] = colour
    rgb[top:bottom, left] = rgb[top:bottom, right - 1] = colour


@cache
def letters(text: str) -> Bytes:
    """Text in the small letters of tags: 255 is full ink."""
    ink = lettering(text).astype(np.int32)
    rows, columns = (-(-side // _SHRINK) for side in ink.shape)
    whole = np.pad(ink, ((0, rows * _SHRINK - ink.shape[0]), (0, columns * _SHRINK - ink.shape[1])))
    sums = whole.reshape(rows, _SHRINK, columns, _SHRINK).sum(axis=(1, 3))
    small: Bytes = (sums // _SHRINK**2).astype(np.uint8)
    return small


def _card(text: str, colour: Bytes) -> Bytes:
    """A tag: black letters on a colour, or white ones on a dark colour."""
    ink = np.pad(letters(text), ((0, 0), (_ROOM, _ROOM))).astype(np.int32)[:, :, None]
    red, green, blue = colour.tolist()
    letter = 0 if 2 * red + 5 * green + blue > _BRIGHT else 255
    card: Bytes = ((colour * (255 - ink) + letter * ink) // 255).astype(np.uint8)
    return card


def _place(size: tuple[int, int], frame: Box, named: Ints, taken: Ints) -> tuple[int, int]:
    """The top left corner of the best place for a tag of some size, given sums over masks."""
    (height, width), (left, top, right, bottom) = size, frame
    rows = _places(top - height, named.shape[0] - 1 - height)
    columns = _places(left, named.shape[1] - 1 - width)
    down = np.maximum(np.maximum(top - (rows + height), rows - bottom), 0)[:, None]
    across = np.maximum(np.maximum(left - (columns + width), columns - right), 0)
    # Prefer a place above the frame, flush with its left edge.
    habit = 0.05 * np.abs(columns - left) + 2.0 * (rows + height > top)[:, None]
    hidden = covered(named, rows, columns, size) + 1000 * covered(taken, rows, columns, size)
    cost: Floats = hidden + (down + across) * 3.0 + habit
    row, column = divmod(int(np.argmin(cost)), len(columns))
    return int(rows[row]), int(columns[column])


def _places(best: int, most: int) -> Ints:
    """Candidate positions along one side: every few pixels, including the best one if possible."""
    return np.arange(min(max(best, 0), most) % _STEP, most + 1, _STEP, dtype=np.int32)


def sums(mask: Bools) -> Ints:
    """The number of marked pixels above and to the left of each pixel."""
    total = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), dtype=np.int32)
    mask.cumsum(axis=0, dtype=np.int32).cumsum(axis=1, dtype=np.int32, out=total[1:, 1:])
    return total


def covered(totals: Ints, rows: Ints, columns: Ints, size: tuple[int, int]) -> Ints:
    """The number of marked pixels that a card would cover at each place."""
    top, low = (totals[rows + down] for down in (0, size[0]))
    covered: Ints = (low - top)[:, columns + size[1]] - (low - top)[:, columns]
    return covered

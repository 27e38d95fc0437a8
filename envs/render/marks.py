"""Marks on a finished picture: numbered points, boxes, segments, arrows and short notes, legible on any background.

    marks = placed((Point(120, 80, "1"), Box(300, 200, 380, 260, "", "red")), (640, 480))
    rgb = draw(rgb, marks)

`placed` chooses a place for the plate of every mark with a text. Plates cover neither each other, nor other marks, nor
(with `masks`) the things that other marks are on. `draw` is deterministic.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from envs.render.arrays import Bools, Bytes, Ints
from envs.render.strokes import LINE, arrow, distance, grid, line, sides
from envs.render.tags import covered, sums
from envs.render.textures import lettering
from planners.names import unknown

COLOURS: Mapping[str, tuple[int, int, int]] = {
    "yellow": (255, 222, 0),
    "red": (255, 48, 48),
    "blue": (64, 144, 255),
    "green": (64, 224, 64),
    "orange": (255, 150, 32),
    "purple": (196, 112, 255),
    "white": (255, 255, 255),
    "pink": (255, 130, 200),
    "cyan": (0, 230, 230),
}
"""Colours by their names in questions. Black letters are legible on all of them."""

Spot: TypeAlias = tuple[int, int]
"""Column and row of a pixel."""

_DOT = 4.0
_HALO = 1.5
"""The width of the black edge on each side."""
_SHRINK = 5
"""The factor by which printed letters are reduced."""
_PAD = 3
_AWAY = 72
"""The largest distance of a plate from its mark, in pixels."""
_CLEAR = 3
"""The margin in pixels between a plate and other marks."""


@dataclass(frozen=True, slots=True)
class Point:
    """A dot on a pixel. `plate` is the top left corner of the plate with its text."""

    x: int
    y: int
    text: str = ""
    colour: str = "yellow"
    plate: Spot | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """A frame; `right` and `bottom` are exclusive."""

    left: int
    top: int
    right: int
    bottom: int
    text: str = ""
    colour: str = "yellow"
    plate: Spot | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight line between two pixels, with a dot at each end."""

    x0: int
    y0: int
    x1: int
    y1: int
    text: str = ""
    colour: str = "yellow"
    plate: Spot | None = None


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow from one pixel to another."""

    x0: int
    y0: int
    x1: int
    y1: int
    text: str = ""
    colour: str = "yellow"
    plate: Spot | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """A plate with a text; the pixel is its top left corner."""

    x: int
    y: int
    text: str
    colour: str = "white"


Mark: TypeAlias = Point | Box | Segment | Arrow | Note

_KINDS: Mapping[str, type[Any]] = {"point": Point, "box": Box, "segment": Segment, "arrow": Arrow, "note": Note}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def to_json(mark: Mark) -> list[Any]:
    """The mark as a list, without an empty plate."""
    values = list(astuple(mark))
    if values[-1] is None:
        values.pop()
    return [_NAMES[type(mark)], *(list(value) if isinstance(value, tuple) else value for value in values)]


def from_json(entry: Sequence[Any]) -> Mark:
    """The mark that `to_json` wrote."""
    name, *values = entry
    if name not in _KINDS:
        raise unknown("mark", str(name), _KINDS)
    made: Mark = _KINDS[name](*(tuple(value) if isinstance(value, list) else value for value in values))
    return made


def placed(
    marks: Iterable[Mark], size: tuple[int, int], masks: Sequence[Bools | None] | None = None
) -> tuple[Mark, ...]:
    """The marks with places for their plates, in a picture of some width and height.

    `masks` are the pixels of the thing that each mark is on, or None. Plates avoid all of them, those of their own mark
    less strictly.
    """
    marks = tuple(marks)
    width, height = size
    given = masks or [None] * len(marks)
    nothing = np.zeros((height, width), dtype=np.bool_)
    shown = [nothing if mask is None else mask for mask in given]
    taken = nothing.copy()
    for mark in marks:
        taken |= _grown(_drawn_on(mark, size))
    found: list[Mark] = []
    for number, mark in enumerate(marks):
        if isinstance(mark, Note) or not mark.text or mark.plate is not None:
            found.append(mark)
            continue
        others = np.any([nothing, *(mask for k, mask in enumerate(shown) if k != number)], axis=0)
        spot = _place(mark, size, others, shown[number], taken)
        _cover(taken, mark, spot, _CLEAR)
        found.append(replace(mark, plate=spot))
    return tuple(found)


def draw(rgb: Bytes, marks: Iterable[Mark]) -> Bytes:
    """The picture with marks: lines and dots first, plates on top of them."""
    height, width, _ = rgb.shape
    marks = placed(marks, (width, height))
    drawn = rgb.copy()
    for mark in marks:
        _lines(drawn, mark)
    for mark in marks:
        spot = _plate_spot(mark)
        if mark.text and spot is not None:
            _stick(drawn, _plate(mark.text, mark.colour), spot)
    return drawn


def _colour(name: str) -> Bytes:
    if name not in COLOURS:
        raise unknown("colour of a mark", name, COLOURS)
    return np.array(COLOURS[name], dtype=np.uint8)


def _lines(rgb: Bytes, mark: Mark) -> None:
    colour, black = _colour(mark.colour), np.zeros(3, dtype=np.uint8)
    if isinstance(mark, Note):
        return
    if mark.text and mark.plate is not None:
        anchor, end = _anchor(mark), _nearest(mark, mark.plate)
        for half, ink in ((1.6, black), (0.7, colour)):
            line(rgb, (*anchor, *end), half, ink)
    for halo in (_HALO, 0.0):
        ink = black if halo else colour
        match mark:
            case Point(x, y):
                line(rgb, (x, y, x, y), _DOT + halo, ink)
            case Box(left, top, right, bottom):
                for ends in sides(left, top, right - 1, bottom - 1):
                    line(rgb, ends, LINE - 0.5 + halo, ink)
            case Segment(x0, y0, x1, y1):
                line(rgb, (x0, y0, x1, y1), LINE + halo, ink)
                line(rgb, (x0, y0, x0, y0), _DOT + halo, ink)
                line(rgb, (x1, y1, x1, y1), _DOT + halo, ink)
            case Arrow(x0, y0, x1, y1):
                arrow(rgb, (x0, y0, x1, y1), halo, ink)


@cache
def _plate(text: str, colour: str) -> Bytes:
    """Black letters on a plate with a black edge."""
    ink = lettering(text).astype(np.int32)
    rows, columns = (-(-side // _SHRINK) for side in ink.shape)
    whole = np.pad(ink, ((0, rows * _SHRINK - ink.shape[0]), (0, columns * _SHRINK - ink.shape[1])))
    small = whole.reshape(rows, _SHRINK, columns, _SHRINK).sum(axis=(1, 3)) // _SHRINK**2
    # Small letters lose ink: make it darker again.
    small = np.minimum(small * 3 // 2, 255)
    inked = np.flatnonzero(small.max(axis=1) > 40)
    small = small[inked[0] : inked[-1] + 1] if len(inked) else small
    small = np.pad(small, _PAD)[:, :, None]
    plate: Bytes = ((_colour(colour).astype(np.int32) * (255 - small)) // 255).astype(np.uint8)
    plate[[0, -1]] = plate[:, [0, -1]] = 0
    return plate


def _stick(rgb: Bytes, plate: Bytes, spot: Spot) -> None:
    left, top = max(spot[0], 0), max(spot[1], 0)
    room = rgb[top : top + plate.shape[0], left : left + plate.shape[1]]
    room[:] = plate[: room.shape[0], : room.shape[1]]


def _anchor(mark: Point | Box | Segment | Arrow) -> tuple[float, float]:
    """The point of a mark that its plate is connected to."""
    match mark:
        case Point(x, y):
            return float(x), float(y)
        case Box(left, top, right, bottom):
            plate = mark.plate or (left, top)
            return float(min(max(plate[0], left), right - 1)), float(min(max(plate[1], top), bottom - 1))
        case Segment(x0, y0, x1, y1) | Arrow(x0, y0, x1, y1):
            return (x0 + x1) / 2.0, (y0 + y1) / 2.0


def _nearest(mark: Point | Box | Segment | Arrow, plate: Spot) -> tuple[float, float]:
    """The point of a plate that is nearest to its mark."""
    x, y = _anchor(mark)
    rows, columns = _plate(mark.text, mark.colour).shape[:2]
    return min(max(x, plate[0]), plate[0] + columns - 1.0), min(max(y, plate[1]), plate[1] + rows - 1.0)


def _drawn_on(mark: Mark, size: tuple[int, int]) -> Bools:
    """The pixels that a mark covers, its plate included."""
    width, height = size
    shown = np.zeros((height, width), dtype=np.bool_)
    x, y = grid((0, height, 0, width))
    match mark:
        case Point():
            shown |= distance(x, y, (mark.x, mark.y, mark.x, mark.y)) < _DOT + _HALO
        case Box(left, top, right, bottom):
            for ends in sides(left, top, right - 1, bottom - 1):
                shown |= distance(x, y, ends) < LINE + _HALO
        case Segment() | Arrow():
            shown |= distance(x, y, (mark.x0, mark.y0, mark.x1, mark.y1)) < _DOT + _HALO
    spot = _plate_spot(mark)
    if mark.text and spot is not None:
        _cover(shown, mark, spot)
    return shown


def _plate_spot(mark: Mark) -> Spot | None:
    return (mark.x, mark.y) if isinstance(mark, Note) else mark.plate


def _cover(mask: Bools, mark: Mark, spot: Spot, margin: int = 0) -> None:
    """Mark the pixels of a plate at a spot, with a margin."""
    rows, columns = _plate(mark.text, mark.colour).shape[:2]
    top, left = max(spot[1] - margin, 0), max(spot[0] - margin, 0)
    mask[top : spot[1] + rows + margin, left : spot[0] + columns + margin] = True


def _grown(mask: Bools) -> Bools:
    """The mask, dilated by a few pixels along rows and columns."""
    grown = mask.copy()
    for _ in range(_CLEAR):
        wider = grown.copy()
        wider[1:] |= grown[:-1]
        wider[:-1] |= grown[1:]
        wider[:, 1:] |= grown[:, :-1]
        wider[:, :-1] |= grown[:, 1:]
        grown = wider
    return grown


def _place(mark: Point | Box | Segment | Arrow, size: tuple[int, int], others: Bools, own: Bools, taken: Bools) -> Spot:
    """The top left corner of the best place for a plate near its mark."""
    plate = _plate(mark.text, mark.colour).shape[:2]
    x, y = _anchor(mark)
    rows = _range(y - _AWAY, y + _AWAY, size[1] - plate[0])
    columns = _range(x - _AWAY, x + _AWAY, size[0] - plate[1])
    down = np.maximum(np.maximum(y - (rows + plate[0] - 1), rows - y), 0.0)[:, None]
    across = np.maximum(np.maximum(x - (columns + plate[1] - 1), columns - x), 0.0)[None, :]
    far = np.sqrt(down * down + across * across)

    def hidden(mask: Bools) -> Ints:
        return covered(sums(mask), rows, columns, plate)

    cost = 2.0 * far + 3.0 * hidden(others) + 0.5 * hidden(own) + 1000.0 * hidden(taken)
    row, column = divmod(int(np.argmin(cost)), len(columns))
    return int(columns[column]), int(rows[row])


def _range(low: float, high: float, most: int) -> Ints:
    return np.arange(min(max(int(low), 0), most), min(max(int(high), 0), most) + 1, 1, dtype=np.int32)

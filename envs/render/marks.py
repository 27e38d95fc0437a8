"""Marks on a finished picture: numbered points, boxes, segments, arrows and short notes, legible on any background.

    marks = placed((Point(120, 80, "1"), Box(300, 200, 380, 260, "", "red")), (640, 480))
    rgb = draw(rgb, marks)

`placed` gives every mark with a text a place for its plate, so that plates cover neither each other, nor other marks,
nor (with `masks`) what other marks are on. `draw` is a function of the picture and the marks: the same bytes each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from envs.render.arrays import Bools, Bytes, Floats, Ints
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
"""Colours by the names that questions call them. Black letters can be read on all of them."""

Spot: TypeAlias = tuple[int, int]
"""Column and row of a pixel."""

_DOT = 4.0
_LINE = 1.5
"""Half the width of a line."""
_HALO = 1.5
"""How much wider the black edge is, on each side."""
_HEAD = (15.0, 7.0)
"""Length of an arrow's head, and half its width."""
_SHRINK = 5
"""How many rows and columns of the printed letters make one of a plate."""
_PAD = 3
_AWAY = 72
"""How far from its mark a plate may be, in pixels."""
_CLEAR = 3
"""Pixels that stay free between a plate and other marks."""


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
    """A frame; `right` and `bottom` are the first column and row beyond it."""

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
    """A text alone, on a plate whose top left corner is this pixel."""

    x: int
    y: int
    text: str
    colour: str = "white"


Mark: TypeAlias = Point | Box | Segment | Arrow | Note

_KINDS: Mapping[str, type[Any]] = {"point": Point, "box": Box, "segment": Segment, "arrow": Arrow, "note": Note}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def to_json(mark: Mark) -> list[Any]:
    """The mark as a list, as short as it can be."""
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

    `masks` are the pixels of what each mark is on, None where it is on nothing. A plate keeps off all of them, from its
    own a little less than from others.
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
        rows, columns = _plate(mark.text, mark.colour).shape[:2]
        top, left = max(spot[1] - _CLEAR, 0), max(spot[0] - _CLEAR, 0)
        taken[top : spot[1] + rows + _CLEAR, left : spot[0] + columns + _CLEAR] = True
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
        spot = (mark.x, mark.y) if isinstance(mark, Note) else mark.plate
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
            _line(rgb, (*anchor, *end), half, ink)
    for halo in (_HALO, 0.0):
        ink = black if halo else colour
        match mark:
            case Point(x, y):
                _line(rgb, (x, y, x, y), _DOT + halo, ink)
            case Box(left, top, right, bottom):
                for ends in _sides(left, top, right - 1, bottom - 1):
                    _line(rgb, ends, _LINE - 0.5 + halo, ink)
            case Segment(x0, y0, x1, y1):
                _line(rgb, (x0, y0, x1, y1), _LINE + halo, ink)
                _line(rgb, (x0, y0, x0, y0), _DOT + halo, ink)
                _line(rgb, (x1, y1, x1, y1), _DOT + halo, ink)
            case Arrow(x0, y0, x1, y1):
                _arrow(rgb, (x0, y0, x1, y1), halo, ink)


def _sides(left: int, top: int, right: int, bottom: int) -> list[tuple[int, int, int, int]]:
    return [
        (left, top, right, top),
        (left, bottom, right, bottom),
        (left, top, left, bottom),
        (right, top, right, bottom),
    ]


def _line(rgb: Bytes, ends: tuple[float, float, float, float], half: float, colour: Bytes) -> None:
    """A line with round ends, its edges smooth."""
    window = _window(rgb, ends, half + 1.0)
    x, y = _grid(window)
    _ink(rgb, window, np.clip(half + 0.5 - _far(x, y, ends), 0.0, 1.0), colour)


def _far(x: Floats, y: Floats, ends: tuple[float, float, float, float]) -> Floats:
    """How far pixels are from a line between two points."""
    x0, y0, x1, y1 = ends
    across, down = x1 - x0, y1 - y0
    length = across * across + down * down
    share = np.clip(((x - x0) * across + (y - y0) * down) / (length or 1.0), 0.0, 1.0)
    dx, dy = x - (x0 + share * across), y - (y0 + share * down)
    far: Floats = np.sqrt(dx * dx + dy * dy)
    return far


def _arrow(rgb: Bytes, ends: tuple[int, int, int, int], halo: float, colour: Bytes) -> None:
    x0, y0, x1, y1 = ends
    length = float(np.sqrt(float((x1 - x0) ** 2 + (y1 - y0) ** 2))) or 1.0
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    head = min(_HEAD[0], 0.6 * length)
    neck = (x1 - ux * head, y1 - uy * head)
    _line(rgb, (x0, y0, *neck), _LINE + halo, colour)
    window = _window(rgb, (x0, y0, x1, y1), _HEAD[1] + halo + 2.0)
    x, y = _grid(window)
    # How far behind the tip a pixel is, and how far beside the axis: the head is a triangle in these two.
    back = (x1 - x) * ux + (y1 - y) * uy
    aside = np.abs((x - x1) * uy - (y - y1) * ux)
    slope = _HEAD[1] / _HEAD[0]
    lean = float(np.sqrt(1.0 + slope * slope))
    inner = np.minimum((back * slope - aside) / lean, head - back)
    _ink(rgb, window, np.clip(inner + halo + 0.5, 0.0, 1.0), colour)


Window: TypeAlias = tuple[int, int, int, int]
"""First and last row, first and last column of a part of the picture; the last ones are beyond it."""


def _window(rgb: Bytes, ends: tuple[float, float, float, float], margin: float) -> Window:
    x0, y0, x1, y1 = ends
    height, width, _ = rgb.shape
    top, bottom = (min(max(int(value), 0), height) for value in (min(y0, y1) - margin, max(y0, y1) + margin + 2.0))
    left, right = (min(max(int(value), 0), width) for value in (min(x0, x1) - margin, max(x0, x1) + margin + 2.0))
    return top, bottom, left, right


def _grid(window: Window) -> tuple[Floats, Floats]:
    top, bottom, left, right = window
    return np.arange(left, right, dtype=np.float64)[None, :], np.arange(top, bottom, dtype=np.float64)[:, None]


def _ink(rgb: Bytes, window: Window, share: Floats, colour: Bytes) -> None:
    top, bottom, left, right = window
    part = rgb[top:bottom, left:right].astype(np.int32)
    alpha = np.floor(share * 256.0).astype(np.int32)[:, :, None]
    rgb[top:bottom, left:right] = (part * (256 - alpha) + colour.astype(np.int32) * alpha) >> 8


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
    """Where a plate is tied to its mark."""
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
    """The pixels that the lines of a mark cover, or the plate of a note."""
    width, height = size
    shown = np.zeros((height, width), dtype=np.bool_)
    x, y = _grid((0, height, 0, width))
    match mark:
        case Point():
            shown |= _far(x, y, (mark.x, mark.y, mark.x, mark.y)) < _DOT + _HALO
        case Box(left, top, right, bottom):
            for ends in _sides(left, top, right - 1, bottom - 1):
                shown |= _far(x, y, ends) < _LINE + _HALO
        case Segment() | Arrow():
            shown |= _far(x, y, (mark.x0, mark.y0, mark.x1, mark.y1)) < _DOT + _HALO
        case Note():
            rows, columns = _plate(mark.text, mark.colour).shape[:2]
            shown[max(mark.y, 0) : mark.y + rows, max(mark.x, 0) : mark.x + columns] = True
    if not isinstance(mark, Note) and mark.plate is not None and mark.text:
        rows, columns = _plate(mark.text, mark.colour).shape[:2]
        shown[max(mark.plate[1], 0) : mark.plate[1] + rows, max(mark.plate[0], 0) : mark.plate[0] + columns] = True
    return shown


def _grown(mask: Bools) -> Bools:
    """The mask and all within a few pixels of it, along rows and columns."""
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

"""Pictures made from pictures: with a lettered grid, with a part enlarged, with numbers at places.

Places are shares of a picture's width and height, from 0 to 1 from the left and from the top. The output is
deterministic.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

    from envs.base import Arrow
    from envs.render.arrays import Floats
    from envs.render.marks import Mark

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LEAST, MOST = 480, 1024
"""Bounds of the longer side of a picture made here, in pixels."""
MARGIN = 0.15
"""The margin shown around a part, as a share of its sides: things may lie on its border."""
CHANGED = 24
"""From so many of 255 steps on a pixel has changed."""
COLOUR = "pink"
"""A colour that questions rarely use for their own marks."""


class Part(NamedTuple):
    """A rectangle of a picture."""

    left: float
    top: float
    right: float
    bottom: float


def grid(rows: int) -> list[Part]:
    """The cells of a grid with as many columns as rows, row by row."""
    edges = [round(place / rows, 4) for place in range(rows + 1)]
    return [
        Part(edges[column], edges[row], edges[column + 1], edges[row + 1])
        for row in range(rows)
        for column in range(rows)
    ]


def gridded(png: bytes, rows: int) -> bytes:
    """The picture with a grid drawn on it, each cell with its letter in a corner."""
    from envs.render.marks import Box, Note

    image = _fitted(_opened(png))
    frames = [_pixels(cell, image.size) for cell in grid(rows)]
    boxes = [Box(*frame, "", COLOUR) for frame in frames]
    notes = [Note(left + 6, top + 6, LETTERS[place], COLOUR) for place, (left, top, *_) in enumerate(frames)]
    return _drawn(image, [*boxes, *notes])


def enlarged(png: bytes, part: Part, *, framed: bool = False) -> bytes:
    """A part of the picture with a margin, enlarged; `framed` draws a frame around the part itself."""
    from envs.render.marks import Box

    image = _opened(png)
    wide, high = MARGIN * (part.right - part.left), MARGIN * (part.bottom - part.top)
    around = Part(
        max(part.left - wide, 0.0), max(part.top - high, 0.0), min(part.right + wide, 1.0), min(part.bottom + high, 1.0)
    )
    left, top, right, bottom = _pixels(around, image.size)
    cut = _fitted(image.crop((left, top, max(right, left + 1), max(bottom, top + 1))), least=max(LEAST, *image.size))
    width, height = around.right - around.left, around.bottom - around.top
    inner = Part(
        (part.left - around.left) / width,
        (part.top - around.top) / height,
        (part.right - around.left) / width,
        (part.bottom - around.top) / height,
    )
    return _drawn(cut, [Box(*_pixels(inner, cut.size), "", COLOUR)] if framed else [])


def cropped(png: bytes, part: Part) -> bytes:
    """A part of the picture without a margin, enlarged where it is small."""
    image = _opened(png)
    left, top, right, bottom = _pixels(part, image.size)
    return _drawn(_fitted(image.crop((left, top, max(right, left + 1), max(bottom, top + 1)))), [])


def numbered(png: bytes, places: Iterable[tuple[int, float, float]]) -> bytes:
    """The picture with a dot and a number at each place."""
    from envs.render.marks import Point

    image = _fitted(_opened(png))
    width, height = image.size
    return _drawn(
        image,
        [
            Point(min(int(x * width), width - 1), min(int(y * height), height - 1), str(number), COLOUR)
            for number, x, y in places
        ],
    )


def with_arrows(png: bytes, arrows: Sequence[Arrow], length: str) -> bytes:
    """The picture with named directions drawn on it; `length` says how long they are in the scene."""
    from envs.render.marks import Arrow as Drawn
    from envs.render.marks import Note, placed

    image = _fitted(_opened(png), least=MOST)
    width, height = image.size
    colours = ("red", "green", "blue", "orange", "purple", "cyan")
    names = list(dict.fromkeys(arrow.name for arrow in arrows))
    drawn = [
        Drawn(
            *_inside_of((arrow.x, arrow.y), image.size), *_inside_of((arrow.to_x, arrow.to_y), image.size),
            arrow.name, colours[names.index(arrow.name) % len(colours)],
        )
        for arrow in arrows
    ]  # fmt: skip
    notes = [Note(6, 6, length, "white")] if length else []
    return _drawn(image, [*placed(drawn, (width, height)), *notes])


def difference(png: bytes, other: bytes) -> bytes:
    """Where two pictures differ: the first one in grey, pale, with what is new in red and what is gone in blue."""
    import numpy as np

    from envs.render.png import png as packed

    first, second = _arrays(png, other)
    change = np.abs(second - first).max(axis=2, keepdims=True) / 255.0
    share = np.clip(change * 4.0, 0.0, 1.0)
    pale = 160.0 + first.mean(axis=2, keepdims=True) * 0.35
    brighter = second.sum(axis=2, keepdims=True) >= first.sum(axis=2, keepdims=True)
    tint = np.where(brighter, np.array([220.0, 30.0, 30.0]), np.array([30.0, 60.0, 220.0]))
    return packed(np.clip(pale * (1 - share) + tint * share, 0, 255).astype(np.uint8))


def changed_part(png: bytes, other: bytes, margin: float = 0.08) -> Part:
    """The part of the picture in which nearly all change is, with a margin; all of it where nothing changed."""
    import numpy as np

    first, second = _arrays(png, other)
    change = np.abs(second - first).max(axis=2)
    # Cubed, so that a thing that moved counts for more than the large but faint change of its shadow.
    weight = np.where(change > CHANGED, change, 0.0) ** 3
    if not weight.any():
        return Part(0.0, 0.0, 1.0, 1.0)
    height, width = weight.shape
    edges = []
    for axis, size in ((0, width), (1, height)):
        along = np.cumsum(weight.sum(axis=axis))
        low, high = (int(np.searchsorted(along, along[-1] * share)) for share in (0.01, 0.99))
        edges.append((max(low / size - margin, 0.0), min((high + 1) / size + margin, 1.0)))
    (left, right), (top, bottom) = edges
    return Part(*(round(edge, 4) for edge in (left, top, right, bottom)))


def _arrays(png: bytes, other: bytes) -> tuple[Floats, Floats]:
    import numpy as np

    first, second = _opened(png), _opened(other)
    if second.size != first.size:
        second = second.resize(first.size)
    return np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)


def _inside_of(place: tuple[float, float], size: tuple[int, int]) -> tuple[int, int]:
    return tuple(min(max(int(share * side), 0), side - 1) for share, side in zip(place, size, strict=True))  # type: ignore[return-value]


def _opened(png: bytes) -> Image:
    from PIL import Image

    return Image.open(io.BytesIO(png)).convert("RGB")


def _fitted(image: Image, least: int = LEAST) -> Image:
    """The picture, resized so that its longer side is between `least` and `MOST`."""
    from PIL import Image

    longer = max(image.size)
    wanted = min(max(longer, least), MOST)
    if wanted == longer:
        return image
    size = (max(image.width * wanted // longer, 1), max(image.height * wanted // longer, 1))
    return image.resize(size, Image.Resampling.LANCZOS)


def _pixels(part: Part, size: tuple[int, int]) -> tuple[int, int, int, int]:
    width, height = size
    return int(part.left * width), int(part.top * height), int(part.right * width), int(part.bottom * height)


def _drawn(image: Image, marks: list[Mark]) -> bytes:
    import numpy as np

    from envs.render.marks import draw
    from envs.render.png import png

    return png(draw(np.asarray(image), marks))

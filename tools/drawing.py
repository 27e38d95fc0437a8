"""Pictures made from pictures: with a lettered grid, with a part enlarged, with numbers at places.

Places are shares of a picture's width and height, from 0 to 1 from the left and from the top. The output is
deterministic.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

    from envs.render.marks import Mark

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LEAST, MOST = 480, 1024
"""Bounds of the longer side of a picture made here, in pixels."""
MARGIN = 0.15
"""The margin shown around a part, as a share of its sides: things may lie on its border."""
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

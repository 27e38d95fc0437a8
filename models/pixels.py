"""A model without language: classical computer vision for pictures of Blocksworld.

It uses only the picture, never the scene or the truth: it finds blocks by colour and columns by their white cards.
With this near-perfect perception, the rest of an agent can be evaluated on real pictures. Questions other than
yes/no, and pictures that it cannot interpret, are refused, never answered at random.
"""

from __future__ import annotations

import asyncio
import io
import threading
from collections import OrderedDict
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from models.base import Kind, Model, ModelUnavailable, Options, Picture, Reply, Request

USAGE = "pixels    reads Blocksworld pictures by colour; yes/no questions only"

_KEPT = 4096


def load(rest: str, options: Options) -> Model:
    """The model; it has no name and no options."""
    if rest or options:
        raise ValueError(f"the model 'pixels' takes no name and no options, got {rest or dict(options)!r}")
    return Pixels()


class Arrangement(NamedTuple):
    """What a picture shows: the blocks of each column from bottom to top, columns from left to right."""

    columns: tuple[tuple[str, ...], ...]

    def says(self, fact: str) -> bool:
        """Whether a fact such as `on r,b` holds in this arrangement."""
        name, _, arguments = fact.partition(" ")
        match name, tuple(arguments.split(",")):
            case "on", (above, below):
                return any((below, above) in pairwise(column) for column in self._with(above, below))
            case "incolumn", (block, column):
                return self._with(block) == [self.columns[self._number(column)]]
            case "clear", (block,):
                return self._with(block)[0][-1] == block
            case "leftof", (one, other):
                return self._number(one) < self._number(other)
            case "rightof", (one, other):
                return self._number(one) > self._number(other)
        raise ModelUnavailable(f"pixels knows on, incolumn, clear, leftof and rightof, not {fact}")

    def _with(self, *blocks: str) -> list[tuple[str, ...]]:
        for block in blocks:
            if not any(block in column for column in self.columns):
                seen = ", ".join(name for column in self.columns for name in column)
                raise ModelUnavailable(f"pixels sees no block {block!r}, only {seen or 'none'}")
        return [column for column in self.columns if blocks[0] in column]

    def _number(self, column: str) -> int:
        names = [f"c{number + 1}" for number in range(len(self.columns))]
        if column not in names:
            raise ModelUnavailable(f"pixels sees no column {column!r}, only {', '.join(names)}")
        return names.index(column)


class Pixels:
    """Answers yes/no questions about the last picture of a request."""

    identity = "pixels"
    looks = True
    reads = False
    simulated = False
    cacheable = True
    kinds = frozenset({Kind.YES_NO})

    def __init__(self) -> None:
        self._seen: OrderedDict[str, Arrangement | ModelUnavailable] = OrderedDict()
        self._lock = threading.Lock()

    async def ask(self, request: Request) -> Reply:
        """Yes or no, with certainty."""
        if request.kind is not Kind.YES_NO or request.about is None:
            raise ModelUnavailable("pixels answers yes/no questions only; use a ground agent")
        if not request.pictures:
            raise ModelUnavailable("pixels was asked without a picture")
        try:
            arrangement = await asyncio.to_thread(self._look, request.pictures[-1])
            yes = arrangement.says(request.about)
        except ModelUnavailable as error:
            return Reply(f"I cannot tell: {error}")  # scored as the model's own failure
        return Reply("Yes" if yes else "No", yes=float(yes), no=float(not yes))

    def _look(self, picture: Picture) -> Arrangement:
        sha256 = picture.sha256
        # Locked: many questions about one picture arrive at once, and it is analysed only once.
        with self._lock:
            if sha256 not in self._seen:
                try:
                    self._seen[sha256] = perceive(picture.png())
                except ModelUnavailable as error:
                    self._seen[sha256] = error
                if len(self._seen) > _KEPT:
                    self._seen.popitem(last=False)
            found = self._seen[sha256]
        if isinstance(found, ModelUnavailable):
            raise ModelUnavailable(str(found))
        return found


class Hue(NamedTuple):
    """The range of a colour: hue in degrees from low to high (red about 0), and its least colourfulness."""

    low: float
    high: float
    strength: float


HUES = {
    "r": Hue(-20.0, 12.0, 0.72),
    "o": Hue(16.0, 38.0, 0.80),
    "y": Hue(42.0, 64.0, 0.68),
    "g": Hue(95.0, 170.0, 0.55),
    "b": Hue(205.0, 245.0, 0.60),
    "p": Hue(262.0, 305.0, 0.50),
}
_STEP = 2
"""Everything of interest is large, so every second pixel of every second row is enough."""
_SMALLEST = 0.0018
"""The smallest share of a picture that counts as a block and not as a reflection."""
_WHITE, _GREY = 0.86, 0.10
"""Cards are brighter than the first value and less colourful than the second."""
_FULL = 0.6
"""The smallest share of its bounding box that a block or a card fills."""
_STRAY = 0.2
"""A second patch above this share counts as a second object, not as a blurred edge between two others."""


Levels = NDArray[np.float32]


@dataclass(frozen=True)
class Spot:
    """An object found in the picture: its centre and its bounding box, in pixels."""

    name: str
    x: float
    y: float
    left: float
    right: float
    top: float
    bottom: float

    @property
    def width(self) -> float:
        """The width in pixels."""
        return self.right - self.left


def perceive(png: bytes) -> Arrangement:
    """The arrangement that a picture shows."""
    rgb = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))[::_STEP, ::_STEP]
    hue, strength, bright = _colours(rgb)
    cards = _cards((bright > _WHITE) & (strength < _GREY))
    columns: list[list[Spot]] = [[] for _ in cards]
    for block in sorted(_blocks(hue, strength, bright), key=lambda block: -block.y):
        columns[int(np.argmin([abs(block.x - card.x) for card in cards]))].append(block)
    for card, column in zip(cards, columns, strict=True):
        _check_stack(card, column)
    return Arrangement(tuple(tuple(block.name for block in column) for column in columns))


def _colours(rgb: NDArray[np.uint8]) -> tuple[Levels, Levels, Levels]:
    """Hue in degrees, colourfulness and brightness between 0 and 1."""
    red, green, blue = (rgb[..., channel].astype(np.float32) for channel in range(3))
    most, least = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
    spread = np.maximum(most - least, np.float32(1.0))
    turn = np.where(most == green, (blue - red) / spread + 2.0, (red - green) / spread + 4.0)
    hue = np.where(most == red, (green - blue) / spread, turn) * np.float32(60.0)
    strength = ((most - least) / np.maximum(most, 1.0)).astype(np.float32)
    return hue, strength, most * np.float32(1.0 / 255.0)


def _blocks(hue: Levels, strength: Levels, bright: Levels) -> list[Spot]:
    """At most one block of each colour."""
    colourful = np.flatnonzero((strength > min(kind.strength for kind in HUES.values())) & (bright > 0.15))
    hue, strength, width = hue.ravel()[colourful], strength.ravel()[colourful], hue.shape[1]
    found = []
    for name, (low, high, least) in HUES.items():
        rows, columns = np.divmod(colourful[(hue >= low) & (hue <= high) & (strength >= least)], width)
        if len(rows) > _SMALLEST * bright.size:
            found.append(_spot(name, rows, columns))
    return found


def _spot(name: str, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Spot:
    """The object that consists of these pixels, if it is a single one."""
    total = len(rows)
    # The blurred edge between two blocks may have the colour of a third one, so only the largest cluster counts.
    left, right = _heaviest(columns)
    inside = (columns >= left) & (columns < right)
    top, bottom = _heaviest(rows[inside])
    mass = int((inside & (rows >= top) & (rows < bottom)).sum())
    if total - mass > _STRAY * total or mass < _FULL * (right - left) * (bottom - top):
        raise ModelUnavailable(f"pixels sees {name!r} in more than one place")
    return Spot(name, (left + right) / 2, (top + bottom) / 2, left, right, top, bottom)


def _heaviest(places: NDArray[np.intp]) -> tuple[int, int]:
    """Start and end of the run with the most pixels; a highlight along an edge does not interrupt it."""
    counts = np.bincount(places)
    runs = _runs(counts > 0.15 * np.percentile(counts[counts > 0], 90.0), shortest=1, bridge=3)
    return max(runs, key=lambda run: int(counts[run[0] : run[1]].sum()))


def _cards(white: NDArray[np.bool_]) -> list[Spot]:
    """The cards before the columns, from left to right: bright, of one size, evenly spaced."""
    height, width = white.shape
    found = []
    for top, bottom in _runs(white.sum(axis=1) > 0.1 * width, shortest=height // 40):
        band = white[top:bottom]
        for left, right in _runs(band.sum(axis=0) > 0.25 * len(band), shortest=width // 40, bridge=width // 60):
            rows, columns = np.nonzero(band[:, left:right])
            found.append(_spot("a card", rows + top, columns + left))
    if len(found) < 2:
        raise ModelUnavailable(f"pixels sees {len(found)} column cards, and expects several")
    gaps = np.diff([card.x for card in found])
    widths = np.array([card.width for card in found])
    if gaps.min() <= 0 or gaps.max() > 1.3 * gaps.min() or widths.max() > 1.4 * widths.min():
        raise ModelUnavailable("pixels sees bright patches that are not a row of column cards")
    return found


def _runs(marked: NDArray[np.bool_], shortest: int, bridge: int = 0) -> list[tuple[int, int]]:
    """Runs of marked positions that are long enough, with no gap wider than `bridge`."""
    turns = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]])))
    merged: list[tuple[int, int]] = []
    for start, end in zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True):
        if merged and start - merged[-1][1] <= bridge:
            start = merged.pop()[0]
        merged.append((start, end))
    return [(start, end) for start, end in merged if end - start >= shortest]


def _check_stack(card: Spot, column: list[Spot]) -> None:
    """Refuse a stack with a hole in it: there may be a block that was not recognised."""
    floor = card.top
    for block in column:
        if not -0.5 * block.width < floor - block.bottom < 0.6 * block.width:
            raise ModelUnavailable(f"pixels sees the block {block.name!r} without a known block below it")
        floor = block.top + 0.2 * block.width

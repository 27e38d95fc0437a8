"""Places in pictures that a model points to, as JSON: `[[1, 0.25, 0.5], …]`, the picture's number, then x and y.

x and y are shares of the width and of the height, from the left and from the top. Also read are pairs without the
number, which are in the first picture, and objects such as `{"picture": 1, "x": 0.25, "y": 0.5, "label": "cup"}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from models.parsing.answer import Unreadable, clipped, plain, unread, without_thinking
from models.parsing.lenient import Cut, Json, values

DEEPEST = 6
MOST = 40
"""More places than this are no answer."""

_PICTURE = ("picture", "image", "picture_number", "image_number", "frame")
_PLACE = ("point", "point_2d", "points", "position", "location", "coordinates", "xy", "center", "centre")
_FENCE = re.compile(r"```\w*")


def points(text: str) -> tuple[str, ...] | Unreadable:
    """The places, each as `1 0.25 0.5`; an empty list is an answer. Places outside of the picture are left out."""
    found: list[tuple[int, float, float]] = []
    listed = False
    for value in values(_FENCE.sub(" ", clipped(without_thinking(text)))):
        listed = listed or value == []
        found += _of(value, None, 0)
    inside = [(picture, x, y) for picture, x, y in found if picture >= 1 and 0 <= x <= 1 and 0 <= y <= 1]
    if not inside:
        return () if listed and not found else unread(plain(text), "no places in the pictures")
    return tuple(f"{picture} {x:g} {y:g}" for picture, x, y in dict.fromkeys(inside[:MOST]))


def _of(value: Json, picture: int | None, depth: int) -> Iterator[tuple[int, float, float]]:
    """The places in a piece of JSON, `picture` being the one that a piece around it names."""
    if depth > DEEPEST:
        return
    if isinstance(value, Cut):
        yield from _of(value.whole, picture, depth + 1)
    elif isinstance(value, dict):
        yield from _of_object(value, picture, depth)
    elif isinstance(value, list):
        numbers = [float(one) for one in value if isinstance(one, int | float) and not isinstance(one, bool)]
        if numbers and len(numbers) == len(value):
            yield from _of_numbers(numbers, picture)
            return
        for one in value:
            yield from _of(one, picture, depth + 1)


def _of_object(value: Mapping[str, Json], picture: int | None, depth: int) -> Iterator[tuple[int, float, float]]:
    named = {str(name).lower(): inner for name, inner in value.items()}
    said = next((named[name] for name in _PICTURE if name in named), None)
    if isinstance(said, int | float) and float(said).is_integer():
        picture = int(said)
    elif isinstance(said, str) and (digits := re.search(r"\d{1,3}", said)):
        picture = int(digits[0])
    x, y = named.get("x"), named.get("y")
    if isinstance(x, int | float) and isinstance(y, int | float):
        yield from _of_numbers([float(x), float(y)], picture)
        return
    inner = next((named[name] for name in _PLACE if name in named), None)
    for one in [inner] if inner is not None else value.values():
        yield from _of(one, picture, depth + 1)


def _of_numbers(numbers: list[float], picture: int | None) -> Iterator[tuple[int, float, float]]:
    match numbers:
        case [x, y]:
            yield picture or 1, x, y
        case [number, x, y] if number.is_integer():
            yield int(number), x, y

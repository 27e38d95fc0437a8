"""Points in pictures as JSON: `[[1, 0.25, 0.5], …]`, each the number of the picture, x and y.

x and y are fractions of the width and the height, from the left and from the top. Pairs without a number, which are in
the first picture, and objects such as `{"picture": 1, "x": 0.25, "y": 0.5, "label": "cup"}` are read, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from models.parsing.answer import Unreadable, clipped, plain_text, unreadable, without_reasoning
from models.parsing.lenient import Cut, Json, values

DEEPEST = 6
MOST = 40
"""The most points that count."""

_PICTURE = ("picture", "image", "picture_number", "image_number", "frame")
_PLACE = ("point", "point_2d", "points", "position", "location", "coordinates", "xy", "center", "centre")
_FENCE = re.compile(r"```\w*")


def points(text: str) -> tuple[str, ...] | Unreadable:
    """The points, each as `1 0.25 0.5`. An empty list is an answer; points outside the picture are dropped."""
    found: list[tuple[int, float, float]] = []
    listed = False
    for value in values(_FENCE.sub(" ", clipped(without_reasoning(text)))):
        listed = listed or value == []
        found += _points_in(value, None, 0)
    inside = [(picture, x, y) for picture, x, y in found if picture >= 1 and 0 <= x <= 1 and 0 <= y <= 1]
    if not inside:
        return () if listed and not found else unreadable(plain_text(text), "no places in the pictures")
    return tuple(f"{picture} {x:g} {y:g}" for picture, x, y in dict.fromkeys(inside[:MOST]))


def _points_in(value: Json, picture: int | None, depth: int) -> Iterator[tuple[int, float, float]]:
    """The points in a JSON value; `picture` is the number that an enclosing value gives."""
    if depth > DEEPEST:
        return
    if isinstance(value, Cut):
        yield from _points_in(value.whole, picture, depth + 1)
    elif isinstance(value, dict):
        yield from _points_in_object(value, picture, depth)
    elif isinstance(value, list):
        numbers = [float(one) for one in value if isinstance(one, int | float) and not isinstance(one, bool)]
        if numbers and len(numbers) == len(value):
            yield from _point(numbers, picture)
            return
        for one in value:
            yield from _points_in(one, picture, depth + 1)


def _points_in_object(value: Mapping[str, Json], picture: int | None, depth: int) -> Iterator[tuple[int, float, float]]:
    named = {str(name).lower(): inner for name, inner in value.items()}
    number_given = next((named[name] for name in _PICTURE if name in named), None)
    if isinstance(number_given, int | float) and float(number_given).is_integer():
        picture = int(number_given)
    elif isinstance(number_given, str) and (digits := re.search(r"\d{1,3}", number_given)):
        picture = int(digits[0])
    x, y = named.get("x"), named.get("y")
    if isinstance(x, int | float) and isinstance(y, int | float):
        yield from _point([float(x), float(y)], picture)
        return
    inner = next((named[name] for name in _PLACE if name in named), None)
    for one in [inner] if inner is not None else value.values():
        yield from _points_in(one, picture, depth + 1)


def _point(numbers: list[float], picture: int | None) -> Iterator[tuple[int, float, float]]:
    match numbers:
        case [x, y]:
            yield picture or 1, x, y
        case [number, x, y] if number.is_integer():
            yield int(number), x, y

"""Outlines of marked things from above: a circle, a square, an oval or a rectangle.

`outline` uses the drawn points, `seen_outline` the pixels of a camera high above.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import cos, pi, sin
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from envs.render.arrays import Floats
from envs.shots.cameras import Free
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot
from evals.families.scenes import Scene
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "Relative shape"
CIRCLE, SQUARE, OVAL, RECTANGLE = "a circle", "a square", "an oval, longer than wide", "a rectangle, longer than wide"
OUTLINES = (CIRCLE, SQUARE, OVAL, RECTANGLE)
EVEN, LONG = 1.1, 1.3
"""The largest aspect ratio of circles and squares, and the least of ovals and rectangles."""
ROUND, FULL = (0.74, 0.83), 0.93
"""The shares of its bounding rectangle that a round outline fills, and that an angular one fills at least."""
MATCHED = "Seen straight from above, what is the outline of each marked object?"
ASKED, DIFFERENT = 4, 3
"""The least numbers of marked things and of different outlines."""
_ALIKE = 2
"""The most marked things with the same outline."""
_TURNS = 45
_ABOVE = 40.0
"""The height of the camera above a thing."""


def matching(moment: Moment, view: View, dice: Random) -> Callable[[Scene, Shot], Recipe] | None:
    """Match marked things to outlines, of which at least three occur."""
    seen = rules.markable(view, moment.movables)
    found = {name: shape for name in rules.shuffled(seen, dice) if (shape := outline(moment, name)) is not None}
    chosen: list[str] = []
    for name, shape in found.items():
        rare = [found[other] for other in chosen].count(shape) < _ALIKE
        if len(chosen) < ASKED and rare and not rules.crowded(view, (*chosen, name)):
            chosen.append(name)
    if len(chosen) < ASKED or len({found[name] for name in chosen}) < DIFFERENT:
        return None
    labels, marks = rules.numbered(view, chosen, dice)
    named = rules.options_of(labels)
    answer = tuple(OUTLINES.index(found[name]) for name in named)
    items = tuple(named.values())

    def recipe(scene: Scene, shot: Shot) -> Recipe:
        marked = replace(shot, marks=marks)
        proof = {"measure": "outline"}
        return Recipe(
            "shape", SUB_CATEGORY, Kind.MATCHING, scene.situation, (marked,), MATCHED, answer, OUTLINES, items, proof
        )

    return recipe


def matching_answer(recipe: Recipe, moment: Moment, things: Mapping[str, str]) -> Answer:
    """The answer by pixels from above."""
    found = [seen_outline(moment, things[item.rpartition(" ")[2]]) for item in recipe.items]
    return tuple(recipe.options.index(str(shape)) for shape in found)


def outline(moment: Moment, name: str) -> str | None:
    """The outline of a thing by the hull of its points; None if it is another one or doubtful."""
    points = moment.points(name)[:2]
    ways = np.arange(4 * _TURNS) * (pi / (2.0 * _TURNS))
    reach = np.stack([np.cos(ways), np.sin(ways)], axis=1) @ (points - points.mean(axis=1)[:, None])
    support = reach.max(axis=1)
    wide = support + np.roll(support, 2 * _TURNS)
    areas = wide[:_TURNS] * wide[_TURNS : 2 * _TURNS]
    best = int(areas.argmin())
    # The area of the hull from its support function: half the sum of side lengths times distances.
    step = ways[1]
    sides = (np.roll(support, 1) + np.roll(support, -1) - 2.0 * cos(step) * support) / sin(step)
    return _named(float(wide[best]), float(wide[best + _TURNS]), float((sides * support).sum() / 2.0))


def seen_outline(moment: Moment, name: str) -> str | None:
    """The outline by the pixels of a camera high above."""
    from envs.shots.view import View

    (a, b, low), (x, y, high) = moment.box(name)
    middle = (a + x) / 2.0, (b + y) / 2.0
    size = max(x - a, y - b)
    eye = Free((*middle, high + _ABOVE), (middle[0] + 1e-4, middle[1], low), 3.0 * size / _ABOVE * 180.0 / pi / 2.0)
    scene = moment.scene(eye)
    alone = replace(scene, solids=tuple(solid for solid in scene.solids if solid.name == name))
    rows, columns = np.nonzero(View(eye, alone).mask(name))
    if len(rows) == 0:
        return None
    spots: Floats = np.stack([columns, rows]).astype(np.float64)
    best = min(
        (_rectangle(spots, k * pi / (2.0 * _TURNS)) for k in range(_TURNS)), key=lambda sides: sides[0] * sides[1]
    )
    return _named(*best, float(len(rows)))


def _rectangle(spots: Floats, angle: float) -> tuple[float, float]:
    """The sides of the bounding rectangle of some pixels, rotated by an angle."""
    c, s = cos(angle), sin(angle)
    across, down = c * spots[0] + s * spots[1], c * spots[1] - s * spots[0]
    return float(np.ptp(across)) + 1.0, float(np.ptp(down)) + 1.0


def _named(one: float, other: float, area: float) -> str | None:
    fills, length = area / (one * other), max(one, other) / min(one, other)
    even, long = length <= EVEN, length >= LONG
    if ROUND[0] <= fills <= ROUND[1] and (even or long):
        return CIRCLE if even else OVAL
    if fills >= FULL and (even or long):
        return SQUARE if even else RECTANGLE
    return None

"""Finds the things at the marks of one picture in another one, by poses and depth."""

from __future__ import annotations

from collections.abc import Iterator
from math import dist
from typing import TYPE_CHECKING

from envs.render.marks import Point
from evals.families import rules
from evals.families.base import Recipe, moment_of, view_of

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.moment import Moment
    from envs.shots.view import View

SAME = 0.03
"""Points closer than this are the same point, in metres."""


def found_again(recipe: Recipe, *, by_place: bool) -> list[str]:
    """For each thing in question, the number of the point in the second picture."""
    one, other = view_of(recipe, 0), view_of(recipe, 1)
    second = [mark for mark in recipe.shots[1].marks if isinstance(mark, Point)]
    if by_place:
        first = {mark.text: one.point(mark.x, mark.y) for mark in recipe.shots[0].marks if isinstance(mark, Point)}
        wanted = [first[item.split()[1]] for item in recipe.items] or list(first.values())
        there = {mark.text: other.point(mark.x, mark.y) for mark in second}
        return [_only(number for number, point in there.items() if dist(point, at) <= SAME) for at in wanted]
    moment = moment_of(recipe)
    lying = {mark.text: _boxed(moment, other.point(mark.x, mark.y)) for mark in second}
    names = [_pointed_at(recipe, moment, one, item) for item in recipe.items or ("the red box",)]
    return [_only(number for number, name in lying.items() if name == wanted) for wanted in names]


def _only(found: Iterator[str]) -> str:
    """The only element; `ValueError` for several or none."""
    (one,) = found
    return one


def _pointed_at(recipe: Recipe, moment: Moment, view: View, item: str) -> str:
    """The thing named by an item such as `point 3` or `the red box`."""
    if item.startswith("point"):
        mark = next(mark for mark in recipe.shots[0].marks if isinstance(mark, Point) and mark.text == item.split()[1])
        return _boxed(moment, view.point(mark.x, mark.y))
    return rules.boxed_thing(recipe, view, item.split()[1])


def _boxed(moment: Moment, point: Vector) -> str:
    """The movable with the smallest box around a point."""
    found = []
    for name in moment.movables:
        low, high = moment.box(name)
        if all(low[axis] - 0.01 <= point[axis] <= high[axis] + 0.01 for axis in range(3)):
            found.append((dist(low, high), name))
    return min(found)[1]


def also_seen(recipe: Recipe, number: str) -> bool:
    """Whether the second picture shows the thing at a number of the first."""
    moment, other = moment_of(recipe), view_of(recipe, 1)
    name = _pointed_at(recipe, moment, view_of(recipe, 0), f"point {number}")
    points = moment.points(name)
    some = points[:, :: max(points.shape[1] // 240, 1)].T.tolist()
    return sum(other.shows((x, y, z), 0.01) for x, y, z in some) >= len(some) / 12.0

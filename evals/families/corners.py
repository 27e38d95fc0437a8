"""Corners of furniture: exactly known points that look like other points of the same thing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from math import dist
from typing import TYPE_CHECKING

from envs.render.shapes import triangles
from envs.shots.cameras import HEIGHT, WIDTH

if TYPE_CHECKING:
    from envs.household.home.model import Part, Pose
    from envs.render.scene import Vector
    from envs.shots.moment import Moment
    from envs.shots.view import View

INSET = 0.01
"""The inset of a point from the corner, along each edge."""
BEYOND = 0.08
"""At this distance beyond the corner, along the diagonal of the largest face, the face must have ended."""
APART = 0.25
"""The least distance between corners."""
LARGE = 0.2
"""Parts need an edge of at least this length."""
_EXACT = 0.015
_EDGE = 8.0
"""The margin in pixels between a mark and the edge of the picture."""


def corners(moment: Moment, views: Sequence[View]) -> dict[str, Vector]:
    """The corners of furniture that are visible in all pictures: names such as `table_1@2`, and points."""
    found: dict[str, Vector] = {}
    for placed in moment.home.placed:
        name = placed.thing.name
        if placed.thing.movable or any(view.pixels(name) < 600 for view in views):
            continue
        frame = moment.sim.pose(name)
        parts = [part for part in placed.thing.parts if part.seen]
        ends = (place for part in parts for place in _ends(frame, part))
        for number, (inner, outer) in enumerate(ends):
            if all(_at(view, name, inner) and not _at(view, name, outer) for view in views):
                found[f"{name}@{number}"] = inner
    return found


def apart(names: Collection[str], known: Mapping[str, Vector]) -> list[str]:
    """The corners that are far enough from earlier ones."""
    kept: list[str] = []
    for name in names:
        if all(dist(known[name], known[other]) >= APART for other in kept):
            kept.append(name)
    return kept


def _ends(frame: Pose, part: Part) -> Iterator[tuple[Vector, Vector]]:
    """For each corner of a part's box, a point just inside it, and one beyond its largest face."""
    from envs.household.home.frames import spot, within

    local = triangles(part.shape)[0].reshape(-1, 3)
    low, high = local.min(axis=0).tolist(), local.max(axis=0).tolist()
    sizes = [b - a for a, b in zip(low, high, strict=True)]
    pose = within(frame, part.pose)
    if max(sizes) < LARGE:
        return
    thin = sizes.index(min(sizes))
    for signs in product((0, 1), repeat=3):
        ends = [(low, high)[sign][axis] for axis, sign in enumerate(signs)]
        inset = [min(INSET, size / 2.0) for size in sizes]
        inner = [end + (inset[axis] if not signs[axis] else -inset[axis]) for axis, end in enumerate(ends)]
        outer = [
            inner[axis] if axis == thin else end + (BEYOND if signs[axis] else -BEYOND) for axis, end in enumerate(ends)
        ]
        yield spot(pose, (inner[0], inner[1], inner[2])), spot(pose, (outer[0], outer[1], outer[2]))


def _at(view: View, name: str, point: Vector) -> bool:
    """Whether the picture shows the thing at a point."""
    found = view.project(point)
    if found is None or not (_EDGE <= found[0] < WIDTH - _EDGE and _EDGE <= found[1] < HEIGHT - _EDGE):
        return False
    x, y = int(found[0]), int(found[1])
    return view.owner(x, y) == name and dist(view.point(x, y), point) <= _EXACT

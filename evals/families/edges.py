"""Straight edges of visible things: lines along them, and their lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, product
from math import dist, inf
from random import Random
from typing import TYPE_CHECKING

from envs.household.home.frames import spot, within
from envs.household.home.physics import ROBOT
from envs.render.marks import Segment
from envs.render.scene import Box, Vector
from envs.shots.cameras import HEIGHT, WIDTH
from evals.families.rules import shuffled, sized_apart

if TYPE_CHECKING:
    from envs.household.home.model import Part, Pose
    from envs.shots.moment import Moment
    from envs.shots.view import View

SHORTEST, BEVEL = 0.12, 0.012
"""The least length of an edge, and the largest rounding of its ends, in metres."""
PIXELS = 26.0
"""The least length of an edge in the picture."""
FORESHORTENED = 0.4
"""The least foreshortening: edges that point away from the camera appear shorter."""
APART = 14.0
"""The least distance between two lines in pixels."""
ALIKE = 0.06
"""The relative tolerance between the length and its measurement by depth."""
OF_ONE = 3
"""The most edges of one thing."""
_SAMPLES = 16
_SLACK = 0.02
_MARGIN = 6
"""The margin between a line and the border of the picture, in pixels."""
_TRIES = 24
"""The most edges of one thing to test."""
_NEAR = 2
"""The radius in pixels around the end of a line that may belong to it."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A part of an edge of a thing by its ends in the home, and its line in the picture."""

    thing: str
    ends: tuple[Vector, Vector]
    line: tuple[int, int, int, int]

    @property
    def length(self) -> float:
        """In metres."""
        return dist(*self.ends)

    @property
    def pixels(self) -> float:
        """Its length in the picture."""
        return dist(self.line[:2], self.line[2:])


def edges(moment: Moment, view: View, most: int, dice: Random) -> list[Edge]:
    """Random edges, at most `most`, that are apart in the picture; only a few of each thing."""
    found: list[Edge] = []
    names = [name for name in sorted(view.seen) if view.clear(name)]
    for name in shuffled([name for name in names if not name.startswith(ROBOT)], dice):
        mine: list[Edge] = []
        for ends in shuffled(list(_of_boxes(moment, name)), dice)[:_TRIES]:
            edge = _in_picture(view, name, ends, dice)
            if edge is None or not all(_apart(edge, other) for other in found + mine):
                continue
            if all(sized_apart(edge.length, other.length) for other in mine):
                mine.append(edge)
            if len(mine) == OF_ONE:
                break
        found += mine
        if len(found) >= most:
            break
    return found[:most]


def length_of(view: View, mark: Segment) -> float:
    """The length of the edge under a line, by depth; infinite if an end is on something else."""
    owner = _owner(view, mark)
    ends = _end(view, owner, mark.x0, mark.y0), _end(view, owner, mark.x1, mark.y1)
    return inf if ends[0] is None or ends[1] is None else dist(ends[0], ends[1])


def _of_boxes(moment: Moment, name: str) -> Iterator[tuple[Vector, Vector]]:
    frame = moment.sim.pose(name)
    for part in moment.thing(name).parts:
        if part.seen and isinstance(part.shape, Box) and part.shape.bevel <= BEVEL:
            yield from _of_part(part, part.shape, frame)


def _of_part(part: Part, shape: Box, frame: Pose) -> Iterator[tuple[Vector, Vector]]:
    pose = within(frame, part.pose)
    for axis in range(3):
        if shape.size[axis] < SHORTEST:
            continue
        others = [k for k in range(3) if k != axis]
        for signs in product((-0.5, 0.5), repeat=2):
            ends = []
            for side in (-0.5, 0.5):
                at = [0.0, 0.0, 0.0]
                at[axis] = side * shape.size[axis]
                for k, sign in zip(others, signs, strict=True):
                    at[k] = sign * shape.size[k]
                ends.append(spot(pose, (at[0], at[1], at[2])))
            yield ends[0], ends[1]


def _in_picture(view: View, name: str, whole: tuple[Vector, Vector], dice: Random) -> Edge | None:
    """A fully visible part of the edge that is not too foreshortened."""
    ends = _part_shown(view, whole, dice)
    if ends is None:
        return None
    (x0, y0, near), (x1, y1, far) = (view.project(end) for end in ends)  # type: ignore[misc]
    edge = Edge(name, ends, (int(x0), int(y0), int(x1), int(y1)))
    broadside = edge.length / ((near + far) / 2.0) * HEIGHT / view.scene.camera.view
    if edge.pixels < max(PIXELS, FORESHORTENED * broadside):
        return None
    mark = Segment(*edge.line)
    alike = abs(length_of(view, mark) - edge.length) < ALIKE * edge.length
    return edge if alike and _owner(view, mark) == name else None


def _part_shown(view: View, ends: tuple[Vector, Vector], dice: Random) -> tuple[Vector, Vector] | None:
    """The ends of the longest visible part of an edge, or sometimes of a part of that."""
    points = list(_along(*ends))
    shown = [_shown(view, point) for point in points]
    runs = [list(group) for seen, group in groupby(range(len(points)), key=lambda k: shown[k]) if seen]
    run = max(runs, key=len, default=[])
    # The end of the part must not be occluded.
    run = run[run[:1] != [0] : len(run) - (run[-1:] != [_SAMPLES])]
    if len(run) > _SAMPLES // 2 and dice.random() < 0.5:
        length = dice.randint(_SAMPLES // 3, len(run))
        start = dice.randint(0, len(run) - length)
        run = run[start : start + length]
    if len(run) < 2 or dist(points[run[0]], points[run[-1]]) < SHORTEST:
        return None
    return points[run[0]], points[run[-1]]


def _shown(view: View, point: Vector) -> bool:
    found = view.project(point)
    return (
        found is not None
        and _MARGIN <= found[0] < WIDTH - _MARGIN
        and _MARGIN <= found[1] < HEIGHT - _MARGIN
        and view.shows(point, _SLACK)
    )


def _along(a: Vector, b: Vector) -> Iterator[Vector]:
    for step in range(_SAMPLES + 1):
        share = step / _SAMPLES
        x, y, z = (p + share * (q - p) for p, q in zip(a, b, strict=True))
        yield x, y, z


def _apart(one: Edge, other: Edge) -> bool:
    return all(dist(a, b) >= APART for a in _dots(one) for b in _dots(other))


def _dots(edge: Edge) -> list[tuple[float, float]]:
    x0, y0, x1, y1 = edge.line
    return [(x0 + (x1 - x0) * k / _SAMPLES, y0 + (y1 - y0) * k / _SAMPLES) for k in range(_SAMPLES + 1)]


def _owner(view: View, mark: Segment) -> str:
    """The thing that a line runs along: of the things near it, the nearest to the camera."""
    owners: Counter[str] = Counter()
    for step in range(1, _SAMPLES):
        x = mark.x0 + (mark.x1 - mark.x0) * step // _SAMPLES
        y = mark.y0 + (mark.y1 - mark.y0) * step // _SAMPLES
        window = _window(x, y)
        nearest = min(window, key=lambda spot: float(view.measured.depth[spot[1], spot[0]]))
        owners[view.owner(*nearest) or ""] += 1
    return owners.most_common(1)[0][0]


def _end(view: View, owner: str, x: int, y: int) -> Vector | None:
    """The visible point of the thing that is nearest to a pixel."""
    window = [spot for spot in _window(x, y) if view.owner(*spot) == owner]
    return view.point(*min(window, key=lambda spot: dist(spot, (x, y)))) if window else None


def _window(x: int, y: int) -> list[tuple[int, int]]:
    return [
        (column, row)
        for row in range(max(y - _NEAR, 0), min(y + _NEAR + 1, HEIGHT))
        for column in range(max(x - _NEAR, 0), min(x + _NEAR + 1, WIDTH))
    ]

"""The navigation graph: points with headings, edges that are free of obstacles, doors that close edges.

Points lie in every doorway, near everything that can be handled, and on a raster between. Edges are straight, at most
3.5 m long and, where there is a choice, at least 60 degrees apart; separate components are joined along the shortest
free path. A point has a heading along each edge, and others only to look: at things nearby, and into gaps of 150
degrees without a heading.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, ceil, hypot, pi, radians, remainder

import numpy as np

from envs.household.home.model import Room
from envs.household.home.paths import Paths
from envs.household.home.site import Block
from envs.household.home.walls import Opening
from envs.render.arrays import Bools, Ints

RADIUS, TALL = 0.2, 1.6
"""The radius and height of the agent's body, which must fit everywhere on the graph."""
SPACING = 1.5
"""The least distance between points of the raster and other points."""
_LONGEST = 3.5
_APART = radians(60.0)
_GAP = radians(150.0)
_RASTER = 0.5
_BESIDE = 0.3
"""The least distance between a point near a thing and other points."""
_SEEN = radians(25.0)
"""A direction needs no heading of its own if another heading is this close to it."""
_BEST = 0.7
"""The best distance from a thing for handling it."""

Flat = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Heading:
    """A direction to look in from a point. `to` is the point that it leads to, -1 for none; `door` closes the way."""

    yaw: float
    to: int = -1
    door: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """A place to stand, with its headings in order of their angle, counter-clockwise."""

    x: float
    y: float
    headings: tuple[Heading, ...]


@dataclass(frozen=True)
class Target:
    """Something to stand near: its centre on the floor plan, the distance, and the side if that matters."""

    at: Flat
    reach: float
    front: Flat | None = None


@dataclass(frozen=True)
class NavigationGraph:
    """Points by number."""

    points: tuple[Point, ...]

    def turned(self, point: int, heading: int, way: int) -> int:
        """The next heading to the left (1) or to the right (-1)."""
        return (heading + way) % len(self.points[point].headings)

    def ahead(self, point: int, heading: int, shut: Collection[str] = ()) -> tuple[int, int] | None:
        """The point ahead, and its heading nearest to the direction of the move; None if there is no way."""
        faced = self.points[point].headings[heading]
        if faced.to < 0 or faced.door in shut:
            return None
        return faced.to, self.nearest(faced.to, faced.yaw)

    def nearest(self, point: int, yaw: float) -> int:
        """The heading of a point that is nearest to a direction."""
        headings = self.points[point].headings
        return min(range(len(headings)), key=lambda k: (round(abs(_turn(headings[k].yaw, yaw)), 6), k))

    def edges(self) -> list[tuple[int, int]]:
        """The pairs of points with an edge between them."""
        return [(a, heading.to) for a, point in enumerate(self.points) for heading in point.headings if heading.to > a]

    def by(self, x: float, y: float) -> int:
        """The point nearest to a place."""
        return min(range(len(self.points)), key=lambda k: hypot(self.points[k].x - x, self.points[k].y - y))


def _turn(one: float, other: float) -> float:
    return remainder(one - other, 2.0 * pi)


def build(
    rooms: Sequence[Room],
    ways: Sequence[Opening],
    doors: Sequence[tuple[str, Flat]],
    blocks: Iterable[Block],
    targets: Sequence[Target],
    spacing: float = SPACING,
) -> NavigationGraph:
    """The graph of some rooms. `doors` are doors in `ways`, with their centres; targets come in order of importance."""
    return _Builder(Paths(rooms, ways, blocks, radius=RADIUS, tall=TALL), ways, doors).build(targets, spacing)


class _Builder:
    def __init__(self, paths: Paths, ways: Sequence[Opening], doors: Sequence[tuple[str, Flat]]) -> None:
        self.paths, self.ways, self.doors = paths, ways, doors
        self.free = _largest(paths.free)
        self.clearance = _clearance(self.free)
        self.points: list[Flat] = []
        self.looks: dict[int, list[Flat]] = {}
        self.links: list[set[int]] = []

    def build(self, targets: Sequence[Target], spacing: float) -> NavigationGraph:
        for way in self.ways:
            self._add(self._freest(way.x, way.y, 0.15))
        for target in targets:
            self._near(target)
        for x, y in self._raster():
            spot = self._freest(x, y, 0.25)
            if spot is not None and self._nearest(spot) >= spacing:
                self._add(spot)
        if not self.points:
            self._add(self.paths.middle(*map(int, np.argwhere(self.free)[0])))
        self._link()
        self._join()
        return NavigationGraph(tuple(self._point(number) for number in range(len(self.points))))

    def _add(self, spot: Flat | None) -> int:
        if spot is None:
            return -1
        if spot in self.points:
            return self.points.index(spot)
        self.points.append(spot)
        self.links.append(set())
        return len(self.points) - 1

    def _nearest(self, spot: Flat) -> float:
        return min((hypot(spot[0] - x, spot[1] - y) for x, y in self.points), default=99.0)

    def _freest(self, x: float, y: float, reach: float) -> Flat | None:
        """The free cell within reach that is furthest from obstacles; the nearest of equal ones."""
        i, j = self.paths.cell(x, y)
        k = ceil(reach / 0.1)
        window = np.s_[max(i - k, 0) : i + k + 1, max(j - k, 0) : j + k + 1]
        best: tuple[int, float, Flat] | None = None
        for a, b in np.argwhere(self.free[window]).tolist():
            cell = (a + max(i - k, 0), b + max(j - k, 0))
            middle = self.paths.middle(*cell)
            ranked = (-min(int(self.clearance[cell]), 4), round(hypot(middle[0] - x, middle[1] - y), 6), middle)
            best = ranked if best is None or ranked < best else best
        return best[2] if best else None

    def _near(self, target: Target) -> None:
        """Add a point from which a thing can be handled, unless there is one."""
        x, y = target.at
        for number, (a, b) in enumerate(self.points):
            if hypot(a - x, b - y) <= min(target.reach, _BEST + 0.2) and self._before(target, (a, b)):
                self.looks.setdefault(number, []).append(target.at)
                return
        reach = target.reach
        i, j = self.paths.cell(x, y)
        k = ceil(reach / 0.1)
        window = np.s_[max(i - k, 0) : i + k + 1, max(j - k, 0) : j + k + 1]
        found: list[tuple[float, Flat]] = []
        for a, b in np.argwhere(self.free[window]).tolist():
            spot = self.paths.middle(a + max(i - k, 0), b + max(j - k, 0))
            far = hypot(spot[0] - x, spot[1] - y)
            if far <= reach and self._nearest(spot) >= _BESIDE and self._before(target, spot):
                cell = (a + max(i - k, 0), b + max(j - k, 0))
                found.append((round(abs(far - _BEST) - 0.08 * min(int(self.clearance[cell]), 3), 6), spot))
        if found:
            number = self._add(min(found)[1])
            self.looks.setdefault(number, []).append(target.at)

    def _before(self, target: Target, spot: Flat) -> bool:
        if target.front is None:
            return True
        (x, y), (a, b) = target.at, target.front
        return (spot[0] - x) * a + (spot[1] - y) * b > 0.5 * hypot(spot[0] - x, spot[1] - y)

    def _raster(self) -> list[Flat]:
        low, high = self.paths.middle(0, 0), self.paths.middle(*(side - 1 for side in self.free.shape))
        xs, ys = (np.arange(low[axis] + 0.25, high[axis], _RASTER).tolist() for axis in (0, 1))
        return [(x, y) for x in xs for y in ys]

    def _open(self, a: Flat, b: Flat) -> bool:
        """Whether the straight line from a to b is free."""
        steps = max(2, ceil(hypot(b[0] - a[0], b[1] - a[1]) / 0.04))
        return all(
            self.free[self.paths.cell(a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps)]
            for k in range(steps + 1)
        )

    def _link(self) -> None:
        pairs = sorted(
            (round(hypot(a[0] - b[0], a[1] - b[1]), 6), i, j)
            for i, a in enumerate(self.points)
            for j, b in enumerate(self.points[:i])
        )
        for far, i, j in pairs:
            if far > _LONGEST:
                break
            yaw = _yaw(self.points[i], self.points[j])
            others = [_yaw(self.points[i], self.points[k]) for k in self.links[i]]
            back = [_yaw(self.points[j], self.points[k]) for k in self.links[j]]
            clear = all(abs(_turn(yaw, other)) >= _APART for other in others)
            clear = clear and all(abs(_turn(yaw + pi, other)) >= _APART / 2.0 for other in back)
            if clear and self._open(self.points[i], self.points[j]):
                self._tie(i, j)

    def _tie(self, i: int, j: int) -> None:
        self.links[i].add(j)
        self.links[j].add(i)

    def _pieces(self) -> list[set[int]]:
        left, found = set(range(len(self.points))), []
        while left:
            piece, todo = set(), [min(left)]
            while todo:
                number = todo.pop()
                if number not in piece:
                    piece.add(number)
                    todo += self.links[number]
            found.append(piece)
            left -= piece
        return found

    def _join(self) -> None:
        """Join the first component to the nearest other one until only one is left."""
        while len(pieces := self._pieces()) > 1:
            path = self._path(pieces[0])
            here = 0
            numbers = [self._by_cell(path[0])]
            while here < len(path) - 1:
                ahead = len(path) - 1
                while ahead > here + 1 and not (
                    self._open(path[here], path[ahead])
                    and hypot(path[ahead][0] - path[here][0], path[ahead][1] - path[here][1]) <= _LONGEST
                ):
                    ahead -= 1
                numbers.append(self._by_cell(path[ahead]))
                here = ahead
            for one, other in pairwise(numbers):
                self._tie(one, other)

    def _by_cell(self, spot: Flat) -> int:
        return self._add(spot)

    def _path(self, piece: set[int]) -> list[Flat]:
        """The shortest free path from a component to a point of another one, from cell to cell."""
        starts = {self.paths.cell(*self.points[number]): self.points[number] for number in sorted(piece)}
        goals = {self.paths.cell(*spot): spot for number, spot in enumerate(self.points) if number not in piece}
        came: dict[tuple[int, int], tuple[int, int] | None] = dict.fromkeys(starts)
        todo = deque(starts)
        while todo:
            cell = todo.popleft()
            if cell in goals:
                way = [cell]
                while (before := came[way[-1]]) is not None:
                    way.append(before)
                cells = way[::-1]
                middle = [self.paths.middle(*one) for one in cells[1:-1]]
                return [starts[cells[0]], *middle, goals[cells[-1]]]
            for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                new = (cell[0] + di, cell[1] + dj)
                inside = 0 <= new[0] < self.free.shape[0] and 0 <= new[1] < self.free.shape[1]
                if inside and new not in came and self.free[new]:
                    came[new] = cell
                    todo.append(new)
        raise ValueError("the free floor of a scene is not in one piece")

    def _point(self, number: int) -> Point:
        here = self.points[number]
        headings = [
            Heading(round(_yaw(here, self.points[to]), 4), to, self._door(here, self.points[to]))
            for to in sorted(self.links[number])
        ]

        def look(yaw: float, margin: float = _SEEN) -> None:
            if all(abs(_turn(yaw, heading.yaw)) > margin for heading in headings):
                headings.append(Heading(round(remainder(yaw, 2.0 * pi), 4)))

        for at in self.looks.get(number, ()):
            look(_yaw(here, at))
        if len(headings) == 1:
            look(headings[0].yaw + pi)
        while True:
            order = sorted({heading.yaw for heading in headings})
            gaps = [(_after(a, b), a) for a, b in zip(order, [*order[1:], order[0]], strict=True)]
            wide, start = max(gaps)
            if wide < _GAP:
                break
            look(start + wide / 2.0)
        return Point(*here, tuple(sorted(headings, key=lambda heading: heading.yaw)))

    def _door(self, a: Flat, b: Flat) -> str:
        """The door on the way from a to b."""
        for name, at in self.doors:
            if _distance(at, a, b) < 0.4:
                return name
        return ""


def _after(a: float, b: float) -> float:
    """The angle from one heading to the next one, counter-clockwise."""
    return 2.0 * pi if a == b else (b - a) % (2.0 * pi)


def _yaw(a: Flat, b: Flat) -> float:
    return atan2(b[1] - a[1], b[0] - a[0])


def _distance(at: Flat, a: Flat, b: Flat) -> float:
    """The distance of a point from the segment between two others."""
    x, y = b[0] - a[0], b[1] - a[1]
    share = ((at[0] - a[0]) * x + (at[1] - a[1]) * y) / max(x * x + y * y, 1e-9)
    share = min(max(share, 0.0), 1.0)
    return hypot(a[0] + share * x - at[0], a[1] + share * y - at[1])


def _grown(cells: Bools) -> Bools:
    grown = cells.copy()
    grown[1:] |= cells[:-1]
    grown[:-1] |= cells[1:]
    grown[:, 1:] |= cells[:, :-1]
    grown[:, :-1] |= cells[:, 1:]
    return grown


def _largest(free: Bools) -> Bools:
    """The largest connected part of the free floor."""
    left, best = free.copy(), np.zeros_like(free)
    while bool(left.any()):
        piece = np.zeros_like(free)
        piece[tuple(np.argwhere(left)[0])] = True
        while True:
            grown = _grown(piece) & left
            if bool((grown == piece).all()):
                break
            piece = grown
        left &= ~piece
        if piece.sum() > best.sum():
            best = piece
    return best


def _clearance(free: Bools) -> Ints:
    """The distance of each cell from an obstacle, in cells, up to five."""
    depth, inner = np.zeros(free.shape, dtype=np.int32), free
    for _ in range(5):
        depth += inner
        padded = np.pad(~inner, 1, constant_values=True)
        inner = inner & ~_grown(padded)[1:-1, 1:-1]
    return depth

"""Marked things sorted by distance from something, computed from the picture's depth and from poses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import dist, hypot
from random import Random
from typing import TYPE_CHECKING

from evals.families import rules

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.moment import Moment
    from envs.shots.view import View

LEAST, MOST = 5, 9
"""The range of the number of counted things."""
_LET_PASS = 0.02
"""The accepted share of answers that the picture suggests, so that they are right about as often as a guess."""


@dataclass(frozen=True, slots=True)
class Line:
    """Marked things sorted by distance from something, the nearest first."""

    to: str
    view: View
    far: Mapping[str, float]
    boxed: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names, nearest first."""
        return sorted(self.far, key=lambda name: self.far[name])

    def misleading(self) -> list[list[str]]:
        """Misleading orders: by height in the picture, by pixels, by size, by proximity in the picture."""
        view = self.view
        spots = {name: view.spot(name) for name in self.far}
        orders = [
            sorted(self.far, key=lambda name: -spots[name].y),  # type: ignore[union-attr]
            sorted(self.far, key=lambda name: -view.pixels(name)),
            sorted(self.far, key=lambda name: -view.whole(name)),
        ]
        at = self._in_picture()
        if at is not None:
            orders.append(sorted(self.far, key=lambda name: dist(spots[name][:2], at)))  # type: ignore[index]
        return orders

    def misleads(self, right: Callable[[list[str]], bool], dice: Random, let_pass: float = _LET_PASS) -> bool:
        """Whether all misleading orders are wrong; `right` says if the answer follows from an order.

        A share `let_pass` is accepted although one is right: if none ever were, that would be a cue.
        """
        return not any(right(order) for order in self.misleading()) or dice.random() < let_pass

    def _in_picture(self) -> tuple[float, float] | None:
        """The pixel from which distances are measured; for the camera, the point below all marks."""
        if self.to == "camera":
            spots = [spot for name in self.far if (spot := self.view.spot(name)) is not None]
            return sum(spot.x for spot in spots) / len(spots), max(spot.y for spot in spots)
        if self.boxed:
            spot = self.view.spot(self.boxed[0])
            return None if spot is None else (spot.x, spot.y)
        hand = self.view.hand
        found = self.view.project(hand) if self.to == "gripper" and hand else None
        return None if found is None else found[:2]


def line_of(moment: Moment, view: View, seen: list[str], to: str, dice: Random) -> Line | None:
    """Four to six marked things with clearly different distances, by both methods."""
    for _ in range(6):
        boxed = (dice.choice(seen),) if to == "thing" and seen else ()
        far = {name: _far(moment, view, name, to, boxed[0] if boxed else None) for name in seen if name not in boxed}
        for number in (6, 5, 4):
            chosen = rules.some_apart(far, number, rules.far_apart, dice)
            if chosen is None or rules.crowded(view, (*chosen, *boxed)):
                continue
            line = Line(to, view, {name: far[name] for name in chosen}, boxed)
            other = {name: other_way(moment, view, name, to, boxed[0] if boxed else None) for name in chosen}
            if line.names != sorted(other, key=lambda name: other[name]):
                continue
            if not boxed or _gaps_agree(moment, line):
                return line
    return None


def _gaps_agree(moment: Moment, line: Line) -> bool:
    """Whether the order is the same by the gaps between things as by their centres."""
    low, high = moment.box(line.boxed[0])
    gaps: dict[str, float] = {}
    for name in line.far:
        a, b = moment.box(name)
        gaps[name] = hypot(*(max(low[k] - b[k], a[k] - high[k], 0.0) for k in range(3)))
    return sorted(gaps, key=lambda name: gaps[name]) == line.names and rules.all_apart(gaps.values(), rules.far_apart)


def _far(moment: Moment, view: View, name: str, to: str, boxed: str | None) -> float:
    if boxed is not None:
        return dist(moment.middle(name), moment.middle(boxed))
    return dist(_under_mark(view, name), _from(view, to))


def other_way(moment: Moment, view: View, name: str, to: str, boxed: str | None) -> float:
    """The distance of a thing by the other method than `_far`: from poses instead of the picture, or vice versa."""
    if boxed is not None:
        return dist(_seen_middle(view, name), _seen_middle(view, boxed))
    return dist(moment.middle(name), _from(view, to))


def _from(view: View, to: str) -> Vector:
    if to == "gripper":
        assert view.hand is not None
        return view.hand
    return view.scene.camera.position


def _under_mark(view: View, name: str) -> Vector:
    spot = view.spot(name)
    assert spot is not None
    return view.point(spot.x, spot.y)


@lru_cache(maxsize=32)
def _seen_middle(view: View, name: str) -> Vector:
    """The centre of the bounding box of a thing's visible points."""
    points = view.points()[:, view.mask(name)]
    x, y, z = ((points.min(axis=1) + points.max(axis=1)) / 2.0).tolist()
    return x, y, z


def counted(moment: Moment, view: View, seen: list[str], dice: Random) -> Line | None:
    """Up to nine things, each clearly nearer or farther than one in a red box, by both methods."""
    for boxed in rules.shuffled(seen, dice):
        ways = [{name: found(moment, view, name, "camera", None) for name in seen} for found in (_far, other_way)]
        plain = [
            name
            for name in rules.shuffled(seen, dice)
            if name != boxed
            and all(rules.far_apart(far[name], far[boxed]) for far in ways)
            and len({far[name] < far[boxed] for far in ways}) == 1
        ]
        chosen = [boxed]
        for name in plain:
            if len(chosen) <= MOST and not rules.crowded(view, (*chosen, name)):
                chosen.append(name)
        if len(chosen) > LEAST:
            return Line("camera", view, {name: ways[0][name] for name in chosen}, (boxed,))
    return None

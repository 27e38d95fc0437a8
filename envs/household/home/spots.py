"""Candidate poses for a movable: on a surface, in a cavity, on the floor. Collisions are checked later."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from random import Random

from envs.household.home.frames import opened, within
from envs.household.home.model import Cavity, Pose, Thing
from envs.household.home.things.turns import about

GAP = 0.003
"""The gap under a thing that is put down, which then falls."""
_IN_VIEW = (0.2, 1.25)
"""The range of heights that the robot's camera can look into."""


def on(thing: Thing, support: Thing, frame: Pose, random: Random, tries: int = 40) -> Iterator[Pose]:
    """Poses on the surfaces of a thing in a frame, visible ones first."""
    fitting = [surface for surface in support.surfaces if surface.clearance >= thing.size[2] + 2 * GAP]
    handy = [surface for surface in fitting if _IN_VIEW[0] <= surface.centre[2] <= _IN_VIEW[1]]
    for surfaces in (handy, fitting):
        for _ in range(tries if surfaces else 0):
            x, y, z = (surface := random.choice(surfaces)).centre
            yaw = _yaw(random)
            rest = _rest(thing, yaw, surface.size)
            if rest is not None:
                across, deep = random.uniform(-rest[0], rest[0]), random.uniform(-rest[1], rest[1])
                yield within(frame, _put(x + across, y + deep, z, yaw))


def inside(
    thing: Thing, container: Thing, frame: Pose, opening: float, random: Random, tries: int = 40
) -> Iterator[Pose]:
    """Poses in the cavities of a thing at an opening. Of drawers only the upper ones, which do not hide others."""
    fitting = [cavity for cavity in container.cavities if cavity.size[2] >= thing.size[2] + 2 * GAP]
    handy = [cavity for cavity in fitting if _IN_VIEW[0] <= _floor(cavity) <= _IN_VIEW[1]] or fitting
    drawers = [cavity for cavity in fitting if cavity.leaf is not None]
    upper = sorted(drawers, key=_floor)[-1:]
    for cavities in (upper, handy, fitting):
        for _ in range(tries if cavities else 0):
            x, y, _ = (cavity := random.choice(cavities)).centre
            yaw = _yaw(random)
            rest = _rest(thing, yaw, (cavity.size[0], cavity.size[1]))
            if rest is not None:
                across, deep = random.uniform(-rest[0], rest[0]), random.uniform(-rest[1], rest[1])
                leaf = next((leaf for leaf in container.leaves if leaf.name == cavity.leaf), None)
                moved = frame if leaf is None else within(frame, opened(leaf, opening))
                yield within(moved, _put(x + across, y + deep, _floor(cavity), yaw))


def fits(thing: Thing, place: Thing, *, within: bool) -> bool:
    """Whether a movable is small enough for a surface or a cavity of a thing."""
    spaces = (
        [cavity.size for cavity in place.cavities]
        if within
        else [(*surface.size, surface.clearance) for surface in place.surfaces]
    )
    width, depth, height = thing.size
    return any(
        height + 2 * GAP <= high and (max(width, depth) <= max(wide, deep) and min(width, depth) <= min(wide, deep))
        for wide, deep, high in spaces
    )


def on_floor(
    thing: Thing, corners: tuple[float, float, float, float], random: Random, tries: int = 200
) -> Iterator[Pose]:
    """Poses on the floor of a room, with a margin to its walls."""
    x0, y0, x1, y1 = corners
    for _ in range(tries):
        x, y = random.uniform(x0 + 0.35, x1 - 0.35), random.uniform(y0 + 0.35, y1 - 0.35)
        yield _put(x, y, 0.0, _yaw(random))


def _floor(cavity: Cavity) -> float:
    return cavity.centre[2] - cavity.size[2] / 2.0


def _yaw(random: Random) -> float:
    """A random yaw, mostly parallel to the axes or nearly so."""
    return random.randrange(4) * pi / 2.0 + random.gauss(0.0, 0.25)


def _put(x: float, y: float, z: float, yaw: float) -> Pose:
    return Pose((round(x, 4), round(y, 4), round(z + GAP, 4)), about("z", round(yaw, 4)))


def _rest(thing: Thing, yaw: float, size: tuple[float, float]) -> tuple[float, float] | None:
    """The largest offset of its centre at which it stays within a rectangle; None if it is too large."""
    width, depth, _ = thing.size
    c, s = abs(cos(yaw)), abs(sin(yaw))
    across = (size[0] - c * width - s * depth) / 2.0
    deep = (size[1] - s * width - c * depth) / 2.0
    return (across, deep) if across >= 0.0 and deep >= 0.0 else None

"""Small decorative things that make a home look lived in and never move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from envs.household.home import spots
from envs.household.home.frames import within
from envs.household.home.model import Placed, Pose, Surface, Thing
from envs.household.home.recipes import CLUTTER
from envs.household.home.things import make
from envs.household.home.things.turns import LAID

_UPRIGHT = LAID["y"]
"""The rotation of an upright book with its spine to the front."""


def clutter(
    placed: Placed, number: Callable[[str], int], shunned: frozenset[str], seed: int, random: Random
) -> list[Placed]:
    """A few small things on a piece of furniture."""
    kinds = [kind for kind in CLUTTER.get(placed.thing.kind, ()) if kind not in shunned]
    if not kinds:
        return []
    found: list[Placed] = []
    if placed.thing.kind == "shelf" and "book" in kinds:
        for surface in placed.thing.surfaces[:-1]:
            if random.random() < 0.75:
                found += _row_of_books(placed, surface, number, seed, random)
        return found
    for _ in range(random.choice((1, 2, 2, 3))):
        kind = random.choice(kinds)
        options = ("table",) if kind == "lamp" else ()
        thing = make(kind, f"{kind}_{number(kind)}", seed, options)
        for pose in spots.on(thing, placed.thing, placed.pose, random, tries=8):
            if all(_apart(thing, pose, other) for other in found):
                x, y, z = pose.position
                found.append(
                    Placed(replace(thing, movable=False), Pose((x, y, round(z - spots.GAP, 4)), pose.rotation))
                )
                break
    return found


def _apart(thing: Thing, pose: Pose, other: Placed) -> bool:
    (x, y, z), (a, b, c) = pose.position, other.pose.position
    reach = _radius(thing) + _radius(other.thing)
    return abs(z - c) > 0.1 or (x - a) ** 2 + (y - b) ** 2 > reach * reach


def _radius(thing: Thing) -> float:
    width, depth, _ = thing.size
    return float((width * width + depth * depth) ** 0.5) / 2.0


def _row_of_books(
    placed: Placed, surface: Surface, number: Callable[[str], int], seed: int, random: Random
) -> Iterator[Placed]:
    """Books side by side, from one end of a board."""
    x, y, z = surface.centre
    side = random.choice((-1.0, 1.0))
    edge = x - side * (surface.size[0] / 2.0 - 0.02)
    for _ in range(random.randint(4, 9)):
        kind = random.choice(("book", "book", "hardback"))
        thing = replace(make(kind, f"{kind}_{number(kind)}", seed), movable=False)
        width, depth, thick = thing.size
        if depth > surface.clearance - 0.01 or abs(edge + side * thick - x) > surface.size[0] / 2.0:
            return
        # An upright book is as wide as it is thick, and its origin is in the middle of a cover.
        front = y - surface.size[1] / 2.0 + width / 2.0 + random.uniform(0.01, 0.03)
        local = Pose((edge + side * thick / 2.0 - thick / 2.0, front, z + depth / 2.0), _UPRIGHT)
        yield Placed(thing, within(placed.pose, local))
        edge += side * (thick + 0.002)

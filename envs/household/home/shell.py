"""Walls, floors and ceilings of a home.

Each room has its own floor, ceiling and inner half of its walls, so that it can be painted and drawn
separately.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from envs.household.home.model import Part
from envs.household.home.plans import Plan, kind_of
from envs.household.home.things.openings import WALL
from envs.household.home.things.parts import Span, slab
from envs.household.home.walls import HEIGHT, Opening, Stretch, between, sides
from envs.render.scene import Clouds, Colour, Material, Plain, Planks, Speckle, Tiles, Weave

_HALF = WALL / 2.0
_SKIRTING = (0.014, 0.08)
"""Thickness and height."""
_WHITE = Material(Plain((0.93, 0.92, 0.90)), gloss=0.05)
_CEILING = Material(Plain((0.95, 0.95, 0.94)))
_OAK = ((0.78, 0.62, 0.43), (0.62, 0.46, 0.29))
_ASH = ((0.83, 0.73, 0.58), (0.70, 0.58, 0.43))
_WALNUT = ((0.55, 0.39, 0.27), (0.40, 0.27, 0.18))

PAINTS: Mapping[str, tuple[Colour, ...]] = {
    "kitchen": ((0.93, 0.90, 0.80), (0.84, 0.90, 0.86), (0.95, 0.87, 0.76)),
    "living room": ((0.90, 0.86, 0.78), (0.78, 0.84, 0.84), (0.88, 0.82, 0.74)),
    "bedroom": ((0.80, 0.84, 0.91), (0.91, 0.84, 0.83), (0.84, 0.88, 0.80)),
    "study": ((0.80, 0.86, 0.80), (0.89, 0.86, 0.79), (0.78, 0.82, 0.88)),
    "hallway": ((0.93, 0.91, 0.86), (0.90, 0.88, 0.88), (0.92, 0.89, 0.80)),
    "garage": ((0.80, 0.80, 0.79), (0.84, 0.83, 0.80), (0.77, 0.79, 0.80)),
}


@dataclass(frozen=True, slots=True)
class Looks:
    """The paint and the floor of one room."""

    wall: Material
    floor: Material


def looks(room: str, random: Random) -> Looks:
    """Paint and floor that suit the kind of a room."""
    kind, grain = kind_of(room), random.randrange(997)
    wall = Material(Plain(random.choice(PAINTS[kind])))
    floor: tuple[Material, ...]
    match kind:
        case "kitchen":
            floor = (
                Material(Tiles((0.86, 0.84, 0.80), (0.33, 0.33), seed=grain), 0.12),
                Material(Tiles((0.88, 0.87, 0.84), (0.3, 0.3), (0.58, 0.62, 0.64), seed=grain), 0.12),
                Material(Tiles((0.74, 0.56, 0.44), (0.3, 0.3), grout=(0.55, 0.48, 0.42), seed=grain), 0.08),
            )
        case "garage":
            floor = (Material(Clouds((0.62, 0.62, 0.61), (0.54, 0.54, 0.54), 0.7, grain)),)
        case "bedroom":
            floor = (
                Material(Weave((0.66, 0.60, 0.54), (0.60, 0.54, 0.48), 0.03, grain)),
                Material(Weave((0.56, 0.60, 0.66), (0.50, 0.54, 0.60), 0.03, grain)),
                Material(Planks(*_ASH, grain), 0.05),
            )
        case "hallway":
            floor = (
                Material(Planks(*_OAK, grain), 0.05),
                Material(Speckle((0.80, 0.78, 0.74), (0.66, 0.64, 0.61), 0.02, 0.4, grain), 0.1),
            )
        case _:
            floor = tuple(Material(Planks(*tones, grain), 0.05) for tones in (_OAK, _ASH, _WALNUT))
    return Looks(wall, random.choice(floor))


def shell(
    plan: Plan, openings: Sequence[Opening], random: Random, style_of: Callable[[str, Random], Looks] = looks
) -> tuple[Part, ...]:
    """The immovable part of a home; `style_of` picks paint and floor for a room."""
    parts: list[Part] = []
    for room, corners in plan.rooms.items():
        style = style_of(room, random)
        x0, y0, x1, y1 = corners
        along = "x" if x1 - x0 >= y1 - y0 else "y"
        parts.append(slab(style.floor, (x0, x1), (y0, y1), (-0.1, 0.0), along=along))  # type: ignore[arg-type]
        parts.append(slab(_CEILING, (x0, x1), (y0, y1), (HEIGHT, HEIGHT + 0.1)))
        for wall in sides(room, corners):
            parts += _wall(wall, between(openings, wall), style.wall)
    return tuple(parts)


def _wall(wall: Stretch, holes: Sequence[Opening], paint: Material) -> Iterator[Part]:
    """One wall with holes for openings and with skirting boards."""
    edge = wall.start
    for hole in holes:
        middle, (width, height) = hole.x if wall.along_x else hole.y, hole.size
        start, end = round(middle - width / 2.0, 6), round(middle + width / 2.0, 6)
        yield from _plain(wall, (edge, start), paint)
        yield _panel(wall, (start, end), (hole.sill + height, HEIGHT), paint)
        if hole.sill:
            yield _panel(wall, (start, end), (0.0, hole.sill), paint)
            yield _skirting(wall, (start, end))
        edge = end
    yield from _plain(wall, (edge, wall.end), paint)


def _plain(wall: Stretch, along: Span, paint: Material) -> Iterator[Part]:
    yield _panel(wall, along, (0.0, HEIGHT), paint)
    yield _skirting(wall, along)


def _panel(wall: Stretch, along: Span, z: Span, paint: Material) -> Part:
    return _board(wall, along, (0.0, _HALF), z, paint, solid=True)


def _skirting(wall: Stretch, along: Span) -> Part:
    thick, high = _SKIRTING
    return _board(wall, along, (_HALF, _HALF + thick), (0.0, high), _WHITE, solid=False)


def _board(wall: Stretch, along: Span, depth: Span, z: Span, material: Material, *, solid: bool) -> Part:
    """A board along a wall, between two depths measured inwards from the centre of the wall."""
    inward = 1.0 if wall.outward in (2, 3) else -1.0
    near, far = sorted(round(wall.level + inward * value, 6) for value in depth)
    if wall.along_x:
        return slab(material, along, (near, far), z, solid=solid)
    return slab(material, (near, far), along, z, along="y", solid=solid)

"""Fixtures on the tables of arms: drawers, a sink, a stove; and the household's things at a smaller scale."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from envs.household.home.model import Cavity, Leaf, Part, Pose, Surface, Thing
from envs.household.home.things import make
from envs.household.home.things.kind import Order
from envs.household.home.things.materials import DARK_STEEL, STEEL, furniture_wood, paint
from envs.household.home.things.parts import assembled, ends, felt, movable, rod, shown, slab, span
from envs.render.forms import sheet
from envs.render.scene import Box, Cylinder, Material, Mesh, Shape, Sphere, Tiles, Vector

TRAVEL = 0.09
"""The distance that drawers open, in metres."""
_WALL = 0.008


def drawer(order: Order) -> Thing:
    """A wooden box with one drawer; two on top of each other are a small chest. Its front looks along -y."""
    width, depth, row = 0.22, 0.15, 0.075
    grain, front, bar = furniture_wood(order), paint(order.pick(_WHITE, _BLUE, _GREEN), 0.15), DARK_STEEL
    x, y, tall = span(0.0, width), (0.0, depth), row + _WALL
    body = [
        *(slab(grain, side, y, (0.0, tall), along="z") for side in ends(x, _WALL)),
        slab(grain, x, (depth - _WALL, depth), (0.0, tall)),
        *(slab(grain, x, y, (level, level + _WALL)) for level in (0.0, row)),
    ]
    low, high, inner, deep = _WALL, row - 0.004, (x[0] + 0.010, x[1] - 0.010), (-0.006, depth - 0.014)
    middle = low + 0.5 * (row - _WALL)
    parts = [
        slab(front, (x[0] + 0.002, x[1] - 0.002), (-0.014, -0.004), (low + 0.002, high + 0.002), bevel=0.002),
        slab(_PINE, inner, deep, (low + 0.003, low + 0.009)),
        *(slab(_PINE, side, deep, (low + 0.009, high - 0.012)) for side in ends(inner, 0.006)),
        slab(_PINE, inner, (deep[1] - 0.006, deep[1]), (low + 0.009, high - 0.012)),
        *(rod(bar, 0.004, (side, -0.034, middle), (side, -0.012, middle), solid=False) for side in (-0.035, 0.035)),
        rod(bar, 0.005, (-0.042, -0.034, middle), (0.042, -0.034, middle), solid=False),
    ]
    leaf = Leaf("drawer", "slide", (0.0, -1.0, 0.0), (0.0, 0.0, 0.0), TRAVEL, tuple(parts))
    room = Cavity((0.0, depth / 2, (low + high) / 2), (inner[1] - inner[0], depth - 0.03, high - low), leaf="drawer")
    return assembled(order, body, mass=4.0, leaves=[leaf], cavities=[room])


_WHITE, _BLUE, _GREEN = (0.93, 0.92, 0.88), (0.30, 0.50, 0.72), (0.36, 0.60, 0.46)
_PINE = paint((0.86, 0.74, 0.54), 0.05)


def sink(order: Order) -> Thing:
    """A low steel basin with a rim and a tap that turns."""
    width, depth, tall = 0.24, 0.20, 0.06
    x, y = span(0.0, width), span(0.0, depth)
    inner = (x[0] + 0.016, x[1] - 0.016)
    basin = [
        slab(STEEL, x, y, (0.0, 0.008)),
        *(slab(STEEL, side, y, (0.008, tall), bevel=0.003) for side in ends(x, 0.016)),
        *(slab(STEEL, inner, side, (0.008, tall), bevel=0.003) for side in ends(y, 0.016)),
        rod(DARK_STEEL, 0.016, (0.0, 0.0, 0.008), (0.0, 0.0, 0.0095), solid=False),
        rod(DARK_STEEL, 0.012, (0.0, y[1] - 0.008, tall), (0.0, y[1] - 0.008, tall + 0.07)),
    ]
    at = y[1] - 0.008
    spout = (
        rod(DARK_STEEL, 0.010, (0.0, at, tall + 0.07), (0.0, at, tall + 0.088), solid=False),
        rod(DARK_STEEL, 0.008, (0.0, at, tall + 0.08), (0.0, at - 0.085, tall + 0.08), solid=False),
        rod(DARK_STEEL, 0.008, (0.0, at - 0.081, tall + 0.08), (0.0, at - 0.081, tall + 0.06), solid=False),
    )
    tap = Leaf("tap", "hinge", (0.0, 0.0, 1.0), (0.0, at, tall + 0.08), 1.2, spout)
    room = Cavity((0.0, 0.0, tall / 2 + 0.004), (width - 0.032, depth - 0.032, tall - 0.008))
    return assembled(order, basin, mass=4.0, leaves=[tap], cavities=[room])


def stove(order: Order) -> Thing:
    """A low cooker with two plates and a knob that turns."""
    x, y, tall = span(0.0, 0.28), span(0.0, 0.20), 0.035
    body, plate = paint((0.90, 0.90, 0.89), 0.3), paint((0.09, 0.09, 0.10), 0.2)
    parts = [slab(body, x, y, (0.0, tall), bevel=0.005)]
    for side in (-0.065, 0.065):
        parts += [
            rod(plate, 0.055, (side, 0.02, tall), (side, 0.02, tall + 0.005)),
            rod(DARK_STEEL, 0.012, (side, 0.02, tall + 0.005), (side, 0.02, tall + 0.0058), solid=False),
        ]
    at = (0.0, y[0] + 0.03, tall)
    grip = (
        rod(DARK_STEEL, 0.021, at, (at[0], at[1], tall + 0.010), solid=False),
        slab(
            paint((0.85, 0.15, 0.12), 0.3),
            span(0.0, 0.011),
            span(at[1], 0.052),
            (tall + 0.010, tall + 0.028),
            solid=False,
        ),
    )
    knob = Leaf("knob", "hinge", (0.0, 0.0, 1.0), at, 1.5708, grip)
    tops = [Surface((side, 0.02, tall + 0.005), (0.10, 0.10)) for side in (-0.065, 0.065)]
    return assembled(order, parts, mass=4.0, leaves=[knob], surfaces=tops)


def towel(order: Order) -> Thing:
    """A checked cloth lying flat."""
    return _cloth(order, 1)


def folded_towel(order: Order) -> Thing:
    """The same cloth folded in half."""
    return _cloth(order, 2)


def _cloth(order: Order, layers: int) -> Thing:
    number = int(order.name.rpartition("_")[2])
    dye = ((0.82, 0.16, 0.18), (0.12, 0.38, 0.78), (0.14, 0.56, 0.32), (0.95, 0.66, 0.12))[number % 4]
    check = Material(Tiles((0.96, 0.95, 0.92), (0.02, 0.02), dye, grout=dye, gap=0.002, seed=number))
    long, wide, thick = 0.17, 0.13 / layers, 0.005
    parts: list[Part] = []
    for layer in range(layers):
        inset = 0.004 * layer
        shape = sheet((long - inset, wide - inset), lambda u, v: 0.0012 * u * v * v, thick * 0.9, cells=8)
        parts.append(shown(check, shape, (0.0, 0.0, 0.003 + thick * (layer + 0.5))))
    return movable(
        order, [*parts, *felt([slab(check, span(0, long), span(0, wide), (0.0, 0.003 + layers * thick))])], 0.05
    )


_OWN = {"drawer": drawer, "sink": sink, "stove": stove, "towel": towel, "folded_towel": folded_towel}


@lru_cache(maxsize=512)
def made(kind: str, name: str, seed: int, scale: float = 1.0) -> Thing:
    """A thing for a table: one of this module, or one of the household's catalogue at a scale."""
    if kind in _OWN:
        thing = _OWN[kind](Order("towel" if "towel" in kind else kind, name, seed))
        return replace(thing, kind=kind, name=name)
    return scaled(make(kind, name, seed), scale)


def scaled(thing: Thing, by: float) -> Thing:
    """The thing at another scale, without its leaves and cavities."""
    parts = tuple(
        replace(part, shape=_scaled(part.shape, by), pose=Pose(_times(part.pose.position, by), part.pose.rotation))
        for part in thing.parts
    )
    surfaces = tuple(
        Surface(_times(s.centre, by), (s.size[0] * by, s.size[1] * by), s.clearance * by) for s in thing.surfaces
    )
    size = _times(thing.size, by)
    return replace(
        thing, parts=parts, size=size, leaves=(), surfaces=surfaces, cavities=(), mass=round(thing.mass * by**3, 6)
    )


def _scaled(shape: Shape, by: float) -> Shape:
    match shape:
        case Box(size, bevel):
            return Box(_times(size, by), round(bevel * by, 9))
        case Sphere(radius):
            return Sphere(round(radius * by, 9))
        case Cylinder(radius, height):
            return Cylinder(round(radius * by, 9), round(height * by, 9))
        case Mesh(points, faces, normals):
            return Mesh(tuple(_times(point, by) for point in points), faces, normals)


def _times(vector: Vector, by: float) -> Vector:
    return round(vector[0] * by, 9), round(vector[1] * by, 9), round(vector[2] * by, 9)

"""Things to play with. Playthings with different numbers are different toys."""

from __future__ import annotations

from math import pi

from envs.household.home.model import Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, RUBBER, darker, paint
from envs.household.home.things.parts import ball as sphere
from envs.household.home.things.parts import felt, movable, rod, seen_only, shown, slab, span
from envs.household.home.things.shapes import ellipsoid, ring
from envs.household.home.things.turns import about
from envs.render.scene import Sphere

RED, YELLOW, GREEN, BLUE = (0.85, 0.12, 0.12), (0.98, 0.80, 0.10), (0.15, 0.58, 0.25), (0.12, 0.34, 0.80)


def plaything(order: Order) -> Thing:
    """A toy: a car, a teddy bear, a stack of rings or a tower of blocks, by the number in its name."""
    toys = (_car, _teddy, _rings, _blocks)
    return toys[(order.number - 1) % len(toys)](order)


def _car(order: Order) -> Thing:
    body = paint(order.pick(RED, BLUE, GREEN), 0.3)
    glass, hub = paint((0.72, 0.86, 0.94), 0.5), paint((0.90, 0.90, 0.90), 0.3)
    parts: list[Part] = [
        slab(body, span(0.0, 0.2), span(0.0, 0.09), (0.022, 0.062), bevel=0.01),
        slab(glass, (-0.062, 0.042), span(0.0, 0.08), (0.06, 0.092), bevel=0.006),
        slab(body, (-0.056, 0.036), span(0.0, 0.082), (0.09, 0.1), bevel=0.004),
        *(slab(body, span(at, 0.01), span(0.0, 0.082), (0.06, 0.094)) for at in (-0.056, -0.01, 0.037)),
    ]
    for x in (-0.06, 0.06):
        parts += [
            rod(RUBBER, 0.025, (x, -0.05, 0.025), (x, 0.05, 0.025), solid=False),
            rod(hub, 0.012, (x, -0.051, 0.025), (x, 0.051, 0.025), solid=False),
        ]
    lights = [shown(paint(YELLOW, 0.3), Sphere(0.009), (0.099, side, 0.046)) for side in (-0.03, 0.03)]
    hard = slab(body, span(0.0, 0.17), span(0.0, 0.1), (0.0, 0.05))
    return movable(order, [*parts, *lights, *felt([hard])], 0.3)


def _teddy(order: Order) -> Thing:
    fur = order.pick((0.60, 0.40, 0.22), (0.78, 0.62, 0.42), (0.50, 0.32, 0.18))
    plush, pale = paint(fur, 0.0), paint((0.90, 0.80, 0.62), 0.0)
    parts: list[Part] = [
        shown(plush, ellipsoid((0.058, 0.052, 0.068)), (0.0, 0.0, 0.066)),
        shown(pale, ellipsoid((0.036, 0.012, 0.042)), (0.0, -0.044, 0.064)),
        sphere(plush, 0.05, (0.0, -0.004, 0.165)),
        shown(pale, ellipsoid((0.024, 0.02, 0.02)), (0.0, -0.05, 0.155)),
        shown(BLACK, Sphere(0.009), (0.0, -0.07, 0.163)),
        *(shown(BLACK, Sphere(0.007), (x, -0.046, 0.182)) for x in (-0.019, 0.019)),
    ]
    for side in (-1, 1):
        parts += [
            shown(plush, Sphere(0.022), (side * 0.04, 0.0, 0.207)),
            shown(pale, Sphere(0.013), (side * 0.04, -0.013, 0.207)),
            shown(plush, ellipsoid((0.023, 0.023, 0.05)), (side * 0.066, -0.02, 0.088), about("y", -side * 0.7)),
            shown(plush, ellipsoid((0.027, 0.055, 0.027)), (side * 0.044, -0.055, 0.027)),
            shown(pale, ellipsoid((0.02, 0.008, 0.02)), (side * 0.044, -0.104, 0.027)),
        ]
    hard = [
        slab(plush, span(0.0, 0.13), (-0.1, 0.045), (0.0, 0.05)),
        rod(plush, 0.05, (0.0, 0.0, 0.0), (0.0, 0.0, 0.13)),
    ]
    return movable(order, [*parts, *felt(hard)], 0.3)


def _rings(order: Order) -> Thing:
    base = paint((0.93, 0.88, 0.74), 0.1)
    colours = (BLUE, GREEN, YELLOW, (0.95, 0.50, 0.08), RED)
    parts: list[Part] = [rod(base, 0.07, (0.0, 0.0, 0.0), (0.0, 0.0, 0.014))]
    z, tube = 0.014, 0.015
    for level, colour in enumerate(colours):
        radius = 0.056 - 0.007 * level
        parts.append(shown(paint(colour, 0.3), ring(radius - 0.004, tube), (0.0, 0.0, z + tube)))
        parts += felt([rod(base, radius + tube - 0.006, (0.0, 0.0, z), (0.0, 0.0, z + 2 * tube))])
        z = round(z + 2 * tube - 0.002, 6)
    parts += [rod(base, 0.012, (0.0, 0.0, 0.014), (0.0, 0.0, z)), sphere(paint(RED, 0.3), 0.02, (0.0, 0.0, z + 0.012))]
    return movable(order, parts, 0.3)


def _blocks(order: Order) -> Thing:
    side = 0.062
    places = (
        ((0.0, 0.0), 0, RED),
        ((side, 0.0), 0, BLUE),
        ((side * 0.5, 0.0), 1, YELLOW),
        ((side * 0.45, 0.0), 2, GREEN),
    )
    parts: list[Part] = []
    for (x, y), level, colour in places:
        z = (side * level, side * (level + 1))
        parts.append(slab(paint(colour, 0.15), span(x, side - 0.002), span(y, side - 0.002), z, bevel=0.004))
        dot = rod(
            paint(darker((1.0, 1.0, 0.95), 0.03)),
            0.016,
            (x, y - side / 2 - 0.0005, z[0] + side / 2),
            (x, y, z[0] + side / 2),
        )
        parts += seen_only([dot])
    return movable(order, parts, 0.4)


def ball(order: Order) -> Thing:
    """A play ball with bands of another colour."""
    r = order.between(0.085, 0.1)
    first, second = order.pick((RED, (0.97, 0.97, 0.95)), (BLUE, YELLOW), ((0.90, 0.42, 0.10), (0.10, 0.10, 0.11)))
    skin, band = paint(first, 0.3), paint(second, 0.3)
    parts = [
        sphere(skin, r, (0.0, 0.0, r)),
        shown(band, ring(r * 0.988, r * 0.03), (0.0, 0.0, r)),
        shown(band, ring(r * 0.988, r * 0.03), (0.0, 0.0, r), about("x", pi / 2)),
        shown(band, ring(r * 0.988, r * 0.03), (0.0, 0.0, r), about("y", pi / 2)),
        *felt([rod(skin, r * 0.3, (0.0, 0.0, 0.0), (0.0, 0.0, r))]),
    ]
    return movable(order, parts, 0.25)


KINDS = (Kind("plaything", plaything, movable=True, types=4), Kind("ball", ball, movable=True))

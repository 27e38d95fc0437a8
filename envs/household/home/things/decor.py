"""What makes rooms lived in: lamps, rugs, plants, pictures, a television."""

from __future__ import annotations

from math import pi

from envs.household.home.model import Part, Surface, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, DARK_STEEL, STEEL, furniture_wood, paint
from envs.household.home.things.parts import assembled, felt, rod, shown, slab, span
from envs.household.home.things.turns import about, after, turned
from envs.render.forms import ellipsoid, lathe
from envs.render.scene import Colour

DYES: tuple[Colour, ...] = ((0.62, 0.20, 0.18), (0.20, 0.34, 0.52), (0.40, 0.46, 0.36), (0.66, 0.52, 0.34))


def lamp(order: Order) -> Thing:
    """A floor lamp; by option one for a table."""
    tall = order.between(0.42, 0.5) if "table" in order.options else order.between(1.5, 1.65)
    shade = 0.14 if "table" in order.options else 0.2
    metal = order.pick(STEEL, DARK_STEEL, paint((0.72, 0.56, 0.26), 0.4))
    low = tall - shade * 1.25
    hood = lathe([(shade, low), (shade * 0.7, tall), (shade * 0.68, tall), (shade * 0.98, low)])
    parts = [
        rod(metal, shade * 0.75, (0.0, 0.0, 0.0), (0.0, 0.0, 0.025)),
        rod(metal, 0.013, (0.0, 0.0, 0.025), (0.0, 0.0, tall - 0.05)),
        shown(paint((0.98, 0.90, 0.70), 0.0), hood),
        *felt([rod(metal, shade, (0.0, 0.0, low), (0.0, 0.0, tall))]),
    ]
    return assembled(order, parts, mass=4.0)


def rug(order: Order) -> Thing:
    """A rug with a border. It is so flat that nothing bumps into it."""
    width, depth = order.between(1.7, 2.1), order.between(1.1, 1.4)
    colour = order.pick(*DYES)
    pale = paint((0.88, 0.83, 0.72), 0.0)
    layers = ((0.0, paint(colour, 0.0)), (0.10, pale), (0.14, paint(colour, 0.0)), (0.42, pale))
    parts = [
        slab(dye, span(0.0, width - 2 * rim), span(0.0, depth - 2 * rim), (0.0, 0.008 + 0.0005 * level), solid=False)
        for level, (rim, dye) in enumerate(layers)
    ]
    return assembled(order, parts, mass=6.0)


def plant(order: Order) -> Thing:
    """A green plant in a pot."""
    pot, tall = order.between(0.15, 0.18), order.between(0.8, 1.1)
    clay = paint(order.pick((0.70, 0.38, 0.24), (0.90, 0.90, 0.88), (0.24, 0.30, 0.36)), 0.1)
    rim = pot * 1.6
    parts: list[Part] = [
        shown(clay, lathe([(0.001, 0.0), (pot * 0.7, 0.0), (pot, rim), (pot * 0.9, rim), (pot * 0.88, rim - 0.03)])),
        shown(paint((0.22, 0.15, 0.10), 0.0), lathe([(pot * 0.9, rim - 0.035), (0.001, rim - 0.03)])),
        *felt([rod(clay, pot, (0.0, 0.0, 0.0), (0.0, 0.0, rim))]),
        *felt([rod(clay, pot * 0.7, (0.0, 0.0, rim), (0.0, 0.0, tall))]),
    ]
    leaves = 14
    for number in range(leaves):
        green = paint((0.13 + 0.05 * (number % 3), 0.42 + 0.06 * (number % 2), 0.16), 0.1)
        lean = 0.25 + 0.75 * (number % 5) / 4
        length = (tall - rim) * (1.0 - 0.35 * lean)
        turn = after(about("z", 2.0 * pi * number * 0.381966), about("y", lean))
        parts.append(
            shown(
                green,
                ellipsoid((0.008, 0.045, length / 2), segments=10),
                _above(turned(turn, (0.0, 0.0, length / 2)), rim - 0.03),
                turn,
            )
        )
    return assembled(order, parts, mass=8.0)


def _above(point: tuple[float, float, float], height: float) -> tuple[float, float, float]:
    return (round(point[0], 6), round(point[1], 6), round(point[2] + height, 6))


def picture(order: Order) -> Thing:
    """A framed landscape to hang on a wall, its back to the wall."""
    width, height = order.between(0.6, 0.8), order.between(0.45, 0.6)
    frame = order.pick(furniture_wood(order), BLACK, paint((0.80, 0.66, 0.36), 0.3))
    x, rim, deep = span(0.0, width), 0.035, (-0.03, 0.0)
    inner = (x[0] + rim, x[1] - rim)
    hills = order.pick((0.32, 0.50, 0.28), (0.62, 0.44, 0.24), (0.20, 0.40, 0.52))
    parts = [
        *(slab(frame, side, deep, (0.0, height), along="z") for side in ((x[0], inner[0]), (inner[1], x[1]))),
        *(slab(frame, inner, deep, level) for level in ((0.0, rim), (height - rim, height))),
        slab(paint((0.70, 0.82, 0.92), 0.0), inner, (-0.02, 0.0), (rim, height - rim)),
        slab(paint(hills, 0.0), inner, (-0.0205, -0.02), (rim, height * 0.45), solid=False),
        rod(
            paint((0.98, 0.82, 0.35), 0.0),
            0.045,
            (width * 0.2, -0.0207, height * 0.7),
            (width * 0.2, -0.02, height * 0.7),
            solid=False,
        ),
    ]
    return assembled(order, parts, mass=2.0)


def tv(order: Order) -> Thing:
    """A television on a low open bench."""
    width, bench = order.between(1.3, 1.5), 0.42
    grain = furniture_wood(order)
    x = span(0.0, width)
    screen = span(0.0, 1.1)
    parts = [
        *(
            slab(grain, side, (-0.2, 0.2), (0.0, bench - 0.03), along="z")
            for side in ((x[0], x[0] + 0.03), (x[1] - 0.03, x[1]))
        ),
        slab(grain, x, (-0.2, 0.2), (bench - 0.03, bench)),
        slab(grain, (x[0] + 0.03, x[1] - 0.03), (-0.2, 0.2), (0.1, 0.13)),
        slab(BLACK, span(0.0, 0.4), (-0.1, 0.1), (bench, bench + 0.015)),
        slab(BLACK, span(0.0, 0.08), (0.0, 0.03), (bench, bench + 0.1)),
        slab(BLACK, screen, (-0.02, 0.03), (bench + 0.08, bench + 0.72), bevel=0.006),
        slab(
            paint((0.10, 0.13, 0.18), 0.6),
            (screen[0] + 0.02, screen[1] - 0.02),
            (-0.021, -0.02),
            (bench + 0.1, bench + 0.7),
            solid=False,
        ),
    ]
    surface = Surface((0.0, 0.0, 0.13), (width - 0.12, 0.34), bench - 0.16)
    return assembled(order, parts, mass=30.0, surfaces=[surface])


KINDS = (
    Kind("lamp", lamp, ("table",)),
    Kind("rug", rug),
    Kind("plant", plant),
    Kind("picture", picture),
    Kind("tv", tv),
)

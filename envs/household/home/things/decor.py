"""Decoration: lamps, rugs, plants, pictures, mirrors, clocks, a television."""

from __future__ import annotations

from math import cos, pi, sin

from envs.household.home.model import Part, Surface, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, DARK_STEEL, INK, WHITE, darker, furniture_wood, paint
from envs.household.home.things.parts import assembled, ends, felt, on_front, rod, shown, slab, span
from envs.household.home.things.turns import about, after, plus, turned
from envs.render.forms import ellipsoid, lathe, prism
from envs.render.scene import Clouds, Gradient, Material, Plain, Rug

_UPRIGHT = about("x", pi / 2)
"""Rotates a thing that lies flat so that it hangs on a wall."""


def lamp(order: Order) -> Thing:
    """A floor lamp; by option one for a table."""
    small = "table" in order.options
    tall, shade = (order.between(0.42, 0.5), 0.14) if small else (order.between(1.5, 1.65), 0.21)
    metal = order.pick(paint((0.80, 0.81, 0.83), 0.5), DARK_STEEL, paint((0.74, 0.57, 0.26), 0.4))
    paper = order.pick((0.98, 0.90, 0.68), (0.96, 0.94, 0.88), (0.90, 0.66, 0.42))
    low = tall - shade * 1.25
    hood = lathe([(shade, low), (shade * 0.7, tall), (shade * 0.66, tall), (shade * 0.96, low), (shade, low)])
    parts = [
        rod(metal, shade * 0.75, (0.0, 0.0, 0.0), (0.0, 0.0, 0.025)),
        rod(metal, 0.014, (0.0, 0.0, 0.025), (0.0, 0.0, tall - 0.05)),
        shown(Material(Plain(paper), glow=0.45), hood),
        *felt([rod(metal, shade, (0.0, 0.0, low), (0.0, 0.0, tall))]),
    ]
    return assembled(order, parts, mass=4.0)


def rug(order: Order) -> Thing:
    """A patterned rug. It is so flat that nothing bumps into it."""
    size = (order.between(1.7, 2.1), order.between(1.15, 1.4))
    ground, border, motif = order.pick(
        ((0.58, 0.16, 0.15), (0.16, 0.20, 0.34), (0.88, 0.76, 0.54)),
        ((0.20, 0.36, 0.50), (0.80, 0.74, 0.60), (0.86, 0.84, 0.76)),
        ((0.70, 0.60, 0.44), (0.34, 0.40, 0.28), (0.42, 0.22, 0.16)),
    )
    carpet = Material(Rug(ground, border, motif, size, order.grain()))
    return assembled(order, [slab(carpet, span(0.0, size[0]), span(0.0, size[1]), (0.0, 0.01), solid=False)], mass=6.0)


def plant(order: Order) -> Thing:
    """A green plant in a pot: stiff upright leaves, or many that hang over."""
    pot, tall = order.between(0.14, 0.17), order.between(0.75, 1.0)
    clay = paint(order.pick((0.72, 0.38, 0.24), (0.90, 0.90, 0.88), (0.22, 0.30, 0.38)), 0.15)
    leaves, lean, wide = order.pick((14, 0.75, 0.09), (22, 1.15, 0.07))
    rim = pot * 1.6
    parts: list[Part] = [
        shown(clay, lathe([(0.0, 0.0), (pot * 0.7, 0.0), (pot, rim), (pot * 0.9, rim), (pot * 0.86, rim - 0.04)])),
        rod(paint((0.20, 0.13, 0.08), 0.0), pot * 0.9, (0.0, 0.0, rim - 0.06), (0.0, 0.0, rim - 0.03), solid=False),
        *felt([rod(clay, pot * 0.9, (0, 0, 0), (0, 0, rim)), rod(clay, pot * 0.7, (0, 0, rim), (0, 0, tall))]),
    ]
    lengths = [(tall - rim + 0.05) * (1.0 - 0.3 * (0.12 + lean * step / 4)) for step in range(5)]
    blades = [(length, ellipsoid((0.016, wide, length), segments=12)) for length in lengths]
    for number in range(leaves):
        green = (0.12 + 0.05 * (number % 3), 0.40 + 0.07 * (number % 2), 0.14)
        bow = 0.12 + lean * (number % 5) / 4
        length, blade = blades[number % 5]
        turn = after(about("z", round(2.0 * pi * number * 0.381966, 6)), about("y", bow))
        middle = plus(turned(turn, (0.0, 0.0, length / 2)), (0.0, 0.0, rim - 0.05))
        parts.append(shown(paint(green, 0.15), blade, middle, turn))
    return assembled(order, parts, mass=8.0)


_RIDGE = ((-1.0, -0.3), (1.0, -0.3), (1.0, 0.1), (0.5, 0.5), (0.1, 0.0), (-0.4, 0.6), (-1.0, 0.1))
"""The outline of hills, in halves of a picture."""


def picture(order: Order) -> Thing:
    """A framed landscape to hang on a wall: sky, sun, hills and a lake or a field."""
    width, height = order.between(0.62, 0.8), order.between(0.46, 0.58)
    frame = order.pick(furniture_wood(order), BLACK, paint((0.82, 0.66, 0.34), 0.3))
    far, near = order.pick(
        ((0.36, 0.50, 0.62), (0.34, 0.56, 0.26)),
        ((0.62, 0.42, 0.34), (0.80, 0.62, 0.28)),
        ((0.32, 0.46, 0.34), (0.20, 0.46, 0.66)),
    )
    sky = Material(Gradient((0.98, 0.90, 0.74), (0.48, 0.70, 0.92), -0.2, 0.25))
    w, h, rim = width / 2 - 0.035, height / 2 - 0.035, 0.035
    ridge = [(w * x, h * z) for x, z in _RIDGE]
    meadow = Material(Clouds(near, darker(near, 0.3), 0.08))
    sun = (0.5 * w, -0.024, height / 2 + 0.62 * h)
    parts = [
        *_rim(frame, width, height, rim),
        slab(sky, span(0.0, 2 * w), (-0.02, 0.0), span(height / 2, 2 * h)),
        rod(paint((1.0, 0.86, 0.40), 0.0), 0.1 * h + 0.02, plus(sun, (0.0, 0.004, 0.0)), sun, solid=False),
        shown(paint(far, 0.0), prism(ridge, 0.006), (0.0, -0.0225, height / 2), _UPRIGHT),
        on_front(meadow, span(0.0, 2 * w), (rim, height / 2 - 0.25 * h), -0.026),
    ]
    return assembled(order, parts, mass=2.0)


def _rim(material: Material, width: float, height: float, rim: float) -> list[Part]:
    """Four bars of a frame that hangs with its back at y = 0."""
    x, deep = span(0.0, width), (-0.035, 0.0)
    inner = (x[0] + rim, x[1] - rim)
    return [
        *(slab(material, side, deep, (0.0, height), along="z") for side in ends(x, rim)),
        *(slab(material, inner, deep, level) for level in ends((0.0, height), rim)),
    ]


def mirror(order: Order) -> Thing:
    """A tall mirror to hang on a wall; it only looks like glass."""
    width, height = order.between(0.42, 0.55), order.between(0.9, 1.15)
    glass = Material(Gradient((0.70, 0.76, 0.80), (0.90, 0.94, 0.96), -0.4, 0.4), 0.7)
    pane = slab(glass, span(0.0, width - 0.06), (-0.02, 0.0), (0.03, height - 0.03))
    return assembled(order, [*_rim(furniture_wood(order), width, height, 0.03), pane], mass=5.0)


def clock(order: Order) -> Thing:
    """A round wall clock at ten past ten."""
    radius, rim = order.between(0.14, 0.17), order.pick(BLACK, furniture_wood(order), paint((0.74, 0.16, 0.14), 0.3))
    middle = (0.0, 0.0, radius)

    def hand(angle: float, length: float, wide: float) -> Part:
        tip = (length * sin(angle), -0.034, radius + length * cos(angle))
        return rod(INK, wide, (0.0, -0.034, radius), tip, solid=False)

    marks = [
        rod(INK, 0.006, (x, -0.033, radius + z), (x, -0.029, radius + z), solid=False)
        for x, z in ((0.8 * radius * sin(a), 0.8 * radius * cos(a)) for a in (pi * k / 6 for k in range(12)))
    ]
    parts = [
        rod(rim, radius, (0.0, 0.0, radius), (0.0, -0.028, radius)),
        rod(WHITE, radius * 0.9, middle, (0.0, -0.031, radius), solid=False),
        *marks,
        hand(-pi / 3, radius * 0.5, 0.006),
        hand(pi / 3, radius * 0.72, 0.004),
    ]
    return assembled(order, parts, mass=1.0)


def tv(order: Order) -> Thing:
    """A television on a low open bench."""
    width, bench, side = order.between(1.3, 1.5), 0.42, 0.03
    grain, x, screen = furniture_wood(order), span(0.0, width), span(0.0, 1.1)
    inner = (x[0] + side, x[1] - side)
    glass = Material(Gradient((0.05, 0.07, 0.10), (0.16, 0.20, 0.27), -0.3, 0.3), 0.7)
    parts = [
        *(slab(grain, end, (-0.2, 0.2), (0.0, bench - side), along="z") for end in ends(x, side)),
        slab(grain, x, (-0.2, 0.2), (bench - side, bench)),
        slab(grain, inner, (-0.2, 0.2), (0.1, 0.13)),
        slab(BLACK, span(0.0, 0.4), (-0.1, 0.1), (bench, bench + 0.015)),
        slab(BLACK, span(0.0, 0.08), (0.0, 0.03), (bench, bench + 0.1)),
        slab(BLACK, screen, (-0.02, 0.03), (bench + 0.08, bench + 0.72), bevel=0.006),
        on_front(glass, (screen[0] + 0.02, screen[1] - 0.02), (bench + 0.1, bench + 0.7), -0.02),
    ]
    surface = Surface((0.0, 0.0, 0.13), (width - 0.12, 0.34), bench - side - 0.13)
    return assembled(order, parts, mass=30.0, surfaces=[surface])


KINDS = (
    Kind("lamp", lamp, ("table",)),
    Kind("rug", rug),
    Kind("plant", plant),
    Kind("picture", picture, resembles=("window",)),
    Kind("mirror", mirror, resembles=("window",)),
    Kind("clock", clock),
    Kind("tv", tv, resembles=("table", "shelf")),
)

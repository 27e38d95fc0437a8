"""Toys. Playthings with different numbers are different toys."""

from __future__ import annotations

from math import pi

from envs.household.home.model import Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, RUBBER, darker, paint
from envs.household.home.things.parts import ball as sphere
from envs.household.home.things.parts import felt, movable, rod, shown, slab, span
from envs.household.home.things.turns import about
from envs.render.forms import ellipsoid, prism, ring
from envs.render.scene import Clouds, Colour, Label, Material, Sphere, Stripes, Vector

RED: Colour = (0.86, 0.12, 0.12)
YELLOW: Colour = (0.99, 0.80, 0.10)
GREEN: Colour = (0.14, 0.58, 0.24)
BLUE: Colour = (0.12, 0.34, 0.82)
ORANGE: Colour = (0.96, 0.50, 0.08)
WHITE: Colour = (0.97, 0.97, 0.95)


def plaything(order: Order) -> Thing:
    """A toy by the number in its name: car, teddy bear, stack of rings, blocks, duck, train engine."""
    return _TOYS[(order.number - 1) % len(_TOYS)](order)


def _wheels(places: list[Vector], radius: float, half: float) -> list[Part]:
    hub = paint((0.90, 0.90, 0.90), 0.3)
    return [
        rod(material, wide, (x, -reach, z), (x, reach, z), solid=False)
        for x, _, z in places
        for material, wide, reach in ((RUBBER, radius, half), (hub, radius * 0.5, half + 0.002))
    ]


def _car(order: Order) -> Thing:
    """Seen from the side it has a bonnet, windows and a boot."""
    body, glass = paint(order.pick(RED, BLUE, YELLOW), 0.35), paint((0.70, 0.86, 0.95), 0.5)
    cabin = prism([(-0.085, 0.0), (0.05, 0.0), (0.02, 0.042), (-0.06, 0.042)], 0.088)
    panes = prism([(-0.072, 0.004), (0.036, 0.004), (0.014, 0.034), (-0.056, 0.034)], 0.092)
    screens = prism([(-0.085, 0.006), (0.050, 0.006), (0.027, 0.036), (-0.066, 0.036)], 0.076)
    upright = about("x", pi / 2)
    parts = [
        slab(body, span(0.0, 0.24), span(0.0, 0.106), (0.026, 0.072), bevel=0.012, solid=False),
        shown(body, cabin, (0.0, 0.0, 0.07), upright),
        shown(glass, panes, (0.0, 0.0, 0.07), upright),
        shown(glass, screens, (0.0, 0.0, 0.07), upright),
        slab(body, (-0.024, -0.016), span(0.0, 0.094), (0.07, 0.108), solid=False),
        *_wheels([(-0.07, 0.0, 0.029), (0.07, 0.0, 0.029)], 0.029, 0.06),
        *(shown(paint(WHITE, 0.4), Sphere(0.011), (0.117, side, 0.054)) for side in (-0.036, 0.036)),
    ]
    hard = [
        slab(body, span(0.0, 0.24), span(0.0, 0.12), (0.0, 0.072)),
        slab(body, (-0.085, 0.05), span(0.0, 0.09), (0.072, 0.112)),
    ]
    return movable(order, [*parts, *felt(hard)], 0.3)


def _teddy(order: Order) -> Thing:
    fur = order.pick((0.58, 0.37, 0.19), (0.76, 0.58, 0.36), (0.46, 0.29, 0.17))
    plush, pale = Material(Clouds(fur, darker(fur, 0.25), 0.012, order.grain())), paint((0.92, 0.82, 0.64), 0.0)
    parts: list[Part] = [
        shown(plush, ellipsoid((0.128, 0.114, 0.15)), (0.0, 0.0, 0.075)),
        shown(pale, ellipsoid((0.08, 0.03, 0.096), segments=16), (0.0, -0.047, 0.07)),
        shown(plush, ellipsoid((0.118, 0.106, 0.108)), (0.0, -0.004, 0.19)),
        shown(pale, ellipsoid((0.056, 0.05, 0.046), segments=16), (0.0, -0.053, 0.176)),
        shown(BLACK, ellipsoid((0.024, 0.014, 0.016), segments=12), (0.0, -0.078, 0.186)),
        *(shown(BLACK, Sphere(0.0085), (x, -0.05, 0.208)) for x in (-0.023, 0.023)),
    ]
    for side in (-1, 1):
        parts += [
            shown(plush, ellipsoid((0.052, 0.03, 0.052), segments=16), (side * 0.048, 0.0, 0.236)),
            shown(pale, ellipsoid((0.03, 0.014, 0.03), segments=16), (side * 0.048, -0.012, 0.236)),
            shown(plush, ellipsoid((0.05, 0.05, 0.11)), (side * 0.076, -0.022, 0.1), about("y", -side * 0.75)),
            shown(plush, ellipsoid((0.06, 0.12, 0.06)), (side * 0.05, -0.062, 0.03)),
            shown(pale, ellipsoid((0.044, 0.018, 0.044), segments=16), (side * 0.05, -0.117, 0.03)),
        ]
    hard = [
        slab(plush, span(0.0, 0.15), (-0.115, 0.05), (0.0, 0.055)),
        rod(plush, 0.055, (0.0, 0.0, 0.055), (0.0, 0.0, 0.24)),
    ]
    return movable(order, [*parts, *felt(hard)], 0.3)


def _rings(order: Order) -> Thing:
    base = paint((0.93, 0.88, 0.74), 0.1)
    parts: list[Part] = [rod(base, 0.08, (0.0, 0.0, 0.0), (0.0, 0.0, 0.014))]
    z, thick = 0.014, 0.036
    for level, colour in enumerate((BLUE, GREEN, YELLOW, ORANGE, RED)):
        radius = 0.06 - 0.0075 * level
        parts.append(shown(paint(colour, 0.35), ring(radius, thick), (0.0, 0.0, z + thick / 2)))
        parts += felt([rod(base, radius + thick * 0.3, (0.0, 0.0, z), (0.0, 0.0, z + thick))])
        z = round(z + thick - 0.002, 6)
    parts += [
        rod(base, 0.013, (0.0, 0.0, 0.014), (0.0, 0.0, z)),
        sphere(paint(order.pick(RED, YELLOW, BLUE), 0.35), 0.024, (0.0, 0.0, z + 0.014)),
    ]
    return movable(order, parts, 0.3)


def _blocks(order: Order) -> Thing:
    side = 0.066
    letters = order.pick("ABCD", "EFGH", "KLMN")
    places = ((0.0, 0, RED), (side, 0, BLUE), (side * 0.5, 1, YELLOW), (side * 0.45, 2, GREEN))
    parts = [
        slab(
            Material(Label(letter, (side, side * 0.9), paper=colour, ink=WHITE if colour != YELLOW else BLUE), 0.15),
            span(x, side - 0.002),
            span(0.0, side - 0.002),
            (side * level, side * (level + 1)),
            bevel=0.005,
        )
        for letter, (x, level, colour) in zip(letters, places, strict=True)
    ]
    return movable(order, parts, 0.4)


def _duck(order: Order) -> Thing:
    """A yellow bath duck."""
    yellow, beak = paint(order.pick(YELLOW, (1.0, 0.86, 0.2)), 0.35), paint(ORANGE, 0.3)
    parts = [
        shown(yellow, ellipsoid((0.17, 0.13, 0.1)), (0.0, 0.0, 0.05)),
        shown(yellow, ellipsoid((0.07, 0.08, 0.07)), (0.07, 0.0, 0.085), about("y", 0.6)),
        sphere(yellow, 0.046, (-0.045, 0.0, 0.128)),
        shown(beak, ellipsoid((0.05, 0.05, 0.018)), (-0.095, 0.0, 0.12)),
        *(shown(BLACK, Sphere(0.009), (-0.076, side, 0.146)) for side in (-0.026, 0.026)),
        *(
            shown(yellow, ellipsoid((0.09, 0.026, 0.055)), (0.015, side, 0.062), about("y", 0.2))
            for side in (-0.06, 0.06)
        ),
    ]
    hard = [rod(yellow, 0.055, (0.0, 0.0, 0.0), (0.0, 0.0, 0.09))]
    return movable(order, [*parts, *felt(hard)], 0.2)


def _engine(order: Order) -> Thing:
    """A wooden train engine with a funnel."""
    first, second = order.pick((BLUE, RED), (GREEN, YELLOW), (RED, BLUE))
    tank, cab, dark = paint(first, 0.2), paint(second, 0.2), paint((0.16, 0.16, 0.18), 0.2)
    parts = [
        slab(dark, span(0.0, 0.21), span(0.0, 0.09), (0.03, 0.045), bevel=0.003, solid=False),
        rod(tank, 0.04, (-0.095, 0.0, 0.084), (0.04, 0.0, 0.084), solid=False),
        rod(cab, 0.043, (-0.1, 0.0, 0.084), (-0.088, 0.0, 0.084), solid=False),
        slab(cab, (0.035, 0.1), span(0.0, 0.09), (0.045, 0.15), bevel=0.004, solid=False),
        slab(paint((0.80, 0.90, 0.95), 0.3), (0.05, 0.086), span(0.0, 0.092), (0.1, 0.135), solid=False),
        slab(tank, (0.025, 0.11), span(0.0, 0.106), (0.15, 0.16), bevel=0.004),
        rod(dark, 0.013, (-0.06, 0.0, 0.11), (-0.06, 0.0, 0.155), solid=False),
        rod(cab, 0.02, (-0.06, 0.0, 0.15), (-0.06, 0.0, 0.165), solid=False),
        *_wheels([(x, 0.0, 0.026) for x in (-0.07, 0.0, 0.07)], 0.026, 0.052),
    ]
    hard = [
        slab(dark, span(0.0, 0.21), span(0.0, 0.1), (0.0, 0.12)),
        slab(cab, (0.035, 0.1), span(0.0, 0.09), (0.12, 0.15)),
    ]
    return movable(order, [*parts, *felt(hard)], 0.4)


_TOYS = (_car, _teddy, _rings, _blocks, _duck, _engine)
_NAMES = ("toy car", "teddy bear", "stack of rings", "stack of toy blocks", "toy duck", "toy train engine")


def ball(order: Order) -> Thing:
    """A ball: a striped beach ball, or a basketball with its seams."""
    r = order.between(0.095, 0.11)
    colours = order.pick((RED, WHITE, BLUE, WHITE), None, (YELLOW, GREEN, WHITE, GREEN))
    stand = felt([rod(RUBBER, r * 0.3, (0.0, 0.0, 0.0), (0.0, 0.0, r))])
    if colours is not None:
        skin = Material(Stripes(colours, round(r * 0.36, 4), "x"), 0.35)
        return movable(order, [sphere(skin, r, (0.0, 0.0, r)), *stand], 0.25)
    hide, seam = paint((0.88, 0.42, 0.12), 0.1), paint((0.10, 0.09, 0.09), 0.0)
    seams = [
        shown(seam, ring(r * 0.992, r * 0.026), (0.0, 0.0, r), turn)
        for turn in (about("x", 0.3), about("x", pi / 2 + 0.3), about("y", pi / 2))
    ]
    return movable(order, [sphere(hide, r, (0.0, 0.0, r)), *seams, *stand], 0.5)


KINDS = (Kind("plaything", plaything, movable=True, types=_NAMES), Kind("ball", ball, movable=True))

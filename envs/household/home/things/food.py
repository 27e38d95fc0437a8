"""Food."""

from __future__ import annotations

from math import pi

from envs.household.home.model import Part, Pose, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import paint
from envs.household.home.things.parts import felt, movable, rod, shown, slab, span
from envs.household.home.things.shapes import arc, limb
from envs.household.home.things.turns import about, after
from envs.render.forms import cushion, ellipsoid, lathe, prism, tube
from envs.render.meshes import Flat
from envs.render.scene import Clouds, Colour, Label, Material, Speckle, Sphere

_TWIG = paint((0.30, 0.20, 0.10), 0.0)
_LEAF = paint((0.22, 0.48, 0.14), 0.1)


def _resting(radius: float, height: float) -> tuple[Part, ...]:
    """The collision shape of a round fruit: a ball with a flat underside, so that it does not roll away."""
    return felt(
        [
            rod(_TWIG, radius * 0.55, (0.0, 0.0, 0.0), (0.0, 0.0, height)),
            rod(_TWIG, radius * 0.98, (0.0, 0.0, height * 0.28), (0.0, 0.0, height * 0.72)),
        ]
    )


def apple(order: Order) -> Thing:
    """An apple with a dent, a stem and a leaf."""
    r = order.between(0.047, 0.053)
    light, dark = order.pick(
        ((0.84, 0.16, 0.12), (0.66, 0.03, 0.07)),
        ((0.58, 0.76, 0.18), (0.42, 0.62, 0.10)),
    )
    skin = Material(Clouds(light, dark, 0.05, order.grain()), 0.4)
    outline = (
        (0.0, 0.12), (0.18, 0.05), (0.34, 0.0), (0.52, 0.05), (0.74, 0.28), (0.92, 0.68), (1.0, 1.12),
        (0.96, 1.42), (0.82, 1.66), (0.60, 1.80), (0.38, 1.78), (0.20, 1.66), (0.08, 1.52), (0.0, 1.47),
    )  # fmt: skip
    parts = [
        shown(skin, lathe([(radius * r, z * r) for radius, z in outline])),
        shown(_TWIG, tube([(0.0, 0.0, 1.45 * r), (0.002, 0.0, 1.8 * r), (0.010, 0.0, 2.15 * r)], 0.004, segments=8)),
        shown(
            _LEAF,
            ellipsoid((0.046, 0.022, 0.006), segments=16),
            (0.030, 0.004, 2.03 * r),
            after(about("z", 0.3), about("y", -0.35)),
        ),
        *_resting(r, 1.75 * r),
    ]
    return movable(order, parts, 0.18)


def orange(order: Order) -> Thing:
    """An orange: pores all over its peel, a green button on top."""
    r = order.between(0.046, 0.052)
    peel = Material(Speckle((0.98, 0.53, 0.05), (0.88, 0.40, 0.02), 0.006, 0.7, order.grain()), 0.2)
    parts = [
        shown(peel, ellipsoid((2 * r, 2 * r, 1.92 * r)), (0.0, 0.0, 0.96 * r)),
        shown(_LEAF, ellipsoid((0.016, 0.016, 0.007), segments=10), (0.0, 0.0, 1.91 * r)),
        *_resting(r, 1.92 * r),
    ]
    return movable(order, parts, 0.2)


def banana(order: Order) -> Thing:
    """A bent yellow banana lying on its side, dark at both ends."""
    bend, thick = order.between(0.10, 0.11), 0.02
    path = arc((0.0, -bend), bend, pi / 2 + 0.95, pi / 2 - 0.95, 13)
    swell = (0.30, 0.42, 0.72, 0.9, 1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 0.72, 0.4, 0.25)
    sections = [(thick * share, thick * (1 - share), thick * (1 + share)) for share in swell]
    peel, tip = Material(Clouds((0.98, 0.86, 0.22), (0.90, 0.72, 0.10), 0.06, order.grain()), 0.12), _TWIG
    parts = [
        shown(peel, limb(path, sections)),
        shown(tip, Sphere(thick * 0.34), (*path[0], thick)),
        shown(tip, Sphere(thick * 0.28), (*path[-1], thick)),
        *felt([slab(tip, span(0.0, 0.15), (-0.04, 0.02), (0.0, 2 * thick))]),
    ]
    return movable(order, parts, 0.15)


def sandwich(order: Order) -> Thing:
    """Two slices of white bread with lettuce, tomato and cheese looking out between them, whole or cut cornerwise."""
    side, slice_ = order.between(0.135, 0.15), 0.019
    outline = _half_slice(side) if order.pick(True, False) else _whole_slice(side)
    crumb = Material(Speckle((0.95, 0.87, 0.70), (0.88, 0.76, 0.55), 0.006, 0.5, order.grain()))
    layers: list[tuple[Material, float, float]] = [
        (crumb, slice_, 1.0),
        (paint((0.36, 0.66, 0.16), 0.1), 0.008, 1.07),
        (paint((0.84, 0.17, 0.10), 0.3), 0.009, 0.98),
        (paint((0.99, 0.77, 0.16), 0.15), 0.007, 1.04),
        (crumb, slice_, 1.0),
    ]
    crust = paint((0.66, 0.41, 0.19), 0.05)
    parts: list[Part] = []
    z = 0.0
    for material, thick, wide in layers:
        parts.append(shown(material, prism(_scaled(outline, wide), thick), (0.0, 0.0, z + thick / 2)))
        if material is crumb:
            # The crust runs round the slice and leaves the crumb of its upper side free.
            parts.append(shown(crust, prism(_scaled(outline, 1.02), thick * 0.86), (0.0, 0.0, z + thick * 0.47)))
        z = round(z + thick, 6)
    body = Part(prism(_scaled(outline, 1.0), z), crumb, Pose((0.0, 0.0, z / 2)))
    return movable(order, [*parts, *felt([body])], 0.2)


def _whole_slice(side: float) -> list[Flat]:
    """A slice of a tin loaf: square, with two round shoulders."""
    half, shoulder = side / 2, side * 0.24
    right = arc((half - shoulder * 0.8, half - shoulder), shoulder, -0.4, pi * 0.62, 7)
    left = arc((-half + shoulder * 0.8, half - shoulder), shoulder, pi * 0.38, pi + 0.4, 7)
    return [(-half, -half), (half, -half), *right, *left]


def _half_slice(side: float) -> list[Flat]:
    long = side * 0.62
    return [(-long, -long * 0.5), (long, -long * 0.5), (0.0, long * 0.5)]


def _scaled(outline: list[Flat], by: float) -> list[Flat]:
    return [(round(x * by, 6), round(y * by, 6)) for x, y in outline]


def snack_food(order: Order) -> Thing:
    """A bag of crisps that stands up, puffed, printed in bright colours, crimped above and below."""
    width, height, thick = order.between(0.17, 0.19), order.between(0.23, 0.25), 0.085
    colour, ink = order.pick(*_PRINTS)
    print_ = Material(Label("CHIPS", (width * 0.8, 0.07), paper=colour, ink=ink, side="+z"), 0.35)
    silver = paint((0.82, 0.83, 0.86), 0.5)
    upright = about("x", pi / 2)
    crisp = Material(Clouds((0.98, 0.82, 0.40), (0.90, 0.66, 0.24), 0.02), 0.1)
    low, high = 0.018, height - 0.018
    bag = cushion((width, high - low, thick))
    parts = [
        # Printed on both sides: two bags in one, back to back.
        shown(print_, bag, (0.0, -0.001, height / 2), upright),
        shown(print_, bag, (0.0, 0.001, height / 2), after(about("z", pi), upright)),
        shown(crisp, ellipsoid((0.06, 0.045, 0.012), segments=20), (0.0, -thick * 0.42, height * 0.29), upright),
        slab(silver, span(0.0, width * 0.97), span(0.0, 0.005), (high - 0.008, height), solid=False),
        slab(silver, span(0.0, width * 0.97), span(0.0, 0.005), (0.0, low + 0.008), solid=False),
        *felt([slab(silver, span(0.0, width * 0.9), span(0.0, thick * 0.8), (0.0, height))]),
    ]
    return movable(order, parts, 0.12)


_PRINTS: tuple[tuple[Colour, Colour], ...] = (
    ((0.84, 0.12, 0.12), (1.0, 0.92, 0.30)),
    ((0.10, 0.38, 0.74), (1.0, 1.0, 1.0)),
    ((0.98, 0.72, 0.06), (0.70, 0.08, 0.08)),
    ((0.16, 0.55, 0.24), (1.0, 0.95, 0.40)),
)

KINDS = (
    Kind("apple", apple, movable=True),
    Kind("orange", orange, movable=True),
    Kind("banana", banana, movable=True),
    Kind("sandwich", sandwich, movable=True),
    Kind("snack_food", snack_food, movable=True),
)

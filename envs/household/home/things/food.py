"""Things to eat."""

from __future__ import annotations

from math import pi

from envs.household.home.model import Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import darker, paint
from envs.household.home.things.parts import felt, movable, rod, shown, slab, span
from envs.household.home.things.shapes import ellipsoid, extrusion, lathe
from envs.household.home.things.turns import about
from envs.render.scene import Label, Material, Sphere


def _resting(radius: float, height: float) -> tuple[Part, ...]:
    """What a round fruit bumps with: a ball cut flat below, so that it does not roll away for ever."""
    skin = paint((0.5, 0.5, 0.5))
    return felt(
        [
            rod(skin, radius * 0.55, (0.0, 0.0, 0.0), (0.0, 0.0, height)),
            rod(skin, radius * 0.98, (0.0, 0.0, height * 0.28), (0.0, 0.0, height * 0.72)),
        ]
    )


def apple(order: Order) -> Thing:
    """An apple with a dent, a stem and a leaf."""
    r = order.between(0.042, 0.048)
    skin = paint(order.pick((0.78, 0.08, 0.10), (0.50, 0.70, 0.14)), 0.35)
    tall = 1.75 * r
    profile = [
        (0.001, 0.10),
        (0.30, 0.0),
        (0.62, 0.12),
        (0.88, 0.5),
        (1.0, 1.05),
        (0.88, 1.5),
        (0.55, 1.75),
        (0.25, 1.66),
        (0.001, 1.48),
    ]
    parts = [
        shown(skin, lathe([(radius * r, z * r) for radius, z in profile])),
        rod(paint((0.30, 0.20, 0.10), 0.0), 0.004, (0.0, 0.0, 1.5 * r), (0.006, 0.0, 2.05 * r), solid=False),
        shown(
            paint((0.25, 0.50, 0.15)),
            ellipsoid((0.018, 0.009, 0.003), segments=10),
            (0.02, 0.0, 1.95 * r),
            about("y", -0.4),
        ),
        *_resting(r, tall),
    ]
    return movable(order, parts, 0.18)


def orange(order: Order) -> Thing:
    """An orange with a green button."""
    r = order.between(0.041, 0.046)
    parts = [
        shown(paint((0.98, 0.52, 0.05), 0.15), ellipsoid((r, r, 0.95 * r), segments=28), (0.0, 0.0, 0.95 * r)),
        shown(paint((0.35, 0.45, 0.15), 0.0), Sphere(0.006), (0.0, 0.0, 1.89 * r)),
        *_resting(r, 1.9 * r),
    ]
    return movable(order, parts, 0.2)


def sandwich(order: Order) -> Thing:
    """Two slices of bread with lettuce, tomato and cheese between them, cut square or cornerwise."""
    side, slice_ = order.between(0.125, 0.14), 0.016
    cornerwise = order.pick(True, False)
    crumb, crust = paint((0.94, 0.84, 0.64), 0.0), paint((0.66, 0.42, 0.20), 0.0)
    layers: list[tuple[Material, float, float]] = [
        (crumb, slice_, 0.0),
        (paint((0.30, 0.62, 0.16), 0.0), 0.007, 0.007),
        (paint((0.82, 0.16, 0.10), 0.2), 0.008, 0.001),
        (paint((0.98, 0.76, 0.18), 0.1), 0.006, 0.006),
        (crumb, slice_, 0.0),
    ]
    parts: list[Part] = []
    z = 0.0
    for material, thick, over in layers:
        parts.append(shown(material, extrusion(_cut(side + over, cornerwise), thick), (0.0, 0.0, z + thick / 2)))
        if material is crumb:
            rim = extrusion(_cut(side + 0.004, cornerwise), thick * 0.7)
            parts.append(shown(crust, rim, (0.0, 0.0, z + thick / 2)))
        z = round(z + thick, 6)
    half = side / 2
    body = slab(
        crumb, (-half, half * (0.2 if cornerwise else 1.0)), (-half, half * (0.2 if cornerwise else 1.0)), (0.0, z)
    )
    return movable(order, [*parts, *felt([body])], 0.2)


def _cut(side: float, cornerwise: bool) -> list[tuple[float, float]]:
    half = round(side / 2, 6)
    if cornerwise:
        return [(-half, -half), (half, -half), (-half, half)]
    return [(-half, -half), (half, -half), (half, half), (-half, half)]


def snack_food(order: Order) -> Thing:
    """A puffed bag of crisps that stands up, printed in bright colours."""
    width, height, thick = order.between(0.15, 0.17), order.between(0.21, 0.23), 0.065
    colour = order.pick((0.86, 0.16, 0.14), (0.12, 0.42, 0.72), (0.95, 0.72, 0.08), (0.20, 0.60, 0.26))
    foil, silver = paint(colour, 0.35), paint((0.85, 0.86, 0.88), 0.5)
    text = (width * 0.78, 0.05)
    card = Material(Label("CHIPS", text, paper=(0.99, 0.97, 0.88), ink=darker(colour, 0.4)), 0.2)
    parts = [
        shown(foil, ellipsoid((width * 0.5, thick / 2, height * 0.48), segments=20), (0.0, 0.0, height / 2)),
        slab(foil, span(0.0, width * 0.9), span(0.0, thick * 0.6), (0.02, height - 0.02), bevel=0.012),
        slab(silver, span(0.0, width), span(0.0, 0.006), (height - 0.022, height)),
        slab(silver, span(0.0, width), span(0.0, thick * 0.8), (0.0, 0.02)),
        slab(
            card, span(0.0, text[0]), (-thick / 2 - 0.002, -thick / 2 + 0.01), span(height * 0.55, text[1]), solid=False
        ),
    ]
    return movable(order, parts, 0.12)


def banana(order: Order) -> Thing:
    """A bent yellow banana."""
    from envs.household.home.things.shapes import loft

    bend, thick = 0.10, 0.019
    rings = []
    steps = 9
    for step in range(steps):
        share = step / (steps - 1)
        angle = (share - 0.5) * 1.7
        wide = thick * (0.35 if step in (0, steps - 1) else 1.0 - 0.5 * abs(share - 0.5))
        from math import cos, sin

        rings.append(
            [
                (
                    round(sin(angle) * (bend + wide * cos(2 * pi * k / 10)), 6),
                    round(cos(angle) * (bend + wide * cos(2 * pi * k / 10)) - bend, 6),
                    round(wide * sin(2 * pi * k / 10), 6),
                )
                for k in range(10)
            ]
        )
    parts = [
        shown(paint((0.96, 0.82, 0.16), 0.1), loft(rings)),
        *felt([slab(paint((1.0, 1.0, 0.0)), (-0.08, 0.08), (-0.03, 0.015), (-thick, thick))]),
    ]
    return movable(order, parts, 0.15)


KINDS = (
    Kind("apple", apple, movable=True),
    Kind("orange", orange, movable=True),
    Kind("sandwich", sandwich, movable=True),
    Kind("snack_food", snack_food, movable=True),
    Kind("banana", banana, movable=True),
)

"""Seats and beds: sofas, armchairs, chairs, stools, beds."""

from __future__ import annotations

from math import cos, pi, sin

from envs.household.home.model import Part, Surface, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, DARK_STEEL, cloth, darker, furniture_wood, paint
from envs.household.home.things.parts import assembled, felt, rod, shown, slab, span
from envs.household.home.things.tables import legs
from envs.household.home.things.turns import about
from envs.render.forms import cushion
from envs.render.scene import Colour, Material, Sphere, Stripes

CLOTHS: tuple[Colour, ...] = (
    (0.15, 0.30, 0.50),
    (0.48, 0.50, 0.53),
    (0.56, 0.20, 0.19),
    (0.28, 0.43, 0.32),
    (0.74, 0.63, 0.48),
)


def sofa(order: Order) -> Thing:
    """A sofa with three seats."""
    return _upholstered(order, 3, order.between(1.85, 2.1))


def armchair(order: Order) -> Thing:
    """A sofa for one."""
    return _upholstered(order, 1, order.between(0.86, 0.95))


def _upholstered(order: Order, seats: int, width: float) -> Thing:
    colour = order.pick(*CLOTHS)
    frame, seating = cloth(darker(colour, 0.12), order.grain()), cloth(colour, order.grain())
    depth, arm, seat, back = 0.86, 0.19, 0.43, order.between(0.78, 0.86)
    inner, rear = width - 2 * arm, depth / 2
    step = inner / seats
    parts: list[Part] = [
        slab(frame, span(0.0, inner), (-rear + 0.02, rear), (0.06, seat - 0.14), bevel=0.01),
        slab(frame, span(0.0, width - 0.04), (rear - 0.2, rear), (0.06, back), bevel=0.05),
        *(
            slab(frame, span(side * (width - arm) / 2, arm), (-rear, rear - 0.02), (0.06, 0.62), bevel=0.05)
            for side in (-1, 1)
        ),
        *legs(paint((0.16, 0.12, 0.09)), width - 0.1, depth - 0.1, 0.06, 0.05, 0.02),
    ]
    surfaces: list[Surface] = []
    tall = back - seat + 0.06
    plump = cushion((step - 0.01, tall, 0.22))
    for number in range(seats):
        middle = -inner / 2 + step * (number + 0.5)
        behind = (middle, rear - 0.27, seat - 0.01 + tall / 2)
        parts += [
            slab(seating, span(middle, step - 0.008), (-rear, rear - 0.2), (seat - 0.14, seat), bevel=0.03),
            shown(seating, plump, behind, about("x", pi / 2 - 0.17)),
            *felt([slab(seating, span(middle, step - 0.02), (rear - 0.34, rear - 0.2), (seat, back))]),
        ]
        surfaces.append(Surface((middle, -0.2, seat), (step - 0.04, 0.4), 1.0))
    return assembled(order, parts, mass=20.0 + 15.0 * seats, surfaces=surfaces)


def chair(order: Order) -> Thing:
    """A wooden chair with a slatted back; by option an office chair."""
    if "office" in order.options:
        return _office_chair(order)
    grain = furniture_wood(order)
    width, depth, seat, back, post = 0.44, 0.44, 0.45, order.between(0.86, 0.96), 0.036
    x, y = width / 2 - post / 2, depth / 2 - post / 2
    parts = [
        *(slab(grain, span(side, post), span(y, post), (0.0, back), bevel=0.004, along="z") for side in (-x, x)),
        *(
            slab(grain, span(side, post), span(-y, post), (0.0, seat - 0.03), bevel=0.004, along="z")
            for side in (-x, x)
        ),
        *(
            slab(grain, span(0.0, width - 2 * post), span(y, 0.016), (level, level + 0.07), bevel=0.003)
            for level in (seat + 0.12, seat + 0.25, back - 0.09)
        ),
        slab(grain, span(0.0, width), (-depth / 2 - 0.01, depth / 2 - post), (seat - 0.03, seat), bevel=0.006),
        *(slab(grain, span(side, 0.02), span(0.0, depth - post), (0.18, 0.21), along="y") for side in (-x, x)),
    ]
    surface = Surface((0.0, -0.02, seat), (width - 0.06, depth - 0.1), 1.2)
    return assembled(order, parts, mass=5.0, surfaces=[surface])


def _office_chair(order: Order) -> Thing:
    """A padded seat and back on a gas spring with five castors."""
    colour = order.pick((0.14, 0.15, 0.17), (0.20, 0.32, 0.46), (0.40, 0.42, 0.44))
    pad, seat, reach = cloth(colour, order.grain()), 0.46, 0.29
    feet = [(reach * cos(a), reach * sin(a)) for a in (2 * pi * number / 5 + pi / 2 for number in range(5))]
    parts: list[Part] = [
        slab(pad, span(0.0, 0.48), span(0.0, 0.46), (seat - 0.08, seat), bevel=0.03),
        slab(pad, span(0.0, 0.44), (0.22, 0.29), (seat + 0.14, seat + 0.58), bevel=0.03),
        slab(BLACK, span(0.0, 0.08), (0.24, 0.27), (seat - 0.06, seat + 0.3)),
        rod(DARK_STEEL, 0.028, (0.0, 0.0, 0.07), (0.0, 0.0, seat - 0.08)),
        *(rod(BLACK, 0.018, (0.0, 0.0, 0.085), (x, y, 0.065), solid=False) for x, y in feet),
        *(shown(BLACK, Sphere(0.032), (x, y, 0.032)) for x, y in feet),
        *felt([rod(BLACK, reach, (0.0, 0.0, 0.0), (0.0, 0.0, 0.085))]),
    ]
    surface = Surface((0.0, -0.02, seat), (0.4, 0.36), 1.2)
    return assembled(order, parts, mass=12.0, surfaces=[surface])


def stool(order: Order) -> Thing:
    """A round stool on four legs."""
    grain, height, radius = furniture_wood(order), order.between(0.45, 0.65), 0.17
    foot, top, rung = radius * 0.69, radius * 0.43, radius * 0.57
    corners = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ring = [(x * rung, y * rung, height * 0.4) for x, y in corners]
    parts = [
        rod(grain, radius, (0.0, 0.0, height - 0.035), (0.0, 0.0, height)),
        *(
            rod(
                grain, 0.017, (x * foot * 0.72, y * foot * 0.72, 0.008), (x * top * 0.72, y * top * 0.72, height - 0.03)
            )
            for x, y in corners
        ),
        *(rod(grain, 0.01, start, end) for start, end in zip(ring, [*ring[1:], ring[0]], strict=True)),
    ]
    return assembled(order, parts, mass=4.0, surfaces=[Surface((0.0, 0.0, height), (0.22, 0.22), 1.2)])


def bed(order: Order) -> Thing:
    """A bed with its head at the back: mattress, two pillows, a striped blanket turned down."""
    width, length, top = order.between(1.3, 1.5), 2.0, 0.52
    grain, colour = furniture_wood(order), order.pick(*CLOTHS)
    sheet = cloth((0.95, 0.95, 0.93), order.grain())
    bands = (colour, colour, colour, darker(colour, 0.3))
    blanket = Material(Stripes(bands, 0.09, "y"))
    head, fold = length / 2, length / 2 - 0.62
    parts: list[Part] = [
        slab(grain, span(0.0, width + 0.06), (head, head + 0.05), (0.0, 1.0), bevel=0.01),
        slab(grain, span(0.0, width + 0.06), (-head - 0.04, -head), (0.0, 0.5), bevel=0.01),
        *(
            slab(grain, span(side * (width / 2 + 0.015), 0.03), (-head, head), (0.16, 0.34), along="y")
            for side in (-1, 1)
        ),
        slab(sheet, span(0.0, width), (-head, head), (0.2, top - 0.03), bevel=0.03),
        slab(blanket, span(0.0, width + 0.09), (-head + 0.005, fold), (0.26, top), bevel=0.03),
        slab(sheet, span(0.0, width + 0.1), (fold - 0.02, fold + 0.16), (0.27, top + 0.012), bevel=0.02),
    ]
    wide = width / 2 - 0.06
    pillow = cushion((wide, 0.44, 0.2))
    for side in (-width / 4, width / 4):
        parts += [
            shown(sheet, pillow, (side, head - 0.24, top + 0.05), about("x", 0.14)),
            *felt([slab(sheet, span(side, wide * 0.8), span(head - 0.24, 0.3), (top - 0.03, top + 0.12))]),
        ]
    surface = Surface((0.0, -0.25, top), (width - 0.1, 1.1), 1.2)
    return assembled(order, parts, mass=60.0, surfaces=[surface])


KINDS = (
    Kind("sofa", sofa),
    Kind("armchair", armchair, resembles=("sofa", "chair")),
    Kind("chair", chair, ("office",)),
    Kind("stool", stool, resembles=("chair", "table")),
    Kind("bed", bed),
)

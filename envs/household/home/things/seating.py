"""Where people sit and lie: sofas, armchairs, chairs, beds."""

from __future__ import annotations

from envs.household.home.model import Part, Surface, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import darker, furniture_wood, paint
from envs.household.home.things.parts import assembled, slab, span
from envs.household.home.things.tables import legs
from envs.household.home.things.turns import about, moved, plus
from envs.render.scene import Colour

CLOTHS: tuple[Colour, ...] = (
    (0.16, 0.30, 0.48),
    (0.45, 0.47, 0.50),
    (0.55, 0.22, 0.20),
    (0.30, 0.42, 0.32),
    (0.72, 0.62, 0.48),
)


def sofa(order: Order) -> Thing:
    """A sofa with three seats."""
    return _upholstered(order, 3, order.between(1.85, 2.1))


def armchair(order: Order) -> Thing:
    """A sofa for one."""
    return _upholstered(order, 1, order.between(0.86, 0.95))


def _upholstered(order: Order, seats: int, width: float) -> Thing:
    colour = order.pick(*CLOTHS)
    cloth, cushion = paint(darker(colour, 0.12), 0.0), paint(colour, 0.0)
    depth, arm, seat, back = 0.86, 0.19, 0.43, order.between(0.78, 0.86)
    inner = width - 2 * arm
    step = inner / seats
    parts: list[Part] = [
        slab(cloth, span(0.0, inner), (-depth / 2 + 0.02, depth / 2), (0.06, seat - 0.14), bevel=0.01),
        slab(cloth, span(0.0, width - 0.04), (depth / 2 - 0.2, depth / 2), (0.06, back), bevel=0.05),
        *(
            slab(cloth, span(side * (width - arm) / 2, arm), (-depth / 2, depth / 2 - 0.02), (0.06, 0.62), bevel=0.05)
            for side in (-1, 1)
        ),
        *legs(paint((0.16, 0.12, 0.09)), width - 0.1, depth - 0.1, 0.06, 0.05, 0.02),
    ]
    for number in range(seats):
        middle = -inner / 2 + step * (number + 0.5)
        parts.append(
            slab(cushion, span(middle, step - 0.008), (-depth / 2, depth / 2 - 0.2), (seat - 0.14, seat), bevel=0.03)
        )
        pillow = slab(cushion, span(0.0, step - 0.02), (-0.08, 0.08), (0.0, back - seat + 0.02), bevel=0.045)
        parts += moved([pillow], (middle, depth / 2 - 0.285, seat - 0.01), about("x", -0.16))
    surface = Surface((0.0, -0.12, seat), (inner - 0.06, 0.40), 1.0)
    return assembled(order, parts, mass=20.0 + 15.0 * seats, surfaces=[surface])


def chair(order: Order) -> Thing:
    """A wooden chair with a slatted back."""
    grain = furniture_wood(order)
    width, depth, seat, back = 0.44, 0.44, 0.45, order.between(0.86, 0.96)
    post = 0.036
    x, y = width / 2 - post / 2, depth / 2 - post / 2
    posts = [slab(grain, span(side, post), span(y, post), (0.0, back), bevel=0.004, along="z") for side in (-x, x)]
    front = [
        slab(grain, span(side, post), span(-y, post), (0.0, seat - 0.03), bevel=0.004, along="z") for side in (-x, x)
    ]
    slats = [
        slab(grain, span(0.0, width - 2 * post), span(y, 0.016), (level, level + 0.07), bevel=0.003)
        for level in (seat + 0.12, seat + 0.25, back - 0.09)
    ]
    board = slab(grain, span(0.0, width), (-depth / 2 - 0.01, depth / 2 - post), (seat - 0.03, seat), bevel=0.006)
    rails = [slab(grain, span(side, 0.02), span(0.0, depth - post), (0.18, 0.21), along="y") for side in (-x, x)]
    surface = Surface((0.0, -0.02, seat), (width - 0.06, depth - 0.1), 1.2)
    return assembled(order, [*posts, *front, *slats, board, *rails], mass=5.0, surfaces=[surface])


def bed(order: Order) -> Thing:
    """A bed with its head at the back: mattress, two pillows, a blanket turned down."""
    width, length, top = order.between(1.3, 1.5), 2.0, 0.52
    grain, blanket = furniture_wood(order), order.pick(*CLOTHS)
    sheet = paint((0.95, 0.95, 0.93), 0.0)
    head = length / 2
    fold = head - 0.62
    pillow_x = width / 4
    parts: list[Part] = [
        slab(grain, span(0.0, width + 0.06), (head, head + 0.05), (0.0, 1.0), bevel=0.01),
        slab(grain, span(0.0, width + 0.06), (-head - 0.04, -head), (0.0, 0.5), bevel=0.01),
        *(
            slab(grain, span(side * (width / 2 + 0.015), 0.03), (-head, head), (0.16, 0.34), along="y")
            for side in (-1, 1)
        ),
        slab(sheet, span(0.0, width), (-head, head), (0.2, top - 0.03), bevel=0.03),
        slab(paint(blanket, 0.0), span(0.0, width + 0.09), (-head + 0.005, fold), (0.26, top), bevel=0.03),
        slab(
            paint((0.88, 0.88, 0.86), 0.0),
            span(0.0, width + 0.1),
            (fold - 0.02, fold + 0.16),
            (0.27, top + 0.012),
            bevel=0.02,
        ),
    ]
    for side in (-pillow_x, pillow_x):
        pillow = slab(sheet, span(0.0, width / 2 - 0.1), (-0.19, 0.19), (0.0, 0.13), bevel=0.06)
        parts += moved([pillow], plus((side, head - 0.23, top - 0.03), (0.0, 0.0, 0.0)), about("x", 0.12))
    surface = Surface((0.0, -0.25, top), (width - 0.1, 1.1), 1.2)
    return assembled(order, parts, mass=60.0, surfaces=[surface])


KINDS = (Kind("sofa", sofa), Kind("armchair", armchair), Kind("chair", chair), Kind("bed", bed))

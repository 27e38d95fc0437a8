"""A cardboard carton that stands on the floor and opens at the top with four flaps."""

from __future__ import annotations

from envs.household.home.model import Cavity, Leaf, Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import CARDBOARD, CARDBOARD_INSIDE, INK, paint
from envs.household.home.things.parts import assembled, slab, span
from envs.render.scene import Vector

WALL = 0.008
TAPE = 0.06
OPEN = 3.9
"""How far a flap turns: over its edge until it hangs down outside, out of the way of hands."""


def carton(order: Order) -> Thing:
    """The short flaps lie under the long ones; tape runs over the seam."""
    width, depth, height = order.between(0.54, 0.62), order.between(0.42, 0.48), order.between(0.36, 0.42)
    x, y = span(0.0, width), span(0.0, depth)
    walls = [
        slab(CARDBOARD_INSIDE, x, y, (0.0, WALL)),
        *(slab(CARDBOARD, side, y, (0.0, height)) for side in ((x[0], x[0] + WALL), (x[1] - WALL, x[1]))),
        *(
            slab(CARDBOARD, (x[0] + WALL, x[1] - WALL), side, (0.0, height))
            for side in ((y[0], y[0] + WALL), (y[1] - WALL, y[1]))
        ),
    ]
    printed = slab(INK, (-0.09, 0.09), (y[0] - 0.001, y[0]), (height * 0.35, height * 0.35 + 0.05), solid=False)
    tape = slab(
        paint((0.82, 0.72, 0.50), 0.4), (x[0] - 0.001, x[0]), span(0.0, TAPE), (height - 0.1, height), solid=False
    )
    room = (width - 2 * WALL - 0.004, depth - 2 * WALL - 0.004, height - WALL - 0.004)
    return assembled(
        order,
        [*walls, printed, tape],
        mass=1.2,
        leaves=_flaps(width, depth, height),
        cavities=[Cavity((0.0, 0.0, WALL + 0.002 + room[2] / 2), room)],
    )


def _flaps(width: float, depth: float, height: float) -> list[Leaf]:
    low, high = height, height + WALL
    x, y = span(0.0, width), span(0.0, depth)
    short = depth / 2 - 0.004
    return [
        _flap(
            "left flap", (0.0, -1.0, 0.0), (x[0], 0.0, low), (slab(CARDBOARD, (x[0], x[0] + short), y, (low, high)),)
        ),
        _flap(
            "right flap", (0.0, 1.0, 0.0), (x[1], 0.0, low), (slab(CARDBOARD, (x[1] - short, x[1]), y, (low, high)),)
        ),
        _flap("front flap", (1.0, 0.0, 0.0), (0.0, y[0], high), _long_flap(x, (y[0], -0.001), high)),
        _flap("back flap", (-1.0, 0.0, 0.0), (0.0, y[1], high), _long_flap(x, (0.001, y[1]), high)),
    ]


def _long_flap(x: tuple[float, float], y: tuple[float, float], low: float) -> tuple[Part, ...]:
    top = low + WALL
    seam = (y[1] - TAPE / 2, y[1]) if y[0] < -0.01 else (y[0], y[0] + TAPE / 2)
    tape = slab(paint((0.82, 0.72, 0.50), 0.4), x, seam, (top, top + 0.001), solid=False)
    return slab(CARDBOARD, x, y, (low, top)), tape


def _flap(name: str, axis: Vector, anchor: Vector, parts: tuple[Part, ...]) -> Leaf:
    return Leaf(name, "hinge", axis, anchor, OPEN, parts)


KINDS = (Kind("carton", carton),)

"""A cardboard carton that stands on the floor and opens at the top with four flaps."""

from __future__ import annotations

from envs.household.home.model import Cavity, Leaf, Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import CARDBOARD, CARDBOARD_INSIDE, TAPE
from envs.household.home.things.parts import Span, assembled, ends, on_front, on_top, slab, span
from envs.render.scene import Label, Material, Vector

WALL = 0.008
SEAM = 0.07
"""How wide the tape is."""
OPEN = 3.9
"""The angle that a flap turns: over its edge until it hangs down outside."""


def carton(order: Order) -> Thing:
    """The short flaps lie under the long ones; tape runs over the seam; its sides are printed."""
    width, depth, height = order.between(0.56, 0.64), order.between(0.44, 0.5), order.between(0.31, 0.35)
    x, y = span(0.0, width), span(0.0, depth)
    inner = (x[0] + WALL, x[1] - WALL)
    walls = [
        slab(CARDBOARD_INSIDE, x, y, (0.0, WALL)),
        *(slab(CARDBOARD, side, y, (0.0, height)) for side in ends(x, WALL)),
        *(slab(CARDBOARD, inner, side, (0.0, height)) for side in ends(y, WALL)),
    ]
    text = (width * 0.5, height * 0.3)
    colour = order.pick((0.62, 0.10, 0.08), (0.08, 0.20, 0.46), (0.10, 0.34, 0.16))
    words = order.pick("FRAGILE", "MOVING", "THIS SIDE UP")
    printed = Material(Label(words, text, paper=(0.74, 0.56, 0.36), ink=colour))
    tape = [
        slab(TAPE, (side - 0.001, side + 0.001), span(0.0, SEAM), (height - 0.1, height), solid=False) for side in x
    ]
    room = (width - 2 * WALL - 0.01, depth - 2 * WALL - 0.01, height - WALL - 0.002)
    return assembled(
        order,
        [*walls, on_front(printed, span(0.0, text[0]), span(height * 0.5, text[1]), y[0]), *tape],
        mass=1.2,
        leaves=_flaps(x, y, height),
        cavities=[Cavity((0.0, 0.0, WALL + 0.001 + room[2] / 2), room)],
    )


def _flaps(x: Span, y: Span, height: float) -> list[Leaf]:
    low, high = (height, height + WALL), (height + WALL, height + 2 * WALL)
    short = y[1] - 0.004

    def side(name: str, axis: Vector, at: float, reach: Span) -> Leaf:
        return Leaf(name, "hinge", axis, (at, 0.0, height), OPEN, (slab(CARDBOARD, reach, y, low),))

    def long(name: str, axis: Vector, at: float, reach: Span, seam: Span) -> Leaf:
        parts: tuple[Part, ...] = (slab(CARDBOARD, x, reach, high), on_top(TAPE, x, seam, high[1]))
        return Leaf(name, "hinge", axis, (0.0, at, high[0]), OPEN, parts)

    return [
        side("left flap", (0.0, -1.0, 0.0), x[0], (x[0], x[0] + short)),
        side("right flap", (0.0, 1.0, 0.0), x[1], (x[1] - short, x[1])),
        long("front flap", (1.0, 0.0, 0.0), y[0], (y[0], -0.001), (-SEAM / 2, -0.001)),
        long("back flap", (-1.0, 0.0, 0.0), y[1], (0.001, y[1]), (0.001, SEAM / 2)),
    ]


KINDS = (Kind("carton", carton, resembles=("box",)),)

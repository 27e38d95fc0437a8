"""What fills the openings of walls: doors and windows. Both open into the room that their front looks into."""

from __future__ import annotations

from envs.household.home.model import Leaf, Part, Thing
from envs.household.home.things.casework import hinged
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BRASS, STEEL, WHITE, furniture_wood, paint
from envs.household.home.things.parts import Span, assembled, rod, slab, span
from envs.render.scene import Material

WALL = 0.12
"""How thick walls are; frames are as deep."""
DOOR_OPENING = (0.96, 2.04)
"""Width and height of the hole in the wall that a door's frame fills."""
WINDOW_OPENING = (1.16, 1.10)

_FRAME = 0.05


def door(order: Order) -> Thing:
    """A panelled door in its frame."""
    width, height = DOOR_OPENING
    casing, leaf = WHITE, order.pick(furniture_wood(order), WHITE, paint((0.42, 0.52, 0.58)))
    x, y = span(0.0, width), span(0.0, WALL)
    frame = [
        slab(casing, (x[0], x[0] + _FRAME), y, (0.0, height)),
        slab(casing, (x[1] - _FRAME, x[1]), y, (0.0, height)),
        slab(casing, (x[0] + _FRAME, x[1] - _FRAME), y, (height - _FRAME, height)),
    ]
    opening, tall = (x[0] + _FRAME + 0.003, x[1] - _FRAME - 0.003), (0.008, height - _FRAME - 0.003)
    thick, front = 0.04, y[0]
    parts: list[Part] = [slab(leaf, opening, (front, front + thick), tall, along="z")]
    for z in ((0.2, 0.92), (1.08, 1.86)):
        for face in ((front - 0.006, front), (front + thick, front + thick + 0.006)):
            parts += [
                slab(leaf, half, face, z, bevel=0.005, along="z", solid=False) for half in _columns(opening, 0.11)
            ]
    parts += _handles(opening[1] - 0.06, front, thick)
    return assembled(order, frame, mass=30.0, leaves=[hinged("leaf", opening, True, parts, 1.6, y=front)], in_wall=True)


def _columns(x: Span, margin: float) -> list[Span]:
    middle = sum(x) / 2
    return [(x[0] + margin, middle - margin / 3), (middle + margin / 3, x[1] - margin)]


def _handles(x: float, front: float, thick: float) -> list[Part]:
    parts: list[Part] = []
    for face, out in ((front, -1.0), (front + thick, 1.0)):
        lever = face + out * 0.05
        parts += [
            slab(BRASS, span(x, 0.045), tuple(sorted((face, face + out * 0.006))), (0.93, 1.13), solid=False),  # type: ignore[arg-type]
            rod(BRASS, 0.009, (x, face, 1.06), (x, lever, 1.06), solid=False),
            rod(BRASS, 0.009, (x + 0.005, lever, 1.06), (x - 0.12, lever, 1.06), solid=False),
        ]
    return parts


def window(order: Order) -> Thing:
    """A window of two casements that swing into the room; sky and a hedge are behind it."""
    width, height = WINDOW_OPENING
    frame = order.pick(WHITE, furniture_wood(order))
    x, y = span(0.0, width), span(0.0, WALL)
    parts = [
        *(slab(frame, side, y, (0.0, height)) for side in ((x[0], x[0] + _FRAME), (x[1] - _FRAME, x[1]))),
        *(
            slab(frame, (x[0] + _FRAME, x[1] - _FRAME), y, level)
            for level in ((0.0, _FRAME), (height - _FRAME, height))
        ),
        slab(
            paint((0.66, 0.84, 0.98), 0.0),
            (x[0] + _FRAME, x[1] - _FRAME),
            (y[1] - 0.01, y[1]),
            (_FRAME, height - _FRAME),
        ),
        slab(
            paint((0.32, 0.52, 0.24), 0.0),
            (x[0] + _FRAME, x[1] - _FRAME),
            (y[1] - 0.012, y[1] - 0.01),
            (_FRAME, height * 0.34),
            solid=False,
        ),
    ]
    inner, tall = (x[0] + _FRAME, x[1] - _FRAME), (_FRAME + 0.003, height - _FRAME - 0.003)
    leaves = [
        _casement("left casement", (inner[0] + 0.003, -0.002), tall, True, frame, y[0]),
        _casement("right casement", (0.002, inner[1] - 0.003), tall, False, frame, y[0]),
    ]
    return assembled(order, parts, mass=25.0, leaves=leaves, in_wall=True)


def _casement(name: str, x: Span, z: Span, hinge_left: bool, frame: Material, front: float) -> Leaf:
    rail, y = 0.05, (front, front + 0.04)
    glass = paint((0.80, 0.90, 0.94), 0.6)
    middle = sum(z) / 2
    grip = x[1] - rail / 2 if hinge_left else x[0] + rail / 2
    parts = [
        *(slab(frame, side, y, z, along="z") for side in ((x[0], x[0] + rail), (x[1] - rail, x[1]))),
        *(slab(frame, (x[0] + rail, x[1] - rail), y, level) for level in ((z[0], z[0] + rail), (z[1] - rail, z[1]))),
        slab(frame, (x[0] + rail, x[1] - rail), (front + 0.008, front + 0.032), span(middle, 0.025)),
        slab(glass, (x[0] + rail, x[1] - rail), (front + 0.017, front + 0.023), (z[0] + rail, z[1] - rail)),
        slab(STEEL, span(grip, 0.018), (front - 0.025, front), span(middle, 0.1), bevel=0.004, solid=False),
    ]
    return hinged(name, x, hinge_left, parts, 1.65, y=front)


KINDS = (Kind("door", door), Kind("window", window))

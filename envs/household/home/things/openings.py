"""Doors and windows for openings in walls. Both open into the room that their front faces."""

from __future__ import annotations

from envs.household.home.model import Leaf, Part, Thing
from envs.household.home.things.casework import hinged
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BRASS, DARK_STEEL, WHITE, furniture_wood, paint
from envs.household.home.things.parts import Span, assembled, ends, rod, seen_only, slab, span
from envs.render.scene import Clouds, Gradient, Material

WALL = 0.12
"""How thick walls are; frames are as deep."""
DOOR_OPENING = (0.96, 2.04)
"""Width and height of the hole in the wall that a door's frame fills."""
WINDOW_OPENING = (1.16, 1.10)

_FRAME = 0.05
_GAP = 0.003
_LIP = 0.008
"""The overlap of a casement with its frame."""


def _frame(material: Material, width: float, z: Span) -> list[Part]:
    """The posts on both sides of an opening and the lintel above it."""
    x, y = span(0.0, width), span(0.0, WALL)
    posts = ends(x, _FRAME)
    return [
        *(slab(material, post, y, z, along="z") for post in posts),
        slab(material, (posts[0][1], posts[1][0]), y, (z[1] - _FRAME, z[1])),
    ]


def door(order: Order) -> Thing:
    """A door of six panels in a white frame, with handles on both sides."""
    width, height = DOOR_OPENING
    wood = order.pick(
        furniture_wood(order), paint((0.34, 0.46, 0.56)), paint((0.86, 0.84, 0.78)), paint((0.50, 0.24, 0.20))
    )
    thick, front = 0.04, -WALL / 2
    x, z = span(0.0, width - 2 * _FRAME - 2 * _GAP), (0.008, height - _FRAME - _GAP)
    parts: list[Part] = [slab(wood, x, (front + 0.006, front + thick - 0.006), z, along="z")]
    for face in ((front, front + 0.007), (front + thick - 0.007, front + thick)):
        parts += seen_only(_rails(wood, x, z, face))
    parts += _handles(x[1] - 0.06, front, thick)
    leaf = hinged("leaf", x, True, parts, 1.6, y=front)
    return assembled(order, _frame(WHITE, width, (0.0, height)), mass=30.0, leaves=[leaf], in_wall=True)


def _rails(material: Material, x: Span, z: Span, y: Span) -> list[Part]:
    """The frame of six panels: three posts and four rails."""
    rail = 0.11
    left, right = ends(x, rail)
    posts = (left, span(sum(x) / 2, rail * 0.8), right)
    levels = ((z[0], z[0] + 0.2), (0.80, 0.95), (1.52, 1.62), (z[1] - 0.12, z[1]))
    gaps = list(zip([post[1] for post in posts], [post[0] for post in posts[1:]], strict=False))
    return [
        *(slab(material, post, y, z, along="z") for post in posts),
        *(slab(material, gap, y, level) for gap in gaps for level in levels),
    ]


def _handles(x: float, front: float, thick: float) -> list[Part]:
    parts: list[Part] = []
    for face, out in ((front, -1.0), (front + thick, 1.0)):
        lever, plate = face + out * 0.05, (face - 0.004, face + 0.004)
        parts += [
            slab(BRASS, span(x, 0.05), plate, (0.90, 1.14), solid=False),
            rod(BRASS, 0.010, (x, face, 1.06), (x, lever, 1.06), solid=False),
            rod(BRASS, 0.011, (x + 0.005, lever, 1.06), (x - 0.13, lever, 1.06), solid=False),
        ]
    return parts


def window(order: Order) -> Thing:
    """A window of two casements that swing into the room; a bright sky and a hedge are behind it."""
    width, height = WINDOW_OPENING
    frame = order.pick(WHITE, furniture_wood(order), paint((0.30, 0.40, 0.46)))
    front, back, inner = -WALL / 2, WALL / 2, span(0.0, width - 2 * _FRAME)
    sky = Material(Gradient((0.86, 0.94, 1.0), (0.36, 0.64, 0.94), -0.3, 0.45), glow=0.7)
    hedge = Material(Clouds((0.30, 0.56, 0.20), (0.14, 0.36, 0.10), 0.09, order.grain()), glow=0.35)
    parts = [
        *_frame(frame, width, (0.0, height)),
        slab(frame, inner, (front, back), (0.0, _FRAME)),
        slab(sky, inner, (back - 0.012, back - 0.002), (_FRAME, height - _FRAME)),
        slab(hedge, inner, (back - 0.016, back - 0.012), (_FRAME, height * 0.36), solid=False),
    ]
    z = (_FRAME - _LIP, height - _FRAME + _LIP)
    leaves = [
        _casement("left casement", (inner[0] - _LIP, 0.0), z, True, frame, front - 0.012),
        _casement("right casement", (0.0, inner[1] + _LIP), z, False, frame, front - 0.012),
    ]
    return assembled(order, parts, mass=25.0, leaves=leaves, in_wall=True)


def _casement(name: str, x: Span, z: Span, hinge_left: bool, frame: Material, front: float) -> Leaf:
    """Two panes of pale glass in a frame, and a handle where the casements meet."""
    rail, y, middle = 0.055, (front, front + 0.04), sum(z) / 2
    glass = Material(Gradient((0.80, 0.88, 0.86), (0.80, 0.91, 0.97), -0.2, 0.3), 0.5, glow=0.3)
    inner, grip = (x[0] + rail, x[1] - rail), (x[1] - rail / 2 if hinge_left else x[0] + rail / 2)
    parts = [
        *(slab(frame, side, y, z, along="z") for side in ends(x, rail)),
        *(slab(frame, inner, y, level) for level in ends(z, rail)),
        slab(frame, inner, (front + 0.008, front + 0.032), span(middle, 0.028), solid=False),
        slab(glass, inner, (front + 0.016, front + 0.024), (z[0] + rail, z[1] - rail)),
        slab(DARK_STEEL, span(grip, 0.02), (front - 0.03, front), span(middle, 0.12), bevel=0.004, solid=False),
    ]
    return hinged(name, x, hinge_left, parts, 1.65, y=front)


KINDS = (Kind("door", door), Kind("window", window))

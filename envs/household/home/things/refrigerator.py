"""The refrigerator: a door with a handle; shelves of glass, a crisper and bins behind it."""

from __future__ import annotations

from envs.household.home.model import Cavity, Part, Thing
from envs.household.home.things.casework import hinged
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, DARK_STEEL, paint
from envs.household.home.things.parts import Span, assembled, ends, on_front, rod, seen_only, slab, span
from envs.render.scene import Label, Material, Plain

WALL = 0.045
FOOT = 0.10
CRISPER = 0.2
"""Height of the vegetable drawers at the bottom, which stay shut."""
SHELF = 0.012
DOOR = 0.06
BINS = 0.085
"""How far the bins on the door reach inside."""
_INSIDE = Material(Plain((0.96, 0.98, 1.0)), 0.15, glow=0.12)
_GLASS = paint((0.66, 0.84, 0.90), 0.5)


def electric_refrigerator(order: Order) -> Thing:
    """White or steel, taller than a robot."""
    width, depth, height = order.between(0.72, 0.80), 0.64, order.between(1.66, 1.78)
    skin = order.pick(paint((0.92, 0.93, 0.95), 0.35), paint((0.66, 0.69, 0.72), 0.5))
    x, inner = span(0.0, width), span(0.0, width - 2 * WALL)
    floor, ceiling = FOOT + WALL, height - WALL
    lowest = floor + CRISPER
    shelves = [round(lowest + (ceiling - lowest) * share, 3) for share in (0.0, 0.34, 0.67)]
    parts = [
        slab(DARK_STEEL, (x[0] + 0.02, x[1] - 0.02), (0.02, depth), (0.0, FOOT)),
        *(slab(skin, side, (0.0, depth), (FOOT, height)) for side in ends(x, WALL)),
        slab(skin, inner, (0.0, depth), (ceiling, height)),
        slab(_INSIDE, inner, (0.0, depth), (FOOT, floor)),
        slab(_INSIDE, inner, (depth - WALL, depth), (floor, ceiling)),
        # The walls are white inside whatever they are outside.
        *seen_only(slab(_INSIDE, side, (0.004, depth - WALL), (floor, ceiling)) for side in ends(inner, 0.004)),
        *(slab(_GLASS, inner, (BINS + 0.01, depth - WALL), (z, z + SHELF)) for z in shelves),
        *(slab(_GLASS, side, (BINS + 0.01, depth - WALL), (floor, shelves[0] - 0.008)) for side in _halves(inner)),
    ]
    deep = (BINS + 0.02, depth - WALL - 0.01)
    size = (inner[1] - inner[0] - 0.02, deep[1] - deep[0])
    cavities = [
        Cavity((0.0, sum(deep) / 2, (low + SHELF + high) / 2), (*size, high - low - SHELF - 0.004))
        for low, high in zip(shelves, [*shelves[1:], ceiling], strict=True)
    ]
    door = hinged("door", x, True, _door(x, (FOOT, height), skin), 1.9, y=-DOOR)
    return assembled(order, parts, mass=70.0, leaves=[door], cavities=cavities)


def _halves(x: Span) -> list[Span]:
    return [(x[0] + 0.01, -0.006), (0.006, x[1] - 0.01)]


def _door(x: Span, z: Span, skin: Material) -> list[Part]:
    grip, out = x[1] - 0.06, -DOOR - 0.05
    low, high = z[0] + 0.62, z[0] + 1.25
    bins = [
        part
        for level in (z[0] + 0.42, z[0] + 0.84, z[0] + 1.26)
        for part in (
            slab(_INSIDE, (x[0] + 0.07, x[1] - 0.07), (-0.003, BINS), (level, level + 0.02)),
            slab(_GLASS, (x[0] + 0.07, x[1] - 0.07), (BINS - 0.012, BINS), (level, level + 0.1)),
        )
    ]
    badge = Material(Label("COOL", (0.1, 0.03), paper=(0.75, 0.77, 0.80)), 0.3)
    return [
        slab(skin, x, (-DOOR, -0.016), z, bevel=0.008),
        slab(_INSIDE, (x[0] + 0.03, x[1] - 0.03), (-0.016, -0.003), (z[0] + 0.03, z[1] - 0.03)),
        slab(BLACK, (x[0] + 0.01, x[1] - 0.01), (-0.016, -0.006), (z[0] + 0.01, z[1] - 0.01), solid=False),
        *seen_only(bins),
        on_front(badge, span(0.0, 0.1), span(z[1] - 0.12, 0.03), -DOOR),
        rod(DARK_STEEL, 0.013, (grip, out, low), (grip, out, high)),
        *(rod(DARK_STEEL, 0.010, (grip, out, at), (grip, -DOOR, at)) for at in (low + 0.04, high - 0.04)),
    ]


KINDS = (Kind("electric_refrigerator", electric_refrigerator),)

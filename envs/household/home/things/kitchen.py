"""Kitchen furniture: refrigerator, counter, sink, stove."""

from __future__ import annotations

from envs.household.home.model import Cavity, Part, Surface, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, DARK_STEEL, STEEL, WHITE, paint
from envs.household.home.things.parts import Span, assembled, ball, rod, seen_only, slab, span
from envs.household.home.things.storage import hinged
from envs.render.scene import Material

COUNTER = 0.9
"""Height of everything that cooks and washes."""
TOP = 0.035


def electric_refrigerator(order: Order) -> Thing:
    """A tall refrigerator with one door, wire shelves and a crisper behind it, bins on the inside of the door."""
    width, depth, height = order.between(0.70, 0.78), 0.62, order.between(1.66, 1.78)
    skin = order.pick(paint((0.93, 0.94, 0.95), 0.35), STEEL)
    inside = paint((0.97, 0.98, 0.99), 0.15)
    wall, foot, crisper = 0.045, 0.10, 0.22
    x, inner = span(0.0, width), span(0.0, width - 2 * wall)
    floor, ceiling = foot + wall, height - wall
    shelves = [round(floor + crisper + (ceiling - floor - crisper) * share, 3) for share in (0.0, 0.34, 0.67)]
    glass = paint((0.78, 0.88, 0.90), 0.5)
    parts = [
        slab(DARK_STEEL, (x[0] + 0.02, x[1] - 0.02), (0.02, depth), (0.0, foot)),
        *(slab(skin, side, (0.0, depth), (foot, height)) for side in ((x[0], inner[0]), (inner[1], x[1]))),
        slab(skin, inner, (0.0, depth), (ceiling, height)),
        slab(inside, inner, (0.0, depth), (foot, floor)),
        slab(inside, inner, (depth - wall, depth), (floor, ceiling)),
        *(slab(glass, inner, (0.03, depth - wall), (z, z + 0.012)) for z in shelves),
        *(slab(glass, side, (0.06, 0.075), (floor + 0.01, shelves[0] - 0.01)) for side in _halves(inner)),
    ]
    floors = [z + 0.012 for z in shelves]
    front, deep = 0.10, depth - wall - 0.11
    cavities = [
        Cavity((0.0, front + deep / 2, (low + high) / 2), (width - 2 * wall - 0.01, deep, high - low - 0.004))
        for low, high in zip(floors, [*shelves[1:], ceiling], strict=True)
    ]
    door = hinged("door", x, False, _refrigerator_door(x, (foot, height), skin, inside), 1.9, y=-0.06)
    return assembled(order, parts, mass=70.0, leaves=[door], cavities=cavities)


def _halves(x: Span) -> list[Span]:
    return [(x[0] + 0.01, -0.005), (0.005, x[1] - 0.01)]


def _refrigerator_door(x: Span, z: Span, skin: Material, inside: Material) -> list[Part]:
    thick, grip = 0.06, x[0] + 0.06
    low, high = z[0] + 0.75, z[0] + 1.3
    bins = [
        slab(inside, (x[0] + 0.07, x[1] - 0.07), (0.0, 0.075), (level, level + 0.08))
        for level in (z[0] + 0.45, z[0] + 0.85, z[0] + 1.25)
    ]
    return [
        slab(skin, x, (-thick, -0.014), z, bevel=0.008),
        slab(inside, (x[0] + 0.03, x[1] - 0.03), (-0.014, -0.002), (z[0] + 0.03, z[1] - 0.03)),
        *seen_only(bins),
        rod(DARK_STEEL, 0.011, (grip, -thick - 0.045, low), (grip, -thick - 0.045, high)),
        *(rod(DARK_STEEL, 0.009, (grip, -thick - 0.045, at), (grip, -thick, at)) for at in (low + 0.03, high - 0.03)),
    ]


def _base(width: float, depth: float, front: Material, boards: int) -> list[Part]:
    """A closed block under a worktop, its front of upright boards: nothing about it opens."""
    x, step = span(0.0, width), width / boards
    planks = [
        slab(
            front,
            (x[0] + step * number + 0.002, x[0] + step * (number + 1) - 0.002),
            (-0.008, 0.0),
            (0.1, COUNTER - TOP),
        )
        for number in range(boards)
    ]
    return [
        slab(BLACK, (x[0] + 0.01, x[1] - 0.01), (0.04, depth), (0.0, 0.1)),
        slab(front, x, (0.0, depth), (0.1, COUNTER - TOP)),
        *seen_only(planks),
    ]


def _front(order: Order) -> Material:
    return paint(order.pick((0.90, 0.90, 0.87), (0.45, 0.55, 0.62), (0.60, 0.66, 0.56)))


def _stone(order: Order) -> Material:
    return paint(order.pick((0.32, 0.33, 0.35), (0.80, 0.78, 0.74), (0.55, 0.52, 0.50)), 0.35)


def counter(order: Order) -> Thing:
    """A worktop on a closed base."""
    width, depth = order.between(1.0, 1.4), 0.60
    top = slab(_stone(order), span(0.0, width + 0.02), (-0.03, depth), (COUNTER - TOP, COUNTER), bevel=0.004)
    surface = Surface((0.0, depth / 2, COUNTER), (width - 0.06, depth - 0.08), 0.9)
    return assembled(order, [*_base(width, depth, _front(order), 4), top], mass=80.0, surfaces=[surface])


def sink(order: Order) -> Thing:
    """A steel sink in a counter: a basin with a tap on the right, a drainboard on the left."""
    width, depth = order.between(1.24, 1.36), 0.62
    stone, x = _stone(order), span(0.0, width + 0.02)
    basin_x, basin_y, deep, wall = (0.10, x[1] - 0.09), (0.05, 0.47), 0.15, 0.012
    level = (COUNTER - TOP, COUNTER)
    floor = COUNTER - deep
    base = _base(width, depth, _front(order), 5)
    low = slab(base[1].material, span(0.0, width), (0.0, depth), (0.1, floor - wall))
    skirt = slab(base[1].material, span(0.0, width), (0.0, 0.03), (floor - wall, COUNTER - TOP))
    around = [
        slab(stone, (x[0], basin_x[0]), (-0.03, depth), level),
        slab(stone, (basin_x[1], x[1]), (-0.03, depth), level),
        slab(stone, basin_x, (-0.03, basin_y[0]), level),
        slab(stone, basin_x, (basin_y[1], depth), level),
    ]
    bowl = [
        slab(STEEL, basin_x, basin_y, (floor - wall, floor)),
        *(slab(STEEL, side, basin_y, (floor, COUNTER + 0.002)) for side in _edges(basin_x, wall)),
        *(
            slab(STEEL, (basin_x[0] + wall, basin_x[1] - wall), side, (floor, COUNTER + 0.002))
            for side in _edges(basin_y, wall)
        ),
    ]
    drainboard = (x[0] + 0.06, basin_x[0] - 0.03)
    tray = slab(STEEL, drainboard, (0.04, 0.52), (COUNTER, COUNTER + 0.004))
    grooves = [
        slab(DARK_STEEL, (at - 0.002, at + 0.002), (0.08, 0.48), (COUNTER + 0.004, COUNTER + 0.0045), solid=False)
        for at in (drainboard[0] + 0.06 * number for number in range(1, int((drainboard[1] - drainboard[0]) / 0.06)))
    ]
    surfaces = [
        Surface((sum(drainboard) / 2, 0.28, COUNTER + 0.004), (drainboard[1] - drainboard[0] - 0.02, 0.46), 0.9),
        Surface((sum(basin_x) / 2, sum(basin_y) / 2, floor), (basin_x[1] - basin_x[0] - 0.04, 0.37), 0.9),
    ]
    parts = [base[0], low, skirt, *base[2:], *around, *bowl, tray, *grooves, *_tap(sum(basin_x) / 2, 0.54)]
    return assembled(order, parts, mass=90.0, surfaces=surfaces)


def _edges(span_: Span, wall: float) -> list[Span]:
    return [(span_[0], span_[0] + wall), (span_[1] - wall, span_[1])]


def _tap(x: float, y: float) -> list[Part]:
    top = COUNTER + 0.28
    return [
        rod(STEEL, 0.024, (x, y, COUNTER), (x, y, COUNTER + 0.03)),
        rod(STEEL, 0.013, (x, y, COUNTER), (x, y, top)),
        ball(STEEL, 0.013, (x, y, top)),
        rod(STEEL, 0.012, (x, y, top), (x, y - 0.2, top)),
        ball(STEEL, 0.012, (x, y - 0.2, top)),
        rod(STEEL, 0.012, (x, y - 0.2, top), (x, y - 0.2, top - 0.06)),
        rod(STEEL, 0.008, (x, y, COUNTER + 0.06), (x + 0.08, y, COUNTER + 0.09)),
    ]


def stove(order: Order) -> Thing:
    """A cooker: oven door with a dark window, a row of knobs, four rings on top."""
    width, depth = 0.62, 0.60
    skin = order.pick(WHITE, STEEL, paint((0.16, 0.17, 0.19), 0.4))
    x = span(0.0, width)
    body = [
        slab(skin, x, (0.0, depth), (0.0, COUNTER - 0.02)),
        slab(paint((0.10, 0.10, 0.12), 0.5), x, (-0.02, depth), (COUNTER - 0.02, COUNTER)),
        slab(skin, (x[0] + 0.02, x[1] - 0.02), (-0.025, 0.0), (0.14, 0.70), bevel=0.006),
        slab(BLACK, (x[0] + 0.09, x[1] - 0.09), (-0.028, -0.025), (0.26, 0.56), solid=False),
        rod(DARK_STEEL, 0.01, (x[0] + 0.06, -0.06, 0.65), (x[1] - 0.06, -0.06, 0.65)),
        *(rod(DARK_STEEL, 0.008, (at, -0.06, 0.65), (at, -0.025, 0.65)) for at in (x[0] + 0.08, x[1] - 0.08)),
        *(rod(DARK_STEEL, 0.02, (at, -0.03, 0.79), (at, 0.0, 0.79)) for at in (-0.22, -0.11, 0.0, 0.11, 0.22)),
    ]
    hob = [
        rod(DARK_STEEL, radius, (at_x, at_y, COUNTER), (at_x, at_y, COUNTER + 0.004), solid=False)
        for at_x, at_y, radius in ((-0.15, 0.17, 0.09), (0.15, 0.17, 0.07), (-0.15, 0.43, 0.07), (0.15, 0.43, 0.09))
    ]
    surface = Surface((0.0, depth / 2, COUNTER), (width - 0.08, depth - 0.1), 0.9)
    return assembled(order, [*body, *hob], mass=50.0, surfaces=[surface])


KINDS = (
    Kind("electric_refrigerator", electric_refrigerator),
    Kind("counter", counter),
    Kind("sink", sink),
    Kind("stove", stove),
)

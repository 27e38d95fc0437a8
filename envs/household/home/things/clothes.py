"""Things of cloth, and shoes."""

from __future__ import annotations

from envs.household.home.model import Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import RUBBER, darker, paint
from envs.household.home.things.parts import felt, movable, seen_only, shown, slab, span
from envs.household.home.things.shapes import ellipsoid, loft
from envs.household.home.things.turns import about, moved
from envs.render.scene import Colour, Vector

DYES: tuple[Colour, ...] = ((0.85, 0.22, 0.24), (0.16, 0.44, 0.78), (0.22, 0.60, 0.36), (0.58, 0.30, 0.66))


def piece_of_cloth(order: Order) -> Thing:
    """A checked kitchen towel, folded twice."""
    width, depth = order.between(0.21, 0.24), order.between(0.16, 0.18)
    dye, white = paint(order.pick(*DYES), 0.0), paint((0.95, 0.94, 0.90), 0.0)
    layer = 0.009
    parts: list[Part] = [
        slab(
            white,
            span(0.002 * level, width - 0.004 * level),
            span(0.0, depth - 0.004 * level),
            (layer * level, layer * (level + 1)),
            bevel=0.004,
        )
        for level in range(3)
    ]
    top = (3 * layer, 3 * layer + 0.0008)
    stripes = [slab(dye, span(at, 0.014), span(0.0, depth - 0.01), top) for at in (-0.08, -0.045, 0.0, 0.045, 0.08)]
    across = [
        slab(dye, span(0.0, width - 0.01), span(at, 0.012), (top[0], top[1] + 0.0004)) for at in (-0.055, 0.0, 0.055)
    ]
    return movable(order, [*parts, *seen_only([*stripes, *across])], 0.12)


def _oval(x: float, wide: float, z: tuple[float, float], count: int = 12) -> list[Vector]:
    """A rounded section across the x axis, flat below."""
    from math import cos, pi, sin

    middle, tall = sum(z) / 2, (z[1] - z[0]) / 2
    ring = []
    for step in range(count):
        angle = 2.0 * pi * step / count
        ring.append((x, round(wide * cos(angle), 6), round(max(z[0], middle + tall * 1.04 * sin(angle)), 6)))
    return ring


def sock(order: Order) -> Thing:
    """A striped sock lying flat, its toe to the front."""
    dye = order.pick(*DYES)
    wool, mark = paint(dye, 0.0), paint((0.96, 0.95, 0.92), 0.0)
    long, wide, thick = order.between(0.15, 0.17), 0.042, 0.034
    leg = [[(x, y, z) for y, x, z in _oval(at, w, (0.0, thick))][::-1] for at, w in ((0.0, wide), (long, wide * 0.96))]
    foot = [
        _oval(x, w, (0.0, thick * t))
        for x, w, t in (
            (-0.03, wide * 0.9, 0.9),
            (0.02, wide, 1.0),
            (0.10, wide * 0.95, 1.0),
            (0.135, wide * 0.55, 0.8),
        )
    ]
    parts: list[Part] = [shown(wool, loft(leg)), shown(wool, loft(foot))]
    for at in (0.35, 0.6, 0.85):
        band = [
            [(x, y, z) for y, x, z in _oval(long * at + d, wide + 0.0015, (0.0, thick + 0.001))][::-1]
            for d in (-0.008, 0.008)
        ]
        parts.append(shown(mark, loft(band)))
    parts.append(shown(mark, ellipsoid((0.024, wide * 0.72, thick * 0.46)), (0.122, 0.0, thick * 0.48)))
    hard = [
        slab(wool, span(0.0, 2 * wide), (-0.03, long), (0.0, thick)),
        slab(wool, (-0.03, 0.135), span(0.0, 2 * wide), (0.0, thick)),
    ]
    return movable(order, [*parts, *felt(hard)], 0.05)


def gym_shoe(order: Order) -> Thing:
    """A sports shoe with a white sole, a stripe and laces."""
    long = order.between(0.27, 0.29)
    dye = order.pick(*DYES)
    skin, white = paint(dye, 0.05), paint((0.96, 0.96, 0.95), 0.1)
    half = long / 2
    sole = loft(
        [
            _oval(x * long, w, (0.0, 0.03))
            for x, w in ((-0.5, 0.030), (-0.45, 0.040), (-0.1, 0.040), (0.2, 0.05), (0.42, 0.044), (0.5, 0.022))
        ]
    )
    upper = loft(
        [
            _oval(x * long, w, (0.02, z))
            for x, w, z in (
                (-0.49, 0.026, 0.10),
                (-0.42, 0.036, 0.115),
                (-0.2, 0.037, 0.105),
                (-0.05, 0.04, 0.10),
                (0.2, 0.045, 0.075),
                (0.4, 0.04, 0.055),
                (0.485, 0.02, 0.04),
            )
        ]
    )
    hole = shown(RUBBER, ellipsoid((0.055, 0.024, 0.012)), (-0.3 * long, 0.0, 0.107))
    laces: list[Part] = []
    for number, x in enumerate((-0.08, -0.01, 0.06, 0.13)):
        lace = slab(white, span(0.0, 0.012), span(0.0, 0.056), (-0.004, 0.006), bevel=0.003)
        laces += moved([lace], (x * long, 0.0, 0.1 - 0.007 * number), about("y", 0.3))
    stripes = [
        part
        for side in (-1, 1)
        for x in (-0.1, -0.03)
        for part in moved(
            [slab(white, span(0.0, 0.014), span(0.0, 0.004), (0.0, 0.06))],
            (x * long, side * 0.0395, 0.028),
            about("y", 0.35),
        )
    ]
    toe = shown(paint(darker(dye, 0.35), 0.05), ellipsoid((0.05, 0.042, 0.026)), (0.4 * long, 0.0, 0.04))
    hard = [
        slab(white, (-half, half), span(0.0, 0.084), (0.0, 0.055)),
        slab(white, (-half, 0.02), span(0.0, 0.07), (0.055, 0.1)),
    ]
    parts = [shown(white, sole), shown(skin, upper), hole, toe, *seen_only([*laces, *stripes])]
    return movable(order, [*parts, *felt(hard)], 0.35)


def pillow(order: Order) -> Thing:
    """A square cushion."""
    side = order.between(0.36, 0.42)
    cloth = paint(order.pick((0.86, 0.62, 0.24), (0.34, 0.52, 0.56), (0.70, 0.36, 0.34), (0.88, 0.86, 0.80)), 0.0)
    parts = [slab(cloth, span(0.0, side), span(0.0, side), (0.0, 0.13), bevel=0.06)]
    return movable(order, parts, 0.6)


KINDS = (
    Kind("piece_of_cloth", piece_of_cloth, movable=True),
    Kind("sock", sock, movable=True),
    Kind("gym_shoe", gym_shoe, movable=True),
    Kind("pillow", pillow, movable=True),
)

"""Pots, dishes and cutlery."""

from __future__ import annotations

from math import cos, pi, sin

from envs.household.home.model import Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, STEEL, paint, wood_of
from envs.household.home.things.parts import Span, felt, movable, rod, shown, slab, span
from envs.household.home.things.shapes import stretched
from envs.household.home.things.turns import about, moved
from envs.render.forms import ellipsoid, lathe, tube
from envs.render.scene import Brushed, Colour, Material

GLAZES: tuple[Colour, ...] = ((0.16, 0.40, 0.68), (0.92, 0.46, 0.12), (0.18, 0.56, 0.46), (0.78, 0.18, 0.26))
_PALE = paint((0.96, 0.94, 0.89), 0.4)


def _wall(material: Material, radius: float, z: Span, thick: float, count: int = 8) -> list[Part]:
    """The collision shape of a hollow vessel: upright boards in a ring."""
    board = slab(material, (-thick, 0.0), span(0.0, 1.8 * radius * sin(pi / count)), z)
    out = moved([board], (radius * cos(pi / count), 0.0, 0.0))
    return [part for number in range(count) for part in moved(out, turn=about("z", 2.0 * pi * number / count))]


def bowl(order: Order) -> Thing:
    """A hollow bowl, coloured outside and pale inside."""
    r, tall = order.between(0.092, 0.104), order.between(0.072, 0.082)
    glaze, foot = paint(order.pick(*GLAZES), 0.4), r * 0.45
    outside = [
        (0.0, 0.0), (foot, 0.0), (foot, 0.008), (r * 0.68, 0.02), (r * 0.84, tall * 0.5),
        (r * 0.95, tall * 0.78), (r, tall),
    ]  # fmt: skip
    hollow = [
        (r, tall), (r * 0.96, tall), (r * 0.90, tall * 0.76), (r * 0.78, tall * 0.48), (r * 0.58, 0.026),
        (r * 0.3, 0.016), (0.0, 0.014),
    ]  # fmt: skip
    hard = [
        rod(glaze, foot, (0.0, 0.0, 0.0), (0.0, 0.0, 0.014)),
        *_wall(glaze, r * 0.8, (0.014, tall * 0.5), 0.01),
        *_wall(glaze, r * 0.99, (tall * 0.5, tall), 0.008),
    ]
    return movable(order, [shown(glaze, lathe(outside)), shown(_PALE, lathe(hollow)), *felt(hard)], 0.35)


def plate(order: Order) -> Thing:
    """A flat white plate with a coloured rim."""
    r = order.between(0.125, 0.138)
    rim = paint(order.pick(*GLAZES), 0.4)
    dish = lathe([(0.0, 0.0), (r * 0.6, 0.0), (r, 0.02), (r * 0.995, 0.024), (r * 0.84, 0.0185)])
    inner = lathe([(r * 0.84, 0.0186), (r * 0.68, 0.0115), (r * 0.6, 0.0105), (0.0, 0.01)])
    hard = [
        rod(rim, r * 0.62, (0.0, 0.0, 0.0), (0.0, 0.0, 0.012)),
        rod(rim, r, (0.0, 0.0, 0.012), (0.0, 0.0, 0.024)),
    ]
    return movable(order, [shown(rim, dish), shown(_PALE, inner), *felt(hard)], 0.5)


def cup(order: Order) -> Thing:
    """A mug with a handle."""
    r, tall = order.between(0.046, 0.052), order.between(0.10, 0.112)
    glaze = paint(order.pick(*GLAZES[::-1]), 0.4)
    outside = lathe([(0.0, 0.0), (r * 0.92, 0.0), (r, 0.01), (r, tall)])
    hollow = lathe([(r, tall), (r * 0.9, tall), (r * 0.88, 0.016), (r * 0.8, 0.01), (0.0, 0.01)])
    ear = [(r * 0.9 + tall * 0.36 * sin(a), 0.0, tall * (0.52 + 0.30 * cos(a))) for a in (pi * k / 8 for k in range(9))]
    hard = [rod(glaze, r, (0.0, 0.0, 0.0), (0.0, 0.0, tall))]
    parts = [shown(glaze, outside), shown(_PALE, hollow), shown(glaze, tube(ear, 0.007))]
    return movable(order, [*parts, *felt(hard)], 0.3)


def spoon(order: Order) -> Thing:
    """A large spoon, of steel or of wood."""
    steel = paint((0.80, 0.82, 0.85), 0.7)
    shaft = order.pick(steel, wood_of((0.80, 0.58, 0.32), order.grain()))
    shade = paint((0.52, 0.54, 0.58), 0.5) if shaft is steel else paint((0.52, 0.34, 0.17), 0.0)
    long = order.between(0.25, 0.28)
    head, end = long * 0.30, long / 2
    middle, wide = -end + head / 2, (1.0, 0.72, 1.0)
    r, tall = head / 2, 0.022
    outside = lathe([(0.0, 0.0), (r * 0.5, 0.003), (r * 0.85, 0.012), (r, tall)])
    hollow = lathe([(r, tall), (r * 0.93, tall), (r * 0.76, 0.012), (r * 0.45, 0.005), (0.0, 0.003)])
    neck = [(middle + r * 0.94, 0.0, tall - 0.004), (middle + head, 0.0, tall + 0.002)]
    grip = [*neck, (0.0, 0.0, tall), (end, 0.0, 0.009)]
    parts = [
        shown(shaft, stretched(outside, wide), (middle, 0.0, 0.0)),
        shown(shade, stretched(hollow, wide), (middle, 0.0, 0.0)),
        shown(shaft, tube(grip, 0.007)),
        shown(shaft, ellipsoid((0.06, 0.026, 0.014), segments=16), (end - 0.024, 0.0, 0.010)),
        *felt([slab(shaft, (-end, end), span(0.0, 0.04), (0.0, tall))]),
    ]
    return movable(order, parts, 0.06)


def saucepan(order: Order) -> Thing:
    """A saucepan with a long handle: bright steel or enamelled."""
    r, tall = order.between(0.10, 0.112), order.between(0.105, 0.12)
    skin = order.pick(
        Material(Brushed((0.78, 0.80, 0.82)), 0.5), paint((0.76, 0.14, 0.12), 0.4), paint((0.14, 0.32, 0.52), 0.4)
    )
    dark = Material(Brushed((0.46, 0.47, 0.49)), 0.3)
    outside = lathe([(0.0, 0.0), (r * 0.92, 0.0), (r * 0.98, 0.008), (r * 0.98, tall - 0.008), (r * 1.04, tall)])
    hollow = lathe([(r * 1.04, tall), (r * 0.96, tall), (r * 0.94, 0.012), (r * 0.9, 0.008), (0.0, 0.008)])
    high, grip = tall - 0.02, 0.18
    hard = [rod(skin, r * 0.9, (0.0, 0.0, 0.0), (0.0, 0.0, 0.01)), *_wall(skin, r, (0.01, tall), 0.008)]
    handle = [(r + 0.03, 0.0, high + 0.004), (r + 0.07, 0.0, high + 0.014), (r + grip, 0.0, high + 0.024)]
    parts = [
        shown(skin, outside),
        shown(dark, hollow),
        rod(STEEL, 0.009, (r * 0.95, 0.0, high), (r + 0.05, 0.0, high + 0.01)),
        shown(BLACK, tube(handle, 0.013)),
        *felt([*hard, rod(BLACK, 0.013, handle[0], handle[-1])]),
    ]
    return movable(order, parts, 0.9)


KINDS = (
    Kind("bowl", bowl, movable=True),
    Kind("plate", plate, movable=True),
    Kind("cup", cup, movable=True),
    Kind("spoon", spoon, movable=True),
    Kind("saucepan", saucepan, movable=True),
)

"""What food is cooked in and eaten from."""

from __future__ import annotations

from math import cos, pi, sin

from envs.household.home.model import Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, DARK_STEEL, STEEL, paint
from envs.household.home.things.parts import felt, movable, rod, shown, slab, span
from envs.household.home.things.shapes import ellipsoid, lathe, ring
from envs.household.home.things.turns import about, moved
from envs.render.scene import Colour, Material

GLAZES: tuple[Colour, ...] = ((0.20, 0.42, 0.66), (0.90, 0.46, 0.16), (0.24, 0.56, 0.46), (0.78, 0.22, 0.28))


def _wall(material: Material, radius: float, z: tuple[float, float], thick: float, count: int = 8) -> list[Part]:
    """Upright boards in a ring: what a hollow vessel bumps with."""
    width = 2.0 * radius * sin(pi / count) / cos(pi / count) * 0.9
    board = slab(material, (-thick, 0.0), span(0.0, width), z)
    return [
        part
        for number in range(count)
        for part in moved(
            moved([board], (radius * cos(pi / count), 0.0, 0.0)), turn=about("z", 2.0 * pi * number / count)
        )
    ]


def bowl(order: Order) -> Thing:
    """A hollow bowl, coloured outside and pale inside."""
    r, tall = order.between(0.085, 0.098), order.between(0.068, 0.078)
    glaze, inside = paint(order.pick(*GLAZES), 0.4), paint((0.95, 0.93, 0.88), 0.4)
    foot = r * 0.45
    outside = [(0.001, 0.0), (foot, 0.0), (foot, 0.008), (r * 0.72, tall * 0.38), (r * 0.93, tall * 0.75), (r, tall)]
    hollow = [
        (r, tall),
        (r * 0.95, tall),
        (r * 0.86, tall * 0.74),
        (r * 0.62, tall * 0.4),
        (r * 0.35, 0.016),
        (0.001, 0.014),
    ]
    hard = [
        rod(glaze, foot, (0.0, 0.0, 0.0), (0.0, 0.0, 0.014)),
        *_wall(glaze, r * 0.74, (0.014, tall * 0.5), 0.01),
        *_wall(glaze, r * 0.98, (tall * 0.5, tall), 0.008),
    ]
    return movable(order, [shown(glaze, lathe(outside)), shown(inside, lathe(hollow)), *felt(hard)], 0.35)


def plate(order: Order) -> Thing:
    """A flat plate with a coloured rim."""
    r = order.between(0.125, 0.138)
    rim, face = paint(order.pick(*GLAZES), 0.4), paint((0.96, 0.96, 0.94), 0.4)
    dish = lathe([(0.001, 0.0), (r * 0.6, 0.0), (r, 0.02), (r * 0.995, 0.024), (r * 0.9, 0.019)])
    inner = lathe([(r * 0.9, 0.0191), (r * 0.66, 0.010), (0.001, 0.009)])
    hard = [rod(face, r * 0.62, (0.0, 0.0, 0.0), (0.0, 0.0, 0.012)), rod(face, r, (0.0, 0.0, 0.012), (0.0, 0.0, 0.024))]
    return movable(order, [shown(rim, dish), shown(face, inner), *felt(hard)], 0.5)


def cup(order: Order) -> Thing:
    """A mug with a handle."""
    r, tall = order.between(0.043, 0.048), order.between(0.095, 0.105)
    glaze, inside = paint(order.pick(*GLAZES[::-1]), 0.4), paint((0.96, 0.95, 0.92), 0.3)
    outside = lathe([(0.001, 0.0), (r * 0.92, 0.0), (r, 0.01), (r, tall)])
    hollow = lathe([(r, tall), (r * 0.9, tall), (r * 0.86, 0.012), (0.001, 0.01)])
    handle = shown(glaze, ring(tall * 0.28, 0.007), (r + 0.012, 0.0, tall * 0.52), about("x", pi / 2))
    hard = [rod(glaze, r, (0.0, 0.0, 0.0), (0.0, 0.0, tall))]
    return movable(order, [shown(glaze, outside), shown(inside, hollow), handle, *felt(hard)], 0.3)


def spoon(order: Order) -> Thing:
    """A large spoon, of steel or of wood."""
    metal = order.pick(STEEL, paint((0.70, 0.50, 0.28), 0.05))
    long = order.between(0.22, 0.25)
    head = long * 0.3
    parts = [
        shown(metal, ellipsoid((head / 2, head * 0.34, 0.009)), (-long / 2 + head / 2, 0.0, 0.009)),
        shown(DARK_STEEL, ellipsoid((head * 0.40, head * 0.26, 0.004)), (-long / 2 + head / 2, 0.0, 0.0165)),
        slab(metal, (-long / 2 + head * 0.9, long / 2), span(0.0, 0.016), (0.006, 0.013), bevel=0.003),
        *felt([slab(metal, (-long / 2, long / 2), span(0.0, 0.03), (0.0, 0.014))]),
    ]
    return movable(order, parts, 0.06)


def saucepan(order: Order) -> Thing:
    """A steel saucepan with a long handle."""
    r, tall = order.between(0.095, 0.11), order.between(0.10, 0.115)
    skin = order.pick(STEEL, paint((0.74, 0.16, 0.14), 0.35), paint((0.22, 0.24, 0.27), 0.3))
    dark = paint((0.30, 0.31, 0.33), 0.3)
    outside = lathe([(0.001, 0.0), (r * 0.94, 0.0), (r * 0.98, 0.006), (r * 0.98, tall - 0.006), (r * 1.03, tall)])
    hollow = lathe([(r * 1.03, tall), (r * 0.95, tall), (r * 0.94, 0.008), (0.001, 0.007)])
    high, grip = tall - 0.02, 0.19
    hard = [rod(skin, r * 0.9, (0.0, 0.0, 0.0), (0.0, 0.0, 0.01)), *_wall(skin, r, (0.01, tall), 0.008)]
    parts = [
        shown(skin, outside),
        shown(dark, hollow),
        rod(STEEL, 0.008, (r * 0.95, 0.0, high), (r + 0.05, 0.0, high + 0.006)),
        rod(BLACK, 0.013, (r + 0.04, 0.0, high + 0.005), (r + grip, 0.0, high + 0.02)),
        *felt(hard),
    ]
    return movable(order, parts, 0.9)


KINDS = (
    Kind("bowl", bowl, movable=True),
    Kind("plate", plate, movable=True),
    Kind("cup", cup, movable=True),
    Kind("spoon", spoon, movable=True),
    Kind("saucepan", saucepan, movable=True),
)

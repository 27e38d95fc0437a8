"""Things of halls and garages: ladders, tyres, bicycles, tool boards, coat racks, bins."""

from __future__ import annotations

from math import cos, pi, sin

from envs.household.home.model import Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import (
    BLACK,
    BRASS,
    DARK_STEEL,
    RUBBER,
    STEEL,
    cloth,
    darker,
    furniture_wood,
    paint,
)
from envs.household.home.things.parts import assembled, felt, rod, shown, slab, span
from envs.household.home.things.turns import about
from envs.render.forms import ellipsoid, lathe, ring
from envs.render.scene import Material, Tiles, Vector


def trash_can(order: Order) -> Thing:
    """A pedal bin with a domed lid."""
    radius, height = order.between(0.14, 0.16), order.between(0.42, 0.5)
    skin = order.pick(STEEL, paint((0.24, 0.26, 0.28), 0.2), paint((0.70, 0.20, 0.18), 0.25))
    body = [(0.0, 0.0), (radius * 0.94, 0.0), (radius, 0.02), (radius, height), (0.0, height)]
    lid = [(0.0, 0.0), (radius * 1.03, 0.0), (radius * 1.03, 0.02), (radius * 0.7, 0.07), (0.0, 0.085)]
    parts = [
        shown(skin, lathe(body)),
        shown(BLACK, lathe(lid), (0.0, 0.0, height)),
        slab(BLACK, span(0.0, 0.06), (-radius - 0.05, -radius + 0.02), (0.01, 0.03), solid=False),
        *felt([rod(skin, radius, (0.0, 0.0, 0.0), (0.0, 0.0, height + 0.06))]),
    ]
    return assembled(order, parts, mass=3.0)


def ladder(order: Order) -> Thing:
    """A step ladder, standing apart."""
    metal = order.pick(paint((0.82, 0.84, 0.86), 0.5), paint((0.90, 0.66, 0.12), 0.2))
    tall, spread, steps = order.between(1.45, 1.65), 0.38, 6
    parts: list[Part] = [slab(BLACK, span(0.0, 0.36), (-0.1, 0.1), (tall, tall + 0.03), bevel=0.004)]
    for side in (-1, 1):
        parts += [
            rod(metal, 0.018, (side * 0.24, -spread, 0.02), (side * 0.17, -0.05, tall)),
            rod(metal, 0.015, (side * 0.24, spread, 0.02), (side * 0.17, 0.05, tall)),
        ]
    for number in range(1, steps):
        share = number / steps
        half = 0.24 - 0.07 * share
        y, z = -spread + (spread - 0.05) * share, tall * share
        parts.append(slab(metal, span(0.0, 2 * half), span(y, 0.08), span(z, 0.02)))
    return assembled(order, parts, mass=6.0)


def tyres(order: Order) -> Thing:
    """A stack of car tyres."""
    radius, thick, count = order.between(0.22, 0.25), 0.17, order.pick(3, 4)
    tyre = lathe([
        (radius, 0.0), (radius * 1.3, 0.012), (radius * 1.38, 0.05), (radius * 1.38, thick - 0.05),
        (radius * 1.3, thick - 0.012), (radius, thick), (radius * 0.86, thick * 0.8),
        (radius * 0.86, thick * 0.2), (radius, 0.0),
    ])  # fmt: skip
    parts = [shown(RUBBER, tyre, (0.0, 0.0, thick * level)) for level in range(count)]
    parts += felt([rod(RUBBER, radius * 1.36, (0.0, 0.0, 0.0), (0.0, 0.0, thick * count))])
    return assembled(order, parts, mass=10.0 * count)


def bicycle(order: Order) -> Thing:
    """A bicycle on its stand, seen from the side when it is seen from the front."""
    frame = paint(order.pick((0.80, 0.12, 0.12), (0.10, 0.36, 0.66), (0.12, 0.48, 0.34)), 0.4)
    wheel, back, front = 0.32, (-0.5, 0.0, 0.34), (0.52, 0.0, 0.34)
    crank, saddle, head = (-0.08, 0.0, 0.32), (-0.22, 0.0, 0.84), (0.36, 0.0, 0.84)
    upright = about("x", pi / 2)
    parts: list[Part] = []
    tyre, rim = ring(wheel, 0.04), ring(wheel - 0.025, 0.012)
    for hub in (back, front):
        parts += [shown(RUBBER, tyre, hub, upright), shown(STEEL, rim, hub, upright)]
        for number in range(6):
            way = (wheel * cos(pi * number / 6), wheel * sin(pi * number / 6))
            parts.append(rod(STEEL, 0.003, _off(hub, way, -1), _off(hub, way, 1), solid=False))
    pairs = ((back, crank), (back, saddle), (crank, saddle), (crank, head), (saddle, head), (head, front))
    parts += [rod(frame, 0.017, start, end, solid=False) for start, end in pairs]
    bars = [(head[0] + 0.04, side, head[2] + 0.16) for side in (-0.26, 0.26)]
    parts += [
        rod(frame, 0.015, head, (head[0] + 0.04, 0.0, head[2] + 0.16), solid=False),
        rod(BLACK, 0.014, bars[0], bars[1], solid=False),
        rod(STEEL, 0.013, saddle, (saddle[0] - 0.03, 0.0, saddle[2] + 0.1), solid=False),
        shown(BLACK, ellipsoid((0.26, 0.14, 0.06)), (saddle[0] - 0.02, 0.0, saddle[2] + 0.12)),
        rod(DARK_STEEL, 0.09, (crank[0], -0.02, crank[2]), (crank[0], -0.03, crank[2]), solid=False),
        rod(BLACK, 0.01, (-0.2, 0.0, 0.3), (-0.24, 0.16, 0.01), solid=False),
        *felt([slab(BLACK, (-0.84, 0.86), span(0.0, 0.12), (0.0, 0.95))]),
    ]
    return assembled(order, parts, mass=14.0)


def _off(hub: Vector, way: tuple[float, float], sign: int) -> Vector:
    return (hub[0] + sign * way[0], hub[1], hub[2] + sign * way[1])


def tool_board(order: Order) -> Thing:
    """A pegboard with tools, to hang on a wall."""
    width, height = order.between(1.0, 1.2), 0.6
    holes = Material(Tiles((0.78, 0.66, 0.48), (0.05, 0.05), grout=(0.60, 0.48, 0.33), gap=0.008))
    y = -0.035
    haft = paint(order.pick((0.82, 0.16, 0.12), (0.90, 0.62, 0.10), (0.12, 0.40, 0.66)), 0.2)
    hammer = [
        rod(haft, 0.014, (-0.36, y, 0.1), (-0.36, y, 0.4)),
        rod(DARK_STEEL, 0.022, (-0.43, y, 0.41), (-0.29, y, 0.41)),
    ]
    saw = [
        slab(STEEL, (-0.22, 0.08), (y - 0.004, y), (0.22, 0.32)),
        slab(haft, (0.08, 0.18), (y - 0.012, y + 0.008), (0.20, 0.36), bevel=0.008),
    ]
    spanner = [
        rod(STEEL, 0.011, (0.28, y, 0.14), (0.28, y, 0.4)),
        shown(STEEL, ring(0.024, 0.014), (0.28, y, 0.43), about("x", pi / 2)),
        shown(STEEL, ring(0.02, 0.014), (0.28, y, 0.115), about("x", pi / 2)),
    ]
    driver = [rod(haft, 0.018, (0.4, y, 0.34), (0.4, y, 0.45)), rod(STEEL, 0.007, (0.4, y, 0.14), (0.4, y, 0.34))]
    board = slab(holes, span(0.0, width), (-0.02, 0.0), (0.0, height))
    return assembled(order, [board, *hammer, *saw, *spanner, *driver], mass=6.0)


def coat_rack(order: Order) -> Thing:
    """A stand with arms, a coat and a hat on it."""
    grain, tall = furniture_wood(order), order.between(1.65, 1.75)
    colour = order.pick((0.22, 0.30, 0.46), (0.48, 0.20, 0.20), (0.52, 0.45, 0.32))
    wool = cloth(colour, order.grain())
    coat = [(0.0, 0.7), (0.19, 0.7), (0.16, 1.1), (0.12, 1.35), (0.05, 1.5), (0.0, 1.5)]
    hat = [(0.0, 0.0), (0.15, 0.0), (0.15, 0.012), (0.09, 0.014), (0.08, 0.11), (0.0, 0.12)]
    arms = [(cos(a), sin(a)) for a in (pi / 4 + pi / 2 * number for number in range(4))]
    parts: list[Part] = [
        rod(grain, 0.022, (0.0, 0.0, 0.03), (0.0, 0.0, tall)),
        rod(grain, 0.2, (0.0, 0.0, 0.0), (0.0, 0.0, 0.03)),
        *(rod(BRASS, 0.009, (0.0, 0.0, tall - 0.14), (x * 0.15, y * 0.15, tall - 0.06), solid=False) for x, y in arms),
        shown(wool, lathe(coat), (0.04, -0.08, 0.0)),
        shown(wool, ellipsoid((0.1, 0.1, 0.62)), (0.17, -0.12, 1.08), about("y", -0.14)),
        shown(wool, ellipsoid((0.1, 0.1, 0.62)), (-0.1, -0.12, 1.08), about("y", 0.14)),
        shown(paint(darker(colour, 0.4), 0.0), lathe(hat), (0.0, 0.0, tall)),
        *felt([rod(grain, 0.2, (0.0, 0.0, 0.03), (0.0, 0.0, tall))]),
    ]
    return assembled(order, parts, mass=9.0)


KINDS = tuple(Kind(maker.__name__, maker) for maker in (trash_can, ladder, tyres, bicycle, tool_board, coat_rack))

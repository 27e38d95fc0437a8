"""Dining tables, coffee tables, desks and a workbench."""

from __future__ import annotations

from envs.household.home.model import Part, Surface, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import DARK_STEEL, OAK, STEEL, furniture_wood, paint, wood
from envs.household.home.things.parts import assembled, rod, slab, span
from envs.render.scene import Material


def legs(material: Material, width: float, depth: float, height: float, thick: float, inset: float) -> list[Part]:
    """Four square legs under a top."""
    x, y = width / 2 - inset - thick / 2, depth / 2 - inset - thick / 2
    return [
        slab(material, span(at_x, thick), span(at_y, thick), (0.0, height), bevel=0.004, along="z")
        for at_x in (-x, x)
        for at_y in (-y, y)
    ]


def table(order: Order) -> Thing:
    """A dining table; by option a coffee table, a desk, or a round one."""
    if "round" in order.options:
        return _round_table(order)
    if "coffee" in order.options:
        return _four_legged(order, order.between(0.95, 1.1), order.between(0.55, 0.65), order.between(0.42, 0.46))
    if "desk" in order.options:
        return _desk(order)
    return _four_legged(order, order.between(1.25, 1.5), order.between(0.78, 0.88), order.between(0.72, 0.75))


def _four_legged(order: Order, width: float, depth: float, height: float) -> Thing:
    grain, top = furniture_wood(order), 0.034
    apron = [
        *(
            slab(
                grain,
                span(0.0, width - 0.16),
                span(side * (depth / 2 - 0.075), 0.022),
                (height - top - 0.08, height - top),
            )
            for side in (-1, 1)
        ),
        *(
            slab(
                grain,
                span(side * (width / 2 - 0.075), 0.022),
                span(0.0, depth - 0.16),
                (height - top - 0.08, height - top),
                along="y",
            )
            for side in (-1, 1)
        ),
    ]
    board = slab(grain, span(0.0, width), span(0.0, depth), (height - top, height), bevel=0.006)
    surface = Surface((0.0, 0.0, height), (width - 0.06, depth - 0.06), 1.2)
    parts = [board, *legs(grain, width, depth, height - top, 0.06, 0.04), *apron]
    return assembled(order, parts, mass=28.0, surfaces=[surface])


def _round_table(order: Order) -> Thing:
    radius, height = order.between(0.48, 0.56), order.between(0.70, 0.75)
    grain = furniture_wood(order)
    parts = [
        rod(grain, radius, (0.0, 0.0, height - 0.03), (0.0, 0.0, height)),
        rod(grain, 0.05, (0.0, 0.0, 0.04), (0.0, 0.0, height - 0.03)),
        rod(grain, 0.26, (0.0, 0.0, 0.0), (0.0, 0.0, 0.04)),
    ]
    side = round(radius * 1.36, 3)
    return assembled(order, parts, mass=25.0, surfaces=[Surface((0.0, 0.0, height), (side, side), 1.2)])


def _desk(order: Order) -> Thing:
    width, depth, height = order.between(1.2, 1.4), order.between(0.62, 0.7), 0.74
    grain, frame = furniture_wood(order), order.pick(DARK_STEEL, paint((0.93, 0.93, 0.92)))
    x = width / 2 - 0.06
    parts = [
        slab(grain, span(0.0, width), span(0.0, depth), (height - 0.028, height), bevel=0.004),
        slab(grain, span(0.0, width - 0.2), (depth / 2 - 0.08, depth / 2 - 0.06), (height - 0.38, height - 0.028)),
    ]
    for side in (-x, x):
        parts += [
            slab(frame, span(side, 0.045), span(0.0, depth - 0.04), (0.0, 0.035)),
            *(slab(frame, span(side, 0.04), span(y, 0.04), (0.0, height - 0.028)) for y in (-0.22, 0.22)),
        ]
    surface = Surface((0.0, 0.0, height), (width - 0.06, depth - 0.06), 1.2)
    return assembled(order, parts, mass=30.0, surfaces=[surface])


def workbench(order: Order) -> Thing:
    """A heavy bench with a thick top, a lower shelf and a vise at one end."""
    width, depth, height = order.between(1.35, 1.55), 0.62, order.between(0.84, 0.9)
    plank = wood(OAK, order.grain(), board=0.12)
    vise_x = width / 2 - 0.18
    parts = [
        slab(plank, span(0.0, width), span(0.0, depth), (height - 0.06, height), bevel=0.004),
        slab(plank, span(0.0, width - 0.12), span(0.0, depth - 0.12), (0.2, 0.23)),
        *legs(plank, width, depth, height - 0.06, 0.09, 0.03),
        slab(DARK_STEEL, span(vise_x, 0.16), (-depth / 2 - 0.05, -depth / 2), (height - 0.12, height - 0.005)),
        slab(DARK_STEEL, span(vise_x, 0.16), (-depth / 2 - 0.13, -depth / 2 - 0.09), (height - 0.12, height - 0.005)),
        rod(STEEL, 0.015, (vise_x, -depth / 2 - 0.16, height - 0.07), (vise_x, -depth / 2, height - 0.07)),
        rod(
            STEEL,
            0.007,
            (vise_x - 0.09, -depth / 2 - 0.16, height - 0.07),
            (vise_x + 0.09, -depth / 2 - 0.16, height - 0.07),
        ),
    ]
    surfaces = [
        Surface((0.0, 0.0, height), (width - 0.08, depth - 0.08), 1.2),
        Surface((0.0, 0.0, 0.23), (width - 0.3, depth - 0.16), height - 0.29),
    ]
    return assembled(order, parts, mass=60.0, surfaces=surfaces)


KINDS = (Kind("table", table, ("coffee", "desk", "round")), Kind("workbench", workbench, resembles=("table",)))

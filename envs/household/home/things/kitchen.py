"""Kitchen fixtures: counter, sink, stove, washing machine."""

from __future__ import annotations

from envs.household.home.model import Part, Surface, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, DARK_STEEL, STEEL, WHITE, darker, paint, stone
from envs.household.home.things.parts import Span, assembled, ends, on_front, on_top, rod, shown, slab, span
from envs.household.home.things.turns import about
from envs.render.forms import ring, tube
from envs.render.scene import Label, Material, Stripes

COUNTER = 0.9
"""The height of kitchen fixtures."""
TOP = 0.035
DEPTH = 0.62


def _boards(order: Order) -> Material:
    """A front of upright boards with grooves, which does not look as if it opens."""
    colour = order.pick((0.90, 0.90, 0.86), (0.42, 0.53, 0.62), (0.58, 0.65, 0.53))
    return Material(Stripes((*(colour,) * 19, darker(colour, 0.55)), 0.009), 0.08)


def _plinth(width: float) -> Part:
    return slab(BLACK, span(0.0, width - 0.02), (0.04, DEPTH), (0.0, 0.1))


def _worktop(order: Order) -> Material:
    return stone(order.pick((0.36, 0.37, 0.39), (0.82, 0.80, 0.76), (0.58, 0.54, 0.51)), order.grain())


def counter(order: Order) -> Thing:
    """A stone worktop on a closed base."""
    width, front = order.between(1.0, 1.4), _boards(order)
    parts = [
        _plinth(width),
        slab(front, span(0.0, width), (0.0, DEPTH), (0.1, COUNTER - TOP)),
        slab(_worktop(order), span(0.0, width + 0.02), (-0.03, DEPTH), (COUNTER - TOP, COUNTER), bevel=0.004),
    ]
    surface = Surface((0.0, DEPTH / 2, COUNTER), (width - 0.06, DEPTH - 0.08), 0.9)
    return assembled(order, parts, mass=80.0, surfaces=[surface])


def sink(order: Order) -> Thing:
    """A steel sink in a counter: a basin with a tap on the right, a ribbed drainboard on the left."""
    width, front, top = order.between(1.24, 1.36), _boards(order), _worktop(order)
    x, deep, wall = span(0.0, width + 0.02), 0.11, 0.012
    basin_x, basin_y, floor = (0.17, x[1] - 0.07), (0.06, 0.48), COUNTER - deep
    level = (COUNTER - TOP, COUNTER)
    base = [
        _plinth(width),
        slab(front, span(0.0, width), (0.0, DEPTH), (0.1, floor - wall)),
        slab(front, span(0.0, width), (0.0, 0.03), (floor - wall, COUNTER - TOP)),
        *(slab(front, side, (0.03, DEPTH), (floor - wall, COUNTER - TOP)) for side in ends(span(0.0, width), 0.03)),
        slab(top, (x[0], basin_x[0]), (-0.03, DEPTH), level),
        slab(top, (basin_x[1], x[1]), (-0.03, DEPTH), level),
        slab(top, basin_x, (-0.03, basin_y[0]), level),
        slab(top, basin_x, (basin_y[1], DEPTH), level),
    ]
    inner_x = (basin_x[0] + wall, basin_x[1] - wall)
    middle = (sum(basin_x) / 2, sum(basin_y) / 2)
    basin = [
        slab(STEEL, basin_x, basin_y, (floor - wall, floor)),
        *(slab(STEEL, side, basin_y, (floor, COUNTER + 0.003)) for side in ends(basin_x, wall)),
        *(slab(STEEL, inner_x, side, (floor, COUNTER + 0.003)) for side in ends(basin_y, wall)),
        rod(BLACK, 0.03, (*middle, floor - 0.002), (*middle, floor + 0.001), solid=False),
    ]
    board = (x[0] + 0.05, basin_x[0] - 0.03)
    drain, drainboard = _drainboard(board)
    return assembled(order, [*base, *basin, *drain, *_tap(middle[0], 0.55)], mass=90.0, surfaces=[drainboard])


def _drainboard(x: Span) -> tuple[list[Part], Surface]:
    """A steel tray with low ribs between which water runs off."""
    top, count = COUNTER + 0.004, 7
    step = (x[1] - x[0] - 0.1) / (count - 1)
    ribs = [on_top(DARK_STEEL, span(x[0] + 0.05 + step * number, 0.006), (0.10, 0.46), top) for number in range(count)]
    tray = slab(STEEL, x, (0.04, 0.52), (COUNTER - 0.002, top))
    return [tray, *ribs], Surface((sum(x) / 2, 0.28, top), (x[1] - x[0] - 0.02, 0.46), 0.9)


def _tap(x: float, y: float) -> list[Part]:
    """A swan's neck over the basin, with a lever."""
    bend = [(0.0, 0.2), (-0.02, 0.25), (-0.07, 0.28), (-0.13, 0.27), (-0.17, 0.23), (-0.18, 0.17)]
    neck = [(x, y + out, COUNTER + up) for out, up in bend]
    return [
        rod(STEEL, 0.026, (x, y, COUNTER), (x, y, COUNTER + 0.035)),
        rod(STEEL, 0.014, (x, y, COUNTER), (x, y, COUNTER + 0.2)),
        shown(STEEL, tube(neck, 0.014)),
        rod(STEEL, 0.008, (x, y, COUNTER + 0.06), (x + 0.09, y, COUNTER + 0.10), solid=False),
    ]


def stove(order: Order) -> Thing:
    """A cooker: oven door with a dark window, a row of knobs, four plates on top."""
    width, skin = 0.62, order.pick(WHITE, STEEL, paint((0.16, 0.17, 0.19), 0.4))
    x, bar = span(0.0, width), 0.64
    clock = Material(Label("12:30", (0.09, 0.04), (0.05, 0.05, 0.06), (0.35, 0.95, 0.55)), glow=0.3)
    body = [
        slab(skin, x, (0.0, DEPTH), (0.0, COUNTER - 0.02)),
        slab(paint((0.10, 0.10, 0.12), 0.5), x, (-0.02, DEPTH), (COUNTER - 0.02, COUNTER)),
        slab(skin, (x[0] + 0.02, x[1] - 0.02), (-0.025, 0.0), (0.14, 0.70), bevel=0.006),
        on_front(BLACK, (x[0] + 0.09, x[1] - 0.09), (0.24, 0.54), -0.025),
        rod(DARK_STEEL, 0.011, (x[0] + 0.06, -0.065, bar), (x[1] - 0.06, -0.065, bar)),
        *(rod(DARK_STEEL, 0.009, (at, -0.065, bar), (at, -0.025, bar)) for at in (x[0] + 0.08, x[1] - 0.08)),
        *(rod(BLACK, 0.022, (at, -0.03, 0.79), (at, 0.0, 0.79)) for at in (-0.22, -0.11, 0.11, 0.22)),
        on_front(clock, span(0.0, 0.1), span(0.79, 0.05), 0.0),
    ]
    rim = paint((0.62, 0.30, 0.22), 0.2)
    plates = [
        rod(material, wide, (at_x, at_y, COUNTER - 0.002), (at_x, at_y, COUNTER + high), solid=False)
        for at_x, at_y, radius in ((-0.15, 0.17, 0.09), (0.15, 0.17, 0.07), (-0.15, 0.45, 0.07), (0.15, 0.45, 0.09))
        for material, wide, high in ((rim, radius, 0.001), (DARK_STEEL, radius * 0.94, 0.002))
    ]
    surface = Surface((0.0, DEPTH / 2, COUNTER), (width - 0.08, DEPTH - 0.1), 0.9)
    return assembled(order, [*body, *plates], mass=50.0, surfaces=[surface])


def washing_machine(order: Order) -> Thing:
    """A front loader with a round glass door, which stays shut."""
    width, height = 0.6, order.between(0.84, 0.88)
    skin = order.pick(WHITE, paint((0.62, 0.64, 0.67), 0.3))
    x, middle = span(0.0, width), 0.42
    sideways = about("x", 1.570796327)
    parts = [
        slab(skin, x, (0.0, 0.56), (0.0, height), bevel=0.008),
        shown(STEEL, ring(0.19, 0.045), (0.0, -0.008, middle), sideways),
        rod(paint((0.16, 0.20, 0.26), 0.6), 0.18, (0.0, -0.012, middle), (0.0, 0.01, middle), solid=False),
        on_front(paint((0.80, 0.82, 0.84)), (x[0] + 0.02, x[1] - 0.02), (height - 0.13, height - 0.03), 0.0),
        rod(STEEL, 0.03, (0.12, -0.03, height - 0.08), (0.12, 0.0, height - 0.08)),
        on_front(BLACK, (-0.22, -0.05), (height - 0.10, height - 0.06), 0.0, 2),
    ]
    surface = Surface((0.0, 0.28, height), (width - 0.06, 0.5), 1.0)
    return assembled(order, parts, mass=65.0, surfaces=[surface])


KINDS = (
    Kind("counter", counter, resembles=("cabinet",)),
    Kind("sink", sink),
    Kind("stove", stove),
    Kind("washing_machine", washing_machine),
)

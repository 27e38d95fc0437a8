"""Common movables: bottles, vases, kettles, laptops, tools."""

from __future__ import annotations

from math import cos, pi, sin

from envs.household.home.model import Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, DARK_STEEL, STEEL, darker, paint
from envs.household.home.things.parts import felt, movable, on_front, on_top, rod, shown, slab, span
from envs.household.home.things.turns import about, after, moved, turned
from envs.render.forms import ellipsoid, lathe, tube
from envs.render.scene import Label, Layers, Material, Sphere, Stripes


def bottle(order: Order) -> Thing:
    """A bottle with a label and a cap."""
    r, tall = order.between(0.036, 0.042), order.between(0.25, 0.29)
    glass = paint(order.pick((0.10, 0.34, 0.16), (0.42, 0.22, 0.08), (0.20, 0.42, 0.62)), 0.6)
    cap = paint((0.85, 0.75, 0.25), 0.3)
    shape = [
        (0.0, 0.0),
        (r, 0.0),
        (r, tall * 0.58),
        (r * 0.9, tall * 0.66),
        (r * 0.45, tall * 0.78),
        (r * 0.36, tall * 0.96),
    ]
    parts = [
        shown(glass, lathe([*shape, (0.0, tall * 0.96)])),
        rod(paint((0.95, 0.92, 0.82), 0.1), r * 1.01, (0.0, 0.0, tall * 0.18), (0.0, 0.0, tall * 0.48), solid=False),
        rod(cap, r * 0.42, (0.0, 0.0, tall * 0.93), (0.0, 0.0, tall), solid=False),
        *felt(
            [
                rod(glass, r, (0.0, 0.0, 0.0), (0.0, 0.0, tall * 0.66)),
                rod(cap, r * 0.4, (0, 0, tall * 0.66), (0, 0, tall)),
            ]
        ),
    ]
    return movable(order, parts, 0.6)


def vase(order: Order) -> Thing:
    """A vase with three flowers."""
    r, tall = order.between(0.05, 0.06), order.between(0.17, 0.2)
    glaze = order.pick((0.22, 0.44, 0.66), (0.90, 0.88, 0.82), (0.66, 0.32, 0.24))
    skin = Material(Stripes((glaze, glaze, glaze, darker(glaze, 0.35)), tall / 7, "z"), 0.4)
    shape = [
        (0.0, 0.0),
        (r * 0.6, 0.0),
        (r, tall * 0.4),
        (r * 0.8, tall * 0.7),
        (r * 0.45, tall * 0.88),
        (r * 0.6, tall),
    ]
    petals = paint(order.pick((0.92, 0.30, 0.40), (0.98, 0.80, 0.20), (0.70, 0.40, 0.78)), 0.05)
    parts = [shown(skin, lathe([*shape, (r * 0.4, tall * 0.88), (0.0, tall * 0.6)]))]
    for number in range(3):
        turn = after(about("z", 2.1 * number + 0.4), about("y", 0.28))
        top = turned(turn, (0.0, 0.0, tall * 0.85))
        end = (top[0], top[1], top[2] + tall * 0.7)
        parts += [
            shown(paint((0.24, 0.46, 0.18), 0.0), tube([(0.0, 0.0, tall * 0.7), end], 0.004, segments=6)),
            shown(petals, ellipsoid((0.06, 0.06, 0.035), segments=16), end, turn),
            shown(paint((0.98, 0.86, 0.35), 0.0), Sphere(0.013), (end[0], end[1], end[2] + 0.012)),
        ]
    return movable(order, [*parts, *felt([rod(skin, r * 0.9, (0.0, 0.0, 0.0), (0.0, 0.0, tall))])], 0.7)


def kettle(order: Order) -> Thing:
    """A round kettle with a spout and a handle over it."""
    r = order.between(0.085, 0.095)
    skin = order.pick(paint((0.78, 0.80, 0.82), 0.6), paint((0.72, 0.14, 0.12), 0.4), paint((0.20, 0.40, 0.40), 0.4))
    tall = r * 1.5
    shape = [
        (0.0, 0.0),
        (r * 0.85, 0.0),
        (r, r * 0.3),
        (r * 0.95, r * 0.8),
        (r * 0.7, r * 1.25),
        (r * 0.42, tall),
        (0.0, tall),
    ]
    handle = [(r * 0.85 * cos(a), 0.0, r * 1.1 + r * 1.1 * sin(a)) for a in (pi * k / 8 for k in range(9))]
    parts = [
        shown(skin, lathe(shape)),
        shown(skin, tube([(-r * 0.8, 0.0, r * 0.55), (-r * 1.25, 0.0, r * 0.9), (-r * 1.5, 0.0, r * 1.3)], r * 0.14)),
        shown(BLACK, tube(handle, 0.008)),
        shown(BLACK, Sphere(0.013), (0.0, 0.0, tall + 0.01)),
        *felt([rod(skin, r * 0.92, (0.0, 0.0, 0.0), (0.0, 0.0, tall))]),
    ]
    return movable(order, parts, 1.0)


def laptop(order: Order) -> Thing:
    """A laptop standing open."""
    shell = order.pick(paint((0.74, 0.75, 0.78), 0.3), paint((0.20, 0.21, 0.24), 0.3))
    width, depth = 0.33, 0.23
    keys = Material(Layers((0.10, 0.10, 0.12), (0.40, 0.40, 0.44), 0.018, "y"))
    glow = Material(Label("Hello", (0.3, 0.1), paper=(0.20, 0.42, 0.70), ink=(0.95, 0.97, 1.0)), 0.3, glow=0.5)
    lid = [
        slab(shell, span(0.0, width), (0.0, 0.008), (0.0, 0.22), bevel=0.003),
        on_front(glow, span(0.0, width - 0.02), (0.012, 0.208), 0.0),
    ]
    parts = [
        slab(shell, span(0.0, width), span(0.0, depth), (0.0, 0.016), bevel=0.003),
        on_top(keys, span(0.0, width - 0.04), (-0.01, 0.1), 0.016),
        on_top(DARK_STEEL, span(0.0, 0.09), (-0.09, -0.03), 0.016),
        *moved(lid, (0.0, depth / 2 - 0.006, 0.012), about("x", -0.3)),
    ]
    return movable(order, parts, 1.4)


def toolbox(order: Order) -> Thing:
    """A tool box with a handle and two latches."""
    colour = order.pick((0.76, 0.12, 0.10), (0.12, 0.30, 0.58), (0.90, 0.56, 0.08))
    body, lid = paint(colour, 0.3), paint(darker(colour, 0.35), 0.3)
    width, depth, high = order.between(0.38, 0.42), 0.2, 0.17
    handle = [(-0.09, 0.0, high), (-0.08, 0.0, high + 0.04), (0.08, 0.0, high + 0.04), (0.09, 0.0, high)]
    parts = [
        slab(body, span(0.0, width), span(0.0, depth), (0.0, high * 0.66), bevel=0.006),
        slab(lid, span(0.0, width + 0.008), span(0.0, depth + 0.008), (high * 0.66, high), bevel=0.012),
        *(
            slab(STEEL, span(x, 0.03), (-depth / 2 - 0.01, -depth / 2), (high * 0.5, high * 0.78), bevel=0.002)
            for x in (-0.11, 0.11)
        ),
        shown(BLACK, tube(handle, 0.01)),
    ]
    return movable(order, parts, 2.5)


def bucket(order: Order) -> Thing:
    """A bucket with a wire handle hanging down."""
    r, tall = order.between(0.12, 0.135), order.between(0.22, 0.25)
    colour = order.pick((0.16, 0.44, 0.74), (0.80, 0.20, 0.16), (0.60, 0.62, 0.64))
    skin, inside = paint(colour, 0.25), paint(darker(colour, 0.3), 0.15)
    outside = [(0.0, 0.0), (r * 0.75, 0.0), (r, tall), (r * 1.05, tall - 0.004), (r * 1.05, tall + 0.008)]
    hollow = [(r * 1.05, tall + 0.008), (r * 0.97, tall + 0.006), (r * 0.72, 0.01), (0.0, 0.01)]
    bail = [
        (r * 1.04 * cos(a), -r * 0.9 * sin(a), tall * (0.95 - 0.3 * sin(a))) for a in (pi * k / 10 for k in range(11))
    ]
    parts = [shown(skin, lathe(outside)), shown(inside, lathe(hollow)), shown(STEEL, tube(bail, 0.004, segments=6))]
    return movable(order, [*parts, *felt([rod(skin, r * 0.95, (0.0, 0.0, 0.0), (0.0, 0.0, tall))])], 0.8)


def basket(order: Order) -> Thing:
    """A woven basket."""
    r, tall = order.between(0.15, 0.17), order.between(0.17, 0.2)
    reed = Material(Layers((0.80, 0.62, 0.36), (0.46, 0.31, 0.14), 0.014, "z", order.grain()))
    dark = paint((0.38, 0.26, 0.13), 0.0)
    outside = [(0.0, 0.0), (r * 0.8, 0.0), (r, tall * 0.6), (r, tall)]
    hollow = [(r, tall), (r * 0.93, tall), (r * 0.9, tall * 0.6), (r * 0.74, 0.01), (0.0, 0.01)]
    rim = [(r * 0.97 * cos(a), r * 0.97 * sin(a), tall) for a in (2 * pi * k / 24 for k in range(24))]
    parts = [shown(reed, lathe(outside)), shown(dark, lathe(hollow)), shown(reed, tube(rim, 0.011, closed=True))]
    return movable(order, [*parts, *felt([rod(reed, r * 0.95, (0.0, 0.0, 0.0), (0.0, 0.0, tall))])], 0.7)


KINDS = tuple(
    Kind(maker.__name__, maker, movable=True) for maker in (bottle, vase, kettle, laptop, toolbox, bucket, basket)
)

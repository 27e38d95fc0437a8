"""What lies on tables, shelves and counters and can be carried about."""

from __future__ import annotations

from dataclasses import replace
from math import pi

from envs.embodied.kinds.made import BRIGHT, CALM, Shapes, box, coat, post, small
from envs.household.home.model import Part
from envs.household.home.things.kind import Order
from envs.household.home.things.materials import BLACK, BRASS, DARK_STEEL, PAPER, STEEL
from envs.household.home.things.parts import ball, on_top, rod, shown, slab, span
from envs.household.home.things.turns import about
from envs.render.forms import capsule, cone, ellipsoid, frustum, lathe, ring, tube
from envs.render.scene import Label, Material

_WHITE, _GREEN, _BROWN, _RED = coat("white"), coat("green"), coat("brown"), coat("red")
_YELLOW, _BLUE, _BEIGE = coat("yellow"), coat("blue"), coat("beige")
_SIDE = about("y", pi / 2)
_TIPPED = about("x", pi / 2)


def _keys(_: Order, skin: Material) -> list[Part]:
    blades = [
        shown(STEEL, ring(0.016, 0.006, segments=20), (0.0, 0.0, 0.004)),
        slab(STEEL, (0.012, 0.085), span(0.0, 0.014), (0.0, 0.005)),
        slab(BRASS, (0.01, 0.075), (0.016, 0.03), (0.0, 0.005)),
        slab(BRASS, (0.0, 0.02), (0.012, 0.034), (0.0, 0.006)),
    ]
    return [*blades, slab(skin, (-0.10, -0.02), span(0.0, 0.045), (0.0, 0.012), bevel=0.004)]


def _phone(_: Order, skin: Material) -> list[Part]:
    return [box(skin, 0.078, 0.155, 0.0, 0.011), on_top(BLACK, span(0.0, 0.068), span(0.0, 0.14), 0.011)]


def _glasses(_: Order, skin: Material) -> list[Part]:
    rings = [shown(skin, ring(0.026, 0.007, segments=24), (x, 0.0, 0.028), _TIPPED) for x in (-0.033, 0.033)]
    arms = [slab(skin, span(x, 0.006), (0.0, 0.12), (0.03, 0.037)) for x in (-0.06, 0.06)]
    return [*rings, *arms, slab(skin, span(0.0, 0.014), span(0.0, 0.006), (0.03, 0.036))]


def _card(_: Order, skin: Material) -> list[Part]:
    return [
        box(skin, 0.115, 0.075, 0.0, 0.004),
        on_top(BRASS, (-0.045, -0.02), (-0.01, 0.012), 0.004),
        on_top(BLACK, span(0.0, 0.115), (0.018, 0.03), 0.004),
    ]


def _towel(_: Order, skin: Material) -> list[Part]:
    return [box(skin, 0.26, 0.19, 0.0, 0.028, bevel=0.012), box(skin, 0.25, 0.18, 0.028, 0.055, bevel=0.012)]


def _bread(_: Order, skin: Material) -> list[Part]:
    return [shown(skin, capsule(0.052, 0.24), (0.0, 0.0, 0.05), _SIDE), box(skin, 0.16, 0.06, 0.0, 0.04)]


def _mug(order: Order, skin: Material) -> list[Part]:
    outer = lathe([(0, 0), (0.041, 0), (0.043, 0.095), (0.038, 0.095), (0.036, 0.008), (0, 0.008)])
    handle = tube([(0.04, 0, 0.02), (0.075, 0, 0.03), (0.075, 0, 0.07), (0.04, 0, 0.08)], 0.007)
    return [shown(skin, outer), shown(skin, handle), shown(_BROWN, lathe([(0, 0.07), (0.037, 0.07), (0, 0.072)]))]


def _glass(_: Order, skin: Material) -> list[Part]:
    foot = [(0, 0), (0.036, 0), (0.036, 0.005), (0.006, 0.01), (0.006, 0.09), (0.034, 0.13), (0.03, 0.2), (0, 0.2)]
    return [shown(skin, lathe(foot))]


def _can(order: Order, skin: Material) -> list[Part]:
    return [post(skin, 0.034, 0.006, 0.112), post(STEEL, 0.032, 0.0, 0.118)]


def _jar(_: Order, skin: Material) -> list[Part]:
    return [post(skin, 0.042, 0.0, 0.095), post(BRASS, 0.04, 0.095, 0.12)]


def _milk(_: Order, skin: Material) -> list[Part]:
    text = Material(Label("MILK", (0.085, 0.085), paper=(0.94, 0.94, 0.93)))
    return [
        box(_WHITE, 0.085, 0.085, 0.0, 0.19),
        box(skin, 0.087, 0.087, 0.12, 0.165),
        slab(_WHITE, span(0.0, 0.085), span(0.0, 0.03), (0.19, 0.225)),
        slab(text, span(0.0, 0.086), span(0.0, 0.0868), (0.02, 0.105), solid=False),
    ]


def _cereal(order: Order, skin: Material) -> list[Part]:
    name = order.pick("OATS", "RICE", "TEA", "FLOUR", "SUGAR", "PASTA")
    label = Material(Label(name, (0.15, 0.11), paper=(0.95, 0.94, 0.90)))
    return [
        box(skin, 0.17, 0.06, 0.0, 0.24),
        slab(label, span(0.0, 0.15), (-0.0312, 0.0), (0.07, 0.18), solid=False),
    ]


def _round(radius: float, stalk: Material = _BROWN) -> Shapes:
    def shapes(_: Order, skin: Material) -> list[Part]:
        return [ball(skin, radius, (0.0, 0.0, radius)), post(stalk, 0.004, radius * 1.9, radius * 2.25)]

    return shapes


def _pear(_: Order, skin: Material) -> list[Part]:
    profile = [(0, 0), (0.03, 0.004), (0.043, 0.035), (0.034, 0.07), (0.018, 0.1), (0, 0.112)]
    return [shown(skin, lathe(profile)), post(_BROWN, 0.003, 0.105, 0.13)]


def _carrot(_: Order, skin: Material) -> list[Part]:
    body = shown(skin, cone(0.023, 0.17), (0.0, 0.0, 0.023), _SIDE)
    return [body, shown(_GREEN, ellipsoid((0.07, 0.04, 0.04)), (-0.1, 0.0, 0.025))]


def _cake(_: Order, skin: Material) -> list[Part]:
    berries = [ball(_RED, 0.016, (x, y, 0.125)) for x, y in ((0.06, 0), (-0.06, 0), (0, 0.06), (0, -0.06), (0, 0))]
    return [
        post(_WHITE, 0.14, 0.0, 0.012),
        post(skin, 0.105, 0.012, 0.085),
        post(_WHITE, 0.106, 0.085, 0.112),
        *berries,
    ]


def _doughnut(_: Order, skin: Material) -> list[Part]:
    return [
        shown(_BEIGE, ring(0.042, 0.042), (0.0, 0.0, 0.021)),
        shown(skin, ring(0.042, 0.036), (0.0, 0.0, 0.027)),
    ]


def _cheese(_: Order, skin: Material) -> list[Part]:
    return [
        slab(skin, (-0.08, 0.08), (-0.05, 0.05), (0.0, 0.07), bevel=0.004),
        *(
            shown(coat("orange"), ellipsoid((0.03, 0.004, 0.03)), (x, -0.05, z))
            for x, z in ((-0.04, 0.03), (0.03, 0.045))
        ),
    ]


def _knife(_: Order, skin: Material) -> list[Part]:
    return [
        slab(STEEL, (0.0, 0.15), span(0.0, 0.028), (0.004, 0.008)),
        slab(skin, (-0.11, 0.0), span(0.0, 0.024), (0, 0.016)),
    ]


def _fork(_: Order, skin: Material) -> list[Part]:
    tines = [slab(skin, (0.06, 0.11), span(y, 0.005), (0.004, 0.009)) for y in (-0.014, -0.005, 0.005, 0.014)]
    return [
        slab(skin, (-0.1, 0.04), span(0.0, 0.014), (0.0, 0.008)),
        slab(skin, (0.035, 0.062), span(0.0, 0.034), (0.002, 0.009)),
        *tines,
    ]


def _pan(_: Order, skin: Material) -> list[Part]:
    bowl = lathe([(0, 0), (0.11, 0), (0.13, 0.05), (0.125, 0.05), (0.106, 0.006), (0, 0.006)])
    return [shown(skin, bowl), rod(BLACK, 0.013, (0.12, 0.0, 0.042), (0.3, 0.0, 0.06))]


def _teapot(_: Order, skin: Material) -> list[Part]:
    body = lathe([(0, 0), (0.06, 0), (0.085, 0.05), (0.07, 0.1), (0.04, 0.12), (0, 0.125)])
    return [
        shown(skin, body),
        ball(skin, 0.014, (0.0, 0.0, 0.137)),
        shown(skin, tube([(0.07, 0, 0.05), (0.11, 0, 0.07), (0.135, 0, 0.11)], 0.013)),
        shown(skin, tube([(-0.07, 0, 0.1), (-0.12, 0, 0.095), (-0.12, 0, 0.05), (-0.08, 0, 0.035)], 0.008)),
    ]


def _soap(_: Order, skin: Material) -> list[Part]:
    return [shown(skin, ellipsoid((0.1, 0.065, 0.038)), (0.0, 0.0, 0.024)), box(_WHITE, 0.13, 0.09, 0.0, 0.012)]


def _pump(_: Order, skin: Material) -> list[Part]:
    return [
        post(skin, 0.036, 0.0, 0.14),
        post(_WHITE, 0.01, 0.14, 0.175),
        slab(_WHITE, (-0.045, 0.014), span(0.0, 0.016), (0.17, 0.186)),
    ]


def _toothbrush(_: Order, skin: Material) -> list[Part]:
    return [
        slab(skin, (-0.1, 0.09), span(0.0, 0.014), (0.0, 0.01)),
        slab(_WHITE, (0.055, 0.088), span(0.0, 0.014), (0.01, 0.026)),
    ]


def _hairbrush(_: Order, skin: Material) -> list[Part]:
    return [
        rod(skin, 0.013, (-0.12, 0.0, 0.014), (0.0, 0.0, 0.014)),
        slab(skin, (0.0, 0.11), span(0.0, 0.06), (0.0, 0.022), bevel=0.01),
        slab(BLACK, (0.012, 0.098), span(0.0, 0.045), (0.022, 0.04)),
    ]


def _roll(_: Order, skin: Material) -> list[Part]:
    return [post(skin, 0.056, 0.0, 0.1), post(_BROWN, 0.02, 0.095, 0.1012)]


def _candle(_: Order, skin: Material) -> list[Part]:
    flame = shown(replace(_YELLOW, glow=0.9), ellipsoid((0.018, 0.018, 0.036)), (0.0, 0.0, 0.185))
    return [post(BRASS, 0.05, 0.0, 0.012), post(skin, 0.026, 0.012, 0.16), flame]


def _remote(_: Order, skin: Material) -> list[Part]:
    keys = [
        on_top(coat(c), span(x, 0.012), span(y, 0.012), 0.022)
        for x in (-0.013, 0.013)
        for y, c in ((0.05, "red"), (0.02, "white"), (-0.01, "white"), (-0.04, "grey"))
    ]
    return [box(skin, 0.055, 0.185, 0.0, 0.022), *keys]


def _camera(_: Order, skin: Material) -> list[Part]:
    return [
        box(skin, 0.13, 0.06, 0.0, 0.085),
        box(skin, 0.05, 0.05, 0.085, 0.105),
        rod(BLACK, 0.034, (0, -0.03, 0.042), (0, -0.085, 0.042)),
        rod(STEEL, 0.026, (0, -0.084, 0.042), (0, -0.088, 0.042)),
    ]


def _headphones(_: Order, skin: Material) -> list[Part]:
    band = tube(
        [(-0.09, 0, 0.04), (-0.085, 0, 0.12), (-0.04, 0, 0.17), (0.04, 0, 0.17), (0.085, 0, 0.12), (0.09, 0, 0.04)],
        0.009,
    )
    return [shown(skin, band), *(rod(skin, 0.042, (x, 0, 0.043), (x * 0.7, 0, 0.043)) for x in (-0.105, 0.105))]


def _tablet(_: Order, skin: Material) -> list[Part]:
    screen = replace(_BLUE, glow=0.25)
    return [box(skin, 0.25, 0.18, 0.0, 0.012), on_top(screen, span(0.0, 0.22), span(0.0, 0.15), 0.012)]


def _newspaper(_: Order, skin: Material) -> list[Part]:
    sheet = Material(
        Label("DAILY NEWS\n= = = = = =\n= = = = = =\n= = = = = =", (0.3, 0.22), paper=(0.9, 0.89, 0.85), side="+z")
    )
    return [slab(sheet, span(0.0, 0.3), span(0.0, 0.22), (0.0, 0.018))]


def _magazine(order: Order, skin: Material) -> list[Part]:
    name = order.pick("SPORT", "GARDEN", "TRAVEL", "FASHION", "MUSIC", "SCIENCE")
    label = Material(Label(name, (0.2, 0.07), side="+z"))
    return [box(skin, 0.21, 0.28, 0.0, 0.012), slab(label, span(0.0, 0.2), (0.06, 0.13), (0.011, 0.013), solid=False)]


def _pencil(_: Order, skin: Material) -> list[Part]:
    return [
        rod(skin, 0.009, (-0.1, 0, 0.009), (0.08, 0, 0.009)),
        shown(_BEIGE, cone(0.009, 0.03), (0.095, 0, 0.009), _SIDE),
    ]


def _scissors(_: Order, skin: Material) -> list[Part]:
    return [
        *(shown(skin, ring(0.024, 0.01, segments=20), (-0.07, y, 0.006)) for y in (-0.03, 0.03)),
        *(slab(STEEL, (-0.05, 0.12), span(y, 0.014), (0.002, 0.008)) for y in (-0.009, 0.009)),
    ]


def _stapler(_: Order, skin: Material) -> list[Part]:
    return [
        box(BLACK, 0.15, 0.04, 0.0, 0.012),
        slab(skin, (-0.075, 0.07), span(0.0, 0.036), (0.028, 0.055), bevel=0.008),
        slab(skin, (0.04, 0.07), span(0.0, 0.03), (0.012, 0.03)),
    ]


def _calculator(_: Order, skin: Material) -> list[Part]:
    keys = [
        on_top(_WHITE, span(x, 0.016), span(y, 0.014), 0.02)
        for x in (-0.03, -0.01, 0.01, 0.03)
        for y in (-0.05, -0.025, 0.0)
    ]
    return [box(skin, 0.1, 0.15, 0.0, 0.02), on_top(coat("grey"), span(0.0, 0.08), (0.03, 0.06), 0.02), *keys]


def _notebook(_: Order, skin: Material) -> list[Part]:
    rings = [rod(STEEL, 0.004, (-0.085, y, 0.012), (-0.07, y, 0.022)) for y in (-0.08, -0.04, 0.0, 0.04, 0.08)]
    return [box(PAPER, 0.15, 0.21, 0.002, 0.016), box(skin, 0.155, 0.215, 0.016, 0.02), *rings]


def _envelope(_: Order, skin: Material) -> list[Part]:
    return [box(skin, 0.22, 0.12, 0.0, 0.006), on_top(_RED, (0.07, 0.1), (0.02, 0.05), 0.006)]


def _backpack(_: Order, skin: Material) -> list[Part]:
    return [
        box(skin, 0.3, 0.17, 0.0, 0.4, bevel=0.05),
        box(skin, 0.22, 0.08, 0.04, 0.2, y=-0.11, bevel=0.03),
        shown(BLACK, tube([(-0.05, 0, 0.39), (-0.04, 0, 0.45), (0.04, 0, 0.45), (0.05, 0, 0.39)], 0.01)),
    ]


def _handbag(_: Order, skin: Material) -> list[Part]:
    return [
        box(skin, 0.3, 0.12, 0.0, 0.2, bevel=0.02),
        shown(skin, tube([(-0.09, 0, 0.19), (-0.07, 0, 0.3), (0.07, 0, 0.3), (0.09, 0, 0.19)], 0.011)),
        slab(BRASS, span(0, 0.04), (-0.065, -0.05), (0.12, 0.15)),
    ]


def _umbrella(_: Order, skin: Material) -> list[Part]:
    return [
        shown(skin, frustum(0.03, 0.012, 0.55), (0.0, 0.0, 0.032), _SIDE),
        shown(BLACK, tube([(-0.27, 0, 0.03), (-0.38, 0, 0.03), (-0.41, 0.03, 0.03), (-0.39, 0.06, 0.03)], 0.01)),
    ]


def _hat(_: Order, skin: Material) -> list[Part]:
    return [
        shown(skin, lathe([(0, 0), (0.17, 0), (0.17, 0.012), (0.1, 0.02), (0.095, 0.1), (0, 0.12)])),
        post(BLACK, 0.1, 0.02, 0.045),
    ]


def _dumbbell(_: Order, skin: Material) -> list[Part]:
    return [
        rod(STEEL, 0.016, (-0.08, 0, 0.055), (0.08, 0, 0.055)),
        *(rod(skin, 0.055, (x, 0, 0.055), (x * 2.0, 0, 0.055)) for x in (-0.07, 0.07)),
    ]


def _racket(_: Order, skin: Material) -> list[Part]:
    head = shown(skin, ring(0.12, 0.022, segments=28), (0.2, 0, 0.014))
    return [
        head,
        rod(skin, 0.015, (-0.2, 0, 0.014), (0.09, 0, 0.014)),
        *(slab(_WHITE, (0.09, 0.31), span(y, 0.004), (0.012, 0.016)) for y in (-0.05, -0.02, 0.02, 0.05)),
    ]


def _watering(_: Order, skin: Material) -> list[Part]:
    return [
        post(skin, 0.085, 0.0, 0.19),
        shown(skin, tube([(0.08, 0, 0.05), (0.16, 0, 0.12), (0.24, 0, 0.22)], 0.016)),
        shown(skin, frustum(0.02, 0.045, 0.03), (0.25, 0, 0.235)),
        shown(skin, tube([(-0.08, 0, 0.17), (-0.16, 0, 0.15), (-0.15, 0, 0.06), (-0.08, 0, 0.04)], 0.011)),
    ]


def _hammer(_: Order, skin: Material) -> list[Part]:
    return [
        rod(skin, 0.016, (-0.16, 0, 0.024), (0.12, 0, 0.024)),
        slab(DARK_STEEL, (0.1, 0.145), span(0.0, 0.13), (0.0, 0.045), bevel=0.006),
    ]


def _torch(_: Order, skin: Material) -> list[Part]:
    return [
        rod(skin, 0.022, (-0.1, 0, 0.034), (0.06, 0, 0.034)),
        shown(skin, frustum(0.022, 0.036, 0.05), (0.08, 0, 0.036), _SIDE),
        rod(_YELLOW, 0.03, (0.104, 0, 0.036), (0.107, 0, 0.036)),
    ]


def _sponge(_: Order, skin: Material) -> list[Part]:
    return [box(_WHITE, 0.13, 0.08, 0.0, 0.012), box(skin, 0.13, 0.08, 0.012, 0.05, bevel=0.008)]


def _spray(_: Order, skin: Material) -> list[Part]:
    return [
        post(skin, 0.042, 0.0, 0.17),
        post(_WHITE, 0.016, 0.17, 0.21),
        slab(_WHITE, (-0.07, 0.03), span(0, 0.028), (0.205, 0.235)),
        slab(_RED, (-0.05, -0.035), span(0, 0.014), (0.165, 0.21)),
    ]


def _alarm(_: Order, skin: Material) -> list[Part]:
    hands = [rod(BLACK, 0.004, (0, -0.036, 0.075), (x, -0.036, z)) for x, z in ((0.03, 0.09), (0.0, 0.12))]
    bells = [ball(BRASS, 0.022, (x, 0, 0.15)) for x in (-0.04, 0.04)]
    return [
        rod(skin, 0.068, (0, 0.03, 0.075), (0, -0.03, 0.075)),
        rod(_WHITE, 0.056, (0, -0.03, 0.075), (0, -0.033, 0.075)),
        *hands,
        *bells,
        *(rod(skin, 0.009, (x, 0, 0.03), (x * 1.4, 0, 0.0)) for x in (-0.04, 0.04)),
    ]


def _wallet(_: Order, skin: Material) -> list[Part]:
    return [box(skin, 0.13, 0.1, 0.0, 0.025, bevel=0.006), on_top(PAPER, (-0.05, 0.05), (0.03, 0.045), 0.025)]


def _trophy(_: Order, skin: Material) -> list[Part]:
    cup = lathe(
        [(0, 0.08), (0.012, 0.08), (0.016, 0.12), (0.06, 0.17), (0.066, 0.25), (0.06, 0.25), (0.05, 0.18), (0, 0.15)]
    )
    return [
        box(BLACK, 0.1, 0.1, 0.0, 0.08),
        shown(skin, cup),
        *(shown(skin, ring(0.03, 0.01, segments=16), (x, 0, 0.21), _TIPPED) for x in (-0.08, 0.08)),
    ]


def _gift(order: Order, skin: Material) -> list[Part]:
    band = coat("yellow")
    return [
        box(skin, 0.18, 0.18, 0.0, 0.15),
        slab(band, span(0, 0.03), span(0, 0.182), (0, 0.152)),
        slab(band, span(0, 0.182), span(0, 0.03), (0, 0.1515)),
        *(shown(band, ellipsoid((0.07, 0.03, 0.04)), (x, 0, 0.17)) for x in (-0.03, 0.03)),
    ]


def _scarf(_: Order, skin: Material) -> list[Part]:
    return [
        *(box(_WHITE, 0.02, 0.144, 0.0, 0.052, x=x) for x in (-0.1, 0.1)),
        box(skin, 0.26, 0.14, 0.0, 0.05, bevel=0.02),
    ]


def _robot(_: Order, skin: Material) -> list[Part]:
    eyes = [ball(_YELLOW, 0.013, (x, -0.045, 0.23)) for x in (-0.025, 0.025)]
    return [
        box(skin, 0.12, 0.08, 0.06, 0.18),
        box(skin, 0.1, 0.085, 0.19, 0.27),
        *eyes,
        *(box(STEEL, 0.04, 0.06, 0.0, 0.06, x=x) for x in (-0.035, 0.035)),
        *(box(STEEL, 0.03, 0.04, 0.08, 0.17, x=x) for x in (-0.08, 0.08)),
    ]


def _globe(_: Order, skin: Material) -> list[Part]:
    land = [shown(_GREEN, ellipsoid((0.12, 0.06, 0.14)), (x, y, 0.21)) for x, y in ((0.04, -0.07), (-0.06, 0.05))]
    return [post(_BROWN, 0.08, 0.0, 0.025), post(BRASS, 0.012, 0.025, 0.09), ball(skin, 0.12, (0, 0, 0.21)), *land]


KINDS = (
    small("keys", ("red", "blue", "green", "yellow"), 0.1, _keys),
    small("phone", ("white", "red", "blue", "black"), 0.2, _phone, 0.4),
    small("glasses", ("red", "black", "blue", "brown"), 0.05, _glasses, 0.3),
    small("card", ("blue", "red", "green", "white"), 0.02, _card),
    small("towel", ("blue", "pink", "green", "white", "yellow"), 0.3, _towel, 0.0),
    small("bread", ("brown",), 0.4, _bread, 0.0),
    small("mug", BRIGHT, 0.3, _mug, 0.3),
    small("wine_glass", ("red", "white", "yellow"), 0.2, _glass, 0.6),
    small("can", ("red", "green", "blue", "orange"), 0.35, _can, 0.4),
    small("jar", ("red", "orange", "yellow", "purple"), 0.4, _jar, 0.5),
    small("milk_carton", ("blue", "red", "green"), 1.0, _milk),
    small("packet", ("yellow", "blue", "red", "green"), 0.5, _cereal),
    small("tomato", ("red",), 0.1, _round(0.042, _GREEN), 0.4),
    small("lemon", ("yellow",), 0.1, _round(0.038), 0.2),
    small("plum", ("purple",), 0.1, _round(0.034), 0.2),
    small("pear", ("green", "yellow"), 0.15, _pear),
    small("carrot", ("orange",), 0.1, _carrot),
    small("cake", ("brown", "pink"), 0.8, _cake),
    small("doughnut", ("pink", "brown"), 0.1, _doughnut, 0.3),
    small("cheese", ("yellow",), 0.4, _cheese),
    small("knife", ("black", "red", "brown"), 0.1, _knife, 0.4),
    small("fork", ("grey",), 0.08, _fork, 0.5),
    small("frying_pan", ("black", "grey", "red"), 1.0, _pan, 0.3),
    small("teapot", ("white", "blue", "green", "red"), 0.8, _teapot, 0.4),
    small("soap", ("pink", "green", "yellow"), 0.1, _soap),
    small("soap_dispenser", ("blue", "green", "purple"), 0.4, _pump, 0.3),
    small("toothbrush", ("red", "blue", "green"), 0.03, _toothbrush),
    small("hairbrush", ("purple", "black", "pink"), 0.1, _hairbrush),
    small("toilet_roll", ("white",), 0.15, _roll, 0.0),
    small("candle", ("red", "white", "green"), 0.3, _candle),
    small("remote_control", ("black", "grey"), 0.15, _remote),
    small("camera", ("black", "red"), 0.5, _camera, 0.3),
    small("headphones", ("black", "red", "blue", "white"), 0.3, _headphones),
    small("tablet", ("white", "black", "grey"), 0.5, _tablet, 0.4),
    small("newspaper", ("white",), 0.2, _newspaper, 0.0),
    small("magazine", ("red", "yellow", "blue", "green", "pink"), 0.2, _magazine, 0.2),
    small("pencil", ("yellow", "red", "green"), 0.01, _pencil),
    small("scissors", ("red", "blue", "orange"), 0.1, _scissors),
    small("stapler", ("red", "blue", "grey"), 0.3, _stapler),
    small("calculator", ("black", "blue"), 0.15, _calculator),
    small("notebook", BRIGHT, 0.3, _notebook),
    small("envelope", ("white", "beige", "yellow"), 0.02, _envelope, 0.0),
    small("backpack", CALM, 1.5, _backpack, 0.0),
    small("handbag", ("red", "black", "brown", "pink"), 0.8, _handbag),
    small("umbrella", ("blue", "red", "black", "yellow"), 0.5, _umbrella, 0.0),
    small("hat", ("brown", "red", "blue", "white"), 0.2, _hat, 0.0),
    small("dumbbell", ("black", "blue", "red", "green"), 4.0, _dumbbell),
    small("racket", ("blue", "red", "green"), 0.3, _racket),
    small("watering_can", ("green", "blue", "yellow", "red"), 0.7, _watering),
    small("hammer", ("brown", "red", "yellow"), 0.7, _hammer),
    small("torch", ("red", "black", "yellow"), 0.3, _torch),
    small("sponge", ("yellow", "pink", "blue"), 0.02, _sponge, 0.0),
    small("spray_bottle", ("blue", "green", "pink"), 0.5, _spray),
    small("alarm_clock", ("red", "blue", "green", "yellow"), 0.4, _alarm, 0.3),
    small("wallet", ("brown", "black", "red"), 0.1, _wallet),
    small("trophy", ("yellow", "grey"), 1.0, _trophy, 0.6),
    small("gift", ("red", "blue", "green", "purple"), 0.6, _gift),
    small("scarf", ("red", "blue", "green", "purple"), 0.2, _scarf, 0.0),
    small("toy_robot", ("red", "blue", "green", "grey"), 0.4, _robot),
    small("globe", ("blue",), 0.9, _globe, 0.3),
)
"""Kinds that can be carried."""

"""Furniture of homes beside the household's: bathrooms, children's rooms, things that can be switched on."""

from __future__ import annotations

from dataclasses import replace
from math import pi

from envs.embodied.kinds.made import BRIGHT, CALM, COLOURS, box, coat, post, stands, top
from envs.household.home.model import Part, Surface, Thing
from envs.household.home.things.casework import Carcass, double_doors, hinged
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, BRASS, DARK_STEEL, STEEL, cloth, furniture_wood, stone
from envs.household.home.things.parts import ball, on_front, rod, shown, slab, span
from envs.household.home.things.turns import about
from envs.render.forms import ellipsoid, frustum, lathe, ring, tube
from envs.render.scene import Gradient, Label, Material, Plain, Tiles

_WHITE, _GREY, _RED, _YELLOW = coat("white", 0.3), coat("grey"), coat("red"), coat("yellow")
_GLASS = Material(Gradient((0.78, 0.88, 0.90), (0.84, 0.93, 0.95), -0.5, 0.8), 0.5, 0.15)
_SCREEN = Material(Gradient((0.10, 0.42, 0.16), (0.30, 0.62, 0.98), -0.2, 0.25), 0.2, 0.85)
_DARK = coat("black", 0.4)
_TIPPED = about("x", pi / 2)


def toilet(order: Order) -> Thing:
    """Bowl, seat and cistern."""
    bowl = lathe([(0, 0), (0.12, 0), (0.13, 0.2), (0.2, 0.36), (0.2, 0.4), (0, 0.4)])
    parts = [
        shown(_WHITE, bowl, (0.0, -0.12, 0.0)),
        box(_WHITE, 0.24, 0.34, 0.0, 0.36, y=0.1, bevel=0.03),
        shown(_WHITE, ellipsoid((0.4, 0.46, 0.05)), (0.0, -0.12, 0.42)),
        box(_WHITE, 0.42, 0.18, 0.4, 0.78, y=0.22, bevel=0.03),
        box(STEEL, 0.06, 0.04, 0.775, 0.79, y=0.22),
    ]
    return stands(order, parts)


def bathtub(order: Order) -> Thing:
    """A tub along a wall, with taps."""
    wide, deep, high, wall = 1.6, 0.74, 0.56, 0.07
    water = Material(Plain((0.62, 0.80, 0.88)), 0.6)
    parts = [
        *(slab(_WHITE, span(x, wall), span(0, deep), (0, high), bevel=0.02) for x in (-wide / 2, wide / 2)),
        *(slab(_WHITE, span(0, wide), span(y, wall), (0, high), bevel=0.02) for y in (-deep / 2, deep / 2)),
        slab(water, span(0, wide - wall), span(0, deep - wall), (0.0, high - 0.18)),
        shown(STEEL, tube([(-0.7, 0.3, high), (-0.7, 0.3, high + 0.16), (-0.58, 0.2, high + 0.16)], 0.016)),
    ]
    return stands(order, parts)


def washbasin(order: Order) -> Thing:
    """A basin in a cabinet, with a tap and some room beside it."""
    front = order.pick(coat("white"), coat("blue"), coat("green"), furniture_wood(order))
    basin = Material(Plain((0.97, 0.97, 0.98)), 0.4)
    parts = [
        box(front, 0.9, 0.46, 0.08, 0.78),
        box(stone((0.86, 0.85, 0.83), order.grain()), 0.94, 0.5, 0.78, 0.82),
        shown(basin, lathe([(0, 0), (0.17, 0), (0.2, 0.1), (0.185, 0.1), (0.15, 0.02), (0, 0.02)]), (0.2, -0.02, 0.82)),
        shown(STEEL, tube([(0.2, 0.2, 0.82), (0.2, 0.2, 1.02), (0.2, 0.08, 1.02), (0.2, 0.06, 0.98)], 0.013)),
        *(ball(STEEL, 0.014, (x, -0.235, 0.5)) for x in (-0.05, 0.05)),
    ]
    return stands(order, parts, Surface((-0.22, 0.0, 0.82), (0.42, 0.42)))


def shower(order: Order) -> Thing:
    """A tray with glass on two sides and a shower head."""
    parts = [
        box(_WHITE, 0.9, 0.9, 0.0, 0.1),
        slab(_GLASS, (-0.45, -0.44), span(0, 0.88), (0.1, 2.0)),
        *(rod(STEEL, 0.014, (-0.445, y, 0.1), (-0.445, y, 2.0)) for y in (-0.44, 0.44)),
        rod(STEEL, 0.012, (-0.445, -0.44, 2.0), (-0.445, 0.44, 2.0)),
        rod(STEEL, 0.012, (0.2, 0.42, 0.9), (0.2, 0.42, 2.05)),
        rod(STEEL, 0.01, (0.2, 0.42, 2.05), (0.2, 0.22, 2.05)),
        post(STEEL, 0.09, 2.0, 2.04, 0.2, 0.2),
        slab(Material(Tiles((0.62, 0.80, 0.84), (0.15, 0.15))), span(0, 0.9), (0.44, 0.45), (0.1, 2.1)),
    ]
    return stands(order, parts)


def towel_rail(order: Order) -> Thing:
    """A rail on the wall with a towel over it."""
    towel = cloth(COLOURS[order.pick("blue", "red", "green", "yellow", "pink")], order.grain())
    parts = [
        rod(STEEL, 0.012, (-0.32, -0.05, 0.6), (0.32, -0.05, 0.6)),
        *(rod(STEEL, 0.012, (x, 0.0, 0.6), (x, -0.05, 0.6)) for x in (-0.31, 0.31)),
        slab(towel, (-0.24, 0.24), (-0.075, -0.03), (0.05, 0.62), bevel=0.012),
    ]
    return stands(order, parts)


def wardrobe(order: Order) -> Thing:
    """A tall case with two doors, and a board inside at the height of the hand."""
    wood = order.pick(furniture_wood(order), coat("white"), coat("blue"), coat("green"))
    case = Carcass(1.1, 0.56, 1.9, (0.78,), wood)
    leaves = double_doors(case.width, (case.foot, case.height), wood, BRASS)
    return stands(order, case.parts(), *case.surfaces(case.levels[1:]), leaves=leaves, cavities=case.cavities())


def piano(order: Order) -> Thing:
    """An upright piano."""
    body = order.pick(coat("black", 0.5), coat("brown", 0.4), coat("white", 0.5))
    dark = [
        slab(BLACK, span(-0.64 + 0.05 * k, 0.02), (-0.24, -0.16), (0.735, 0.75))
        for k in range(26)
        if k % 7 not in (2, 6)
    ]
    parts = [
        box(body, 1.46, 0.32, 0.0, 1.22, y=0.14),
        box(body, 1.46, 0.34, 0.6, 0.7, y=-0.16),
        slab(_WHITE, span(0, 1.36), (-0.3, -0.04), (0.7, 0.735)),
        *dark,
        *(box(body, 0.07, 0.07, 0.0, 0.6, x=x, y=-0.28) for x in (-0.68, 0.68)),
        slab(coat("white", 0.0), span(0, 0.4), (-0.04, -0.02), (0.9, 1.14)),
    ]
    return stands(order, parts, Surface((0.0, 0.14, 1.22), (1.3, 0.24)))


def fireplace(order: Order) -> Thing:
    """A hearth of bricks; `on` is a fire."""
    brick = Material(Tiles((0.62, 0.28, 0.20), (0.2, 0.07), grout=(0.7, 0.68, 0.64), shift=0.5, seed=order.grain()))
    flame = Material(Gradient((1.0, 0.85, 0.25), (0.92, 0.26, 0.06), -0.16, 0.16), 0.0, 1.0)
    parts = [
        *(box(brick, 0.28, 0.4, 0.0, 0.95, x=x) for x in (-0.51, 0.51)),
        box(brick, 1.3, 0.4, 0.72, 0.95),
        box(BLACK, 0.74, 0.05, 0.0, 0.72, y=0.17),
        box(stone((0.8, 0.79, 0.76), order.grain()), 1.42, 0.46, 0.95, 1.02),
        *(rod(coat("brown"), 0.045, (-0.24, y, 0.06), (0.24, y, 0.06)) for y in (-0.06, 0.06)),
    ]
    if "on" in order.options:
        parts += [shown(flame, frustum(0.09, 0.01, 0.32), (x, 0.0, 0.26)) for x in (-0.15, 0.0, 0.15)]
    return stands(order, parts, top(1.02, 1.3, 0.36))


def aquarium(order: Order) -> Thing:
    """A tank of water with fish, on a stand."""
    water = Material(Gradient((0.10, 0.36, 0.60), (0.42, 0.74, 0.90), -0.2, 0.2), 0.5, 0.35)
    wood = furniture_wood(order)
    fish = [
        shown(coat(colour), ellipsoid((0.11, 0.02, 0.06)), (x, -0.205, z))
        for x, z, colour in ((-0.22, 0.95, "orange"), (0.1, 1.06, "yellow"), (0.27, 0.9, "red"))
    ]
    parts = [box(wood, 0.9, 0.4, 0.0, 0.72), box(water, 0.88, 0.38, 0.72, 1.16), box(BLACK, 0.9, 0.4, 1.16, 1.2), *fish]
    return stands(order, parts)


def standing_fan(order: Order) -> Thing:
    """A fan on a pole."""
    colour = coat(order.pick("white", "blue", "black"))
    blades = [
        shown(colour, ellipsoid((0.16, 0.02, 0.09)), (0.1 * x, -0.08, 1.1 + 0.1 * z))
        for x, z in ((1, 0.3), (-0.8, 0.7), (-0.2, -1))
    ]
    cage = [shown(STEEL, ring(r, 0.012), (0.0, -0.08, 1.1), _TIPPED) for r in (0.21, 0.14)]
    return stands(
        order,
        [
            post(colour, 0.18, 0.0, 0.04),
            post(STEEL, 0.018, 0.04, 1.1),
            *cage,
            *blades,
            rod(colour, 0.05, (0, 0.03, 1.1), (0, -0.07, 1.1)),
        ],
    )


def speaker(order: Order) -> Thing:
    """A tall loudspeaker."""
    body = order.pick(coat("black"), furniture_wood(order), coat("white"))
    cones = [rod(DARK_STEEL, r, (0, -0.13, z), (0, -0.145, z)) for r, z in ((0.1, 0.3), (0.1, 0.56), (0.05, 0.78))]
    return stands(order, [box(body, 0.28, 0.26, 0.0, 0.94), *cones], top(0.94, 0.2, 0.2))


def microwave(order: Order) -> Thing:
    """A small oven with a door that swings."""
    body = coat(order.pick("white", "grey", "red"), 0.3)
    wide, deep, high = 0.52, 0.38, 0.32
    wall = 0.02
    parts = [
        *(slab(body, span(x, wall), (0, deep), (0, high)) for x in (-wide / 2 + 0.01, wide / 2 - 0.01)),
        *(slab(body, span(0, wide), (0, deep), z) for z in ((0, wall), (high - wall, high))),
        slab(body, span(0, wide), (deep - wall, deep), (0, high)),
        slab(DARK_STEEL, (0.13, wide / 2), (0.0, deep), (wall, high - wall)),
        slab(coat("green"), (0.16, 0.23), (-0.002, 0.0), (0.2, 0.25), solid=False),
    ]
    door = [
        slab(body, (-wide / 2, 0.13), (-0.02, -0.002), (0, high)),
        slab(_DARK, (-0.22, 0.09), (-0.022, -0.02), (0.05, high - 0.05), solid=False),
        rod(STEEL, 0.008, (0.11, -0.035, 0.06), (0.11, -0.035, high - 0.06)),
    ]
    from envs.household.home.model import Cavity

    cavity = Cavity((-0.06, deep / 2, high / 2), (0.34, deep - 0.06, high - 2 * wall))
    return stands(order, parts, leaves=[hinged("door", (-wide / 2, 0.13), True, door, 1.7, y=-0.02)], cavities=[cavity])


def coffee_machine(order: Order) -> Thing:
    """A machine with a spout over a grate."""
    body = coat(order.pick("black", "red", "grey"), 0.4)
    return stands(
        order,
        [
            box(body, 0.26, 0.3, 0.0, 0.04),
            box(body, 0.26, 0.14, 0.0, 0.36, y=0.08),
            box(body, 0.26, 0.3, 0.26, 0.36),
            post(STEEL, 0.025, 0.2, 0.26, 0.0, -0.06),
            box(STEEL, 0.18, 0.12, 0.04, 0.05, y=-0.07),
        ],
    )


def bunk_bed(order: Order) -> Thing:
    """Two beds above each other, with a ladder."""
    wood = order.pick(furniture_wood(order), coat("white"), coat("blue"))
    sheets = [
        cloth(COLOURS[order.pick("red", "green", "blue", "yellow")], order.grain()),
        cloth(COLOURS["white"], order.grain()),
    ]
    parts: list[Part] = [box(wood, 0.07, 0.07, 0.0, 1.7, x=x, y=y) for x in (-0.97, 0.97) for y in (-0.43, 0.43)]
    for low, sheet in ((0.25, sheets[0]), (1.15, sheets[0])):
        parts += [box(wood, 1.95, 0.86, low, low + 0.1), box(sheet, 1.9, 0.82, low + 0.1, low + 0.24, bevel=0.03)]
        parts += [box(sheets[1], 0.34, 0.6, low + 0.22, low + 0.34, x=-0.75, bevel=0.05)]
    parts += [rod(wood, 0.018, (0.5, -0.47, z), (0.85, -0.47, z)) for z in (0.4, 0.7, 1.0, 1.3)]
    parts += [box(wood, 0.04, 0.03, 0.0, 1.6, x=x, y=-0.47) for x in (0.5, 0.85)]
    return stands(order, parts, Surface((0.2, -0.1, 0.49), (1.2, 0.5), 0.6))


def toy_chest(order: Order) -> Thing:
    """An open box for toys."""
    body = coat(order.pick(*BRIGHT))
    label = Material(Label("TOYS", (0.4, 0.16)))
    walls = [
        *(slab(body, span(x, 0.03), span(0, 0.44), (0, 0.42)) for x in (-0.36, 0.36)),
        *(slab(body, span(0, 0.75), span(y, 0.03), (0, 0.42)) for y in (-0.21, 0.21)),
        slab(body, span(0, 0.72), span(0, 0.42), (0, 0.3)),
    ]
    return stands(
        order,
        [*walls, slab(label, span(0, 0.4), (-0.2268, -0.2), (0.14, 0.3), solid=False)],
        Surface((0, 0, 0.3), (0.6, 0.34)),
    )


def ironing_board(order: Order) -> Thing:
    """A padded board on crossed legs, with an iron."""
    skin = cloth(COLOURS[order.pick("blue", "red", "green")], order.grain())
    iron = [
        shown(_GREY, ellipsoid((0.24, 0.12, 0.1)), (0.42, 0.0, 0.94)),
        shown(_RED, tube([(0.34, 0, 0.97), (0.38, 0, 1.04), (0.48, 0, 1.04)], 0.014)),
    ]
    legs = [rod(STEEL, 0.014, (-0.4, y, 0.0), (0.4, y, 0.86)) for y in (-0.12, 0.12)]
    legs += [rod(STEEL, 0.014, (0.4, y, 0.0), (-0.4, y, 0.86)) for y in (-0.12, 0.12)]
    return stands(
        order,
        [slab(skin, span(0, 1.2), span(0, 0.36), (0.86, 0.9), bevel=0.015), *legs, *iron],
        Surface((-0.2, 0, 0.9), (0.6, 0.3)),
    )


def vacuum_cleaner(order: Order) -> Thing:
    """A cylinder on wheels with a hose."""
    body = coat(order.pick("red", "blue", "green", "yellow"), 0.4)
    hose = tube([(0.12, -0.05, 0.26), (0.2, -0.1, 0.5), (0.15, -0.25, 0.75), (0.1, -0.3, 0.95)], 0.025)
    return stands(
        order,
        [
            shown(body, ellipsoid((0.34, 0.44, 0.32)), (0, 0, 0.19)),
            *(rod(BLACK, 0.07, (x, 0.12, 0.07), (x * 1.25, 0.12, 0.07)) for x in (-0.15, 0.15)),
            shown(BLACK, hose),
            rod(STEEL, 0.016, (0.1, -0.3, 0.95), (0.1, -0.36, 0.06)),
            box(BLACK, 0.28, 0.1, 0.0, 0.06, x=0.1, y=-0.36),
        ],
    )


def shoe_rack(order: Order) -> Thing:
    """Two boards with pairs of shoes."""
    wood = furniture_wood(order)
    shoes: list[Part] = []
    for number, x in enumerate((-0.26, 0.02, 0.28)):
        skin = coat(
            order.pick("red", "blue", "white", "brown", "black") if number == 0 else ("white", "black")[number % 2]
        )
        shoes += [shown(skin, ellipsoid((0.08, 0.25, 0.1)), (x + side, 0.0, 0.46)) for side in (-0.05, 0.05)]
    return stands(
        order,
        [
            *(box(wood, 0.03, 0.3, 0.0, 0.62, x=x) for x in (-0.4, 0.4)),
            *(box(wood, 0.8, 0.3, z, z + 0.02) for z in (0.12, 0.4, 0.6)),
            *shoes,
        ],
        top(0.62, 0.7, 0.24),
    )


def umbrella_stand(order: Order) -> Thing:
    """A pot with an umbrella in it."""
    skin, cover = coat(order.pick("black", "brown", "blue")), coat(order.pick("red", "yellow", "green", "blue"))
    pot = lathe([(0, 0), (0.13, 0), (0.15, 0.5), (0.135, 0.5), (0.12, 0.02), (0, 0.02)])
    return stands(
        order,
        [
            shown(skin, pot),
            shown(cover, frustum(0.012, 0.05, 0.6), (0.03, 0.0, 0.48)),
            shown(BLACK, tube([(0.03, 0, 0.78), (0.03, 0, 0.88), (0.06, 0, 0.92), (0.09, 0, 0.88)], 0.011)),
        ],
    )


def desk_lamp(order: Order) -> Thing:
    """A bent lamp; `on` it glows."""
    skin = coat(order.pick("red", "blue", "green", "black", "yellow"))
    lit = "on" in order.options
    bulb = replace(_YELLOW if lit else _GREY, glow=1.0 if lit else 0.0)
    shade = shown(replace(skin, glow=0.75 if lit else 0.0), frustum(0.1, 0.035, 0.12), (0.1, 0.0, 0.42))
    return stands(
        order,
        [
            post(skin, 0.09, 0.0, 0.025),
            rod(skin, 0.011, (0, 0, 0.02), (-0.08, 0, 0.27)),
            rod(skin, 0.011, (-0.08, 0, 0.27), (0.09, 0, 0.47)),
            shade,
            shown(bulb, ellipsoid((0.16, 0.16, 0.1)), (0.1, 0, 0.36)),
        ],
    )


def floor_lamp(order: Order) -> Thing:
    """A lamp on a tall pole; `on` its shade glows."""
    name = order.pick("red", "green", "blue", "white", "orange")
    shade = replace(coat(name, 0.0), glow=0.95 if "on" in order.options else 0.0)
    return stands(
        order,
        [
            post(BLACK, 0.15, 0.0, 0.03),
            post(BRASS, 0.014, 0.03, 1.3),
            shown(shade, frustum(0.2, 0.13, 0.3), (0, 0, 1.42)),
        ],
    )


def television(order: Order) -> Thing:
    """A screen on a low cabinet; `on` it shows a landscape."""
    wood, wide = furniture_wood(order), order.between(1.0, 1.2)
    screen = _SCREEN if "on" in order.options else _DARK
    sun = [rod(_YELLOW, 0.05, (0.25, -0.032, 0.98), (0.25, -0.036, 0.98), solid=False)] if "on" in order.options else []
    parts = [
        box(wood, wide + 0.3, 0.42, 0.05, 0.46),
        *(box(BLACK, 0.05, 0.05, 0.0, 0.05, x=x) for x in (-0.5, 0.5)),
        box(BLACK, 0.4, 0.2, 0.46, 0.48),
        box(BLACK, wide, 0.05, 0.5, 0.5 + wide * 0.58),
        on_front(screen, span(0, wide - 0.05), (0.52, 0.48 + wide * 0.58), -0.025),
        *sun,
    ]
    return stands(order, parts)


def computer(order: Order) -> Thing:
    """A screen with a keyboard and a mouse; `on` it shows a desktop."""
    screen = _SCREEN if "on" in order.options else _DARK
    frame = order.pick(coat("black"), coat("white"), coat("grey"))
    parts = [
        box(frame, 0.22, 0.16, 0.0, 0.012, y=0.1),
        box(frame, 0.05, 0.03, 0.012, 0.14, y=0.12),
        box(frame, 0.54, 0.035, 0.12, 0.46, y=0.1),
        on_front(screen, span(0, 0.5), (0.14, 0.44), 0.0825),
        box(frame, 0.42, 0.13, 0.0, 0.018, y=-0.12),
        box(frame, 0.06, 0.1, 0.0, 0.03, x=0.29, y=-0.12, bevel=0.01),
    ]
    return stands(order, parts)


def radio(order: Order) -> Thing:
    """A radio with a light that is on or off."""
    skin, lit = coat(order.pick("red", "blue", "white", "green")), "on" in order.options
    lamp = replace(coat("green" if lit else "black"), glow=0.9 if lit else 0.0)
    return stands(
        order,
        [
            box(skin, 0.3, 0.11, 0.0, 0.18, bevel=0.02),
            rod(DARK_STEEL, 0.06, (-0.06, -0.055, 0.09), (-0.06, -0.06, 0.09)),
            on_front(lamp, (0.03, 0.13), (0.1, 0.15), -0.055),
            rod(STEEL, 0.004, (0.12, 0.03, 0.18), (0.2, 0.03, 0.42)),
        ],
    )


def bench(order: Order) -> Thing:
    """A seat without a back."""
    wood = order.pick(furniture_wood(order), coat("green"), coat("blue"))
    return stands(
        order,
        [
            slab(wood, span(0, 1.3), span(0, 0.38), (0.42, 0.46), bevel=0.008),
            *(box(wood, 0.06, 0.34, 0.0, 0.42, x=x) for x in (-0.52, 0.52)),
        ],
        top(0.46, 1.1, 0.3),
    )


def pouffe(order: Order) -> Thing:
    """A round padded seat."""
    return stands(
        order,
        [
            shown(
                cloth(COLOURS[order.pick(*CALM)], order.grain()),
                lathe([(0, 0), (0.26, 0.01), (0.3, 0.1), (0.3, 0.3), (0.26, 0.39), (0, 0.4)]),
            )
        ],
        top(0.4, 0.36, 0.36),
    )


def crib(order: Order) -> Thing:
    """A small bed with bars."""
    wood = order.pick(coat("white"), furniture_wood(order), coat("pink"))
    bars = [
        rod(wood, 0.011, (x, y, 0.3), (x, y, 0.85)) for x in (-0.5, -0.3, -0.1, 0.1, 0.3, 0.5) for y in (-0.31, 0.31)
    ]
    return stands(
        order,
        [
            box(cloth(COLOURS["yellow"], order.grain()), 1.14, 0.6, 0.3, 0.42, bevel=0.03),
            *bars,
            *(box(wood, 0.04, 0.66, 0.0, 0.9, x=x) for x in (-0.58, 0.58)),
            *(slab(wood, span(0, 1.16), span(y, 0.03), (0.85, 0.9)) for y in (-0.31, 0.31)),
        ],
    )


def hamper(order: Order) -> Thing:
    """A tall basket for clothes."""
    weave = cloth(COLOURS[order.pick("beige", "white", "blue", "pink")], order.grain(), 0.02)
    return stands(
        order,
        [
            shown(weave, lathe([(0, 0), (0.2, 0), (0.24, 0.56), (0.22, 0.56), (0.18, 0.45), (0, 0.46)])),
            shown(_WHITE, ellipsoid((0.34, 0.3, 0.18)), (0, 0, 0.5)),
        ],
    )


def drying_rack(order: Order) -> Thing:
    """A rack with clothes on it."""
    shirts = [
        slab(
            cloth(COLOURS[order.pick("red", "blue", "yellow") if k == 0 else ("white", "green", "pink")[k % 3]], k),
            span(0, 0.5),
            span(-0.24 + 0.16 * k, 0.02),
            (0.45, 0.92),
        )
        for k in range(4)
    ]
    return stands(
        order,
        [
            *(rod(STEEL, 0.01, (-0.5, y, 0.92), (0.5, y, 0.92)) for y in (-0.24, -0.08, 0.08, 0.24)),
            *(rod(STEEL, 0.012, (x, -0.3, 0), (x, 0.26, 0.92)) for x in (-0.5, 0.5)),
            *(rod(STEEL, 0.012, (x, 0.3, 0), (x, -0.26, 0.92)) for x in (-0.5, 0.5)),
            *shirts,
        ],
    )


KINDS = (
    Kind("toilet", toilet), Kind("bathtub", bathtub), Kind("washbasin", washbasin), Kind("shower", shower),
    Kind("towel_rail", towel_rail), Kind("wardrobe", wardrobe), Kind("piano", piano),
    Kind("fireplace", fireplace, ("on",)), Kind("aquarium", aquarium), Kind("standing_fan", standing_fan),
    Kind("speaker", speaker), Kind("microwave", microwave), Kind("coffee_machine", coffee_machine),
    Kind("bunk_bed", bunk_bed), Kind("toy_chest", toy_chest), Kind("ironing_board", ironing_board),
    Kind("vacuum_cleaner", vacuum_cleaner), Kind("shoe_rack", shoe_rack), Kind("umbrella_stand", umbrella_stand),
    Kind("desk_lamp", desk_lamp, ("on",)), Kind("floor_lamp", floor_lamp, ("on",)),
    Kind("television", television, ("on",)), Kind("computer", computer, ("on",)), Kind("radio", radio, ("on",)),
    Kind("bench", bench), Kind("pouffe", pouffe), Kind("crib", crib), Kind("hamper", hamper),
    Kind("drying_rack", drying_rack),
)  # fmt: skip
"""Kinds of furniture and appliances."""

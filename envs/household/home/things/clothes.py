"""Clothes, cloths and shoes."""

from __future__ import annotations

from math import cos, pi, sin

from envs.household.home.model import Part, Pose, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import RUBBER, darker, paint
from envs.household.home.things.parts import felt, movable, seen_only, shown, slab, span
from envs.household.home.things.shapes import arc, limb
from envs.household.home.things.turns import about, moved
from envs.render.forms import cushion, ellipsoid, sheet
from envs.render.meshes import Flat
from envs.render.scene import Box, Colour, Material, Tiles, Weave

DYES: tuple[Colour, ...] = ((0.84, 0.16, 0.18), (0.12, 0.40, 0.80), (0.14, 0.56, 0.32), (0.54, 0.24, 0.64))
_WHITE: Colour = (0.96, 0.95, 0.92)


def piece_of_cloth(order: Order) -> Thing:
    """A checked kitchen towel, folded and lying a little wavy."""
    width, depth = order.between(0.23, 0.26), order.between(0.17, 0.19)
    dye = order.pick(*DYES)
    check = Material(Tiles(_WHITE, (0.028, 0.028), dye, grout=darker(dye, 0.1), gap=0.003, seed=order.grain()))
    plain = paint(_WHITE, 0.0)
    layer, folds = 0.008, order.between(0.0, 3.0)

    def wave(x: float, y: float) -> float:
        return 0.004 * sin(3.0 * x + folds) * cos(2.0 * y + folds)

    parts = [
        shown(
            cloth,
            sheet((width - inset, depth - inset), wave, thick, cells=10),
            (0.003 * level, 0.0, 0.004 + layer * (level + 0.5)),
        )
        for level, (cloth, inset, thick) in enumerate(
            ((plain, 0.0, 0.8 * layer), (plain, 0.01, layer), (check, 0.0, 0.004))
        )
    ]
    hard = slab(plain, span(0.0, width), span(0.0, depth), (0.0, 3 * layer))
    return movable(order, [*parts, *felt([hard])], 0.12)


def _sock_path(long: float) -> list[Flat]:
    """From the cuff down the leg, round the heel, to the toe."""
    return [
        (0.0, long),
        (0.0, long * 0.66),
        (0.0, long * 0.33),
        *arc((0.05, 0.02), 0.05, pi, 1.5 * pi, 5),
        (0.09, -0.03),
        (0.13, -0.03),
        (0.155, -0.03),
        (0.165, -0.03),
    ]


def sock(order: Order) -> Thing:
    """A knitted sock lying flat, its heel, toe and cuff of another colour."""
    long, wide, thick = order.between(0.15, 0.17), 0.043, 0.034
    main, mark = order.pick(
        ((0.90, 0.89, 0.86), (0.80, 0.14, 0.18)),
        ((0.22, 0.32, 0.56), (0.96, 0.80, 0.30)),
        ((0.55, 0.57, 0.60), (0.10, 0.46, 0.42)),
    )
    wool, other = Material(Weave(main, darker(main, 0.12), 0.005)), Material(Weave(mark, darker(mark, 0.15), 0.005))
    path = _sock_path(long)
    widths = [wide * share for share in (1.0, 0.97, 0.97, 1.0, 1.06, 1.08, 1.06, 1.02, 0.98, 0.88, 0.6, 0.15)]
    sections = [(share, 0.0, thick * (1.0 if number < 10 else 0.75)) for number, share in enumerate(widths)]

    def patch(first: int, last: int) -> Part:
        rings = [(share + 0.0012, low, high + 0.0012) for share, low, high in sections[first:last]]
        return shown(other, limb(path[first:last], rings))

    cuff = shown(other, limb([(0.0, long + 0.002), (0.0, long - 0.03)], [(wide * 1.04, 0.0, thick * 1.05)] * 2))
    stripes = [
        shown(other, limb([(0.0, at + 0.012), (0.0, at)], [(wide * 0.99, 0.0, thick + 0.001)] * 2))
        for at in (long * 0.6, long * 0.42)
    ]
    heel = shown(other, ellipsoid((0.062, 0.062, thick * 1.02)), (0.0, -0.02, thick * 0.51))
    hard = [
        slab(wool, span(0.0, 2 * wide), (-0.05, long), (0.0, thick)),
        slab(wool, (0.0, 0.15), span(-0.03, 2 * wide), (0.0, thick)),
    ]
    return movable(order, [shown(wool, limb(path, sections)), patch(9, 12), heel, cuff, *stripes, *felt(hard)], 0.05)


def gym_shoe(order: Order) -> Thing:
    """A sports shoe: white sole and toe cap, coloured upper with two stripes, laces, a dark opening."""
    long = order.between(0.28, 0.30)
    dye = order.pick(*DYES)
    upper, white = Material(Weave(dye, darker(dye, 0.15), 0.004)), paint((0.96, 0.96, 0.95), 0.15)

    def body(*rows: tuple[float, float, float, float]) -> Part:
        path = [(x * long, 0.0) for x, *_ in rows]
        return shown(upper, limb(path, [(wide, low, high) for _, wide, low, high in rows]))

    sole = shown(
        white,
        limb(
            [(x * long, 0.0) for x in (-0.5, -0.47, -0.38, -0.1, 0.2, 0.4, 0.48, 0.5)],
            [(wide, -0.03, 0.034) for wide in (0.02, 0.034, 0.043, 0.042, 0.053, 0.047, 0.03, 0.012)],
        ),
    )
    shell = body(
        (-0.48, 0.016, 0.0, 0.11), (-0.45, 0.03, 0.0, 0.122), (-0.36, 0.038, 0.0, 0.118), (-0.2, 0.039, 0.0, 0.112),
        (-0.06, 0.041, 0.0, 0.115), (0.06, 0.044, 0.0, 0.098), (0.2, 0.048, 0.0, 0.08), (0.36, 0.043, 0.0, 0.064),
        (0.47, 0.024, 0.0, 0.045),
    )  # fmt: skip
    toe = shown(white, ellipsoid((0.075, 0.088, 0.078)), (0.41 * long, 0.0, 0.040))
    hole = shown(RUBBER, ellipsoid((0.10, 0.052, 0.026)), (-0.29 * long, 0.0, 0.113))
    tongue = shown(upper, ellipsoid((0.012, 0.05, 0.05)), (-0.11 * long, 0.0, 0.122), about("y", 0.5))
    laces: list[Part] = []
    for x, z in ((-0.05, 0.112), (0.02, 0.103), (0.09, 0.093), (0.16, 0.083)):
        lace = slab(white, span(0.0, 0.011), span(0.0, 0.055), (-0.004, 0.004), bevel=0.003)
        laces += moved([lace], (x * long, 0.0, z), about("y", 0.38))
    stripes = [
        part
        for side in (-1, 1)
        for x in (-0.16, -0.07)
        for part in moved(
            [Part(Box((0.014, 0.005, 0.07)), white, Pose((0.0, 0.0, 0.0)))],
            (x * long, side * 0.0385, 0.066),
            about("y", 0.4),
        )
    ]
    hard = [
        slab(white, span(0.0, long * 0.96), span(0.0, 0.084), (0.0, 0.055)),
        slab(white, (-long * 0.48, 0.02), span(0.0, 0.07), (0.055, 0.11)),
    ]
    return movable(order, [sole, shell, toe, hole, tongue, *seen_only([*laces, *stripes]), *felt(hard)], 0.35)


def pillow(order: Order) -> Thing:
    """A square cushion, plump in the middle."""
    side, tall = order.between(0.38, 0.44), 0.15
    colour = order.pick((0.88, 0.64, 0.22), (0.28, 0.52, 0.56), (0.72, 0.34, 0.32), (0.90, 0.87, 0.80))
    cloth = Material(Weave(colour, darker(colour, 0.12), 0.006, order.grain()))
    hard = [
        slab(cloth, span(0.0, side * 0.94), span(0.0, side * 0.94), (tall * 0.3, tall * 0.7)),
        slab(cloth, span(0.0, side * 0.6), span(0.0, side * 0.6), (0.0, tall)),
    ]
    return movable(order, [shown(cloth, cushion((side, side, tall)), (0.0, 0.0, tall / 2)), *felt(hard)], 0.6)


KINDS = (
    Kind("piece_of_cloth", piece_of_cloth, movable=True),
    Kind("sock", sock, movable=True),
    Kind("gym_shoe", gym_shoe, movable=True),
    Kind("pillow", pillow, movable=True),
)

"""A furnished room for timing: about 250 solids, two lamps, and a moving camera."""

from __future__ import annotations

import random
from functools import cache
from math import cos, pi, sin

from envs.render import forms
from envs.render.scene import (
    Box,
    Brushed,
    Camera,
    Clouds,
    Colour,
    Cylinder,
    Gradient,
    Label,
    Layers,
    Light,
    Material,
    Mesh,
    Plain,
    Planks,
    Rotation,
    Rug,
    Scene,
    Shape,
    Sky,
    Solid,
    Speckle,
    Sphere,
    Stripes,
    Tiles,
    Vector,
    Weave,
    Wood,
)

OAK = Wood((0.80, 0.62, 0.42), (0.55, 0.38, 0.24), 5)
WALNUT = Wood((0.50, 0.34, 0.22), (0.30, 0.19, 0.12), 8)
LAMPS = (
    Light((-1.0, 0.5, 2.4), 0.12, 0.42, aim=(-1.0, 0.5, 0.0)),
    Light((1.4, -1.2, 2.4), 0.12, 0.34, (1.0, 0.95, 0.86), aim=(1.4, -1.2, 0.0)),
)
SKY = Sky((0.70, 0.70, 0.70), (0.52, 0.48, 0.44), reach=0.25)
STILL = 48
"""The number of viewpoints of the camera."""


def room(step: int, size: int = 5) -> Scene:
    """The scene after some steps; things on the table move, too, and `size` is their number."""
    angle = 2.0 * pi * (step % STILL) / STILL
    eye = (round(1.1 * cos(angle), 6), round(0.9 * sin(angle), 6), 1.25)
    away = (round(-2.0 * cos(angle), 6), round(-2.0 * sin(angle), 6), 0.55)
    return Scene((*_furniture(), *_movables(step, size)), Camera(eye, away, 1.15), LAMPS, SKY)


@cache
def _furniture() -> tuple[Solid, ...]:
    chance = random.Random(3)
    solids = [*_shell(), *_cupboard("cabinet", (-2.6, 1.0)), *_cupboard("shelf", (-2.6, -0.8)), *_sofa()]
    for place in ((1.9, 1.2), (-0.6, 1.7)):
        solids += _table("table", place)
        for dx, dy, turn in ((-0.75, 0.0, 0.5), (0.75, 0.0, -0.4), (0.0, -0.6, 0.1)):
            solids += _chair("chair", (place[0] + dx, place[1] + dy), turn)
    for level in range(4):
        solids += _books(chance, (-2.6, -0.8, 0.09 + 0.4 * level))
    return tuple(solids)


def _solid(name: str, shape: Shape, texture: Material, position: Vector, turn: float = 0.0) -> Solid:
    return Solid(name, shape, texture, position, _yaw(turn))


def _yaw(angle: float) -> Rotation:
    c, s = round(cos(angle), 9), round(sin(angle), 9)
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)


def _shell() -> list[Solid]:
    plaster = Material(Clouds((0.88, 0.86, 0.81), (0.84, 0.81, 0.76), 0.6))
    tiles = Material(Tiles((0.86, 0.88, 0.88), (0.15, 0.15)), 0.2)
    day = Material(Gradient((0.70, 0.78, 0.62), (0.55, 0.74, 0.95), -0.5, 0.4), glow=0.9)
    rug = Material(Rug((0.52, 0.14, 0.14), (0.13, 0.16, 0.33), (0.86, 0.76, 0.52), (1.8, 1.2)))
    return [
        _solid("floor", Box((6.2, 5.2, 0.1)), Material(Planks((0.78, 0.60, 0.42), (0.52, 0.35, 0.22))), (0, 0, -0.05)),
        _solid("ceiling", Box((6.2, 5.2, 0.1)), Material(Plain((0.95, 0.95, 0.93))), (0, 0, 2.55)),
        *(_solid("wall", Box((6.2, 0.1, 2.5)), plaster, (0, y, 1.25)) for y in (2.55, -2.55)),
        _solid("wall", Box((0.1, 5.0, 2.5)), plaster, (-3.05, 0, 1.25)),
        _solid("wall", Box((0.1, 5.0, 2.5)), tiles, (3.05, 0, 1.25)),
        *(_solid("skirting", Box((6.0, 0.02, 0.1)), Material(OAK), (0, y, 0.05)) for y in (2.49, -2.49)),
        _solid("window", Box((1.2, 0.02, 1.0)), day, (0.4, 2.5, 1.5)),
        *(_solid("window", Box((0.06, 0.05, 1.06)), Material(OAK), (0.4 + x, 2.48, 1.5)) for x in (-0.6, 0, 0.6)),
        *(_solid("window", Box((1.26, 0.05, 0.06)), Material(OAK), (0.4, 2.48, 1.5 + z)) for z in (-0.5, 0.5)),
        _solid("rug", Box((1.8, 1.2, 0.012)), rug, (0.4, 0.0, 0.006)),
    ]


def _cupboard(name: str, place: tuple[float, float]) -> list[Solid]:
    x, y = place
    wood, steel = Material(WALNUT), Material(Brushed((0.75, 0.76, 0.78)), 0.3)
    boards = [_solid(name, Box((0.34, 0.9, 0.02)), wood, (x, y, 0.07 + 0.4 * level)) for level in range(5)]
    sides = [_solid(name, Box((0.36, 0.02, 1.7)), wood, (x, y + side, 0.85)) for side in (-0.46, 0.46)]
    if name == "shelf":
        return [*boards, *sides]
    doors = [_solid(name, Box((0.02, 0.44, 1.6)), wood, (x + 0.19, y + side, 0.87)) for side in (-0.23, 0.23)]
    knobs = [_solid(name, Cylinder(0.012, 0.16), steel, (x + 0.215, y + side, 0.95)) for side in (-0.05, 0.05)]
    return [*boards, *sides, *doors, *knobs]


def _sofa() -> list[Solid]:
    cloth = Material(Weave((0.22, 0.38, 0.52), (0.34, 0.50, 0.62), 0.012))
    pillow = Material(Stripes(((0.85, 0.45, 0.25), (0.94, 0.90, 0.82)), 0.06))
    seat = [_solid("sofa", Box((0.7, 0.8, 0.22), 0.04), cloth, (x, -2.0, 0.32)) for x in (-0.1, 0.62)]
    rest = [_solid("sofa", Box((1.7, 0.2, 0.75), 0.05), cloth, (0.26, -2.36, 0.4))]
    arms = [_solid("sofa", Box((0.18, 0.9, 0.55), 0.05), cloth, (x, -2.0, 0.3)) for x in (-0.56, 1.08)]
    soft = [_solid("pillow", forms.cushion((0.4, 0.4, 0.16)), pillow, (x, -2.0, 0.5), 0.4 * x) for x in (-0.2, 0.7)]
    return [*seat, *rest, *arms, *soft]


def _table(name: str, place: tuple[float, float]) -> list[Solid]:
    x, y = place
    wood = Material(OAK, 0.1)
    legs = [Box((0.06, 0.06, 0.7), 0.004)] * 4
    feet = [(x + dx, y + dy, 0.35) for dx in (-0.52, 0.52) for dy in (-0.32, 0.32)]
    top = _solid(name, Box((1.2, 0.8, 0.04), 0.006), wood, (x, y, 0.72))
    return [top, *(_solid(name, leg, wood, foot) for leg, foot in zip(legs, feet, strict=True))]


def _chair(name: str, place: tuple[float, float], turn: float) -> list[Solid]:
    def at(dx: float, dy: float, z: float) -> Vector:
        c, s = cos(turn), sin(turn)
        return round(place[0] + c * dx - s * dy, 6), round(place[1] + s * dx + c * dy, 6), z

    wood = Material(WALNUT, 0.1)
    parts = [_solid(name, Box((0.42, 0.42, 0.03), 0.006), wood, at(0, 0, 0.45), turn)]
    parts += [
        _solid(name, Cylinder(0.018, 0.44), wood, at(dx, dy, 0.22), turn)
        for dx in (-0.18, 0.18)
        for dy in (-0.18, 0.18)
    ]
    parts += [_solid(name, Box((0.42, 0.02, 0.07)), wood, at(0, 0.2, 0.6 + 0.13 * n), turn) for n in range(3)]
    return parts


def _books(chance: random.Random, place: Vector) -> list[Solid]:
    x, y, z = place
    solids, along = [], -0.42
    for _ in range(7):
        thick, tall = chance.uniform(0.02, 0.05), chance.uniform(0.2, 0.3)
        colour: Colour = (chance.random(), chance.random(), chance.random())
        spine = Material(Label("VOL", (thick, tall), colour, (0.95, 0.9, 0.7), "+x"))
        pages = Material(Layers((0.95, 0.93, 0.86), (0.75, 0.71, 0.62), 0.002, "y"))
        solids.append(_solid("book", Box((0.2, thick, tall)), spine, (x, y + along, z + tall / 2)))
        solids.append(_solid("book", Box((0.19, thick - 0.006, 0.004)), pages, (x, y + along, z + tall)))
        along += thick + 0.012
    return solids


def _movables(step: int, size: int) -> list[Solid]:
    """Things on the first table, one of which has just been put down elsewhere."""
    kinds: list[tuple[str, Mesh | Box | Sphere | Cylinder, Material, float]] = [
        ("bowl", _BOWL, Material(Plain((0.90, 0.88, 0.80)), 0.3), 0.0),
        ("apple", Sphere(0.04), Material(Speckle((0.75, 0.12, 0.10), (0.88, 0.55, 0.25), 0.012, 0.4), 0.3), 0.04),
        ("box", Box((0.16, 0.10, 0.12), 0.003), Material(Label("TEA", (0.16, 0.12), (0.2, 0.5, 0.3))), 0.06),
        ("cup", _CUP, Material(Plain((0.20, 0.42, 0.70)), 0.3), 0.0),
        ("marker", Cylinder(0.012, 0.14), Material(Stripes(((0.1, 0.1, 0.1), (0.9, 0.2, 0.2)), 0.05, "z")), 0.07),
    ]
    solids = []
    for number in range(size):
        name, shape, material, rise = kinds[number % len(kinds)]
        x, y = 1.9 + 0.22 * (number % 5 - 2), 1.0 + 0.13 * (number // 5 % 4) + 0.002 * (step % 7)
        solids.append(
            Solid(f"{name}_{number // 5 + 1}", shape, material, (x, y, 0.74 + rise), _yaw(0.3 * number), True)
        )
    return solids


_BOWL = forms.lathe(
    [
        (0, 0),
        (0.04, 0),
        (0.05, 0.01),
        (0.075, 0.04),
        (0.085, 0.07),
        (0.08, 0.07),
        (0.07, 0.042),
        (0.045, 0.014),
        (0, 0.008),
    ]
)
_CUP = forms.lathe([(0, 0), (0.032, 0), (0.036, 0.005), (0.04, 0.09), (0.036, 0.09), (0.032, 0.01), (0, 0.008)])

"""Pictures of Blocksworld: coloured blocks on a wooden table, a label before each column.

The seed varies the light, the camera, the wood and the exact pose of each block, never the state that is shown. A
block's pose depends on the seed, the block and its column, so that moving one does not move the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from math import cos, sin

from envs.render.scene import Box, Camera, Colour, Label, Light, Material, Plain, Rotation, Scene, Solid, Wood

VERSION = "2"
"""Part of every picture's key. Changes whenever the same state and seed give other pixels."""

BLOCK = 0.056
MAT = 0.072
SPACING = {3: 0.125, 4: 0.112, 5: 0.092}
COLOURS = {
    "r": (0.80, 0.07, 0.09),
    "g": (0.08, 0.54, 0.18),
    "b": (0.08, 0.26, 0.80),
    "y": (0.97, 0.82, 0.10),
    "p": (0.47, 0.15, 0.63),
    "o": (0.97, 0.45, 0.04),
}
_LIGHT_WOOD = ((0.84, 0.71, 0.55), (0.62, 0.45, 0.31))
_DARK_WOOD = ((0.64, 0.48, 0.33), (0.38, 0.25, 0.16))
"""Light and dark colours of the grain, each from birch to walnut."""


def draw(columns: Sequence[Sequence[str]], seed: int, *, width: int = 480, height: int = 480) -> bytes:
    """The state as a PNG file: block names bottom to top for each column, left to right."""
    from envs.render.png import png
    from envs.render.ray import render

    return png(render(compose(columns, seed), width, height).rgb)


def compose(columns: Sequence[Sequence[str]], seed: int) -> Scene:
    """The scene that shows the state."""
    places = _places(len(columns))
    solids = [*_room(seed), *(part for number, x in enumerate(places) for part in _place(number, x))]
    for number, (x, column) in enumerate(zip(places, columns, strict=True)):
        for level, block in enumerate(column):
            solids.append(_block(block, f"c{number + 1}", x, level, seed))
    aim = (0.006 * _vary(seed, "aim x"), 0.0, 0.148 + 0.004 * _vary(seed, "aim z"))
    eye = (0.05 * _vary(seed, "eye x"), -1.25, 0.60 + 0.03 * _vary(seed, "eye z"))
    lamp = (-1.1 + 0.5 * _vary(seed, "lamp x"), -2.2, 2.6 + 0.25 * _vary(seed, "lamp z"))
    strength = 0.80 + 0.06 * _vary(seed, "strength")
    return Scene(tuple(solids), Camera(eye, aim, view=0.385), (Light(lamp, radius=0.12, strength=strength),))


def _vary(seed: int, *what: str) -> float:
    """A number between -1 and 1 that only the seed and the name of the thing determine."""
    digest = blake2b("/".join([str(seed), *what]).encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2147483647.5 - 1.0


def _between(a: Colour, b: Colour, share: float) -> Colour:
    red, green, blue = (x + (y - x) * share for x, y in zip(a, b, strict=True))
    return red, green, blue


def _yaw(angle: float) -> Rotation:
    c, s = round(cos(angle), 9), round(sin(angle), 9)
    return (c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)


def _pitch(angle: float) -> Rotation:
    c, s = round(cos(angle), 9), round(sin(angle), 9)
    return (1.0, 0.0, 0.0, 0.0, c, -s, 0.0, s, c)


def _places(count: int) -> list[float]:
    if count not in SPACING:
        raise ValueError(f"{count} columns; pictures have {min(SPACING)} to {max(SPACING)}")
    return [round((number - (count - 1) / 2) * SPACING[count], 6) for number in range(count)]


def _room(seed: int) -> list[Solid]:
    tone = 0.5 + 0.5 * _vary(seed, "wood")
    wood = Wood(_between(*_LIGHT_WOOD, tone), _between(*_DARK_WOOD, tone), seed % 997, board=0.12)
    table = Solid("table", Box((1.6, 0.62, 0.03), 0.004), Material(wood), (0.0, 0.05, -0.015))
    wall = Solid("wall", Box((6.0, 0.1, 4.0)), Material(Plain((0.80, 0.80, 0.78))), (0.0, 0.75, 0.0))
    return [table, wall]


def _place(number: int, x: float) -> list[Solid]:
    mat = Solid(
        f"mat c{number + 1}", Box((MAT, MAT, 0.002), 0.0006), Material(Plain((0.27, 0.29, 0.32))), (x, 0.0, 0.001)
    )
    size = (0.050, 0.032)
    card = Solid(
        f"card c{number + 1}",
        Box((size[0], 0.0016, size[1]), 0.0004),
        Material(Label(f"c{number + 1}", size)),
        (x, -0.096, 0.0135),
        _pitch(-0.75),
    )
    return [mat, card]


def _block(block: str, column: str, x: float, level: int, seed: int) -> Solid:
    if block not in COLOURS:
        raise ValueError(f"no block {block!r}. Blocks: {', '.join(COLOURS)}")
    what = (block, column)
    position = (
        x + 0.002 * _vary(seed, *what, "x"),
        0.002 * _vary(seed, *what, "y"),
        0.002 + BLOCK * (level + 0.5),
    )
    material = Material(Plain(COLOURS[block]), gloss=0.25)
    turn = _yaw(0.09 * _vary(seed, *what, "yaw"))
    return Solid(f"block {block}", Box((BLOCK, BLOCK, BLOCK), 0.0035), material, position, turn, moving=True)

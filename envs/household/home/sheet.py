"""Contact sheets: a picture of every kind of thing with its name below.

    python -m envs.household.home.sheet --out docs/pictures/things.png
    python -m envs.household.home.sheet --furniture --out docs/pictures/furniture.png

Furniture that opens is shown twice, shut and open.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from envs.household.home.frames import opened, within
from envs.household.home.model import Pose, Thing
from envs.household.home.things import KINDS, make
from envs.household.home.things.parts import bounds
from envs.household.home.things.turns import moved
from envs.render.scene import Box, Camera, Light, Material, Plain, Scene, Solid, Vector

if TYPE_CHECKING:
    from envs.render.arrays import Bytes

CELL = 160
"""Pixels of a picture, both ways."""
CAPTION = 20
PAPER = (238, 236, 230)
_GROUND = Material(Plain((0.78, 0.76, 0.72)))
_VIEW = 0.5
"""The height of the view per unit of distance: a narrow lens, so that proportions are realistic."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A thing to show, how far it is open, and its caption."""

    thing: Thing
    title: str
    opening: float = 0.0


def movables(seed: int) -> list[Exhibit]:
    """One of each kind of movable, and one of each type of kinds with types."""
    found = []
    for kind in (kind for kind in KINDS.values() if kind.movable):
        for number in range(1, max(len(kind.types), 1) + 1):
            name = f"{kind.name}_{number}"
            found.append(Exhibit(make(kind.name, name, seed), name if kind.types else kind.name))
    return found


def furniture(seed: int) -> list[Exhibit]:
    """One of each other kind, in all its options, open and shut."""
    found = []
    for kind in (kind for kind in KINDS.values() if not kind.movable):
        for options in ((), *((option,) for option in kind.options)):
            thing, title = make(kind.name, kind.name, seed, options), " ".join([kind.name, *options])
            found.append(Exhibit(thing, title))
            if thing.leaves:
                found.append(Exhibit(thing, f"{title} (open)", 1.0))
    return found


def scene(exhibit: Exhibit, *, yaw: float = 28.0, height: float = 30.0) -> Scene:
    """The thing alone on the ground, seen from its right by `yaw` degrees and from above by `height` degrees."""
    solids = list(_solids(exhibit))
    parts = [*exhibit.thing.parts]
    for leaf in exhibit.thing.leaves:
        frame = opened(leaf, exhibit.opening)
        parts += moved(leaf.parts, frame.position, frame.rotation)
    low, high = bounds(part for part in parts if part.seen)
    middle: Vector = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)
    reach = sqrt(sum((b - a) ** 2 for a, b in zip(low, high, strict=True))) / 2
    turn, up, far = radians(yaw), radians(height), 2.0 * reach / _VIEW
    eye = (
        middle[0] + far * sin(turn) * cos(up),
        middle[1] - far * cos(turn) * cos(up),
        middle[2] + far * sin(up),
    )
    ground = Solid("ground", Box((60.0 * reach, 60.0 * reach, 0.1 * reach)), _GROUND, (0.0, 0.0, -0.05 * reach))
    lamp = Light((middle[0] - 3.0 * reach, middle[1] - 4.0 * reach, 9.0 * reach), 0.5 * reach, 0.78)
    return Scene((ground, *solids), Camera(eye, middle, _VIEW), (lamp,))


def _solids(exhibit: Exhibit) -> Sequence[Solid]:
    frames = [(exhibit.thing.parts, Pose())]
    frames += [(leaf.parts, opened(leaf, exhibit.opening)) for leaf in exhibit.thing.leaves]
    placed = [(part, within(frame, part.pose)) for parts, frame in frames for part in parts if part.seen]
    return [Solid(exhibit.thing.name, part.shape, part.material, pose.position, pose.rotation) for part, pose in placed]


def draw(exhibits: Sequence[Exhibit], columns: int) -> Bytes:
    """The sheet, row by row."""
    import numpy as np

    from envs.render.ray import snapshot

    rows = -(-len(exhibits) // columns)
    sheet = np.full((rows * (CELL + CAPTION), columns * CELL, 3), PAPER, dtype=np.uint8)
    for number, exhibit in enumerate(exhibits):
        top, left = number // columns * (CELL + CAPTION), number % columns * CELL
        sheet[top : top + CELL - 2, left : left + CELL - 2] = snapshot(scene(exhibit), CELL - 2, CELL - 2).rgb
        _write(sheet[top + CELL : top + CELL + CAPTION - 4, left : left + CELL - 2], exhibit.title)
    # The last bit of a colour is invisible but takes a quarter of the file.
    return sheet & np.uint8(0xFE)


def _write(box: Bytes, text: str) -> None:
    """Write text in the middle of a strip, as high as the strip unless it is too long."""
    import numpy as np
    from PIL import Image

    from envs.render.textures import lettering

    ink = lettering(text)
    scale = min(box.shape[0] / ink.shape[0], box.shape[1] / ink.shape[1])
    width, height = int(ink.shape[1] * scale), int(ink.shape[0] * scale)
    small = np.asarray(Image.fromarray(ink).resize((width, height), Image.Resampling.LANCZOS))
    left = (box.shape[1] - width) // 2
    place = box[:height, left : left + width]
    place[:] = (place * (1.0 - small[..., None] / 255.0)).astype(np.uint8)


def main(argv: Sequence[str] | None = None) -> int:
    """Draw a sheet and write it."""
    parser = argparse.ArgumentParser(prog="python -m envs.household.home.sheet", description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="PNG file to write")
    parser.add_argument("--furniture", action="store_true", help="furniture, doors and windows in place of movables")
    parser.add_argument("--seed", type=int, default=0, help="other seeds give other looks (default: %(default)s)")
    parser.add_argument("--columns", type=int, default=8, help="pictures side by side (default: %(default)s)")
    arguments = parser.parse_args(argv)
    if arguments.columns < 1:
        parser.error(f"argument --columns: {arguments.columns} is not a number of pictures; give 1 or more")
    if not arguments.out.parent.is_dir():
        parser.error(f"argument --out: there is no folder {arguments.out.parent}; make it first")
    from PIL import Image

    exhibits = furniture(arguments.seed) if arguments.furniture else movables(arguments.seed)
    try:
        Image.fromarray(draw(exhibits, arguments.columns)).save(arguments.out, format="PNG", optimize=True)
    except OSError as error:
        parser.error(f"argument --out: {arguments.out} cannot be written: {error.strerror}")
    sys.stdout.write(f"{len(exhibits)} things in {arguments.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

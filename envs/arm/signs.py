"""Draw what the sign of each dimension means: a gripper before and after, one dimension changed at a time.

python -m envs.arm.signs --out signs.jpg
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from envs.arm.states import State
    from envs.render.arrays import Bytes

CHANGES = (
    ("start", 0, 0.0),
    ("+x 10 cm: ahead", 0, 0.1),
    ("+y 10 cm: left", 1, 0.1),
    ("+z 10 cm: up", 2, 0.1),
    ("+roll 20: tips left", 3, 20.0),
    ("+pitch 20: front down", 4, 20.0),
    ("+yaw 20: left from above", 5, 20.0),
    ("+opening 0.8", 6, 0.8),
)
"""The caption of each picture, the number of the dimension, and the change."""
_CAPTION = 16


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m envs.arm.signs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="the JPEG file")
    options = parser.parse_args(arguments)
    try:
        options.out.write_bytes(sheet())
    except OSError as error:
        parser.error(f"{options.out} cannot be written: {error.strerror or error}")
    return 0


def sheet() -> bytes:
    """Both arms with questions about motions, from behind the base and from the left, a row each, as a JPEG file."""
    from io import BytesIO

    from PIL import Image, ImageDraw

    from envs.arm.states import State

    rows = []
    for source, start in (
        ("bridge", State(0.30, 0.0, 0.16, 0.0, 0.0, 0.0, 0.1)),
        ("droid", State(0.48, 0.0, 0.24, 0.0, 0.0, 0.0, 0.1)),
    ):
        for name, aside in (("from behind the base", False), ("from the left", True)):
            rows.append((f"{source}, {name}", [_picture(source, start, which, by, aside) for _, which, by in CHANGES]))
    height, width, _ = rows[0][1][0].shape
    made = Image.new("RGB", (width * len(CHANGES), len(rows) * (height + _CAPTION)), "white")
    pen = ImageDraw.Draw(made)
    for row, (name, pictures) in enumerate(rows):
        top = row * (height + _CAPTION)
        for column, (picture, (caption, _, _)) in enumerate(zip(pictures, CHANGES, strict=True)):
            made.paste(Image.fromarray(picture), (column * width, top))
            pen.text((column * width + 4, top + height + 2), caption if column else name, fill="black")
    buffer = BytesIO()
    made.save(buffer, "JPEG", quality=85)
    return buffer.getvalue()


def _picture(source: str, start: State, which: int, by: float, aside: bool) -> Bytes:
    """One gripper in an otherwise empty scene, the camera behind the base or to its left."""
    from dataclasses import replace

    from envs.arm.arms import matrix_of
    from envs.arm.inverse import solve
    from envs.arm.pictures import scene
    from envs.arm.recipes import Moment
    from envs.arm.scenes import table
    from envs.render.ray import snapshot
    from envs.render.scene import Camera

    made = table(source, 4)
    state = type(start)(*(value + by * (number == which) for number, value in enumerate(start)))
    joints = solve(made.arm, matrix_of(state), made.arm.rest)
    if joints is None:
        raise ValueError(f"the arm of {source} does not reach {state}")
    target = (start.x, start.y, start.z + 0.03)
    eye = (start.x, 0.75, start.z + 0.22) if aside else (start.x - 0.55, 0.22, start.z + 0.42)
    whole = scene(made, Moment(joints, made.arm.state(joints, state.opening)), "exo_1")
    seen = replace(whole, camera=Camera(eye, target, 0.62 if source == "bridge" else 0.8))
    return snapshot(seen, 200, 200, threads=1).rgb


if __name__ == "__main__":
    sys.exit(main())

"""Contact sheets: scenes, people and their postures, and a film strip of one task of each category.

python -m envs.embodied.sheet scenes --out docs/pictures/embodied_scenes.jpg
python -m envs.embodied.sheet people --out docs/pictures/embodied_people.jpg
python -m envs.embodied.sheet strips --out docs/pictures/embodied_strips.jpg
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from envs.embodied.expert import plan
from envs.embodied.model import CATEGORIES, Posture
from envs.embodied.people import dressed, figure
from envs.embodied.plans import SCENES
from envs.embodied.scenes import scene, viewer
from envs.embodied.tasks import tasks
from envs.embodied.view import PITCH, Eye
from envs.embodied.world import EmbodiedWorld

if TYPE_CHECKING:
    from PIL.Image import Image

_CELL = 176
_CAPTION = 15
_STRIP = 8
_POSTURES: tuple[Posture, ...] = ("stand", "sit", "lie", "point", "wave", "beckon", "hand out")
Shot = tuple["Image", str]


def scenes() -> Iterator[Shot]:
    """One view of each kind of room: the one that shows the most things."""
    seen: set[str] = set()
    for name, planned in list(SCENES.items())[::-1]:
        fresh = [room for room, kind in planned.kinds.items() if kind not in seen]
        for room in fresh[:2]:
            seen.add(planned.kinds[room])
            yield _picture(name, _eye(name, room)), f"{name}: {room}"


def _eye(name: str, room: str) -> Eye:
    """The eye in a room that shows the most things."""
    place, look = scene(name), viewer(name)
    items = [item for item, placed in place.placed.items() if place.room_of(placed.pose.position) == room]
    eyes = [
        Eye(point.x, point.y, heading.yaw, pitch)
        for point in place.graph.points
        if place.room_of((point.x, point.y, 0.0)) == room
        for heading in point.headings
        for pitch in (0.0, -PITCH / 2.0)
    ]
    return max(eyes, key=lambda eye: sum(min(look.pixels(eye, item), 9000.0) for item in items))


def _picture(name: str, eye: Eye) -> Image:
    from PIL import Image

    return Image.open(io.BytesIO(viewer(name).png(eye)))


def people() -> Iterator[Shot]:
    """Each posture, seen from three sides."""
    from PIL import Image

    from envs.household.home.sheet import Exhibit
    from envs.household.home.sheet import scene as alone
    from envs.render.ray import snapshot

    dice = Random(7)
    for turn in (20.0, -40.0, 75.0):
        for posture in _POSTURES:
            person = dressed(dice, f"person_{posture}_{turn:g}", posture, [])
            made = figure(person, 3, aim=(-1.6, -1.4, 0.8) if posture == "point" else None)
            drawn = snapshot(alone(Exhibit(made, posture), yaw=turn, height=12.0), 2 * _CELL, 2 * _CELL).rgb
            yield Image.fromarray(drawn), posture


def strips() -> Iterator[Shot]:
    """A task of each category along its shortest solution, with the option chosen at each picture."""
    from PIL import Image

    for category in CATEGORIES:
        task = min(tasks(), key=lambda task: (task.category != category, abs(task.steps - _STRIP)))
        world = EmbodiedWorld(task)
        steps = plan(world.rules, world.rules.start()) or []
        for number, step in enumerate(steps):
            if number >= len(steps) - _STRIP:
                yield Image.open(io.BytesIO(world.observe().picture.png())), step
            world.step(step)


SHEETS: dict[str, tuple[Callable[[], Iterator[Shot]], int]] = {
    "scenes": (scenes, 6),
    "people": (people, 7),
    "strips": (strips, _STRIP),
}


def sheet(shots: Sequence[Shot], columns: int) -> Image:
    """Pictures in rows with captions."""
    from PIL import Image, ImageDraw

    rows = -(-len(shots) // columns)
    whole = Image.new("RGB", (columns * _CELL, rows * (_CELL + _CAPTION)), (238, 236, 230))
    pen = ImageDraw.Draw(whole)
    for number, (picture, caption) in enumerate(shots):
        left, top = number % columns * _CELL, number // columns * (_CELL + _CAPTION)
        whole.paste(picture.resize((_CELL - 2, _CELL - 2)), (left, top))
        pen.text((left + 2, top + _CELL), caption[:30], fill="black")
    return whole


def main(argv: Sequence[str] | None = None) -> int:
    """Draw a sheet and write it."""
    parser = argparse.ArgumentParser(prog="python -m envs.embodied.sheet", description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=SHEETS, help="what to show")
    parser.add_argument("--out", type=Path, required=True, help="picture file to write")
    options = parser.parse_args(argv)
    if not options.out.parent.is_dir():
        parser.error(f"argument --out: there is no folder {options.out.parent}; make it first")
    shots, columns = SHEETS[options.what]
    found = list(shots())
    sheet(found, columns).save(options.out, quality=82)
    sys.stdout.write(f"{len(found)} pictures in {options.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

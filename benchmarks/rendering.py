"""Times of rendering, and sample pictures.

    python -m benchmarks.rendering [--blender] [--out docs/pictures]

Prints times of the `ray` renderer at 480x480: Blocksworld with a fixed camera, and a furnished room with a moving one.
With `--blender`, also of Blender (needs the `blender` extra). With `--out` it saves sample pictures too: those of the
documentation are in docs/pictures.
"""

from __future__ import annotations

import io
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

from PIL import Image

from benchmarks.options import at_least_one, parser
from benchmarks.room import STILL, room
from envs.blocksworld.scene import compose, draw
from envs.render import overlay, ray, snapshot
from envs.render.png import png
from envs.render.scene import Scene
from envs.render.tags import label
from envs.render.trace import Geometry
from models.pixels import perceive

STATES: dict[str, tuple[tuple[str, ...], ...]] = {
    "3 blocks, 4 columns": (("r", "b"), (), ("y",), ()),
    "5 blocks, 5 columns": (("o", "g"), (), ("r",), ("b", "y"), ()),
    "6 blocks, 4 columns": (("r", "b", "y"), ("g",), (), ("o", "p")),
    "6 blocks in one column": (("r", "b", "y", "g", "o", "p"), (), (), ()),
}


def timed(work: Callable[[], object], repeats: int) -> str:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return f"{min(times):6.1f} ms best  {statistics.median(times):6.1f} ms median of {repeats}"


@contextmanager
def stopwatch(spent: dict[str, float], *parts: tuple[Any, str, str]) -> Iterator[None]:
    """Sum the time spent in functions, given by module, name and title."""
    originals = [(home, name, getattr(home, name)) for home, name, _ in parts]

    def watched(function: Callable[..., Any], title: str) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*args, **options)
            finally:
                spent[title] += time.perf_counter() - start

        return call

    for (home, name, title), (_, _, function) in zip(parts, originals, strict=True):
        setattr(home, name, watched(function, title))
    try:
        yield
    finally:
        for home, name, function in originals:
            setattr(home, name, function)


def cold(seeds: Iterator[int]) -> None:
    draw(STATES["6 blocks, 4 columns"], next(seeds))


def times(repeats: int) -> None:
    seeds = iter(range(10_000, 20_000))
    cold(seeds)
    print(f"{'a new seed (cold)':28}{timed(lambda: cold(seeds), 8)}")
    for title, columns in STATES.items():
        draw(columns, 1)
        print(f"{title + ' (warm)':28}{timed(partial(draw, columns, 1), repeats)}")
    scene = compose(STATES["6 blocks, 4 columns"], 1)
    for threads in (1, 2):
        print(f"{f'without PNG, {threads} thread(s)':28}{timed(partial(ray.render, scene, threads=threads), repeats)}")
    frame = ray.render(scene)
    print(f"{'PNG':28}{timed(lambda: png(frame.rgb), repeats)}")
    picture = png(frame.rgb)
    print(f"{'reading it (model pixels)':28}{timed(lambda: perceive(picture), repeats)}")
    print(f"size of the file            {len(picture) / 1000:6.1f} kB")


def parts(repeats: int) -> None:
    """The parts of the time of a warm frame, on one thread."""
    scene, spent = compose(STATES["6 blocks, 4 columns"], 1), defaultdict[str, float](float)
    ray.render(scene)
    steps = [
        (Geometry, "first", "trace: first hits"),
        (Geometry, "blocked", "trace: shadow rays"),
        (overlay.Overlay, "_cover", "step: find blocks"),
        (overlay.Overlay, "_cast_shadows", "step: shadows"),
        (overlay.Overlay, "_feel", "step: openness"),
        (overlay.Overlay, "_borrow", "step: edges"),
        (overlay.Overlay, "paint", "step: shade"),
    ]
    with stopwatch(spent, *steps):
        for _ in range(repeats):
            ray.render(scene, threads=1)
    show(spent, repeats)


def walk(repeats: int) -> None:
    """A furnished room, with another viewpoint and moved things for each picture."""
    scenes = cycle([room(step, 25) for step in range(0, STILL, 5)])
    first = next(scenes)
    print(f"a room of {len(first.solids)} solids, {len(snapshot.Stage(first, 480, 480).geometry.owner) - 1} triangles")
    print(f"{'camera moved, 1 thread':28}{timed(lambda: ray.snapshot(next(scenes), threads=1), repeats)}")
    print(f"{'camera moved, 2 threads':28}{timed(lambda: ray.snapshot(next(scenes)), repeats)}")
    print(f"{'which solid where':28}{timed(lambda: ray.segment(next(scenes)), repeats)}")
    print(f"{'all solids new':28}{timed(lambda: anew(next(scenes)), min(repeats, 8))}")
    frame = ray.snapshot(room(28, 25))
    named = [name for name, count in frame.counts().items() if "_" in name and count > 20][:4]
    print(f"{f'{len(named)} names drawn in':28}{timed(lambda: label(frame.rgb, frame, named), repeats)}")
    print(f"{'PNG':28}{timed(lambda: png(frame.rgb), repeats)}")
    spent = defaultdict[str, float](float)
    with stopwatch(spent, *ROOM_STEPS):
        for _ in range(repeats):
            ray.snapshot(next(scenes), threads=1)
    show(spent, repeats)


def anew(scene: Scene) -> None:
    snapshot._still.cache_clear()
    snapshot._moving.cache_clear()
    ray.snapshot(scene)


ROOM_STEPS = [
    (Geometry, "met", "trace: first hits"),
    (Geometry, "blocked", "trace: shadow rays"),
    (snapshot.Stage, "__init__", "step: triangles"),
    (snapshot.Snapshot, "_trace", "step: find surfaces"),
    (snapshot.Snapshot, "_paint", "step: textures"),
    (snapshot.Snapshot, "_shade", "step: shadows"),
    (snapshot.Snapshot, "_feel", "step: openness"),
    (snapshot.Snapshot, "_light", "step: shade"),
    (snapshot.Snapshot, "_smooth", "step: edges"),
]


def show(spent: dict[str, float], repeats: int) -> None:
    for title, seconds in sorted(spent.items()):
        print(f"{title:28}{seconds / repeats * 1000:6.1f} ms")


def arrangement(chance: random.Random) -> tuple[tuple[str, ...], ...]:
    stacks: list[list[str]] = [[] for _ in range(chance.choice((3, 4, 5)))]
    for block in chance.sample("rgbypo", chance.choice((3, 5, 6))):
        chance.choice(stacks).append(block)
    return tuple(map(tuple, stacks))


def pictures(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "blocksworld_ray.png").write_bytes(draw(STATES["6 blocks, 4 columns"], 1))
    chance, sheet = random.Random(4), Image.new("RGB", (4 * 320, 3 * 320))
    for number in range(12):
        columns = STATES["6 blocks in one column"] if number == 5 else arrangement(chance)
        picture = Image.open(io.BytesIO(draw(columns, number, width=320, height=320)))
        sheet.paste(picture, (number % 4 * 320, number // 4 * 320))
    sheet.save(folder / "blocksworld_variations.png", optimize=True)
    (folder / "room_ray.png").write_bytes(png(ray.snapshot(room(28, 25)).rgb))
    print(f"pictures saved in {folder}")


def blender(folder: Path | None) -> None:
    from envs.blocksworld import blender

    columns = STATES["6 blocks, 4 columns"]
    print(f"{'Blender, first picture':28}{timed(lambda: blender.draw(columns, 1), 1)}")
    print(f"{'Blender, scene kept':28}{timed(lambda: blender.draw(columns, 1), 3)}")
    if folder:
        (folder / "blocksworld_blender.png").write_bytes(blender.draw(columns, 1))


def main() -> None:
    arguments = parser("rendering", __doc__)
    arguments.add_argument(
        "--repeats", type=at_least_one, default=20, metavar="N", help="pictures to time (default: 20)"
    )
    arguments.add_argument("--blender", action="store_true", help="also draw with Blender")
    arguments.add_argument("--out", type=Path, metavar="DIR", help="save sample pictures there (default: save none)")
    options = arguments.parse_args()
    times(options.repeats)
    parts(options.repeats)
    walk(options.repeats)
    if options.out:
        pictures(options.out)
    if options.blender:
        blender(options.out)


if __name__ == "__main__":
    main()

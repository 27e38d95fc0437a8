"""Small questions of ActionEQA with pictures of one colour."""

from __future__ import annotations

import io
from collections.abc import Sequence

from evals.actioneqa.entries import CONFIGURATIONS, Entry, Shot

HUES = ((200, 30, 30), (30, 200, 30), (30, 30, 200), (200, 200, 30), (30, 200, 200))
SIZES = {"bridge": (256, 16), "droid": (320, 16), "rt1": (320, 16)}
TEXTS = {
    "high": ("put the pot on the stove", "put the pan on the stove", "take the pot off", "open the drawer"),
    "mid": (
        "Move along positive X direction, Open gripper", "Move along positive X direction, Close gripper",
        "Move along negative X direction, Open gripper", "Move along negative X direction, Close gripper",
    ),
    "low": tuple(f"[0.{n}00, 0.000, 0.000, 20.000, 0.000, 0.000, 0.000]" for n in range(1, 5)),
}  # fmt: skip


def shot(source: str, number: int) -> Shot:
    """A picture of one colour, each view a little darker than the one before."""

    def drawn(views: Sequence[str]) -> bytes:
        from PIL import Image

        width, height = SIZES[source]
        image = Image.new("RGB", (width * len(views), height))
        for place, view in enumerate(views):
            shade = {"exo_1": 1.0, "exo_2": 0.8, "exo_3": 0.6, "exo_4": 0.4, "ego": 0.2}[view]
            colour = tuple(int(value * shade) for value in HUES[number])
            image.paste(colour, (place * width, 0, (place + 1) * width, height))
        out = io.BytesIO()
        image.save(out, "PNG")
        return out.getvalue()

    return drawn


def entry(name: str, number: int = 0) -> Entry:
    """A question of a configuration."""
    one = CONFIGURATIONS[name]
    right = number % 4
    if one.direction == "forward":
        action = TEXTS[one.level][right]
        candidates = [shot(one.source, place + 1) for place in range(4)]
        options = tuple(f"picture {place}" for place in range(2, 6))
        return Entry(f"{name}-{number:04d}", one, right, shot(one.source, 0), None, candidates, options, action)
    before, after = shot(one.source, 0), shot(one.source, right + 1)
    return Entry(f"{name}-{number:04d}", one, right, before, after, (), TEXTS[one.level])


def entries(each: int = 2, names: Sequence[str] = tuple(CONFIGURATIONS)) -> list[Entry]:
    return [entry(name, number) for name in names for number in range(each)]

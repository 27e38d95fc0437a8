"""Whether a second solver agrees with the key, and whether gates drop what they should and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from envs.arm import gates
from evals.actioneqa.data import recipes_of, world_of
from evals.pages.tables import Cell, Content, Table

if TYPE_CHECKING:
    from envs.arm.recipes import Recipe
    from envs.render.arrays import Bytes

BLUR = 4
"""The box filter for blurred copies reaches this many pixels to every side."""
DARK = 0.25
"""The share of its brightness that a dark copy keeps."""


def sampled(data: str, sample: int | None) -> list[Recipe]:
    """Some of our own questions, evenly spread; `ValueError` for other data."""
    recipes = list(recipes_of(data) or ())
    if not recipes:
        raise ValueError(f"{data} has none of our own questions")
    return recipes[:: max(1, len(recipes) // sample)][:sample] if sample else recipes


def solvers_table(data: str, sample: int | None, report: Callable[[str], None]) -> Table:
    """Answer each question by drawing all four outcomes and comparing their pixels with the question's pictures."""
    recipes = sampled(data, sample)
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    letters: Counter[str] = Counter()
    for number, recipe in enumerate(recipes, 1):
        every[recipe.configuration] += 1
        letters[f"{recipe.configuration} {recipe.answer}"] += 1
        right[recipe.configuration] += synthesis(recipe) == recipe.truth
        if number % 20 == 0:
            report(f"{number} of {len(recipes)} questions")
    rows: list[list[Content]] = [
        [name, count, right[name], *(letters[f"{name} {letter}"] for letter in "ABCD")] for name, count in every.items()
    ]
    rows.append(["all", every.total(), right.total(), *(
        sum(count for name, count in letters.items() if name.endswith(letter)) for letter in "ABCD")])  # fmt: skip
    heads = ["configuration", "questions", "synthesis right", "A", "B", "C", "D"]
    return Table.of("Solvers and letters", heads, rows, name="solvers")


def synthesis(recipe: Recipe) -> int | None:
    """The only outcome whose picture equals that of the truth; None if there are several.

    For state prediction the outcome of the action is drawn again and searched among the candidates. For action
    inference the outcomes of all actions are drawn again and compared with the picture after.
    """
    from envs.arm.worlds import World

    view = world_of(recipe).views[0]
    shown = world_of(recipe).rgb(view, recipe.truth)
    anew = World(recipe)
    same = [place for place in range(len(recipe.outcomes)) if np.array_equal(anew.rgb(view, place), shown)]
    return same[0] if len(same) == 1 else None


def gates_table(data: str, sample: int, report: Callable[[str], None]) -> Table:
    """The shares of clean frames and of blurred, dark and covered copies that the gates drop."""
    dropped: Counter[str] = Counter()
    recipes = sampled(data, sample)
    for number, recipe in enumerate(recipes, 1):
        world = world_of(recipe)
        view = world.views[0]
        frames = [world.rgb(view, when) for when in ("before", 0, 1, 2, 3)]
        sharp = [gates.sharpness(frame) for frame in frames]
        own = frames[recipe.truth + 1]
        dropped["clean"] += _bad(own, sharp) or _hidden(recipe, 0)
        dropped["blurred"] += _bad(blurred(own), sharp)
        dropped["dark"] += _bad((own * DARK).astype(np.uint8), sharp)
        dropped["covered"] += _hidden(recipe, 1)
        if number % 20 == 0:
            report(f"{number} of {len(recipes)} frames")
    rows: list[list[Content]] = [
        [name, len(recipes), Cell(f"{dropped[name] / len(recipes):.3f}", dropped[name] / len(recipes))]
        for name in ("clean", "blurred", "dark", "covered")
    ]
    return Table.of("Frames that gates drop", ["copies", "frames", "dropped"], rows, name="gates")


def _bad(frame: Bytes, sharp: Sequence[float]) -> bool:
    return gates.blurred(gates.sharpness(frame), sharp) or gates.badly_lit(frame)


def _hidden(recipe: Recipe, covered: int) -> bool:
    """Whether too little of the gripper shows; with `covered` only a fifth of its visible pixels counts."""
    world = world_of(recipe)
    view = world.views[0]
    visible = int(world.mask(view, recipe.truth).sum())
    return gates.gripper_hidden(visible // 5 if covered else visible, visible, world.size[1])


def blurred(frame: Bytes, side: int = BLUR) -> Bytes:
    """The picture, each pixel the mean of a box around it."""
    padded = np.pad(frame.astype(np.float64), ((side, side), (side, side), (0, 0)), mode="edge")
    sums = padded.cumsum(axis=0).cumsum(axis=1)
    sums = np.pad(sums, ((1, 0), (1, 0), (0, 0)))
    height, width = frame.shape[:2]
    size = 2 * side + 1
    boxes = (
        sums[size : size + height, size : size + width] - sums[:height, size : size + width]
        - sums[size : size + height, :width] + sums[:height, :width]
    )  # fmt: skip
    found: Bytes = (boxes / size**2).astype(np.uint8)
    return found

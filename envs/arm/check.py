"""Verify the frozen questions: states by a second model of each arm, every gate, letters, cells, and pictures."""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from envs.arm import second
from envs.arm.arms import ARM_OF
from envs.arm.labels import named, selected, unclear
from envs.arm.recipes import Moment, Recipe, core, written
from envs.arm.states import wrapped
from envs.arm.worlds import World

_PLACE, _ANGLE = 2e-5, 2e-3
"""The tolerances between the two models of an arm, in metres and degrees."""
SHOWN = 2
"""The number of questions of each configuration whose pictures are compared bit by bit."""
_HASHES = Path(__file__).parent / "core.json"


def check(only: str = "", again: int = 2) -> int:
    """Print the faults of the frozen set; 0 if there are none."""
    recipes = [recipe for recipe in core() if only in recipe.configuration]
    faults = list(_faults(recipes, again))
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(f"{len(recipes)} questions, {len(faults)} faults\n")
    return 1 if faults else 0


def _faults(recipes: Sequence[Recipe], again: int) -> Iterator[str]:
    known = json.loads(_HASHES.read_text())
    for name, group in groupby(recipes, key=lambda recipe: recipe.configuration):
        mine = list(group)
        sys.stderr.write(f"{name}\n")
        yield from unbalanced(mine)
        for recipe in mine:
            yield from (f"{recipe.id}: {fault}" for fault in faults_of(recipe))
            yield from (f"{recipe.id}: {gate}" for gate in gates_of(recipe))
        for recipe in mine[:SHOWN]:
            if picture_hashes(recipe) != known["pictures"][recipe.id]:
                yield f"{recipe.id}: its pictures are not bit for bit those of the frozen set"
        yield from _made_again(mine, known["seed"], again)


def unbalanced(recipes: Sequence[Recipe]) -> Iterator[str]:
    """Letters and cells of factors whose counts differ by more than one."""
    name = recipes[0].configuration
    letters = Counter(recipe.truth for recipe in recipes)
    cells = Counter(recipe.outcomes[recipe.truth].bits for recipe in recipes)
    for what, counts in (("letters", letters), ("cells", cells)):
        if len(counts) < 4 or max(counts.values()) - min(counts.values()) > 1:
            yield f"{name}: {what} of the truth are not balanced: {dict(counts)}"


def faults_of(recipe: Recipe) -> Iterator[str]:
    """What is wrong with the words and numbers of a question."""
    for moment in (recipe.before, *(outcome.after for outcome in recipe.outcomes)):
        yield from () if recipe.arm else _misplaced(ARM_OF[recipe.source], moment)
    if len({recipe.text(k) for k in range(4)}) < 4:
        yield "two options read the same"
    if sorted(outcome.bits for outcome in recipe.outcomes) != [(0, 0), (0, 1), (1, 0), (1, 1)]:
        yield "its options are not the four combinations of two factors"
    if recipe.level == "high":
        return
    for number in range(4):
        motion = recipe.motion(number)
        if not selected(motion, recipe.source):
            yield f"option {number} moves too little"
        if recipe.level == "mid" and (
            named(motion, recipe.source) != recipe.dimensions or unclear(motion, recipe.source)
        ):
            yield f"option {number} would be named otherwise"


def _misplaced(arm: str, moment: Moment) -> Iterator[str]:
    other = second.state(arm, moment.joints, moment.state.opening)
    way = max(abs(a - b) for a, b in zip(other[:3], moment.state[:3], strict=True))
    turn = max(abs(wrapped(a - b)) for a, b in zip(other[3:6], moment.state[3:6], strict=True))
    if way > _PLACE or turn > _ANGLE:
        yield f"a state is {way:.5f} m and {turn:.4f} degrees from that of the second model"


def gates_of(recipe: Recipe) -> Iterator[str]:
    """The gates that the set of a question does not pass."""
    from envs.arm.sets import refusal

    found = refusal(recipe)
    if found:
        yield found


def picture_hashes(recipe: Recipe) -> list[str]:
    """The hashes of two pictures of a question: before and the right one, first view."""
    world = World(recipe)
    return [hashlib.sha256(world.picture(world.views[0], when)).hexdigest() for when in ("before", recipe.truth)]


def _made_again(recipes: Sequence[Recipe], seed: int, count: int) -> Iterator[str]:
    """Sets that differ when they are made again from the seed."""
    from envs.arm.sets import fresh

    if not count:
        return
    first = recipes[0]
    made = fresh((first.source, first.level, first.direction), seed, count, pictures=True)
    for old, new in zip(recipes, made, strict=False):
        if _set(old) != _set(new):
            yield f"{old.id}: made again from its seed it is another set"


def _set(recipe: Recipe) -> tuple[object, ...]:
    """A set without its truth and letters, which depend on how many questions there are."""
    outcomes = sorted(recipe.outcomes, key=lambda outcome: outcome.bits)
    return recipe.scene, recipe.setting, recipe.before, recipe.factors, tuple(outcomes), recipe.dimensions


def freeze(recipes: Sequence[Recipe], seed: int, folder: Path) -> None:
    """Write a set as the frozen one."""
    shown = [
        recipe
        for _, group in groupby(recipes, key=lambda recipe: recipe.configuration)
        for recipe in list(group)[:SHOWN]
    ]
    (folder / "core.jsonl.gz").write_bytes(written(recipes))
    hashes = {recipe.id: picture_hashes(recipe) for recipe in shown}
    (folder / "core.json").write_text(json.dumps({"seed": seed, "pictures": hashes}, indent=1) + "\n")

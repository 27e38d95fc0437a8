"""Load questions: our own recipes, files in the published form, or recipes with published distractors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from envs.arm.reading import AI_DECIMALS, mid_of, signs_of
from evals.actioneqa import distractors
from evals.actioneqa.entries import CONFIGURATIONS, Configuration, Entry
from evals.actioneqa.hub import PublishedData, read_hub
from evals.actioneqa.settings import CORE

if TYPE_CHECKING:
    from envs.arm.recipes import Recipe
    from envs.arm.worlds import When, World

RECIPES = "recipes.jsonl.gz"
_DIRECTION = {"sp": "forward", "ai": "inverse"}


def load(data: str, wanted: Sequence[Configuration]) -> tuple[PublishedData, dict[str, Recipe]]:
    """The questions, and the recipes of those that are our own, by id."""
    recipes = recipes_of(data)
    if recipes is None:
        return read_hub(data, wanted), {}
    chosen = [recipe for recipe in recipes if configuration_of(recipe) in wanted]
    return PublishedData(tuple(map(entry_of, chosen)), ()), {recipe.id: recipe for recipe in chosen}


def recipes_of(data: str) -> Sequence[Recipe] | None:
    """The recipes of the frozen set or of a folder with recipes; None for data in another form."""
    from envs.arm import recipes

    if data == CORE:
        return recipes.core()
    path = Path(data)
    file = path if path.name.endswith(".jsonl.gz") else path / RECIPES
    return recipes.load(file) if file.is_file() else None


def configuration_of(recipe: Recipe) -> Configuration:
    """The configuration that a recipe belongs to."""
    return CONFIGURATIONS[f"{recipe.source}_{recipe.level}_{_DIRECTION[recipe.direction]}"]


def entry_of(recipe: Recipe) -> Entry:
    """The question of a recipe. Its pictures are drawn when they are looked at."""
    forward = recipe.direction == "sp"
    places = range(len(recipe.outcomes))
    return Entry(
        recipe.id,
        configuration_of(recipe),
        recipe.truth,
        partial(_drawn, recipe, "before"),
        None if forward else partial(_drawn, recipe, recipe.truth),
        [partial(_drawn, recipe, place) for place in places] if forward else (),
        tuple(f"picture {place + 2}" for place in places) if forward else tuple(map(recipe.text, places)),
        recipe.text(recipe.truth) if forward else "",
        scene=f"{recipe.source} {recipe.scene}",
        factors=tuple(" ".join((factor.kind, *factor_axes(factor.kind, factor.about))) for factor in recipe.factors),
        bits=tuple(outcome.bits for outcome in recipe.outcomes),
    )


def factor_axes(kind: str, about: Sequence[str]) -> tuple[str, ...]:
    """The axes that a factor is about; none at the high level, where `about` holds the two values."""
    return tuple(sorted(about)) if kind in ("opposite", "absent", "exchanged", "sign") else ()


def _drawn(recipe: Recipe, moment: When, views: Sequence[str]) -> bytes:
    return world_of(recipe).strip(tuple(views), moment)


@lru_cache(maxsize=64)
def _world(recipe: Recipe) -> World:
    from envs.arm.worlds import World

    return World(recipe)


def world_of(recipe: Recipe) -> World:
    """The scene of a recipe; the most recently used ones are cached."""
    return _world(recipe)


def with_official_distractors(entries: Sequence[Entry], recipes: dict[str, Recipe], seed: int) -> tuple[Entry, ...]:
    """Action inference of our own recipes with options by the published rules, in shuffled order.

    The high level takes instructions of other questions, as no model is asked here.
    """
    pool: defaultdict[Configuration, list[str]] = defaultdict(list)
    for entry in entries:
        pool[entry.configuration].append(entry.true_action)
    found = []
    for entry in entries:
        if entry.forward:
            continue
        if entry.id not in recipes:
            raise ValueError("--distractors official is for our own questions: published ones have theirs")
        dice = Random(f"{seed} {entry.id}")
        try:
            options = official_options(entry, recipes[entry.id], pool[entry.configuration], dice)
        except distractors.NoDistractors:
            continue  # the published pipeline drops a pair without distractors, too
        order = dice.sample(range(len(options)), len(options))
        shuffled = tuple(options[place] for place in order)
        found.append(replace(entry, options=shuffled, right=order.index(0), factors=(), bits=()))
    return tuple(found)


def official_options(entry: Entry, recipe: Recipe, pool: Sequence[str], dice: Random) -> list[str]:
    """The true action and three distractors by the published rules, the truth first."""
    motion = recipe.motion(recipe.truth)
    match entry.configuration.level:
        case "high":
            return [entry.true_action, *distractors.other_instructions(entry.true_action, pool, dice)]
        case "mid":
            signs = signs_of(motion, recipe.source)
            return [mid_of(signs), *map(mid_of, distractors.mid_distractors(signs, dice))]
    from envs.arm.labels import low_label

    return [low_label(one, AI_DECIMALS) for one in (motion, *distractors.low_distractors(motion, dice))]

"""Our own questions of ERQA-Plus: multiple choice with four options, by sub-type, from families about our homes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from evals.erqa_diagnostic.quotas import PARTS, Part
from evals.erqa_diagnostic.taxonomy import FAMILY_OF
from evals.families import family
from evals.families.base import TYPES, Recipe
from evals.families.generate import generate
from evals.families.spots import spots_of
from evals.families.trimming import trimmed
from models.base import Kind
from planners.names import unknown

OPTIONS = 4
SEEDS = 2_000_000
"""Part of the seed, so that the scenes differ from those of ERQA+ and ERQA."""


def make(only: str | None, *, seed: int, **options: Any) -> list[Recipe]:
    """The questions of one part, or of all: each with its sub-type and family as tags."""
    if only is not None and only not in PARTS:
        raise unknown("part of the set", only, PARTS)
    return [recipe for name in ([only] if only else PARTS) for recipe in _part(name, PARTS[name], seed, options)]


def _part(name: str, part: Part, seed: int, options: dict[str, Any]) -> list[Recipe]:
    quotas = {family(part.family).sub_category: {TYPES[0]: part.count}}
    tags = {"category": FAMILY_OF[part.sub_type], "sub_category": part.sub_type}
    made = generate(quotas, seed + SEEDS, change=_change(part), **options)
    found = trimmed(made, OPTIONS, Random(f"{name} {seed}"), spots_of)
    return [
        replace(recipe, id=f"{name}_{number:04}", tags={**recipe.tags, **tags})
        for number, recipe in enumerate(found, 1)
    ]


def _change(part: Part) -> Callable[[Recipe], Recipe | None]:
    """A filter: only questions with the words of the part, one right option, and at least four options."""

    def change(recipe: Recipe) -> Recipe | None:
        if part.words and not any(word in recipe.text for word in part.words):
            return None
        if recipe.kind is not Kind.CHOICE or len(recipe.options) < OPTIONS:
            return None
        return _offering(recipe, part.options) if part.options else recipe

    return change


def _offering(recipe: Recipe, options: tuple[str, ...]) -> Recipe | None:
    """The recipe with only some of its options; None if the right one is not among them."""
    right = recipe.options[recipe.answer[0]]
    kept = tuple(option for option in recipe.options if option in options)
    return replace(recipe, options=kept, answer=(kept.index(right),)) if right in kept else None

"""A few of the embedded questions: the first ones of a family and a kind."""

from __future__ import annotations

from functools import cache

from evals.erqa_plus.benchmark import BENCHMARK
from evals.families import recipes
from evals.families.base import Recipe
from models.base import Kind


@cache
def of_family(family: str) -> tuple[Recipe, ...]:
    return tuple(recipes.read(BENCHMARK.recipes / f"{family}{recipes.SUFFIX}"))


def some(family: str, kind: Kind, count: int, words: str = "") -> list[Recipe]:
    """So many questions whose text has some words."""
    found = [recipe for recipe in of_family(family) if recipe.kind is kind and words in recipe.text]
    return found[:count]

"""Our own questions of ERQA: the multiple-choice ones of the families of ERQA+, with four options each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from random import Random
from typing import Any

from evals.erqa.quotas import CATEGORIES, quotas
from evals.families.base import Recipe
from evals.families.generate import generate, of_family
from evals.families.spots import spots_of
from evals.families.trimming import trimmed
from models.base import Kind

OPTIONS = 4
SEEDS = 1_000_000
"""Scenes of the same seed are others than those of ERQA+."""


def make(only: str | None, *, seed: int, **options: Any) -> list[Recipe]:
    """The questions, each with the category that it stands for."""
    made = generate(of_family(quotas(), only), seed + SEEDS, change=with_choice, **options)
    wanted = {
        sub: [category for category, parts in CATEGORIES.items() for _ in range(parts.get(sub, 0))] for sub in quotas()
    }
    return [
        replace(recipe, tags={**recipe.tags, "category": wanted[recipe.sub_category].pop()})
        for name, some in groupby(made, key=lambda recipe: recipe.family)
        for recipe in trimmed(list(some), OPTIONS, Random(f"{name} {seed}"), spots_of)
    ]


def with_choice(recipe: Recipe) -> Recipe | None:
    """The question, if it has one right option of at least four."""
    return recipe if recipe.kind is Kind.CHOICE and len(recipe.options) >= OPTIONS else None


def counts() -> Mapping[str, int]:
    """How many questions each category has."""
    return {category: sum(parts.values()) for category, parts in CATEGORIES.items()}

"""Our own questions of ERQA: the multiple-choice ones of the families of ERQA+, with four options each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from evals.erqa.quotas import CATEGORIES, quotas
from evals.families.base import Recipe
from evals.families.generate import generate, of_family
from evals.families.rules import shuffled
from models.base import Kind

OPTIONS = 4
SEEDS = 1_000_000
"""Scenes of the same seed are others than those of ERQA+."""


def make(only: str | None, *, seed: int, **options: Any) -> list[Recipe]:
    """The questions, each with the category that it stands for."""
    found = generate(of_family(quotas(), only), seed + SEEDS, change=trimmed, **options)
    wanted = {
        sub: [category for category, parts in CATEGORIES.items() for _ in range(parts.get(sub, 0))] for sub in quotas()
    }
    return [replace(recipe, tags={**recipe.tags, "category": wanted[recipe.sub_category].pop()}) for recipe in found]


def trimmed(recipe: Recipe) -> Recipe | None:
    """The question with four of its options, the right one among them; None if it has not one right option of four."""
    if recipe.kind is not Kind.CHOICE or len(recipe.options) < OPTIONS:
        return None
    right = recipe.answer[0]
    others = [number for number in range(len(recipe.options)) if number != right]
    kept = sorted([right, *shuffled(others, Random(f"{recipe.text} {recipe.options}"))[: OPTIONS - 1]])
    return replace(recipe, options=tuple(recipe.options[number] for number in kept), answer=(kept.index(right),))


def counts() -> Mapping[str, int]:
    """How many questions each category has."""
    return {category: sum(parts.values()) for category, parts in CATEGORIES.items()}

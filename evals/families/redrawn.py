"""Checks that pictures have the same bytes in every process, by drawing each in two new processes."""

from __future__ import annotations

import hashlib
import multiprocessing
from collections.abc import Sequence
from typing import Any

from evals.families.base import Recipe, from_json, picture, to_json


def redrawn(recipes: Sequence[Recipe]) -> tuple[int, list[str]]:
    """The number of pictures, and the names of those whose bytes differ between two processes."""
    ordered = sorted(recipes, key=lambda recipe: (recipe.situation.home, recipe.id))
    first, second = (_in_new_process([to_json(recipe) for recipe in ordered]) for _ in range(2))
    return len(first), [name for name in first if first[name] != second[name]]


def _in_new_process(entries: list[dict[str, Any]]) -> dict[str, str]:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return {name: digest for part in pool.imap(_digests, entries) for name, digest in part.items()}


def _digests(entry: dict[str, Any]) -> dict[str, str]:
    """Hashes of the pictures of a recipe by their names."""
    recipe = from_json(entry)
    pictures = ((number, picture(recipe, number)) for number in range(len(recipe.shots)))
    return {f"{recipe.id}/{number}": hashlib.sha256(png).hexdigest() for number, png in pictures}

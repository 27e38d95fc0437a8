"""ERQA: 400 questions with four options about what a robot sees, in eight categories.

The embedded questions are our own, about our homes, and every answer is computed. There are as many of each category as
in the published set, which `--data` reads where a user has it.
"""

from __future__ import annotations

from pathlib import Path

from evals.erqa.data import FORM
from evals.erqa.settings import ErqaSettings
from evals.families.sets import RecipeSet


class Erqa(RecipeSet):
    """The benchmark."""

    name = "erqa"
    settings = ErqaSettings
    recipes = Path(__file__).parent / "recipes"
    form = FORM


BENCHMARK = Erqa()

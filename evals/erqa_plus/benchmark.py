"""ERQA+: 800 questions about what a robot sees, in eleven sub-categories and six types.

The embedded questions are our own, about our homes, and every answer is computed. There are as many of each
sub-category and type as in the published set, which `--data` reads where a user has it.
"""

from __future__ import annotations

from pathlib import Path

from evals.erqa_plus.data import FORM
from evals.erqa_plus.settings import ErqaPlusSettings
from evals.families.sets import RecipeSet


class ErqaPlus(RecipeSet):
    """The benchmark."""

    name = "erqa_plus"
    settings = ErqaPlusSettings
    recipes = Path(__file__).parent / "recipes"
    form = FORM
    levels = {  # noqa: RUF012 - as the base class has it
        "Spatial Reasoning": "spatial",
        "Perception": "perception",
        "Planning": "planning",
        "Prediction": "prediction",
    }


BENCHMARK = ErqaPlus()

"""ERQA-Plus: 1,766 questions with four options in twelve sub-types of five families, each also open-ended.

The embedded questions are our own, about our homes, and every answer is computed. There are as many of each sub-type as
in the published set, which `--data` reads where a user has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evals.erqa_diagnostic.data import FORM
from evals.erqa_diagnostic.open_answers import MEASURES, encoder, marking, opened
from evals.erqa_diagnostic.settings import ErqaDiagnosticSettings
from evals.erqa_diagnostic.taxonomy import FAMILY_OF
from evals.families.sets import RecipeSet
from evals.judges.question import JUDGING, Marking
from evals.questions.sets import Item
from evals.run.judging import Judging

OPEN = "open"


class ErqaDiagnostic(RecipeSet):
    """The benchmark."""

    name = "erqa_diagnostic"
    settings = ErqaDiagnosticSettings
    recipes = Path(__file__).parent / "recipes"
    form = FORM
    dimensions = {  # noqa: RUF012 - as the base class has it
        "category": "family",
        "sub_category": "sub-type",
        "pictures": "number of pictures",
    }

    def items(self, settings: Any) -> Sequence[Item]:
        """The questions of the chosen family or sub-type, with options or open-ended."""
        found = super().items(settings)
        return [opened(item) for item in found] if settings.mode == OPEN else found

    def judging(self, settings: Any) -> Judging:
        """Open answers have measures of their own."""
        found = super().judging(settings)
        return replace(found, measures=(*JUDGING.measures, *MEASURES)) if settings.mode == OPEN else found

    def check(self, settings: Any) -> None:
        """Check that open answers have their sentence encoder, before any question is asked."""
        super().check(settings)
        if settings.mode == OPEN:
            encoder()

    def _marking(self, item: Item, settings: Any) -> Marking:
        return marking(item) if settings.mode == OPEN else super()._marking(item, settings)

    def _levelled(self, item: Item) -> Item:
        """The question with its family as split and, where it is known, its sub-type as level."""
        sub_type = item.tags.get("sub_category", "")
        family = FAMILY_OF.get(sub_type, item.tags.get("category", sub_type))
        level = sub_type.lower() if sub_type in FAMILY_OF else ""
        return replace(item, split=family, level=level, tags={**item.tags, "category": family})


BENCHMARK = ErqaDiagnostic()

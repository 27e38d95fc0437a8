"""Temporal reasoning: the order of pictures, as a choice of four.

The pictures come from two other families with sorting questions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import permutations
from random import Random

from evals.families import multiview, state
from evals.families.activity import FILLED
from evals.families.base import LETTERS, Answer, Recipe, orders
from evals.families.rules import shuffled
from evals.families.standpoints import DRIVE
from models.base import Kind

SUB_CATEGORY = "Temporal order"
OPTIONS = 4
_TEXTS = {
    FILLED: "A robot put one object after another on top of others. In which order were the pictures taken?",
    DRIVE: "A robot drove straight ahead and took these pictures on its way. In which order were they taken?",
}
"""The text of a question, by the text of the other family."""


class Frames:
    """The family of questions about orders of pictures."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions from the other families that are about time."""
        if "multiple-choice" not in types:
            return
        source = dice.choice((state.FAMILY, multiview.FAMILY))
        for recipe in source.propose(dice, frozenset({"sorting"})):
            if recipe.text in _TEXTS and recipe.kind is Kind.ORDER and len(orders(recipe.answer)) == 1:
                yield _asked(recipe, dice)

    def verify(self, recipe: Recipe) -> Answer:
        """The order that the other family verifies."""
        source = state.FAMILY if recipe.proof["family"] == "state" else multiview.FAMILY
        (text,) = (text for text, ours in _TEXTS.items() if ours == recipe.text)
        names = tuple(f"picture {number}" for number in range(1, len(recipe.shots) + 1))
        sorted_ = replace(recipe, family=recipe.proof["family"], kind=Kind.ORDER, text=text, options=names)
        return (recipe.options.index(_order_text(source.verify(sorted_))),)


def _asked(recipe: Recipe, dice: Random) -> Recipe:
    """The same pictures, with the right order among three random others."""
    right = tuple(recipe.answer)
    others = [order for order in permutations(range(len(right))) if order != right]
    options = tuple(map(_order_text, shuffled([right, *dice.sample(others, OPTIONS - 1)], dice)))
    return replace(
        recipe, family="frames", sub_category=SUB_CATEGORY, kind=Kind.CHOICE, text=_TEXTS[recipe.text], options=options,
        answer=(options.index(_order_text(right)),), proof={**recipe.proof, "family": recipe.family},
    )  # fmt: skip


def _order_text(order: Answer) -> str:
    assert all(number < len(LETTERS) for number in order)
    return ", ".join(str(number + 1) for number in order)


FAMILY = Frames()

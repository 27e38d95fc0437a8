"""Recipes as known to programs that do not see pictures: words, positions of marks, and pixels of marked things.

The input of shortcut programs and filters (`evals/questions`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import permutations
from typing import Any

from evals.families.base import LETTERS, Recipe, entry_of, from_json, orders, to_json
from evals.families.generate import runner
from evals.families.sets import GUESSED_COUNT, item_of
from evals.families.spots import spots_of
from evals.questions.known import Known, marks_in
from models.base import Kind
from tools.events import Value

_ORDERED = 8
"""The most marks whose orders are enumerated."""


def known(recipes: Sequence[Recipe], workers: int = 1) -> list[Known]:
    """The known information of each recipe, in order. Pixels are counted in pictures, grouped by home."""
    order = sorted(range(len(recipes)), key=lambda number: (recipes[number].situation.home, number))
    with ExitStack() as stack:
        run = runner(workers, stack)
        found = dict(zip(order, run(_known, [to_json(recipes[number]) for number in order]), strict=True))
    return [found[number] for number in range(len(recipes))]


def known_of(recipe: Recipe) -> Known:
    """The known information of a recipe."""
    item = item_of(recipe)
    spots, anchor = spots_of(recipe)
    found = Known(
        id=recipe.id,
        kind=recipe.kind,
        text=recipe.text,
        answer=item.answer,
        options=recipe.options,
        items=recipe.items,
        spots=spots,
        anchor=anchor,
        scene=recipe.situation.home,
        tags=dict(entry_of(recipe)["tags"]),
        also=_also(recipe),
    )
    return replace(found, chance=chance(found))


def chance(question: Known) -> float | None:
    """The success rate of the best guess from the words; None if the form determines it.

    Statements about pairs of marks depend on each other: "1 before 2" and "2 before 3" settle "1 before 3". A matching
    in which each option is used once is an order of the options.
    """
    answer, options = question.answer, len(question.options)
    match question.kind:
        case Kind.NUMBER:
            return GUESSED_COUNT
        case Kind.CHOICES:
            return 1 / ((1 << options) - 2)
        case Kind.ORDER if isinstance(answer, tuple):
            return (1 + len(question.also)) / math.perm(options, len(answer))
        case Kind.MATCHING if isinstance(answer, tuple) and len(set(answer)) == len(answer) <= options:
            return 1 / math.perm(options, len(answer))
        case Kind.JUDGEMENTS:
            return _chance_of_pairs(question)
    return None


def _chance_of_pairs(question: Known) -> float | None:
    """The share of orders of the marks that agree with the likeliest judgements; None if not about pairs."""
    names = {spot: name for name, spot in question.spots.items()}
    pairs = [[names[spot] for spot in marks_in(question, statement)] for statement in question.options]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        return None
    marks = sorted({name for pair in pairs for name in pair})
    if len(marks) > _ORDERED:
        return None
    patterns = Counter(
        tuple(order.index(first) < order.index(second) for first, second in pairs) for order in permutations(marks)
    )
    return max(patterns.values()) / patterns.total()


def _known(entry: dict[str, Any]) -> Known:
    return known_of(from_json(entry))


def _also(recipe: Recipe) -> tuple[Value, ...]:
    """Further right answers: other orders and other words."""
    if recipe.kind is Kind.ORDER:
        return tuple(tuple(LETTERS[place] for place in order) for order in orders(recipe.answer)[1:])
    if recipe.kind is not Kind.TEXT or len(recipe.answer) != 1:
        return ()
    return tuple(str(word) for word in recipe.answer[0][1:])

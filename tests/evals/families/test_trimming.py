"""Four options of many: neither an option's words nor the place of its mark is right more often than it is offered."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from evals.erqa.embedded import with_choice
from evals.families.base import Recipe
from evals.families.trimming import Spots, trimmed
from evals.questions.known import Spot
from models.base import Kind
from tests.evals.families.toys import toy

WAYS = ("ahead", "behind", "to the left", "to the right", "upwards", "downwards", "round", "nowhere")


def blind(recipe: Recipe) -> Spots:
    return {}, None


def choices(rights: list[int]) -> list[Recipe]:
    return [toy(Kind.CHOICE, "Where did it go?", (right,), options=WAYS) for right in rights]


def test_an_option_is_offered_about_four_times_as_often_as_it_is_right() -> None:
    made = choices([0] * 12 + [1] * 8 + [2] * 6 + [3] * 6 + [4] * 4 + [5] * 4)
    found = trimmed(made, 4, Random(1), blind)
    right = Counter(recipe.options[recipe.answer[0]] for recipe in found)
    offered = Counter(option for recipe in found for option in recipe.options)
    assert right == dict(zip(WAYS, (12, 8, 6, 6, 4, 4), strict=False))
    for way in WAYS[1:6]:
        assert 3 <= offered[way] / right[way] <= 6, way
    assert offered["ahead"] == 40, "it is right in 12 of 40, and can be offered no more often"


def test_every_question_keeps_its_answer_and_its_place() -> None:
    made = choices([k % 8 for k in range(24)])
    found = trimmed(made, 4, Random(2), blind)
    for before, after in zip(made, found, strict=True):
        assert after.options[after.answer[0]] == before.options[before.answer[0]]
        assert len(set(after.options)) == 4
        assert set(after.options) <= set(before.options)
    assert set(Counter(recipe.answer[0] for recipe in found).values()) == {6}
    assert trimmed(made, 4, Random(2), blind) == found


def test_the_largest_mark_is_right_as_often_as_others() -> None:
    """In half of the questions the right mark is the second largest: with the largest left out it would be that."""
    marks = tuple(f"the object marked {number}" for number in range(1, 7))
    areas = {str(number): Spot(90.0 * number, 50.0 * (number % 3), 100.0 - number) for number in range(1, 7)}
    rights = [1] * 20 + [5] * 20
    made = [toy(Kind.CHOICE, "Which is nearest?", (right,), options=marks) for right in rights]
    found = trimmed(made, 4, Random(3), lambda recipe: (areas, None))
    first = [min(recipe.options) == recipe.options[recipe.answer[0]] for recipe in found]
    assert sum(first) <= 12
    assert sum("the object marked 1" in recipe.options for recipe in found) >= 8


@pytest.mark.parametrize(
    ("kind", "options", "answer", "kept"),
    [
        (Kind.CHOICE, WAYS, (0,), True),
        (Kind.CHOICE, WAYS[:4], (3,), True),
        (Kind.CHOICE, WAYS[:3], (0,), False),
        (Kind.CHOICES, WAYS, (0, 1), False),
        (Kind.ORDER, WAYS, tuple(range(8)), False),
    ],
)
def test_questions_with_one_right_option_of_four_are_wanted(
    kind: Kind, options: tuple[str, ...], answer: tuple[int, ...], kept: bool
) -> None:
    recipe = replace(toy(kind, "?", answer, options=options))
    assert with_choice(recipe) == (recipe if kept else None)

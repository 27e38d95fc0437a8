"""What things are: answers against the kinds of the things that marks are on, and what shows at all."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from evals.families import rules
from evals.families.base import TYPES, Recipe, moment_of, view_of
from evals.families.generate import proposals
from evals.families.objects import FAMILY, NAMED, _confusable
from evals.families.words import noun
from models.base import Kind


@cache
def _proposed() -> list[Recipe]:
    return proposals("objects", 0, 0, TYPES)


@pytest.mark.slow
def test_a_scene_has_questions_of_all_types() -> None:
    assert {recipe.kind for recipe in _proposed()} >= {Kind.CHOICE, Kind.MATCHING, Kind.JUDGEMENTS, Kind.NUMBER}


@pytest.mark.slow
def test_things_match_the_kinds_their_marks_are_on() -> None:
    recipe = next(recipe for recipe in _proposed() if recipe.kind is Kind.MATCHING)
    things = rules.marked_things(recipe, view_of(recipe))
    for item, number in zip(recipe.items, recipe.answer, strict=True):
        assert noun(things[item.split()[-1]].rpartition("_")[0]) == recipe.options[number]


@pytest.mark.slow
def test_what_is_not_named_does_not_show() -> None:
    recipe = next(recipe for recipe in _proposed() if recipe.text == "Which of these is in the picture?")
    moment, right = moment_of(recipe), recipe.options[recipe.answer[0]]
    shown = {noun(moment.thing(name).kind) for name in view_of(recipe).seen}
    assert [option for option in recipe.options if option.partition(" ")[2] in shown] == [right]


@pytest.mark.slow
def test_a_wrong_answer_is_noticed() -> None:
    recipe = next(recipe for recipe in _proposed() if recipe.kind is Kind.CHOICE)
    wrong = replace(recipe, answer=((recipe.answer[0] + 1) % len(recipe.options),))
    assert FAMILY.verify(wrong) == recipe.answer != wrong.answer


@pytest.mark.parametrize(("kind", "shown"), [("apple", "ball"), ("bucket", "trash_can"), ("pillow", "bed")])
def test_absence_is_not_asked_where_something_alike_shows(kind: str, shown: str) -> None:
    assert kind in NAMED
    assert _confusable(kind, {shown, "doorway"})
    assert not _confusable(kind, {"saucepan", "doorway"})

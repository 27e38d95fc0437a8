"""Counts against a computation of the test's own: contacts, and the pixels that each picture shows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from evals.families.base import Recipe, moment_of, view_of
from evals.families.generate import proposals, verify
from evals.families.words import plural
from models.base import Kind
from tests.evals.families.frozen import of_family, some


def seen(recipe: Recipe) -> list[str]:
    """Everything that one of the pictures shows clearly."""
    views = [view_of(recipe, number) for number in range(len(recipe.shots))]
    return [name for name in moment_of(recipe).movables if any(view.clear(name) for view in views)]


def counted(recipe: Recipe) -> int:
    """The answer to a count, from what touches what."""
    moment, text = moment_of(recipe), recipe.text.rpartition(". ")[2]
    place = next((word for word in ("table", "workbench") if f"on the {word}" in text), None)
    names = [name for name in seen(recipe) if place is None or str(moment.support_of(name)).rpartition("_")[0] == place]
    kinds = Counter(plural(moment.thing(name).kind) for name in names)
    what = text.removeprefix("How many ").partition(" ")[0]
    if " are not " in text:
        return len(names) - kinds[text.rstrip("?").rpartition(" are not ")[2]]
    return len(names) if what == "objects" else kinds[what]


@pytest.mark.parametrize(
    "words",
    [
        "The two pictures",
        *(pytest.param(words, marks=pytest.mark.slow) for words in ("are on the", "in the picture", "are not")),
    ],
)
def test_counts_are_those_of_what_touches_what(words: str) -> None:
    found = some("counting", Kind.NUMBER, 1, words)
    assert found
    for recipe in found:
        assert recipe.answer == (counted(recipe),)


@pytest.mark.slow
def test_nobody_could_doubt_what_is_in_the_pictures() -> None:
    (recipe,) = some("counting", Kind.NUMBER, 1, "in the picture")
    clear = seen(recipe)
    view = view_of(recipe)
    assert not any(view.doubtful(name) for name in moment_of(recipe).movables if name not in clear)


@pytest.mark.slow
def test_a_wrong_count_is_noticed() -> None:
    (recipe,) = some("counting", Kind.NUMBER, 1)
    (difference,) = verify([replace(recipe, answer=(recipe.answer[0] + 1,))])
    assert difference.answer == recipe.answer


def test_all_frozen_questions_keep_the_rules() -> None:
    counts = [recipe for recipe in of_family("counting") if recipe.kind is Kind.NUMBER]
    answers = Counter(recipe.answer[0] for recipe in counts)
    assert set(answers) <= set(range(2, 13))
    assert max(answers.values()) <= 0.15 * len(counts)
    assert max(Counter(recipe.situation.home for recipe in of_family("counting")).values()) <= 4


@pytest.mark.slow
def test_proposals_are_verified_and_the_same_each_time() -> None:
    scenes = [proposals("counting", 0, scene, ("counting",)) for scene in range(2)]
    assert any(scenes)
    assert scenes[0] == proposals("counting", 0, 0, ("counting",))

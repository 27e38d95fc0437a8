"""Pictures of embedded questions are the same bytes in a second process."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evals.families import redrawn as drawing
from evals.families.redrawn import redrawn
from models.base import Kind
from tests.evals.families.frozen import some


@pytest.mark.slow
def test_pictures_are_the_same_in_a_second_process() -> None:
    recipes = [*some("counting", Kind.NUMBER, 1), *some("decomposition", Kind.CHOICE, 1)]
    assert redrawn(recipes) == (sum(len(recipe.shots) for recipe in recipes), [])


def test_a_picture_that_differs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = iter([{"a/0": "1", "b/0": "2"}, {"a/0": "1", "b/0": "3"}])
    monkeypatch.setattr(drawing, "_in_new_process", lambda entries: next(runs))
    (recipe,) = some("counting", Kind.NUMBER, 1)
    assert redrawn([replace(recipe, id="a")]) == (2, ["b/0"])

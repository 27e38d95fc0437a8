"""What fits into a drawer: sizes against trying all ways."""

from __future__ import annotations

from random import Random

import pytest

from envs.household.home.things import make
from evals.families.fitting import _MORE, _SPARE, _drawer, _fits, fits_in, fitting_answer

DRAWERS = make("nightstand", "nightstand_1", 0)


def test_a_thing_fits_in_one_of_its_ways() -> None:
    assert _fits(make("book", "book_1", 0), DRAWERS) is True
    assert _fits(make("ball", "ball_1", 0), DRAWERS) is False


def test_close_calls_are_not_asked_about() -> None:
    from dataclasses import replace

    room = sorted(_drawer(DRAWERS).size)
    for share, fits in ((_SPARE, True), (_SPARE + 0.01, None), (_MORE - 0.01, None), (_MORE + 0.001, False)):
        thing = replace(make("book", "book_1", 0), size=(room[2] * 0.5, room[0] * share, room[1] * 0.5))
        assert _fits(thing, DRAWERS) is fits


@pytest.mark.slow
def test_trying_says_the_same_as_sizes() -> None:
    recipe = next(recipe for seed in (2, 8, 0, 1, 3) for recipe in fits_in(Random(seed)))
    assert fitting_answer(recipe) == recipe.answer

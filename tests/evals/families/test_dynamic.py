"""Motion between pictures: answers against the actions and cameras that made the pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from envs.shots.actions import Put
from envs.shots.cameras import Head
from evals.families import rules
from evals.families.base import Recipe, view_of
from evals.families.camera_moves import MOTIONS
from evals.families.dynamic import FAMILY
from evals.families.generate import proposals
from evals.families.moves import EIGHT, SEEMS
from models.base import Kind


@cache
def _proposed(*types: str) -> list[Recipe]:
    return proposals("dynamic", 0, 0, types)


@pytest.mark.slow
def test_frames_are_in_the_order_of_what_was_done() -> None:
    recipe = next(recipe for recipe in _proposed("sorting") if "taken away" in recipe.text)
    done = [len(recipe.shots[int(recipe.options[number].split()[1]) - 1].actions) for number in recipe.answer]
    assert done == [0, 1, 2, 3, 4]


@pytest.mark.slow
def test_a_wrong_order_is_noticed() -> None:
    recipe = _proposed("sorting")[0]
    assert FAMILY.verify(replace(recipe, answer=recipe.answer[::-1])) == recipe.answer


@pytest.mark.slow
def test_only_what_was_moved_is_said_to_be() -> None:
    recipe = next(recipe for recipe in _proposed("composite-judgement") if recipe.kind is Kind.JUDGEMENTS)
    things = rules.marked_things(recipe, view_of(recipe))
    moved = {action.thing for action in recipe.shots[1].actions if isinstance(action, Put)}
    said = {things[option.split()[3]] for option, true in zip(recipe.options, recipe.answer, strict=True) if true}
    assert said == moved


def test_each_motion_has_its_opposite() -> None:
    eye = Head(1.0, 2.0, 0.3, 0.4)
    names = list(MOTIONS)
    for one, other in zip(names[::2], names[1::2], strict=True):
        there = MOTIONS[other](MOTIONS[one](eye, 0.8), 0.8)
        assert (there.x, there.y) == pytest.approx((eye.x, eye.y), abs=0.002)
        assert (there.yaw, there.tilt) == pytest.approx((eye.yaw, eye.tilt), abs=0.002)
        assert MOTIONS[one](eye, 0.8) != MOTIONS[other](eye, 0.8)


def test_the_eight_ways_go_round_to_the_left() -> None:
    assert EIGHT[2] == "to the left"
    assert EIGHT[6] == "to the right"
    assert all("towards" in way for way in EIGHT[3:6])
    assert SEEMS < 0.22

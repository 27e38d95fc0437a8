"""What happens next: answers against what is stacked on what, and against the way a robot drives."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import cos, sin
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from envs.household.home.robot import RADIUS
from envs.shots.cameras import Head
from evals.families import rules
from evals.families.base import Recipe, moment_of, view_of
from evals.families.drives import in_way
from evals.families.future import FAMILY
from evals.families.generate import proposals
from evals.families.outcomes import GAP
from models.base import Kind


@cache
def _stacks() -> list[Recipe]:
    found = (proposals("future", 0, scene, ("counting", "composite-judgement")) for scene in range(4))
    return next(recipes for recipes in found if recipes)


@pytest.mark.slow
def test_what_falls_rests_on_what_is_gone() -> None:
    recipe = next(recipe for recipe in _stacks() if recipe.kind is Kind.JUDGEMENTS)
    view, moment = view_of(recipe), moment_of(recipe)
    gone, things = rules.boxed_thing(recipe, view), rules.marked_things(recipe, view)
    for option, falls in zip(recipe.options, recipe.answer, strict=True):
        under = moment.support_of(things[option.split()[3]])
        while under not in (None, gone) and under in moment.movables:
            under = moment.support_of(under)
        assert (under == gone) == bool(falls)


@pytest.mark.slow
def test_a_wrong_answer_is_noticed() -> None:
    recipe = next(recipe for recipe in _stacks() if recipe.kind is Kind.JUDGEMENTS)
    wrong = replace(recipe, answer=tuple(1 - part for part in recipe.answer))
    assert FAMILY.verify(wrong) == recipe.answer


def _met(*spots: tuple[float, float], yaw: float = 0.7) -> str | None:
    """What a robot meets that drives from the origin, of points that are so far ahead and so far to the left."""
    turned = [(a * cos(yaw) - b * sin(yaw), a * sin(yaw) + b * cos(yaw), 0.1) for a, b in spots]
    clouds = {f"thing_{k}": np.array([spot]).T for k, spot in enumerate(turned)}
    moment: Any = SimpleNamespace(points=clouds.__getitem__)
    return in_way(moment, Head(0.0, 0.0, yaw), list(clouds))


def test_the_robot_meets_the_first_thing_before_it() -> None:
    assert _met((2.0, 0.0), (1.0, 0.1)) == "thing_1"
    assert _met((2.0, 0.0), (1.0, RADIUS + GAP + 0.01)) == "thing_0"
    assert _met((1.0, RADIUS + GAP + 0.01)) is None


def test_what_the_robot_might_graze_is_not_asked_about() -> None:
    assert _met((2.0, 0.0), (1.0, RADIUS + GAP - 0.01)) is None
    assert _met((2.0, 0.0), (1.0, RADIUS - GAP / 2.0 + 0.01)) is None
    assert _met((2.0, 0.0), (1.0, RADIUS - GAP / 2.0 - 0.01)) == "thing_1"


def test_two_things_at_about_the_same_distance_are_not_asked_about() -> None:
    assert _met((2.0, 0.0), (1.77, 0.1)) is None
    assert _met((2.0, 0.0), (1.75, 0.1)) == "thing_1"

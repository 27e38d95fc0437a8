"""Which way doors and drawers go: the axis of a hinge against the way of the pixels."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from envs.household.home.model import Leaf, Part
from envs.render.scene import Box, Material
from evals.families.base import Recipe
from evals.families.forces import _ways, force_answer, forces


def leaf(kind: str, axis: tuple[float, float, float], anchor: tuple[float, float, float]) -> Leaf:
    panel = Part(Box((0.4, 0.02, 0.6)), Material((0.5, 0.5, 0.5)))
    return Leaf("door", kind, axis, anchor, 1.5, (panel,))  # type: ignore[arg-type]


def test_a_door_opens_across_the_line_to_its_hinge() -> None:
    # The hinge is on the right and turns to the right about the upright axis: the free edge on the left comes forward.
    start, ways = _ways(leaf("hinge", (0.0, 0.0, 1.0), (0.2, 0.0, 0.0)))
    assert start[0] == pytest.approx(-0.2)
    assert ways["open"] == (0.0, -1.0, 0.0)
    assert ways["hinge"] == (1.0, 0.0, 0.0)
    assert _ways(leaf("hinge", (0.0, 0.0, -1.0), (-0.2, 0.0, 0.0)))[1]["open"] == (0.0, -1.0, 0.0)


def test_a_drawer_opens_along_its_slide() -> None:
    start, ways = _ways(leaf("slide", (0.0, -1.0, 0.0), (0.0, 0.0, 0.0)))
    assert start[1] == pytest.approx(-0.01)
    assert ways["open"] == (0.0, -1.0, 0.0)
    assert ways["close"] == (0.0, 1.0, 0.0)


@pytest.mark.slow
def test_pixels_go_where_the_axis_says() -> None:
    found: list[Recipe] = next(recipes for seed in range(9) if (recipes := list(forces(Random(seed)))))
    for recipe in found:
        assert force_answer(recipe) == recipe.answer
    one, other = found
    turned = replace(one, text=one.text.replace(" open the ", " close the "))
    assert force_answer(turned) != one.answer
    assert len({one.text, other.text}) == 2

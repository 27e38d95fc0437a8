"""Multi-view matching: answers against rays from both cameras, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random

import numpy as np
import pytest

from envs.render.marks import Point
from envs.shots.moment import open_moment
from envs.shots.view import View
from evals.families import family, multiview
from evals.families.base import Recipe, view_of
from evals.families.corners import APART, apart
from evals.families.generate import proposals, verify


@cache
def pair() -> multiview.Pair:
    """Two views of one small table."""
    dice = Random("multiview/7/5")
    made = multiview._room(dice)
    return next(iter(multiview._pairs(open_moment(made.situation), made, dice)))


@cache
def places() -> Recipe:
    """Corners of furniture to match."""
    recipe = next(filter(None, (multiview._match_places(pair(), Random(seed)) for seed in range(20))), None)
    assert recipe is not None
    return recipe


def ray(view: View, mark: Point) -> tuple[np.ndarray, np.ndarray]:
    """Eye and direction of what a mark is on."""
    eye = np.array(view.scene.camera.position)
    way = np.array(view.point(mark.x, mark.y)) - eye
    return eye, way / np.linalg.norm(way)


def gap(one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]) -> float:
    """How near two lines come to each other."""
    across = np.cross(one[1], other[1])
    return float(abs(np.dot(other[0] - one[0], across)) / sqrt(float(across @ across)))


def points(recipe: Recipe, shot: int) -> dict[str, Point]:
    """The numbered points of a picture."""
    return {mark.text: mark for mark in recipe.shots[shot].marks if isinstance(mark, Point)}


def test_rays_to_matching_corners_meet() -> None:
    recipe = places()
    one, other = view_of(recipe, 0), view_of(recipe, 1)
    first, second = points(recipe, 0), points(recipe, 1)
    for item, number in zip(recipe.items, recipe.answer, strict=True):
        here = ray(one, first[item.split()[1]])
        there = ray(other, second[recipe.options[number].split()[1]])
        assert gap(here, there) < 0.02


def test_a_wrong_answer_is_noticed() -> None:
    recipe = places()
    turned = replace(recipe, answer=(*recipe.answer[1:], recipe.answer[0]))
    assert verify([recipe]) == []
    assert [found.recipe for found in verify([turned])] == [turned]


def test_marked_objects_have_their_like_in_the_second_picture() -> None:
    recipe = next(filter(None, (multiview._choose_object(pair(), Random(seed)) for seed in range(9))))
    view = view_of(recipe, 1)
    kinds = [str(view.owner(mark.x, mark.y)).rpartition("_")[0] for mark in points(recipe, 1).values()]
    right = points(recipe, 1)[recipe.options[recipe.answer[0]].split()[1]]
    assert kinds.count(str(view.owner(right.x, right.y)).rpartition("_")[0]) > 1


def test_corners_are_apart() -> None:
    known = {"a": (0.0, 0.0, 0.0), "b": (APART, 0.0, 0.0), "c": (0.0, APART - 0.001, 0.0)}
    assert apart(list(known), known) == ["a", "b"]


def test_an_order_that_both_pictures_share_gives_the_answer_away() -> None:
    here = {"a": (10, 5), "b": (20, 9), "c": (30, 7)}
    assert multiview._easy(tuple("abc"), here, {"a": (100, 9), "b": (110, 1), "c": (120, 5)})
    assert not multiview._easy(tuple("abc"), here, {"a": (120, 9), "b": (110, 1), "c": (100, 5)})


def test_the_nearest_pixel_gives_the_answer_away() -> None:
    assert multiview._near("a", ("a", "b"), {"a": (0, 0)}, {"a": (3, 4), "b": (5, 1)})
    assert not multiview._near("a", ("a", "b"), {"a": (0, 0)}, {"a": (3, 4), "b": (4, 1)})


@pytest.mark.slow
@pytest.mark.parametrize("scene", [5, 7])
def test_a_scene_has_questions_of_several_texts(scene: int) -> None:
    found = proposals("multiview", 7, scene, ("matching", "multiple-choice", "sorting"))
    assert len({recipe.text for recipe in found}) >= 3
    assert all(family("multiview").verify(recipe) == recipe.answer for recipe in found)

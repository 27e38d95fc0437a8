"""Relative shape: answers against physics and known solids, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from math import dist, pi
from random import Random

import numpy as np
import pytest

from envs.render.marks import Segment
from envs.shots.moment import open_moment
from envs.shots.view import View
from evals.families import shape
from evals.families.base import Recipe, Shot, moment_of, view_of
from evals.families.edges import ALIKE, SHORTEST, Edge, edges, length_of
from evals.families.generate import proposals, verify
from evals.families.rules import marked_things
from evals.families.scenes import Scene, mixed_room


@cache
def room() -> tuple[Scene, View]:
    """A small room, and what a camera sees of it."""
    dice = Random("shape/7/42")
    scene = mixed_room(dice, shape.KINDS, dice.randint(10, 13))
    moment = open_moment(scene.situation)
    return scene, moment.view(next(iter(shape._eyes(moment, scene, dice))))


@cache
def sort(measure: str) -> Recipe:
    """Marks of that room to sort."""
    scene, view = room()
    dice = Random(1)
    row = shape._rows(open_moment(scene.situation), view, shape.MEASURES[measure], dice)[0]
    made = shape._sort(row, dice)
    assert made is not None
    return made(scene, Shot(view.eye))


@cache
def some_edges() -> list[Edge]:
    scene, view = room()
    return edges(open_moment(scene.situation), view, 6, Random(2))


def test_heights_are_in_the_order_of_physics() -> None:
    recipe = sort("height")
    moment, things = moment_of(recipe), marked_things(recipe, view_of(recipe))
    boxes = [moment.sim.box(things[recipe.options[k].split()[-1]], leaves=True) for k in recipe.answer]
    heights = [high[2] - low[2] for low, high in boxes]
    assert heights == sorted(heights, reverse="the tallest first" in recipe.text)


def test_a_line_has_the_ends_of_its_edge() -> None:
    _, view = room()
    assert len(some_edges()) >= 4
    for edge in some_edges():
        for end, pixel in zip(edge.ends, (edge.line[:2], edge.line[2:]), strict=True):
            found = view.project(end)
            assert found is not None
            assert tuple(map(int, found[:2])) == pixel
        assert edge.length >= SHORTEST
        assert length_of(view, Segment(*edge.line)) == pytest.approx(edge.length, rel=ALIKE)


def test_edges_lie_between_corners_that_are_drawn() -> None:
    scene, _ = room()
    for edge in some_edges():
        corners = open_moment(scene.situation).points(edge.thing)
        (a, b), way = (np.array(edge.ends), np.subtract(edge.ends[1], edge.ends[0]) / edge.length)
        off = corners - a[:, None]
        beside = np.linalg.norm(off - np.outer(way, way @ off), axis=0)
        along = (way @ off)[beside < 0.02]
        assert along.min() < 0.02
        assert along.max() > dist(a, b) - 0.02


def test_a_wrong_answer_is_noticed() -> None:
    for recipe in (sort("height"), sort("length")):
        turned = replace(recipe, answer=recipe.answer[::-1])
        assert verify([recipe]) == []
        assert [found.recipe for found in verify([turned])] == [turned]


@pytest.mark.slow
def test_both_ends_of_a_row_come_first() -> None:
    scene, view = room()
    dice = Random(5)
    rows = shape._rows(open_moment(scene.situation), view, shape.MEASURES["length"], dice)
    made = filter(None, (shape._sort(row, dice) for row in rows * 4))
    found = {recipe.text: recipe for recipe in (one(scene, Shot(view.eye)) for one in made)}
    assert len(found) == 2
    assert verify(list(found.values())) == []


def test_the_longest_line_is_read_back() -> None:
    scene, view = room()
    rows = shape._rows(open_moment(scene.situation), view, shape.MEASURES["length"], Random(5))
    made = next(filter(None, (shape._most(row, Random(0)) for row in rows)))
    assert verify([made(scene, Shot(view.eye))]) == []


def test_volumes_of_known_solids() -> None:
    cube = np.array(list(product((0.0, 0.2), (0.0, 0.3), (0.0, 0.4)))).T
    assert shape.hull_volume(cube) == pytest.approx(0.024, rel=0.001)
    ways = np.random.default_rng(0).normal(size=(3, 4000))
    ball = 0.1 * ways / np.linalg.norm(ways, axis=0)
    assert shape.hull_volume(ball) == pytest.approx(4.0 / 3.0 * pi * 0.001, rel=0.03)


def test_volumes_differ_by_half_of_the_smaller_at_least() -> None:
    assert shape._times_apart(1.5, 1.0)
    assert shape._times_apart(1.0, 1.5)
    assert not shape._times_apart(1.499, 1.0)


def test_what_looks_largest_and_is_gives_the_answer_away() -> None:
    _, view = room()
    sizes = {name: float(size) for name, size in zip("abcde", range(5, 0, -1), strict=True)}
    row = shape.Row(shape.MEASURES["height"], view, sizes, (sizes,), {})
    assert all(shape._most(row, Random(seed)) is None for seed in range(6))
    assert list(shape._chosen(row, sizes, lambda a, b: True, Random(0))) == []


@pytest.mark.slow
def test_a_scene_has_questions_of_several_texts() -> None:
    found = proposals("shape", 7, 42, ("sorting", "counting", "composite-judgement"))
    assert len({recipe.text for recipe in found}) >= 4
    assert len({recipe.type for recipe in found}) == 3

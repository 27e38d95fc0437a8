"""Relative direction: answers against plain vectors, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import cos, sin
from random import Random

import pytest

from envs.shots.moment import Moment, open_moment
from evals.families import direction
from evals.families.base import Recipe, Shot, moment_of, view_of
from evals.families.direction import STRAIGHT, Around
from evals.families.facing import SEATS, Frame, drawn_frame, nearest_way, robot_frame, seat_frame, seen_bearing, wrapped
from evals.families.generate import proposals, verify
from evals.families.rules import boxed_thing, marked_things
from evals.families.scenes import Scene


@cache
def room() -> tuple[Scene, Moment, Around]:
    """A small room with a second robot in it, and what is round that."""
    dice = Random("direction/7/12")
    scene = direction.room_with(dice)
    place = direction._stand(open_moment(scene.situation), scene, dice)
    assert place is not None
    scene = replace(scene, situation=scene.situation.with_others(place))
    moment = open_moment(scene.situation)
    for eye in direction._eyes(moment, scene, place, dice):
        for frame in direction._frames(moment, moment.view(eye)):
            if not frame.seat:
                return scene, moment, direction._around(moment, moment.view(eye), frame)
    raise AssertionError("no camera shows the robot")


@cache
def asked(maker: str) -> Recipe:
    """A question about that robot."""
    scene, _, around = room()
    made = next(filter(None, (getattr(direction, maker)(around, Random(seed)) for seed in range(40))))
    recipe = made(scene, Shot(around.view.eye))
    assert isinstance(recipe, Recipe)
    return recipe


def sides(recipe: Recipe, name: str) -> tuple[float, float]:
    """How far ahead of the robot a thing is, and how far to its left."""
    x, y, yaw = recipe.situation.others[0]
    at = moment_of(recipe).middle(name)
    dx, dy = at[0] - x, at[1] - y
    return dx * cos(yaw) + dy * sin(yaw), dy * cos(yaw) - dx * sin(yaw)


def test_where_a_thing_is() -> None:
    recipe = asked("_where")
    ahead, left = sides(recipe, boxed_thing(recipe, view_of(recipe)))
    said = recipe.options[recipe.answer[0]]
    assert ("left" in said) == (left > abs(ahead) * 0.42)
    assert ("right" in said) == (-left > abs(ahead) * 0.42)
    assert ("ahead" in said) == (ahead > abs(left) * 0.42)


def test_statements_about_sides() -> None:
    recipe = asked("_judge")
    things = marked_things(recipe, view_of(recipe))
    for said, true in zip(recipe.options, recipe.answer, strict=True):
        ahead, left = sides(recipe, things[said.split()[1]])
        value = {"left": left, "right": -left, "front": ahead, "behind": -ahead}
        assert next(value[word] for word in said.split() if word in value) * (1 if true else -1) > 0.0


@pytest.mark.parametrize("maker", ["_where", "_judge"])
def test_a_wrong_answer_is_noticed(maker: str) -> None:
    recipe = asked(maker)
    last = (recipe.answer[-1] + 1) % (2 if maker == "_judge" else 8)
    turned = replace(recipe, answer=(*recipe.answer[:-1], last))
    assert verify([recipe]) == []
    assert [found.recipe for found in verify([turned])] == [turned]


def test_cameras_in_a_frame_see_the_same_directions() -> None:
    _, moment, around = room()
    frame = robot_frame(moment)
    for bearing in (0.0, 44.9, 90.0, 135.0, 180.0, -136.0, -90.0, -20.0):
        assert seen_bearing(around.view, frame, frame.at(bearing, 1.5)) == pytest.approx(bearing, abs=0.01)


def test_seats_look_where_their_backs_say() -> None:
    _, moment, _ = room()
    seats = [item.thing.name for item in moment.home.placed if item.thing.kind in SEATS]
    assert seats
    for name in seats:
        made, drawn = seat_frame(moment, name), drawn_frame(moment, name)
        assert made.yaw == pytest.approx(drawn.yaw, abs=0.05)


def test_a_thing_between_two_directions_is_not_asked_about() -> None:
    _, _, around = room()
    name = next(iter(around.bearings))

    def where(bearing: float, viewer: float) -> object:
        changed = replace(around, bearings={name: bearing}, viewers={name: viewer})
        return direction._where(changed, Random(0))

    assert where(45.0 + STRAIGHT, -90.0)
    assert where(45.0 + STRAIGHT + 0.1, -90.0) is None
    assert where(45.0, 50.0) is None


def test_bearings() -> None:
    assert (wrapped(180.0), wrapped(-180.0), wrapped(270.0), wrapped(-190.0)) == (180.0, 180.0, -90.0, 170.0)
    way, off = nearest_way(-170.0)
    assert way == "straight behind"
    assert off == pytest.approx(10.0)
    frame = Frame("robot 2", "", 1.0, 1.0, 0.0)
    assert frame.bearing(1.0, 3.0) == pytest.approx(90.0)


@pytest.mark.slow
def test_a_scene_has_questions_of_several_types() -> None:
    found = proposals("direction", 7, 12, ("multiple-choice", "composite-judgement", "open"))
    assert len({recipe.type for recipe in found}) == 3

"""State and activity: answers against a room whose stacks the tests know, and what is left out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import dist
from random import Random

import pytest

from envs.household.home.draft import Need
from envs.render.marks import Point
from envs.shots.actions import Open, Put
from envs.shots.moment import Moment, open_moment
from envs.shots.situation import Situation
from evals.families import activity, resting, state
from evals.families.base import Recipe, view_of
from evals.families.generate import proposals, verify
from evals.families.rules import boxed_thing, marked_things
from evals.families.scenes import Scene
from evals.families.stacks import Stacks, below, carries

NAMES = ("box_1", "hardback_1", "cup_1", "bottle_1", "apple_1", "kettle_1", "vase_1")
UNDER = {"hardback_1": "box_1", "cup_1": "hardback_1"}
"""What is on what; all others are on the table."""


@cache
def made() -> Stacks:
    """A cup on a book on a box, and single things beside them."""
    needs = (Need("table_1", "table", room="kitchen"), *(Need(name, name[:-2], on="table_1") for name in NAMES))
    situation = Situation("row", 0, needs)
    before = open_moment(situation)
    x, y, _ = before.middle("box_1")
    top = before.box("box_1")[1][2]
    book = before.thing("hardback_1").size[2]
    puts = (Put("hardback_1", (x, y, top + 0.004)), Put("cup_1", (x, y, top + book + 0.008)))
    return Stacks(Scene(situation, "kitchen", {"table_1": NAMES}), "table_1", puts)


@cache
def moment() -> Moment:
    """When all is at rest."""
    return open_moment(made().scene.situation.after(*made().actions))


@cache
def look() -> resting.Look:
    """A picture that shows the whole stack."""
    for eye in state._eyes(moment(), made(), Random(1)):
        found = resting.look_at(moment(), made(), eye)
        if {"box_1", *UNDER} <= set(found.seen):
            return found
    raise AssertionError("no camera sees the stack")


def asked(maker: resting.Maker) -> Recipe:
    """A question of one sort."""
    return next(recipe for seed in range(40) if (recipe := maker(look(), Random(seed))) is not None)


def test_things_rest_on_what_they_were_put_on() -> None:
    assert {name: below(moment(), name) for name in NAMES} == {name: UNDER.get(name, "table_1") for name in NAMES}


def test_the_only_thing_that_does_not_touch_the_table() -> None:
    recipe = asked(resting._stacked)
    things = marked_things(recipe, view_of(recipe))
    assert things[recipe.options[recipe.answer[0]].split()[-1]] in UNDER
    assert sum(name in UNDER for name in things.values()) == 1


def test_how_many_touch_the_table() -> None:
    seen = tuple(name for name in look().seen if name in NAMES)
    recipe = resting._count(replace(look(), seen=seen, whole=True), Random(0))
    assert recipe is not None
    assert recipe.answer == (len(set(seen) - set(UNDER)),)
    assert resting._count(replace(look(), whole=False), Random(0)) is None


def test_statements() -> None:
    recipe = asked(resting._judge)
    things = marked_things(recipe, view_of(recipe))
    for said, true in zip(recipe.options, recipe.answer, strict=True):
        numbers = [word.strip(".") for word in said.split() if word.strip(".").isdecimal()]
        names = [things[number] for number in numbers]
        if "touches" in said:
            assert (names[0] not in UNDER) == true
        elif said.startswith("Another"):
            assert (names[0] in UNDER.values()) == true
        else:
            assert (UNDER.get(names[0]) == names[1]) == true


def test_a_wrong_answer_is_noticed() -> None:
    recipe = asked(resting._stacked)
    wrong = replace(recipe, answer=((recipe.answer[0] + 1) % len(recipe.options),))
    assert verify([recipe]) == []
    assert [found.recipe for found in verify([wrong])] == [wrong]


def test_where_the_nearest_mark_is_barred_it_is_not_what_the_boxed_thing_rests_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resting, "_NEAREST", 0.0)
    recipe = asked(resting._rests)
    view = view_of(recipe)
    name = boxed_thing(recipe, view)
    here = view.spot(name)
    marks = [mark for mark in recipe.shots[0].marks if isinstance(mark, Point)]
    assert here is not None
    nearest = min(marks, key=lambda mark: dist((mark.x, mark.y), here[:2]))
    assert view.owner(nearest.x, nearest.y) != UNDER.get(name, "table_1")
    things = marked_things(recipe, view)
    right = recipe.options[recipe.answer[0]]
    assert things.get(right.split()[-1], "table_1") == UNDER.get(name, "table_1")


def test_only_flat_things_bear_others() -> None:
    assert carries(moment(), "box_1", "cup_1")
    assert not carries(moment(), "bottle_1", "cup_1")


def test_leaves_reach_further_when_they_are_wider_open() -> None:
    situation = Situation("row", 0, (Need("nightstand_1", "nightstand", room="bedroom"),))
    reach = [
        activity._reach(open_moment(situation.after(Open("nightstand_1", opening))), "nightstand_1")
        for opening in activity.OPENINGS
    ]
    assert reach == sorted(reach)
    assert min(b - a for a, b in pairwise(reach)) > 0.02


@pytest.mark.slow
def test_a_scene_has_questions_of_several_texts() -> None:
    types = ("multiple-choice", "sorting", "counting", "composite-judgement", "open")
    found = [recipe for scene in (0, 1) for recipe in proposals("state", 7, scene, types)]
    assert len({recipe.text for recipe in found}) >= 4
    assert verify(found) == []

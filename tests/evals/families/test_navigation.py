"""Navigation: free lines by geometry, routes by moves, and verification from the picture."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import cos, dist, radians, sin
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import evals.erqa_plus
from envs.household.home.site import Block
from envs.render.marks import Arrow
from envs.shots.cameras import Head
from evals.families import navigation as family
from evals.families import recipes
from evals.families.base import Recipe, view_of
from evals.families.floors import Floor
from evals.families.generate import proposals
from evals.families.lookouts import CORE, LARGE, THROUGH, Look, _core
from evals.families.routes import DRIVE, LEAST, MISSED, MOST, SHORTEST, TURN, Move, distinct, over
from models.base import Kind

ERQA_PLUS = Path(evals.erqa_plus.__file__).parent / "recipes" / "navigation.jsonl.gz"
ROOM = (0.0, 0.0, 4.0, 4.0)
TABLE = Block("table_1", 1.5, 1.5, 2.5, 2.5, 0.0, 0.75)
EYE = Head(0.0, 0.0, 0.0)


def floor(radius: float) -> Floor:
    return Floor(ROOM, (TABLE,), radius)


def test_a_line_is_free_if_the_robot_passes_with_its_whole_width() -> None:
    # 0.45 m beside the table: enough for a robot of 0.4 m, not for one of 0.5 m.
    assert floor(0.4).straight((0.5, 2.95), (3.5, 2.95))
    assert not floor(0.5).straight((0.5, 2.95), (3.5, 2.95))
    assert not floor(0.4).straight((0.5, 2.0), (3.5, 2.0))


def test_nobody_stands_in_a_wall() -> None:
    assert floor(0.4).free([(0.39, 2.0), (0.41, 2.0), (2.0, 3.61), (2.0, 3.59)]).tolist() == [False, True, False, True]
    assert Floor(ROOM, (), 0.4).straight((0.5, 0.5), (3.5, 3.5))


def test_how_much_of_a_line_lies_in_a_thing() -> None:
    assert floor(0.0).crossed((0.0, 2.0), (4.0, 2.0)) == {"table_1": pytest.approx(1.0)}
    # Across a corner: from (1.5, 2.2) to (1.8, 2.5).
    assert floor(0.0).crossed((1.0, 1.7), (2.3, 3.0)) == {"table_1": pytest.approx(dist((1.5, 2.2), (1.8, 2.5)))}
    assert floor(0.0).crossed((0.0, 1.0), (4.0, 1.0)) == {}
    lengths = floor(0.0).chords(np.array([(0.0, 2.0)]), np.array([(2.0, 2.0)]))
    assert lengths.tolist() == [[pytest.approx(0.5)]]


def test_a_line_counts_as_blocked_if_it_goes_through_the_core_of_something_large_in_view() -> None:
    def blocked(y: float, pixels: int, kind: str = "table") -> bool:
        look: Any = SimpleNamespace(
            bare=Floor(ROOM, (_core(TABLE),), 0.0),
            view=SimpleNamespace(pixels=lambda name: pixels),
            moment=SimpleNamespace(thing=lambda name: SimpleNamespace(kind=kind)),
        )
        return Look.blocked(look, (0.0, y), (4.0, y))

    assert blocked(2.0, LARGE)
    assert not blocked(2.0, LARGE - 1)
    assert not blocked(2.0, LARGE, "door")
    edge = TABLE.y0 + CORE * (TABLE.y1 - TABLE.y0)
    assert blocked(edge + 0.01, LARGE)
    assert not blocked(edge - 0.01, LARGE)
    assert (1.0 - 2.0 * CORE) * (TABLE.x1 - TABLE.x0) > THROUGH


def test_moves_are_read_as_they_are_written() -> None:
    for move in (Move(turn=40.0), Move(turn=-150.0), Move(drive=1.3)):
        assert Move.parse(str(move)) == move


def test_turns_and_drives_that_could_be_taken_for_each_other_are_not_asked_about() -> None:
    assert distinct((40.0, -60.0), (SHORTEST, SHORTEST + DRIVE))
    assert distinct((LEAST, LEAST + TURN), (1.0, 1.0 + DRIVE))
    assert not distinct((LEAST, LEAST + TURN - 1.0), (1.0, 1.0 + DRIVE))
    assert not distinct((LEAST - 1.0, 90.0), (1.0, 2.0))
    assert not distinct((MOST + 1.0, 90.0), (1.0, 2.0))
    assert not distinct((LEAST, 90.0), (1.0, 1.0 + DRIVE - 0.05))
    assert not distinct((LEAST, 90.0), (SHORTEST - 0.05, 2.0))
    # Of long drives it takes more than half a metre.
    assert not distinct((LEAST, 90.0), (3.0, 3.5))


def test_a_route_has_to_come_by_every_mark_in_turn() -> None:
    moves = [Move(turn=90.0), Move(drive=1.0), Move(turn=-90.0), Move(drive=2.0)]
    assert over(EYE, moves, [(0.0, 1.0), (2.0, 1.0)])
    assert not over(EYE, moves, [(2.0, 1.0), (0.0, 1.0)])
    assert not over(EYE, moves, [(0.0, 1.0)])
    assert not over(EYE, moves, [(0.0, 1.0), (2.0, 1.0), (2.0, 2.0)])
    assert over(EYE, moves, [(0.0, 1.0), (2.0, 1.0 + MISSED - 0.01)])
    assert not over(EYE, moves, [(0.0, 1.0), (2.0, 1.0 + MISSED + 0.01)])


@cache
def _frozen() -> list[Recipe]:
    return recipes.read(ERQA_PLUS)


def test_frozen_routes_lead_where_the_proof_says() -> None:
    for recipe in _frozen():
        if "moves" in recipe.proof:
            told = recipe.proof["moves"]
            chosen = [recipe.options[number] for number in recipe.answer]
            assert (told if recipe.kind is Kind.ORDER else [", ".join(told)]) == chosen


def test_verify_follows_the_marks_of_the_picture() -> None:
    recipe = next(recipe for recipe in _frozen() if "3, 2 and 1" in recipe.text)
    assert family.FAMILY.verify(replace(recipe, answer=(0,), proof={})) == recipe.answer
    eye = recipe.shots[0].eye
    assert isinstance(eye, Head)
    x, y, yaw, places = eye.x, eye.y, eye.yaw, []
    for text in recipe.proof["moves"]:
        move = Move.parse(text)
        yaw += radians(move.turn)
        if move.drive:
            x, y = x + move.drive * cos(yaw), y + move.drive * sin(yaw)
            places.append((x, y))
    marked, _ = family._marked(recipe, view_of(recipe))
    assert all(dist(marked[number], place) < 0.3 for number, place in zip("321", places, strict=True))


def test_arrows_in_the_other_direction_are_as_free() -> None:
    recipe = next(recipe for recipe in _frozen() if "arrow" in recipe.text)
    (shot,) = recipe.shots
    turned = []
    for mark in shot.marks:
        assert isinstance(mark, Arrow)
        turned.append(replace(mark, x0=mark.x1, y0=mark.y1, x1=mark.x0, y1=mark.y0))
    assert family.FAMILY.verify(replace(recipe, shots=(replace(shot, marks=tuple(turned)),))) == recipe.answer


@pytest.mark.slow
def test_proposals_are_the_same_every_time() -> None:
    first, again = (proposals("navigation", 0, 2, ["multiple-choice", "sorting"]) for _ in range(2))
    assert first
    assert first == again

"""Goal decomposition: states read two ways, plans found two ways, orders that are right together."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

import evals.erqa_plus
from envs.render.marks import Point
from evals.families import chores, recipes, rules
from evals.families import decomposition as family
from evals.families.base import Recipe, orders, reference
from evals.families.chores import ACTIONS, CONTAINER, FURNITURE, GOALS, HAND, OBJECTS, Action, Plan, State
from evals.families.generate import proposals
from evals.families.guesses import guessable
from evals.families.workplace import _tangled
from evals.questions.scorers import verdict
from models.base import Kind
from models.parsing import Profile

TOWER = State({"1": "2", "2": "3", "3": FURNITURE}, opened=False)
ALL_IN = GOALS["objects 1, 2 and 3 are in 4, and 4 is closed"]
SCENE = 22
ERQA_PLUS = Path(evals.erqa_plus.__file__).parent / "recipes" / "decomposition.jsonl.gz"
ONE_IN = GOALS["object 1 is in 4, and 4 is closed"]


def plan(text: str) -> Plan:
    return tuple(Action.parse(part) for part in text.split(", "))


def states() -> list[State]:
    dice = Random(5)
    return [chores.random_state(dice) for _ in range(12)]


def by_hand(state: State, action: Action) -> State | None:
    """The rules once more, from the words of the question: the state after an action, None if it is not allowed."""
    places, opened = dict(state.places), state.opened
    held = [thing for thing in OBJECTS if places[thing] == HAND]
    if action.verb != "move":
        return None if held or (action.verb == "open") == opened else State(places, not opened)
    loaded = any(place == action.thing for place in places.values())
    other = bool(held) and held != [action.thing]
    shut = not opened and CONTAINER in (places[action.thing], action.place)
    if loaded or other or shut or places[action.thing] == action.place:
        return None
    return State({**places, action.thing: action.place}, opened)


def fewest(state: State, goal: chores.Goal) -> int:
    """How many actions a goal takes, by the rules above."""
    queue, seen = deque([(state, 0)]), {state.key}
    while queue:
        here, number = queue.popleft()
        if not here.opened and all(here.places[thing] == place for thing, place in goal.places.items()):
            return number
        for action in ACTIONS:
            there = by_hand(here, action)
            if there is not None and there.key not in seen:
                seen.add(there.key)
                queue.append((there, number + 1))
    raise AssertionError("no plan")


def test_a_tower_is_taken_down_from_its_top() -> None:
    wanted = plan("open 4, move object 1 into 4, move object 2 into 4, move object 3 into 4, close 4")
    assert chores.shortest(TOWER, ALL_IN) == [wanted]


def test_what_is_held_is_put_down_before_something_is_opened() -> None:
    state = State({"1": HAND, "2": FURNITURE, "3": FURNITURE}, opened=False)
    assert chores.shortest(state, ONE_IN) == [plan("move object 1 onto 5, open 4, move object 1 into 4, close 4")]


def test_the_search_finds_as_few_actions_as_the_rules_allow() -> None:
    for state in states():
        for goal in GOALS.values():
            found = chores.shortest(state, goal)
            assert {len(one) for one in found} == {fewest(state, goal)}
            assert len(set(found)) == len(found)


def test_pddl_says_the_same_of_every_action() -> None:
    for state in states():
        task = chores.task_of(state, ONE_IN)
        for action in ACTIONS:
            assert chores.followed(task, [action], to_goal=False) == (by_hand(state, action) is not None)


def test_the_planner_needs_as_many_actions() -> None:
    assert chores.planned(TOWER, ALL_IN) == 5
    assert len(chores.all_plans(TOWER, ALL_IN, 5)) == 1


def test_random_states_need_a_look() -> None:
    dice = Random(1)
    for _ in range(300):
        state = chores.random_state(dice)
        assert state.key != family.PLAIN.key
        assert list(state.places.values()).count(HAND) <= 1
        assert state.opened or CONTAINER not in state.places.values()
        on_objects = [place for place in state.places.values() if place in OBJECTS]
        assert len(set(on_objects)) == len(on_objects)
        assert all(state.places[place] not in (HAND, CONTAINER) for place in on_objects)


def test_an_order_is_asked_for_if_few_are_right() -> None:
    loose = State(dict.fromkeys(OBJECTS, FURNITURE), opened=True)
    for state in (loose, TOWER):
        made = [family._sort(family.case(state, ALL_IN), Random(seed)) for seed in range(20)]
        # Three loose things can go in six orders; of a tower only one is right.
        assert any(made) == (state is TOWER)


def test_an_order_that_is_usual_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    (plan_of_tower,) = chores.shortest(TOWER, ALL_IN)
    likely, share = guessable(ALL_IN, plan_of_tower)
    assert 0.0 < share <= likely <= family.GUESSED
    monkeypatch.setattr(family, "GUESSED", likely - 0.001)
    assert not any(family._sort(family.case(TOWER, ALL_IN), Random(seed)) for seed in range(20))


def test_an_order_that_is_always_right_can_be_guessed() -> None:
    assert guessable(ONE_IN, plan("open 4, move object 2 into 4, move object 1 into 4, close 4")) == (1.0, 1.0)


def test_wrong_plans_fail_even_if_idle_actions_are_passed_over() -> None:
    idle = plan("move object 3 onto 5, open 4, move object 1 into 4, close 4")
    assert not chores.works(TOWER, idle, ONE_IN)
    assert chores.works(TOWER, idle, ONE_IN, lenient=True)
    for seed in range(20):
        made = family._which_plan(family.case(TOWER, ONE_IN), Random(seed))
        if made is not None:
            found = [chores.works(TOWER, plan(option), ONE_IN, lenient=True) for option in made.options]
            assert [k for k, works in enumerate(found) if works] == list(made.answer)


def test_several_orders_are_one_reference() -> None:
    recipe = replace(_recipe(), kind=Kind.ORDER, options=("x", "y", "z"), answer=((0, 1, 2), (1, 0, 2)))
    assert orders(recipe.answer) == ((0, 1, 2), (1, 0, 2))
    assert recipe.wording == "x; y; z / y; x; z"
    found = reference(recipe)
    assert (found.text, found.kwargs) == ("A,B,C;B,A,C", {"order": [["A", "B", "C"], ["B", "A", "C"]]})
    for profile in (Profile.OFFICIAL, Profile.ROBUST):
        rights = [",".join(order) for order in permutations("ABC") if verdict(",".join(order), found, profile).right]
        assert rights == ["A,B,C", "B,A,C"]
    dealt = rules.reordered(recipe, (2, 0, 1))
    assert dealt.options == ("z", "x", "y")
    assert dealt.answer == ((1, 2, 0), (2, 1, 0))
    assert dealt.wording == recipe.wording


def test_one_order_stays_as_it_is() -> None:
    recipe = replace(_recipe(), kind=Kind.ORDER, options=("x", "y", "z"), answer=(2, 0, 1))
    assert reference(recipe).kwargs == {"order": ["C", "A", "B"]}
    assert rules.reordered(recipe, (2, 0, 1)).answer == (0, 1, 2)


def test_lines_to_plates_keep_off_other_points() -> None:
    here = Point(100, 100, "1", plate=(93, 41))
    assert not _tangled((here, Point(111, 75, "2", plate=(150, 60))))
    assert _tangled((here, Point(109, 75, "2", plate=(150, 60))))


def _recipe() -> Recipe:
    """One of the frozen questions about what comes at some place."""
    return next(recipe for recipe in _frozen() if "can come" in recipe.text)


@cache
def _frozen() -> list[Recipe]:
    return recipes.read(ERQA_PLUS)


@cache
def _proposed() -> list[Recipe]:
    found = proposals("decomposition", 0, SCENE, ["sorting", "multiple-choice"])
    assert found, "the scene of these tests has no questions any more"
    return found


@pytest.mark.slow
def test_proposals_are_the_same_every_time() -> None:
    again = proposals("decomposition", 0, SCENE, ["multiple-choice", "sorting"])
    assert again == _proposed()
    assert {recipe.situation.home for recipe in again} == {again[0].situation.home}


@pytest.mark.slow
def test_answers_to_proposals_follow_from_the_state_in_the_proof() -> None:
    _check(_proposed())


def test_frozen_answers_follow_from_the_state_in_the_proof() -> None:
    _check(_frozen())


def _check(some: list[Recipe]) -> None:
    for recipe in some:
        state = State(recipe.proof["state"], recipe.proof["open"])
        if "shortest" in recipe.proof:
            goal = next(goal for words, goal in GOALS.items() if f"Goal: {words}. " in recipe.text)
            assert recipe.proof["shortest"] == fewest(state, goal)
        else:
            allowed = [by_hand(state, Action.parse(option)) is not None for option in recipe.options]
            wanted = "not carry out" not in recipe.text
            assert [k for k, one in enumerate(allowed) if one == wanted] == list(recipe.answer)


def test_verify_looks_at_the_picture_and_not_at_the_answer() -> None:
    recipe = _recipe()
    assert family.FAMILY.verify(replace(recipe, answer=(9,), proof={})) == recipe.answer
    # With two numbers exchanged it is another question.
    (shot,) = recipe.shots
    swapped = {"1": "4", "4": "1"}
    marks = tuple(replace(mark, text=swapped.get(mark.text, mark.text)) for mark in shot.marks)
    with pytest.raises((ValueError, AssertionError, KeyError)):
        assert family.FAMILY.verify(replace(recipe, shots=(replace(shot, marks=marks),))) == recipe.answer

"""The belief about where things are: what looking, answers and attempts do to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from envs.base import Search
from envs.household.looking import domain, out_of_view
from memory.whereabouts import FLOOR, OVERLOOKED, WORKS, Whereabouts
from planners.formula import Atom, Literal, conjunction
from planners.task import Step

TYPES = {
    "bowl": "movable", "cup": "movable", "cabinet": "container", "fridge": "container", "table": "thing",
    "kitchen": "room", "hall": "room",
}  # fmt: skip
OBJECTS = domain().objects(TYPES)
THINGS = domain().objects({name: kind for name, kind in TYPES.items() if kind != "room"})


def places(name: str) -> tuple[Atom, ...]:
    return (*(Atom("inside", (name, c)) for c in ("cabinet", "fridge")), Atom("ontop", (name, "table")))


SEARCH = Search(
    tuple(THINGS),
    {name: places(name) for name in ("bowl", "cup")},
    {room: Step("look-around", (room,)) for room in ("kitchen", "hall")},
    {"table": "kitchen", "cabinet": "kitchen", "fridge": "hall"},
    lambda seen: out_of_view(THINGS, seen),
)
IN_CABINET, IN_FRIDGE, ON_TABLE = places("bowl")
HELD = Atom("holding", ("bowl",))


def blank() -> Whereabouts:
    return Whereabouts.blank(SEARCH, domain(), OBJECTS)


def near(belief: Whereabouts, *names: str) -> Whereabouts:
    return replace(belief, facts={**belief.facts, **{Atom("reachable", (name,)): 0.99 for name in names}})


def opened(belief: Whereabouts, name: str) -> Whereabouts:
    return replace(belief, facts={**belief.facts, Atom("open", (name,)): 0.99})


def test_what_is_seen_is_in_nothing_that_is_shut() -> None:
    after = opened(blank(), "fridge").looked(frozenset({"bowl"}), frozenset(), None)
    assert after.likely(IN_CABINET) < 0.5 * after.likely(IN_FRIDGE)


def test_places_are_exclusive_and_unseen_things_are_nowhere() -> None:
    belief = blank()
    assert sum(belief.places["bowl"].values()) == pytest.approx(1.0)
    assert belief.likely(IN_CABINET) == pytest.approx(belief.likely(IN_FRIDGE))
    assert not belief.is_found("bowl")
    assert not any("bowl" in atom.args for atom in belief.state)


def test_not_seeing_a_thing_where_one_looks_speaks_for_the_other_places() -> None:
    belief = opened(blank(), "cabinet")
    after = belief.looked(frozenset({"cabinet"}), frozenset({IN_CABINET}), None)
    assert after.likely(IN_CABINET) < 0.5 * belief.likely(IN_CABINET)
    assert after.likely(IN_FRIDGE) > belief.likely(IN_FRIDGE)
    assert not after.is_found("bowl")


def test_seeing_it_there_speaks_for_that_place_and_it_counts_as_found() -> None:
    belief = opened(blank(), "cabinet")
    after = belief.looked(frozenset({"bowl", "cabinet"}), frozenset({IN_CABINET}), None)
    assert after.is_found("bowl")
    assert after.likely(IN_CABINET) > 1.5 * blank().likely(IN_CABINET)
    assert IN_CABINET in after.state
    assert not after.lost("bowl").is_found("bowl")


def test_looking_round_a_room_tells_of_its_floor_and_its_furniture() -> None:
    after = blank().looked(frozenset(), frozenset(), "kitchen")
    assert after.likely(Atom(FLOOR, ("bowl", "kitchen"))) < after.likely(Atom(FLOOR, ("bowl", "hall")))
    assert after.likely(ON_TABLE) / after.likely(IN_CABINET) < blank().likely(ON_TABLE) / blank().likely(IN_CABINET)


def test_what_is_not_in_view_is_neither_within_reach_nor_in_the_hand() -> None:
    belief = near(blank(), "table")
    belief = replace(belief, places={**belief.places, "bowl": {HELD: 0.6, ON_TABLE: 0.4}})
    after = belief.looked(frozenset(), frozenset(), None)
    assert after.likely(Atom("reachable", ("table",))) == OVERLOOKED
    assert after.likely(HELD) < 0.3


def test_answers_move_places_together() -> None:
    after = blank().with_answers({ON_TABLE: 1.0})
    assert after.likely(ON_TABLE) > 2 * blank().likely(ON_TABLE)
    assert after.likely(IN_CABINET) < blank().likely(IN_CABINET)
    assert after.with_answers({Atom("open", ("fridge",)): 1.0}).opened("fridge")


def test_nobody_says_that_an_attempt_worked() -> None:
    belief = near(blank().looked(frozenset({"bowl"}), frozenset({ON_TABLE}), None), "bowl", "table")
    grasped = belief.attempted(Step("grasp", ("bowl",)))
    assert 0.5 < grasped.likely(HELD) <= WORKS
    assert belief.attempted(Step("grasp", ("bowl",)), legal=False).likely(HELD) == belief.likely(HELD)
    seen = grasped.with_answers({HELD: 1.0})
    assert seen.likely(HELD) > 0.9
    assert HELD in seen.state
    unseen = grasped.with_answers({HELD: 0.0})
    assert unseen.likely(HELD) < 0.5
    put = near(seen, "table").attempted(Step("place-on", ("bowl", "table")))
    assert put.likely(ON_TABLE) > 0.5 > put.likely(HELD)
    assert put.likely(Atom("elsewhere", ("bowl",))) > 0.05, "it may have fallen"


def test_an_attempt_whose_conditions_are_doubtful_is_doubted() -> None:
    belief = blank().looked(frozenset({"bowl"}), frozenset({ON_TABLE}), None)
    far = belief.attempted(Step("grasp", ("bowl",)))
    assert far.likely(HELD) < near(belief, "bowl").attempted(Step("grasp", ("bowl",))).likely(HELD)
    assert HELD not in far.state


def test_the_chance_of_a_goal_is_that_of_all_its_facts() -> None:
    belief = blank().with_answers({ON_TABLE: 1.0})
    goal = conjunction((Literal(ON_TABLE), Literal(Atom("open", ("fridge",)), False)))
    assert belief.chance(goal) == pytest.approx(
        belief.likely(ON_TABLE) * (1 - belief.likely(Atom("open", ("fridge",))))
    )


def test_only_one_thing_is_in_the_hand() -> None:
    cup = Atom("holding", ("cup",))
    both = {"bowl": {HELD: 0.9, ON_TABLE: 0.1}, "cup": {cup: 0.8, Atom("ontop", ("cup", "table")): 0.2}}
    state = replace(blank(), places=both, found={"bowl": 0.9, "cup": 0.9}).state
    assert HELD in state
    assert cup not in state
    assert Atom("ontop", ("cup", "table")) in state


def test_weights_add_up_what_is_sought() -> None:
    belief = blank()
    one = belief.weight(["bowl"], "inside", "cabinet")
    assert belief.weight(["bowl", "cup"], "inside", "cabinet") == pytest.approx(2 * one)
    assert belief.weight(["bowl"], "ontop", "cabinet") == 0.0

"""Agents that walk about: `map`, `scene_graph` and `ground_nav` in a small building, and the map they draw."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.explore import BACK, ELSEWHERE, moves_of
from agents.registry import find_agent
from agents.scene_graph import nearest
from envs.base import Observation, Outcome, Stepped
from memory.places import Places
from models.base import Kind, Request
from models.scripted import Scripted
from planners import get_planner
from tests.small_worlds import Sketch
from tools.events import Acted, Asked, Ended, Event, Planned, Reason
from tools.worlds import OptionTools

# A ring of four places; each is looked at in four directions. A way leads on to the right-hand neighbour (direction 1)
# and back (direction 3). The key lies in place 2, direction 0; the door is in place 0, direction 2.
KEY, DOOR = (2, 0), (0, 2)


class Ring:
    """Take the key, then open the door; looking costs nothing, everything else is a step."""

    name = description = "ring"
    goal_text = "Take the key and open the door."

    def __init__(self) -> None:
        self.place, self.heading, self.key = 0, 0, False
        self.visited = [(0, 0)]

    def observe(self) -> Observation:
        return Observation(Sketch(f"{self.place} {self.heading} {self.key}"))

    def options(self) -> list[str]:
        ways = ["move forward"] if self.heading in (1, 3) else []
        return [*ways, "turn left", "turn right", "take the key", "open the door"]

    def step(self, option: str) -> Stepped:
        if option == "take the key":
            self.key |= (self.place, self.heading) == KEY
            return heard(self.key)
        if option == "open the door":
            done = self.key and (self.place, self.heading) == DOOR
            return heard(done, ends=True)
        if option == "move forward":
            self.place = (self.place + (1 if self.heading == 1 else -1)) % 4
        else:
            self.heading = (self.heading + (1 if option == "turn left" else -1)) % 4
        self.visited.append((self.place, self.heading))
        return Stepped(Outcome.EXECUTED)


def heard(success: bool, ends: bool = False) -> Stepped:
    outcome = Outcome.EXECUTED if success else Outcome.FAILED
    return Stepped(outcome, success and ends, feedback="success" if success else "failed")


def play(
    agent: str, reply: Callable[[Ring, Request], str], steps: int = 60, **options: Any
) -> tuple[Ring, list[Event]]:
    world, told = Ring(), []
    model = Scripted(lambda request: reply(world, request))
    tools = OptionTools(env=world, model=model, emit=told.append, step_limit=steps, **options)

    async def run() -> None:
        await find_agent(agent).build().ainvoke({}, context=tools, config={"recursion_limit": 1000})

    asyncio.run(run())
    return world, told


def sees(world: Ring, request: Request) -> str:
    """Somebody who knows what to do with a view, and nothing else."""
    here = (world.place, world.heading)
    useful = {"take the key": here == KEY and not world.key, "open the door": here == DOOR and world.key}
    if request.kind is Kind.CHOICE:
        wanted = next((option for option, now in useful.items() if now), ELSEWHERE)
        return f"Choice: [{request.options.index(wanted) + 1}]"
    if request.kind is Kind.CHOICES:
        return "Answer: A, B"
    if request.kind is Kind.YES_NO:
        return (
            "Yes"
            if {"shows take the key": here == KEY, "shows open the door": here == DOOR}[request.about or ""]
            else "No"
        )
    return f"a wall, seen from {here}"


def acted(told: list[Event]) -> list[str]:
    return [event.action for event in told if isinstance(event, Acted)]


@pytest.mark.parametrize("agent", ["map", "scene_graph", "ground_nav"])
def test_it_finds_what_it_needs_and_ends_the_task(agent: str) -> None:
    planner = get_planner("fd")
    try:
        world, told = play(agent, sees, planner=planner)
    finally:
        planner.close()
    assert [event.reason for event in told if isinstance(event, Ended)] == [Reason.FINISHED]
    assert world.key
    assert acted(told)[-1] == "open the door"


def test_map_asks_about_no_view_twice_until_something_changes() -> None:
    _, told = play("map", sees)
    asked = [event for event in told if isinstance(event, Asked)]
    before = [event.step for event in asked if event.value == ELSEWHERE]
    taken = next(event.step for event in told if isinstance(event, Acted) and event.action == "take the key")
    assert len([step for step in before if step <= taken]) <= 15  # 16 views, the last one of use
    assert len(asked) < len(acted(told))


def test_map_looks_at_everything_again_when_nothing_helped() -> None:
    asked: list[int] = []

    def blind_at_first(world: Ring, request: Request) -> str:
        asked.append(1)
        return last(request) if len(asked) <= 16 else sees(world, request)

    _, told = play("map", blind_at_first, steps=200)
    assert acted(told)[-1] == "open the door"


def last(request: Request) -> str:
    return f"Choice: [{len(request.options)}]"


def test_steps_run_out_and_unreadable_replies_end_it() -> None:
    _, told = play("map", lambda world, request: last(request), steps=5)
    assert [event.reason for event in told if isinstance(event, Ended)] == [Reason.STEP_LIMIT]
    assert len(acted(told)) == 5
    for agent in ("map", "scene_graph"):
        _, told = play(agent, lambda world, request: "hm")
        assert [event.reason for event in told if isinstance(event, Ended)] == [Reason.UNREADABLE]


def test_ground_nav_goes_straight_back_to_what_it_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The door is seen before the key is found: a plan leads back to it, with nothing explored on the way."""
    monkeypatch.setitem(globals(), "DOOR", (0, 3))
    monkeypatch.setitem(globals(), "KEY", (0, 1))
    planner = get_planner("fd")
    try:
        _, told = play("ground_nav", sees, planner=planner)
    finally:
        planner.close()
    plans = [event for event in told if isinstance(event, Planned)]
    assert plans
    assert all(event.status == "solved" for event in plans)
    back = ["take the key", "turn left", "turn left", "open the door"]
    assert acted(told) == ["turn right", "turn right", "turn right", *back]


def test_an_option_done_out_of_turn_is_not_wanted_again() -> None:
    """The model wants to open the door first, and then sees that it has to take the key."""

    def wrong_order(world: Ring, request: Request) -> str:
        if request.kind is Kind.CHOICES:
            return "Answer: B, A"
        if request.about == "shows open the door" and (world.place, world.heading) == KEY and not world.key:
            return "Yes"
        return sees(world, request)

    planner = get_planner("fd")
    try:
        world, told = play("ground_nav", wrong_order, planner=planner)
    finally:
        planner.close()
    assert world.key
    assert acted(told)[-1] == "open the door"
    taken = next(place for place, event in enumerate(told) if isinstance(event, Acted) and event.feedback == "success")
    assert not [event for event in told[taken:] if isinstance(event, Asked) and event.about == "shows take the key"]


def test_a_yes_about_later_counts_only_if_a_second_look_confirms_it() -> None:
    """Beside earlier pictures the door is not seen again, so nothing is planned for it."""
    asked: list[int] = []

    def unsure(world: Ring, request: Request) -> str:
        if request.kind is Kind.YES_NO and (world.place, world.heading) == DOOR:
            asked.append(len(request.pictures))
            return "Yes" if len(request.pictures) == 1 else "No"
        return sees(world, request)

    planner = get_planner("fd")
    try:
        world, told = play("ground_nav", unsure, planner=planner, frames=24)
    finally:
        planner.close()
    assert world.key
    assert acted(told)[-1] == "open the door"
    assert not [event for event in told if isinstance(event, Planned)]
    assert asked[0] == 1
    assert asked[1] > 1


def test_one_looks_around_for_things_and_walks_on_to_places() -> None:
    listed = ["turn left", "move forward", "look upward", "turn right", "answer yes"]
    assert moves_of(listed) == ["move forward", "turn right", "turn left"]
    assert moves_of([*listed, "take the key"]) == ["turn right", "turn left", "move forward"]
    assert moves_of(["turn left", "take the key"]) == ["turn left"]


def test_ground_nav_leaves_views_that_do_not_help_and_asks_anew_when_nothing_is_left() -> None:
    """Somebody who takes every view for the right one is corrected by failures, view by view."""

    def hopeful(world: Ring, request: Request) -> str:
        return "Yes" if request.kind is Kind.YES_NO else sees(world, request)

    planner = get_planner("fd")
    try:
        world, told = play("ground_nav", hopeful, steps=120, planner=planner)
    finally:
        planner.close()
    assert world.key
    refused = [event for event in told if isinstance(event, Asked) and event.value == ELSEWHERE]
    assert len(refused) > 1


def test_scene_graph_keeps_notes_and_shows_the_pictures_that_fit() -> None:
    _, told = play("scene_graph", sees)
    taken = next(place for place, event in enumerate(told) if isinstance(event, Acted) and event.feedback == "success")
    notes = [event for event in told[:taken] if isinstance(event, Asked) and event.kind is Kind.TEXT]
    assert len({event.reply for event in notes}) == len(notes)  # each view is described once
    views = {
        "a": "a red key on a table",
        "b": "the key beside a door",
        "c": "an empty wall",
        "now": "the key and the door",
    }
    assert nearest("Take the key and open the door.", views, "now") == ["a", "b"]


# The map


@given(st.lists(st.sampled_from(("move forward", "turn left", "turn right")), max_size=60), st.integers(0, 2**16))
def test_a_way_on_the_map_leads_where_it_says(moves: list[str], seed: int) -> None:
    world, places = Ring(), Places(BACK)
    view = places.arrive(world.observe().picture.key, open_moves(world))
    for move in moves:
        if move in world.options():
            world.step(move)
            view = places.arrive(world.observe().picture.key, open_moves(world), (view, move))
    target = random.Random(seed).choice(list(places.moves))
    way = places.way(view, lambda one: one == target)
    for move in way or ():
        world.step(move)
    if way is not None:
        assert world.observe().picture.key == target
    untried = places.explore(view)
    assert untried is None or len(untried) >= 1


def open_moves(world: Ring) -> list[str]:
    return [move for move in ("move forward", "turn right", "turn left") if move in world.options()]


def test_a_view_that_looks_different_by_now_is_still_the_same_place() -> None:
    places = Places(BACK)
    start = places.arrive("start", ["turn left"])
    left = places.arrive("left", ["turn left", "turn right"], (start, "turn left"))
    places.stay(left, "left, with the key in the hand", ["turn right"])
    assert places.arrive("start, with the key in the hand", ["turn left"], (left, "turn right")) == start
    assert places.arrive("left, with the key in the hand", [], (start, "turn left")) == left
    assert places.way(left, lambda view: view == "nowhere") is None

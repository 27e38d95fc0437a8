"""Situations, what is done in them, and what is true afterwards."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from envs.household.home.draft import Need
from envs.shots.actions import Action, Drive, Hold, Open, Put, Release, Remove, Settle, from_json, to_json
from envs.shots.moment import open_moment
from envs.shots.situation import Situation
from envs.shots.situation import from_json as situation_of
from envs.shots.situation import to_json as situation_to
from tests.envs.shots.looks import KITCHEN, THINGS, kitchen

ACTIONS: tuple[Action, ...] = (
    Open("cabinet_1", 0.5), Put("cup_1", (1.0, 2.0, 0.75), 90.0, 180.0), Remove("box_1"), Hold("cup_2"), Release(),
    Drive(1.0, 2.0, 0.5, 0.1), Settle(1.5),
)  # fmt: skip


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: type(action).__name__)
def test_an_action_written_is_an_action_read(action: Action) -> None:
    assert from_json(json.loads(json.dumps(to_json(action)))) == action


def test_what_is_no_action_is_refused() -> None:
    with pytest.raises(ValueError, match=r"'remov'.*Did you mean 'remove'"):
        from_json(["remov", "cup_1"])


def test_a_situation_written_is_a_situation_read() -> None:
    needs = (Need("desk", "table", ("desk",), room="study"), Need("cup_1", "cup", on="desk"), Need("odd", "book"))
    for situation in (Situation("core", 3), Situation("row", 7, needs, ACTIONS, ((1.0, 2.0, 0.5),)), KITCHEN):
        assert situation_of(json.loads(json.dumps(situation_to(situation)))) == situation


def test_a_home_is_known_by_what_it_is_built_from() -> None:
    assert KITCHEN.after(Release()).with_others((1.0, 1.0, 0.0)).home == KITCHEN.home
    assert replace(KITCHEN, seed=1).home != KITCHEN.home
    assert replace(KITCHEN, needs=KITCHEN.needs[:-1]).home != KITCHEN.home


def test_what_is_done_comes_in_order() -> None:
    assert KITCHEN.after(Hold("cup_1")).after(Release(), Settle()).actions == (Hold("cup_1"), Release(), Settle())


def test_a_moment_is_kept() -> None:
    assert open_moment(KITCHEN) is kitchen()
    assert open_moment(replace(KITCHEN, actions=())) is kitchen()


def test_things_rest_on_what_they_touch() -> None:
    moment = kitchen()
    assert set(moment.movables) == set(THINGS)
    for name in THINGS[:-1]:
        assert moment.support_of(name) == "table_1"
        assert moment.touches(name, "table_1")
        assert moment.touches("table_1", name)
        assert not moment.on_floor(name)
    assert moment.support_of("ball_1") is None
    assert moment.on_floor("ball_1")
    assert not moment.touches("ball_1", "table_1")


def over(name: str, below: str, room: float = 0.002) -> Put:
    """A movable on top of another thing."""
    moment = kitchen()
    x, y, _ = moment.middle(below)
    lift = moment.sim.pose(name).position[2] - moment.box(name)[0][2]
    return Put(name, (round(x, 3), round(y, 3), moment.box(below)[1][2] + lift + room))


def test_a_stack_rests_on_what_is_below() -> None:
    moment = open_moment(KITCHEN.after(over("hardback_1", "box_1"), Settle(1.0)))
    assert moment.support_of("hardback_1") == "box_1"
    assert moment.support_of("box_1") == "table_1"
    assert not moment.touches("hardback_1", "table_1")
    assert kitchen().support_of("hardback_1") == "table_1", "the other moment is as it was"


def test_what_is_put_stays_in_the_air_until_things_settle() -> None:
    put = over("hardback_1", "box_1", room=0.2)
    hanging, fallen = open_moment(KITCHEN.after(put)), open_moment(KITCHEN.after(put, Settle(1.0)))
    assert hanging.box("hardback_1")[0][2] == pytest.approx(kitchen().box("box_1")[1][2] + 0.2, abs=0.003)
    assert hanging.support_of("hardback_1") is None
    assert fallen.box("hardback_1")[0][2] < hanging.box("hardback_1")[0][2] - 0.15


def test_what_is_removed_is_in_no_room() -> None:
    moment = open_moment(KITCHEN.after(Remove("box_1"), Remove("cup_2")))
    assert set(moment.movables) == set(THINGS) - {"box_1", "cup_2"}
    assert moment.room_of("box_1") is None
    assert not moment.touches("box_1", "cup_2")


def test_the_hand_holds_and_lets_go() -> None:
    held = open_moment(KITCHEN.after(Hold("cup_1")))
    assert held.held == "cup_1"
    assert held.support_of("cup_1") is None
    assert not held.on_floor("cup_1")
    assert open_moment(KITCHEN.after(Hold("cup_1"), Release())).held is None


def test_the_robot_drives_with_what_it_holds() -> None:
    moment = open_moment(KITCHEN.after(Hold("cup_1"), Drive(7.9, 0.8, 1.0)))
    assert moment.sim.robot() == pytest.approx((7.9, 0.8, 1.0))
    x, y, _ = moment.middle("cup_1")
    assert abs(x - 7.9) < 1.0
    assert abs(y - 0.8) < 1.0


def test_rooms_are_known_by_places() -> None:
    moment = kitchen()
    kitchens = [room for room in moment.home.rooms if room.kind == "kitchen"]
    assert moment.room_of("table_1") == kitchens[0].name
    x0, y0, x1, y1 = kitchens[0].corners
    assert moment.room_at((x0 + x1) / 2, (y0 + y1) / 2) == kitchens[0].name
    assert moment.room_at(-50.0, 0.0) is None


def test_a_box_is_round_all_that_is_drawn() -> None:
    points = kitchen().points("hardback_1")
    low, high = kitchen().box("hardback_1")
    assert tuple(points.min(axis=1)) == pytest.approx(low, abs=1e-6)
    assert tuple(points.max(axis=1)) == pytest.approx(high, abs=1e-6)
    assert kitchen().middle("hardback_1") == pytest.approx([(a + b) / 2 for a, b in zip(low, high, strict=True)])


@pytest.mark.slow
def test_leaves_are_as_far_open_as_they_are_opened() -> None:
    needs = (Need("cabinet_1", "cabinet", room="kitchen"),)
    shut = open_moment(Situation("core", 5, needs))
    half, wide = (open_moment(Situation("core", 5, needs, (Open("cabinet_1", far),))) for far in (0.5, 1.0))
    assert (shut.opening("cabinet_1"), half.opening("cabinet_1"), wide.opening("cabinet_1")) == (0.0, 0.5, 1.0)
    boxes = [moment.box("cabinet_1") for moment in (shut, half, wide)]
    reach = [(x - a) + (y - b) for (a, b, _), (x, y, _) in boxes]
    assert reach[0] < reach[1], "leaves that are open stand out"
    assert kitchen().opening("table_1") == 0.0

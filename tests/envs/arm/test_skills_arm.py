from itertools import pairwise
from math import cos
from random import Random

import pytest

from envs.arm.goals import FAMILIES, Draft
from envs.arm.motions import Refused
from envs.arm.rollout import Impossible, Rollout, Skill
from envs.arm.scenes import Table, table
from envs.arm.skills import SKILLS, do


def _name(made: Table, *kinds: str) -> str | None:
    return next((name for name in made.kinds if made.kinds[name].kind in kinds), None)


def _first(
    source: str, setting: str, verb: str, kinds: str, places: str = "", detail: str = ""
) -> tuple[Rollout, Skill]:
    """The first scene in which a skill succeeds, after it."""
    for seed in range(1, 40):
        made = table(source, seed, setting)
        name, place = _name(made, *kinds.split()), _name(made, *places.split())
        if name is None or (places and place is None):
            continue
        run, skill = Rollout(made), Skill(verb, name, place or "", detail)
        try:
            do(run, skill)
        except Impossible:
            continue
        return run, skill
    raise AssertionError(f"no scene for {verb}")


def test_put_in_and_out_again() -> None:
    run, skill = _first("bridge", "", "put", "apple orange ball", places="bowl saucepan", detail="in")
    x, y, _ = run.sim.pose(skill.thing).position
    a, b, _ = run.sim.pose(skill.place).position
    assert abs(x - a) < 0.05
    assert abs(y - b) < 0.05
    assert [moved.thing for moved in run.moment().moved] == [skill.thing]
    do(run, Skill("take out", skill.thing, skill.place, direction=-1.5))
    assert run.sim.pose(skill.thing).position[1] < y - 0.05
    assert run.moment().held == ""


def test_pick_lifts_what_it_holds() -> None:
    run, skill = _first("bridge", "", "pick", "apple banana bottle")
    moment = run.moment()
    assert moment.held == skill.thing
    assert moment.moved[0].position[2] > 0.05
    assert moment.state.opening < 1.0


def test_push_moves_away_from_the_base_and_towards_it() -> None:
    for way, sign in (("away", 1.0), ("towards", -1.0)):
        run, skill = _first("droid", "", "push", "cup bottle plaything", detail=way)
        start = run.start[skill.thing].pose.position
        end = run.sim.pose(skill.thing).position
        assert sign * (end[0] - start[0]) > 0.08
        assert abs(end[1] - start[1]) < 0.01


@pytest.mark.parametrize(("verb", "setting", "kind", "end"), [
    ("open", "drawers", "drawer", 1.0), ("close", "drawers", "drawer", 0.0),
    ("turn", "stove", "stove", 1.0), ("turn", "sink", "sink", 1.0),
])  # fmt: skip
def test_open_close_and_turn_move_a_leaf(verb: str, setting: str, kind: str, end: float) -> None:
    run, skill = _first("rt1", setting, verb, kind)
    assert run.sim.opening(skill.thing) == pytest.approx(end)
    (moved,) = run.moment().moved
    assert moved.thing == skill.thing
    assert moved.opening == pytest.approx(end)


def test_flip_turns_over_and_fold_exchanges_the_shape() -> None:
    run, skill = _first("bridge", "", "flip", "cup bowl")
    assert run.sim.pose(skill.thing).rotation[8] < cos(2.9)
    run, skill = _first("bridge", "towels", "fold", "towel")
    assert run.sim.pose(f"folded_{skill.thing}").position[2] > -0.01
    assert run.sim.pose(skill.thing).position[2] < -0.5


def test_stack_puts_one_thing_on_another() -> None:
    run, skill = _first("droid", "", "stack", "sandwich banana cup", places="plate", detail="on")
    assert run.sim.pose(skill.thing).position[2] > run.sim.pose(skill.place).position[2]


def test_frames_on_the_way_follow_each_other_closely() -> None:
    run = Rollout(table("bridge", 2), frames=6)
    skill = Skill("pick", _name(run.table, "bottle", "apple") or "")
    do(run, skill)
    states = [moment.state for moment, _ in run.moments]
    assert len(states) > 20
    steps = [max(abs(a - b) for a, b in zip(one[:3], other[:3], strict=True)) for one, other in pairwise(states)]
    assert max(steps) < 0.06


def test_an_unknown_skill_is_named() -> None:
    with pytest.raises(ValueError, match="stac"):
        do(Rollout(table("bridge", 2)), Skill("stac", "apple_1"))
    assert len(SKILLS) == 10


def test_every_family_of_goals_can_be_drafted() -> None:
    for name, family in FAMILIES.items():
        made: Draft | None = None
        for seed in range(30):
            source = "droid" if "drawer" in name else "bridge"
            try:
                made = family.draft(table(source, seed, family.setting), Random(seed))
                break
            except Refused:
                continue
        assert made is not None, name
        assert len({goal.words for goal in made.goals}) == 4

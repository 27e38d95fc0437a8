"""Moves that go wrong: how often, in which ways, and always the same ones for the same seed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.base import Outcome, Rewindable
from envs.blocksworld.world import Blocksworld, SlipperyHand
from planners.task import Step
from tests.small_worlds import START, arrangements, blocksworld

MOVE = Step("moveblock", ("g", "c3"))
DRAWS = 4000


def slips(hand: SlipperyHand, world: Blocksworld, move: Step = MOVE) -> Counter[Step | None]:
    return Counter(hand(move, world) for _ in range(DRAWS))


def test_half_do_nothing_a_quarter_land_near_the_target_a_quarter_near_the_start() -> None:
    found = slips(SlipperyHand(1.0, 0), blocksworld())
    share = {step.args[1] if step else None: count / DRAWS for step, count in found.items()}
    # g stands in c1, whose only neighbour is c2; the target c3 lies between c2 and c4.
    assert set(share) == {None, "c2", "c4"}
    assert share[None] == pytest.approx(0.5, abs=0.03)
    assert share["c2"] == pytest.approx(0.25 + 0.125, abs=0.03)
    assert share["c4"] == pytest.approx(0.125, abs=0.03)


def test_an_edge_column_has_one_neighbour() -> None:
    world = blocksworld()
    assert [world.neighbours(column) for column in ("c1", "c2", "c4")] == [["c2"], ["c1", "c3"], ["c3"]]


@pytest.mark.parametrize("probability", [0.0, 0.1, 0.5])
def test_it_slips_as_often_as_stated(probability: float) -> None:
    found = slips(SlipperyHand(probability, 1), blocksworld())
    assert 1 - found[MOVE] / DRAWS == pytest.approx(probability, abs=0.03)


@settings(deadline=None)
@given(st.integers(), st.floats(0.0, 1.0))
def test_the_same_seed_slips_the_same_way(seed: int, probability: float) -> None:
    world = blocksworld()
    one, other = SlipperyHand(probability, seed), SlipperyHand(probability, seed)
    assert [one(MOVE, world) for _ in range(10)] == [other(MOVE, world) for _ in range(10)]


@pytest.mark.parametrize("probability", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_probability_is_between_zero_and_one(probability: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        SlipperyHand(probability, 0)


@settings(deadline=None)
@given(arrangements("rgb"), st.integers(0, 50))
def test_a_slip_moves_the_block_to_some_column_or_nowhere(start: tuple[tuple[str, ...], ...], seed: int) -> None:
    world = blocksworld(start, start, chance=SlipperyHand(1.0, seed))
    top, target = next((stack[-1], place) for place, stack in enumerate(start) if stack)
    step = Step("moveblock", (top, "c1" if target else "c4"))
    answer = world.step(step)
    assert answer.outcome is Outcome.EXECUTED
    assert sorted(sum(world.arrangement, ())) == sorted(sum(start, ()))
    others = [tuple(block for block in stack if block != top) for stack in start]
    assert [tuple(block for block in stack if block != top) for stack in world.arrangement] == others


def test_what_is_not_legal_does_not_roll_the_dice() -> None:
    rolled = []
    world = blocksworld(chance=lambda move, world: rolled.append(move))
    world.step(Step("moveblock", ("r", "c2")))
    world.step(Step("moveblock", ("g", "c9")))
    assert not rolled


def test_a_block_that_does_not_move_was_executed_all_the_same() -> None:
    world = blocksworld(chance=lambda move, world: None)
    assert world.step(MOVE).outcome is Outcome.EXECUTED
    assert (world.arrangement, world.happened()) == (START, "no-op")


@pytest.mark.parametrize(("official", "outcome"), [(False, Outcome.EXECUTED), (True, Outcome.NOT_LEGAL)])
def test_a_slip_into_its_own_column_is_not_legal_by_official_rules_only(official: bool, outcome: Outcome) -> None:
    world = blocksworld(official=official, chance=lambda move, world: Step("moveblock", ("g", "c1")))
    assert world.step(MOVE).outcome is outcome
    assert (world.arrangement, world.happened()) == (START, "moveblock(g, c1)")


def test_official_effects_are_those_of_the_move_that_was_meant() -> None:
    world = blocksworld(official=True, chance=lambda move, world: Step("moveblock", ("g", "c4")))
    meant = world.domain.ground(MOVE, world.objects).effects(world.truth())
    assert world.step(MOVE).effects == meant
    assert world.happened() == "moveblock(g, c4)"


def slipped(world: Blocksworld) -> list[tuple[str, object]]:
    """What came of moving a block to and fro."""
    told: list[tuple[str, object]] = []
    for column in ("c3", "c4") * 6:
        world.step(Step("moveblock", ("g", column)))
        told.append((world.happened(), world.arrangement))
    return told


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 12))
def test_a_world_put_back_slips_as_it_did(seed: int, moves: int) -> None:
    world = blocksworld(chance=SlipperyHand(0.5, seed))
    assert isinstance(world, Rewindable)
    for place in range(moves):
        world.step(Step("moveblock", ("g", f"c{1 + place % 4}")))
    saved = world.save()
    first = slipped(world)
    for _ in range(2):
        world.restore(saved)
        assert slipped(world) == first


def test_other_seeds_slip_otherwise_and_as_often() -> None:
    world = blocksworld(chance=SlipperyHand(0.5, 0))
    saved, stories = world.save(), []
    for seed in range(200):
        world.restore(saved)
        world.reseed(seed)
        stories.append(slipped(world))
    assert len(set(map(str, stories))) > 150
    assert sum(story[0][0] == "success" for story in stories) / 200 == pytest.approx(0.5, abs=0.1)


def test_a_moment_of_another_world_is_refused() -> None:
    with pytest.raises(TypeError, match="not a snapshot of a Blocksworld"):
        blocksworld().restore("yesterday")

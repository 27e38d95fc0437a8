"""The world moves as its domain says, refuses what is not legal, and shows an agent nothing but pictures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.base import Outcome, View
from envs.blocksworld.problems import Columns, atoms_of
from envs.blocksworld.world import Blocksworld
from planners.formula import Atom, Literal
from planners.task import Step
from tests.small_worlds import GOAL, START, arrangements, blocksworld, column_names

moves = st.builds(
    lambda block, column: Step("moveblock", (block, column)), st.sampled_from("rgbyp"), st.sampled_from(column_names(4))
)
WRONG = [
    (Step("levitate", ("r",)), Outcome.UNKNOWN_ACTION),
    (Step("", ()), Outcome.UNKNOWN_ACTION),
    (Step("moveBlock", ("r", "c2")), Outcome.UNKNOWN_ACTION),
    (Step("moveblock", ()), Outcome.BAD_PARAMETERS),
    (Step("moveblock", ("g",)), Outcome.BAD_PARAMETERS),
    (Step("moveblock", ("g", "c2", "c3")), Outcome.BAD_PARAMETERS),
    (Step("moveblock", ("c2", "g")), Outcome.BAD_PARAMETERS),
    (Step("moveblock", ("g", "c9")), Outcome.BAD_PARAMETERS),
    (Step("moveblock", ("z", "c2")), Outcome.BAD_PARAMETERS),
    (Step("moveblock", ("r", "c2")), Outcome.NOT_LEGAL),
    (Step("moveblock", ("g", "c1")), Outcome.NOT_LEGAL),
]


@settings(deadline=None)
@given(arrangements(), st.lists(moves, max_size=6))
def test_a_move_does_what_the_domain_says(start: Columns, attempts: list[Step]) -> None:
    world = blocksworld(start, start)
    for step in attempts:
        before = world.truth()
        answer = world.step(step)
        if world.domain.check(step, world.objects):
            assert answer.outcome is Outcome.BAD_PARAMETERS
            assert world.truth() == before
            continue
        action = world.domain.ground(step, world.objects)
        if action.applicable(before):
            assert answer.outcome is Outcome.EXECUTED
            assert world.truth() == action.apply(before)
            assert world.happened() == "success"
        else:
            assert answer.outcome is Outcome.NOT_LEGAL
            assert world.truth() == before


@settings(deadline=None)
@given(arrangements(), st.lists(moves, max_size=8))
def test_no_block_is_ever_lost(start: Columns, attempts: list[Step]) -> None:
    world = blocksworld(start, start)
    for step in attempts:
        world.step(step)
        assert sorted(sum(world.arrangement, ())) == sorted(sum(start, ()))
        assert world.truth() == atoms_of(world.arrangement, column_names(len(start)))


@pytest.mark.parametrize(("step", "outcome"), WRONG)
@pytest.mark.parametrize("official", [False, True])
def test_what_cannot_be_done_changes_nothing(step: Step, outcome: Outcome, official: bool) -> None:
    world = blocksworld(official=official)
    answer = world.step(step)
    assert (answer.outcome, answer.terminated, answer.effects) == (outcome, False, None)
    assert world.arrangement == START


def test_the_world_says_when_the_goal_holds() -> None:
    world = blocksworld()
    ends = [world.step(Step("moveblock", args)).terminated for args in [("g", "c3"), ("r", "c2")]]
    assert ends == [False, True]
    assert world.arrangement == GOAL
    assert world.step(Step("levitate", ())).terminated


def test_the_official_world_tells_what_should_have_changed() -> None:
    step = Step("moveblock", ("g", "c2"))
    world = blocksworld(official=True)
    effects = world.domain.ground(step, world.objects).effects(world.truth())
    assert world.step(step).effects == effects
    assert Literal(Atom("on", ("g", "b"))) in effects
    assert blocksworld().step(step).effects is None


def test_the_picture_is_of_the_state_and_the_seed() -> None:
    def key(world: Blocksworld) -> str:
        return world.observe().picture.key

    world = blocksworld()
    first = key(world)
    assert first == key(blocksworld()) != key(blocksworld(seed=1))
    world.step(Step("moveblock", ("g", "c3")))
    assert key(world) != first
    world.step(Step("moveblock", ("g", "c1")))
    assert key(world) == first


def test_everything_is_in_view() -> None:
    seen = blocksworld().observe()
    assert seen.visible is None
    assert seen.shows(Atom("on", ("r", "g")))


def test_an_older_observation_stays_as_it_was() -> None:
    world = blocksworld()
    seen = world.observe()
    key = seen.picture.key
    world.step(Step("moveblock", ("g", "c3")))
    assert seen.picture.key == key


def test_a_view_shows_no_truth() -> None:
    world = blocksworld()
    view = View(world)
    public = [name for name in dir(view) if not name.startswith("_")]
    assert {"observe", "step", "question", "goal", "domain"} <= set(public)
    for name in public:
        value = getattr(view, name)
        assert not hasattr(value, "truth"), name
        assert not hasattr(value, "arrangement"), name
        assert value not in (world, world.truth(), world.arrangement), name
    assert not {"truth", "happened", "arrangement", "column_of", "beside"} & set(dir(view))


def test_acting_through_a_view_moves_the_world() -> None:
    world = blocksworld()
    assert View(world).step(Step("moveblock", ("g", "c3"))).outcome is Outcome.EXECUTED
    assert world.column_of("g") == "c3"

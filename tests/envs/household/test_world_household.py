"""The household as a world: laws, outcomes, what is seen and told, and what never happens."""

from __future__ import annotations

import io
from random import Random

import pytest
from PIL import Image

from envs.base import Outcome, View
from envs.household.pictures import alike
from envs.household.problems import SPLITS, files, load
from envs.household.rollout import at_random, by_plan, legal_steps
from envs.household.world import Household
from planners.formula import Atom, State, holds
from planners.outcome import Planner
from planners.task import Step
from tests.envs.household.small_home import TYPES
from tests.envs.household.small_world import GOAL, small_world


def of(state: State, predicate: str) -> set[tuple[str, ...]]:
    return {atom.args for atom in state if atom.predicate == predicate}


def step(world: Household, written: str) -> Outcome:
    return world.step(Step.parse(written)).outcome


def check(world: Household) -> None:
    """What holds in every home at every moment."""
    truth = world.truth()
    held, inside, beside = of(truth, "holding"), of(truth, "inside"), of(truth, "nextto")
    reach, shown = of(truth, "reachable"), world.observe().visible or frozenset()
    assert len(held) <= 1
    assert not [pair for pair in inside | of(truth, "ontop") | beside if (pair[0],) in held]
    assert len({name for name, _ in inside}) == len(inside)
    assert len({name for name, _ in of(truth, "ontop")}) == len(of(truth, "ontop"))
    assert inside <= beside
    assert not of(truth, "ontop") & beside
    assert {name for (name,) in reach} <= shown
    for name, container in inside:
        if (container,) not in of(truth, "open"):
            assert name not in shown


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_facts_stay_consistent_whatever_is_done(seed: int) -> None:
    world = small_world(seed=seed)
    check(world)
    played = set()
    for done in at_random(world, Random(seed), 40 if seed else 20):
        check(world)
        assert done.outcome in (Outcome.EXECUTED, Outcome.FAILED)
        assert (done.happened == "success") is (done.outcome is Outcome.EXECUTED)
        played.add(done.step.action)
    assert len(played) >= 5


ONE_A_PLAN = {load(file, split).setting.layout: (file, split) for split in SPLITS for file in files(split)}


@pytest.mark.slow
@pytest.mark.parametrize("layout", ONE_A_PLAN)
def test_in_the_homes_of_problems_too_facts_agree_and_what_was_is_found_again(layout: str) -> None:
    world = Household(load(*ONE_A_PLAN[layout]), seed=5)
    saved, story = world.save(), []
    for done in at_random(world, Random(layout), 8):
        check(world)
        if done.outcome is Outcome.FAILED and done.step.action in ("navigate-to", "open-container", "close-container"):
            assert done.after == done.before
        story.append((done, world.save(), world.observe().picture.key))
    world.restore(saved)
    again = at_random(world, Random(layout), 8)
    assert [(done, world.save(), world.observe().picture.key) for done in again] == story


def test_an_action_that_is_done_has_its_main_effect() -> None:
    world, main = small_world(seed=3), {"grasp": "holding", "place-on": "ontop", "place-next-to": "nextto"}
    main |= {"place-inside": "inside", "navigate-to": "reachable", "open-container": "open"}
    for done in at_random(world, Random(3), 20):
        if done.step.action == "close-container":
            assert (Atom("open", done.step.args) in done.after) is (done.outcome is Outcome.FAILED)
        elif done.outcome is Outcome.EXECUTED:
            assert Atom(main[done.step.action], done.step.args) in done.after


def test_what_is_not_legal_changes_nothing_at_all() -> None:
    world = small_world()
    step(world, "navigate-to(book_1)")
    legal = set(legal_steps(world))
    for action in world.domain.actions.values():
        for binding in world.objects.bindings(action.parameters):
            wanted = Step(action.name, tuple(binding.values()))
            if wanted in legal:
                continue
            before = world.save()
            assert world.step(wanted).outcome is Outcome.NOT_LEGAL
            assert world.happened() == "not legal"
            world_after = world.save()
            assert (world_after.moment, world_after.attempts) == (before.moment, before.attempts)  # type: ignore[attr-defined]


def test_a_failed_placement_leaves_an_empty_hand() -> None:
    world = small_world()
    step(world, "navigate-to(apple_1)")
    step(world, "grasp(apple_1)")
    assert step(world, "place-next-to(apple_1, apple_1)") is Outcome.FAILED
    assert world.happened() == "failed: no free spot beside apple_1"
    assert not of(world.truth(), "holding")


def test_bad_luck_leaves_behind_what_a_failure_does() -> None:
    luckless = small_world(fail_probability=1.0)
    before = luckless.truth()
    assert step(luckless, "navigate-to(apple_1)") is Outcome.FAILED
    assert luckless.happened() == "failed: bad luck"
    assert luckless.truth() == before
    world = small_world()
    step(world, "navigate-to(apple_1)")
    luckless.restore(world.save())
    assert step(luckless, "grasp(apple_1)") is Outcome.FAILED
    assert not of(luckless.truth(), "holding")


def test_bad_luck_comes_as_often_as_it_is_told_to() -> None:
    outcomes = [step(small_world(seed=seed, fail_probability=0.5), "navigate-to(apple_1)") for seed in range(12)]
    assert set(outcomes) == {Outcome.FAILED, Outcome.EXECUTED}
    assert 3 <= outcomes.count(Outcome.FAILED) <= 9


def test_put_back_it_is_what_it_was_to_the_last_bit_and_goes_on_alike() -> None:
    world = small_world(seed=4)
    step(world, "navigate-to(book_1)")
    step(world, "grasp(book_1)")
    saved, truth, picture = world.save(), world.truth(), world.observe().picture
    endings = []
    for _ in range(2):
        world.restore(saved)
        assert (world.save(), world.truth()) == (saved, truth)
        assert world.observe().picture.png() == picture.png()
        assert step(world, "navigate-to(shelf_1)") is Outcome.EXECUTED
        step(world, "place-on(book_1, shelf_1)")
        endings.append((world.save(), world.truth(), world.happened()))
    assert endings[0] == endings[1]


def test_a_snapshot_of_something_else_is_refused() -> None:
    with pytest.raises(TypeError, match="not a moment of a Household"):
        small_world().restore("yesterday")


def test_other_seeds_stand_elsewhere() -> None:
    keys = set()
    for seed in range(3):
        world = small_world(seed=seed)
        step(world, "navigate-to(table_1)")
        keys.add(world.observe().picture.key)
    assert len(keys) == 3


def test_the_goal_ends_it(planner: Planner) -> None:
    world = small_world()
    steps = list(by_plan(world, planner, 20))
    assert holds(world.goal, world.truth(), world.objects)
    assert {Atom.parse(fact) for fact in GOAL} <= world.truth()
    assert len(steps) >= 9


def test_the_start_is_told_and_what_is_shut_away_as_long_as_it_is() -> None:
    world = small_world()
    assert world.prior == world.truth()
    assert world.observe().hints == ("bowl_1 is inside cabinet_1.",)
    step(world, "navigate-to(cabinet_1)")
    assert world.observe().hints == ("bowl_1 is inside cabinet_1.",)
    step(world, "open-container(cabinet_1)")
    assert world.observe().hints == ()


def test_things_of_one_kind_get_names_in_the_picture_others_do_not() -> None:
    world = small_world()
    step(world, "navigate-to(book_1)")
    seen = world.observe().visible
    assert seen is not None
    assert {"book_1", "book_2", "table_1"} <= seen
    assert alike(seen, world._sim) == ("book_1", "book_2")
    assert alike(seen - {"book_2"}, world._sim) == ()


def test_the_picture_is_of_the_moment_of_looking() -> None:
    world = small_world()
    step(world, "navigate-to(book_1)")
    seen = world.observe().picture
    step(world, "navigate-to(apple_1)")
    later = world.observe().picture
    assert seen.png() != later.png()
    assert Image.open(io.BytesIO(seen.png())).size == (480, 480)
    again = small_world()
    step(again, "navigate-to(book_1)")
    assert again.observe().picture.png() == seen.png()


def test_mended_rules_tell_nothing_of_what_is_out_of_view() -> None:
    world = small_world()
    assert world.observe().unseen is None
    stepped = world.step(Step.parse("grasp(book_1)"))
    assert (stepped.reported, stepped.effects) == (None, None)


def test_official_rules_tell_what_is_out_of_view_and_other_outcomes() -> None:
    world = small_world(official=True)
    seen = world.observe()
    assert seen.unseen == frozenset(atom for atom in world.truth() if not seen.shows(atom))
    refused = world.step(Step.parse("grasp(bowl_1)"))
    assert (refused.outcome, refused.reported, refused.effects) == (Outcome.NOT_LEGAL, Outcome.BAD_PARAMETERS, None)
    failed = world.step(Step.parse("navigate-to(bowl_1)"))
    assert (failed.outcome, failed.reported) == (Outcome.FAILED, Outcome.EXECUTED)
    assert failed.effects is not None
    done = world.step(Step.parse("navigate-to(book_1)"))
    assert (done.outcome, done.reported) == (Outcome.EXECUTED, None)


def test_nothing_is_asked_of_a_thing_and_itself() -> None:
    seen = small_world().observe()
    name = next(iter(seen.visible or ()))
    assert not seen.shows(Atom("nextto", (name, name)))


def test_through_a_view_nobody_finds_the_simulation() -> None:
    world = small_world()
    view = View(world)
    behind = (world, world._sim)
    held = [part for value in vars(view).values() for part in (value, getattr(value, "__self__", None))]
    assert not [part for part in held if part in behind]
    assert set(view.objects) == set(TYPES)

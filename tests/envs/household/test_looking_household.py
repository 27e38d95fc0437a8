"""A home of which nothing is told: what can be driven to, what is in view, and what looking round shows."""

from __future__ import annotations

from functools import cache

import pytest

from envs.base import Announcing, Outcome, View, announced, search_of
from envs.household import looking
from envs.household.looking import LOOK, HouseholdToSearch
from envs.household.problems import files, load
from envs.household.world import Household
from envs.quiet import DONE, Quiet
from planners.formula import Atom
from planners.task import Step


@cache
def problem(name: str = "collect_misplaced_items_medium_0") -> looking.HouseholdProblem:
    return load(next(file for file in files("medium") if file.stem == name), "medium")


def home() -> HouseholdToSearch:
    return HouseholdToSearch(problem())


SHOE = Step("navigate-to", ("gym_shoe_1",))
ROOM = Step(LOOK, ("living_room",))


def test_nothing_of_the_start_is_told() -> None:
    world = home()
    told = Household(problem())
    seen = world.observe()
    assert world.prior is None
    assert (seen.visible, seen.hints, seen.impossible) == (None, (), frozenset())
    assert world.truth() == told.truth(), "the home is the same"
    assert not any("at the start" in words for words in world.glossary.values())
    assert world.glossary["living_room"] == "the living room"
    assert "look-around" in world.action_help
    view = View(world)  # type: ignore[arg-type]
    assert search_of(view) is world.search
    assert not hasattr(view, "view"), "what is in view is for the judge"


def test_a_thing_can_be_driven_to_once_it_was_in_view() -> None:
    world = home()
    assert world.step(SHOE).outcome is Outcome.NOT_LEGAL
    assert world.step(ROOM).outcome is Outcome.EXECUTED
    assert Atom("visible", ("gym_shoe_1",)) in world.view()
    assert len(world.observe().pictures) == 4
    assert world.step(SHOE).outcome is Outcome.EXECUTED
    assert Atom("reachable", ("gym_shoe_1",)) in world.truth()
    assert len(world.observe().pictures) == 1
    assert world.step(Step("navigate-to", ("table_2",))).outcome is Outcome.EXECUTED, (
        "furniture can always be driven to"
    )
    assert world.step(SHOE).outcome is Outcome.EXECUTED, "what was in view is known"


def test_what_lies_on_furniture_within_reach_can_be_driven_to() -> None:
    world = home()
    on = next(atom for atom in sorted(world.truth()) if atom.predicate == "ontop" and atom.args[1] == "table_2")
    world.step(Step("navigate-to", ("table_2",)))
    world._found = frozenset()
    assert world.laws.ground(Step("navigate-to", on.args[:1]), world.objects).applicable(frozenset())
    assert not world.laws.ground(SHOE, world.objects).applicable(frozenset())


def test_looking_again_looks_from_elsewhere_and_a_moment_comes_back_exactly() -> None:
    world = home()
    start = world.save()
    world.step(ROOM)
    first, pictures = world._sim.robot(), [picture.key for picture in world.observe().pictures]
    assert len(set(pictures)) == 4
    moment = world.save()
    world.step(ROOM)
    assert world._sim.robot() != first
    world.restore(moment)
    assert [picture.key for picture in world.observe().pictures] == pictures
    assert world._sim.robot() == first
    world.restore(start)
    assert world.step(SHOE).outcome is Outcome.NOT_LEGAL, "what was seen since is forgotten"
    with pytest.raises(TypeError):
        world.restore(object())


def test_the_domain_has_rooms_which_nothing_else_is_about() -> None:
    world = home()
    assert set(world.objects.of_type("room")) >= {"living_room", "kitchen"}
    assert not any(set(atom.args) & set(world.objects.of_type("room")) for atom in world.domain.atoms(world.objects))
    told = Household(problem())
    assert set(world.domain.atoms(world.objects)) == set(told.domain.atoms(told.objects))
    assert world.domain.check(Step("navigate-to", ("kitchen",)), world.objects)
    assert world.step(Step(LOOK, ("table_1",))).outcome is Outcome.BAD_PARAMETERS


def test_places_are_possible_ones_and_furniture_has_a_room() -> None:
    search = home().search
    assert set(search.places) == set(problem().objects.of_type("movable"))
    places = search.places["gym_shoe_1"]
    assert Atom("inside", ("gym_shoe_1", "cabinet_1")) in places
    assert Atom("ontop", ("gym_shoe_1", "sofa_1")) in places
    assert search.rooms["sofa_1"] == "living_room"
    far = search.out_of_view(frozenset({"sofa_1"}))
    assert Atom("reachable", ("table_1",)) in far
    assert Atom("reachable", ("sofa_1",)) not in far


@pytest.mark.parametrize(
    ("announces", "outcome"),
    [(Announcing.LEGALITY, Outcome.NOT_LEGAL), (Announcing.NONE, Outcome.EXECUTED)],
)
def test_a_quiet_world_announces_no_more_than_it_may(announces: Announcing, outcome: Outcome) -> None:
    world = home()
    quiet = Quiet(world, announces)  # type: ignore[arg-type]
    assert quiet.step(SHOE).outcome is outcome
    assert world.happened() == "not legal", "the judge still knows"
    assert quiet.step(Step("fly", ())).outcome is Outcome.UNKNOWN_ACTION, "what is no action is said"
    assert not quiet.candid
    assert quiet.signatures[DONE] == ()
    assert "`done`" in quiet.action_help
    assert announced(View(quiet)) is announces  # type: ignore[arg-type]


def test_a_quiet_world_does_not_say_that_an_action_failed_or_that_the_goal_is_reached() -> None:
    loud = Household(problem(), fail_probability=1.0)
    step = Step("navigate-to", ("table_2",))
    assert loud.step(step).outcome is Outcome.FAILED
    for announces in (Announcing.LEGALITY, Announcing.NONE):
        answer = Quiet(Household(problem(), fail_probability=1.0), announces).step(step)  # type: ignore[arg-type]
        assert (answer.outcome, answer.terminated) == (Outcome.EXECUTED, False)
    with pytest.raises(ValueError, match="not quiet"):
        Quiet(loud, Announcing.FULL)  # type: ignore[arg-type]

"""The eight methods in a home, where not all is in view: with an oracle, and under both sets of rules."""

from __future__ import annotations

import json

import pytest

from agents.registry import find_agent
from envs.household.world import Household
from evals.run.episodes import Episode
from evals.run.results import EpisodeResult
from evals.run.runner import Setup
from evals.run.toolboxes import Rules
from evals.run.trace import Record
from models.base import Model
from models.registry import load_model
from models.scripted import Scripted, always
from planners.formula import Atom, State
from planners.outcome import Planner
from planners.task import Step
from tests.agents.test_methods import EIGHT
from tests.envs.household.small_world import small_world
from tests.playing import play_in
from tools.events import Acted, Asked, Planned
from tools.toolbox import Conduct

Pair = tuple[Planner, Planner]
BOWL = "inside bowl_1,carton_1"


def play(
    agent: str, model: Model, world: Household, planners: Pair, *, official: bool = False, steps: int = 20
) -> tuple[EpisodeResult, list[Record]]:
    conduct = Conduct.OFFICIAL if official else Conduct.MENDED
    setup = Setup(find_agent(agent), model, planners[0], rules=Rules(conduct=conduct))
    return play_in(world, setup, Episode("small", "simple", 0, steps, {"level": "simple"}), planners[1])


def facts(*written: str) -> State:
    return frozenset(map(Atom.parse, written))


@pytest.mark.parametrize("official", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["mended", "official"])
@pytest.mark.parametrize(
    "agent", [pytest.param(a, marks=[] if a in ("action", "ground") else [pytest.mark.slow]) for a in EIGHT]
)
def test_an_oracle_tidies_the_room(agent: str, official: bool, planners: Pair) -> None:
    world = small_world(official=official)
    result, records = play(agent, load_model("oracle"), world, planners, official=official)
    assert result.success, [
        (record.event.action, record.truth) for record in records if isinstance(record.event, Acted)
    ]


def test_nothing_is_asked_about_the_first_picture_nor_of_what_is_out_of_view(planners: Pair) -> None:
    _, records = play("ground", load_model("oracle"), small_world(), planners)
    asked = [record.event for record in records if isinstance(record.event, Asked)]
    assert asked[0].phase == "precondition" or isinstance(records[2].event, Planned)
    first = next(record.event for record in records if isinstance(record.event, Planned))
    assert set(first.belief) == set(map(str, small_world().truth()))
    shown = {event.step: set(event.visible or ()) for event in (r.event for r in records) if event.type == "observed"}
    for event in asked:
        if event.phase == "precondition":
            assert set(Atom.parse(event.about).args) <= shown[event.step]


def lost_bowl(official: bool) -> Household:
    """A home whose agent does not know that the bowl is shut away."""
    world = small_world(BOWL, official=official)
    world.prior = facts("open carton_1")
    return world


def test_what_is_out_of_view_and_not_so_ends_an_official_episode(planners: Pair) -> None:
    result, _ = play("ground", load_model("oracle"), lost_bowl(True), planners, official=True)
    assert (result.reason, result.failure) == ("unseen_precondition", "unseen_precondition")
    assert "reachable bowl_1" in result.detail


def test_mended_it_is_tried_and_remembered(planners: Pair) -> None:
    world = lost_bowl(False)
    world.prior = facts("open carton_1", "reachable bowl_1")
    result, records = play("ground_mem", load_model("oracle"), world, planners)
    outcomes = [(event.action, event.outcome) for event in (r.event for r in records) if isinstance(event, Acted)]
    assert ("grasp(bowl_1)", "not legal") in outcomes
    reminded = [event for event in (r.event for r in records) if isinstance(event, Asked) and event.reminded]
    assert reminded
    assert result.failure is not None


def test_what_is_out_of_view_is_believed_out_of_reach_when_plans_fail(planners: Pair) -> None:
    world = small_world(BOWL)
    # The bowl is in a cabinet that is shut: nobody sees it, so that nobody reaches it, whatever was told.
    world.prior = (world.truth() | facts("reachable bowl_1")) - facts("inside bowl_1,cabinet_1")
    _, records = play("ground", load_model("oracle"), world, planners, steps=2)
    beliefs = [record.event.belief for record in records if isinstance(record.event, Planned)]
    assert ["reachable bowl_1" in belief for belief in beliefs] == [True, False]


@pytest.mark.parametrize("official", [False, True])
def test_what_a_failed_action_was_to_do_is_not_believed_unseen(official: bool, planners: Pair) -> None:
    world = small_world("ontop apple_1,shelf_1", official=official, fail_probability=1.0)
    world.prior = world.truth()
    _, records = play("ground", load_model("oracle"), world, planners, official=official, steps=1)
    asked = {event.phase for event in (r.event for r in records) if isinstance(event, Asked)}
    assert ("effect" in asked) is official


def test_a_failed_action_is_remembered(planners: Pair) -> None:
    # The robot sees the book, so that there is something to ask when it plans anew.
    world = small_world("ontop book_1,shelf_1", fail_probability=1.0)
    assert "book_1" in (world.observe().visible or ())
    _, records = play("ground_mem", load_model("oracle"), world, planners, steps=2)
    asked = [event for event in (r.event for r in records) if isinstance(event, Asked)]
    assert asked[-1].reminded


@pytest.mark.parametrize("official", [False, True])
def test_after_a_replan_official_rules_know_what_is_out_of_view(official: bool, planners: Pair) -> None:
    world = small_world(BOWL, "ontop book_1,shelf_1", official=official)
    # The robot sees the book and cannot reach it; that the bowl is in the cabinet nobody has said.
    world.prior = (world.truth() | facts("reachable book_1")) - facts(
        "inside bowl_1,cabinet_1", "nextto bowl_1,cabinet_1"
    )
    assert "book_1" in (world.observe().visible or ())
    _, records = play("ground", load_model("oracle"), world, planners, official=official, steps=3)
    beliefs = [record.event.belief for record in records if isinstance(record.event, Planned)]
    assert "inside bowl_1,cabinet_1" not in beliefs[0]
    assert ("inside bowl_1,cabinet_1" in beliefs[1]) is official


@pytest.mark.parametrize(
    ("official", "told"), [(False, "one of its conditions did not hold"), (True, "parameters incorrectly specified")]
)
def test_planner_methods_hear_of_illegal_actions_as_the_rules_have_it(
    official: bool, told: str, planners: Pair
) -> None:
    reply = json.dumps({"action": {"action": "grasp", "parameters": ["bowl_1"]}})
    model = Scripted(always(reply))
    _, records = play("action", model, small_world(official=official), planners, official=official, steps=2)
    assert told in model.asked[1].text
    outcomes = {record.event.outcome for record in records if isinstance(record.event, Acted)}
    assert outcomes == {"not legal"}


@pytest.mark.parametrize(
    ("official", "told"), [(False, '"It was possible and was tried, but it did not succeed."'), (True, '"executed"')]
)
def test_planner_methods_hear_of_failed_actions_as_the_rules_have_it(official: bool, told: str, planners: Pair) -> None:
    reply = json.dumps({"action": {"action": "navigate-to", "parameters": ["bowl_1"]}})
    model = Scripted(always(reply))
    play("action", model, small_world(official=official), planners, official=official, steps=2)
    assert told in model.asked[1].text


def test_planner_methods_are_told_what_is_shut_away(planners: Pair) -> None:
    model = Scripted(always("no JSON"))
    play("plan", model, small_world(), planners)
    assert "bowl_1 is inside cabinet_1." in model.asked[0].text


def test_an_action_called_off_although_the_home_would_allow_it_is_judged_by_the_domain(planners: Pair) -> None:
    # Driving to what is in reach already is legal, but its precondition does not hold: calling it off is right.
    world = small_world("ontop book_1,shelf_1")
    world.step(Step("navigate-to", ("book_1",)))
    world.prior = world.truth() - facts("reachable book_1")
    result, _ = play("ground", load_model("oracle"), world, planners)
    assert result.success
    assert "called_off_wrongly" not in result.counts("misjudged")
    assert result.counts("attempts")["called off"] == 1

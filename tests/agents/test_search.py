"""The agent without an action model: it learns from trying, and asks only what it may know to ask."""

from __future__ import annotations

from typing import Any

import pytest

from agents.search import askable, steps_of
from envs.base import View
from envs.blocksworld.problems import files, load
from evals.run.trace import Record
from models.base import Request
from models.registry import load_model
from models.scripted import Scripted, always
from planners.formula import And, Atom
from planners.outcome import Planner
from planners.task import Action, Domain
from tests.agents.test_methods_household import play as play_at_home
from tests.envs.household.small_world import small_world
from tests.hanoi import Hanoi
from tests.playing import liar, play
from tests.small_worlds import blocksworld, problem, toolbox
from tools.events import Acted, Asked, Planned

Pair = tuple[Planner, Planner]


def of(kind: type, records: list[Record]) -> list[Any]:
    return [record.event for record in records if isinstance(record.event, kind)]


@pytest.mark.parametrize("split", ["simple", pytest.param("hard", marks=pytest.mark.slow)])
def test_with_perfect_eyes_it_learns_its_way_to_the_goal(split: str, planners: Pair) -> None:
    result, records = play("search", load_model("oracle"), load(files(split)[0], split), planners, steps=30)
    assert result.success
    assert not of(Planned, records), "it has no planner"


def test_it_plays_the_same_whatever_the_actions_are_said_to_do(planners: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither preconditions nor effects are looked at: with empty ones nothing changes."""

    def actions(records: list[Record]) -> list[tuple[str, str]]:
        return [(event.action, event.outcome) for event in of(Acted, records)]

    plain = actions(play("search", load_model("oracle"), problem(), planners)[1])
    hidden = View.__init__

    def without_model(self: View, world: Any) -> None:
        hidden(self, world)
        bare = {name: Action(name, action.parameters, And(), ()) for name, action in self.domain.actions.items()}
        own = self.domain
        self.domain = Domain(own.name, own.text, own.parents, own.predicates, bare, own.constants)

    monkeypatch.setattr(View, "__init__", without_model)
    assert actions(play("search", load_model("oracle"), problem(), planners)[1]) == plain
    assert len(plain) > 2


def test_it_asks_of_all_but_what_is_stated_and_relations_to_oneself(planner: Planner) -> None:
    tools, _ = toolbox(blocksworld(), Scripted(always("No")), planner)
    facts = list(askable(tools))
    assert len(facts) == 6 + 12 + 3
    assert {fact.predicate for fact in facts} == {"on", "incolumn", "clear"}
    unstated, _ = toolbox(blocksworld(official=True), Scripted(always("No")), planner)
    assert {fact.predicate for fact in askable(unstated)} == {"on", "incolumn", "clear", "leftof", "rightof"}
    assert len(steps_of(Hanoi())) == 3 * 5 * 4


def test_after_an_expected_outcome_only_what_concerns_it_is_asked(planners: Pair) -> None:
    _, records = play("search", load_model("oracle"), load(files("medium")[0], "medium"), planners, steps=12)
    asked = [event.step for event in of(Asked, records)]
    counts = [asked.count(step) for step in range(12)]
    assert min(number for number in counts if number) < max(counts)


def test_a_refused_action_is_not_tried_again_in_the_same_state(planners: Pair) -> None:
    _, records = play("search", load_model("oracle"), problem(), planners, chance=lambda move, world: None, steps=12)
    attempts = [event.action for event in of(Acted, records) if event.outcome == "not legal"]
    assert len(attempts) == len(set(attempts))


def test_wrong_eyes_may_see_the_goal(planners: Pair) -> None:
    def yes_to_goals(atom: Atom, true: bool, request: Request) -> bool:
        return true or str(atom) in ("on r,b", "clear r", "incolumn g,c3", "incolumn r,c2")

    result, _ = play("search", liar(yes_to_goals), problem(), planners)
    assert (result.reason, result.failure) == ("finished", "goal_misjudged")


def test_at_home_it_tries_and_learns_within_its_steps(planners: Pair) -> None:
    result, records = play_at_home("search", load_model("oracle"), small_world(), planners, steps=12)
    assert result.scored
    assert len(of(Acted, records)) == result.steps <= 12
    assert {event.outcome for event in of(Acted, records)} >= {"executed"}

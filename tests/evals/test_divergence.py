"""Where belief and truth part: at the right moment, for the right reason, with the right price."""

from __future__ import annotations

from dataclasses import replace

import pytest

from envs.base import Observation
from evals.judges.divergence import BeliefCourse, Consequence, Origin, Verdict, belief_course, judge_divergence
from evals.judges.failures import Failure
from evals.judges.turns import Turn, turns_of
from models.base import Model, Request
from models.oracle import load as oracle
from models.registry import load_model
from models.scripted import Scripted, always
from planners.formula import Atom
from planners.outcome import Planner
from tests.handy import Handy, Solver
from tests.playing import Lie, liar, play
from tests.small_home import SmallHome
from tests.small_worlds import blocksworld, problem
from tests.viewing import Slip, misled, play_in
from tools.events import Asked, Planned


def followed(
    agent: str, model: Model, planner: Planner, **setting: object
) -> tuple[str | None, list[Turn], BeliefCourse]:
    result, records = play(agent, model, problem(), (planner, planner), **setting)  # type: ignore[arg-type]
    turns = turns_of(records)
    return result.failure, turns, belief_course(turns)


def verdict(lie: Lie, planner: Planner, agent: str = "ground", steps: int = 20) -> tuple[Verdict, BeliefCourse]:
    failure, turns, found = followed(agent, liar(lie), planner, steps=steps)
    return judge_divergence(failure, turns, found), found


@pytest.mark.parametrize("agent", ["ground", "ground_repair"])
def test_perfect_eyes_never_part_from_the_truth(agent: str, planner: Planner) -> None:
    failure, turns, found = followed(agent, oracle("", {}), planner)
    assert found.believing
    assert found.wrong_beliefs == []
    assert judge_divergence(failure, turns, found).price is Consequence.NEVER_WRONG


def test_a_lie_is_found_with_its_answer(planner: Planner) -> None:
    verdict_, found = verdict(misled, planner, steps=3)
    first = found.wrong_beliefs[0]
    assert (first.atom, first.value, first.first, first.cause) == ("clear g", False, 0, Origin.ANSWER)
    assert first.answer is not None
    assert isinstance(first.answer.event, Asked)
    assert (first.answer.event.about, first.answer.event.value, first.answer.truth.value) == ("clear g", False, True)
    assert verdict_.price is Consequence.COST
    assert first in verdict_.fatal


def test_a_lie_that_is_taken_back_is_mended(planner: Planner) -> None:
    def once(atom: Atom, true: bool, request: Request) -> bool:
        return true != (str(atom) == "on b,r" and request.place == "enumeration 0")

    verdict_, found = verdict(once, planner)
    assert [wrong.atom for wrong in found.divergences[0]] == ["on b,r"]
    assert verdict_.price is Consequence.SOLVED


def test_what_cost_the_episode_is_told_from_what_was_mended(planner: Planner) -> None:
    def lies(atom: Atom, true: bool, request: Request) -> bool:
        early = str(atom) == "on b,r" and request.place == "enumeration 0"
        late = str(atom) == "clear g" and request.place != "enumeration 0"
        return true != (early or late)

    verdict_, found = verdict(lies, planner, steps=3)
    assert [wrong.atom for wrong in found.divergences[0]] == ["on b,r"]
    assert verdict_.price is Consequence.MENDED
    assert {wrong.atom for wrong in verdict_.fatal} == {"clear g"}


def test_a_slip_that_nobody_asks_about_is_no_answers_fault(planner: Planner) -> None:
    _, _, found = followed("ground_belief", oracle("", {}), planner, chance=Slip())
    assert found.wrong_beliefs
    assert {wrong.cause for wrong in found.wrong_beliefs} == {
        Origin.INFERRED
    }  # the world did nothing, the belief moved on


def test_an_agent_without_belief_goes_by_nothing(planner: Planner) -> None:
    failure, turns, found = followed("action", oracle("", {}), planner)
    assert not found.believing
    assert found.wrong_beliefs == []
    assert judge_divergence(failure, turns, found).price is Consequence.NEVER_WRONG


def test_nothing_is_believed_before_the_first_belief(planner: Planner) -> None:
    _, _, found = followed("ground", Scripted(always("perhaps")), planner)
    assert found.formed is None
    assert found.wrong_beliefs == []


@pytest.mark.parametrize("agent", ["ground", "ground_mem", "ground_repair", "ground_belief"])
@pytest.mark.parametrize("name", ["qwen2.5-vl-7b", "gpt-4.1-nano"])
def test_what_is_wrong_is_what_the_recorder_found_wrong(agent: str, name: str, planner: Planner) -> None:
    """Two ways to the same: the recorder compares states when a plan is made, the course follows changes."""
    compared = 0
    _, turns, found = followed(agent, load_model(f"sim:{name}"), planner)
    for place, moment in enumerate(found.moments):
        turn = turns[moment.turn - 1]
        planned = [at for at, record in enumerate(turn.lead_up) if isinstance(record.event, Planned)]
        asked = [at for at, record in enumerate(turn.lead_up) if isinstance(record.event, Asked)]
        if moment.acting and planned and (not asked or asked[-1] < planned[-1]):
            alive = {s.atom for s in found.wrong_beliefs if s.first <= place and (s.until is None or s.until > place)}
            assert alive == set(turn.lead_up[planned[-1]].truth.wrong or ())
            compared += 1
    assert compared or agent in ("ground", "ground_mem")  # these ask once more before they act


def test_spells_do_not_overlap_and_lie_within_the_episode(planner: Planner) -> None:
    _, _, found = followed("ground", load_model("sim:llava-onevision-7b"), planner)
    ends: dict[str, int] = {}
    for wrong in found.wrong_beliefs:
        assert wrong.first >= ends.get(wrong.atom, 0)
        assert wrong.until is None or wrong.first < wrong.until < len(found.moments)
        ends[wrong.atom] = wrong.until if wrong.until is not None else len(found.moments)


def test_what_an_agent_believes_that_only_plans_is_not_known_once_it_has_acted(planner: Planner) -> None:
    model = Handy(oracle("", {}), Solver.for_world(blocksworld()))
    failure, turns, found = followed("tools", model, planner)
    assert [moment.known for moment in found.moments] == [True, False, False, False]
    assert found.wrong_beliefs == []
    assert judge_divergence(failure, turns, found).price is Consequence.NEVER_WRONG


class DeepFridge(SmallHome):
    """The apple lies so far back that an open door does not show it, and nothing says that it is out of reach."""

    def _hidden(self, name: str) -> bool:
        return name == "apple_1" or super()._hidden(name)

    def observe(self) -> Observation:
        return replace(super().observe(), impossible=frozenset())


def test_what_could_not_be_asked_cost_the_episode_and_is_named(planner: Planner) -> None:
    home = DeepFridge(("holding apple_1",))
    home.place["apple_1"], home.at, home.open = ("inside", "fridge_1"), "sink_1", set()
    home.prior = home.truth()
    result, records = play_in(home, "ground", oracle("", {}), planner)
    assert result.failure == Failure.ATTEMPTED_WRONGLY
    turns = turns_of(records)
    verdict_ = judge_divergence(result.failure, turns, belief_course(turns))
    assert verdict_.price is Consequence.COST
    assert {(wrong.atom, wrong.cause) for wrong in verdict_.fatal} == {("reachable apple_1", Origin.INFERRED)}


@pytest.mark.parametrize("agent", ["formalize", "plan_check"])
def test_what_a_model_wrote_wrongly_is_called_stated(agent: str, planner: Planner) -> None:
    """It overlooks that g is clear, and finds r in two columns."""

    def overlooks(atom: Atom, true: bool, request: Request) -> bool:
        return (true and str(atom) != "clear g") or str(atom) == "incolumn r,c4"

    _, found = verdict(overlooks, planner, agent, steps=1)
    assert found.believing
    causes = {(wrong.atom, wrong.value): wrong.cause for wrong in found.wrong_beliefs if wrong.first == 0}
    assert causes == {("incolumn r,c4", True): Origin.STATED, ("clear g", False): Origin.STATED}

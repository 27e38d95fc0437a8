"""The hybrid goes the way that has fared better, by its own record."""

from __future__ import annotations

from agents.hybrid import (
    DECAY,
    MODEL,
    PLANNER,
    HybridState,
    TrackRecord,
    after_attempt,
    likeliest_state,
    stuck_on,
    with_turn,
)
from envs.base import Outcome
from envs.blocksworld.problems import atoms_of, files, load
from envs.blocksworld.world import Blocksworld
from evals.run.trace import Record
from models.base import Kind, Reply, Request
from models.registry import load_model
from models.scripted import Scripted
from planners.formula import Atom
from planners.invariants import ground_actions
from planners.outcome import Planner
from tests.playing import Proposing, liar, play, proposal
from tools.events import Acted, Asked, CalledOff, Planned

Pair = tuple[Planner, Planner]
SIMPLE = load(files("simple")[0], "simple")


def kinds(records: list[Record]) -> list[type]:
    """What happened but questions: plans, proposals (as `Asked`) and attempts."""
    wanted = (Planned, Asked, Acted, CalledOff)
    events = [record.event for record in records if isinstance(record.event, wanted)]
    return [type(event) for event in events if not isinstance(event, Asked) or event.proposes]


def test_trust_is_what_the_record_says() -> None:
    assert TrackRecord().trust == 0.5
    assert TrackRecord(2, 0).trust > TrackRecord(2, 1).trust > 0.5 > TrackRecord(0, 1).trust
    state = with_turn(with_turn(HybridState(), PLANNER, worked=True), PLANNER, worked=False)
    assert state["record"] == {PLANNER: TrackRecord(DECAY, 1)}
    assert stuck_on(state, MODEL)["stuck"] == {MODEL}
    assert stuck_on(state, MODEL)["record"][MODEL] == TrackRecord(0, 1)


def test_two_bad_turns_are_enough_after_many_good_ones() -> None:
    state = HybridState()
    for _ in range(20):
        state = with_turn(state, MODEL, worked=True)
    assert with_turn(state, MODEL, worked=False)["record"][MODEL].trust > TrackRecord().trust
    assert (
        with_turn(with_turn(state, MODEL, worked=False), MODEL, worked=False)["record"][MODEL].trust
        < TrackRecord().trust
    )


def test_with_good_eyes_the_planner_does_it_alone(planners: Pair) -> None:
    result, records = play("hybrid", load_model("oracle"), SIMPLE, planners)
    assert result.success
    assert Asked not in kinds(records)


def test_a_planner_whose_effects_are_missed_leaves_it_to_the_model(planners: Pair) -> None:
    """Whatever is asked the answer is no, but who is asked what to do sees well."""

    def no_to_questions(atom: Atom, true: bool, request: Request) -> bool:
        return true and request.kind is Kind.ACTION

    result, records = play("hybrid", liar(no_to_questions), SIMPLE, planners)
    assert result.success, result
    assert kinds(records)[:4] == [Planned, Acted, Asked, Acted]
    assert kinds(records).count(Planned) == 1
    assert not play("ground", liar(no_to_questions), SIMPLE, planners)[0].success


def test_a_model_that_proposes_nonsense_leaves_it_to_the_planner(planners: Pair) -> None:
    """The planner's first move slips, so that the model gets a turn, and only one."""
    slips = iter([None])
    result, records = play(
        "hybrid", Proposing(lambda: proposal("fly")), SIMPLE, planners, chance=lambda move, _: next(slips, move)
    )
    assert result.success, result
    assert sum(isinstance(record.event, Acted) and record.event.refused for record in records) == 1


def test_what_was_refused_to_the_model_the_planner_knows() -> None:
    """And what the model has done the planner believes, though nobody was asked."""
    env, start = Blocksworld(SIMPLE), atoms_of(SIMPLE.start, SIMPLE.columns)
    action = next(one for one in ground_actions(env.domain, env.objects) if one.applicable(start))
    known = HybridState(belief=start, answers={Atom("clear", ("r",)): 1.0})
    refused = after_attempt(known, action.step, Outcome.NOT_LEGAL, env)
    assert not action.applicable(likeliest_state({**known, **refused}, env))
    moved = after_attempt(known, action.step, Outcome.EXECUTED, env)
    assert moved["belief"] == action.apply(start)
    assert not moved["answers"]


def test_where_neither_goes_on_it_ends_for_a_reason(planners: Pair) -> None:
    result, records = play("hybrid", Scripted(lambda request: Reply("banana")), SIMPLE, planners)
    assert result.reason == "unreadable"
    assert any(isinstance(record.event, Asked) for record in records)
    assert Asked in kinds(records)

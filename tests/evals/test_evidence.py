"""The evidence for a failure class: which turns it names, and how many of them."""

from __future__ import annotations

import pytest

from evals.judges.evidence import BeliefDifference, Quote, Sentence, TurnLink, evidence
from evals.judges.failures import Failure
from evals.judges.turns import Turn
from evals.run.trace import Record, Truth
from models.base import Kind
from tools.events import Acted, Asked, CalledOff, Event, Phase, Planned


def turn(
    number: int, attempt: Event | None = None, *, legal: bool | None = None, lead_up: tuple[Record, ...] = ()
) -> Turn:
    done = None if attempt is None else Record(event=attempt, truth=Truth(legal=legal))
    return Turn(number, lead_up=list(lead_up), attempt=done)


ACTED = Acted(step=0, action="lift(a)", outcome="executed")
OFF = CalledOff(step=0, action="lift(a)", unmet=("clear a",))


def asked(
    value: bool | None, truth: bool | None, phase: str = Phase.EFFECT, kind: Kind = Kind.YES_NO, **more: str
) -> Record:
    event = Asked(step=0, kind=kind, phase=phase, about="on a,b", value=value, reply="hm", question="Is it?", **more)
    return Record(event=event, truth=Truth(value=truth))


def sentences(failure: Failure, *turns: Turn) -> list[Sentence]:
    return list(evidence(failure, turns))


@pytest.mark.parametrize("failure", [Failure.ATTEMPTED_WRONGLY, Failure.REPEATED_ACTION, Failure.STEP_LIMIT])
def test_impossible_attempts_are_named(failure: Failure) -> None:
    turns = (turn(1, ACTED, legal=True), turn(2, ACTED, legal=False), turn(3, OFF, legal=False), turn(4))
    text = "An action that was not legal was attempted in"
    assert sentences(failure, *turns) == [(f"{text} 1 turn: ", TurnLink(2, "2 lift(a)"), ".")]
    assert sentences(failure, turns[0]) == [(f"{text} no turn.",)]


def test_legal_actions_that_were_called_off_are_named() -> None:
    turns = (
        turn(1, OFF, legal=True),
        turn(2, OFF, legal=False),
        turn(3, ACTED, legal=True),
        turn(4),
        turn(5, OFF, legal=True),
    )
    text = "A legal action was called off in 2 turns: "
    assert sentences(Failure.CALLED_OFF_WRONGLY, *turns) == [
        (text, TurnLink(1, "1 lift(a)"), ", ", TurnLink(5, "5 lift(a)"), ".")
    ]


@pytest.mark.parametrize(("count", "end"), [(12, "."), (13, " and 1 more."), (14, " and 2 more.")])
def test_only_so_many_turns_are_named(count: int, end: str) -> None:
    (sentence,) = sentences(Failure.STEP_LIMIT, *(turn(number, ACTED, legal=False) for number in range(count)))
    assert sum(isinstance(part, TurnLink) for part in sentence) == 12
    assert sentence[-1] == end


def test_misjudged_effects_are_named_with_the_last_belief() -> None:
    plans = [
        Record(event=Planned(step=0, belief=(f"on {n},b",), status="solved"), truth=Truth(wrong=(str(n),)))
        for n in (1, 2)
    ]
    turns = (
        turn(1, ACTED, legal=True, lead_up=(asked(True, False), plans[0])),
        turn(2, ACTED, legal=True, lead_up=(asked(True, True), asked(True, False, Phase.PRECONDITION), plans[1])),
        turn(3, ACTED, legal=True, lead_up=(asked(None, False, kind=Kind.PLAN),)),
    )
    first, last = sentences(Failure.EFFECT_MISJUDGED, *turns)
    assert first == ("An effect was judged wrongly after 1 turn: ", TurnLink(1, "1 lift(a)"), ".")
    assert last == ("When it last planned: ", BeliefDifference(("on 2,b",), ("2",)))
    assert sentences(Failure.GOAL_MISJUDGED, *turns) == [last]
    assert sentences(Failure.NO_PLAN_WRONG_BELIEF, turn(1)) == []


def test_the_last_reply_that_could_not_be_read_is_shown() -> None:
    turns = (
        turn(1, lead_up=(asked(None, True, fault="empty"), asked(True, True))),
        turn(2, lead_up=(asked(None, True),)),
    )
    assert sentences(Failure.PARSING, *turns) == [("Asked “Is it?”: ", "empty", Quote("hm", False))]
    planning = turn(3, lead_up=(asked(None, None, "proposal", Kind.PLAN, fault="no JSON"),))
    assert sentences(Failure.TOKEN_BUDGET, *turns, planning) == [("Asked what to do: ", "no JSON", Quote("hm", False))]
    assert sentences(Failure.PARSING, turn(1)) == []


def test_other_classes_speak_for_themselves() -> None:
    assert sentences(Failure.GAVE_UP, turn(1, ACTED, legal=False)) == []

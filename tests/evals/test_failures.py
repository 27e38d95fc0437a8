"""Failure classes at their boundaries: one record more or less decides, and each class is told by its own sign."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evals.judges.failures import MEANING, TAIL, Failure, classify, misjudgements
from evals.run.trace import Record, Truth
from models.base import Kind
from tools.events import INFRASTRUCTURE, Acted, Asked, CalledOff, Ended, Event, Phase, Planned, Reason


def ended(reason: Reason = Reason.STEP_LIMIT, *, goal: bool = False) -> Record:
    return Record(event=Ended(step=0, reason=reason), truth=Truth(goal=goal))


def acted(action: str = "move(a)", *, legal: bool = True, happened: str = "success") -> Record:
    outcome = "executed" if legal else "not legal"
    return Record(event=Acted(step=0, action=action, outcome=outcome), truth=Truth(legal=legal, happened=happened))


def called_off(*, legal: bool = True) -> Record:
    return Record(event=CalledOff(step=0, action="move(a)", unmet=("clear a",)), truth=Truth(legal=legal))


def asked(*, right: bool = True, phase: Phase = Phase.EFFECT, step: int = 0, value: bool | None = True) -> Record:
    event = Asked(step=step, kind=Kind.YES_NO, phase=phase, about="on a,b", value=value, reply="Yes")
    return Record(event=event, truth=Truth(value=value if right else not value, right=right))


def proposed() -> Record:
    return Record(event=Asked(step=0, kind=Kind.PLAN, phase="proposal", value=("move(a)",), reply="{}"))


def planned(*wrong: str) -> Record:
    return Record(event=Planned(step=0, belief=("on a,b",), status="unsolvable"), truth=Truth(wrong=wrong))


ILLEGAL, SLIP = acted(legal=False), acted(happened="no-op")


def out_of_steps(*records: Record) -> Failure | None:
    return classify([*records, ended()])


@pytest.mark.parametrize(
    ("reason", "failure"),
    [
        (Reason.UNREADABLE, Failure.PARSING),
        (Reason.TRUNCATED, Failure.TOKEN_BUDGET),
        (Reason.UNSEEN_PRECONDITION, Failure.UNSEEN_PRECONDITION),
        (Reason.RECORD_ENDED, Failure.RECORD_ENDED),
        (Reason.LOOP, Failure.ATTEMPTED_WRONGLY),
        (Reason.NO_PLAN, Failure.GAVE_UP),
        (Reason.FINISHED, Failure.GOAL_MISJUDGED),
        (Reason.STEP_LIMIT, Failure.STEP_LIMIT),
        *((reason, Failure.INFRASTRUCTURE) for reason in sorted(INFRASTRUCTURE)),
    ],
)
def test_the_end_decides(reason: Reason, failure: Failure) -> None:
    assert classify([ended(reason)]) is failure
    expected = failure if reason in INFRASTRUCTURE else None
    assert classify([ended(reason, goal=True)]) is expected, "who reached the goal has not failed"


def test_what_breaks_off_was_not_played() -> None:
    assert classify([]) is Failure.INFRASTRUCTURE
    assert classify([asked()]) is Failure.INFRASTRUCTURE


def test_every_class_has_a_meaning() -> None:
    assert set(MEANING) == set(Failure)


def test_without_a_plan_the_last_belief_decides() -> None:
    end = ended(Reason.NO_PLAN)
    assert classify([planned("on a,b"), end]) is Failure.NO_PLAN_WRONG_BELIEF
    assert classify([planned(), end]) is Failure.NO_PLAN_RIGHT_BELIEF
    assert classify([planned("on a,b"), planned(), end]) is Failure.NO_PLAN_RIGHT_BELIEF
    assert classify([planned(), planned("on a,b"), end]) is Failure.NO_PLAN_WRONG_BELIEF


def test_a_goal_is_misjudged_unless_an_effect_was_since_the_last_plan() -> None:
    end, wrong = ended(Reason.FINISHED), asked(right=False)
    assert classify([planned(), wrong, end]) is Failure.EFFECT_MISJUDGED
    assert classify([wrong, end]) is Failure.EFFECT_MISJUDGED
    assert classify([wrong, planned(), end]) is Failure.GOAL_MISJUDGED
    assert classify([planned(), wrong, planned(), asked(), end]) is Failure.GOAL_MISJUDGED
    assert classify([planned(), asked(right=False, phase=Phase.PRECONDITION), end]) is Failure.GOAL_MISJUDGED


@pytest.mark.parametrize(
    ("records", "counts"),
    [
        ([called_off()], {Failure.CALLED_OFF_WRONGLY: 1}),
        ([called_off(legal=False)], {}),
        ([ILLEGAL, ILLEGAL], {Failure.ATTEMPTED_WRONGLY: 2}),
        ([acted(), SLIP], {}),
        ([asked(right=False)], {Failure.EFFECT_MISJUDGED: 1}),
        ([asked(right=False), asked(right=False)], {Failure.EFFECT_MISJUDGED: 1}),
        ([asked(right=False), asked(right=False, step=1)], {Failure.EFFECT_MISJUDGED: 2}),
        ([asked(right=False, phase=Phase.ENUMERATION), asked()], {}),
        ([proposed()], {}),
    ],
)
def test_misjudgements_are_counted(records: Sequence[Record], counts: dict[Failure, int]) -> None:
    assert misjudgements(records) == counts


def test_a_proposal_about_an_effect_is_no_judgement() -> None:
    event = Asked(step=0, kind=Kind.PLAN, phase=Phase.EFFECT, value=("move(a)",), reply="{}")
    assert misjudgements([Record(event=event, truth=Truth(value=True))]) == {}


@pytest.mark.parametrize(
    ("records", "failure"),
    [
        ([], Failure.STEP_LIMIT),
        ([ILLEGAL], Failure.ATTEMPTED_WRONGLY),
        ([called_off()], Failure.CALLED_OFF_WRONGLY),
        ([asked(right=False)], Failure.EFFECT_MISJUDGED),
        ([ILLEGAL, called_off(), asked(right=False)], Failure.ATTEMPTED_WRONGLY),
        ([called_off(), asked(right=False)], Failure.CALLED_OFF_WRONGLY),
        ([ILLEGAL, called_off(), called_off()], Failure.CALLED_OFF_WRONGLY),
        ([ILLEGAL, called_off(), asked(right=False), asked(right=False, step=1)], Failure.EFFECT_MISJUDGED),
    ],
)
def test_the_most_frequent_mistake_explains_it_and_on_a_tie_the_graver(
    records: Sequence[Record], failure: Failure
) -> None:
    assert out_of_steps(asked(), *records) is failure


@pytest.mark.parametrize(
    ("mistakes", "slips", "failure"),
    [
        (1, 0, Failure.CALLED_OFF_WRONGLY),
        (1, 1, Failure.CALLED_OFF_WRONGLY),
        (1, 2, Failure.STEP_LIMIT),
        (2, 2, Failure.CALLED_OFF_WRONGLY),
        (2, 3, Failure.STEP_LIMIT),
        (0, 0, Failure.STEP_LIMIT),
        (0, 1, Failure.STEP_LIMIT),
    ],
)
def test_mistakes_explain_it_if_they_cost_as_much_as_slips(mistakes: int, slips: int, failure: Failure) -> None:
    assert out_of_steps(asked(), *[called_off()] * mistakes, *[SLIP] * slips) is failure


def test_only_legal_actions_slip() -> None:
    refused = acted(legal=False, happened="not legal")
    assert out_of_steps(asked(), called_off(), called_off(), refused, SLIP, SLIP) is Failure.CALLED_OFF_WRONGLY
    assert out_of_steps(asked(), called_off(), acted(), acted(), acted()) is Failure.CALLED_OFF_WRONGLY


def attempts(pattern: str) -> list[Record]:
    """Attempts of a method that only proposes: a small letter is an impossible action, a capital a possible one."""
    return [proposed(), *(acted(f"move({letter.lower()})", legal=letter.isupper()) for letter in pattern)]


@pytest.mark.parametrize(
    ("pattern", "failure"),
    [
        ("", Failure.STEP_LIMIT),
        ("aaa", Failure.REPEATED_ACTION),
        ("AAAAAAaaa", Failure.REPEATED_ACTION),
        ("baaa", Failure.REPEATED_ACTION),
        ("aab", Failure.ILLEGAL_ACTIONS),
        ("aa", Failure.ILLEGAL_ACTIONS),
        ("AAAAAAaa", Failure.STEP_LIMIT),
        ("aaaA", Failure.ILLEGAL_ACTIONS),
        ("aAaa", Failure.ILLEGAL_ACTIONS),
        ("aba", Failure.OSCILLATION),
        ("abab", Failure.OSCILLATION),
        ("bbab", Failure.ILLEGAL_ACTIONS),
        ("cbab", Failure.ILLEGAL_ACTIONS),
        ("ccbaba", Failure.OSCILLATION),
        ("AAAAAAaba", Failure.OSCILLATION),
        ("abba", Failure.ILLEGAL_ACTIONS),
        ("abc", Failure.ILLEGAL_ACTIONS),
        ("AAAAAAab", Failure.STEP_LIMIT),
        ("abAB", Failure.ILLEGAL_ACTIONS),
        ("abABC", Failure.STEP_LIMIT),
        ("abcABC", Failure.ILLEGAL_ACTIONS),
        ("A", Failure.STEP_LIMIT),
        ("a", Failure.ILLEGAL_ACTIONS),
        ("Ab", Failure.ILLEGAL_ACTIONS),
        ("ABc", Failure.STEP_LIMIT),
    ],
)
def test_how_a_method_that_proposes_ran_out_of_steps(pattern: str, failure: Failure) -> None:
    assert out_of_steps(*attempts(pattern)) is failure


def test_as_many_impossible_attempts_at_the_end_as_the_tail_is_long_make_a_loop() -> None:
    possible = "A" * 3 * TAIL
    assert out_of_steps(*attempts(possible + "b" * TAIL)) is Failure.REPEATED_ACTION
    assert out_of_steps(*attempts(possible + "b" * (TAIL - 1))) is Failure.STEP_LIMIT
    assert TAIL == 3, "the labels of earlier runs count on it"


def test_whoever_asked_about_facts_is_no_method_that_proposes() -> None:
    illegal = attempts("aaa")
    assert out_of_steps(*illegal) is Failure.REPEATED_ACTION
    assert out_of_steps(asked(), *illegal) is Failure.ATTEMPTED_WRONGLY


def test_other_events_are_no_attempts() -> None:
    others: list[Event] = [CalledOff(step=0, action="move(b)", unmet=())]
    records = [Record(event=event, truth=Truth(legal=False)) for event in others]
    assert out_of_steps(proposed(), *records) is Failure.STEP_LIMIT

"""Divergence on traces made by hand, at the points where one event more or less decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from evals.judges.divergence import (
    BeliefCourse,
    Consequence,
    Origin,
    Verdict,
    WrongBelief,
    belief_course,
    judge_divergence,
)
from evals.judges.failures import Failure
from evals.judges.turns import Turn
from evals.run.trace import Record, Truth
from models.base import Kind
from tools.events import Acted, Asked, Believed, CalledOff, Observed, Phase, Planned

ON, HELD, CLEAR = "on a,b", "held a", "clear b"


def scene(*true: str) -> Record:
    return Record(event=Observed(step=0, picture=""), truth=Truth(state=true))


def believed(*added: str, dropped: Sequence[str] = ()) -> Record:
    return Record(event=Believed(step=0, added=added, dropped=tuple(dropped)))


def planned(*belief: str) -> Record:
    return Record(event=Planned(step=0, belief=belief, status="solved"))


def asked(fact: str, value: bool | None, truth: bool, phase: Phase = Phase.PRECONDITION) -> Record:
    event = Asked(step=0, kind=Kind.YES_NO, phase=phase, about=fact, value=value, reply="")
    return Record(event=event, truth=Truth(value=truth, right=value == truth))


def acted(action: str = "lift(a)", *, legal: bool = True, after: Sequence[str] | None = None) -> Record:
    state = None if after is None else tuple(after)
    return Record(event=Acted(step=0, action=action, outcome="executed"), truth=Truth(legal=legal, state=state))


def called_off(*unmet: str, legal: bool = True) -> Record:
    return Record(event=CalledOff(step=0, action="lift(a)", unmet=unmet), truth=Truth(legal=legal))


def turns(*parts: dict[str, Any]) -> list[Turn]:
    return [Turn(number, **part) for number, part in enumerate(parts, 1)]


def wrong_beliefs(*parts: dict[str, Any]) -> list[tuple[str, bool, int, Origin]]:
    return [(wrong.atom, wrong.value, wrong.first, wrong.cause) for wrong in belief_course(turns(*parts)).wrong_beliefs]


def test_what_an_attempt_changed_and_nobody_noticed() -> None:
    """The belief stays, the truth moves on, in both directions."""
    start = {"before": scene(ON), "lead_up": [believed(ON)]}
    assert wrong_beliefs({**start, "attempt": acted(after=[])}) == [(ON, True, 1, Origin.UNNOTICED)]
    assert wrong_beliefs({**start, "attempt": acted(after=[ON, "on c,d"])}) == [("on c,d", False, 1, Origin.UNNOTICED)]
    assert wrong_beliefs({**start, "attempt": acted(after=[ON])}) == []


def test_what_was_believed_without_a_reason() -> None:
    """The truth stays, the belief moves on, in both directions."""
    start = {"before": scene(ON), "lead_up": [believed(ON)]}
    doubting = {**start, "attempt": acted(after=[ON]), "follow_up": [believed(dropped=[ON])]}
    assert wrong_beliefs(doubting) == [(ON, False, 1, Origin.INFERRED)]
    hoping = {**start, "attempt": acted(after=[ON]), "follow_up": [believed("on c,d")]}
    assert wrong_beliefs(hoping) == [("on c,d", True, 1, Origin.INFERRED)]


def test_what_changed_on_both_sides_was_noticed() -> None:
    """Belief and truth pass each other: what became true stopped being believed, and the other way round."""
    one = {"before": scene(), "lead_up": [believed("on c,d")]}
    two = {"attempt": acted(after=["on c,d"]), "follow_up": [believed(dropped=["on c,d"])]}
    assert wrong_beliefs({**one, **two}) == [
        ("on c,d", True, 0, Origin.INFERRED),
    ], "wrong before, and wrong still: one spell"
    three = {
        "before": scene(ON),
        "lead_up": [believed(ON)],
        "attempt": acted(after=[]),
        "follow_up": [believed("on c,d")],
    }
    assert wrong_beliefs(three) == [(ON, True, 1, Origin.UNNOTICED), ("on c,d", True, 1, Origin.INFERRED)]


def test_what_is_planned_with_anew_is_no_longer_unnoticed() -> None:
    """Belief and truth change in the same moment: who changed its mind had the chance to notice."""
    acting: dict[str, Any] = {"before": scene(ON), "lead_up": [planned(ON)], "attempt": acted(after=[])}
    hoping = (
        {**acting, "lead_up": [planned()], "before": scene()},
        {"before": scene(), "lead_up": [planned(ON)]},
    )
    assert wrong_beliefs(*hoping) == [(ON, True, 2, Origin.INFERRED)]
    turned = ({**acting, "attempt": acted(after=[ON])}, {"before": scene(), "lead_up": [planned(ON, "on c,d")]})
    assert wrong_beliefs(*turned) == [(ON, True, 2, Origin.UNNOTICED), ("on c,d", True, 2, Origin.INFERRED)]
    dropped = (acting, {"before": scene(ON), "lead_up": [planned("on c,d")]})
    assert wrong_beliefs(*dropped) == [(ON, False, 2, Origin.INFERRED), ("on c,d", True, 2, Origin.INFERRED)]
    formed = ({"before": scene(), "attempt": acted(after=[ON])}, {"before": scene(), "lead_up": [planned(ON)]})
    assert wrong_beliefs(*formed) == [(ON, True, 2, Origin.INFERRED)]


def test_a_wrong_answer_is_the_cause_only_if_it_is_what_is_believed() -> None:
    start = {"before": scene(ON)}
    assert wrong_beliefs({**start, "lead_up": [asked(ON, False, True), believed(HELD, dropped=[])]})[0] == (
        "held a",
        True,
        0,
        Origin.INFERRED,
    )
    lied = {**start, "lead_up": [asked(ON, False, True), believed("on c,d"), believed(dropped=["on c,d"])]}
    assert wrong_beliefs(lied) == [(ON, False, 0, Origin.ANSWER)]
    right = {**start, "lead_up": [asked(ON, True, True), believed("on c,d"), believed(dropped=["on c,d"])]}
    assert wrong_beliefs(right) == [(ON, False, 0, Origin.INFERRED)]


def test_of_predicates_nobody_speaks_of_only_those_count_that_change() -> None:
    still = {"before": scene(ON, CLEAR), "lead_up": [believed(ON)], "attempt": acted(after=[ON, CLEAR])}
    assert wrong_beliefs(still) == []
    moving = {"before": scene(ON, CLEAR), "lead_up": [believed(ON)], "attempt": acted(after=[ON])}
    assert wrong_beliefs(moving) == [(CLEAR, False, 0, Origin.INFERRED)]
    late = ({"before": scene(ON, CLEAR), "lead_up": [believed(ON)]}, {"before": scene(ON)})
    assert wrong_beliefs(*late) == [(CLEAR, False, 0, Origin.INFERRED)]


def test_an_agent_without_beliefs_goes_by_what_it_was_last_told() -> None:
    answers = {"before": scene(ON), "lead_up": [asked(ON, True, True), asked(CLEAR, False, False)]}
    assert not belief_course(turns(answers)).believing
    assert wrong_beliefs({**answers, "attempt": acted(after=[])}) == [(ON, True, 1, Origin.UNNOTICED)]
    assert wrong_beliefs({**answers, "attempt": acted(after=[ON, CLEAR])}) == [(CLEAR, False, 1, Origin.UNNOTICED)]
    again = {**answers, "attempt": acted(after=[]), "follow_up": [asked(ON, False, False, Phase.EFFECT)]}
    assert wrong_beliefs(again) == []
    assert wrong_beliefs({"before": scene(ON), "lead_up": [asked(ON, None, True)]}) == [], (
        "an answer nobody can read says nothing"
    )
    assert wrong_beliefs({"before": scene(ON), "lead_up": [asked(ON, False, True)]}) == [(ON, False, 0, Origin.ANSWER)]
    assert [moment.known for moment in belief_course(turns({**answers, "attempt": acted(after=[])})).moments] == [
        True,
        True,
    ]


def test_when_the_first_belief_was_formed() -> None:
    nothing: dict[str, Any] = {"before": scene(ON), "attempt": acted(after=[ON])}
    first = belief_course(turns({**nothing, "lead_up": [believed(ON)]}, {"lead_up": [believed(HELD)]}))
    assert (first.formed, [moment.known for moment in first.moments]) == (0, [True, True, True])
    second = belief_course(turns(nothing, {"lead_up": [planned(ON)]}))
    assert (second.formed, [moment.known for moment in second.moments]) == (2, [False, False, True])
    assert belief_course(turns(nothing)).formed is None
    checked = belief_course(turns({**nothing, "follow_up": [believed(ON)]}))
    assert (checked.formed, [moment.known for moment in checked.moments]) == (1, [False, True])


def test_a_plan_is_a_belief_until_the_agent_acts() -> None:
    start = {"before": scene(ON), "lead_up": [planned("on c,d")]}
    parted = belief_course(turns({**start, "attempt": acted(after=[ON])}))
    assert [moment.known for moment in parted.moments] == [True, False]
    assert [(wrong.atom, wrong.until, wrong.mended) for wrong in parted.wrong_beliefs] == [
        (ON, 1, False),
        ("on c,d", 1, False),
    ], "nothing is known any more, which is no mending"
    waiting = belief_course(turns({**start, "attempt": called_off(CLEAR)}))
    assert [moment.known for moment in waiting.moments] == [True, True]
    assert [wrong.until for wrong in waiting.wrong_beliefs] == [None, None]


def test_moments_say_what_changed() -> None:
    changing = belief_course(
        turns(
            {"before": scene(ON), "lead_up": [believed(ON, HELD)], "attempt": acted(after=[CLEAR])},
            {"lead_up": []},
        )
    )
    first, second, third = changing.moments
    assert (first.turn, first.acting, first.believed, first.became_true) == (1, True, (HELD, ON), (ON,))
    assert (second.turn, second.acting, second.became_true, second.became_false) == (1, False, (CLEAR,), (ON,))
    assert (third.turn, third.acting, third.believed, third.doubted) == (2, True, (), ())
    denied = belief_course(turns({"before": scene(ON), "lead_up": [asked(ON, False, True)]}))
    assert denied.moments[0].doubted == (ON,)


def price(failure: Failure | None, *parts: dict[str, Any]) -> Verdict:
    made = turns(*parts)
    return judge_divergence(failure, made, belief_course(made))


WRONG = {"before": scene(ON), "lead_up": [believed(ON, HELD)]}


def test_what_the_failure_class_names_was_the_price() -> None:
    for failure in (Failure.NO_PLAN_WRONG_BELIEF, Failure.GOAL_MISJUDGED, Failure.EFFECT_MISJUDGED):
        answers = price(failure, WRONG)
        assert (answers.price, [wrong.atom for wrong in answers.fatal]) == (Consequence.COST, [HELD])
    for failure in (Failure.PARSING, Failure.STEP_LIMIT):
        assert price(failure, WRONG) == Verdict(Consequence.UNCLEAR, 0)
    assert price(None, WRONG) == Verdict(Consequence.SOLVED, 0)
    assert price(Failure.PARSING, {"before": scene(ON), "lead_up": [believed(ON)]}) == Verdict(Consequence.NEVER_WRONG)


def test_what_was_mended_was_not_the_price() -> None:
    mended = {**WRONG, "attempt": acted(after=[ON]), "follow_up": [believed(dropped=[HELD])]}
    assert price(Failure.NO_PLAN_WRONG_BELIEF, mended) == Verdict(Consequence.MENDED, 0)
    half = {
        "before": scene(ON),
        "lead_up": [believed(ON, HELD, "held b")],
        "attempt": acted(after=[ON]),
        "follow_up": [believed(dropped=[HELD])],
    }
    assert price(Failure.PARSING, half) == Verdict(Consequence.UNCLEAR, 0)


def fatal(failure: Failure, *parts: dict[str, Any]) -> list[str]:
    return [wrong.atom for wrong in price(failure, *parts).fatal]


def test_calling_off_wrongly_is_laid_to_the_facts_that_were_unmet() -> None:
    off = Failure.CALLED_OFF_WRONGLY
    assert fatal(off, {**WRONG, "attempt": called_off(f"not {HELD}")}) == [HELD]
    assert fatal(off, {**WRONG, "attempt": called_off(HELD)}) == [HELD]
    assert fatal(off, {**WRONG, "attempt": called_off(CLEAR)}) == []
    assert fatal(off, {**WRONG, "attempt": called_off(HELD, legal=False)}) == []
    assert fatal(off, {**WRONG, "attempt": acted("lift(a)", after=[ON])}) == []
    assert fatal(off, {**WRONG, "attempt": acted("lift(a)", legal=False, after=[ON])}) == []


def test_attempting_wrongly_is_laid_to_wrong_answers_or_to_what_the_action_handles() -> None:
    vain = Failure.ATTEMPTED_WRONGLY
    assert fatal(vain, {**WRONG, "attempt": acted("lift(a)", legal=False, after=[ON])}) == [HELD], (
        "the thing it handles"
    )
    assert fatal(vain, {**WRONG, "attempt": acted("lift(b)", legal=False, after=[ON])}) == []
    assert fatal(vain, {**WRONG, "attempt": acted("lift(a)", after=[ON])}) == [], "legal"
    assert fatal(vain, {**WRONG, "attempt": called_off(HELD)}) == []
    lied = {"before": scene(ON), "lead_up": [believed(ON, HELD, "held b"), asked("held b", True, False)]}
    assert fatal(vain, {**lied, "attempt": acted("lift(a)", legal=False, after=[ON])}) == ["held b"]
    unread = {
        "before": scene(ON),
        "lead_up": [*WRONG["lead_up"], asked("held b", None, False, Phase.EFFECT)],
    }
    assert fatal(vain, {**unread, "attempt": acted("lift(a)", legal=False, after=[ON])}) == [HELD], "of another phase"


@pytest.mark.parametrize(
    ("begins", "ends", "off", "named"),
    [(1, 2, 1, True), (1, 2, 2, True), (1, 2, 3, False), (2, 3, 1, False), (2, 3, 2, True), (2, 2, 2, True)],
)
def test_a_wrong_belief_counts_in_the_turns_in_which_it_was_held(begins: int, ends: int, off: int, named: bool) -> None:
    """It is formed before the attempt of one turn and given up after the attempt of another, which still counts."""
    parts: list[dict[str, Any]] = []
    for number in (1, 2, 3):
        lead_up = [believed(ON, *([HELD] if number == begins else []))]
        attempt = called_off(HELD) if number == off else acted(after=[ON])
        follow_up = [believed(dropped=[HELD])] if number == ends else []
        parts.append({"before": scene(ON), "lead_up": lead_up, "attempt": attempt, "follow_up": follow_up})
    assert (HELD in fatal(Failure.CALLED_OFF_WRONGLY, *parts)) == named


@pytest.mark.parametrize(("off", "named"), [(1, False), (2, True), (3, True)])
def test_a_wrong_belief_that_is_never_given_up_counts_to_the_end(off: int, named: bool) -> None:
    parts: list[dict[str, Any]] = []
    for number in (1, 2, 3):
        lead_up = [believed(ON, *([HELD] if number == 2 else []))]
        attempt = called_off(HELD) if number == off else acted(after=[ON])
        parts.append({"before": scene(ON), "lead_up": lead_up, "attempt": attempt})
    assert (HELD in fatal(Failure.CALLED_OFF_WRONGLY, *parts)) == named


def test_a_wrong_belief_does_not_count_in_the_turn_before_which_it_was_given_up() -> None:
    parts = [
        {"before": scene(ON), "lead_up": [believed(ON, HELD)], "attempt": acted(after=[ON])},
        {"before": scene(ON), "lead_up": [believed(dropped=[HELD])], "attempt": called_off(HELD)},
    ]
    assert fatal(Failure.CALLED_OFF_WRONGLY, *parts) == []


def test_a_wrong_belief_about_several_things_counts_for_each_of_them() -> None:
    wrong = {"before": scene("held c"), "lead_up": [believed("on b,d")]}
    for thing in "bd":
        attempt = acted(f"lift({thing})", legal=False, after=["held c"])
        assert fatal(Failure.ATTEMPTED_WRONGLY, {**wrong, "attempt": attempt}) == ["on b,d"]
    assert fatal(Failure.ATTEMPTED_WRONGLY, {**wrong, "attempt": acted("lift(e)", legal=False, after=["held c"])}) == []


def test_a_new_course_is_empty() -> None:
    assert BeliefCourse(believing=True).wrong_beliefs == []
    assert WrongBelief(ON, True, 0, Origin.ANSWER).mended is False

"""The failure class of an episode, decided from its trace alone.

The class is what ended the episode; earlier misjudgements are counted separately. `MEANING` explains each class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise, takewhile

from evals.run.trace import Record
from tools.events import INFRASTRUCTURE, Acted, Asked, CalledOff, Ended, Phase, Planned, Reason


class Failure(StrEnum):
    """The classes."""

    PARSING = "parsing"
    TOKEN_BUDGET = "token_budget"
    REPEATED_ACTION = "repeated_action"
    OSCILLATION = "oscillation"
    CALLED_OFF_WRONGLY = "called_off_wrongly"
    ATTEMPTED_WRONGLY = "attempted_wrongly"
    EFFECT_MISJUDGED = "effect_misjudged"
    NO_PLAN_WRONG_BELIEF = "no_plan_wrong_belief"
    NO_PLAN_RIGHT_BELIEF = "no_plan_right_belief"
    UNSEEN_PRECONDITION = "unseen_precondition"
    GOAL_MISJUDGED = "goal_misjudged"
    STEP_LIMIT = "step_limit"
    ILLEGAL_ACTIONS = "illegal_actions"
    GAVE_UP = "gave_up"
    RECORD_ENDED = "record_ended"
    INFRASTRUCTURE = "infrastructure"


MEANING: dict[Failure, str] = {
    Failure.PARSING: "A reply could not be read.",
    Failure.TOKEN_BUDGET: "A reply was cut off before it could be read.",
    Failure.REPEATED_ACTION: "Planner methods: the same impossible action again and again.",
    Failure.OSCILLATION: "Planner methods: back and forth between two impossible actions.",
    Failure.CALLED_OFF_WRONGLY: "Grounders: a precondition that held was judged not to; a legal action was called off.",
    Failure.ATTEMPTED_WRONGLY: "Grounders: a precondition that did not hold was judged to; it was tried in vain.",
    Failure.EFFECT_MISJUDGED: "Grounders: what an action had done was judged wrongly.",
    Failure.NO_PLAN_WRONG_BELIEF: "There was no plan from a belief that differs from the truth.",
    Failure.NO_PLAN_RIGHT_BELIEF: "There was no plan, although the belief was the truth.",
    Failure.UNSEEN_PRECONDITION: "Official rules: what an action needs was not so, out of view; the original gives up.",
    Failure.GOAL_MISJUDGED: "The goal was believed to be reached and was not.",
    Failure.STEP_LIMIT: "The steps were used up, and none of the other classes explains it.",
    Failure.ILLEGAL_ACTIONS: "Planner methods: at least half of the attempts were impossible, if not in a loop.",
    Failure.RECORD_ENDED: "Replays: the recorded run ended here; why was not written down.",
    Failure.GAVE_UP: "The agent ended the episode as hopeless without having planned.",
    Failure.INFRASTRUCTURE: "Model or planner could not be reached or crashed: never counted against the model.",
}
"""The meaning of each class."""

TAIL = 3
"""How many impossible attempts at the end make a loop."""


def misjudgements(records: Sequence[Record]) -> Counter[Failure]:
    """How many actions were called off wrongly, attempted wrongly, or had an effect misjudged."""
    counts: Counter[Failure] = Counter()
    misseen = set()
    for record in records:
        event, truth = record.event, record.truth
        if isinstance(event, CalledOff) and truth.legal:
            counts[Failure.CALLED_OFF_WRONGLY] += 1
        elif isinstance(event, Acted) and not truth.legal:
            counts[Failure.ATTEMPTED_WRONGLY] += 1
        elif isinstance(event, Asked) and event.of_fact and event.phase == Phase.EFFECT and event.value != truth.value:
            misseen.add(event.step)
    if misseen:
        counts[Failure.EFFECT_MISJUDGED] = len(misseen)
    return counts


def classify(records: Sequence[Record]) -> Failure | None:
    """The class of a failed episode; None if it reached its goal."""
    last = records[-1] if records else None
    if last is None or not isinstance(last.event, Ended):
        return Failure.INFRASTRUCTURE
    reason = last.event.reason
    if reason in INFRASTRUCTURE:
        return Failure.INFRASTRUCTURE
    if last.truth.goal:
        return None
    match reason:
        case Reason.UNREADABLE:
            return Failure.PARSING
        case Reason.TRUNCATED:
            return Failure.TOKEN_BUDGET
        case Reason.NO_PLAN:
            planned = [record for record in records if isinstance(record.event, Planned)]
            if not planned:
                return Failure.GAVE_UP
            return Failure.NO_PLAN_WRONG_BELIEF if planned[-1].truth.wrong else Failure.NO_PLAN_RIGHT_BELIEF
        case Reason.UNSEEN_PRECONDITION:
            return Failure.UNSEEN_PRECONDITION
        case Reason.RECORD_ENDED:
            return Failure.RECORD_ENDED
        case Reason.LOOP:
            return Failure.ATTEMPTED_WRONGLY
        case Reason.FINISHED:
            return Failure.EFFECT_MISJUDGED if _last_action_misjudged(records) else Failure.GOAL_MISJUDGED
        case _:
            return _out_of_steps(records)


def _last_action_misjudged(records: Sequence[Record]) -> bool:
    """Whether an effect was misjudged since the last plan, so that the plan continued although it had failed."""
    plans = [place for place, record in enumerate(records) if isinstance(record.event, Planned)]
    since = records[plans[-1] :] if plans else records
    return misjudgements(since)[Failure.EFFECT_MISJUDGED] > 0


def _out_of_steps(records: Sequence[Record]) -> Failure:
    if not any(isinstance(record.event, Asked) and record.event.of_fact for record in records):
        return _loop_of_planner(records)
    counts = misjudgements(records)
    # The most frequent mistake explains it; on a tie, the graver one, which changed the world.
    order = (Failure.ATTEMPTED_WRONGLY, Failure.CALLED_OFF_WRONGLY, Failure.EFFECT_MISJUDGED)
    worst = max(order, key=lambda failure: counts[failure])
    return worst if counts[worst] >= max(1, _slips(records)) else Failure.STEP_LIMIT


def _slips(records: Sequence[Record]) -> int:
    """How often a legal action failed by chance."""
    return sum(
        isinstance(record.event, Acted) and bool(record.truth.legal) and record.truth.happened != "success"
        for record in records
    )


def _loop_of_planner(records: Sequence[Record]) -> Failure:
    attempts = [
        (record.event.action, bool(record.truth.legal)) for record in records if isinstance(record.event, Acted)
    ]
    tail = [action for action, _ in takewhile(lambda attempt: not attempt[1], reversed(attempts))]
    recent = tail[: TAIL + 1]
    if len(tail) >= TAIL and len(set(recent[:TAIL])) == 1:
        return Failure.REPEATED_ACTION
    if len(tail) >= TAIL and len(set(recent)) == 2 and all(one != other for one, other in pairwise(recent)):
        return Failure.OSCILLATION
    illegal = sum(not legal for _, legal in attempts)
    return Failure.ILLEGAL_ACTIONS if attempts and 2 * illegal >= len(attempts) else Failure.STEP_LIMIT

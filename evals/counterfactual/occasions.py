"""What in an episode gave a faculty occasion to fail. Made perfect where it had none, it would change nothing."""

from __future__ import annotations

from collections.abc import Sequence, Set

from evals.counterfactual.changes import Faculty
from evals.counterfactual.situations import told
from evals.trace import Record
from tools.events import Acted, Asked, Ended, Planned, Proposed, Reason

RULED = frozenset({Reason.STEP_LIMIT, Reason.LOOP, Reason.UNSEEN_PRECONDITION})
"""Ends that a rule of the game brings about, not what the agent believes."""


def occasions(records: Sequence[Record], perfect: Set[Faculty]) -> frozenset[Faculty]:
    """The faculties that may have failed in this episode, beside those that could not."""
    found = {faculty for record in records for faculty in _of_record(record)}
    wrong = any(isinstance(record.event, Planned) and record.truth.wrong for record in records)
    if wrong and Faculty.PERCEPTION not in found:
        found.add(Faculty.KNOWLEDGE)  # wrong although all answers were right: nobody could have seen it
    return frozenset(found - perfect)


def _of_record(record: Record) -> set[Faculty]:
    event, truth = record.event, record.truth
    match event:
        case Asked() if event.answer is None:
            return {Faculty.PARSING}
        case Asked() if event.answer != truth.value:
            return {Faculty.PERCEPTION}
        case Planned():
            return {Faculty.PLANNING}
        case Proposed():
            return {Faculty.DECIDING, Faculty.PARSING} if event.fault else {Faculty.DECIDING}
        case Acted() if action_failed(record):
            return {Faculty.ACTIONS}
        case Ended() if event.reason in RULED:
            return {Faculty.PROTOCOL}
        case _:
            return set()


def action_failed(record: Record) -> bool:
    """Whether this is an action that was legal and did not do what it should."""
    return isinstance(record.event, Acted) and bool(record.truth.legal) and record.truth.happened != "success"


def first_wrong_answer(records: Sequence[Record]) -> str:
    """The first answer that was not so; empty if there was none."""
    for record in records:
        event = record.event
        if isinstance(event, Asked) and event.answer != record.truth.value:
            return f"step {event.step}, {event.phase}: {told(event)}"
    return ""

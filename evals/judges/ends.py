"""How an episode in a world ended: what the agent claimed, apart from what was true.

An agent that succeeds without noticing is not one that knows. The trace has the claim (`Ended.claimed`) and the truth
beside every event. Older traces have no claim: there, `finished` counts as one, unless a model chose the actions and
the goal holds. Such agents heard from the world that it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from evals.run.trace import Record
from tools.events import AGENT_ERRORS, INFRASTRUCTURE, Asked, Ended, Reason


class End(StrEnum):
    """The ends."""

    VERIFIED = "verified"
    MISSED = "missed"
    DRIFTED_PAST = "drifted_past"
    CLAIMED_WRONGLY = "claimed_wrongly"
    ANNOUNCED = "announced"
    NOT_REACHED = "not_reached"


MEANING: dict[End, str] = {
    End.VERIFIED: "The agent claimed that the goal holds, and it does.",
    End.MISSED: "The goal holds at the end, and the agent did not claim it.",
    End.DRIFTED_PAST: "The goal held at some time and no longer does; the agent did not claim it.",
    End.CLAIMED_WRONGLY: "The agent claimed that the goal holds, and it does not.",
    End.ANNOUNCED: "The goal holds, and the world said so: whether the agent would have noticed is not known.",
    End.NOT_REACHED: "The goal never held, and the agent did not claim it.",
}
"""The meaning of each end."""


def end_of(records: Sequence[Record]) -> End | None:
    """How the episode ended; None if it was cut short. A claim counts before what was true on the way."""
    last = records[-1] if records else None
    if last is None or not isinstance(last.event, Ended) or last.event.reason in INFRASTRUCTURE | AGENT_ERRORS:
        return None
    holds, claimed = bool(last.truth.goal), _claimed(last.event, records, bool(last.truth.goal))
    if claimed:
        return End.VERIFIED if holds else End.CLAIMED_WRONGLY
    if holds:
        return End.ANNOUNCED if last.event.reason is Reason.FINISHED else End.MISSED
    return End.DRIFTED_PAST if any(record.truth.goal for record in records) else End.NOT_REACHED


def _claimed(ended: Ended, records: Sequence[Record], holds: bool) -> bool:
    """Whether the agent claimed to be done."""
    if ended.reason is not Reason.FINISHED or ended.claimed is not None:
        return bool(ended.claimed)
    chosen_by_model = any(
        isinstance(record.event, Asked) and (record.event.proposes or record.event.decides) for record in records
    )
    return not (chosen_by_model and holds)

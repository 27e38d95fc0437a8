"""Interventions when an episode in a world of options is played again."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from evals.judges.changes import (
    COMMON,
    PARSING,
    PROTOCOL,
    VIEW_CHANGES,
    CorrectedReplies,
    RerunContext,
    RerunSetup,
    changed_view,
    ended_by_rule,
    unreadable,
)
from evals.judges.controlled import oracle
from evals.run.trace import Record
from models.base import Kind, Reply, Request
from tools.events import Asked

if TYPE_CHECKING:
    from evals.judges.options import OptionsJudge

DECIDING = "deciding"
FACULTIES = (DECIDING, PARSING, PROTOCOL)
CHANGES: dict[str, str] = {
    DECIDING: "the option that leads to the goal soonest is chosen, where there is one",
    PARSING: COMMON[PARSING],
    PROTOCOL: COMMON[PROTOCOL],
    **VIEW_CHANGES,
}


async def changed(judge: OptionsJudge, context: RerunContext) -> RerunSetup:
    """What a rerun in this world is played with."""
    model = changed_view(judge, context)

    def faculty(request: Request) -> str | None:
        return DECIDING if request.kind is Kind.CHOICE and judge.world.best() in request.options else None

    def cannot_be_read(request: Request, reply: Reply) -> bool:
        return unreadable(request, reply, context.profile)

    answer = CorrectedReplies(context.changes, oracle(judge), faculty, cannot_be_read)
    return RerunSetup(context.task, context.planner, model, answer, fresh=model is not None)


def could_fail(records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
    """The faculties that could have failed."""
    found: set[str] = set()
    for record in records:
        event = record.event
        if isinstance(event, Asked) and event.kind is Kind.CHOICE:
            found |= {DECIDING, PARSING} if event.fault else {DECIDING}
        elif ended_by_rule(record):
            found.add(PROTOCOL)
    return frozenset(found - changes)

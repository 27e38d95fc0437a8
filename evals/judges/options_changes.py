"""What can be put right when an episode in a world of options is played again."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from evals.judges.changes import (
    COMMON,
    LOOKING,
    PARSING,
    PROTOCOL,
    Again,
    Changed,
    PutRight,
    ruled,
    shown_otherwise,
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
    **LOOKING,
}


async def changed(judge: OptionsJudge, again: Again) -> Changed:
    """What a rerun in this world is played with."""
    model = shown_otherwise(judge, again)

    def faculty(request: Request) -> str | None:
        return DECIDING if request.kind is Kind.CHOICE and judge.world.best() in request.options else None

    def cannot_be_read(request: Request, reply: Reply) -> bool:
        return unreadable(request, reply, again.profile)

    answer = PutRight(again.changes, oracle(judge), faculty, cannot_be_read)
    return Changed(again.task, again.planner, model, answer, fresh=model is not None)


def occasions(records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
    """The faculties that had occasion to fail."""
    found: set[str] = set()
    for record in records:
        event = record.event
        if isinstance(event, Asked) and event.kind is Kind.CHOICE:
            found |= {DECIDING, PARSING} if event.fault else {DECIDING}
        elif ruled(record):
            found.add(PROTOCOL)
    return frozenset(found - changes)

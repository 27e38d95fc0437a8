"""Interventions when a question is asked again: its answer, its pictures, the order of its options."""

from __future__ import annotations

import random
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from envs.base import Question
from evals.judges.changes import (
    COMMON,
    PARSING,
    VIEW_CHANGES,
    CorrectedReplies,
    RerunContext,
    RerunSetup,
    changed_view,
    contradiction,
    unreadable,
)
from evals.judges.controlled import oracle
from evals.run.trace import Record
from models.base import Kind, Model, Reply, Request
from models.wrapped import Wrapped
from tools.events import Answered, Asked

if TYPE_CHECKING:
    from evals.judges.question import QuestionJudge

ANSWERING = "answering"
ORACLE_ANSWERS, SHUFFLED = "oracle-answers", "shuffled-options"
FACULTIES = (ANSWERING, PARSING)
TOGETHER: dict[str, tuple[str, ...]] = {ORACLE_ANSWERS: FACULTIES}
CHANGES: dict[str, str] = {
    ORACLE_ANSWERS: "the reply to the question is the right answer",
    ANSWERING: "a reply to the question that can be read is the right answer",
    PARSING: COMMON[PARSING],
    **VIEW_CHANGES,
    SHUFFLED: "the options come in another order, with each seed in another one",
}
PHASE = "question"
"""The phase of requests for the question itself."""


async def changed(judge: QuestionJudge, context: RerunContext) -> RerunSetup:
    """What the question is asked again with."""
    model, task = changed_view(judge, context), context.task
    shuffled = SHUFFLED in context.changes
    if shuffled and isinstance(task, Question):
        task = replace(task, options=in_another_order(task.options, context.seed))
        judge = replace(judge, shown=task.options)

    def faculty(request: Request) -> str | None:
        return ANSWERING if request.place.rpartition(" ")[0] == PHASE else None

    def cannot_be_read(request: Request, reply: Reply) -> bool:
        return unreadable(request, reply, context.profile)

    answer = CorrectedReplies(context.changes, FreeTextOracle(oracle(judge), judge), faculty, cannot_be_read)
    return RerunSetup(task, context.planner, model, answer, judge, fresh=shuffled or model is not None)


class FreeTextOracle(Wrapped):
    """An oracle that also writes out an answer in free text."""

    def __init__(self, model: Model, judge: QuestionJudge) -> None:
        super().__init__(model)
        self._answer = judge.answer

    async def ask(self, request: Request) -> Reply:
        """The right answer."""
        if request.kind is Kind.TEXT and isinstance(self._answer, str):
            return Reply(self._answer)
        return await self._model.ask(request)


def in_another_order(options: Sequence[str], seed: int) -> tuple[str, ...]:
    """The options in another order, deterministic for a seed."""
    found, dice = list(options), random.Random(f"{seed} {options}")
    while len(set(options)) > 1 and found == list(options):
        dice.shuffle(found)
    return tuple(found)


def could_fail(records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
    """The faculties that could have failed."""
    found: set[str] = set()
    for record in records:
        event = record.event
        if isinstance(event, Asked) and event.phase == PHASE and event.value is None:
            found.add(PARSING)
        elif isinstance(event, Asked | Answered) and record.truth.right is False:
            found.add(ANSWERING)
    return frozenset(found - changes)


def unfit(judge: QuestionJudge, changes: Set[str]) -> str:
    """Why the changes do not apply to this question."""
    if SHUFFLED in changes and len(judge.question.options) < 2:
        return f"--with {SHUFFLED}: the question has no options to put in another order"
    if set(VIEW_CHANGES) & changes and not judge.question.pictures:
        return "the question has no pictures, so nothing else can be shown"
    return contradiction(changes)

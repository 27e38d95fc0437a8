"""Interventions when an episode of a symbolic world is played again: faculties of the agent made perfect."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, cast

from envs.base import View, World
from evals.judges.changes import (
    COMMON,
    PARSING,
    PROTOCOL,
    CorrectedReplies,
    RerunContext,
    RerunSetup,
    ended_by_rule,
    unreadable,
)
from evals.judges.controlled import oracle
from evals.judges.planning import OmniscientPlanner, SoundPlanner, ongoing_plan
from evals.judges.reliable import ReliableActions
from evals.run.trace import Record
from models.base import Kind, Reply, Request
from planners.drafts import is_draft, read_domain_draft, read_problem_draft
from planners.outcome import Planner
from planners.task import Task
from tools.events import PROBLEMS, Acted, Asked, Planned

if TYPE_CHECKING:
    from evals.judges.symbolic import SymbolicJudge


class Faculty(StrEnum):
    """What an agent needs to succeed, and failures can be blamed on."""

    PERCEPTION = "perception"
    PARSING = PARSING
    PLANNING = "planning"
    KNOWLEDGE = "knowledge"
    DECIDING = "deciding"
    ACTIONS = "actions"
    PROTOCOL = PROTOCOL


MEANING: dict[str, str] = {
    Faculty.PERCEPTION: "every question about a fact is answered truthfully, and a problem in PDDL is the true one",
    Faculty.PARSING: COMMON[PARSING],
    Faculty.PLANNING: "plans are good for what is believed: none is missing, impossible or needlessly too long",
    Faculty.KNOWLEDGE: "plans are made from the true state, even where it is out of view",
    Faculty.DECIDING: "what the model proposes is what a perfect planner would do: perception and planning in one",
    Faculty.ACTIONS: "actions that are legal do what they should, if there is any way they can",
    Faculty.PROTOCOL: COMMON[PROTOCOL],
}
ORACLE_ANSWERS, ORACLE_PLAN = "oracle-answers", "oracle-plan"
TOGETHER: dict[str, tuple[str, ...]] = {
    ORACLE_ANSWERS: (Faculty.PERCEPTION, Faculty.PARSING),
    ORACLE_PLAN: (Faculty.PLANNING, Faculty.KNOWLEDGE, Faculty.DECIDING),
}
CHANGES: dict[str, str] = {
    ORACLE_ANSWERS: "every question about a fact is answered truthfully; what the model proposes stays its own",
    ORACLE_PLAN: "plans come from a perfect planner that knows the true state, and so do proposals; answers stay the "
    "model's",
    **MEANING,
}


async def changed(judge: SymbolicJudge, context: RerunContext) -> RerunSetup:
    """What a rerun in this world is played with."""
    world, names = judge.world, context.changes
    planner, rewritten = context.planner, False
    if planner is not None and Faculty.KNOWLEDGE in names:
        planner = knowing = await _knowing(judge, context, planner)
        rewritten = knowing.ongoing is not None
    elif planner is not None and Faculty.PLANNING in names:
        planner = SoundPlanner(planner, judge.perfect(), context.progress, context.limit)
    task = context.task
    if Faculty.ACTIONS in names:
        task = View(cast(World, ReliableActions(world, lambda: context.progress.free)))
    return RerunSetup(task, planner, answer=_answering(judge, context), rewritten=rewritten)


async def _knowing(judge: SymbolicJudge, context: RerunContext, planner: Planner) -> OmniscientPlanner:
    def known(task: Task) -> Task:
        return replace(task, init=judge.world.truth())

    ongoing = ongoing_plan(context.records, context.step)
    perfect = judge.perfect()
    if ongoing is None:
        return OmniscientPlanner(planner, perfect, known, context.progress)
    then = cast("SymbolicJudge", context.at_step())
    rest = (await perfect.plan(then.problem())).checked().plan
    return OmniscientPlanner(planner, perfect, known, context.progress, ongoing, rest)


def _answering(judge: SymbolicJudge, context: RerunContext) -> CorrectedReplies:
    world = judge.world

    def cannot_be_read(request: Request, reply: Reply) -> bool:
        if request.kind in PROBLEMS:
            read = read_problem_draft if request.kind is Kind.PROBLEM else read_domain_draft
            return not is_draft(read, reply.text, world.domain, world.objects)
        return unreadable(request, reply, context.profile, world.signatures)

    return CorrectedReplies(
        context.changes,
        oracle(judge),
        _faculty,
        cannot_be_read,
        # With a plan from the truth, the proposal need not be readable.
        frozenset({Faculty.DECIDING}) if Faculty.KNOWLEDGE in context.changes else frozenset(),
    )


def _faculty(request: Request) -> str | None:
    if (request.kind is Kind.YES_NO and request.about) or request.kind is Kind.PROBLEM:
        return Faculty.PERCEPTION
    return Faculty.DECIDING if request.kind in (Kind.PLAN, Kind.ACTION, Kind.DOMAIN) else None


def could_fail(records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
    """The faculties that could have failed. Making any other perfect would change nothing."""
    found: set[str] = {faculty for record in records for faculty in _of_record(record)}
    wrong = any(isinstance(record.event, Planned) and record.truth.wrong for record in records)
    if wrong and Faculty.PERCEPTION not in found:
        found.add(Faculty.KNOWLEDGE)  # wrong although all answers were right: it was out of view
    return frozenset(found - changes)


def _of_record(record: Record) -> set[Faculty]:
    event, truth = record.event, record.truth
    match event:
        case Asked() if event.proposes or event.kind is Kind.DOMAIN:
            return {Faculty.DECIDING, Faculty.PARSING} if event.fault else {Faculty.DECIDING}
        case Asked() if event.kind is Kind.PROBLEM and event.fault:
            return {Faculty.PARSING}
        case Asked() if event.of_fact and event.about and event.value is None:
            return {Faculty.PARSING}
        case Asked() if truth.right is False:
            return {Faculty.PERCEPTION}
        case Planned():
            return {Faculty.PLANNING}
        case Acted() if action_failed(record):
            return {Faculty.ACTIONS}
        case _:
            return {Faculty.PROTOCOL} if ended_by_rule(record) else set()


def action_failed(record: Record) -> bool:
    """Whether this is a legal action that failed."""
    return isinstance(record.event, Acted) and bool(record.truth.legal) and record.truth.happened != "success"


def impossible(records: Sequence[Record], changes: Set[str]) -> bool:
    """Whether a legal action failed although many seeds were tried."""
    return Faculty.ACTIONS in changes and any(map(action_failed, records))


def unfit(records: Sequence[Record], changes: Set[str], agent: str) -> str:
    """Why the changes would have no effect on an agent of this kind."""
    asked = [record.event for record in records if isinstance(record.event, Asked)]
    proposes = any(event.proposes or event.kind is Kind.DOMAIN for event in asked)
    perceives = any(event.of_fact or event.kind is Kind.PROBLEM for event in asked)
    if changes <= set(TOGETHER[ORACLE_ANSWERS]) and proposes and not perceives:
        return (
            f"{agent} asks no questions about facts, it proposes what to do: perception and planning are one there. "
            f"Use --with {ORACLE_PLAN}"
        )
    if changes == {Faculty.DECIDING} and not proposes:
        does = "calls tools" if any(event.decides for event in asked) else "asks questions and has a planner"
        return f"{agent} proposes nothing, it {does}: use {ORACLE_ANSWERS} or {ORACLE_PLAN}"
    return ""

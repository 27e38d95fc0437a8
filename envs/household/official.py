"""The information that the original's rules give to agents: truth out of view, effects by the true state, outcomes."""

from __future__ import annotations

from dataclasses import replace

from envs.base import Observation, Outcome, Stepped, Symbolic
from planners.formula import State
from planners.task import Step

_REPORTED = {Outcome.FAILED: Outcome.EXECUTED, Outcome.NOT_LEGAL: Outcome.BAD_PARAMETERS}
"""The feedback that the original gives to planner methods."""


def looked(seen: Observation, truth: State) -> Observation:
    """The observation, with the truth about everything out of view."""
    return replace(seen, unseen=frozenset(atom for atom in truth if not seen.shows(atom)))


def stepped(answer: Stepped, step: Step, world: Symbolic, before: State) -> Stepped:
    """The result of an attempt, with the effects that it should have had in the state before it."""
    happened = answer.outcome in (Outcome.EXECUTED, Outcome.FAILED)
    effects = world.domain.ground(step, world.objects).effects(before) if happened else None
    return replace(answer, effects=effects, reported=_REPORTED.get(answer.outcome))

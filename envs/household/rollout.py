"""Plays a household problem without an agent, by plans from the true state or at random, for checks and studies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from envs.base import Outcome
from envs.household.world import Household
from planners.formula import State
from planners.outcome import Planner
from planners.task import Step, Task


@dataclass(frozen=True, slots=True)
class Played:
    """One attempt: the true facts before and after it, and its outcome."""

    step: Step
    before: State
    after: State
    outcome: Outcome
    happened: str


class Unsolvable(Exception):
    """There is no plan from the true state."""


def by_plan(world: Household, planner: Planner, limit: int) -> Iterator[Played]:
    """Plan from the true state and act, until the goal holds or the steps are used up.

    A plan is followed as long as the rest of it leads from the true state to the goal.
    """
    plan: tuple[Step, ...] = ()
    for _ in range(limit):
        task = Task(world.domain, world.objects, world.truth(), world.goal)
        if task.solved(task.init):
            return
        if not plan or task.fault(plan):
            outcome = planner.solve(task)
            if not outcome.plan:
                raise Unsolvable(f"{outcome.status} {outcome.message}".rstrip())
            plan = outcome.plan
        yield attempt(world, plan[0])
        plan = plan[1:]


def at_random(world: Household, dice: Random, limit: int) -> Iterator[Played]:
    """Take random legal actions: first one of the seven actions is drawn, then its arguments."""
    for _ in range(limit):
        by_action: dict[str, list[Step]] = {}
        for step in legal_steps(world):
            by_action.setdefault(step.action, []).append(step)
        yield attempt(world, dice.choice(by_action[dice.choice(sorted(by_action))]))


def legal_steps(world: Household) -> Iterator[Step]:
    """All legal steps in the current state."""
    truth = world.truth()
    for action in world.laws.actions.values():
        for binding in world.objects.bindings(action.parameters):
            step = Step(action.name, tuple(binding.values()))
            if world.laws.ground(step, world.objects).applicable(truth):
                yield step


def attempt(world: Household, step: Step) -> Played:
    """Attempt an action and record its outcome."""
    before = world.truth()
    stepped = world.step(step)
    return Played(step, before, world.truth(), stepped.outcome, world.happened())

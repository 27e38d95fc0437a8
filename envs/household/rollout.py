"""Playing a household without an agent: by plans from the true state, or at random. For checks and studies."""

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
    """One attempt: what was true before and after it, and what came of it."""

    step: Step
    before: State
    after: State
    outcome: Outcome
    happened: str


class Unsolvable(Exception):
    """There is no plan from the true state."""


def by_plan(world: Household, planner: Planner, limit: int) -> Iterator[Played]:
    """Plans from the true state, until the goal holds or the steps are used up.

    A plan is followed as long as its rest leads from the true state to the goal.
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
    """Legal actions drawn by chance: first which of the seven, then of what."""
    for _ in range(limit):
        by_action: dict[str, list[Step]] = {}
        for step in legal_steps(world):
            by_action.setdefault(step.action, []).append(step)
        yield attempt(world, dice.choice(by_action[dice.choice(sorted(by_action))]))


def legal_steps(world: Household) -> Iterator[Step]:
    """Everything that may be attempted now."""
    truth = world.truth()
    for action in world.laws.actions.values():
        for binding in world.objects.bindings(action.parameters):
            step = Step(action.name, tuple(binding.values()))
            if world.laws.ground(step, world.objects).applicable(truth):
                yield step


def attempt(world: Household, step: Step) -> Played:
    """Attempt an action and write down what came of it."""
    before = world.truth()
    stepped = world.step(step)
    return Played(step, before, world.truth(), stepped.outcome, world.happened())

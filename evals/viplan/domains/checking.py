"""Check that a user's problems can be solved."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing

from envs.base import World
from planners import get_planner
from planners.pddl import PddlError
from planners.task import Task


def solvable(planner: str, worlds: Iterable[tuple[str, World]]) -> None:
    """`PddlError` for the first problem that has no plan."""
    with closing(get_planner(planner)) as engine:
        for name, world in worlds:
            outcome = engine.solve(Task(world.domain, world.objects, world.truth(), world.goal))
            if not outcome.solved:
                raise PddlError(f"problem {name} has no plan: {outcome.status} {outcome.message}".rstrip())

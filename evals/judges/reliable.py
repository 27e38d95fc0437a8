"""A world in which actions do not fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from envs.base import Rewindable, Stepped, World
from planners.task import Step

TRIES = 30
"""How many seeds are tried for a legal action before it counts as impossible."""


class ReliableActions:
    """A world in which a legal action succeeds if it does for any seed. Everything else is the world's own.

    `active` says whether that applies yet.
    """

    def __init__(self, world: World, active: Callable[[], bool]) -> None:
        if not isinstance(world, Rewindable):
            raise ValueError(f"{world.name} cannot be restored to an earlier moment, so its failures cannot be undone")
        self._world, self._moments, self._active = world, world, active

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)

    def step(self, step: Step) -> Stepped:
        """Attempt an action, repeatedly from the same moment until it succeeds."""
        world, moments = self._world, self._moments
        before, legal = moments.save(), self._legal(step)
        stepped = world.step(step)
        if not legal or not self._active() or world.happened() == "success":
            return stepped
        failed = moments.save()
        for seed in range(TRIES):
            moments.restore(before)
            moments.reseed(seed)
            again = world.step(step)
            if world.happened() == "success":
                return again
        moments.restore(failed)
        return stepped

    def _legal(self, step: Step) -> bool:
        laws, objects = self._world.laws, self._world.objects
        return laws.check(step, objects) is None and laws.ground(step, objects).applicable(self._world.truth())

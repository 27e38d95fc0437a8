"""Worlds that announce less: an agent has to see for itself what came of its attempts.

With `legality` a world says only that an attempt was not legal; with `none` it says nothing. It then answers `executed`
to every attempt of an action that exists, and never that the goal is reached. Models that choose the actions get one
more of them, `done`, to say that they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.base import Announcing, Outcome, Snapshot, Stepped, World
from planners.task import Step

DONE = "done"
"""The action of a model that takes the goal to be reached."""
HELP = (
    "\n- `done`, without parameters: say that the goal is reached. Nobody else says so, and nobody says whether an "
    "action failed: look at the picture."
)
LEGALITY_HELP = (
    "\n- `done`, without parameters: say that the goal is reached. Nobody else says so. You are told if an action was "
    "not possible, but not if it was tried and failed: look at the picture."
)


class Quiet:
    """A world that announces less. Whoever knows the truth still reads it here."""

    def __init__(self, world: World, announces: Announcing) -> None:
        if announces is Announcing.FULL:
            raise ValueError("a world that announces everything is not quiet")
        self._world = world
        self.announces = announces
        self.candid = False
        self.action_help = world.action_help + (LEGALITY_HELP if announces is Announcing.LEGALITY else HELP)
        self.signatures: Mapping[str, tuple[str, ...]] = {**world.signatures, DONE: ()}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._world, name)

    def step(self, step: Step) -> Stepped:
        """Attempt an action. The answer says no more than it may."""
        outcome = self._world.step(step).outcome
        hidden = {Outcome.FAILED} if self.announces is Announcing.LEGALITY else {Outcome.FAILED, Outcome.NOT_LEGAL}
        return Stepped(Outcome.EXECUTED if outcome in hidden else outcome)

    def save(self) -> Snapshot:
        """Everything that decides the future of the world."""
        return self._world.save()  # type: ignore[attr-defined]

    def restore(self, snapshot: Snapshot) -> None:
        """Restore exactly the saved state."""
        self._world.restore(snapshot)  # type: ignore[attr-defined]

    def reseed(self, seed: int) -> None:
        """Reseed chance from here on."""
        self._world.reseed(seed)  # type: ignore[attr-defined]

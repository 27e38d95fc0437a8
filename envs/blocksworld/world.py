"""Blocksworld as an environment: one action, optional failures, pictures on demand.

Observation
    A 480x480 picture of the whole table; nothing is hidden.
Actions
    `moveblock(block, column)`: legal if no block is on it and it is not in that column already.
Failures
    With probability p a legal move goes wrong: half the time nothing happens, a quarter of the time the block
    lands in a column next to the target, a quarter in a column next to its own. The world still answers
    `executed`: an agent has to look to find out. A block that slips into its own column stays.
Termination
    The goal holds.
Official rules
    As in the original, a slip into the block's own column is answered `not legal`, and the world returns the
    expected effects, with conditional ones resolved by the true state.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from envs.base import Observation, Outcome, Snapshot, Stepped
from envs.blocksworld.problems import BlocksProblem, Columns, atoms_of, domain, wanted_of
from envs.blocksworld.texts import ACTION_HELP, DESCRIPTION, SIGNATURES, glossary, goal_text, question
from envs.pictures import PictureStore
from planners.formula import Atom, Literal, State, holds
from planners.static import static_part
from planners.task import Step

Draw = Callable[[Columns, int], bytes]


class Chance(Protocol):
    """Decides what a legal move really does."""

    def __call__(self, move: Step, world: Blocksworld) -> Step | None:
        """The move that happens, or None if nothing does."""
        ...


@runtime_checkable
class Seeded(Protocol):
    """Chance that can be reseeded."""

    def reseed(self, seed: int) -> None:
        """Start from another seed."""
        ...


class SlipperyHand:
    """Moves that go wrong with a probability, deterministic for a seed."""

    def __init__(self, probability: float, seed: int) -> None:
        if not 0.0 <= probability <= 1.0:
            raise ValueError(f"a failure probability must be between 0 and 1, not {probability}")
        self.probability = probability
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Start from another seed, with the same probability."""
        self._random = random.Random(seed)

    def __call__(self, move: Step, world: Blocksworld) -> Step | None:
        """The move, or the one that a slip makes of it."""
        if self._random.random() >= self.probability:
            return move
        kind = self._random.random()
        if kind < 0.5:
            return None
        block, target = move.args
        near = target if kind < 0.75 else world.column_of(block)
        return Step(move.action, (block, self._random.choice(world.neighbours(near))))


@dataclass(frozen=True, slots=True)
class Saved:
    """A snapshot of a Blocksworld."""

    arrangement: Columns
    happened: str
    chance: Chance | None


class Blocksworld:
    """One problem, played from its start."""

    rewordings = Path(__file__).with_name("rewordings.json")
    """Its texts in other words."""

    def __init__(
        self,
        problem: BlocksProblem,
        *,
        seed: int = 0,
        chance: Chance | None = None,
        official: bool = False,
        renderer: str = "ray",
        pictures: PictureStore | None = None,
    ) -> None:
        self.name = "blocksworld"
        self.domain = self.laws = domain()
        self.objects = problem.objects
        self.goal = problem.goal
        self.goal_text = goal_text(wanted_of(problem), problem.objects.of_type("block"))
        self.description = DESCRIPTION
        self.action_help = ACTION_HELP
        self.signatures = SIGNATURES
        self.prior: State | None = None
        self.candid = False
        self.glossary = glossary(problem.objects)
        # The original's grounder also asks about the order of the columns.
        self.static = None if official else static_part(self.domain, atoms_of(problem.start, problem.columns))
        self._columns = problem.columns
        self._stacks = {column: list(stack) for column, stack in zip(problem.columns, problem.start, strict=True)}
        self._seed = seed
        self._chance = chance
        self._official = official
        self._renderer = renderer
        self._pictures = pictures or PictureStore()
        self._happened = "nothing yet"
        self._truth: State | None = None

    def question(self, atom: Atom) -> str:
        """The yes/no question that asks whether the atom is true."""
        return question(atom)

    def observe(self) -> Observation:
        """A picture of the table."""
        arrangement, seed, renderer = self.arrangement, self._seed, self._renderer
        scene = f"blocksworld {renderer_version(renderer)} {seed} {arrangement}"
        key = hashlib.sha256(scene.encode()).hexdigest()
        return Observation(self._pictures.picture(key, lambda: _draw(renderer, arrangement, seed)))

    def step(self, step: Step) -> Stepped:
        """Move a block, if that is legal."""
        if step.action not in self.domain.actions:
            return self._answer(Outcome.UNKNOWN_ACTION, "no such action")
        if self.domain.check(step, self.objects):
            return self._answer(Outcome.BAD_PARAMETERS, "no such parameters")
        action, before = self.domain.ground(step, self.objects), self.truth()
        if not action.applicable(before):
            return self._answer(Outcome.NOT_LEGAL, "not legal")
        effects = action.effects(before) if self._official else None
        done = self._chance(step, self) if self._chance else step
        if done is None:
            return self._answer(Outcome.EXECUTED, "no-op", effects)
        if self._official and done.args[1] == self.column_of(done.args[0]):
            return self._answer(Outcome.NOT_LEGAL, str(done))
        self._move(*done.args)
        return self._answer(Outcome.EXECUTED, "success" if done == step else str(done), effects)

    @property
    def arrangement(self) -> Columns:
        """The stacks from left to right, each from bottom to top."""
        return tuple(tuple(self._stacks[column]) for column in self._columns)

    def truth(self) -> State:
        """The atoms that are true now."""
        if self._truth is None:
            self._truth = atoms_of(self.arrangement, self._columns)
        return self._truth

    def happened(self) -> str:
        """`success`, `no-op`, the move that happened instead, or why there was none."""
        return self._happened

    def save(self) -> Snapshot:
        """The arrangement, what happened last, and the state of chance."""
        return Saved(self.arrangement, self._happened, deepcopy(self._chance))

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot."""
        if not isinstance(snapshot, Saved):
            raise TypeError(f"not a snapshot of a Blocksworld: {snapshot!r}")
        self._stacks = {column: list(stack) for column, stack in zip(self._columns, snapshot.arrangement, strict=True)}
        self._happened = snapshot.happened
        # Copied again, so that further steps do not change the snapshot.
        self._chance = deepcopy(snapshot.chance)
        self._truth = None

    def reseed(self, seed: int) -> None:
        """Reseed chance, if there is any."""
        if isinstance(self._chance, Seeded):
            self._chance.reseed(seed)

    def column_of(self, block: str) -> str:
        """The column of a block."""
        return next(column for column, stack in self._stacks.items() if block in stack)

    def neighbours(self, column: str) -> list[str]:
        """The adjacent columns; an edge column has only one."""
        place = self._columns.index(column)
        return [self._columns[near] for near in (place - 1, place + 1) if 0 <= near < len(self._columns)]

    def _move(self, block: str, column: str) -> None:
        """Move a block; one that slips back into its own column, as its top block, stays where it was."""
        self._stacks[self.column_of(block)].remove(block)
        self._stacks[column].append(block)
        self._truth = None

    def _answer(self, outcome: Outcome, happened: str, effects: tuple[Literal, ...] | None = None) -> Stepped:
        self._happened = happened
        return Stepped(outcome, terminated=holds(self.goal, self.truth(), self.objects), effects=effects)


def renderer_version(renderer: str) -> str:
    """The renderer and its version, as part of a picture's key."""
    if renderer == "blender":
        from envs.blocksworld import blender

        return f"blender {blender.VERSION}"
    from envs.blocksworld import scene

    return f"ray {scene.VERSION}"


def _draw(renderer: str, arrangement: Columns, seed: int) -> bytes:
    if renderer == "blender":
        from envs.blocksworld import blender

        return blender.draw(arrangement, seed)
    from envs.blocksworld import scene

    return scene.draw(arrangement, seed)

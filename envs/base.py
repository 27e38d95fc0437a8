"""What a world is, seen by an agent (`Environment`) and by the scorer (`World`).

An agent is handed a `View`: it can look, read the texts and step, but has no way to ask for the true state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeAlias, runtime_checkable

from models.base import Picture
from planners.formula import Atom, Formula, Literal, Objects, State
from planners.task import Domain, Step


class WorldUnavailable(Exception):
    """A world that cannot be reached or does not work as it should: never the agent's fault."""


class Outcome(StrEnum):
    """What a world says to an attempted action. `EXECUTED` promises nothing about its effects."""

    EXECUTED = "executed"
    FAILED = "executed but failed"
    NOT_LEGAL = "not legal"
    UNKNOWN_ACTION = "action does not exist"
    BAD_PARAMETERS = "parameters incorrectly specified"


@dataclass(frozen=True, slots=True)
class Stepped:
    """The answer to an attempt. `terminated` is the task's own end, as in Gymnasium: the goal is reached.

    Two fields are only for worlds that follow the original's rules. `effects` is what the action should have changed:
    the original decides by the true state which conditional effects its grounder asks about. `told` is what planner
    methods are told of the attempt, where that is not the outcome.
    """

    outcome: Outcome
    terminated: bool = False
    effects: tuple[Literal, ...] | None = None
    told: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Observation:
    """A picture, the objects that can be seen in it (None: all), and what else the agent is told.

    `impossible` are atoms that cannot be true because what they speak of is out of view. `unseen` are the true atoms
    that cannot be seen. Only a world that follows the original's rules tells them: the original's grounder reads from
    the true state what is out of view.
    """

    picture: Picture
    visible: frozenset[str] | None = None
    hints: tuple[str, ...] = ()
    impossible: State = frozenset()
    unseen: State | None = None

    def shows(self, atom: Atom) -> bool:
        """Whether everything the atom speaks of is in view; where not all is, nothing is seen beside itself."""
        if self.visible is None:
            return True
        return self.visible.issuperset(atom.args) and len(set(atom.args)) == len(atom.args)


class Environment(Protocol):
    """A world as an agent meets it.

    `signatures` names each action's parameters as people write them; `prior` is the state the agent is told of
    at the start, or None where it has to look for itself. One that is `candid` says so when a legal action fails.
    """

    @property
    def name(self) -> str: ...
    @property
    def domain(self) -> Domain: ...
    @property
    def objects(self) -> Objects: ...
    @property
    def goal(self) -> Formula: ...
    @property
    def goal_text(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def action_help(self) -> str: ...
    @property
    def signatures(self) -> Mapping[str, tuple[str, ...]]: ...
    @property
    def prior(self) -> State | None: ...
    @property
    def candid(self) -> bool: ...

    def question(self, atom: Atom) -> str:
        """The yes/no question that asks whether the atom is true."""
        ...

    def observe(self) -> Observation:
        """What can be seen now. The picture is drawn only when its bytes are asked for."""
        ...

    def step(self, step: Step) -> Stepped:
        """Attempt an action. An attempt that is not legal changes nothing."""
        ...


class World(Environment, Protocol):
    """An environment together with its truth, for scoring only.

    `laws` decide which actions are legal. Mostly they are the domain itself; a world may allow more or less than its
    domain lets a planner hope for.
    """

    @property
    def laws(self) -> Domain: ...

    def truth(self) -> State:
        """The atoms that are true now."""
        ...

    def happened(self) -> str:
        """What the last attempt really did, in the words of the world's documentation."""
        ...


Snapshot: TypeAlias = object
"""What a world keeps of itself. Only the world that made it, or one opened just like it, can read it."""


@runtime_checkable
class Rewindable(Protocol):
    """A world that can be put back to an earlier moment. Ours can; one that somebody else serves cannot."""

    def save(self) -> Snapshot:
        """All that decides what the world does from here on, chance included."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Be exactly as when it was saved. A snapshot may be used again and again."""
        ...

    def reseed(self, seed: int) -> None:
        """Let chance take another course from here on: the same one for the same seed."""
        ...


class View:
    """An environment that can be acted in but not looked behind."""

    def __init__(self, world: Environment) -> None:
        self.name = world.name
        self.domain = world.domain
        self.objects = world.objects
        self.goal = world.goal
        self.goal_text = world.goal_text
        self.description = world.description
        self.action_help = world.action_help
        self.signatures = world.signatures
        self.prior = world.prior
        self.candid = world.candid
        # Not the world's own methods: those would lead back to it.
        self.question = lambda atom: world.question(atom)
        self.observe = lambda: world.observe()
        self.step = lambda step: world.step(step)

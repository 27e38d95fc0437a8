"""What a task is: a question to answer, or a world to act in.

A world is an `Environment`: `Options` list what can be done at the moment, a `Symbolic` one has a domain of facts and
actions to plan with. `World` is a symbolic one together with its truth, for the judges. An agent is handed a view
(`View`, `OptionsView`): it can look, read the texts and step, but has no way to ask for the true state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, runtime_checkable

from models.base import Kind, Picture
from planners.formula import Atom, Formula, Literal, Objects, State
from planners.static import static_part
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

    `feedback` is what the world says beyond the outcome; `over` is an end without success, such as a wrong answer. Two
    fields are only for worlds that follow the original's rules. `effects` is what the action should have changed: the
    original decides by the true state which conditional effects its grounder asks about. `told` is what planner methods
    are told of the attempt, where that is not the outcome.
    """

    outcome: Outcome
    terminated: bool = False
    effects: tuple[Literal, ...] | None = None
    reported: Outcome | None = None
    feedback: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """A picture, the objects that can be seen in it (None: all), and what else the agent is told.

    `more` are further pictures of the same moment: other views, or frames that led up to it. `impossible` are atoms
    that cannot be true because what they speak of is out of view. `unseen` are the true atoms
    that cannot be seen. Only a world that follows the original's rules tells them: the original's grounder reads from
    the true state what is out of view.
    """

    picture: Picture
    visible: frozenset[str] | None = None
    hints: tuple[str, ...] = ()
    impossible: State = frozenset()
    unseen: State | None = None
    more: tuple[Picture, ...] = ()

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures of the moment."""
        return (self.picture, *self.more)

    def shows(self, atom: Atom) -> bool:
        """Whether everything the atom speaks of is in view; where not all is, nothing is seen beside itself."""
        if self.visible is None:
            return True
        return self.visible.issuperset(atom.args) and len(set(atom.args)) == len(atom.args)


@dataclass(frozen=True, slots=True)
class Question:
    """A task without a world: a text about some pictures, to be answered once.

    `kind` is the form of the answer: one or several of the `options`, all of them in order, one of them for each of the
    `items`, yes or no for each of them, a number, yes or no, or free text.

    `labels` stand before the pictures; the option `picture 3` is the third picture, which then stands behind its
    letter. `reply` and `reply_cot` ask for the form of the reply, where a benchmark has its own words for it.
    """

    text: str
    pictures: tuple[Picture, ...] = ()
    options: tuple[str, ...] = ()
    kind: Kind = Kind.CHOICE
    items: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    reply: str = ""
    reply_cot: str = ""

    @property
    def goal_text(self) -> str:
        """What is wanted."""
        return self.text


class Environment(Protocol):
    """A world as an agent meets it, whatever it is made of."""

    @property
    def name(self) -> str: ...
    @property
    def goal_text(self) -> str: ...
    @property
    def description(self) -> str: ...

    def observe(self) -> Observation:
        """What can be seen now. The picture is drawn only when its bytes are asked for."""
        ...

    def step(self, action: Any) -> Stepped:
        """Attempt an action. An attempt that is not legal changes nothing."""
        ...


class Options(Environment, Protocol):
    """A world that lists what can be done at the moment; an action is one of the listed texts.

    It may have `frames() -> Sequence[Picture]`: pictures along the last move, the last one as it is now, for clips.
    """

    def options(self) -> Sequence[str]:
        """What can be done now, in words."""
        ...


class Symbolic(Environment, Protocol):
    """A world of facts and actions that one can plan with.

    `signatures` names each action's parameters as people write them; `prior` is the state the agent is told of
    at the start, or None where it has to look for itself. One that is `candid` says so when a legal action fails.
    What it may have besides is in `Stating`.
    """

    @property
    def domain(self) -> Domain: ...
    @property
    def objects(self) -> Objects: ...
    @property
    def goal(self) -> Formula: ...
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

    def step(self, action: Step) -> Stepped:
        """Attempt an action. An attempt that is not legal changes nothing."""
        ...


class Stating(Protocol):
    """What an environment may have besides, and need not.

    `static` are the true facts of predicates that no action changes, such as which disc is smaller than which; all
    others of these predicates are false. Without it, or with None, agents have to ask for them. `glossary` says in a
    few words what each object is, so that it can be told from others: `{"r": "the red block"}`.
    """

    @property
    def static(self) -> State | None: ...
    @property
    def glossary(self) -> Mapping[str, str]: ...


def static_facts(env: Symbolic) -> State | None:
    """What is true and never changes, where that is stated or the state at the start is told; else None."""
    stated: State | None = getattr(env, "static", None)
    if stated is None and env.prior is not None:
        return static_part(env.domain, env.prior)
    return stated


def glossary(env: Symbolic) -> dict[str, str]:
    """The objects of an environment and what each is: in its own words where it has any, else by its type."""
    words: Mapping[str, str] = getattr(env, "glossary", {})
    return {name: words.get(name, kind) for name, kind in env.objects.items()}


Task: TypeAlias = Question | Environment
"""What an episode is about."""


class World(Symbolic, Protocol):
    """A symbolic environment together with its truth, for scoring only.

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
    """A symbolic environment that can be acted in but not looked behind."""

    def __init__(self, world: Symbolic) -> None:
        self.name = world.name
        self.domain = world.domain
        self.objects = world.objects
        self.goal = world.goal
        self.goal_text = world.goal_text
        self.description = world.description
        self.action_help = world.action_help
        self.signatures = world.signatures
        self.prior = world.prior
        self.static = static_facts(world)
        self.glossary = glossary(world)
        self.candid = world.candid
        # Not the world's own methods: those would lead back to it.
        self.question = lambda atom: world.question(atom)
        self.observe = lambda: world.observe()
        self.step = lambda step: world.step(step)


class OptionsView:
    """A world of options that can be acted in but not looked behind."""

    def __init__(self, world: Options) -> None:
        self.name = world.name
        self.goal_text = world.goal_text
        self.description = world.description
        self.options = lambda: world.options()
        frames = getattr(world, "frames", None)
        if frames is not None:
            self.frames = lambda: frames()
        self.observe = lambda: world.observe()
        self.step = lambda action: world.step(action)

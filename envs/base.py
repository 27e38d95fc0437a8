"""Tasks: a question to answer, or a world to act in.

A world is an `Environment`: `Options` lists the current options, `Symbolic` has a domain of facts and actions for a
planner. `World` is a symbolic environment with its truth, for the judges. An agent gets a view (`View`,
`OptionsView`): it can observe, read the texts and step, but cannot reach the true state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from models.base import Kind, Picture
from planners.formula import Atom, Formula, Literal, Objects, State
from planners.static import static_part
from planners.task import Domain, Step


class WorldUnavailable(Exception):
    """The world cannot be reached or is broken: never the agent's fault."""


class Outcome(StrEnum):
    """The outcome that a world reports for an attempt. `EXECUTED` does not guarantee the effects."""

    EXECUTED = "executed"
    FAILED = "executed but failed"
    NOT_LEGAL = "not legal"
    UNKNOWN_ACTION = "action does not exist"
    BAD_PARAMETERS = "parameters incorrectly specified"


class Announcing(StrEnum):
    """What a world announces of an attempt.

    `full`: whether it was legal, whether it failed, and whether the goal is reached; `legality`: only that it was not
    legal; `none`: nothing. Where less than everything is announced, whatever was attempted counts as executed.
    """

    FULL = "full"
    LEGALITY = "legality"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Stepped:
    """The result of an attempt. `terminated` means that the goal is reached, as in Gymnasium.

    `feedback` is what the world says beyond the outcome; `over` is an end without success, such as a wrong answer. Two
    fields are only for worlds with the original's rules: `effects` are the expected effects, with conditional ones
    resolved by the true state, and `reported` is the outcome that planner methods see, if it is another one.
    """

    outcome: Outcome
    terminated: bool = False
    effects: tuple[Literal, ...] | None = None
    reported: Outcome | None = None
    feedback: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """A picture, the objects visible in it (None: all), and hints in words.

    `more` are further pictures of the same moment: other views, or the frames before it. `impossible` are atoms that
    cannot be true because their objects are out of view. `unseen` are the true atoms out of view; only worlds with the
    original's rules state them, because the original's grounder reads them from the true state.
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
        """Whether all objects of the atom are visible. If not everything is visible, reflexive atoms never are."""
        if self.visible is None:
            return True
        return self.visible.issuperset(atom.args) and len(set(atom.args)) == len(atom.args)


class Arrow(NamedTuple):
    """A direction of the scene in a picture: its name and its two ends, as shares of the picture from 0 to 1."""

    name: str
    x: float
    y: float
    to_x: float
    to_y: float


@dataclass(frozen=True, slots=True)
class Question:
    """A task without a world: a text about pictures, to be answered once.

    `kind` is the form of the answer: one or several of the `options`, an order of them, one of them for each of the
    `items`, yes or no for each of them, a number, yes or no, or free text.

    `labels` are texts before the pictures. The option `picture 3` shows the third picture behind its letter. `reply`
    and `reply_cot` are a benchmark's own instructions on the form of the reply. Every
    picture may hold several `views` side by side. `arrows` are directions of the scene as they appear in those pictures
    whose cameras are known.
    """

    text: str
    pictures: tuple[Picture, ...] = ()
    options: tuple[str, ...] = ()
    kind: Kind = Kind.CHOICE
    items: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    reply: str = ""
    reply_cot: str = ""
    views: int = 1
    arrows: Callable[[], Mapping[int, tuple[Arrow, ...]]] | None = field(default=None, repr=False, compare=False)

    @property
    def goal_text(self) -> str:
        """The question."""
        return self.text


class Environment(Protocol):
    """A world as an agent sees it."""

    @property
    def name(self) -> str: ...
    @property
    def goal_text(self) -> str: ...
    @property
    def description(self) -> str: ...

    def observe(self) -> Observation:
        """The current observation. Its picture is drawn only when its bytes are needed."""
        ...

    def step(self, action: Any) -> Stepped:
        """Attempt an action. An illegal attempt changes nothing."""
        ...


class Options(Environment, Protocol):
    """A world that lists its current options; an action is one of the listed texts.

    It may have `frames() -> Sequence[Picture]`: the pictures of the last move for a clip, ending with the current one.
    """

    def options(self) -> Sequence[str]:
        """The current options, in words."""
        ...


class Symbolic(Environment, Protocol):
    """A world of facts and actions that a planner can handle.

    `signatures` names each action's parameters as prompts write them; `prior` is the initial state if the agent is
    given it, else None. A `candid` world reports when a legal action fails. Optional attributes are in `Stating`.
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
        """Attempt an action. An illegal attempt changes nothing."""
        ...


@dataclass(frozen=True)
class Search:
    """How to look for things in a world that does not tell where they are.

    `things` are the objects that can be in view; an agent has to ask a model which of them are (`visible X`). Those in
    `places` are hidden: each maps to the facts that say where it may be. An action can go to a hidden thing only once
    it was in view, or if it is in or on something within reach. `lookouts` are steps that look round a part of the
    world, by its name; `rooms` says in which part furniture stands. `out_of_view` gives what is not so, given what is
    in view.
    """

    things: tuple[str, ...]
    places: Mapping[str, tuple[Atom, ...]]
    lookouts: Mapping[str, Step]
    rooms: Mapping[str, str]
    out_of_view: Callable[[frozenset[str]], State]


class Stating(Protocol):
    """Optional attributes of a symbolic environment.

    `static` are the true facts of predicates that no action changes, such as which disc is smaller than which; all
    others of these predicates are false. Without it, or with None, agents have to ask for them. `glossary` describes
    each object in a few words that fit no other: `{"r": "the red block"}`. `announces` is what the world says of
    attempts, by default everything. `search` is set if the agent has to look for things.
    """

    @property
    def static(self) -> State | None: ...
    @property
    def glossary(self) -> Mapping[str, str]: ...
    @property
    def announces(self) -> Announcing: ...
    @property
    def search(self) -> Search | None: ...


def announced(env: Environment) -> Announcing:
    """What the world announces of attempts."""
    found: Announcing = getattr(env, "announces", Announcing.FULL)
    return found


def search_of(env: Environment) -> Search | None:
    """How to look for things; None if nothing has to be looked for."""
    found: Search | None = getattr(env, "search", None)
    return found


def static_facts(env: Symbolic) -> State | None:
    """The static facts, if they are stated or the initial state is given; else None."""
    stated: State | None = getattr(env, "static", None)
    if stated is None and env.prior is not None:
        return static_part(env.domain, env.prior)
    return stated


def glossary(env: Symbolic) -> dict[str, str]:
    """The objects of an environment with a description of each, or its type."""
    words: Mapping[str, str] = getattr(env, "glossary", {})
    return {name: words.get(name, kind) for name, kind in env.objects.items()}


Task: TypeAlias = Question | Environment
"""The task of an episode."""


class World(Symbolic, Protocol):
    """A symbolic environment together with its truth, for scoring only.

    `laws` decide which actions are legal. Usually they are the domain itself; a world may allow more or less.
    """

    @property
    def laws(self) -> Domain: ...

    def truth(self) -> State:
        """The atoms that are true now."""
        ...

    def happened(self) -> str:
        """What the last attempt really did, as the world's documentation names it."""
        ...


Snapshot: TypeAlias = object
"""A saved state of a world. Only that world, or one opened in the same way, can restore it."""


@runtime_checkable
class Rewindable(Protocol):
    """A world that can be restored to an earlier moment. Ours can; remote ones cannot."""

    def save(self) -> Snapshot:
        """Everything that decides the future of the world, random state included."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Restore exactly the saved state. A snapshot can be restored any number of times."""
        ...

    def reseed(self, seed: int) -> None:
        """Reseed chance from here on."""
        ...


class View:
    """A symbolic environment without access to its world."""

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
        self.announces = announced(world)
        self.search = search_of(world)
        # Not bound methods: those would give access to the world.
        self.question = lambda atom: world.question(atom)
        self.observe = lambda: world.observe()
        self.step = lambda step: world.step(step)


class OptionsView:
    """A world of options without access to the world itself."""

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

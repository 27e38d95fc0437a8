"""The events of an episode, named in the past tense. Tools and agents emit them; evals records them.

An event holds only what the agent could know. The recorder adds the truth of the moment.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from models.base import Kind


class Reason(StrEnum):
    """Why an episode ended."""

    FINISHED = "finished"
    STEP_LIMIT = "step_limit"
    LOOP = "loop"
    NO_PLAN = "no_plan"
    UNSEEN_PRECONDITION = "unseen_precondition"
    UNREADABLE = "unreadable"
    TRUNCATED = "truncated"
    RECORD_ENDED = "record_ended"
    PLANNER_ERROR = "planner_error"
    MODEL_UNAVAILABLE = "model_unavailable"
    WORLD_UNAVAILABLE = "world_unavailable"
    CRASHED = "crashed"
    AGENT_ERROR = "agent_error"
    ENDLESS = "endless"
    NO_END = "no_end"


INFRASTRUCTURE = frozenset({Reason.PLANNER_ERROR, Reason.MODEL_UNAVAILABLE, Reason.WORLD_UNAVAILABLE, Reason.CRASHED})
"""Ends that say nothing about the agent: never scored, and played again on resume."""

AGENT_ERRORS = frozenset({Reason.AGENT_ERROR, Reason.ENDLESS, Reason.NO_END})
"""Errors of the agent's author: an exception in a node, a graph that never ends, one that never calls `end`."""


class Phase(StrEnum):
    """Why a fact was asked about."""

    ENUMERATION = "enumeration"
    PRECONDITION = "precondition"
    EFFECT = "effect"
    VIEW = "view"
    FREE = "free"


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Began(_Event):
    """An episode began: its problem and goal. For a question also its options, items and pictures (by key)."""

    type: Literal["began"] = "began"
    problem: str
    goal: str
    step_limit: int
    options: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    kind: Kind | None = None


class Observed(_Event):
    """The agent looked. `sha256` is None if the bytes were not needed; `more` are further views of the same moment."""

    type: Literal["observed"] = "observed"
    step: int
    picture: str
    sha256: str | None = None
    visible: tuple[str, ...] | None = None
    more: tuple[str, ...] = ()


Value: TypeAlias = bool | int | float | str | tuple[str, ...] | None
"""The value of a reply: yes or no, a letter, a number, a text, actions of a plan, calls of tools."""


class Asked(_Event):
    """A model was asked and replied.

    `kind` is the form of the reply and `value` what was read; if the reply could not be read it is None and `fault`
    says why. `about` names the subject of the question, `phase` why it was asked, `expected` the value that a plan
    relies on. `prompt` is the id of the messages in `prompts.jsonl`. `attempt` is above 0 if the model was asked again.
    """

    type: Literal["asked"] = "asked"
    step: int
    kind: Kind
    phase: str = Phase.FREE.value
    about: str = ""
    question: str = ""
    options: tuple[str, ...] = ()
    expected: bool | None = None
    value: Value = None
    prompt: str | None = None
    attempt: int = 0
    reply: str
    fault: str | None = None
    truncated: bool = False
    yes: float | None = None
    no: float | None = None
    reminded: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    cached: bool = False

    @property
    def of_fact(self) -> bool:
        """Whether it is a yes/no question."""
        return self.kind is Kind.YES_NO

    @property
    def proposes(self) -> bool:
        """Whether the model was asked for a plan or an action."""
        return self.kind in PROPOSALS

    @property
    def formalizes(self) -> bool:
        """Whether the model was asked to write a planning problem; `value` has its facts and goals."""
        return self.kind in PROBLEMS

    @property
    def decides(self) -> bool:
        """Whether the model was asked which tools to call."""
        return self.kind is Kind.TOOLS

    @property
    def actions(self) -> tuple[str, ...]:
        """The plan or the calls that were read; empty for other kinds."""
        return self.value if isinstance(self.value, tuple) and not self.formalizes else ()


PROPOSALS = frozenset({Kind.PLAN, Kind.ACTION})
"""Kinds of reply that propose actions."""
PROBLEMS = frozenset({Kind.PROBLEM, Kind.DOMAIN})
"""Kinds of reply that describe a state in PDDL."""


class Answered(_Event):
    """The agent gave its final answer to the question that is its task.

    `text` is the answer that is scored: a reply of the model, or a text of the agent's own.
    """

    type: Literal["answered"] = "answered"
    step: int
    value: Value
    text: str = ""


class Looked(_Event):
    """The agent made a picture from another one: a part of it enlarged, or with something drawn on it.

    `source` is the picture it was made from and `what` says how. `sha256` is None if the bytes were not needed.
    """

    type: Literal["looked"] = "looked"
    step: int
    picture: str
    sha256: str | None = None
    source: str
    what: str


class Planned(_Event):
    """A planner was run on the believed state."""

    type: Literal["planned"] = "planned"
    step: int
    belief: tuple[str, ...]
    status: str
    plan: tuple[str, ...] = ()
    engine: str = ""
    seconds: float = 0.0
    cached: bool = False
    message: str = ""


class Called(_Event):
    """The model, or the agent for it, called a tool. With `fault` the call was invalid, and `result` says why."""

    type: Literal["called"] = "called"
    step: int
    name: str
    arguments: str
    result: str
    fault: bool = False


class CalledOff(_Event):
    """An action was not attempted because an answer about its precondition was not as expected."""

    type: Literal["called_off"] = "called_off"
    step: int
    action: str
    unmet: tuple[str, ...]


class Acted(_Event):
    """An action was attempted. With `refused` it was invalid, and the world was not stepped.

    `feedback` is what the world says beyond the outcome.
    """

    type: Literal["acted"] = "acted"
    step: int
    action: str
    outcome: str
    refused: bool = False
    feedback: str = ""


class Replanned(_Event):
    """The agent dropped its believed state and establishes a new one."""

    type: Literal["replanned"] = "replanned"
    step: int
    because: str


class Entered(_Event):
    """The agent's graph entered a node. Emitted by the runner."""

    type: Literal["entered"] = "entered"
    step: int
    node: str


class Believed(_Event):
    """The belief changed: atoms now believed, and atoms no longer believed. Emitted by the runner."""

    type: Literal["believed"] = "believed"
    step: int
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class Ended(_Event):
    """The episode is over. `traceback` is set if the agent's own code raised.

    `claimed` is set in worlds if the task counts as done: true if the agent claims so, false if the world has said so.
    """

    type: Literal["ended"] = "ended"
    step: int
    reason: Reason
    detail: str = ""
    traceback: str = ""
    claimed: bool | None = None


Event = Annotated[
    Began
    | Observed
    | Asked
    | Answered
    | Looked
    | Planned
    | Called
    | CalledOff
    | Acted
    | Replanned
    | Entered
    | Believed
    | Ended,
    Field(discriminator="type"),
]
EVENTS: TypeAdapter[Event] = TypeAdapter(Event)

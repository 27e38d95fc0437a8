"""What happens in an episode, as small facts in the past tense. Tools and agents tell; evals writes them down.

An event holds only what the agent could know. The recorder puts the truth of the moment beside it.
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
"""Ends that say nothing about the agent: never scored, tried again on resume."""

AGENT_ERRORS = frozenset({Reason.AGENT_ERROR, Reason.ENDLESS, Reason.NO_END})
"""Ends that are for the agent's author to mend: an exception in a node, a graph that never ends, one without `end`."""


class Phase(StrEnum):
    """Why a fact was asked about."""

    ENUMERATION = "enumeration"
    PRECONDITION = "precondition"
    EFFECT = "effect"
    FREE = "free"


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Began(_Event):
    """An episode began: which problem, and what is wanted. Of a question also its parts, with its pictures by key."""

    type: Literal["began"] = "began"
    problem: str
    goal: str
    step_limit: int
    options: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    kind: Kind | None = None


class Observed(_Event):
    """The agent looked. `sha256` is None if nobody needed the bytes; `more` are further views of the same moment."""

    type: Literal["observed"] = "observed"
    step: int
    picture: str
    sha256: str | None = None
    visible: tuple[str, ...] | None = None
    more: tuple[str, ...] = ()


Value: TypeAlias = bool | int | float | str | tuple[str, ...] | None
"""What a reply comes to: yes or no, a letter, a number, a text, actions of a plan, calls of tools."""


class Asked(_Event):
    """A model was asked and replied.

    `kind` is the sort of reply that was wanted and `value` what was read; None where the reply could not be read, and
    `fault` then says why. `about` names what the question is after, `phase` why it was asked, `expected` the value that
    a plan counts on. `prompt` leads to the messages in `prompts.jsonl`. `attempt` is above 0 where it was asked again.
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
        """Whether the model was asked what to do."""
        return self.kind in PROPOSALS

    @property
    def decides(self) -> bool:
        """Whether the model was asked which tools to call."""
        return self.kind is Kind.TOOLS

    @property
    def actions(self) -> tuple[str, ...]:
        """The plan or the calls that were read; nothing for other kinds."""
        return self.value if isinstance(self.value, tuple) else ()


PROPOSALS = frozenset({Kind.PLAN, Kind.ACTION})
"""Kinds of reply that say what to do."""


class Answered(_Event):
    """The agent gave its final answer to the question that is its task.

    `text` is the answer in the words that are scored: a reply of the model, or what the agent wrote itself.
    """

    type: Literal["answered"] = "answered"
    step: int
    value: Value
    text: str = ""


class Looked(_Event):
    """The agent made a picture from another one: a part of it shown larger, or with something drawn on it.

    `source` is the picture it was made from and `what` says how. `sha256` is None if nobody needed the bytes.
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
    """A tool was called as the model wanted. `fault` if it could not be, and `result` then says why."""

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
    """An action was attempted. `refused` if it made no sense, so that the world was not even asked.

    `feedback` is what the world says beyond the outcome, where it has more to say.
    """

    type: Literal["acted"] = "acted"
    step: int
    action: str
    outcome: str
    refused: bool = False
    feedback: str = ""


class Replanned(_Event):
    """The believed state was given up and is established anew."""

    type: Literal["replanned"] = "replanned"
    step: int
    because: str


class Entered(_Event):
    """The agent's graph entered a node. Emitted by the runner."""

    type: Literal["entered"] = "entered"
    step: int
    node: str


class Believed(_Event):
    """What is believed changed: atoms now held true, and atoms no longer held true. Emitted by the runner."""

    type: Literal["believed"] = "believed"
    step: int
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class Ended(_Event):
    """The episode is over. `traceback` is there if the agent's own code raised."""

    type: Literal["ended"] = "ended"
    step: int
    reason: Reason
    detail: str = ""
    traceback: str = ""


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

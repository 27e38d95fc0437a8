"""What happens in an episode, as small facts in the past tense. Tools and agents tell; evals writes them down.

An event holds only what the agent could know. The truth of the moment is put beside it by whoever records it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter


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


INFRASTRUCTURE = frozenset({Reason.PLANNER_ERROR, Reason.MODEL_UNAVAILABLE, Reason.WORLD_UNAVAILABLE, Reason.CRASHED})
"""Ends that say nothing about the agent: never scored, tried again on resume."""


class Phase(StrEnum):
    """Why a fact was asked about."""

    ENUMERATION = "enumeration"
    PRECONDITION = "precondition"
    EFFECT = "effect"
    FREE = "free"


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Replied(_Event):
    """What every event about a model's reply says of it. `fault` says why it could not be read."""

    step: int
    reply: str
    fault: str | None = None
    truncated: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    cached: bool = False


class Began(_Event):
    """An episode began: which problem, and what is wanted."""

    type: Literal["began"] = "began"
    problem: str
    goal: str
    step_limit: int


class Observed(_Event):
    """The agent looked. `sha256` is None if nobody needed the bytes."""

    type: Literal["observed"] = "observed"
    step: int
    picture: str
    sha256: str | None = None
    visible: tuple[str, ...] | None = None


class Asked(_Replied):
    """A fact was asked about and answered. `answer` is None where the reply could not be read."""

    type: Literal["asked"] = "asked"
    phase: Phase
    atom: str
    question: str
    expected: bool | None = None
    answer: bool | None = None
    yes: float | None = None
    no: float | None = None
    reminded: bool = False


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


class Proposed(_Replied):
    """A model proposed what to do. `plan` is empty where the reply could not be read."""

    type: Literal["proposed"] = "proposed"
    plan: tuple[str, ...] = ()


class Decided(_Replied):
    """A model that calls tools said what it wants called; nothing if it is done. `reply` is what it said in words."""

    type: Literal["decided"] = "decided"
    calls: tuple[str, ...] = ()


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
    """An action was attempted. `refused` if it made no sense, so that the world was not even asked."""

    type: Literal["acted"] = "acted"
    step: int
    action: str
    outcome: str
    refused: bool = False


class Replanned(_Event):
    """The believed state was given up and is established anew."""

    type: Literal["replanned"] = "replanned"
    step: int
    because: str


class Entered(_Event):
    """The agent's graph came to a node. Told by whoever runs the graph."""

    type: Literal["entered"] = "entered"
    step: int
    node: str


class Believed(_Event):
    """What is believed changed: atoms now held true, and atoms no longer held true. Told by whoever runs the graph."""

    type: Literal["believed"] = "believed"
    step: int
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class Ended(_Event):
    """The episode is over."""

    type: Literal["ended"] = "ended"
    step: int
    reason: Reason
    detail: str = ""


Event = Annotated[
    Began
    | Observed
    | Asked
    | Planned
    | Proposed
    | Decided
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

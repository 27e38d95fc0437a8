"""One way to ask a vision-language model: a request of messages and pictures in, a reply with its usage out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, runtime_checkable


class Picture(Protocol):
    """A picture. `key` identifies it without rendering; `sha256` and `png` render it."""

    @property
    def key(self) -> str: ...

    @property
    def sha256(self) -> str: ...

    def png(self) -> bytes: ...


Part: TypeAlias = str | Picture


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation: text and pictures in order."""

    role: str
    parts: tuple[Part, ...]


class Kind(StrEnum):
    """The kind of reply that a request asks for.

    `CHOICE` is one of the options, `CHOICES` one or several, `ORDER` all of them in order, `MATCHING` one of them for
    each item of a list, and `JUDGEMENTS` yes or no for each. `POINTS` are places in the pictures.
    `PROBLEM` is a planning problem in PDDL, `DOMAIN` a problem with the actions of its domain.
    """

    YES_NO = "yes_no"
    CHOICE = "choice"
    CHOICES = "choices"
    ORDER = "order"
    MATCHING = "matching"
    JUDGEMENTS = "judgements"
    NUMBER = "number"
    POINTS = "points"
    PLAN = "plan"
    ACTION = "action"
    PROBLEM = "problem"
    DOMAIN = "domain"
    TOOLS = "tools"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Request:
    """Everything that determines a reply.

    `about` is the subject of a question (a fact such as `on r,b`), `options` are the possible choices, and `place` is
    the position in the episode (`enumeration 0`, `precondition 3`). Models that read language ignore all three;
    others (simulated, replayed, pixels) need them. They describe what the agent asked, never what is true.
    `attempt` distinguishes intentional repetitions: another sample, or a retry after a reply that could not be read.
    """

    messages: tuple[Message, ...]
    kind: Kind = Kind.TEXT
    about: str | None = None
    place: str = ""
    cot: bool = False
    max_tokens: int = 1024
    temperature: float = 0.0
    options: tuple[str, ...] = ()
    attempt: int = 0

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of all messages, in order."""
        return tuple(part for message in self.messages for part in message.parts if not isinstance(part, str))

    @property
    def text(self) -> str:
        """All text of the request, without pictures."""
        return "\n".join(part for message in self.messages for part in message.parts if isinstance(part, str))

    def fingerprint(self, identity: str, *, looks: bool) -> str:
        """A hash of everything that determines the reply of the model with this identity.

        For a model that looks, the hash covers the pictures' bytes; for others, the pictures' keys.
        """
        facts: list[Any] = [identity, self.kind, str(self.about), self.cot, self.max_tokens, self.temperature]
        if self.options or self.attempt:
            facts.append([self.options, self.attempt])
        for message in self.messages:
            facts.append(["role", message.role])
            for part in message.parts:
                facts.append(part if isinstance(part, str) else ["picture", part.sha256 if looks else part.key])
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def asks_known_text(request: Request) -> bool:
    """Whether a free text is requested whose right answer the judge knows: to the question, or to a part of it."""
    return request.kind is Kind.TEXT and (bool(request.about) or request.place.startswith("question "))


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and cost of a reply. `cached_tokens` are prompt tokens from the provider's cache."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a model. `yes` and `no` are probabilities, if the model provides them."""

    text: str
    usage: Usage = field(default_factory=Usage)
    yes: float | None = None
    no: float | None = None
    truncated: bool = False
    cached: bool = False
    seconds: float = 0.0

    @property
    def chance(self) -> float | None:
        """The probability of yes among yes and no; None if the model does not provide both."""
        if self.yes is None or self.no is None or self.yes + self.no <= 0:
            return None
        return self.yes / (self.yes + self.no)


class ModelUnavailable(Exception):
    """There is no reply: the endpoint is down, or the record has no such answer. Never the model's fault."""


class Unanswerable(ModelUnavailable):
    """A stand-in was asked for something that cannot be computed, such as free text. Not a fault of any model."""


class RecordEnded(ModelUnavailable):
    """A recorded run ended here, and so does its replay. No recorded answer is missing."""


class ModelRefused(ModelUnavailable):
    """The endpoint rejects the request, and a retry would not help: wrong key, unknown model, malformed request."""


class RunMustStop(Exception):
    """The run cannot go on: a wrong key, a cap that was reached, an endpoint that stays down.

    It ends the run, not only an episode. The files stay, and the run can be resumed.
    """


class UnfitModel(RunMustStop):
    """The agent asks for a kind of reply that the model cannot give. Resuming the run would not help."""


class CannotKeep(RunMustStop):
    """Results cannot be saved: the disk is full, or a file of the run is gone. Further replies would be lost."""


class CapReached(RunMustStop):
    """The cap on costs or tokens is reached: no model that shares it can be asked any more."""


class Transient(ModelUnavailable):
    """This attempt failed and another may succeed: too many requests, a server error, a dropped connection.

    `retry_after` is the number of seconds that the server asks to wait; `down` whether the endpoint did not respond.
    """

    def __init__(self, message: str, *, retry_after: float | None = None, slow_down: bool = False, down: bool = False):
        super().__init__(message)
        self.retry_after = retry_after
        self.slow_down = slow_down
        self.down = down


class Model(Protocol):
    """A vision-language model, or a stand-in for one.

    `identity` names everything about the model that determines its replies; `looks` says whether it needs
    pixels; `simulated` whether its answers are generated from error rates; `cacheable` whether equal requests get
    equal replies.
    """

    @property
    def identity(self) -> str: ...

    @property
    def looks(self) -> bool: ...

    @property
    def simulated(self) -> bool: ...

    @property
    def cacheable(self) -> bool: ...

    async def ask(self, request: Request) -> Reply: ...


class Mind(Protocol):
    """Decides which mistakes a stand-in makes in one reply."""

    def sees(self, fact: str, true: bool) -> bool:
        """Whether it perceives a fact as true, given the truth."""
        ...

    def blunders(self) -> bool:
        """Whether its decision is random."""
        ...

    def pick(self, count: int) -> int:
        """The index of its choice among `count` equally good options."""
        ...


class Witness(Protocol):
    """Gives the truth of an episode to models that cannot see pictures. Agents never hold a witness.

    `tags` identify the episode: its `problem`, its `level` of difficulty, its `world`.
    """

    @property
    def tags(self) -> Mapping[str, str]: ...

    async def right(self, request: Request, mind: Mind) -> str:
        """The reply of a model with this mind; `Unanswerable` if it cannot be computed."""
        ...


@runtime_checkable
class Witnessing(Protocol):
    """A model that needs the truth or the identity of the episode to answer."""

    def for_episode(self, witness: Witness) -> Model:
        """The model, bound to this episode."""
        ...


Options: TypeAlias = Mapping[str, str]
"""The options after the question mark of a spec: `sim:gpt-4.1?blunder=0.2`."""


class Provider(Protocol):
    """Sends requests to a model over a network, one attempt each. `models.conduct` wraps it as a `Model`.

    Limits are shared by all models of one `endpoint`; prices are looked up by `name`.
    """

    @property
    def identity(self) -> str: ...

    @property
    def endpoint(self) -> str: ...

    @property
    def name(self) -> str: ...

    async def send(self, request: Request) -> Reply:
        """One attempt; raises `Transient` if another may succeed, `ModelRefused` if none will."""
        ...

    def most_tokens(self, request: Request) -> int:
        """The most tokens of the reply, thinking included."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...

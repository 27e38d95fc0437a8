"""One way to ask a vision-language model: a request of messages and pictures in, a reply with its usage out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeAlias, runtime_checkable


class Picture(Protocol):
    """A picture by name. `key` tells two pictures apart without drawing them; `sha256` and `png` draw it."""

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
    """What sort of reply is wanted.

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
    """All that determines a reply.

    `about` names what a question is after (a fact such as `on r,b`), `options` what can be chosen from, and `place`
    where in the episode it is asked (`enumeration 0`, `precondition 3`). Models that read language ignore all three;
    the ones that do not (simulated, replayed, pixels) need them. They say what the agent asked, never what is true.
    `attempt` tells apart requests that are asked again on purpose: another sample, or a reply that could not be read.
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
        """All text of the request, pictures left out."""
        return "\n".join(part for message in self.messages for part in message.parts if isinstance(part, str))

    def fingerprint(self, identity: str, *, looks: bool) -> str:
        """A hash of everything that determines the reply of the model with this identity.

        A model that looks is keyed by the pictures' own bytes, one that does not by what they show.
        """
        facts: list[Any] = [identity, self.kind, str(self.about), self.cot, self.max_tokens, self.temperature]
        if self.options or self.attempt:
            facts.append([self.options, self.attempt])
        for message in self.messages:
            facts.append(["role", message.role])
            for part in message.parts:
                facts.append(part if isinstance(part, str) else ["picture", part.sha256 if looks else part.key])
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and money that a reply took. `cached_tokens` are those of the prompt that the provider had kept."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. `yes` and `no` are probabilities where the model gives them."""

    text: str
    usage: Usage = field(default_factory=Usage)
    yes: float | None = None
    no: float | None = None
    truncated: bool = False
    cached: bool = False
    seconds: float = 0.0

    @property
    def chance(self) -> float | None:
        """The probability of a yes among yes and no; None where the model does not give both."""
        if self.yes is None or self.no is None or self.yes + self.no <= 0:
            return None
        return self.yes / (self.yes + self.no)


class ModelUnavailable(Exception):
    """The model could not be asked: the endpoint is down, the record has no such answer. Never the model's fault."""


class Unanswerable(ModelUnavailable):
    """A stand-in was asked something that has no computable answer, such as free text. No model would be at fault."""


class RecordEnded(ModelUnavailable):
    """A recorded run ended here, and so does its replay. No recorded answer is missing."""


class ModelRefused(ModelUnavailable):
    """The endpoint will not answer however often it is asked: a wrong key, an unknown model, a malformed request."""


class RunMustStop(Exception):
    """Nothing more can be asked in this run: a wrong key, a cap that is reached, an endpoint that stays away.

    It ends the run, not an episode: what is on disk stays, and the run can be resumed.
    """


class UnfitModel(RunMustStop):
    """The agent asks for a kind of reply that the model cannot give. To resume the run would not help."""


class CannotKeep(RunMustStop):
    """What comes next could not be kept: the disk is full, or a file of the run is gone. Asking on would lose it."""


class CapReached(RunMustStop):
    """What may be spent is spent: no model that shares the cap can be asked any more."""


class Transient(ModelUnavailable):
    """This attempt failed and another may pass: too many requests, a server error, a dropped connection.

    `retry_after` is how long the server said to wait, in seconds; `down` whether the endpoint did not answer at all.
    """

    def __init__(self, message: str, *, retry_after: float | None = None, slow_down: bool = False, down: bool = False):
        super().__init__(message)
        self.retry_after = retry_after
        self.slow_down = slow_down
        self.down = down


class Model(Protocol):
    """A vision-language model, or something that stands in for one.

    `identity` names everything about the model that determines its replies; `looks` says whether it needs the
    pixels; `simulated` whether its answers are made up from error rates; `cacheable` whether equal requests get
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
    """How a stand-in for a model errs in one reply."""

    def sees(self, fact: str, true: bool) -> bool:
        """Whether it takes a fact to be true, given whether it is."""
        ...

    def blunders(self) -> bool:
        """Whether its decision is a random one."""
        ...

    def pick(self, count: int) -> int:
        """The index of its choice among `count` equally good things."""
        ...


class Witness(Protocol):
    """Knows the truth of an episode and gives it to models that cannot see pictures. No agent holds one.

    `tags` say which episode this is: its `problem`, its `level` of difficulty, its `world`.
    """

    @property
    def tags(self) -> Mapping[str, str]: ...

    async def right(self, request: Request, mind: Mind) -> str:
        """The reply of a model with this mind; `Unanswerable` if it cannot be computed."""
        ...


@runtime_checkable
class Witnessing(Protocol):
    """A model that needs the truth, or the identity of the episode, before it can answer."""

    def for_episode(self, witness: Witness) -> Model:
        """The model as it answers in this episode."""
        ...


Options: TypeAlias = Mapping[str, str]
"""The options behind the question mark of a spec: `sim:gpt-4.1?blunder=0.2`."""


class Provider(Protocol):
    """A model over a network, one attempt at a time. `models.conduct` makes a `Model` of it.

    `endpoint` is what limits are shared by; `name` is what prices are looked up by.
    """

    @property
    def identity(self) -> str: ...

    @property
    def endpoint(self) -> str: ...

    @property
    def name(self) -> str: ...

    async def send(self, request: Request) -> Reply:
        """One attempt; `Transient` if another may pass, `ModelRefused` if none will."""
        ...

    def most_tokens(self, request: Request) -> int:
        """How long the reply may be, thinking included."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...

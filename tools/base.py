"""The base of every toolbox: ask a model, count attempts, end the episode.

Every request goes through `_asked`: its messages are stored, its reply is parsed, and the outcome is emitted as one
`Asked` event. An unreadable reply may be requested again; each attempt is an event of its own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeVar

from models.base import Kind, Message, Model, Part, Picture, Reply, Request
from models.parsing import Profile, Unreadable, choice, read_form, yes_no
from models.parsing.forms import shown_with_letters
from models.parsing.points import points
from models.turns import Turn, TurnReply, read_turn
from tools.events import INFRASTRUCTURE, Asked, Ended, Event, Phase, Reason, Value
from tools.prompts import PromptSet

T = TypeVar("T")
R = TypeVar("R", bound=Request)
Reader = Callable[[str], Value | Unreadable]


class StepsSpent(Exception):
    """An agent attempted an action after the episode was over."""


class Conduct(StrEnum):
    """The rules of an episode: the original's, or ours without its quirks; patient rules never give up."""

    OFFICIAL = "official"
    MENDED = "mended"
    PATIENT = "patient"
    OFFICIAL_PATIENT = "official but patient"

    @property
    def official(self) -> bool:
        """Whether prompts are those of the original."""
        return self in (Conduct.OFFICIAL, Conduct.OFFICIAL_PATIENT)

    @property
    def gives_up(self) -> bool:
        """Whether repeating a failed action ends the episode."""
        return self in (Conduct.OFFICIAL, Conduct.MENDED)

    @property
    def patient(self) -> Conduct:
        """The same rules, without giving up."""
        return Conduct.OFFICIAL_PATIENT if self.official else Conduct.PATIENT


class Feedback(StrEnum):
    """What a prompt says about earlier attempts: actions with outcomes, actions only, or nothing."""

    FULL = "full"
    ACTIONS = "actions"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Reading:
    """The parsed reply to a request. `value` is None if the reply could not be read; `fault` then says why."""

    text: str
    value: Value = None
    fault: str = ""
    truncated: bool = False
    probability: float | None = None


@dataclass(kw_only=True, eq=False)
class Tools:
    """The tools of an agent in one episode of any kind, with a counter of attempts.

    `keep` stores the messages of a request and returns their id; `reask` is how often an unreadable reply is requested
    again; `window` is how many earlier attempts a prompt lists, `frames` how many earlier pictures it shows.
    """

    model: Model
    prompts: PromptSet = field(default_factory=PromptSet.ours)
    emit: Callable[[Event], None] = lambda event: None
    keep: Callable[[Request], str | None] = lambda request: None
    step_limit: int = 20
    conduct: Conduct = Conduct.MENDED
    parsing: Profile = Profile.ROBUST
    draw_all: bool = False
    temperature: float = 0.0
    repeat: int = 0
    reask: int = 0
    window: int | None = None
    frames: int = 0
    feedback: Feedback = Feedback.FULL
    attempts: int = 0
    ended: bool = False

    @property
    def spent(self) -> bool:
        """Whether the step limit is reached."""
        return self.attempts >= self.step_limit

    async def ask(
        self,
        prompt: str | Sequence[Part | Message],
        *,
        kind: Kind | str = Kind.TEXT,
        pictures: Sequence[Picture] = (),
        options: Sequence[str] = (),
        items: Sequence[str] = (),
        about: str = "",
        phase: str = Phase.FREE,
        cot: bool = False,
        max_tokens: int = 1024,
    ) -> Reading:
        """Send the model a prompt of your own with any number of pictures.

        `prompt` is a text, a sequence of texts and pictures, or a sequence of messages; `pictures` come before a plain
        text. `kind` is the form of the reply. The value of a choice is the text of the option; that of several
        options, an order or a matching is a tuple of letters, that of judgements a tuple of `1` and `0`.
        """
        form = Kind(kind)
        request = Request(
            _messages(prompt, pictures),
            form,
            about=about or None,
            place=f"{phase} {self.attempts}",
            cot=cot,
            max_tokens=max_tokens,
            options=tuple(options),
        )
        question = prompt if isinstance(prompt, str) else request.text
        read = self._reader(form, options, items, cot=cot, lettered=shown_with_letters(request.text, options))
        reply, value, fault = await self._asked(request, read, phase=phase, about=about, question=question)
        return Reading(reply.text, value, fault, reply.truncated, None if cot else reply.chance)

    def _reader(
        self, kind: Kind, options: Sequence[str], items: Sequence[str] = (), *, cot: bool, lettered: bool = False
    ) -> Reader:
        """The parser of a reply of this kind; `lettered` if the options are shown with letters, not with numbers."""
        match kind:
            case Kind.YES_NO:
                return lambda text: yes_no(text, cot=cot, profile=self.parsing)
            case Kind.CHOICE if not lettered:
                return lambda text: _chosen(text, options, self.parsing)
            case Kind.CHOICE | Kind.CHOICES | Kind.ORDER | Kind.MATCHING | Kind.JUDGEMENTS | Kind.NUMBER:
                return lambda text: read_form(text, kind, options=options, items=items, profile=self.parsing)
            case Kind.POINTS:
                return points
            case Kind.TEXT:
                return lambda text: text.strip() or Unreadable("the reply is empty")
        raise ValueError(f"ask takes text, yes_no, number and what questions ask for; for {kind} there are other tools")

    async def decide(self, messages: tuple[Message, ...], tools: tuple[str, ...]) -> tuple[TurnReply, bool]:
        """Ask the model which tools to call next; its turn, and whether the reply was cut off."""
        request = self._as_run(Turn(messages, place=f"decision {self.attempts}", tools=tools))
        reply, seconds = await self._reply(request)
        turn = read_turn(reply.text)
        self._emit_asked(request, replace(reply, text=turn.text), seconds, value=tuple(map(str, turn.calls)))
        return turn, reply.truncated

    def end(self, reason: Reason, detail: str = "") -> None:
        """End the episode. Failures of the infrastructure end it by an exception instead."""
        self._end(reason, detail)

    def _end(self, reason: Reason, detail: str, claimed: bool | None = None) -> None:
        if reason in INFRASTRUCTURE:
            raise ValueError(f"an agent cannot end an episode as {reason}; let the error through")
        if not self.ended:
            self.ended = True
            self.emit(Ended(step=self.attempts, reason=reason, detail=detail, claimed=claimed))

    async def _asked(self, request: Request, read: Reader, **fields: Any) -> tuple[Reply, Value, str]:
        """Ask until the reply can be read, as often as the rules allow; `fields` belong to the event of each reply."""
        for attempt in range(self.reask + 1):
            request = self._as_run(request, attempt)
            reply, seconds = await self._reply(request)
            got = read(reply.text)
            value, fault = (None, got.reason) if isinstance(got, Unreadable) else (got, None)
            self._emit_asked(request, reply, seconds, value=value, fault=fault, attempt=attempt, **fields)
            if fault is None:
                break
            if attempt == 0:
                request = _with_note(
                    request, f"Your last reply could not be read: {fault}. Reply in the form asked for."
                )
        return reply, value, fault or ""

    def _as_run(self, request: R, attempt: int = 0) -> R:
        """The request with the run's temperature, and the number of the sample."""
        sample = attempt + self.repeat * (self.reask + 1)
        if not sample and not self.temperature:
            return request
        return replace(request, attempt=sample, temperature=self.temperature)

    def _emit_asked(self, request: Request, reply: Reply, seconds: float, **fields: Any) -> None:
        usage = reply.usage
        self.emit(
            Asked(
                step=self.attempts,
                kind=request.kind,
                options=request.options,
                prompt=self.keep(request),
                reply=reply.text,
                truncated=reply.truncated,
                yes=reply.yes,
                no=reply.no,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                cost=usage.cost,
                seconds=seconds,
                cached=reply.cached,
                **fields,
            )
        )

    async def _reply(self, request: Request) -> tuple[Reply, float]:
        """The reply and how long it took."""
        started = time.perf_counter()
        reply = await self.model.ask(request)
        if not reply.text.isascii():
            # A reply may hold lone surrogates, which cannot be written to a file.
            reply = replace(reply, text=reply.text.encode("utf-8", "replace").decode())
        return reply, reply.seconds or round(time.perf_counter() - started, 6)

    def _count(self) -> None:
        """Count one more attempt; `StepsSpent` if the episode is over."""
        if self.ended or self.spent:
            raise StepsSpent("the episode is over" if self.ended else f"all {self.step_limit} steps are used up")
        self.attempts += 1


async def gathered(questions: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All answers in order. If one question fails, the others are cancelled and its error is raised."""
    tasks = [asyncio.ensure_future(question) for question in questions]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def _messages(prompt: str | Sequence[Part | Message], pictures: Sequence[Picture]) -> tuple[Message, ...]:
    if isinstance(prompt, str):
        return (Message("user", (*pictures, prompt)),)
    messages = [part for part in prompt if isinstance(part, Message)]
    if messages:
        return tuple(messages)
    parts = tuple(part for part in prompt if not isinstance(part, Message))
    return (Message("user", (*pictures, *parts)),)


def _with_note(request: Request, note: str) -> Request:
    *others, last = request.messages
    return replace(request, messages=(*others, replace(last, parts=(*last.parts, note))))


def _chosen(text: str, options: Sequence[str], profile: Profile) -> Value | Unreadable:
    place = choice(text, options, profile=profile)
    return place if isinstance(place, Unreadable) else options[place]

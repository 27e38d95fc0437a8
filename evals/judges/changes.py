"""Interventions of a judge when an episode is played again.

Which changes there are is data: `Judging.changes`. A judge that applies them is `Changeable`. It is given the rerun as
it is about to be played (`RerunContext`) and returns what the rerun is to be played with (`RerunSetup`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias, runtime_checkable

from envs.base import Task
from evals.judges.controlled import BLIND, OTHER_ANSWERS, guessing
from evals.run.judging import Judge
from evals.run.trace import Record
from models.base import Kind, Model, Reply, Request, Unanswerable
from models.parsing import Profile, Unreadable, choice, proposals, read_form, yes_no
from models.parsing.forms import shown_with_letters
from models.sim import StandIn
from models.wrapped import Wrapped
from planners.outcome import Planner
from tools.events import Ended, Reason

PARSING, PROTOCOL = "parsing", "protocol"
NO_PICTURE, OTHER_PICTURE = "no-picture", "other-picture"
COMMON = {
    PARSING: "a reply that cannot be read is replaced by a right one; all others stay",
    PROTOCOL: "three times the steps, and no end for repeating an action",
}
"""Changes of several kinds of task. `protocol` is implemented by `evals.rerun`."""
VIEW_CHANGES = {
    BLIND: "the model sees a grey picture, a simulated one guesses",
    NO_PICTURE: "the model gets no picture at all, a simulated one guesses",
    OTHER_PICTURE: "the model sees the pictures of another problem",
}
"""Changes of what a model is shown."""
RULE_ENDINGS = frozenset({Reason.STEP_LIMIT, Reason.LOOP, Reason.UNSEEN_PRECONDITION})
"""Reasons of an end that are rules of the benchmark, not decisions of the agent."""

Ask: TypeAlias = Callable[[Request], Awaitable[Reply]]
Answer: TypeAlias = Callable[[Request, Reply | None, Ask], Awaitable[Reply]]
"""Answers a request, given the recorded reply (or None) and a function that asks the model."""


async def unchanged(request: Request, kept: Reply | None, ask: Ask) -> Reply:
    """The recorded reply, or the model's if there is none."""
    return kept or await ask(request)


class Progress(Protocol):
    """The progress of a rerun; `free` says whether it may differ from its record by now."""

    @property
    def attempts(self) -> int: ...
    @property
    def free(self) -> bool: ...


@dataclass(frozen=True)
class RerunContext:
    """An episode that is about to be played again: as recorded up to `step`, from there on with the changes.

    `at_step` opens the episode again and repeats it up to the step; `other` opens another problem. `model` is not bound
    to the episode yet.
    """

    changes: frozenset[str]
    records: Sequence[Record]
    step: int
    limit: int
    progress: Progress
    task: Task
    model: Model
    planner: Planner | None
    profile: Profile
    at_step: Callable[[], Judge]
    other: Callable[[], Judge]
    seed: int


@dataclass(frozen=True)
class RerunSetup:
    """What a rerun is played with.

    `model` and `judge` are None for the run's own. With `fresh`, recorded replies are not used from the step on,
    because the model or its view is another one. With `rewritten`, recorded plans may continue differently from there.
    """

    task: Task
    planner: Planner | None
    model: Model | None = None
    answer: Answer = unchanged
    judge: Judge | None = None
    fresh: bool = False
    rewritten: bool = False


@runtime_checkable
class Changeable(Protocol):
    """A judge whose episodes can be played again with changes.

    `could_fail` and `impossible` are decided from records alone, alike by all judges of a benchmark.
    """

    def attempt(self, action: str) -> str:
        """Attempt an action, written as in a trace; its outcome."""
        ...

    def reseed(self, seed: int) -> None:
        """Reseed chance from here on, if there is any."""
        ...

    def could_fail(self, records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
        """The faculties that could have failed in this record, without those that were changed."""
        ...

    def impossible(self, records: Sequence[Record], changes: Set[str]) -> bool:
        """Whether an action failed in this rerun that the changes should have made succeed."""
        ...

    def unfit(self, records: Sequence[Record], changes: Set[str], agent: str) -> str:
        """Why the changes do not apply to this record; empty if they do."""
        ...

    async def changed(self, context: RerunContext) -> RerunSetup:
        """What to play the rerun with."""
        ...


@dataclass(frozen=True)
class CorrectedReplies:
    """Replaces the model's replies where a faculty is perfect.

    `faculty` returns the faculty that a request needs, or None if only the model can reply. An unreadable reply stays,
    unless parsing is perfect too, or the faculty is in `read`.
    """

    changes: Set[str]
    oracle: Model
    faculty: Callable[[Request], str | None]
    unreadable: Callable[[Request, Reply], bool]
    read: Set[str] = frozenset()

    async def __call__(self, request: Request, kept: Reply | None, ask: Ask) -> Reply:
        """The reply of the model that is responsible for this request."""
        faculty = self.faculty(request)
        parsing = PARSING in self.changes
        if faculty is None:
            return await unchanged(request, kept, ask)
        if faculty in self.changes:
            reads = parsing or faculty in self.read
            if kept is not None and not reads and self.unreadable(request, kept):
                return kept
            return await self._right(request, kept, ask)
        reply = await unchanged(request, kept, ask)
        return await self._right(request, reply, ask) if parsing and self.unreadable(request, reply) else reply

    async def _right(self, request: Request, kept: Reply | None, ask: Ask) -> Reply:
        try:
            return await self.oracle.ask(request)
        except Unanswerable:
            return await unchanged(request, kept, ask)


def unreadable(
    request: Request, reply: Reply, profile: Profile, signatures: Mapping[str, tuple[str, ...]] | None = None
) -> bool:
    """Whether a reply cannot be read in the requested form."""
    text = reply.text
    match request.kind:
        case Kind.YES_NO:
            return isinstance(yes_no(text, cot=request.cot, profile=profile), Unreadable)
        case Kind.CHOICE if not shown_with_letters(request.text, request.options):
            return isinstance(choice(text, request.options, profile=profile), Unreadable)
        case Kind.CHOICE | Kind.CHOICES | Kind.ORDER | Kind.MATCHING | Kind.JUDGEMENTS | Kind.NUMBER:
            return isinstance(read_form(text, request.kind, options=request.options, profile=profile), Unreadable)
        case Kind.PLAN | Kind.ACTION:
            return isinstance(proposals(text, request.kind, signatures or {}, profile=profile), Unreadable)
    return not text.strip()


def ended_by_rule(record: Record) -> bool:
    """Whether a rule of the benchmark ended the episode here."""
    return isinstance(record.event, Ended) and record.event.reason in RULE_ENDINGS


def contradiction(changes: Set[str]) -> str:
    """Why changes of the model's view contradict each other; empty if they do not."""
    wanted = [name for name in VIEW_CHANGES if name in changes]
    if len(wanted) < 2:
        return ""
    return f"{wanted[0]} and {wanted[1]} do not go together: choose one of them"


def changed_view(judge: Judge, context: RerunContext) -> Model | None:
    """The model with a changed view; None if no change affects it."""
    match [name for name in VIEW_CHANGES if name in context.changes]:
        case [name] if name == OTHER_PICTURE:
            return judge.controlled(OTHER_ANSWERS, context.model, context.other())
        case [name] if name == BLIND:
            return judge.controlled(BLIND, context.model, None)
        case [_] if isinstance(context.model, StandIn):
            return guessing(context.model).for_episode(judge)
        case [name]:
            return WithoutPictures(context.model, f"{context.model.identity}, {name}")
    return None


class WithoutPictures(Wrapped):
    """A model that gets requests without their pictures."""

    async def ask(self, request: Request) -> Reply:
        """The reply to the text alone."""
        messages = (
            replace(message, parts=tuple(part for part in message.parts if isinstance(part, str)))
            for message in request.messages
        )
        return await self._model.ask(replace(request, messages=tuple(messages)))

"""What a judge puts right, or makes different, when an episode is played again.

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
"""Changes that several kinds of task have. What follows from `protocol` is for the room that plays the rerun."""
VIEW_CHANGES = {
    BLIND: "the model sees a grey picture, a simulated one guesses",
    NO_PICTURE: "the model gets no picture at all, a simulated one guesses",
    OTHER_PICTURE: "the model sees the pictures of another problem",
}
"""Changes of what a model is shown."""
RULE_ENDINGS = frozenset({Reason.STEP_LIMIT, Reason.LOOP, Reason.UNSEEN_PRECONDITION})
"""Ends that a rule of the game brings about, not what the agent believes."""

Ask: TypeAlias = Callable[[Request], Awaitable[Reply]]
Answer: TypeAlias = Callable[[Request, Reply | None, Ask], Awaitable[Reply]]
"""Answers a request, given the recorded reply, if there is one, and a function that asks the model."""


async def unchanged(request: Request, kept: Reply | None, ask: Ask) -> Reply:
    """The recorded reply, or the model's where there is none."""
    return kept or await ask(request)


class Progress(Protocol):
    """How far a rerun has come along its record; `free` says whether it may differ from the record by now."""

    @property
    def attempts(self) -> int: ...
    @property
    def free(self) -> bool: ...


@dataclass(frozen=True)
class RerunContext:
    """An episode that is about to be played again: as recorded up to `step`, from there on with the changes.

    `at_step` opens the same episode once more and repeats what happened up to the step; `other` is the judge of another
    problem. `seed` tells courses of chance apart. `model` is not bound to the episode yet.
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
    seed: int = 0


@dataclass(frozen=True)
class RerunSetup:
    """What a rerun is played with.

    `model` is None for the run's own. With `fresh`, recorded replies do not count from the step on, because the model
    is another or is shown something else. With `rewritten`, plans of the record may continue differently from there.
    """

    task: Task
    planner: Planner | None
    model: Model | None = None
    answer: Answer = unchanged
    fresh: bool = False
    rewritten: bool = False


@runtime_checkable
class Changeable(Protocol):
    """A judge whose episodes can be played again with changes.

    `could_fail` and `impossible` are decided from records alone, alike by all judges of a benchmark.
    """

    def attempt(self, action: str) -> str:
        """Attempt an action in the world, written as in a trace; its outcome."""
        ...

    def reseed(self, seed: int) -> None:
        """Let chance take another course from here on, where there is chance."""
        ...

    def could_fail(self, records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
        """The faculties that had occasion to fail in this record, besides those that were changed."""
        ...

    def impossible(self, records: Sequence[Record], changes: Set[str]) -> bool:
        """Whether the world refused something in this rerun that the changes should have made succeed."""
        ...

    def unfit(self, records: Sequence[Record], changes: Set[str], agent: str) -> str:
        """Why the changes make no sense for this record; empty if they do."""
        ...

    async def changed(self, context: RerunContext) -> RerunSetup:
        """What to play the rerun with."""
        ...


@dataclass(frozen=True)
class CorrectedReplies:
    """Answers requests in place of the model where a faculty is perfect.

    `faculty` says what a request takes, or None if nobody but the model can reply. A reply that cannot be read is not a
    wrong one: it stays unless parsing is perfect too, or the faculty is one of those that `read` all there is.
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
    """Whether a reply cannot be read in the form that was asked for."""
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
    """Whether a rule of the game ended the episode here."""
    return isinstance(record.event, Ended) and record.event.reason in RULE_ENDINGS


def contradiction(changes: Set[str]) -> str:
    """Why changes of what the model is shown contradict each other; empty if they do not."""
    wanted = [name for name in VIEW_CHANGES if name in changes]
    if len(wanted) < 2:
        return ""
    return f"{wanted[0]} and {wanted[1]} do not go together: a model is shown one thing at a time"


def changed_view(judge: Judge, context: RerunContext) -> Model | None:
    """The model as it is shown something else; None if no change is about that."""
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
    """A model that gets the words of a request without its pictures."""

    async def ask(self, request: Request) -> Reply:
        """The reply to the words."""
        messages = (
            replace(message, parts=tuple(part for part in message.parts if isinstance(part, str)))
            for message in request.messages
        )
        return await self._model.ask(replace(request, messages=tuple(messages)))

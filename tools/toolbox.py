"""The tools of an agent in one episode: look, query predicates, propose, plan, act.

A graph's nodes get the toolbox as their runtime context. Everything that happens through it is told as events.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from envs.base import Environment, Observation, Outcome, Stepped
from models.base import Kind, Message, Model, Reply, Request
from models.parsing import Profile, Proposal, Unreadable, proposals, yes_no
from models.turns import Said, Turn, read_turn
from planners.formula import Atom, Literal, State
from planners.outcome import Planner, PlanOutcome
from planners.task import Step, Task
from tools.events import (
    INFRASTRUCTURE,
    Acted,
    Asked,
    CalledOff,
    Decided,
    Ended,
    Event,
    Observed,
    Phase,
    Planned,
    Proposed,
    Reason,
    Replanned,
)
from tools.prompts import PromptSet


class StepsSpent(Exception):
    """An agent attempted something although the episode is over."""


class Conduct(StrEnum):
    """Which rules an episode follows: the original's to the letter, with its quirks mended, or without giving up."""

    OFFICIAL = "official"
    MENDED = "mended"
    PATIENT = "patient"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question. `value` is None where the reply could not be read.

    `probability` is that of a yes, where the model gives it and answers without reasoning first.
    """

    atom: Atom
    question: str
    value: bool | None
    expected: bool | None = None
    truncated: bool = False
    fault: str = ""
    probability: float | None = None

    @property
    def as_expected(self) -> bool:
        """Whether the answer is the one that was expected."""
        return self.value == self.expected

    @property
    def yes(self) -> float:
        """How much of a yes it is, from 0 to 1."""
        return float(bool(self.value)) if self.probability is None else self.probability


@dataclass(frozen=True, slots=True)
class Proposals:
    """What a model wants to do, or why its reply could not be read."""

    actions: tuple[Proposal, ...]
    truncated: bool = False
    fault: str = ""


@dataclass
class Toolbox:
    """What an agent can do in one episode, and the count of what it has done."""

    env: Environment
    model: Model
    planner: Planner
    prompts: PromptSet = field(default_factory=PromptSet.ours)
    emit: Callable[[Event], None] = lambda event: None
    step_limit: int = 20
    conduct: Conduct = Conduct.MENDED
    parsing: Profile = Profile.ROBUST
    planning_seconds: float = 60.0
    draw_all: bool = False
    attempts: int = 0
    enumerations: int = 0
    reached: bool = False
    ended: bool = False
    _seen: Observation | None = None
    _before: Observation | None = None

    @property
    def spent(self) -> bool:
        """Whether the step limit is reached."""
        return self.attempts >= self.step_limit

    async def look(self) -> Observation:
        """What can be seen now; the same picture until something is attempted."""
        if self._seen is None:
            seen = self.env.observe()
            sha256 = await asyncio.to_thread(lambda: seen.picture.sha256) if self.draw_all or self.model.looks else None
            visible = None if seen.visible is None else tuple(sorted(seen.visible))
            self.emit(Observed(step=self.attempts, picture=seen.picture.key, sha256=sha256, visible=visible))
            self._seen = seen
        return self._seen

    async def unchanged(self) -> bool:
        """Whether one sees the same picture as before the last attempt, as far as anyone looked.

        Keys may tell of what is out of sight, so pictures with different ones are compared as they are drawn.
        """
        before, new = self._before, (await self.look()).picture
        if before is None:
            return False
        old = before.picture
        return old.key == new.key or await asyncio.to_thread(lambda: old.sha256 == new.sha256)

    async def query(
        self,
        facts: Iterable[Atom | Literal],
        *,
        phase: Phase = Phase.FREE,
        cot: bool = False,
        note: str = "",
    ) -> list[Answer]:
        """Ask about every fact, each in a request of its own, all at once. A literal's value is what is expected."""
        seen = await self.look()
        asked = [fact if isinstance(fact, Literal) else (fact, None) for fact in facts]
        number = self.enumerations if phase is Phase.ENUMERATION else self.attempts
        if phase is Phase.ENUMERATION:
            self.enumerations += 1
        place = f"{phase} {number}"
        return await _all(self._ask(seen, atom, expected, phase, place, cot, note) for atom, expected in asked)

    async def _ask(
        self, seen: Observation, atom: Atom, expected: bool | None, phase: Phase, place: str, cot: bool, note: str
    ) -> Answer:
        question = self.env.question(atom)
        worded = f"{note}\n\n{question}" if note else question
        prompt = self.prompts["yes_no_cot" if cot else "yes_no"]
        messages = prompt.fill(seen.picture, environment=self.env.description, question=worded)
        request = Request(messages, Kind.YES_NO, about=atom, place=place, cot=cot, max_tokens=1024 if cot else 16)
        reply, seconds = await self._reply(request)
        read = yes_no(reply.text, cot=cot, profile=self.parsing)
        value, fault = (None, read.reason) if isinstance(read, Unreadable) else (read, None)
        self.emit(
            Asked(
                step=self.attempts,
                phase=phase,
                atom=str(atom),
                question=question,
                expected=expected,
                answer=value,
                fault=fault,
                yes=reply.yes,
                no=reply.no,
                reminded=bool(note),
                **_spent_on(reply, seconds),
            )
        )
        return Answer(atom, question, value, expected, reply.truncated, fault or "", None if cot else reply.chance)

    async def propose(self, kind: Kind, history: Sequence[dict[str, object]], *, cot: bool = False) -> Proposals:
        """Ask the model for a plan or an action, given what came of the actions so far."""
        seen = await self.look()
        key = "plan" if kind is Kind.PLAN else "action"
        hints = "\n".join(f"- {hint}" for hint in seen.hints)
        messages = self.prompts[f"{key}_cot" if cot else key].fill(
            seen.picture,
            environment=self.env.description,
            actions=self.env.action_help,
            goal_string=self.env.goal_text,
            privileged_info=f"## What else is known\n{hints}" if hints else "",
            previous_actions=json.dumps(list(history), indent=1) if history else "None yet.",
        )
        reply, seconds = await self._reply(Request(messages, kind, place=f"proposal {self.attempts}", cot=cot))
        read = proposals(reply.text, key, self.env.signatures, profile=self.parsing)
        fault = read.reason if isinstance(read, Unreadable) else None
        actions = () if isinstance(read, Unreadable) else read
        plan = tuple(str(action.step or f"{action.action}{action.parameters}") for action in actions)
        self.emit(Proposed(step=self.attempts, plan=plan, fault=fault, **_spent_on(reply, seconds)))
        return Proposals(actions, reply.truncated, fault or "")

    async def decide(self, messages: tuple[Message, ...], tools: tuple[str, ...]) -> tuple[Said, bool]:
        """Ask the model which tools to call next; what it said, and whether it was cut off."""
        reply, seconds = await self._reply(Turn(messages, place=f"decision {self.attempts}", tools=tools))
        said = read_turn(reply.text)
        spent = {**_spent_on(reply, seconds), "reply": said.text}
        self.emit(Decided(step=self.attempts, calls=tuple(map(str, said.calls)), **spent))
        return said, reply.truncated

    async def plan(self, belief: State) -> PlanOutcome:
        """Plan from a believed state to the goal; `PlannerUnavailable` if the planner itself failed."""
        task = Task(self.env.domain, self.env.objects, belief, self.env.goal)
        outcome = await self.planner.plan(task, timeout=self.planning_seconds)
        self.emit(
            Planned(
                step=self.attempts,
                belief=tuple(sorted(map(str, belief))),
                status=outcome.status,
                plan=tuple(map(str, outcome.plan)),
                engine=outcome.engine,
                seconds=outcome.seconds,
                cached=outcome.cached,
                message=outcome.message,
            )
        )
        return outcome.checked()

    def act(self, step: Step) -> Stepped:
        """Attempt an action."""
        self._count()
        stepped = self.env.step(step)
        self.reached = stepped.terminated
        self._acted(str(step), stepped.outcome)
        return stepped

    def refuse(self, proposal: Proposal) -> Outcome:
        """Count a proposal that is no action of this world as an attempt that did nothing."""
        self._count()
        known = proposal.action in self.env.signatures
        outcome = Outcome.BAD_PARAMETERS if known else Outcome.UNKNOWN_ACTION
        self._acted(f"{proposal.action}{proposal.parameters}", outcome, refused=True)
        return outcome

    def call_off(self, step: Step, unmet: Iterable[Literal]) -> None:
        """Count an action as attempted without attempting it."""
        self._count()
        self.emit(CalledOff(step=self.attempts - 1, action=str(step), unmet=tuple(map(str, unmet))))

    def replan(self, because: str) -> None:
        """Tell that the belief is given up."""
        self.emit(Replanned(step=self.attempts, because=because))

    def end(self, reason: Reason, detail: str = "") -> None:
        """Tell that the episode is over. What is not the agent's to say ends it by an exception instead."""
        if reason in INFRASTRUCTURE:
            raise ValueError(f"an agent cannot end an episode as {reason}; let the error through")
        if not self.ended:
            self.ended = True
            self.emit(Ended(step=self.attempts, reason=reason, detail=detail))

    def _count(self) -> None:
        """One more attempt; `StepsSpent` where there must not be one."""
        if self.ended or self.spent:
            raise StepsSpent("the episode is over" if self.ended else f"all {self.step_limit} steps are used up")
        self.attempts += 1

    def _acted(self, action: str, outcome: Outcome, *, refused: bool = False) -> None:
        self._before, self._seen = self._seen, None
        self.emit(Acted(step=self.attempts - 1, action=action, outcome=outcome, refused=refused))

    async def _reply(self, request: Request) -> tuple[Reply, float]:
        """The reply and how long it took."""
        started = time.perf_counter()
        reply = await self.model.ask(request)
        if not reply.text.isascii():
            # A reply may hold halves of characters, which no file takes.
            reply = replace(reply, text=reply.text.encode("utf-8", "replace").decode())
        return reply, reply.seconds or round(time.perf_counter() - started, 6)


def _spent_on(reply: Reply, seconds: float) -> dict[str, Any]:
    """What every event about a reply says of it."""
    return {
        "reply": reply.text,
        "truncated": reply.truncated,
        "prompt_tokens": reply.usage.prompt_tokens,
        "completion_tokens": reply.usage.completion_tokens,
        "cost": reply.usage.cost,
        "seconds": seconds,
        "cached": reply.cached,
    }


async def _all(questions: Iterable[Coroutine[Any, Any, Answer]]) -> list[Answer]:
    """All answers in order. If one question cannot be asked the others are given up, and its error is raised."""
    tasks = [asyncio.ensure_future(question) for question in questions]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise

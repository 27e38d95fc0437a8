"""The tools of an agent in a symbolic world: look, query facts, propose, plan, act.

The nodes of a graph get the toolbox as their runtime context. Everything it does is emitted as events.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from envs.base import Observation, Outcome, Search, Stepped, Symbolic, search_of, static_facts
from models.base import Kind, Request
from models.parsing import Proposal, Unreadable, proposals
from models.parsing.answer import without_reasoning
from planners.drafts import Draft, DraftFault, draft_lines, read_domain_draft, read_problem_draft
from planners.formula import TRUE, Atom, Literal, State
from planners.outcome import Planner, PlanOutcome, Status
from planners.task import Step, Task
from tools.base import Conduct as Conduct
from tools.base import Feedback, gathered
from tools.base import StepsSpent as StepsSpent
from tools.events import Called, CalledOff, Phase, Replanned, Value
from tools.facts import open_facts
from tools.wording import known_text, objects_text, outcome_text, vocabulary_text, world_text
from tools.worlds import WorldTools

LONGEST_PROBLEM = 4096
"""Tokens of a reply in PDDL."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question. `value` is None if the reply could not be read.

    `probability` is that of a yes, if the model gives it and answers without reasoning.
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
        """The probability of a yes, from 0 to 1."""
        return float(bool(self.value)) if self.probability is None else self.probability


@dataclass(frozen=True, slots=True)
class Proposals:
    """The actions that a model proposes, or why its reply could not be read."""

    actions: tuple[Proposal, ...]
    truncated: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Formalized:
    """The planning problem that a model wrote, or why it cannot be used. `truncated` if that is because it was cut."""

    draft: Draft | None
    reply: str = ""
    truncated: bool = False
    fault: str = ""


@dataclass(kw_only=True, eq=False)
class Toolbox(WorldTools):
    """The tools of an agent in one episode of a symbolic world."""

    env: Symbolic
    planner: Planner
    enumerations: int = 0

    async def look(self) -> Observation:
        """The current observation. If the world does not say what is in view, the model is asked for each thing."""
        seen, search = await super().look(), search_of(self.env)
        if search is None or seen.visible is not None:
            return seen
        self._seen = await self._in_view(seen, search)
        return self._seen

    async def _in_view(self, seen: Observation, search: Search) -> Observation:
        """The observation with what the model takes to be in view."""
        place = f"{Phase.VIEW} {self.attempts}"
        answers = await gathered(
            self._query(seen, Atom("visible", (name,)), None, Phase.VIEW, place, False, "", None)
            for name in search.things
        )
        visible = frozenset(answer.atom.args[0] for answer in answers if answer.value)
        return replace(seen, visible=visible, impossible=search.out_of_view(visible))

    @cached_property
    def static(self) -> State | None:
        """The static facts, if the problem states them: they need no question. The original asks them too."""
        return None if self.conduct.official else static_facts(self.env)

    @cached_property
    def facts(self) -> Mapping[Atom, None]:
        """The facts to ask about, in the order of the domain."""
        every = self.env.domain.atoms(self.env.objects)
        return dict.fromkeys(every if self.conduct.official else open_facts(self.env, every))

    @cached_property
    def world_text(self) -> str:
        """The description of the world in every prompt; under mended rules it lists the objects."""
        return self.env.description if self.conduct.official else world_text(self.env)

    def outcome_text(self, outcome: Outcome, proposal: Proposal) -> str:
        """The feedback on an attempt: a sentence, or the original's code under official rules."""
        return str(outcome) if self.conduct.official else outcome_text(outcome, proposal, self.env)

    def history_entry(self, step: Step, outcome: Outcome) -> dict[str, object]:
        """An attempt as the history in a prompt lists it."""
        parameters = dict(zip(self.env.signatures[step.action], step.args, strict=True))
        text = self.outcome_text(outcome, Proposal(step.action, parameters, step))
        return {"action": step.action, "parameters": parameters, "outcome": text}

    async def query(
        self,
        facts: Iterable[Atom | Literal],
        *,
        phase: str = Phase.FREE,
        cot: bool = False,
        note: str = "",
        wording: str | None = None,
    ) -> list[Answer]:
        """Ask about every fact concurrently, each in its own request. The value of a literal is the expected answer.

        `note` comes before the question. `wording` replaces the world's own wording, which it may quote by
        `{question}`.
        """
        seen = await self.look()
        asked = [fact if isinstance(fact, Literal) else (fact, None) for fact in facts]
        number = self.enumerations if phase == Phase.ENUMERATION else self.attempts
        if phase == Phase.ENUMERATION:
            self.enumerations += 1
        place = f"{phase} {number}"
        return await gathered(
            self._query(seen, atom, expected, phase, place, cot, note, wording) for atom, expected in asked
        )

    async def _query(
        self,
        seen: Observation,
        atom: Atom,
        expected: bool | None,
        phase: str,
        place: str,
        cot: bool,
        note: str,
        wording: str | None,
    ) -> Answer:
        question = self.env.question(atom)
        if wording is not None:
            question = wording.replace("{question}", question)
        worded = f"{note}\n\n{question}" if note else question
        prompt = self.prompts["yes_no_cot" if cot else "yes_no"]
        messages = prompt.fill(*seen.pictures, environment=self.world_text, question=worded)
        request = Request(messages, Kind.YES_NO, about=str(atom), place=place, cot=cot, max_tokens=1024 if cot else 16)
        reply, value, fault = await self._asked(
            request,
            self._reader(Kind.YES_NO, (), cot=cot),
            phase=phase,
            about=str(atom),
            question=question,
            expected=expected,
            reminded=bool(note),
        )
        known = value if isinstance(value, bool) else None
        return Answer(atom, question, known, expected, reply.truncated, fault, None if cot else reply.chance)

    async def propose(
        self,
        kind: Kind,
        history: Sequence[dict[str, object]],
        *,
        cot: bool = False,
        note: str = "",
        prompt: str | None = None,
    ) -> Proposals:
        """Ask the model for a plan or an action, given the history of attempts; `note` comes last.

        `prompt` names a prompt to use instead of the usual one.
        """
        seen = await self.look()
        key = "plan" if kind is Kind.PLAN else "action"
        hints = "\n".join(f"- {hint}" for hint in seen.hints)
        earlier = self._history(history)
        messages = self.prompts[prompt or (f"{key}_cot" if cot else key)].fill(
            *seen.pictures,
            earlier=self.earlier(),
            environment=self.world_text,
            actions=self.env.action_help,
            goal_string=self.env.goal_text,
            privileged_info=f"## What else is known\n{hints}" if hints else "",
            previous_actions=json.dumps(earlier, indent=1) if earlier else "None yet.",
            note=note,
        )
        read: list[Proposal] = []

        def reader(text: str) -> Value | Unreadable:
            got = proposals(text, key, self.env.signatures, profile=self.parsing)
            if isinstance(got, Unreadable):
                return got
            read[:] = got
            return tuple(str(action.step or f"{action.action}{action.parameters}") for action in got)

        request = Request(messages, kind, place=f"proposal {self.attempts}", cot=cot)
        reply, _, fault = await self._asked(request, reader, phase="proposal")
        return Proposals(tuple(read), reply.truncated, fault)

    async def formalize(
        self,
        kind: Kind,
        history: Sequence[dict[str, object]] = (),
        *,
        remembered: State = frozenset(),
        cot: bool = False,
        note: str = "",
        attempt: int = 0,
    ) -> Formalized:
        """Ask the model for the problem in PDDL that the picture shows, or for a domain and a problem.

        `remembered` facts are out of view. A reply that cannot be used is not requested again: what is wrong with it
        goes into the `note` of the next request, which comes last.
        """
        seen, env = await self.look(), self.env
        name, earlier = kind.value, self._history(history)
        hints = "\n".join(f"- {hint}" for hint in seen.hints)
        messages = self.prompts[f"{name}_cot" if cot else name].fill(
            *seen.pictures,
            earlier=self.earlier(),
            environment=self.world_text,
            domain=env.domain.text if kind is Kind.PROBLEM else vocabulary_text(env.domain),
            actions=env.action_help,
            objects=objects_text(env),
            known=known_text(self.static, remembered),
            goal_string=env.goal_text,
            privileged_info=f"## What else is known\n{hints}" if hints else "",
            previous_actions=json.dumps(earlier, indent=1) if earlier else "None yet.",
            note=note,
        )
        place = f"formalization {self.attempts}"
        request = self._as_run(Request(messages, kind, place=place, cot=cot, max_tokens=LONGEST_PROBLEM))
        reply, seconds = await self._reply(request)
        read = read_problem_draft if kind is Kind.PROBLEM else read_domain_draft
        draft, value, fault = None, None, None
        try:
            draft = read(without_reasoning(reply.text), env.domain, env.objects)
            value = draft_lines(draft.init, draft.goal, env.objects)
        except DraftFault as error:
            fault = str(error)
        asked = "the problem in PDDL" if kind is Kind.PROBLEM else "the domain and the problem in PDDL"
        self._emit_asked(
            request, reply, seconds, value=value, fault=fault, attempt=attempt, phase="formalization", question=asked
        )
        return Formalized(draft, reply.text, reply.truncated, fault or "")

    def _history(self, history: Sequence[dict[str, object]]) -> list[dict[str, object]]:
        """The history of attempts in a prompt, as long and detailed as the run's settings allow."""
        if self.feedback is Feedback.NONE:
            return []
        shown = list(history) if self.window is None else list(history)[len(history) - min(self.window, len(history)) :]
        if self.feedback is Feedback.ACTIONS:
            shown = [{name: value for name, value in entry.items() if name != "outcome"} for entry in shown]
        return shown

    async def solve_draft(self, draft: Draft, belief: State) -> PlanOutcome:
        """Plan for a problem as the model wrote it, from a believed state and the static facts.

        That the planner gives up on such a problem is the model's failure, not the planner's. If it fails on an easy
        problem of the world as well, `PlannerUnavailable` is raised.
        """
        task = draft.task(self.env.objects, belief | (self.static or frozenset()))
        outcome = await self.try_to_solve(task)
        if outcome.status is Status.ERROR:
            easy = Task(self.env.domain, self.env.objects, task.init, TRUE)
            (await self.planner.plan(easy, timeout=self.planning_seconds)).checked()
        return outcome

    async def plan(self, belief: State) -> PlanOutcome:
        """Plan from a believed state and the static facts to the goal; `PlannerUnavailable` if the planner failed."""
        belief |= self.static or frozenset()
        task = Task(self.env.domain, self.env.objects, belief, self.env.goal)
        return await self.solve(task)

    def act(self, step: Step) -> Stepped:
        """Attempt an action."""
        return self.attempt(step)

    def refuse(self, proposal: Proposal) -> Outcome:
        """Count a proposal that is no action of this world as a failed attempt."""
        self._count()
        known = proposal.action in self.env.signatures
        outcome = Outcome.BAD_PARAMETERS if known else Outcome.UNKNOWN_ACTION
        self._acted(f"{proposal.action}{proposal.parameters}", outcome, refused=True)
        return outcome

    def call_off(self, step: Step, unmet: Iterable[Literal]) -> None:
        """Count an attempt of an action that is not carried out."""
        self._count()
        self.emit(CalledOff(step=self.attempts - 1, action=str(step), unmet=tuple(map(str, unmet))))

    def validated(self, plan: Sequence[str], fault: str) -> None:
        """Emit what a validator says of a plan: that it works, if there is no fault."""
        result = fault or "it reaches the goal"
        self.emit(Called(step=self.attempts, name="validate", arguments=" ".join(plan), result=result))

    def replan(self, because: str) -> None:
        """Emit that the belief is dropped."""
        self.emit(Replanned(step=self.attempts, because=because))

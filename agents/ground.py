"""The grounder methods: the model answers yes/no questions, and a symbolic planner plans from the answers.

`ground` asks every fact about the first picture, plans, and then checks each action's preconditions before it and
its effects after it; anything unexpected leads to new questions about every fact and a new plan. `ground_mem` also
reminds the model of the last action that did not work. Each exists with chain of thought, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypedDict

from agents.base import END, Agent, Graph, go
from envs.base import Observation, Outcome
from memory.failures import FailureNote, Mishap
from planners.formula import Literal, State
from planners.task import Step, updated
from tools.events import Phase, Reason
from tools.toolbox import Answer, Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


class GroundState(TypedDict, total=False):
    """The state of the graph."""

    belief: State
    plan: tuple[Step, ...]
    expected: tuple[Literal, ...]
    answered: tuple[tuple[str, bool], ...]
    last: Step | None
    last_legal: bool
    note: FailureNote | None


@dataclass(frozen=True)
class Grounder:
    """A grounder method: its nodes, and the graph of them."""

    memory: bool = False
    cot: bool = False
    planned: ClassVar[str] = "check"
    """The node that follows a plan."""

    async def ground(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask about every fact in view and believe the answers; at the start, believe the initial state if given."""
        tools = runtime.context
        if "belief" not in state and tools.env.prior is not None:
            return go("plan", GroundState(belief=tools.env.prior))
        seen = await tools.look()
        facts = [atom for atom in tools.facts if seen.shows(atom)]
        answers = await tools.query(facts, phase=Phase.ENUMERATION, cot=self.cot, note=reminder(state, tools))
        if unreadable(answers, tools):
            return go(END)
        kept = state.get("belief", tools.static or frozenset()) - seen.impossible
        return go("plan", GroundState(belief=believed(kept if seen.unseen is None else seen.unseen, answers)))

    async def plan(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Plan from what is believed."""
        tools = runtime.context
        outcome = await tools.plan(state["belief"])
        if outcome.plan:
            return go(self.planned, GroundState(plan=outcome.plan))
        if outcome.solved:
            tools.end(Reason.FINISHED, "the goal is believed to hold")
        else:
            tools.end(Reason.NO_PLAN, outcome.message)
        return go(END)

    async def check(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask whether the next action's preconditions hold, and call it off if one does not."""
        tools, step = runtime.context, state["plan"][0]
        action, seen = tools.env.domain.ground(step, tools.env.objects), await tools.look()
        wanted = in_view(unknown(action.preconditions(), tools), seen)
        broken = known_false(action.preconditions(), seen)
        if broken and tools.conduct.gives_up:
            tools.end(Reason.UNSEEN_PRECONDITION, f"{step} needs: {', '.join(map(str, broken))}")
            return go(END)
        answers = await tools.query(wanted, phase=Phase.PRECONDITION, cot=self.cot, note=reminder(state, tools))
        if unreadable(answers, tools):
            return go(END)
        belief = believed(state["belief"], answers)
        answered = tuple((answer.question, bool(answer.value)) for answer in answers)
        unmet = [Literal(answer.atom, bool(answer.expected)) for answer in answers if not answer.as_expected]
        if not unmet:
            return go("act", GroundState(belief=belief, answered=answered, expected=action.effects(belief)))
        tools.call_off(step, unmet)
        note = FailureNote(step, Mishap.CALLED_OFF, answered) if self.memory else None
        update = GroundState(belief=belief, last=step, last_legal=True, note=note)
        return go(after_trouble(tools, "called off"), update)

    async def act(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the action."""
        tools, step = runtime.context, state["plan"][0]
        stepped = tools.act(step)
        if stepped.outcome is Outcome.FAILED and not tools.conduct.official:
            # The world reports a failure, so effects out of view are not believed.
            note = FailureNote(step, Mishap.FAILED, state["answered"]) if self.memory else None
            return go(after_trouble(tools, "failed"), GroundState(last=step, last_legal=True, note=note))
        if stepped.outcome in (Outcome.EXECUTED, Outcome.FAILED):
            expected = state["expected"] if stepped.effects is None else stepped.effects
            return go("verify", GroundState(expected=expected, last=step, last_legal=True, note=None))
        if step == state.get("last") and counts_as_loop(state, tools):
            tools.end(Reason.LOOP, f"{step} again")
            return go(END)
        action = tools.env.domain.ground(step, tools.env.objects)
        unobserved = len(state["answered"]) < len(unknown(action.preconditions(), tools))
        mishap = Mishap.UNOBSERVED if unobserved else Mishap.NOT_EXECUTABLE
        note = FailureNote(step, mishap, state["answered"]) if self.memory else None
        return go(after_trouble(tools, "not legal"), GroundState(last=step, last_legal=False, note=note))

    async def verify(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask whether the action's effects hold. Effects out of view are believed as the domain defines them."""
        tools, expected = runtime.context, state["expected"]
        wanted = in_view(expected, await tools.look())
        answers = await tools.query(wanted, phase=Phase.EFFECT, cot=self.cot)
        if unreadable(answers, tools):
            return go(END)
        belief = believed(updated(state["belief"], expected), answers)
        if not all(answer.as_expected for answer in answers):
            return go(after_trouble(tools, "unexpected effect"), GroundState(belief=belief))
        rest = state["plan"][1:]
        if rest and not tools.spent:
            return go("check", GroundState(belief=belief, plan=rest))
        tools.end(Reason.STEP_LIMIT if rest else Reason.FINISHED)
        return go(END, GroundState(belief=belief))

    def graph(self) -> Graph:
        """Ground, plan, then check, act and verify each action; ground again if something is unexpected."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(GroundState, context_schema=Toolbox)
        graph.add_edge(START, "ground")
        graph.add_node("ground", self.ground, destinations=("plan", END))
        graph.add_node("plan", self.plan, destinations=("check", END))
        graph.add_node("check", self.check, destinations=("act", "ground", END))
        graph.add_node("act", self.act, destinations=("verify", "ground", END))
        graph.add_node("verify", self.verify, destinations=("check", "ground", END))
        return graph.compile()


def counts_as_loop(state: GroundState, tools: Toolbox) -> bool:
    """Whether repeating the last action ends the episode: only if it was not legal the first time either.

    The original stops whatever the outcome of the first attempt was, even a success; patient rules never stop.
    """
    if not tools.conduct.gives_up:
        return False
    return tools.conduct.official or not state.get("last_legal", True)


def believed(belief: State, answers: list[Answer]) -> State:
    """The belief updated with the answers."""
    return updated(belief, tuple(Literal(answer.atom, bool(answer.value)) for answer in answers))


def unknown(facts: tuple[Literal, ...], tools: Toolbox) -> tuple[Literal, ...]:
    """The facts that have to be asked."""
    return tuple(fact for fact in facts if fact.atom in tools.facts)


def in_view(facts: tuple[Literal, ...], seen: Observation) -> list[Literal]:
    """The facts whose objects are all in view."""
    return [fact for fact in facts if seen.shows(fact.atom)]


def known_false(facts: tuple[Literal, ...], seen: Observation) -> list[Literal]:
    """The facts known to be false, out of view, in worlds that state what is out of view."""
    if seen.unseen is None:
        return []
    return [fact for fact in facts if not seen.shows(fact.atom) and (fact.atom in seen.unseen) != fact.value]


def reminder(state: GroundState, tools: Toolbox) -> str:
    """The note about the last failure, if the agent keeps one."""
    note = state.get("note")
    return note.text(official=tools.conduct.official) if note else ""


def unreadable(answers: list[Answer], tools: Toolbox) -> bool:
    """Whether some answer could not be read; if so, end the episode."""
    fault = unread(answers)
    if fault:
        tools.end(*fault)
    return fault is not None


def unread(answers: list[Answer]) -> tuple[Reason, str] | None:
    """The reason and detail of the first unreadable answer."""
    first = next((answer for answer in answers if answer.value is None), None)
    if first is None:
        return None
    return (Reason.TRUNCATED if first.truncated else Reason.UNREADABLE), f"{first.atom}: {first.fault}"


def after_trouble(tools: Toolbox, because: str) -> str:
    """The next node: ground again, unless the steps are used up."""
    if tools.spent:
        tools.end(Reason.STEP_LIMIT)
        return END
    tools.replan(because)
    return "ground"


ASKS, REASONS = ("yes_no",), ("yes_no_cot",)

AGENTS = (
    Agent("ground", "questions for a symbolic planner", Grounder().graph, prompts=ASKS),
    Agent("ground_cot", "ground, reasoning first", Grounder(cot=True).graph, prompts=REASONS),
    Agent("ground_mem", "ground, reminded of what did not work", Grounder(memory=True).graph, prompts=ASKS),
    Agent("ground_mem_cot", "ground_mem, reasoning first", Grounder(memory=True, cot=True).graph, prompts=REASONS),
)

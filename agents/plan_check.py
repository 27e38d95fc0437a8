"""The model plans, a validator answers with what is wrong, and the model corrects its plan.

The validator has no access to the truth: it checks the plan against the state that the model itself has written down
from the same picture, as in `formalize`, and against the goal of the task. So it finds plans that contradict what the
model sees, and none that are wrong because it sees wrongly. It names the first precondition that is broken, or what
is missing at the end. After `ROUNDS` corrections the last plan is carried out as it is, because the state may be
wrong as well.

A plan is carried out without further questions. An action that the world refuses, or the end of a plan that has not
reached the goal, leads to a new picture, a new state and a new plan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, go
from agents.formalize import RETRIES, correction, in_view, out_of_view, unusable
from envs.base import Outcome
from models.base import Kind
from models.parsing import Proposal
from planners.formula import Literal, State, literals
from planners.task import Step
from tools.events import Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

ROUNDS = 3
"""How often a plan goes back to the model."""


class CheckState(TypedDict, total=False):
    """The state of the graph. `plan` is the rest of the proposed plan, `fault` the message of the validator."""

    belief: State
    tries: int
    note: str
    plan: tuple[Proposal, ...]
    rounds: int
    fault: str
    history: list[dict[str, object]]


@dataclass(frozen=True)
class Checked:
    """The method: its nodes, and the graph of them."""

    cot: bool = False

    async def describe(self, state: CheckState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask for the state that the picture shows."""
        tools, tries = runtime.context, state.get("tries", 0)
        seen = await tools.look()
        kept = out_of_view(state.get("belief"), seen, tools)
        history, note = state.get("history", ()), state.get("note", "")
        written = await tools.formalize(
            Kind.PROBLEM, history, remembered=kept or frozenset(), cot=self.cot, note=note, attempt=tries
        )
        if written.draft is not None:
            static = tools.static or frozenset()
            belief = in_view(written.draft.init, kept, seen) | static
            return go("plan", CheckState(belief=belief, tries=0, note="", rounds=0, fault=""))
        if tries < RETRIES:
            return go("describe", CheckState(tries=tries + 1, note=correction(written.reply, written.fault)))
        tools.end(*unusable(written))
        return go(END)

    async def plan(self, state: CheckState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask for a plan, telling what was wrong with the last one."""
        tools = runtime.context
        wanted = await tools.propose(Kind.PLAN, state.get("history", []), cot=self.cot, note=state["fault"])
        if not wanted.actions:
            tools.end(Reason.TRUNCATED if wanted.truncated else Reason.UNREADABLE, wanted.fault)
            return go(END)
        return go("check", CheckState(plan=wanted.actions))

    async def check(self, state: CheckState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Check the plan against the state that the model described; a wrong one goes back."""
        tools, rounds = runtime.context, state["rounds"]
        fault = fault_of(state["plan"], state["belief"], tools)
        tools.validated([str(one.step or one.action) for one in state["plan"]], fault)
        if not fault or rounds == ROUNDS:
            return go("act")
        return go("plan", CheckState(rounds=rounds + 1, fault=objection(state["plan"], fault)))

    async def act(self, state: CheckState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the next action of the plan."""
        tools, (proposal, *rest) = runtime.context, state["plan"]
        stepped = None if proposal.step is None else tools.act(proposal.step)
        outcome = tools.refuse(proposal) if stepped is None else stepped.outcome
        text = tools.outcome_text((stepped and stepped.reported) or outcome, proposal)
        entry = {"action": proposal.action, "parameters": proposal.parameters, "outcome": text}
        update = CheckState(history=[*state.get("history", []), entry], plan=tuple(rest))
        if outcome is Outcome.EXECUTED and proposal.step is not None:
            update["belief"] = tools.env.domain.ground(proposal.step, tools.env.objects).apply(state["belief"])
        done = stepped is not None and stepped.terminated
        if done or tools.spent:
            tools.end(Reason.FINISHED if done else Reason.STEP_LIMIT, announced=done)
            return go(END, update)
        if outcome is Outcome.EXECUTED and rest:
            return go("act", update)
        tools.replan("the plan is done" if outcome is Outcome.EXECUTED else str(outcome))
        return go("describe", update)

    def graph(self) -> Graph:
        """Describe, plan and check until the plan holds, then act; describe again if it does not work."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(CheckState, context_schema=Toolbox)
        graph.add_edge(START, "describe")
        graph.add_node("describe", self.describe, destinations=("describe", "plan", END))
        graph.add_node("plan", self.plan, destinations=("check", END))
        graph.add_node("check", self.check, destinations=("act", "plan"))
        graph.add_node("act", self.act, destinations=("act", "describe", END))
        return graph.compile()


def fault_of(plan: tuple[Proposal, ...], state: State, tools: Toolbox) -> str:
    """The first thing that is wrong with a plan from a state; empty if it reaches the goal."""
    env = tools.env
    for number, proposal in enumerate(plan, 1):
        name = f"action {number}, {proposal.step or proposal.action},"
        if proposal.step is None or env.domain.check(proposal.step, env.objects):
            why = env.domain.check(proposal.step or Step(proposal.action), env.objects)
            return f"{name} is no action of this world: {why or 'its parameters are not as described'}"
        action = env.domain.ground(proposal.step, env.objects)
        if not action.applicable(state):
            broken = [fact for fact in action.preconditions() if (fact.atom in state) != fact.value]
            listed = needed(broken[:1]) or "one of its conditions does not hold"
            return f"{name} is not possible at that point: {listed}"
        state = action.apply(state)
    missing = [fact for fact in literals(env.goal, env.objects) if (fact.atom in state) != fact.value]
    return f"the goal is not reached at the end: {needed(missing)}" if missing else ""


def needed(facts: list[Literal]) -> str:
    """Facts that ought to hold and do not, in words."""
    return ", ".join(f"`{fact.atom}` is {'false' if fact.value else 'true'}" for fact in facts)


def objection(plan: tuple[Proposal, ...], fault: str) -> str:
    """What the model is told about its plan."""
    listed = "\n".join(f"{number}. {one.step or one.action}" for number, one in enumerate(plan, 1))
    return (
        f"## Your last plan\n{listed}\n\nBy the state that you described for this picture it does not work: {fault}.\n"
        "Write the whole plan again, corrected."
    )


AGENTS = (
    Agent(
        "plan_check",
        "the model plans, a validator objects, the model corrects",
        Checked().graph,
        "planner",
        prompts=("problem", "plan"),
        plans=False,
    ),
)

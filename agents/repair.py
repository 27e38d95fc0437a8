"""A grounder that trusts no answer alone: what it is told is repaired to the nearest state that the domain allows.

`ground_repair` asks every fact about a picture, as `ground` does, and believes the legal state that contradicts the
fewest answers. It asks no preconditions: in a legal state the plan's next action has them, and the same question
about the same picture would only bring the mistake back. Effects are asked after each action; whatever is not as
expected leads to asking everything again, and to another repair.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from agents.base import END, Agent, Graph, go
from agents.ground import ASKS, REASONS, Grounder, GroundState, after_trouble, counts_as_loop, unreadable
from envs.base import Outcome
from memory.belief import repair
from planners.invariants import legal_states
from planners.task import updated
from tools.events import Phase, Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


@dataclass(frozen=True)
class Repairer(Grounder):
    """`ground` with legal states only."""

    planned: ClassVar[str] = "act"

    async def ground(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask about every fact in view and believe the legal state that explains the answers best."""
        tools, env = runtime.context, runtime.context.env
        seen = await tools.look()
        facts = [atom for atom in env.domain.atoms(env.objects) if seen.shows(atom)]
        answers = await tools.query(facts, phase=Phase.ENUMERATION, cot=self.cot)
        if unreadable(answers, tools):
            return go(END)
        # Listing them takes a moment the first time; other episodes go on meanwhile.
        space = await asyncio.to_thread(legal_states, env.domain, env.objects, env.goal)
        return go("plan", GroundState(belief=repair(space, {answer.atom: bool(answer.value) for answer in answers})))

    async def act(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the action."""
        tools, step = runtime.context, state["plan"][0]
        action = tools.env.domain.ground(step, tools.env.objects)
        stepped = tools.act(step)
        if stepped.outcome in (Outcome.EXECUTED, Outcome.FAILED):
            expected = action.effects(state["belief"])
            return go("verify", GroundState(expected=expected, last=step, last_legal=True))
        if step == state.get("last") and counts_as_loop(state, tools):
            tools.end(Reason.LOOP, f"{step} again")
            return go(END)
        return go(after_trouble(tools, "not legal"), GroundState(last=step, last_legal=False))

    async def verify(self, state: GroundState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask whether the action's effects are there, and go on as the domain says if they are."""
        tools, expected = runtime.context, state["expected"]
        seen = await tools.look()
        wanted = [fact for fact in expected if seen.shows(fact.atom)]
        answers = await tools.query(wanted, phase=Phase.EFFECT, cot=self.cot)
        if unreadable(answers, tools):
            return go(END)
        if not all(answer.as_expected for answer in answers):
            return go(after_trouble(tools, "unexpected effect"))
        left, belief = state["plan"][1:], updated(state["belief"], expected)
        if left and not tools.spent:
            return go("act", GroundState(belief=belief, plan=left))
        tools.end(Reason.STEP_LIMIT if left else Reason.FINISHED)
        return go(END, GroundState(belief=belief))

    def graph(self) -> Graph:
        """Ground and repair, plan, then act and verify each action, and back to ground when something is off."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(GroundState, context_schema=Toolbox)
        graph.add_edge(START, "ground")
        graph.add_node("ground", self.ground, destinations=("plan", END))
        graph.add_node("plan", self.plan, destinations=("act", END))
        graph.add_node("act", self.act, destinations=("verify", "ground", END))
        graph.add_node("verify", self.verify, destinations=("act", "ground", END))
        return graph.compile()


AGENTS = (
    Agent("ground_repair", "ground, with answers repaired to a legal state", Repairer().graph, prompts=ASKS),
    Agent("ground_repair_cot", "ground_repair, reasoning first", Repairer(cot=True).graph, prompts=REASONS),
)

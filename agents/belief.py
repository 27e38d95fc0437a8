"""A grounder that keeps a belief over all legal states instead of one state it was told.

`ground_belief` asks what is worth asking: the facts whose answers are expected to tell most about the state, a few at
a time, until the most likely state is certain enough or the questions for this picture are used up. It plans from
that state and acts. What the world says to the action counts like an answer: an action that is not legal rules out
every state in which it would have been, one that is carried out rules out the others and moves the belief along. It
is done when the goal is believed with enough certainty, or as likely as it can be made by asking.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, go
from agents.ground import ASKS, REASONS, unreadable
from envs.base import Outcome
from memory.belief import Belief, Contradiction
from planners.formula import holds
from planners.invariants import legal_states
from planners.task import Step
from tools.events import Phase, Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


class BeliefState(TypedDict, total=False):
    """What goes from node to node. The belief stays here as it is: no file is made of it."""

    belief: Belief
    step: Step


@dataclass(frozen=True)
class Believer:
    """How sure to be, how much to ask, and how often actions are held to slip."""

    cot: bool = False
    certainty: float = 0.97
    questions: int = 60
    at_once: int = 4
    least_bits: float = 0.01
    slip: float = 0.05

    async def ask(self, state: BeliefState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask a few of the questions that promise most, or plan if nothing more is worth asking."""
        tools = runtime.context
        belief = state.get("belief") or await self.blank(tools)
        left = self.questions - len(belief.answers)
        sure = max(belief.certainty, belief.chance(tools.env.goal)) >= self.certainty
        facts = () if sure else belief.worth_asking(min(self.at_once, left), self.least_bits)
        if not facts:
            return go("plan", BeliefState(belief=belief))
        answers = await tools.query(facts, phase=Phase.FREE, cot=self.cot)
        if unreadable(answers, tools):
            return go(END)
        return go("ask", BeliefState(belief=belief.told({answer.atom: bool(answer.value) for answer in answers})))

    async def plan(self, state: BeliefState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Plan from the most likely state, unless the goal is believed to hold."""
        tools, belief = runtime.context, state["belief"]
        chance = belief.chance(tools.env.goal)
        if chance >= self.certainty or holds(tools.env.goal, belief.state, tools.env.objects):
            tools.end(Reason.FINISHED, f"the goal is believed to hold with probability {chance:.2f}")
            return go(END)
        if tools.spent:
            tools.end(Reason.STEP_LIMIT)
            return go(END)
        outcome = await tools.plan(belief.state)
        if outcome.plan:
            return go("act", BeliefState(step=outcome.plan[0]))
        tools.end(Reason.NO_PLAN, outcome.message)
        return go(END)

    async def act(self, state: BeliefState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the action and learn from what the world says to it."""
        tools, belief, step = runtime.context, state["belief"], state["step"]
        stepped = tools.act(step)
        try:
            if stepped.outcome in (Outcome.EXECUTED, Outcome.FAILED):
                return go("ask", BeliefState(belief=belief.moved(step)))
            tools.replan("not legal")
            return go("ask", BeliefState(belief=belief.refused(step)))
        except Contradiction:
            tools.replan("nothing explains what happened")
            return go("ask", BeliefState(belief=await self.blank(tools)))

    async def blank(self, tools: Toolbox) -> Belief:
        """A belief that knows the domain and nothing else."""
        # Listing the states takes a moment the first time; other episodes go on meanwhile.
        space = await asyncio.to_thread(legal_states, tools.env.domain, tools.env.objects, tools.env.goal)
        return Belief.blank(space, slip=self.slip)

    def graph(self) -> Graph:
        """Ask until it is clear enough, plan, act, and ask again."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(BeliefState, context_schema=Toolbox)
        graph.add_edge(START, "ask")
        graph.add_node("ask", self.ask, destinations=("ask", "plan", END))
        graph.add_node("plan", self.plan, destinations=("act", END))
        graph.add_node("act", self.act, destinations=("ask",))
        return graph.compile()


AGENTS = (
    Agent("ground_belief", "a belief over legal states, asking what is worth it", Believer().graph, prompts=ASKS),
    Agent("ground_belief_cot", "ground_belief, reasoning first", Believer(cot=True).graph, prompts=REASONS),
)

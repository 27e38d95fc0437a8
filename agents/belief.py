"""A grounder that keeps a belief over what may be the case instead of one state it was told.

`ground_belief` asks what is worth asking: the facts whose answers are expected to tell most, a few at a time, until
it is certain enough or the questions for this picture are used up. It plans from the most likely state and acts. What
the world says to the action counts like an answer: an action that is not legal rules out every state in which it would
have been, one that is carried out rules out the others and moves the belief along. It is done when the goal is believed
with enough certainty, or as likely as it can be made by asking.

Where all legal states can be listed the belief is exact, and it asks until one of them stands out. Where they are too
many, or the agent is given the state at the start, each fact has a probability of its own (`memory.factored`), and it
asks until it is certain enough of the facts that its plan depends on. Published error rates say how little the answers
about some predicates are worth, and the agent learns more on the way.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from agents.base import END, Agent, Graph, go
from agents.ground import ASKS, REASONS, unreadable
from agents.repair import possible_of
from envs.base import Outcome
from memory.belief import Belief, Contradiction
from memory.factored import Factored
from memory.rates import published_rates
from planners.formula import Atom, Literal, conjunction
from planners.invariants import LegalStates
from planners.support import support
from planners.task import Step, Task
from tools.events import Phase, Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

Beliefs: TypeAlias = Belief | Factored


class BeliefState(TypedDict, total=False):
    """What goes from node to node. The belief stays here as it is: no file is made of it.

    `plan` is the rest of it; `depends` is what it depends on, where that decides what is asked; `failing` is what
    the world has failed to do since anything last changed.
    """

    belief: Beliefs
    plan: tuple[Step, ...]
    depends: tuple[Literal, ...]
    failing: tuple[Step, ...]


@dataclass(frozen=True)
class Believer:
    """How sure to be, how much to ask, and how often actions are held to slip unnoticed.

    A world that is candid says so mostly. What fails `patience` times, and nothing changes, counts as not legal: it
    cannot be as it is believed to be.
    """

    cot: bool = False
    certainty: float = 0.97
    questions: int = 60
    at_once: int = 4
    least_bits: float = 0.01
    slip: float = 0.05
    slip_if_candid: float = 0.01
    patience: int = 3

    async def ask(self, state: BeliefState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask a few of the questions that promise most, or plan if nothing more is worth asking."""
        tools = runtime.context
        belief = state["belief"] if "belief" in state else await asyncio.to_thread(self.blank, tools)
        if isinstance(belief, Factored):
            belief = belief.without((await tools.look()).impossible)
        facts = await self.questions_left(belief, state.get("depends"), tools)
        if not facts:
            return go("plan", BeliefState(belief=belief))
        answers = await tools.query(facts, phase=Phase.FREE, cot=self.cot)
        if unreadable(answers, tools):
            return go(END)
        told = belief.told({answer.atom: answer.yes for answer in answers})
        return go("ask" if isinstance(belief, Belief) else "plan", BeliefState(belief=told))

    async def questions_left(
        self, belief: Beliefs, depends: tuple[Literal, ...] | None, tools: Toolbox
    ) -> tuple[Atom, ...]:
        """What is worth asking next: nothing if it is certain enough."""
        most = min(self.at_once, self.questions - len(belief.answers))
        if isinstance(belief, Belief):
            sure = max(belief.certainty, belief.chance(tools.env.goal)) >= self.certainty
            return () if sure else belief.worth_asking(most, self.least_bits)
        if depends is None or belief.chance(conjunction(depends)) >= self.certainty:
            return ()
        seen = await tools.look()
        return belief.worth_asking(most, self.least_bits, (fact.atom for fact in depends if seen.shows(fact.atom)))

    async def plan(self, state: BeliefState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Plan from the most likely state, unless the goal is believed to hold."""
        tools, env, belief = runtime.context, runtime.context.env, state["belief"]
        chance = belief.chance(env.goal)
        done = f"the goal is believed to hold with probability {chance:.2f}"
        if chance >= self.certainty:
            tools.end(Reason.FINISHED, done)
            return go(END)
        believed = await asyncio.to_thread(lambda: belief.state)
        task = Task(env.domain, env.objects, believed, env.goal)
        plan, why_not = await self.planned(task, state.get("plan", ()), tools)
        if isinstance(belief, Factored):
            # Without a plan any fact may be the one that is wrong.
            depends = tuple(map(Literal, belief.odds)) if plan is None else support(task, plan)
            if await self.questions_left(belief, depends, tools):
                return go("ask", BeliefState(depends=depends, plan=plan or ()))
        if plan and not tools.spent:
            return go("act", BeliefState(plan=plan))
        if plan is None:
            tools.end(Reason.NO_PLAN, why_not)
        else:
            tools.end(*((Reason.STEP_LIMIT, "") if plan else (Reason.FINISHED, done)))
        return go(END)

    async def planned(self, task: Task, old: tuple[Step, ...], tools: Toolbox) -> tuple[tuple[Step, ...] | None, str]:
        """A plan, or None and why there is none. One that still works is kept: another may undo what it has begun."""
        if task.solved(task.init):
            return (), ""
        if old and task.fault(old) is None:
            return old, ""
        outcome = await tools.plan(task.init)
        return (outcome.plan if outcome.solved else None), outcome.message

    async def act(self, state: BeliefState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the action and learn from what the world says to it."""
        tools, belief, (step, *left) = runtime.context, state["belief"], state["plan"]
        outcome = tools.act(step).outcome
        anew = BeliefState(plan=tuple(left), depends=())
        try:
            if outcome is Outcome.EXECUTED:
                return go("ask", {**anew, "belief": belief.moved(step), "failing": ()})
            tools.replan(str(outcome))
            if outcome is not Outcome.FAILED:
                return go("ask", {**anew, "belief": belief.refused(step)})
            unchanged = await tools.unchanged()
            failing = (*state.get("failing", ()), step) if unchanged else ()
            # Where all states are listed nothing else can be the matter: the step was legal, or it was not tried.
            hopeless = isinstance(belief, Factored) and failing.count(step) >= self.patience
            learned = belief.refused(step) if hopeless else belief.failed(step, unchanged=unchanged)
            return go("ask", {**anew, "belief": learned, "failing": failing})
        except Contradiction:
            tools.replan("nothing explains what happened")
            return go("ask", {**anew, "belief": await asyncio.to_thread(self.blank, tools), "failing": ()})

    def blank(self, tools: Toolbox) -> Beliefs:
        """A belief that knows the domain, and the state at the start where that is given."""
        env = tools.env
        # This takes a moment the first time, so it is called in a thread: other episodes go on meanwhile.
        possible, slip = possible_of(env), self.slip_if_candid if env.candid else self.slip
        if isinstance(possible, LegalStates):
            return Belief.blank(possible, slip=slip)
        return Factored.told_at_start(possible, env.prior, rates=published_rates(env.name), slip=slip)

    def graph(self) -> Graph:
        """Ask until it is clear enough, plan, act, and ask again."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(BeliefState, context_schema=Toolbox)
        graph.add_edge(START, "ask")
        graph.add_node("ask", self.ask, destinations=("ask", "plan", END))
        graph.add_node("plan", self.plan, destinations=("act", "ask", END))
        graph.add_node("act", self.act, destinations=("ask",))
        return graph.compile()


AGENTS = (
    Agent("ground_belief", "a belief over legal states, asking what is worth it", Believer().graph, prompts=ASKS),
    Agent("ground_belief_cot", "ground_belief, reasoning first", Believer(cot=True).graph, prompts=REASONS),
)

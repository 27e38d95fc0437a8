"""A grounder that keeps a probability distribution over states instead of a single believed state.

`ground_belief` asks the questions with the highest expected information, a few at a time, until it is certain enough
or the questions for this picture are used up. It plans from the most likely state and acts. The outcome of an action is
evidence like an answer: an illegal action rules out every state in which it would have been legal, an executed one
rules out the others and updates the belief. The episode ends when the goal is believed with enough certainty, or when
no further question would raise it.

If all legal states can be enumerated, the belief is exact. If they are too many, or the initial state is given, each
fact has its own probability (`memory.factored`), and the agent asks until it is certain enough of the facts that its
plan depends on. Published error rates weigh the answers about each predicate, and the agent updates them as it goes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agents.base import END, Agent, Graph, go
from agents.ground import ASKS, REASONS, unreadable
from agents.repair import possible_of
from agents.seek import Seeker, SeekState
from envs.base import Outcome, search_of
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


class BeliefState(SeekState, total=False):
    """The state of the graph. The belief is kept as an object; it is never serialised.

    `plan` holds the remaining steps; `depends` the facts they depend on, if these decide what is asked; `failing` the
    actions that have failed since the world last changed.
    """

    belief: Beliefs
    plan: tuple[Step, ...]
    depends: tuple[Literal, ...]
    failing: tuple[Step, ...]


@dataclass(frozen=True)
class Believer:
    """Thresholds of certainty, the number of questions, and the assumed rate of unnoticed slips.

    A candid world reports most slips. An action that fails `patience` times without any change counts as not legal:
    the believed state must be wrong.
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
        """Ask a few of the most informative questions, or plan if none is worth asking."""
        tools = runtime.context
        if search_of(tools.env) is not None:
            return go("perceive")
        belief = state["belief"] if "belief" in state else await asyncio.to_thread(self.blank, tools)
        if isinstance(belief, Factored):
            belief = belief.without((await tools.look()).impossible)
        facts = await self.questions_left(belief, state.get("depends"), tools)
        if not facts:
            return go("plan", BeliefState(belief=belief))
        answers = await tools.query(facts, phase=Phase.FREE, cot=self.cot)
        if unreadable(answers, tools):
            return go(END)
        belief = belief.with_answers({answer.atom: answer.yes for answer in answers})
        return go("ask" if isinstance(belief, Belief) else "plan", BeliefState(belief=belief))

    async def questions_left(
        self, belief: Beliefs, depends: tuple[Literal, ...] | None, tools: Toolbox
    ) -> tuple[Atom, ...]:
        """The facts to ask about next; none if the belief is certain enough."""
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
            # Without a plan, any fact may be wrong.
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
        """A plan, or None and the reason. A plan that still works is kept: another may undo its first steps."""
        if task.solved(task.init):
            return (), ""
        if old and task.fault(old) is None:
            return old, ""
        outcome = await tools.plan(task.init)
        return (outcome.plan if outcome.solved else None), outcome.message

    async def act(self, state: BeliefState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the action and update the belief with the outcome."""
        tools, belief, (step, *rest) = runtime.context, state["belief"], state["plan"]
        outcome = tools.act(step).outcome
        cleared = BeliefState(plan=tuple(rest), depends=())
        try:
            if outcome is Outcome.EXECUTED:
                return go("ask", {**cleared, "belief": belief.moved(step), "failing": ()})
            tools.replan(str(outcome))
            if outcome is not Outcome.FAILED:
                return go("ask", {**cleared, "belief": belief.refused(step)})
            unchanged = await tools.unchanged()
            failing = (*state.get("failing", ()), step) if unchanged else ()
            # With an exact belief the step is known to be legal.
            hopeless = isinstance(belief, Factored) and failing.count(step) >= self.patience
            learned = belief.refused(step) if hopeless else belief.failed(step, unchanged=unchanged)
            return go("ask", {**cleared, "belief": learned, "failing": failing})
        except Contradiction:
            tools.replan("nothing explains what happened")
            return go("ask", {**cleared, "belief": await asyncio.to_thread(self.blank, tools), "failing": ()})

    def blank(self, tools: Toolbox) -> Beliefs:
        """The initial belief, from the domain and the initial state if that is given."""
        env = tools.env
        # The first call is slow, so it runs in a thread and does not block other episodes.
        possible, slip = possible_of(env), self.slip_if_candid if env.candid else self.slip
        if isinstance(possible, LegalStates):
            return Belief.blank(possible, slip=slip)
        return Factored.from_prior(possible, env.prior, rates=published_rates(env.name), slip=slip)

    def graph(self) -> Graph:
        """Ask until certain enough, plan, act, and ask again."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(BeliefState, context_schema=Toolbox)
        graph.add_edge(START, "ask")
        seeker = Seeker(self.cot)
        graph.add_node("ask", self.ask, destinations=("ask", "plan", "perceive", END))
        graph.add_node("perceive", seeker.perceive, destinations=("intend", END))
        graph.add_node("intend", seeker.intend, destinations=("intend", "attempt", END))
        graph.add_node("attempt", seeker.attempt, destinations=("perceive",))
        graph.add_node("plan", self.plan, destinations=("act", "ask", END))
        graph.add_node("act", self.act, destinations=("ask",))
        return graph.compile()


AGENTS = (
    Agent(
        "ground_belief",
        "a belief over legal states, asking what is most informative",
        Believer().graph,
        prompts=ASKS,
    ),
    Agent("ground_belief_cot", "ground_belief, reasoning first", Believer(cot=True).graph, prompts=REASONS),
)

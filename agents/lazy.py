"""A grounder that asks only what its plan depends on.

`ground_lazy` plans from a guessed state, traces the goal back through the plan, and asks about the facts that the plan
depends on. If one does not hold, it believes the legal state that best explains all answers and plans again, until all
dependencies of a plan are confirmed. After an action it asks about those effects that the remaining plan depends on.
If an action does not work, it asks about all facts that involve its objects.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, go
from agents.ground import ASKS, REASONS, unknown, unreadable
from agents.repair import explained, possible_of, remembered, works
from envs.base import Outcome, Symbolic
from memory.repair import repair, undone, with_consequences
from planners.formula import Atom, Literal, State
from planners.support import support
from planners.task import Step, Task, updated
from tools.events import Phase, Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


class LazyState(TypedDict, total=False):
    """The state of the graph.

    `answers` are about the current picture. `settled` facts were asked and have not changed since. `remembered` facts
    have a weight when answers are repaired. `beside` are further facts to ask. `plan` is None if there is none, and
    empty if nothing is left to do. An `old` plan is resumed if it works after all.
    """

    belief: State
    plan: tuple[Step, ...] | None
    answers: Mapping[Atom, float]
    settled: frozenset[Atom]
    remembered: frozenset[Atom]
    beside: frozenset[Atom]
    refused: tuple[Step, ...]
    old: tuple[Step, ...]


@dataclass(frozen=True)
class Lazy:
    """The method: its nodes, and the graph of them."""

    cot: bool = False

    async def plan(self, state: LazyState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Plan from the belief, or at first a guess; without a plan, ask everything."""
        tools, env = runtime.context, runtime.context.env
        update = LazyState(belief=state["belief"]) if "belief" in state else await asyncio.to_thread(self.first, env)
        if works(state.get("old"), update["belief"], env):
            return go("ask", {**update, "plan": state["old"], "beside": frozenset()})
        outcome = await tools.plan(update["belief"])
        if outcome.solved:
            return go("ask", {**update, "plan": outcome.plan, "beside": frozenset()})
        seen, answers = await tools.look(), state.get("answers", {})
        unasked = frozenset(atom for atom in tools.facts if seen.shows(atom) and atom not in answers)
        if unasked:
            return go("ask", {**update, "plan": None, "beside": unasked})
        tools.end(Reason.NO_PLAN, outcome.message)
        return go(END, update)

    def first(self, env: Symbolic) -> LazyState:
        """The initial state if it is given, or else any possible state."""
        if env.prior is not None:
            every = frozenset(env.domain.atoms(env.objects))
            return LazyState(belief=env.prior, settled=every, remembered=every)
        return LazyState(belief=repair(possible_of(env), {}))

    async def ask(self, state: LazyState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask about unsettled facts that the plan depends on; if an answer is unexpected, revise the belief."""
        tools, env, plan = runtime.context, runtime.context.env, state["plan"]
        seen, answers = await tools.look(), state.get("answers", {})
        belief = state["belief"] - seen.impossible
        if plan is not None and belief != state["belief"]:
            # A believed fact turned out to be impossible; the plan may not depend on it.
            return go("plan", LazyState(belief=belief, old=plan))
        depends = support(Task(env.domain, env.objects, belief, env.goal), plan) if plan is not None else ()
        facts = [fact for fact in unknown(depends, tools) if fact.atom not in state.get("settled", frozenset())]
        facts += [Literal(atom, atom in belief) for atom in sorted(state.get("beside", ()))]
        unasked = [fact for fact in dict.fromkeys(facts) if seen.shows(fact.atom) and fact.atom not in answers]
        if not unasked and plan is not None:
            return self.decide(plan, tools)
        replies = await tools.query(unasked, phase=Phase.FREE, cot=self.cot)
        if unreadable(replies, tools):
            return go(END)
        update = LazyState(answers={**answers, **{answer.atom: answer.yes for answer in replies}})
        if plan is not None and all(answer.as_expected for answer in replies):
            return go("ask", update)
        believed = await asyncio.to_thread(self.explained, {**state, **update, "belief": belief}, env)
        # After one unexpected answer, everything that was not asked again is doubtful.
        same = believed == belief and plan is not None
        old = plan if plan is not None else state.get("old", ())
        return go("ask" if same else "plan", {**update, "belief": believed, "settled": frozenset(), "old": old})

    def decide(self, plan: tuple[Step, ...], tools: Toolbox) -> Command[str]:
        """All dependencies of the plan hold: act, or end if the plan is done or the steps are used up."""
        if plan and not tools.spent:
            return go("act")
        tools.end(Reason.STEP_LIMIT if plan else Reason.FINISHED)
        return go(END)

    def explained(self, state: LazyState, env: Symbolic) -> State:
        """The legal state that best explains answers, refusals and memory."""
        forgotten = frozenset(env.domain.atoms(env.objects)) - state.get("remembered", frozenset())
        kept = remembered(state["belief"], env, forgotten)
        return explained(env, state.get("answers", {}), refused=state.get("refused", ()), kept=kept)

    async def act(self, state: LazyState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the action; if it does not work, ask about its objects."""
        tools, plan, belief = runtime.context, state["plan"] or (), state["belief"]
        env, step = tools.env, plan[0]
        possible = await asyncio.to_thread(possible_of, env)
        effects = with_consequences(possible, env.domain.ground(step, env.objects).effects(belief))
        outcome = tools.act(step).outcome
        settled, remembered = state.get("settled", frozenset()), state.get("remembered", frozenset())
        asked, touched = frozenset(state.get("answers", {})), frozenset(effect.atom for effect in effects)
        if outcome is Outcome.EXECUTED:
            after = LazyState(
                belief=updated(belief, effects),
                plan=plan[1:],
                answers={},
                settled=(settled | asked) - touched,
                remembered=remembered | asked | touched,
                beside=frozenset(),
                refused=(),
            )
            return go("ask", after)
        if tools.spent:
            tools.end(Reason.STEP_LIMIT)
            return go(END)
        if outcome is Outcome.FAILED:
            tools.replan("failed")
            doubtful = LazyState(plan=None, old=plan, answers={}, refused=(), beside=touched, settled=frozenset())
            return go("ask", {**doubtful, "remembered": (remembered | asked) - undone(effects)})
        tools.replan("not legal")
        refused = (*state.get("refused", ()), step)
        beside = frozenset(about(step.args, tools.facts))
        return go("ask", LazyState(plan=None, refused=refused, beside=beside, settled=frozenset(), old=plan))

    def graph(self) -> Graph:
        """Plan, ask what the plan depends on, act, and ask again."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(LazyState, context_schema=Toolbox)
        graph.add_edge(START, "plan")
        graph.add_node("plan", self.plan, destinations=("ask", END))
        graph.add_node("ask", self.ask, destinations=("ask", "plan", "act", END))
        graph.add_node("act", self.act, destinations=("ask", END))
        return graph.compile()


def about(names: Iterable[str], facts: Iterable[Atom]) -> Iterable[Atom]:
    """The facts about any of the objects."""
    wanted = set(names)
    return (atom for atom in facts if wanted & set(atom.args))


AGENTS = (
    Agent("ground_lazy", "asks only what its plan depends on", Lazy().graph, prompts=ASKS),
    Agent("ground_lazy_cot", "ground_lazy, reasoning first", Lazy(cot=True).graph, prompts=REASONS),
)

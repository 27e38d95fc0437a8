"""A grounder that asks only what its plan depends on.

`ground_lazy` plans from a state that it merely guesses, traces the goal back through the plan, and asks about the
facts that the plan needs to be so. If one is not, it believes the legal state that explains all answers best and plans
again, until a plan is found whose needs are all confirmed. After an action it asks those of its effects that the rest
of the plan depends on. When an action does not work it asks more: all that concerns what it was about.
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
    """What goes from node to node.

    `answers` are about the picture of now. What is `settled` need not be asked: it was, and nothing happened to it.
    What is `remembered` weighs when answers are repaired. `beside` is asked beside what the plan depends on. No plan
    is None; one without steps is a plan. An `old` plan is gone back to if it works after all.
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
        """Plan from what is believed, or at first guessed; without a plan, ask everything."""
        tools, env = runtime.context, runtime.context.env
        update = LazyState(belief=state["belief"]) if "belief" in state else await asyncio.to_thread(self.first, env)
        if works(state.get("old"), update["belief"], env):
            return go("ask", {**update, "plan": state["old"], "beside": frozenset()})
        outcome = await tools.plan(update["belief"])
        if outcome.solved:
            return go("ask", {**update, "plan": outcome.plan, "beside": frozenset()})
        seen, answers = await tools.look(), state.get("answers", {})
        left = frozenset(atom for atom in tools.facts if seen.shows(atom) and atom not in answers)
        if left:
            return go("ask", {**update, "plan": None, "beside": left})
        tools.end(Reason.NO_PLAN, outcome.message)
        return go(END, update)

    def first(self, env: Symbolic) -> LazyState:
        """The state that the task gives at the start, or any possible state."""
        if env.prior is not None:
            every = frozenset(env.domain.atoms(env.objects))
            return LazyState(belief=env.prior, settled=every, remembered=every)
        return LazyState(belief=repair(possible_of(env), {}))

    async def ask(self, state: LazyState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask what the plan depends on and is not settled; if it is not as believed, believe otherwise."""
        tools, env, plan = runtime.context, runtime.context.env, state["plan"]
        seen, answers = await tools.look(), state.get("answers", {})
        belief = state["belief"] - seen.impossible
        if plan is not None and belief != state["belief"]:
            # What was hoped for is out of view; the plan may do without.
            return go("plan", LazyState(belief=belief, old=plan))
        depends = support(Task(env.domain, env.objects, belief, env.goal), plan) if plan is not None else ()
        facts = [fact for fact in unknown(depends, tools) if fact.atom not in state.get("settled", frozenset())]
        facts += [Literal(atom, atom in belief) for atom in sorted(state.get("beside", ()))]
        left = [fact for fact in dict.fromkeys(facts) if seen.shows(fact.atom) and fact.atom not in answers]
        if not left and plan is not None:
            return self.decide(plan, tools)
        said = await tools.query(left, phase=Phase.FREE, cot=self.cot)
        if unreadable(said, tools):
            return go(END)
        update = LazyState(answers={**answers, **{answer.atom: answer.yes for answer in said}})
        if plan is not None and all(answer.as_expected for answer in said):
            return go("ask", update)
        believed = await asyncio.to_thread(self.explained, {**state, **update, "belief": belief}, env)
        # One answer that is not as expected makes all that was not asked again doubtful.
        same = believed == belief and plan is not None
        old = plan if plan is not None else state.get("old", ())
        return go("ask" if same else "plan", {**update, "belief": believed, "settled": frozenset(), "old": old})

    def decide(self, plan: tuple[Step, ...], tools: Toolbox) -> Command[str]:
        """All the plan depends on is as it should be: go on with it, if there is anything to do and time to do it."""
        if plan and not tools.spent:
            return go("act")
        tools.end(Reason.STEP_LIMIT if plan else Reason.FINISHED)
        return go(END)

    def explained(self, state: LazyState, env: Symbolic) -> State:
        """The legal state that explains best what was answered, refused and remembered."""
        forgotten = frozenset(env.domain.atoms(env.objects)) - state.get("remembered", frozenset())
        kept = remembered(state["belief"], env, forgotten)
        return explained(env, state.get("answers", {}), refused=state.get("refused", ()), kept=kept)

    async def act(self, state: LazyState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the action; if it does not work, look closer at what it was about."""
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
    """The facts that speak of any of the objects."""
    wanted = set(names)
    return (atom for atom in facts if wanted & set(atom.args))


AGENTS = (
    Agent("ground_lazy", "asks only what its plan depends on", Lazy().graph, prompts=ASKS),
    Agent("ground_lazy_cot", "ground_lazy, reasoning first", Lazy(cot=True).graph, prompts=REASONS),
)

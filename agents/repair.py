"""A grounder that repairs its answers to the nearest legal state of the domain.

`ground_repair` asks every fact about a picture, as `ground` does, and believes the legal state that contradicts the
fewest answers. It does not ask about preconditions: they hold in the believed state, and the same question about the
same picture would only repeat the mistake. Effects are asked after each action. If they all hold in the legal state
that best explains the answers and the previous belief, a single odd answer does not matter; if not, everything is asked
and repaired again. A refused action is evidence too: the agent believes another state, in which it is not legal,
without asking again.

If the initial state is given, the agent remembers: its previous belief is weighed against new answers, by the published
error rates of each predicate.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from agents.base import END, Agent, Graph, go
from agents.ground import ASKS, REASONS, Grounder, GroundState, after_trouble, in_view, unreadable
from envs.base import Outcome, Symbolic, static_facts
from memory.belief import Contradiction
from memory.rates import Rates, published_rates
from memory.repair import repair, undone, with_consequences
from planners.formula import Atom, Literal, State, holds
from planners.possible import Possible, possible_states
from planners.task import Step, Task, updated
from tools.events import Phase, Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

KEPT = 3.0
"""The weight of a remembered fact, as log-odds: one in twenty is wrong by now."""
REMEMBERED = 1.0
"""Its weight without an initial state: about a third of an answer about the current picture."""


class RepairState(GroundState, total=False):
    """The answers about the current picture, the actions it does not allow, and facts that are not remembered."""

    answers: Mapping[Atom, float]
    refused: tuple[Step, ...]
    doubted: frozenset[Atom]


@dataclass(frozen=True)
class Repairer(Grounder):
    """`ground` with legal states only.

    `rates` are the error rates of answers about each predicate. By default all answers weigh the same, or by the
    published rates if the initial state is given.
    """

    rates: Rates | None = None
    planned: ClassVar[str] = "act"

    async def ground(self, state: RepairState, runtime: Runtime[Toolbox]) -> Command[str]:  # type: ignore[override]
        """Ask about every fact in view, once per picture, and believe the best legal state."""
        tools, env = runtime.context, runtime.context.env
        if "belief" not in state and env.prior is not None:
            return go("plan", RepairState(belief=env.prior))
        known, seen = state.get("answers", {}), await tools.look()
        if "belief" in state:
            state = {**state, "belief": state["belief"] - seen.impossible}
        facts = [atom for atom in tools.facts if seen.shows(atom) and atom not in known]
        replies = await tools.query(facts, phase=Phase.ENUMERATION, cot=self.cot)
        if unreadable(replies, tools):
            return go(END)
        answers = {**known, **{answer.atom: answer.yes for answer in replies}}
        # The first call is slow, so it runs in a thread and does not block other episodes.
        belief = await asyncio.to_thread(self.repaired, state, env, answers)
        return go("plan", RepairState(belief=belief, answers=answers))

    def repaired(self, state: RepairState, env: Symbolic, answers: Mapping[Atom, float]) -> State:
        """The legal state that best explains answers, refusals and, if the initial state was given, memory."""
        kept = remembered(state["belief"], env, state.get("doubted", frozenset())) if env.prior is not None else None
        return explained(env, answers, self.rates, refused=state.get("refused", ()), kept=kept)

    async def plan(self, state: RepairState, runtime: Runtime[Toolbox]) -> Command[str]:  # type: ignore[override]
        """Plan from the belief. A plan that still works is kept: another may undo its first steps."""
        if works(state.get("plan"), state["belief"], runtime.context.env):
            return go("act")
        return await super().plan(state, runtime)

    async def act(self, state: RepairState, runtime: Runtime[Toolbox]) -> Command[str]:  # type: ignore[override]
        """Attempt the action."""
        tools, step = runtime.context, state["plan"][0]
        expected = tools.env.domain.ground(step, tools.env.objects).effects(state["belief"])
        outcome = tools.act(step).outcome
        cleared = RepairState(answers={}, refused=(), doubted=frozenset())
        if outcome is Outcome.EXECUTED:
            return go("verify", {**cleared, "expected": expected})
        if outcome is Outcome.FAILED:
            return go(after_trouble(tools, "failed"), {**cleared, "doubted": undone(expected)})
        refused = (*state.get("refused", ()), step)
        return go(after_trouble(tools, "not legal"), RepairState(refused=refused))

    async def verify(self, state: RepairState, runtime: Runtime[Toolbox]) -> Command[str]:  # type: ignore[override]
        """Ask whether the action's effects hold, and continue the plan if they do."""
        tools, seen = runtime.context, await runtime.context.look()
        # Effects that the observation rules out need no question.
        expected = tuple(fact for fact in state["expected"] if fact.atom not in seen.impossible)
        replies = await tools.query(in_view(expected, seen), phase=Phase.EFFECT, cot=self.cot)
        if unreadable(replies, tools):
            return go(END)
        possible = await asyncio.to_thread(possible_of, tools.env)
        believed = updated(state["belief"], with_consequences(possible, expected))
        belief, rest = believed - seen.impossible, state["plan"][1:]
        answers = {answer.atom: answer.yes for answer in replies}
        if not await asyncio.to_thread(self.effects_hold, expected, belief, tools.env, answers):
            trouble = RepairState(belief=belief, plan=rest, answers=answers)
            return go(after_trouble(tools, "unexpected effect"), trouble)
        done = not rest and holds(tools.env.goal, belief, tools.env.objects)
        if done or tools.spent:
            tools.end(Reason.FINISHED if done else Reason.STEP_LIMIT)
            return go(END, RepairState(belief=belief))
        return go("plan", RepairState(belief=belief, plan=rest, answers=answers))

    def effects_hold(
        self, expected: tuple[Literal, ...], belief: State, env: Symbolic, answers: Mapping[Atom, float]
    ) -> bool:
        """Whether the effects hold in the legal state that best explains the answers and the previous belief."""
        return all_hold(explained(env, answers, self.rates, kept=remembered(belief, env)), expected)

    def graph(self) -> Graph:
        """Ground and repair, plan, then act and verify each action; ground again if something is unexpected."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(RepairState, context_schema=Toolbox)
        graph.add_edge(START, "ground")
        graph.add_node("ground", self.ground, destinations=("plan", END))
        graph.add_node("plan", self.plan, destinations=("act", END))
        graph.add_node("act", self.act, destinations=("verify", "ground", END))
        graph.add_node("verify", self.verify, destinations=("plan", "ground", END))
        return graph.compile()


def explained(
    env: Symbolic,
    answers: Mapping[Atom, float],
    rates: Rates | None = None,
    *,
    refused: tuple[Step, ...] = (),
    kept: Mapping[Atom, float] | None = None,
) -> State:
    """The legal state that best explains answers, refusals and memory."""
    known = rates or (Rates() if env.prior is None else published_rates(env.name))
    possible = possible_of(env)
    try:
        return repair(possible, answers, known, refused=refused, kept=kept)
    except Contradiction:
        # The world deviates from its domain: refusals are then no help.
        return repair(possible, answers, known, kept=kept)


def remembered(belief: State, env: Symbolic, doubted: frozenset[Atom] = frozenset()) -> dict[Atom, float]:
    """The previous belief as weights, without doubted facts."""
    weight = REMEMBERED if env.prior is None else KEPT
    facts = (atom for atom in env.domain.atoms(env.objects) if atom not in doubted)
    return {atom: weight if atom in belief else -weight for atom in facts}


def all_hold(state: State, facts: Iterable[Literal]) -> bool:
    """Whether all facts hold in a state."""
    return all((fact.atom in state) == fact.value for fact in facts)


def possible_of(env: Symbolic) -> Possible:
    """The possible states of the world, as far as an agent can know."""
    return possible_states(env.domain, env.objects, env.goal, env.prior, static_facts(env))


def works(plan: tuple[Step, ...] | None, belief: State, env: Symbolic) -> bool:
    """Whether the plan has steps and leads from the believed state to the goal."""
    return bool(plan) and Task(env.domain, env.objects, belief, env.goal).fault(plan or ()) is None


AGENTS = (
    Agent("ground_repair", "ground, with answers repaired to a legal state", Repairer().graph, prompts=ASKS),
    Agent("ground_repair_cot", "ground_repair, reasoning first", Repairer(cot=True).graph, prompts=REASONS),
)

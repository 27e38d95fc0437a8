"""A grounder that repairs its answers to the nearest state that the domain allows.

`ground_repair` asks every fact about a picture, as `ground` does, and believes the legal state that contradicts the
fewest answers. It asks no preconditions: in a legal state the plan's next action has them, and the same question
about the same picture would only bring the mistake back. Effects are asked after each action. If the legal state that
explains best what was answered, and what was believed before, has them all, an odd answer does not matter; if not,
everything is asked again, and repaired again. An action that the world refuses is evidence too: the state cannot be
one in which it would have been legal, so another one is believed, without asking again.

Where the agent is told the state at the start it remembers: what it believed before weighs against what it is told
now, as much as published error rates say that each predicate's answers are worth.
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
"""What a remembered fact weighs, as a logarithm of odds: one in twenty is wrong by now."""
REMEMBERED = 1.0
"""What it weighs where nothing was told at the start: beside an answer about the picture of now, about a third."""


class RepairState(GroundState, total=False):
    """What was answered about the picture of now, which actions it does not allow, and what cannot be remembered."""

    answers: Mapping[Atom, float]
    refused: tuple[Step, ...]
    doubted: frozenset[Atom]


@dataclass(frozen=True)
class Repairer(Grounder):
    """`ground` with legal states only.

    `rates` are how often answers about each predicate are wrong, from whoever knows. Without them all answers weigh the
    same where nothing is told at the start, and as published where the state is.
    """

    rates: Rates | None = None
    planned: ClassVar[str] = "act"

    async def ground(self, state: RepairState, runtime: Runtime[Toolbox]) -> Command[str]:  # type: ignore[override]
        """Ask about every fact in view, once for each picture, and believe the legal state that explains it best."""
        tools, env = runtime.context, runtime.context.env
        if "belief" not in state and env.prior is not None:
            return go("plan", RepairState(belief=env.prior))
        known, seen = state.get("answers", {}), await tools.look()
        if "belief" in state:
            state = {**state, "belief": state["belief"] - seen.impossible}
        facts = [atom for atom in tools.facts if seen.shows(atom) and atom not in known]
        said = await tools.query(facts, phase=Phase.ENUMERATION, cot=self.cot)
        if unreadable(said, tools):
            return go(END)
        answers = {**known, **{answer.atom: answer.yes for answer in said}}
        # Finding out what is possible takes a moment the first time; other episodes go on meanwhile.
        belief = await asyncio.to_thread(self.repaired, state, env, answers)
        return go("plan", RepairState(belief=belief, answers=answers))

    def repaired(self, state: RepairState, env: Symbolic, answers: Mapping[Atom, float]) -> State:
        """The legal state that explains best what was answered, refused and, if the start was told, remembered."""
        kept = remembered(state["belief"], env, state.get("doubted", frozenset())) if env.prior is not None else None
        return explained(env, answers, self.rates, refused=state.get("refused", ()), kept=kept)

    async def plan(self, state: RepairState, runtime: Runtime[Toolbox]) -> Command[str]:  # type: ignore[override]
        """Plan from what is believed. A plan that still works is kept: another may undo what it has begun."""
        if works(state.get("plan"), state["belief"], runtime.context.env):
            return go("act")
        return await super().plan(state, runtime)

    async def act(self, state: RepairState, runtime: Runtime[Toolbox]) -> Command[str]:  # type: ignore[override]
        """Attempt the action."""
        tools, step = runtime.context, state["plan"][0]
        expected = tools.env.domain.ground(step, tools.env.objects).effects(state["belief"])
        outcome = tools.act(step).outcome
        anew = RepairState(answers={}, refused=(), doubted=frozenset())
        if outcome is Outcome.EXECUTED:
            return go("verify", {**anew, "expected": expected})
        if outcome is Outcome.FAILED:
            return go(after_trouble(tools, "failed"), {**anew, "doubted": undone(expected)})
        refused = (*state.get("refused", ()), step)
        return go(after_trouble(tools, "not legal"), RepairState(refused=refused))

    async def verify(self, state: RepairState, runtime: Runtime[Toolbox]) -> Command[str]:  # type: ignore[override]
        """Ask whether the action's effects are there, and go on as the domain says if they are."""
        tools, seen = runtime.context, await runtime.context.look()
        # What is out of view and was hoped for has not come about; there is nothing to ask.
        expected = tuple(fact for fact in state["expected"] if fact.atom not in seen.impossible)
        said = await tools.query(in_view(expected, seen), phase=Phase.EFFECT, cot=self.cot)
        if unreadable(said, tools):
            return go(END)
        possible = await asyncio.to_thread(possible_of, tools.env)
        believed = updated(state["belief"], with_consequences(possible, expected))
        belief, left = believed - seen.impossible, state["plan"][1:]
        answers = {answer.atom: answer.yes for answer in said}
        if not await asyncio.to_thread(self.borne_out, expected, belief, tools.env, answers):
            trouble = RepairState(belief=belief, plan=left, answers=answers)
            return go(after_trouble(tools, "unexpected effect"), trouble)
        done = not left and holds(tools.env.goal, belief, tools.env.objects)
        if done or tools.spent:
            tools.end(Reason.FINISHED if done else Reason.STEP_LIMIT)
            return go(END, RepairState(belief=belief))
        return go("plan", RepairState(belief=belief, plan=left, answers=answers))

    def borne_out(
        self, expected: tuple[Literal, ...], belief: State, env: Symbolic, answers: Mapping[Atom, float]
    ) -> bool:
        """Whether effects are to be believed, all in all: by the answers, the laws, and what was believed before."""
        return has(explained(env, answers, self.rates, kept=remembered(belief, env)), expected)

    def graph(self) -> Graph:
        """Ground and repair, plan, then act and verify each action, and back to ground when something is off."""
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
    """The legal state that explains best what was answered, refused and remembered."""
    known = rates or (Rates() if env.prior is None else published_rates(env.name))
    possible = possible_of(env)
    try:
        return repair(possible, answers, known, refused=refused, kept=kept)
    except Contradiction:
        # The world is not quite as its domain says: what it refused is then no help.
        return repair(possible, answers, known, kept=kept)


def remembered(belief: State, env: Symbolic, doubted: frozenset[Atom] = frozenset()) -> dict[Atom, float]:
    """What was believed before, as weights; nothing of what is doubted."""
    weight = REMEMBERED if env.prior is None else KEPT
    facts = (atom for atom in env.domain.atoms(env.objects) if atom not in doubted)
    return {atom: weight if atom in belief else -weight for atom in facts}


def has(state: State, facts: Iterable[Literal]) -> bool:
    """Whether the facts are so in a state."""
    return all((fact.atom in state) == fact.value for fact in facts)


def possible_of(env: Symbolic) -> Possible:
    """What states the world can be in, as far as an agent can know."""
    return possible_states(env.domain, env.objects, env.goal, env.prior, static_facts(env))


def works(plan: tuple[Step, ...] | None, belief: State, env: Symbolic) -> bool:
    """Whether there is something left of a plan that leads from the believed state to the goal."""
    return bool(plan) and Task(env.domain, env.objects, belief, env.goal).fault(plan or ()) is None


AGENTS = (
    Agent("ground_repair", "ground, with answers repaired to a legal state", Repairer().graph, prompts=ASKS),
    Agent("ground_repair_cot", "ground_repair, reasoning first", Repairer(cot=True).graph, prompts=REASONS),
)

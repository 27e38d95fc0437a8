"""Search by trying: no action is described to this agent, it learns what they do from what it sees.

`search` is given the predicates, the objects, the goal, and the names of the actions with the types of their
parameters, but neither preconditions nor effects. It asks yes or no about the facts, tries an action, asks again, and
keeps what it learns (`memory/effects.py`). With that it searches for the goal, by novelty and by the number of goals
that are open (`planners/novelty.py`). If nothing leads there yet, it tries an action in a situation in which it never
tried one, such that concern the open goals first. After an action whose outcome it expected it asks only about the
objects of the action and the expected changes; if an answer is unexpected, about everything."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, go
from agents.ground import ASKS, believed, unreadable
from envs.base import Outcome, Symbolic
from memory.effects import EffectModel
from planners.formula import Atom, State, holds, literals
from planners.novelty import best_path
from planners.task import Step
from tools.events import Phase, Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

MOST = 3_000
"""How many expected states are looked at before an action."""


class SearchState(TypedDict, total=False):
    """The state of the graph.

    `before` is the belief before the last action, `refused` what did not work since. `plan` begins with the next
    action; it is followed as long as everything goes as expected."""

    belief: State
    model: EffectModel
    plan: tuple[Step, ...]
    before: State
    executed: bool
    refused: frozenset[Step]


@dataclass(frozen=True)
class Searcher:
    """The method: its nodes, and the graph of them."""

    cot: bool = False

    async def observe(self, state: SearchState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask about the facts, and learn from what has changed."""
        tools = runtime.context
        if "belief" not in state:
            return await self._first(tools)
        model, (step, *rest), before = state["model"], state["plan"], state["before"]
        if not state["executed"] or await tools.unchanged():
            return go("choose", SearchState(plan=()))
        expected = model.expected(before, step)
        facts = list(askable(tools))
        near = facts if expected is None else [atom for atom in facts if concerns(atom, step, before ^ expected)]
        belief = await self._asked(near, state["belief"], tools)
        if belief is None:
            return go(END)
        as_expected = expected is not None and all((atom in belief) == (atom in expected) for atom in near)
        if expected is not None and not as_expected:
            asked = set(near)
            belief = await self._asked([atom for atom in facts if atom not in asked], belief, tools)
            if belief is None:
                return go(END)
        model.saw(before, step, belief)
        plan = tuple(rest) if as_expected else ()
        return go("choose", SearchState(belief=belief, refused=frozenset(), plan=plan))

    async def _first(self, tools: Toolbox) -> Command[str]:
        """The belief at the beginning: the initial state if it is given, else the answers about all facts."""
        static = tools.static or frozenset()
        model = EffectModel(tools.env.objects, {atom.predicate for atom in stated(tools)})
        if tools.env.prior is not None:
            return go("choose", SearchState(belief=tools.env.prior, model=model, refused=frozenset()))
        belief = await self._asked(list(askable(tools)), static, tools)
        return go(END) if belief is None else go("choose", SearchState(belief=belief, model=model, refused=frozenset()))

    async def _asked(self, facts: list[Atom], belief: State, tools: Toolbox) -> State | None:
        """The belief after asking the facts that are in view; None if the episode has ended."""
        seen = await tools.look()
        wanted = [atom for atom in facts if seen.shows(atom)]
        answers = await tools.query(wanted, phase=Phase.ENUMERATION, cot=self.cot)
        if unreadable(answers, tools):
            return None
        return believed(belief - seen.impossible, answers)

    async def choose(self, state: SearchState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Choose an action: towards the goal if a way is known, else one to learn from."""
        tools, belief = runtime.context, state["belief"]
        env = tools.env
        if holds(env.goal, belief, env.objects):
            tools.end(Reason.FINISHED, "the goal is believed to hold")
            return go(END)
        if state.get("plan"):
            return go("act")
        plan = await asyncio.to_thread(chosen, env, state["model"], belief, state["refused"])
        if plan:
            return go("act", SearchState(plan=plan))
        tools.end(Reason.NO_PLAN, "every action was refused here")
        return go(END)

    async def act(self, state: SearchState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the action, and learn from a refusal."""
        tools, step, belief = runtime.context, state["plan"][0], state["belief"]
        stepped = tools.act(step)
        if stepped.terminated or tools.spent:
            tools.end(Reason.FINISHED if stepped.terminated else Reason.STEP_LIMIT, announced=stepped.terminated)
            return go(END)
        executed = stepped.outcome in (Outcome.EXECUTED, Outcome.FAILED)
        refused = state["refused"]
        if stepped.outcome is not Outcome.EXECUTED:
            refused |= {step}
        if not executed:
            state["model"].refused(belief, step)
        return go("observe", SearchState(before=belief, executed=executed, refused=refused))

    def graph(self) -> Graph:
        """Observe, choose and act, until the goal is reached or the steps are used up."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(SearchState, context_schema=Toolbox)
        graph.add_edge(START, "observe")
        graph.add_node("observe", self.observe, destinations=("choose", END))
        graph.add_node("choose", self.choose, destinations=("act", END))
        graph.add_node("act", self.act, destinations=("observe", END))
        return graph.compile()


def stated(tools: Toolbox) -> State:
    """The facts that the world states never to change."""
    return tools.static or frozenset()


def askable(tools: Toolbox) -> Iterator[Atom]:
    """All facts but those of predicates with stated facts, and relations of a thing to itself.

    Which other facts never change would only be known from the actions.
    """
    env, known = tools.env, {atom.predicate for atom in stated(tools)}
    for atom in env.domain.atoms(env.objects):
        if atom.predicate not in known and len(set(atom.args)) == len(atom.args):
            yield atom


def concerns(atom: Atom, step: Step, changes: Iterable[Atom]) -> bool:
    """Whether a fact is about an argument of an action, or expected to change."""
    return atom in changes or not set(step.args).isdisjoint(atom.args)


def steps_of(env: Symbolic) -> list[Step]:
    """All actions with arguments of the right types, each object at most once."""
    return [
        Step(action.name, tuple(binding.values()))
        for action in env.domain.actions.values()
        for binding in env.objects.bindings(action.parameters)
        if len(set(binding.values())) == len(binding)
    ]


def chosen(env: Symbolic, model: EffectModel, belief: State, refused: frozenset[Step]) -> tuple[Step, ...]:
    """The next actions: a way to the goal, or one to learn from; empty if all were refused in this state."""
    steps = [step for step in steps_of(env) if step not in refused]
    wanted = list(literals(env.goal, env.objects))

    def unmet(state: State) -> int:
        return sum((fact.atom in state) != fact.value for fact in wanted) or int(
            not holds(env.goal, state, env.objects)
        )

    def successors(state: State) -> Iterator[tuple[Step, State]]:
        for step in steps if state == belief else steps_of(env):
            after = model.expected(state, step)
            if after is not None and after != state:
                yield step, after

    path = best_path(belief, successors, unmet, most=MOST)
    if path.steps and path.unmet == 0:
        return path.steps
    open_goals = {arg for fact in wanted if (fact.atom in belief) != fact.value for arg in fact.atom.args}
    possible = [step for step in steps if not model.impossible(belief, step)]
    fresh = [step for step in possible if model.tries(belief, step) == 0]
    if fresh:
        return (max(fresh, key=lambda step: (model.rate(step.action), len(open_goals.intersection(step.args)))),)
    if path.steps:
        return path.steps
    rarest = min(possible or steps, key=lambda step: model.tries(belief, step), default=None)
    return (rarest,) if rarest else ()


AGENTS = (
    Agent(
        "search",
        "no action model: learns by trying, searches by novelty",
        Searcher().graph,
        "planner",
        prompts=ASKS,
        plans=False,
    ),
)

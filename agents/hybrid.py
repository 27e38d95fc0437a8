"""An agent with two ways to go on, and a record of how each has fared: the model decides, or the planner does.

`hybrid` plans with a symbolic planner from what the model answers, or asks the model for the next action, as `action`
does. What the planner plans from is a legal state, the one that explains best what was answered about this picture,
remembered from earlier ones and refused by the world, whoever tried it: what one way finds out the other one knows.
An action is called off, and an effect missed, if that state says so, not for a single answer.

Each turn it takes the way it trusts more: the one whose actions were more often carried out as they should, and less
often called off, refused or without the effects they should have had. What the model has done also counts against it
if it leads back to where one has been before. The last few turns count most. Both begin with the same trust. Where the
state at the start is told (at home) the model has the first turn, elsewhere the planner: that is where each did better
in the papers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from agents.base import END, Agent, Graph, go
from agents.ground import in_view, unknown, unread
from agents.repair import explained, has, possible_of, remembered, works
from envs.base import Outcome, Symbolic
from memory.repair import undone, with_consequences
from models.base import Kind
from models.parsing import Proposal
from planners.formula import Atom, Literal, State, holds
from planners.task import Step, updated
from tools.events import Phase, Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

MODEL, PLANNER = "propose", "ground"
"""The two ways, by the nodes they begin with."""


FADES = 0.7
"""What a turn still counts for after the next one."""


class Fared(NamedTuple):
    """How often a way worked of late and how often it did not."""

    well: float = 0.0
    badly: float = 0.0

    @property
    def trust(self) -> float:
        """How often it will work, by Laplace's rule of succession."""
        return (self.well + 1) / (self.well + self.badly + 2)


class HybridState(TypedDict, total=False):
    """What goes from node to node. `way` is the one taken last; `stuck` are those that lead nowhere from here.

    `answers` are about the picture of now and `refused` is what it does not allow; what is `doubted` is not remembered.
    `been` are the states that it believed to be in before.
    """

    record: Mapping[str, Fared]
    way: str
    stuck: frozenset[str]
    belief: State
    answers: Mapping[Atom, float]
    refused: tuple[Step, ...]
    doubted: frozenset[Atom]
    been: frozenset[State]
    plan: tuple[Step, ...]
    expected: tuple[Literal, ...]
    history: list[dict[str, object]]
    fault: tuple[Reason, str]


@dataclass(frozen=True)
class Hybrid:
    """The method: its nodes, and the graph of them."""

    cot: bool = False

    async def choose(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Take the way that is trusted more; of equals the other one than last time."""
        tools = runtime.context
        if tools.spent:
            tools.end(Reason.STEP_LIMIT)
            return go(END)
        first = PLANNER if tools.env.prior is None else MODEL
        order = (first, MODEL if first == PLANNER else PLANNER)
        if state.get("way") == first:
            order = order[::-1]
        record, stuck = state.get("record", {}), state.get("stuck", frozenset())
        ways = [way for way in order if way not in stuck]
        if not ways:
            reason, detail = state.get("fault", (Reason.NO_PLAN, "neither the planner nor the model goes on"))
            tools.end(reason, detail)
            return go(END)
        way = max(ways, key=lambda one: record.get(one, Fared()).trust)
        return go(way, HybridState(way=way))

    async def ground(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask what was not asked yet of all in view, and plan; at the start, from what the agent is told."""
        tools, env = runtime.context, runtime.context.env
        if "belief" not in state and env.prior is not None:
            update = HybridState(belief=env.prior)
        else:
            facts = [Literal(atom, atom in state.get("belief", ())) for atom in tools.facts]
            heard = await self.asked(state, facts, Phase.ENUMERATION, tools)
            if "fault" in heard:
                return go("choose", {**heard, **stuck(state, PLANNER)})
            update = heard
        if works(state.get("plan"), update["belief"], env):
            return go("check", update)
        outcome = await tools.plan(update["belief"])
        if outcome.plan:
            return go("check", {**update, "plan": outcome.plan})
        if outcome.solved:
            tools.end(Reason.FINISHED, "the goal is believed to hold")
            return go(END, update)
        return go("choose", {**update, **stuck(state, PLANNER), "fault": (Reason.NO_PLAN, outcome.message)})

    async def asked(self, state: HybridState, facts: Iterable[Literal], phase: Phase, tools: Toolbox) -> HybridState:
        """What is believed after asking those facts that are in view and were not asked yet of this picture.

        A `fault` if an answer cannot be read.
        """
        known, seen = state.get("answers", {}), await tools.look()
        wanted = [fact for fact in in_view(unknown(tuple(facts), tools), seen) if fact.atom not in known]
        said = await tools.query(wanted, phase=phase, cot=self.cot)
        if wrong := unread(said):
            return HybridState(fault=wrong)
        heard = HybridState(answers={**known, **{answer.atom: answer.yes for answer in said}})
        if "belief" in state:
            state = {**state, "belief": state["belief"] - seen.impossible}
        believed = await asyncio.to_thread(judged, {**state, **heard}, tools.env)
        return {**heard, "belief": believed - seen.impossible}

    async def check(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask whether the next action's preconditions hold, and call it off if one is then believed not to."""
        tools, step = runtime.context, state["plan"][0]
        action, seen = tools.env.domain.ground(step, tools.env.objects), await tools.look()
        if any(fact.value and fact.atom in seen.impossible for fact in action.preconditions()):
            # What it needs is out of view, so there is nothing to ask and nothing to call off.
            return go("ground")
        heard = await self.asked(state, action.preconditions(), Phase.PRECONDITION, tools)
        if "fault" in heard:
            return go("choose", {**heard, **stuck(state, PLANNER)})
        belief = heard["belief"]
        if action.applicable(belief):
            return go("act", {**heard, "expected": action.effects(belief)})
        tools.call_off(step, [fact for fact in action.preconditions() if (fact.atom in belief) != fact.value])
        tools.replan("called off")
        return go("choose", {**heard, **fared(state, PLANNER, well=False)})

    async def act(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the planner's action."""
        tools, step = runtime.context, state["plan"][0]
        outcome = tools.act(step).outcome
        told = HybridState(history=[*state.get("history", []), entry(tools, step, outcome)])
        update = {**told, **await asyncio.to_thread(after, state, step, outcome, tools.env)}
        if outcome is Outcome.EXECUTED:
            return go("verify", {**update, "plan": state["plan"][1:]})
        tools.replan(str(outcome))
        return go("choose", {**update, **fared(state, PLANNER, well=False)})

    async def verify(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask whether the effects are there; as long as they are believed to be, go on with the plan."""
        tools, expected = runtime.context, state["expected"]
        heard = await self.asked(state, expected, Phase.EFFECT, tools)
        if "fault" in heard:
            return go("choose", {**heard, **stuck(state, PLANNER)})
        belief, left, seen = heard["belief"], state["plan"], await tools.look()
        well = has(belief, (fact for fact in expected if fact.atom not in seen.impossible))
        if well and not left and holds(tools.env.goal, belief, tools.env.objects):
            tools.end(Reason.FINISHED)
            return go(END, heard)
        if well and left and not tools.spent:
            return go("check", {**heard, **fared(state, PLANNER, well=True)})
        if not well:
            tools.replan("unexpected effect")
        return go("choose", {**heard, **fared(state, PLANNER, well=well)})

    async def propose(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Have the model say what to do, and do it."""
        tools, history = runtime.context, state.get("history", [])
        wanted = await tools.propose(Kind.ACTION, history, cot=self.cot)
        if not wanted.actions:
            reason = Reason.TRUNCATED if wanted.truncated else Reason.UNREADABLE
            return go("choose", {**stuck(state, MODEL), "fault": (reason, wanted.fault)})
        proposal = wanted.actions[0]
        stepped = tools.act(proposal.step) if proposal.step is not None else None
        outcome = stepped.outcome if stepped else tools.refuse(proposal)
        told = tools.outcome_text((stepped and stepped.told) or outcome, proposal)
        said = {"action": proposal.action, "parameters": proposal.parameters, "outcome": told}
        update = HybridState(history=[*history, said])
        if proposal.step is not None:
            update |= await asyncio.to_thread(after, state, proposal.step, outcome, tools.env)
        new = update.get("belief") is None or update["belief"] not in update.get("been", frozenset())
        update |= fared(state, MODEL, well=outcome is Outcome.EXECUTED and new)
        if stepped and stepped.terminated:
            tools.end(Reason.FINISHED)
            return go(END, update)
        return go("choose", update)

    def graph(self) -> Graph:
        """Choose a way, go it as long as it works, and choose again."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(HybridState, context_schema=Toolbox)
        graph.add_edge(START, "choose")
        graph.add_node("choose", self.choose, destinations=("ground", "propose", END))
        graph.add_node("ground", self.ground, destinations=("check", "choose", END))
        graph.add_node("check", self.check, destinations=("act", "ground", "choose"))
        graph.add_node("act", self.act, destinations=("verify", "choose"))
        graph.add_node("verify", self.verify, destinations=("check", "choose", END))
        graph.add_node("propose", self.propose, destinations=("choose", END))
        return graph.compile()


def judged(state: HybridState, env: Symbolic) -> State:
    """The legal state that explains best what was answered, refused and remembered."""
    kept = remembered(state["belief"], env, state.get("doubted", frozenset())) if "belief" in state else None
    return explained(env, state.get("answers", {}), refused=state.get("refused", ()), kept=kept)


def after(state: HybridState, step: Step, outcome: Outcome, env: Symbolic) -> HybridState:
    """What is known once an action was tried, by whichever way: nobody was asked yet about what it left."""
    if env.domain.check(step, env.objects):
        # What makes no sense is refused in every state: that tells nothing of this one.
        return HybridState()
    if outcome not in (Outcome.EXECUTED, Outcome.FAILED):
        return HybridState(refused=(*state.get("refused", ()), step), stuck=frozenset())
    anew = HybridState(answers={}, refused=(), doubted=frozenset(), stuck=frozenset())
    belief = state.get("belief", env.prior)
    if belief is None:
        return anew
    effects = with_consequences(possible_of(env), env.domain.ground(step, env.objects).effects(belief))
    been = state.get("been", frozenset()) | {belief}
    if outcome is Outcome.EXECUTED:
        return {**anew, "belief": updated(belief, effects), "been": been}
    return {**anew, "belief": belief, "doubted": undone(effects)}


def fared(state: HybridState, way: str, *, well: bool) -> HybridState:
    """The record with one more turn of a way."""
    record = state.get("record", {})
    so_far = record.get(way, Fared())
    now = Fared(FADES * so_far.well + well, FADES * so_far.badly + (not well))
    return HybridState(record={**record, way: now})


def stuck(state: HybridState, way: str) -> HybridState:
    """The record of a way that did not work, and that asks the same again as long as nothing happens."""
    return HybridState(**fared(state, way, well=False), stuck=state.get("stuck", frozenset()) | {way})


def entry(tools: Toolbox, step: Step, outcome: Outcome) -> dict[str, object]:
    """An attempt of the planner's, in the form in which the model reads its own."""
    names = tools.env.signatures[step.action]
    parameters = dict(zip(names, step.args, strict=True))
    told = tools.outcome_text(outcome, Proposal(step.action, parameters, step))
    return {"action": step.action, "parameters": parameters, "outcome": told}


AGENTS = (
    Agent("hybrid", "planner or model, whichever has fared better", Hybrid().graph, prompts=("yes_no", "action")),
    Agent("hybrid_cot", "hybrid, reasoning first", Hybrid(cot=True).graph, prompts=("yes_no_cot", "action_cot")),
)

"""An agent with two ways to go on, and a record of how each has fared: the model decides, or the planner does.

`hybrid` plans with a symbolic planner from what the model answers, as `ground` does, or asks the model for the next
action, as `action` does. Each turn it takes the way it trusts more: the one whose actions were more often carried out
as they should, and less often called off, refused or without the effects they should have had. Both begin with the same
trust. Where the state at the start is told (at home) the model has the first turn, elsewhere the planner: that is
where each did better in the papers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from agents.base import END, Agent, Graph, go
from agents.ground import believed, in_view
from envs.base import Outcome
from models.base import Kind
from planners.formula import Literal, State
from planners.task import Step, updated
from tools.events import Phase, Reason
from tools.toolbox import Answer, Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

MODEL, PLANNER = "propose", "ground"
"""The two ways, by the nodes they begin with."""


class Fared(NamedTuple):
    """How often a way worked and how often it did not."""

    well: int = 0
    badly: int = 0

    @property
    def trust(self) -> float:
        """How often it will work, by Laplace's rule of succession."""
        return (self.well + 1) / (self.well + self.badly + 2)


class HybridState(TypedDict, total=False):
    """What goes from node to node. `way` is the one taken last; `stuck` are those that lead nowhere from here."""

    record: Mapping[str, Fared]
    way: str
    stuck: frozenset[str]
    belief: State
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
        """Ask about every fact in view and plan from the answers; at the start, from what the agent is told."""
        tools, env = runtime.context, runtime.context.env
        if "belief" not in state and env.prior is not None:
            belief = env.prior
        else:
            seen = await tools.look()
            facts = [atom for atom in env.domain.atoms(env.objects) if seen.shows(atom)]
            answers = await tools.query(facts, phase=Phase.ENUMERATION, cot=self.cot)
            if wrong := unread(answers):
                return go("choose", {**stuck(state, PLANNER), "fault": wrong})
            belief = believed(state.get("belief", frozenset()) if seen.unseen is None else seen.unseen, answers)
        outcome = await tools.plan(belief)
        if outcome.plan:
            return go("check", HybridState(belief=belief, plan=outcome.plan))
        if outcome.solved:
            tools.end(Reason.FINISHED, "the goal is believed to hold")
            return go(END, HybridState(belief=belief))
        return go("choose", {**stuck(state, PLANNER), "belief": belief, "fault": (Reason.NO_PLAN, outcome.message)})

    async def check(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask whether the next action's preconditions hold, and call it off if one does not."""
        tools, step = runtime.context, state["plan"][0]
        action = tools.env.domain.ground(step, tools.env.objects)
        wanted = in_view(action.preconditions(), await tools.look())
        answers = await tools.query(wanted, phase=Phase.PRECONDITION, cot=self.cot)
        if wrong := unread(answers):
            return go("choose", {**stuck(state, PLANNER), "fault": wrong})
        belief = believed(state["belief"], answers)
        unmet = [Literal(answer.atom, bool(answer.expected)) for answer in answers if not answer.as_expected]
        if not unmet:
            return go("act", HybridState(belief=belief, expected=action.effects(belief)))
        tools.call_off(step, unmet)
        tools.replan("called off")
        return go("choose", {**fared(state, PLANNER, well=False), "belief": belief})

    async def act(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the planner's action."""
        tools, step = runtime.context, state["plan"][0]
        outcome = tools.act(step).outcome
        told = HybridState(history=[*state.get("history", []), entry(tools, step, outcome)])
        if outcome is Outcome.EXECUTED:
            return go("verify", {**told, "stuck": frozenset()})
        tools.replan(str(outcome))
        if outcome is Outcome.FAILED:
            return go("choose", {**told, **fared(state, PLANNER, well=False), "stuck": frozenset()})
        return go("choose", {**told, **stuck(state, PLANNER)})

    async def verify(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask whether the effects are there; as long as they are, go on with the plan."""
        tools, expected = runtime.context, state["expected"]
        answers = await tools.query(in_view(expected, await tools.look()), phase=Phase.EFFECT, cot=self.cot)
        if wrong := unread(answers):
            return go("choose", {**stuck(state, PLANNER), "fault": wrong})
        belief = believed(updated(state["belief"], expected), answers)
        well, left = all(answer.as_expected for answer in answers), state["plan"][1:]
        if well and not left:
            tools.end(Reason.FINISHED)
            return go(END, HybridState(belief=belief))
        if well and not tools.spent:
            return go("check", {**fared(state, PLANNER, well=True), "belief": belief, "plan": left})
        if not well:
            tools.replan("unexpected effect")
        return go("choose", {**fared(state, PLANNER, well=well), "belief": belief})

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
        if stepped and stepped.terminated:
            tools.end(Reason.FINISHED)
            return go(END)
        said = {"action": proposal.action, "parameters": proposal.parameters, "outcome": str(outcome)}
        update = {**fared(state, MODEL, well=outcome is Outcome.EXECUTED), "history": [*history, said]}
        if outcome not in (Outcome.EXECUTED, Outcome.FAILED):
            return go("choose", update)
        # The world has changed and nobody was asked about it.
        return go(
            "choose", {**update, "stuck": frozenset(), "belief": state.get("belief", tools.env.prior or frozenset())}
        )

    def graph(self) -> Graph:
        """Choose a way, go it as long as it works, and choose again."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(HybridState, context_schema=Toolbox)
        graph.add_edge(START, "choose")
        graph.add_node("choose", self.choose, destinations=("ground", "propose", END))
        graph.add_node("ground", self.ground, destinations=("check", "choose", END))
        graph.add_node("check", self.check, destinations=("act", "choose"))
        graph.add_node("act", self.act, destinations=("verify", "choose"))
        graph.add_node("verify", self.verify, destinations=("check", "choose", END))
        graph.add_node("propose", self.propose, destinations=("choose", END))
        return graph.compile()


def fared(state: HybridState, way: str, *, well: bool) -> HybridState:
    """The record with one more turn of a way."""
    record = state.get("record", {})
    so_far = record.get(way, Fared())
    now = Fared(so_far.well + well, so_far.badly + (not well))
    return HybridState(record={**record, way: now})


def stuck(state: HybridState, way: str) -> HybridState:
    """The record of a way that did not work, and that asks the same again as long as nothing happens."""
    return HybridState(**fared(state, way, well=False), stuck=state.get("stuck", frozenset()) | {way})


def unread(answers: list[Answer]) -> tuple[Reason, str] | None:
    """What is wrong with the first answer that could not be read."""
    first = next((answer for answer in answers if answer.value is None), None)
    if first is None:
        return None
    return (Reason.TRUNCATED if first.truncated else Reason.UNREADABLE), f"{first.atom}: {first.fault}"


def entry(tools: Toolbox, step: Step, outcome: Outcome) -> dict[str, object]:
    """An attempt of the planner's as the model is told of its own."""
    names = tools.env.signatures[step.action]
    parameters = dict(zip(names, step.args, strict=True))
    return {"action": step.action, "parameters": parameters, "outcome": str(outcome)}


AGENTS = (
    Agent("hybrid", "planner or model, whichever has fared better", Hybrid().graph, prompts=("yes_no", "action")),
    Agent("hybrid_cot", "hybrid, reasoning first", Hybrid(cot=True).graph, prompts=("yes_no_cot", "action_cot")),
)

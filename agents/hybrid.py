"""An agent with two strategies and a track record of each: the model decides, or the planner does.

`hybrid` plans with a symbolic planner from the model's answers, or asks the model for the next action, as `action`
does. The planner starts from the legal state that best explains the answers about this picture, the memory of earlier
ones and the refusals of the world; both strategies share it. An action is called off, and an effect counts as missing,
if that state says so, not because of a single answer.

Each turn it takes the strategy it trusts more: the one whose actions more often had the expected effects, and were less
often called off or refused. An action of the model that leads back to an earlier state counts against it. The last few
turns count most. Both start with the same trust. If the initial state is given (at home), the model goes first,
otherwise the planner: in the papers each did better there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from agents.base import END, Agent, Graph, go
from agents.direct import says_done
from agents.ground import in_view, unknown, unread
from agents.repair import all_hold, explained, possible_of, remembered, works
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
"""The two strategies, by their first nodes."""


DECAY = 0.7
"""The factor by which the weight of a turn falls with every later turn."""


class TrackRecord(NamedTuple):
    """How often a strategy worked lately, and how often it failed."""

    worked: float = 0.0
    failed: float = 0.0

    @property
    def trust(self) -> float:
        """The expected rate of success, by Laplace's rule of succession."""
        return (self.worked + 1) / (self.worked + self.failed + 2)


class HybridState(TypedDict, total=False):
    """The state of the graph. `way` is the strategy taken last; `stuck` are those that cannot continue from here.

    `answers` are about the current picture and `refused` are the actions it does not allow; `doubted` facts are not
    remembered. `been` are the states believed earlier.
    """

    record: Mapping[str, TrackRecord]
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
        """Take the more trusted strategy; if equal, alternate."""
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
            reason, detail = state.get("fault", (Reason.NO_PLAN, "neither the planner nor the model can continue"))
            tools.end(reason, detail)
            return go(END)
        way = max(ways, key=lambda one: record.get(one, TrackRecord()).trust)
        return go(way, HybridState(way=way))

    async def ground(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask about unasked facts in view, and plan; at the start, plan from the initial state if given."""
        tools, env = runtime.context, runtime.context.env
        if "belief" not in state and env.prior is not None:
            update = HybridState(belief=env.prior)
        else:
            facts = [Literal(atom, atom in state.get("belief", ())) for atom in tools.facts]
            update = await self.asked(state, facts, Phase.ENUMERATION, tools)
            if "fault" in update:
                return go("choose", {**update, **stuck_on(state, PLANNER)})
        if works(state.get("plan"), update["belief"], env):
            return go("check", update)
        outcome = await tools.plan(update["belief"])
        if outcome.plan:
            return go("check", {**update, "plan": outcome.plan})
        if outcome.solved:
            tools.end(Reason.FINISHED, "the goal is believed to hold")
            return go(END, update)
        return go("choose", {**update, **stuck_on(state, PLANNER), "fault": (Reason.NO_PLAN, outcome.message)})

    async def asked(self, state: HybridState, facts: Iterable[Literal], phase: Phase, tools: Toolbox) -> HybridState:
        """The belief after asking the facts that are in view and were not asked about this picture yet.

        The update holds a `fault` if an answer cannot be read.
        """
        known, seen = state.get("answers", {}), await tools.look()
        wanted = [fact for fact in in_view(unknown(tuple(facts), tools), seen) if fact.atom not in known]
        answers = await tools.query(wanted, phase=phase, cot=self.cot)
        if wrong := unread(answers):
            return HybridState(fault=wrong)
        update = HybridState(answers={**known, **{answer.atom: answer.yes for answer in answers}})
        if "belief" in state:
            state = {**state, "belief": state["belief"] - seen.impossible}
        believed = await asyncio.to_thread(likeliest_state, {**state, **update}, tools.env)
        return {**update, "belief": believed - seen.impossible}

    async def check(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask whether the next action's preconditions hold, and call it off if one is believed not to."""
        tools, step = runtime.context, state["plan"][0]
        action, seen = tools.env.domain.ground(step, tools.env.objects), await tools.look()
        if any(fact.value and fact.atom in seen.impossible for fact in action.preconditions()):
            # A precondition is out of view: there is nothing to ask.
            return go("ground")
        update = await self.asked(state, action.preconditions(), Phase.PRECONDITION, tools)
        if "fault" in update:
            return go("choose", {**update, **stuck_on(state, PLANNER)})
        belief = update["belief"]
        if action.applicable(belief):
            return go("act", {**update, "expected": action.effects(belief)})
        tools.call_off(step, [fact for fact in action.preconditions() if (fact.atom in belief) != fact.value])
        tools.replan("called off")
        return go("choose", {**update, **with_turn(state, PLANNER, worked=False)})

    async def act(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the planner's action."""
        tools, step = runtime.context, state["plan"][0]
        outcome = tools.act(step).outcome
        history = [*state.get("history", []), entry(tools, step, outcome)]
        changes = await asyncio.to_thread(after_attempt, state, step, outcome, tools.env)
        update: HybridState = {"history": history, **changes}
        if outcome is Outcome.EXECUTED:
            return go("verify", {**update, "plan": state["plan"][1:]})
        tools.replan(str(outcome))
        return go("choose", {**update, **with_turn(state, PLANNER, worked=False)})

    async def verify(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask whether the effects hold; while they are believed to, continue the plan."""
        tools, expected = runtime.context, state["expected"]
        update = await self.asked(state, expected, Phase.EFFECT, tools)
        if "fault" in update:
            return go("choose", {**update, **stuck_on(state, PLANNER)})
        belief, rest, seen = update["belief"], state["plan"], await tools.look()
        worked = all_hold(belief, (fact for fact in expected if fact.atom not in seen.impossible))
        if worked and not rest and holds(tools.env.goal, belief, tools.env.objects):
            tools.end(Reason.FINISHED)
            return go(END, update)
        if worked and rest and not tools.spent:
            return go("check", {**update, **with_turn(state, PLANNER, worked=True)})
        if not worked:
            tools.replan("unexpected effect")
        return go("choose", {**update, **with_turn(state, PLANNER, worked=worked)})

    async def propose(self, state: HybridState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask the model for an action, and attempt it."""
        tools, history = runtime.context, state.get("history", [])
        wanted = await tools.propose(Kind.ACTION, history, cot=self.cot)
        if not wanted.actions:
            reason = Reason.TRUNCATED if wanted.truncated else Reason.UNREADABLE
            return go("choose", {**stuck_on(state, MODEL), "fault": (reason, wanted.fault)})
        proposal = wanted.actions[0]
        if says_done(proposal, tools):
            tools.end(Reason.FINISHED, "the model says that the goal is reached")
            return go(END)
        stepped = tools.act(proposal.step) if proposal.step is not None else None
        outcome = stepped.outcome if stepped else tools.refuse(proposal)
        text = tools.outcome_text((stepped and stepped.reported) or outcome, proposal)
        attempted = {"action": proposal.action, "parameters": proposal.parameters, "outcome": text}
        update = HybridState(history=[*history, attempted])
        if proposal.step is not None:
            update |= await asyncio.to_thread(after_attempt, state, proposal.step, outcome, tools.env)
        new = update.get("belief") is None or update["belief"] not in update.get("been", frozenset())
        update |= with_turn(state, MODEL, worked=outcome is Outcome.EXECUTED and new)
        if stepped and stepped.terminated:
            tools.end(Reason.FINISHED, announced=True)
            return go(END, update)
        return go("choose", update)

    def graph(self) -> Graph:
        """Choose a strategy, follow it as long as it works, and choose again."""
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


def likeliest_state(state: HybridState, env: Symbolic) -> State:
    """The legal state that best explains answers, refusals and memory."""
    kept = remembered(state["belief"], env, state.get("doubted", frozenset())) if "belief" in state else None
    return explained(env, state.get("answers", {}), refused=state.get("refused", ()), kept=kept)


def after_attempt(state: HybridState, step: Step, outcome: Outcome, env: Symbolic) -> HybridState:
    """The update after an attempt of either strategy; nothing was asked about the new picture yet."""
    if env.domain.check(step, env.objects):
        # An invalid action is refused in every state, so this is no evidence.
        return HybridState()
    if outcome not in (Outcome.EXECUTED, Outcome.FAILED):
        return HybridState(refused=(*state.get("refused", ()), step), stuck=frozenset())
    cleared = HybridState(answers={}, refused=(), doubted=frozenset(), stuck=frozenset())
    belief = state.get("belief", env.prior)
    if belief is None:
        return cleared
    effects = with_consequences(possible_of(env), env.domain.ground(step, env.objects).effects(belief))
    been = state.get("been", frozenset()) | {belief}
    if outcome is Outcome.EXECUTED:
        return {**cleared, "belief": updated(belief, effects), "been": been}
    return {**cleared, "belief": belief, "doubted": undone(effects)}


def with_turn(state: HybridState, way: str, *, worked: bool) -> HybridState:
    """The track record with one more turn of a strategy."""
    record = state.get("record", {})
    so_far = record.get(way, TrackRecord())
    now = TrackRecord(DECAY * so_far.worked + worked, DECAY * so_far.failed + (not worked))
    return HybridState(record={**record, way: now})


def stuck_on(state: HybridState, way: str) -> HybridState:
    """The update for a strategy that failed, and would ask the same again until something changes."""
    return HybridState(**with_turn(state, way, worked=False), stuck=state.get("stuck", frozenset()) | {way})


def entry(tools: Toolbox, step: Step, outcome: Outcome) -> dict[str, object]:
    """An attempt of the planner, in the form of the model's history."""
    names = tools.env.signatures[step.action]
    parameters = dict(zip(names, step.args, strict=True))
    text = tools.outcome_text(outcome, Proposal(step.action, parameters, step))
    return {"action": step.action, "parameters": parameters, "outcome": text}


AGENTS = (
    Agent("hybrid", "planner or model, whichever has worked better", Hybrid().graph, prompts=("yes_no", "action")),
    Agent("hybrid_cot", "hybrid, reasoning first", Hybrid(cot=True).graph, prompts=("yes_no_cot", "action_cot")),
)

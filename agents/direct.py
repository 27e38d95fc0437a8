"""The planner methods: the model itself decides what to do, from the picture and what came of its actions so far.

`plan` asks for a whole plan and carries out its first action; `action` asks for one action. Each also with chain
of thought. The world says when the goal is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import Agent, Graph
from models.base import Kind
from models.parsing import Proposal
from tools.events import Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime


class DirectState(TypedDict, total=False):
    """What a planner method carries from node to node."""

    history: list[dict[str, object]]
    proposal: Proposal | None
    done: bool


@dataclass(frozen=True)
class Direct:
    """A planner method: its nodes, and the graph of them."""

    kind: Kind
    cot: bool = False

    async def propose(self, state: DirectState, runtime: Runtime[Toolbox]) -> DirectState:
        """Ask the model what to do."""
        tools = runtime.context
        wanted = await tools.propose(self.kind, state.get("history", []), cot=self.cot)
        if not wanted.actions:
            tools.end(Reason.TRUNCATED if wanted.truncated else Reason.UNREADABLE, wanted.fault)
            return {"proposal": None}
        return {"proposal": wanted.actions[0]}

    async def act(self, state: DirectState, runtime: Runtime[Toolbox]) -> DirectState:
        """Attempt the first action, and write down what came of it."""
        tools, proposal = runtime.context, state["proposal"]
        assert proposal is not None
        done = False
        if proposal.step is None:
            outcome = tools.refuse(proposal)
        else:
            stepped = tools.act(proposal.step)
            outcome, done = stepped.outcome, stepped.terminated
        if done or tools.spent:
            tools.end(Reason.FINISHED if done else Reason.STEP_LIMIT)
        entry = {"action": proposal.action, "parameters": proposal.parameters, "outcome": str(outcome)}
        return {"history": [*state.get("history", []), entry], "done": done or tools.spent}

    def graph(self) -> Graph:
        """Propose, act, and again until the goal is reached or the steps are used up."""
        from langgraph.graph import END, START, StateGraph

        graph = StateGraph(DirectState, context_schema=Toolbox)
        graph.add_node("propose", self.propose)
        graph.add_node("act", self.act)
        graph.add_edge(START, "propose")
        graph.add_conditional_edges("propose", after_propose, {"act": "act", "end": END})
        graph.add_conditional_edges("act", after_act, {"propose": "propose", "end": END})
        return graph.compile()


def after_propose(state: DirectState) -> str:
    """Act, unless the reply could not be read."""
    return "act" if state["proposal"] else "end"


def after_act(state: DirectState) -> str:
    """Ask again, unless the goal is reached or the steps are used up."""
    return "end" if state["done"] else "propose"


AGENTS = (
    Agent("plan", "the model plans; its first action is done", Direct(Kind.PLAN).graph, "planner"),
    Agent("plan_cot", "plan, reasoning first", Direct(Kind.PLAN, cot=True).graph, "planner"),
    Agent("action", "the model chooses one action at a time", Direct(Kind.ACTION).graph, "planner"),
    Agent("action_cot", "action, reasoning first", Direct(Kind.ACTION, cot=True).graph, "planner"),
)

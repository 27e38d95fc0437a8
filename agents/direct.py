"""The planner methods: the model decides what to do, from the picture and the outcomes of its actions so far.

`plan` asks for a whole plan and executes its first action; `action` asks for one action. Each exists with chain of
thought, too. The world reports when the goal is reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, go
from envs.base import Announcing, announced
from envs.quiet import DONE
from models.base import Kind
from models.parsing import Proposal
from tools.events import Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


class DirectState(TypedDict, total=False):
    """The state of the graph."""

    history: list[dict[str, object]]
    proposal: Proposal


@dataclass(frozen=True)
class Direct:
    """A planner method: its nodes, and the graph of them."""

    kind: Kind
    cot: bool = False
    prompt: str | None = None
    """The name of a prompt to use instead of the usual one."""

    async def propose(self, state: DirectState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask the model what to do."""
        tools = runtime.context
        wanted = await tools.propose(self.kind, state.get("history", []), cot=self.cot, prompt=self.prompt)
        if not wanted.actions:
            tools.end(Reason.TRUNCATED if wanted.truncated else Reason.UNREADABLE, wanted.fault)
            return go(END)
        return go("act", DirectState(proposal=wanted.actions[0]))

    async def act(self, state: DirectState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the first action, and add its outcome to the history."""
        tools, proposal = runtime.context, state["proposal"]
        done = False
        if says_done(proposal, tools):
            tools.end(Reason.FINISHED, "the model says that the goal is reached")
            return go(END)
        if proposal.step is None:
            outcome = tools.refuse(proposal)
        else:
            stepped = tools.act(proposal.step)
            outcome, done = stepped.reported or stepped.outcome, stepped.terminated
        if done or tools.spent:
            tools.end(Reason.FINISHED if done else Reason.STEP_LIMIT, announced=done)
            return go(END)
        text = tools.outcome_text(outcome, proposal)
        entry = {"action": proposal.action, "parameters": proposal.parameters, "outcome": text}
        return go("propose", DirectState(history=[*state.get("history", []), entry]))

    def graph(self) -> Graph:
        """Propose and act until the goal is reached or the steps are used up."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(DirectState, context_schema=Toolbox)
        graph.add_node("propose", self.propose, destinations=("act", END))
        graph.add_node("act", self.act, destinations=("propose", END))
        graph.add_edge(START, "propose")
        return graph.compile()


def says_done(proposal: Proposal, tools: Toolbox) -> bool:
    """Whether the model says that the goal is reached, in a world that does not."""
    return announced(tools.env) is not Announcing.FULL and proposal.action == DONE


def _agent(name: str, summary: str, method: Direct) -> Agent:
    return Agent(name, summary, method.graph, "planner", prompts=(name,), plans=False)


AGENTS = (
    _agent("plan", "the model plans; its first action is done", Direct(Kind.PLAN)),
    _agent("plan_cot", "plan, reasoning first", Direct(Kind.PLAN, cot=True)),
    _agent("action", "the model chooses one action at a time", Direct(Kind.ACTION)),
    _agent("action_cot", "action, reasoning first", Direct(Kind.ACTION, cot=True)),
)

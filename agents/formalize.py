"""The model writes down the problem in PDDL, a planner solves it, and the plan is carried out.

`formalize` asks once: facts and goal, from the picture, with domain and objects given. What cannot be read, and a
problem that has no solution, goes back to the model with the reason, at most `RETRIES` times for one picture. The
plan is carried out without further questions; only an action that the world refuses or reports as failed leads to a
new picture and a new problem. The same action refused twice ends the episode, as with `ground`. `formalize_cot`
reasons first. `formalize_domain` has the model write preconditions and effects, too, and plans with those.

Where not everything is in view, what the problem says is believed of the things in view only; the rest is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, go
from envs.base import Observation, Outcome
from models.base import Kind
from planners.drafts import Draft
from planners.formula import State
from planners.outcome import PlanOutcome, Status
from planners.task import Step
from tools.events import Reason
from tools.toolbox import Formalized, Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

RETRIES = 3
"""How often a problem about one picture goes back to the model."""
LONGEST_REPLY = 8_000
"""Characters of a reply that are shown to the model again."""


class FormalizeState(TypedDict, total=False):
    """The state of the graph.

    `note` says what was wrong with the last reply about this picture, the `tries`-th one. `refused` is the last action
    if the world refused it.
    """

    belief: State
    draft: Draft
    tries: int
    note: str
    plan: tuple[Step, ...]
    refused: Step | None
    history: list[dict[str, object]]


@dataclass(frozen=True)
class Formalizer:
    """The method: its nodes, and the graph of them."""

    kind: Kind = Kind.PROBLEM
    cot: bool = False

    async def formalize(self, state: FormalizeState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask for the problem that the picture shows."""
        tools, tries = runtime.context, state.get("tries", 0)
        seen = await tools.look()
        kept = out_of_view(state.get("belief"), seen, tools)
        written = await tools.formalize(
            self.kind,
            state.get("history", ()),
            remembered=kept or frozenset(),
            cot=self.cot,
            note=state.get("note", ""),
            attempt=tries,
        )
        if written.draft is not None:
            belief = in_view(written.draft.init, kept, seen)
            return go("plan", FormalizeState(draft=written.draft, belief=belief, note=written.reply))
        if tries < RETRIES:
            return go("formalize", FormalizeState(tries=tries + 1, note=correction(written.reply, written.fault)))
        tools.end(*unusable(written))
        return go(END)

    async def plan(self, state: FormalizeState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Have the planner solve it; without a solution it goes back to the model."""
        tools, tries = runtime.context, state.get("tries", 0)
        outcome = await tools.solve_draft(state["draft"], state["belief"])
        if outcome.plan:
            return go("act", FormalizeState(plan=outcome.plan))
        if outcome.solved:
            tools.end(Reason.FINISHED, "the goal is believed to hold")
            return go(END)
        if tries < RETRIES:
            note = correction(state["note"], no_solution(outcome))
            return go("formalize", FormalizeState(tries=tries + 1, note=note))
        tools.end(Reason.NO_PLAN, outcome.message)
        return go(END)

    async def act(self, state: FormalizeState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the next action, and believe its effects if it is executed."""
        tools, (step, *rest) = runtime.context, state["plan"]
        stepped = tools.act(step)
        if stepped.outcome is Outcome.EXECUTED:
            action = state["draft"].domain.ground(step, tools.env.objects)
            update = FormalizeState(belief=action.apply(state["belief"]), plan=tuple(rest), refused=None)
            if not rest or tools.spent:
                tools.end(Reason.STEP_LIMIT if rest else Reason.FINISHED)
                return go(END, update)
            return go("act", {**update, "history": attempted(state, step, stepped.outcome, tools)})
        refused = step if stepped.outcome is not Outcome.FAILED else None
        again = refused is not None and refused == state.get("refused") and tools.conduct.gives_up
        if again or tools.spent:
            tools.end(*((Reason.LOOP, f"{step} again") if again else (Reason.STEP_LIMIT, "")))
            return go(END)
        tools.replan(str(stepped.outcome))
        history = attempted(state, step, stepped.reported or stepped.outcome, tools)
        return go("formalize", FormalizeState(tries=0, note="", history=history, refused=refused))

    def graph(self) -> Graph:
        """Formalize, plan, and act; formalize again if an action does not work."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(FormalizeState, context_schema=Toolbox)
        graph.add_edge(START, "formalize")
        graph.add_node("formalize", self.formalize, destinations=("formalize", "plan", END))
        graph.add_node("plan", self.plan, destinations=("act", "formalize", END))
        graph.add_node("act", self.act, destinations=("act", "formalize", END))
        return graph.compile()


def out_of_view(belief: State | None, seen: Observation, tools: Toolbox) -> State | None:
    """What is remembered of things out of view; None if nothing is, or if all is in view."""
    if seen.visible is None:
        return None
    if seen.unseen is not None:
        return seen.unseen
    known = tools.env.prior if belief is None else belief
    return None if known is None else frozenset(atom for atom in known - seen.impossible if not seen.shows(atom))


def in_view(init: State, kept: State | None, seen: Observation) -> State:
    """What a problem says of things in view, and what is remembered of the others."""
    if kept is None:
        return init - seen.impossible
    return frozenset(atom for atom in init if seen.shows(atom)) | kept


def correction(reply: str, fault: str) -> str:
    """What the model is told about its last reply."""
    shown = reply if len(reply) <= LONGEST_REPLY else f"…{reply[-LONGEST_REPLY:]}"
    return f"## Your last reply\n{shown}\n\nIt cannot be used: {fault}\nWrite all of it again, corrected."


def no_solution(outcome: PlanOutcome) -> str:
    """Why a planner found nothing."""
    if outcome.status is Status.UNSOLVABLE:
        return "the planner finds no actions that lead from this (:init …) to this (:goal …)."
    return f"the planner gave up on it: {outcome.status}."


def unusable(written: Formalized) -> tuple[Reason, str]:
    """How an episode ends whose problem cannot be read."""
    return (Reason.TRUNCATED if written.truncated else Reason.UNREADABLE), written.fault


def attempted(state: FormalizeState, step: Step, outcome: Outcome, tools: Toolbox) -> list[dict[str, object]]:
    """The history with one more attempt."""
    return [*state.get("history", []), tools.history_entry(step, outcome)]


AGENTS = (
    Agent("formalize", "the model writes a PDDL problem for a planner", Formalizer().graph, prompts=("problem",)),
    Agent("formalize_cot", "formalize, reasoning first", Formalizer(cot=True).graph, prompts=("problem_cot",)),
    Agent(
        "formalize_domain",
        "formalize; the model writes the actions of the domain, too",
        Formalizer(Kind.DOMAIN).graph,
        prompts=("domain",),
    ),
)

"""`scene_graph`: write down what each view shows, and decide from the notes and the few pictures that fit best.

The model describes every new view as a list of things with their traits and places. Choices are made from these notes,
the present picture and the pictures whose notes share most words with the task. It explores like `map`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Agent, Graph, Needs, go
from agents.explore import ELSEWHERE, Mapper, MapState
from models.base import Kind
from tools.events import Reason
from tools.worlds import OptionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

DESCRIBE = (
    "List the things and people in this picture, one on each line: what it is; colour, material and shape; state (such "
    "as open, on or empty); text on it; and where it is, by what it stands on or next to. Count those of one kind."
)
PICTURES = 3
"""How many earlier pictures a choice sees."""
_WORD = re.compile(r"[a-z]{3,}")


class NotesState(MapState, total=False):
    """The state of `map`, with notes on each view and the key of its picture."""

    notes: Mapping[str, str]
    pictures: Mapping[str, str]


@dataclass(frozen=True)
class NoteTaker(Mapper):
    """Describe, then choose from the notes or explore, and act."""

    async def describe(self, state: NotesState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Write down what the view shows, once for each view."""
        tools, view = runtime.context, state["view"]
        notes, pictures = state.get("notes", {}), state.get("pictures", {})
        seen = await tools.look()
        tools.remember(seen.picture)
        if view not in notes:
            reading = await tools.ask(DESCRIBE, pictures=seen.pictures, about="the view", phase="describe")
            notes = {**notes, view: reading.text.strip()}
            pictures = {**pictures, view: seen.picture.key}
        return go("choose", NotesState(notes=notes, pictures=pictures))

    async def choose(self, state: NotesState, runtime: Runtime[OptionTools]) -> Command[str]:  # type: ignore[override]
        """Have the model choose with the notes before it, or say that nothing here helps."""
        tools = runtime.context
        notes, pictures = state.get("notes", {}), state.get("pictures", {})
        best = nearest(tools.env.goal_text, notes, state["view"])
        shown = tools.remembered([pictures[view] for view in best])
        numbers = {view: number for number, view in enumerate(notes, 1)}
        now = {state["view"]: " (now)"}
        lines = [f"View {numbers[view]}{now.get(view, '')}:\n{text}" for view, text in notes.items()]
        text = "\n\n".join(["What you have seen so far:", *lines, self.prompt(state.get("history", ()), tools)])
        seen = await tools.look()
        reading = await tools.choose(text, options=(*tools.options(), ELSEWHERE), pictures=(*shown, *seen.pictures))
        if reading.value is None:
            tools.end(Reason.TRUNCATED if reading.truncated else Reason.UNREADABLE, reading.fault)
            return go(END)
        if reading.value == ELSEWHERE:
            return go("explore", MapState(useless=state.get("useless", frozenset()) | {state["view"]}))
        return go("act", MapState(option=str(reading.value)))

    def graph(self) -> Graph:
        """Look, describe, choose or explore, act, and again until the world ends the task or the steps are used up."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(NotesState, context_schema=OptionTools)
        graph.add_node("look", self.look, destinations=("describe", "explore"))
        graph.add_node("describe", self.describe, destinations=("choose",))
        graph.add_node("choose", self.choose, destinations=("act", "explore", END))
        graph.add_node("explore", self.explore, destinations=("act", END))
        graph.add_node("act", self.act, destinations=("look", END))
        graph.add_edge(START, "look")
        return graph.compile()


def nearest(task: str, notes: Mapping[str, str], present: str) -> list[str]:
    """The earlier views whose notes share the most words with the task, the best one last."""
    wanted = set(_WORD.findall(task.lower()))
    shared = {view: len(wanted & set(_WORD.findall(text.lower()))) for view, text in notes.items() if view != present}
    ranked = sorted((view for view, number in shared.items() if number), key=lambda view: shared[view])
    return ranked[-PICTURES:]


AGENTS = (
    Agent(
        "scene_graph",
        "worlds of options: writes down what each view shows, and decides from the notes and the best pictures",
        NoteTaker(first="describe").graph,
        "planner",
        needs=Needs.OPTIONS,
        plans=False,
        asks=(Kind.TEXT, Kind.CHOICE),
    ),
)

"""`map`: draw a map of the views, explore what is not on it, and ask the model only about the present view.

The model chooses from the options as in `choose`, and from one more: that this view shows nothing useful. The agent
then goes to the nearest move that it has not tried. It does not ask about a view again until an action other than a
move has changed something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, Needs, go
from memory.places import Places
from models.base import Kind
from tools.events import Reason
from tools.worlds import OptionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

MOVES = ("move forward", "turn right", "turn left")
"""The moves that lead to other views; the model may also look up and down."""
ANSWER = "answer "
"""How options begin that answer a question."""
BACK = {"turn left": "turn right", "turn right": "turn left"}
ELSEWHERE = "nothing here helps: explore elsewhere"


class MapState(TypedDict, total=False):
    """The map, the present view, the move that led to it, the views without anything useful, and the past actions."""

    places: Places
    view: str
    came: str | None
    useless: frozenset[str]
    history: tuple[tuple[str, str], ...]
    option: str


@dataclass(frozen=True)
class Mapper:
    """Look, choose or explore, and act, in turns. `first` is the node after a view that may be useful."""

    first: str = "choose"

    async def look(self, state: MapState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Put the present view on the map."""
        tools = runtime.context
        picture, places = await tools.view(), state.get("places") or Places(BACK)
        moves = moves_of(tools.options())
        move, view = state.get("came"), state.get("view")
        if view is None or move is not None:
            view = places.arrive(picture, moves, None if view is None or move is None else (view, move))
        else:
            places.stay(view, picture, moves)
        known = view in state.get("useless", frozenset())
        return go("explore" if known else self.first, MapState(places=places, view=view, came=None))

    async def choose(self, state: MapState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Have the model choose an option, or say that nothing here helps."""
        tools = runtime.context
        listed = (*tools.options(), ELSEWHERE)
        reading = await tools.choose(self.prompt(state.get("history", ()), tools), options=listed)
        if reading.value is None:
            tools.end(Reason.TRUNCATED if reading.truncated else Reason.UNREADABLE, reading.fault)
            return go(END)
        if reading.value == ELSEWHERE:
            return go("explore", MapState(useless=state.get("useless", frozenset()) | {state["view"]}))
        return go("act", MapState(option=str(reading.value)))

    async def explore(self, state: MapState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Take the first move of the way to the nearest untried move, or to a view to look at again."""
        tools, places, view = runtime.context, state["places"], state["view"]
        useless = state.get("useless", frozenset())
        way = places.explore(view) or places.way(view, lambda other: other not in useless)
        if not way:
            # Every view has been seen and nothing helped, so the model may have overlooked something: look again.
            useless = frozenset({view})
            way = places.way(view, lambda other: other != view)
        if not way:
            tools.end(Reason.NO_PLAN, "there is nowhere to go from here, and nothing here helps")
            return go(END)
        return go("act", MapState(option=way[0], useless=useless))

    async def act(self, state: MapState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Carry out the option. Any option other than a move may have made other views useful."""
        tools, option = runtime.context, state["option"]
        stepped = tools.act(option)
        if tools.over or tools.spent:
            tools.end(Reason.FINISHED if tools.over else Reason.STEP_LIMIT, announced=tools.over)
            return go(END)
        done = (*state.get("history", ()), (option, stepped.feedback or str(stepped.outcome)))
        if option in MOVES:
            return go("look", MapState(history=done, came=option))
        worked = stepped.outcome == "executed"
        useless = frozenset[str]() if worked else state.get("useless", frozenset()) | {state["view"]}
        return go("look", MapState(history=done, useless=useless, came=None))

    def prompt(self, history: tuple[tuple[str, str], ...], tools: OptionTools) -> str:
        """The task, the past actions, and the form of the reply."""
        own = [(option, outcome) for option, outcome in history if option not in MOVES]
        lines = [f"- {option}: {outcome}" for option, outcome in own]
        done = ["What you did so far, beside walking about:", *lines, ""] if lines else []
        asked = (
            "Choose what to do now from the options below. If this view shows nothing that you need, choose the last "
            "one: places you have not seen are then visited for you. Reply with Choice: [number]."
        )
        return "\n".join([tools.env.description, "", f"Your task: {tools.env.goal_text}", "", *done, asked])

    def graph(self) -> Graph:
        """Look, choose or explore, act, and again until the world ends the task or the steps are used up."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(MapState, context_schema=OptionTools)
        graph.add_node("look", self.look, destinations=("choose", "explore"))
        graph.add_node("choose", self.choose, destinations=("act", "explore", END))
        graph.add_node("explore", self.explore, destinations=("act", END))
        graph.add_node("act", self.act, destinations=("look", END))
        graph.add_edge(START, "look")
        return graph.compile()


def moves_of(options: Sequence[str]) -> list[str]:
    """The moves among the options, in the order in which they are tried.

    Where there are things to handle, one looks around before walking on: most of them can only be seen from nearby.
    """
    things = any(not option.startswith((ANSWER, "look ")) for option in options if option not in MOVES)
    order = (*MOVES[1:], MOVES[0]) if things else MOVES
    return [move for move in order if move in options]


AGENTS = (
    Agent(
        "map",
        "worlds of options: keeps a map of its views and explores; the model says what a view is good for",
        Mapper().graph,
        "planner",
        needs=Needs.OPTIONS,
        plans=False,
        asks=(Kind.CHOICE,),
    ),
)

"""Run an agent's graph, and emit which nodes it enters and how its belief changes.

The belief of an agent is `belief` in its state: a set of facts, or an object whose `state` is one. Without it, only the
beliefs that it plans from are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from agents.base import Graph
from tools.base import Tools
from tools.events import Believed, Entered, Event


async def follow(graph: Graph, toolbox: Tools, emit: Callable[[Event], None], *, limit: int, name: str = "") -> None:
    """Run the graph to its end; `limit` is the number of nodes it may visit, `name` its name for tracers."""
    follower = Follower()
    config: dict[str, Any] = {"recursion_limit": limit, **({"run_name": name} if name else {})}
    async for task in graph.astream({}, context=toolbox, config=config, stream_mode="tasks"):
        for event in follower.events(task, toolbox.attempts):
            emit(event)


class Follower:
    """Turns LangGraph's stream of tasks into events; of beliefs only the changes."""

    def __init__(self) -> None:
        self._believed: frozenset[str] = frozenset()

    def events(self, task: Mapping[str, Any], step: int) -> Iterator[Event]:
        """For a task that starts, the node; for one that is done, the changes of the belief."""
        if "input" in task:
            yield Entered(step=step, node=str(task["name"]))
            return
        update = task.get("result")
        believed = believed_atoms(update.get("belief")) if isinstance(update, Mapping) else None
        if believed is not None and believed != self._believed:
            added, dropped = believed - self._believed, self._believed - believed
            self._believed = believed
            yield Believed(step=step, added=tuple(sorted(added)), dropped=tuple(sorted(dropped)))


def believed_atoms(belief: object) -> frozenset[str] | None:
    """The facts of a belief as texts; None if it is not a set of facts."""
    state = getattr(belief, "state", belief)
    if not isinstance(state, frozenset) or not all(isinstance(fact, tuple | str) for fact in state):
        return None
    return frozenset(map(str, state))


def shape(graph: Graph) -> dict[str, Any]:
    """The nodes and edges of a graph, for `run.json`."""
    drawn = graph.get_graph()
    return {"nodes": list(drawn.nodes), "edges": sorted([edge.source, edge.target] for edge in drawn.edges)}

"""Lets an agent's graph run, and tells which nodes it enters and what it believes when it leaves them.

What an agent believes is what it keeps as `belief` in its state: a set of facts, or something whose `state` is one.
An agent without it is followed all the same; of its beliefs only those it plans from are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from agents.base import Graph
from tools.base import Tools
from tools.events import Believed, Entered, Event


async def follow(graph: Graph, toolbox: Tools, tell: Callable[[Event], None], *, limit: int, name: str = "") -> None:
    """Run the graph to its end; `limit` is how many nodes it may visit, `name` the name that tracers see."""
    follower = Follower()
    config: dict[str, Any] = {"recursion_limit": limit, **({"run_name": name} if name else {})}
    async for told in graph.astream({}, context=toolbox, config=config, stream_mode="tasks"):
        for event in follower.events(told, toolbox.attempts):
            tell(event)


class Follower:
    """Turns what LangGraph tells of its tasks into events: only what has changed of a belief."""

    def __init__(self) -> None:
        self._believed: frozenset[str] = frozenset()

    def events(self, told: Mapping[str, Any], step: int) -> Iterator[Event]:
        """Of a task that begins: which node it is. Of one that is over: what is now believed."""
        if "input" in told:
            yield Entered(step=step, node=str(told["name"]))
            return
        update = told.get("result")
        believed = believed_atoms(update.get("belief")) if isinstance(update, Mapping) else None
        if believed is not None and believed != self._believed:
            added, dropped = believed - self._believed, self._believed - believed
            self._believed = believed
            yield Believed(step=step, added=tuple(sorted(added)), dropped=tuple(sorted(dropped)))


def believed_atoms(belief: object) -> frozenset[str] | None:
    """The facts of a belief in words; None if it is none that can be read."""
    state = getattr(belief, "state", belief)
    if not isinstance(state, frozenset) or not all(isinstance(fact, tuple | str) for fact in state):
        return None
    return frozenset(map(str, state))


def shape(graph: Graph) -> dict[str, Any]:
    """The nodes and edges of a graph, as `run.json` keeps them."""
    drawn = graph.get_graph()
    return {"nodes": list(drawn.nodes), "edges": sorted([edge.source, edge.target] for edge in drawn.edges)}

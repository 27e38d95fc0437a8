"""Layout of an agent's graph: nodes in a line from start to end, edges straight or as arcs beside it.

Forward edges that skip nodes are arcs on the right, backward edges arcs on the left, wider for longer edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

START, END = "__start__", "__end__"
PITCH, HEIGHT, LETTER = 46, 26, 7.4
ARC = 15
"""The additional width of an arc for each node that it passes."""
MOST = 60
"""Graphs with more nodes are not drawn."""


def shape_of(config: Mapping[str, Any]) -> tuple[list[str], list[tuple[str, str]]]:
    """The nodes and edges stored in the run, or else those of the agent if it is one of ours."""
    stored = config.get("graph") or _built(config.get("settings", {}).get("agent"))
    nodes = [str(node) for node in _listed(stored.get("nodes"))]
    edges = [(str(edge[0]), str(edge[1])) for edge in _listed(stored.get("edges")) if len(_listed(edge)) == 2]
    return nodes, [edge for edge in edges if edge[0] in nodes and edge[1] in nodes]


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _built(agent: object) -> Mapping[str, Any]:
    """The graph of an agent of ours. User files are never loaded: viewing a run must not execute code."""
    from agents.registry import all_agents
    from evals.run.following import shape

    try:
        found = all_agents().get(str(agent))
    except ValueError:  # a broken file in that room must not break the page
        return {}
    return shape(found.build()) if found else {}


def layout(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, Any] | None:
    """The positions of nodes and edges; None if there is nothing to draw."""
    if not nodes or len(nodes) > MOST:
        return None
    order = _order(nodes, edges)
    place = {node: number for number, node in enumerate(order)}
    wide = max(_width(node) for node in order)
    drawn = [edge for edge in dict.fromkeys(edges) if edge[0] in place and edge[1] in place]
    left = 10 + max((ARC * (place[a] - place[b] + 1) for a, b in drawn if place[a] >= place[b]), default=0)
    right = 10 + max((ARC * (place[b] - place[a]) for a, b in drawn if place[b] > place[a] + 1), default=0)
    middle = left + wide / 2
    return {
        "width": round(left + wide + right),
        "height": PITCH * len(order) - (PITCH - HEIGHT) + 8,
        "nodes": [
            {"name": node, "label": _label(node), "x": round(middle - _width(node) / 2, 1), "y": _top(place[node])}
            | {"width": round(_width(node), 1), "height": HEIGHT, "end": node in (START, END)}
            for node in order
        ],
        "edges": [{"from": a, "to": b, **_edge(a, b, place, middle)} for a, b in drawn],
    }


def _order(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[str]:
    """The nodes by their longest acyclic path from the start; the end comes last."""
    after: dict[str, list[str]] = {node: [] for node in nodes}
    for a, b in edges:
        after[a].append(b)
    found: list[str] = []

    def visit(node: str, way: tuple[str, ...]) -> None:
        if node in way or node in found or node == END:
            return
        for following in reversed(after[node]):
            visit(following, (*way, node))
        found.append(node)

    for node in (START, *nodes):
        if node in after:
            visit(node, ())
    return [*reversed(found), *([END] if END in after else [])]


def _width(node: str) -> float:
    return 24 + LETTER * len(_label(node))


def _label(node: str) -> str:
    return {START: "start", END: "end"}.get(node, node if len(node) <= 24 else f"{node[:23]}…")


def _top(place: int) -> float:
    return 4 + PITCH * place


def _edge(a: str, b: str, place: Mapping[str, int], middle: float) -> dict[str, str]:
    """The line of an edge, and its arrowhead."""
    first, last = place[a], place[b]
    if last == first + 1:
        y, end = _top(first) + HEIGHT, _top(last)
        return {"line": f"M{_n(middle)} {_n(y)}V{_n(end - 5)}", "tip": _tip(middle, end, 0, 1)}
    side = 1 if last > first else -1
    out = ARC * (abs(last - first) + (side < 0))
    start, end = middle + side * _width(a) / 2, middle + side * _width(b) / 2
    # A little off the middle, so that outgoing and incoming edges are distinguishable.
    y1 = _top(first) + HEIGHT / 2 + (4 if side > 0 else -4)
    y2 = _top(last) + HEIGHT / 2 + (-4 if side > 0 else 4)
    far = max(start * side, end * side) * side + side * out
    line = f"M{_n(start)} {_n(y1)}C{_n(far)} {_n(y1)} {_n(far)} {_n(y2)} {_n(end + side * 5)} {_n(y2)}"
    return {"line": line, "tip": _tip(end, y2, -side, 0)}


def _tip(x: float, y: float, dx: int, dy: int) -> str:
    """A small triangle that points in a direction."""
    back, half = 6, 3.2
    one = (x - back * dx + half * dy, y - back * dy + half * dx)
    other = (x - back * dx - half * dy, y - back * dy - half * dx)
    return f"M{_n(x)} {_n(y)}L{_n(one[0])} {_n(one[1])}L{_n(other[0])} {_n(other[1])}Z"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")

"""The map that an agent draws of the views it has seen: which move leads from which view to which.

A view is recognised by its picture, or by the move that led to it: a known move leads to its known view, even if
something looks different by now. A move is known once it has been tried; the move that undoes it is then known, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

View = str
"""A view, named by its first picture."""


@dataclass
class Places:
    """A graph of views with named moves as edges. `back` names the move that undoes another one."""

    back: Mapping[str, str] = field(default_factory=dict)
    views: dict[str, View] = field(default_factory=dict)
    moves: dict[View, tuple[str, ...]] = field(default_factory=dict)
    edges: dict[tuple[View, str], View] = field(default_factory=dict)

    def arrive(self, picture: str, moves: Iterable[str], came: tuple[View, str] | None = None) -> View:
        """Record the picture, the possible moves and the move that led here; return the view."""
        known = None if came is None else self.edges.get(came)
        view = known or self.views.get(picture, picture)
        self.views[picture] = view
        self.moves[view] = tuple(moves)
        if came is not None:
            start, move = came
            self.edges[came] = view
            undo = self.back.get(move)
            if undo is not None:
                self.edges.setdefault((view, undo), start)
        return view

    def stay(self, view: View, picture: str, moves: Iterable[str]) -> None:
        """Record that a view looks different, or has other moves, after an action in it."""
        self.views[picture] = view
        self.moves[view] = tuple(moves)

    def untried(self, view: View) -> tuple[str, ...]:
        """The moves of a view that lead to an unknown view."""
        return tuple(move for move in self.moves.get(view, ()) if (view, move) not in self.edges)

    def way(self, start: View, wanted: Callable[[View], bool]) -> tuple[str, ...] | None:
        """The shortest sequence of known moves to a wanted view; None if there is none."""
        came: dict[View, tuple[View, str] | None] = {start: None}
        todo = deque([start])
        while todo:
            view = todo.popleft()
            if wanted(view):
                return self._moves_to(came, view)
            for move in self.moves.get(view, ()):
                end = self.edges.get((view, move))
                if end is not None and end not in came:
                    came[end] = (view, move)
                    todo.append(end)
        return None

    def explore(self, start: View) -> tuple[str, ...] | None:
        """The moves to the nearest view with an untried move, and that move; None if everything has been tried."""
        way = self.way(start, lambda view: bool(self.untried(view)))
        if way is None:
            return None
        end = start
        for move in way:
            end = self.edges[end, move]
        return (*way, self.untried(end)[0])

    def _moves_to(self, came: Mapping[View, tuple[View, str] | None], view: View) -> tuple[str, ...]:
        moves: list[str] = []
        step = came[view]
        while step is not None:
            view, move = step
            moves.append(move)
            step = came[view]
        return tuple(reversed(moves))

"""Search without an action model: best-first by novelty and by the number of goals that are not reached.

    best_path(start, successors, unmet, most=4_000)    the path to a goal, or to where the fewest goals are open

States are any sets of atoms, and successors come from a function, such as what an agent expects of its actions. A state
is novel if it has an atom that no earlier state with as many open goals had (width 1). Novel states are expanded first,
then those with fewer open goals, then those found earlier: best-first width search (Lipovetzky and Geffner) with the
number of open goals as its only heuristic.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from typing import NamedTuple

from planners.formula import Atom, State
from planners.steps import Step

Successors = Callable[[State], Iterable[tuple[Step, State]]]


class Path(NamedTuple):
    """Steps from the start, and how many goals are open where they lead."""

    steps: tuple[Step, ...]
    unmet: int


def best_path(start: State, successors: Successors, unmet: Callable[[State], int], *, most: int) -> Path:
    """The first path found to a state without open goals; else the one to the fewest, after `most` successors."""
    best = Path((), unmet(start))
    parents: dict[State, tuple[State, Step] | None] = {start: None}
    seen: dict[int, set[Atom]] = {best.unmet: set(start)}
    queue: list[tuple[int, int, int, State]] = [(0, best.unmet, 0, start)]
    while queue and best.unmet:
        state = heappop(queue)[-1]
        for step, after in successors(state):
            if after in parents:
                continue
            parents[after] = state, step
            left = unmet(after)
            if left < best.unmet:
                best = Path(_steps(after, parents), left)
            known = seen.setdefault(left, set())
            novel = not known.issuperset(after)
            known |= after
            heappush(queue, (int(not novel), left, len(parents), after))
            if not left or len(parents) > most:
                return best
    return best


def _steps(state: State, parents: dict[State, tuple[State, Step] | None]) -> tuple[Step, ...]:
    steps: list[Step] = []
    while (parent := parents[state]) is not None:
        state, step = parent
        steps.append(step)
    return tuple(reversed(steps))

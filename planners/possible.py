"""What states a world can be in: all of them listed where they are few, the laws they keep where they are many."""

from __future__ import annotations

from threading import Lock
from typing import TypeAlias

from planners.formula import Formula, Objects, State
from planners.invariants import LegalStates, NoLegalStates, goal_state, legal_states
from planners.mutexes import Laws, find_laws
from planners.task import Domain

Possible: TypeAlias = LegalStates | Laws

_lawful: dict[tuple[object, ...], Laws] = {}
_lock = Lock()


def possible_states(domain: Domain, objects: Objects, goal: Formula, prior: State | None = None) -> Possible:
    """The legal states if they can be listed from the goal, else the laws of what can be reached from there.

    Where the agent is told the state at the start, that is what all follows from. `NoLegalStates` if neither helps:
    the goal describes no state, and the domain has no axioms.
    """
    if prior is not None:
        return find_laws(domain, objects, prior)
    key = domain.text, tuple(sorted(objects.items())), goal
    with _lock:
        if key in _lawful:
            return _lawful[key]
    try:
        return legal_states(domain, objects, goal)
    except NoLegalStates as reason:
        laws = find_laws(domain, objects, _seed(domain, objects, goal, reason))
    with _lock:
        # Finding out that there are too many takes seconds: once is enough.
        _lawful[key] = laws
    return laws


def _seed(domain: Domain, objects: Objects, goal: Formula, reason: NoLegalStates) -> State:
    """The state that the goal describes; where it describes none the axioms have to do, and none is needed."""
    try:
        return goal_state(domain, objects, goal)
    except NoLegalStates:
        if domain.axioms is None:
            raise reason from None
        return frozenset()

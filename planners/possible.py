"""What states a world can be in: all of them listed where they are few, the laws they keep where they are many.

Where a problem gives away too little for either (its goal leaves something open, an action cannot be undone, static
facts that actions depend on are not stated) there are only the axioms of its domain, or nothing: any state can be.
"""

from __future__ import annotations

from threading import Lock
from typing import TypeAlias

from planners.formula import Formula, Objects, State
from planners.invariants import LegalStates, NoLegalStates, TooMany, goal_state, legal_states
from planners.mutexes import Laws, axioms_only, find_laws
from planners.static import for_good, static_part
from planners.task import Domain

Possible: TypeAlias = LegalStates | Laws

_lawful: dict[tuple[object, ...], Laws] = {}
_lock = Lock()


def possible_states(
    domain: Domain, objects: Objects, goal: Formula, prior: State | None = None, static: State | None = None
) -> Possible:
    """The legal states if they can be listed from the goal, else the laws of what can be reached from there.

    Where the agent is given the state at the start, everything follows from it. `static` are all facts that hold
    and that no action changes, where they are stated; a given start state states them, too.
    """
    if prior is not None:
        return find_laws(domain, objects, prior, static_part(domain, prior) if static is None else static)
    key = domain.text, tuple(sorted(objects.items())), goal, static, domain.axioms
    with _lock:
        if key in _lawful:
            return _lawful[key]
    try:
        space = legal_states(domain, objects, goal, static)
        if space.reversible and not for_good(domain):
            return space
        # The present state may be one that nothing leads back to from the goal.
        laws = axioms_only(domain, objects, static)
    except TooMany:
        laws = find_laws(domain, objects, goal_state(domain, objects, goal, static), static)
    except NoLegalStates:
        laws = axioms_only(domain, objects, static)
    with _lock:
        # Finding out that there are too many takes seconds: once is enough.
        _lawful[key] = laws
    return laws

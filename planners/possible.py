"""The possible states of a world: listed if they are few, described by laws if they are many.

If a problem states too little for either (an incomplete goal, an irreversible action, static facts that actions depend
on are not stated), only the axioms of its domain restrict the states.
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
    """The legal states if they can be listed from the goal, else the laws of the states reachable from it.

    If the initial state is given, everything is computed from it instead. `static` are all facts that hold
    and that no action changes, if they are stated; a given initial state contains them.
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
        # The current state may not be reachable from the goal.
        laws = axioms_only(domain, objects, static)
    except TooMany:
        laws = find_laws(domain, objects, goal_state(domain, objects, goal, static), static)
    except NoLegalStates:
        laws = axioms_only(domain, objects, static)
    with _lock:
        # Counting too many states takes seconds, so the result is kept.
        _lawful[key] = laws
    return laws

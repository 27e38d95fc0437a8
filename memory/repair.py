"""The legal state that best explains the answers and the outcomes of actions.

    repair(possible, {atom: True, other: 0.2}, refused=[step])

`possible` is a table of all legal states, searched exactly, or the laws of these states, solved by MaxSAT.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory.belief import Contradiction, weighed
from memory.rates import Rates
from planners.formula import Atom, Literal, State
from planners.invariants import LegalStates
from planners.maxsat import NoState, likeliest
from planners.possible import Possible
from planners.task import Step


def repair(
    possible: Possible,
    answers: Mapping[Atom, float],
    rates: Rates | None = None,
    *,
    refused: Sequence[Step] = (),
    kept: Mapping[Atom, float] | None = None,
) -> State:
    """The legal state that explains the answers best. Atoms in no law are believed as answered.

    An answer is True, False, or the probability of a yes. With one error rate for all (the default) it is the state
    that contradicts the fewest answers; of ties, the first in the table. No `refused` step is legal in
    it. `kept` are weights of atoms in addition to the answers. `Contradiction` if no state is left.
    """
    trusted = rates or Rates()
    weights = dict(kept or {})
    for atom, yes in answers.items():
        weights[atom] = weights.get(atom, 0.0) + trusted.weight(atom.predicate, yes)
    if isinstance(possible, LegalStates):
        return _listed(possible, weights, refused)
    try:
        return likeliest(possible, weights, refused=refused)
    except NoState as error:
        raise Contradiction(str(error)) from None


def undone(effects: Sequence[Literal]) -> frozenset[Atom]:
    """The facts that a failed action may have deleted: delete effects of an action that also adds.

    An action without add effects is meant to delete, and has failed to.
    """
    brings = any(effect.value for effect in effects)
    return frozenset(effect.atom for effect in effects if brings and not effect.value)


def with_consequences(possible: Possible, effects: Sequence[Literal]) -> tuple[Literal, ...]:
    """The effects of an action with their consequences by the laws.

    If the states are listed there are none, because every action leads to a listed state.
    """
    if isinstance(possible, LegalStates):
        return tuple(effects)
    found: dict[Atom, bool] = {}
    # Added facts rule out more than deleted ones, so they are applied last.
    for effect in sorted(effects, key=lambda effect: effect.value):
        found |= {literal.atom: literal.value for literal in possible.implied(effect)}
    found |= {effect.atom: effect.value for effect in effects}
    return tuple(Literal(atom, value) for atom, value in found.items())


def _listed(space: LegalStates, weights: Mapping[Atom, float], refused: Sequence[Step]) -> State:
    import numpy as np

    scores = weighed(space, weights)
    for step in refused:
        scores = np.where(space.next_state(step) < 0, scores, -np.inf)
    best = int(scores.argmax())
    if scores[best] == -np.inf:
        raise Contradiction("no legal state explains what the world did")
    # Atoms without a column are believed as answered, unless they are static and known.
    others = weights if space.static is None else {}
    return space.state(best) | {atom for atom, weight in others.items() if atom not in space.column and weight > 0}

"""Facts that need not be asked: those that no action changes, and reflexive ones that no action makes true.

    changed(domain)               the predicates that actions change; all others are static
    for_good(domain)              those of them that change at most once
    static_part(domain, state)    the facts of a state that never change
    never_made(domain, atom)      whether no action can make a reflexive atom, such as `on r,r`, true

Static facts cannot be derived from the actions, so a problem must state them. An environment does so with its
`static`, or with its initial state.
"""

from __future__ import annotations

from collections.abc import Iterator

from planners.formula import And, Atom, Binding, Exists, ForAll, Formula, Holds, Not, Or, Same, State
from planners.task import Action, Domain, Effect


def changed(domain: Domain) -> frozenset[str]:
    """The predicates that actions change."""
    return frozenset(effect.predicate for action in domain.actions.values() for effect in action.effects)


def needed(domain: Domain) -> frozenset[str]:
    """The static predicates in preconditions and in conditions of effects."""
    found: set[str] = set()
    for action in domain.actions.values():
        for formula in (action.precondition, *(effect.condition for effect in action.effects)):
            found |= set(_spoken_of(formula))
    return frozenset(found) - changed(domain)


def for_good(domain: Domain) -> frozenset[str]:
    """The predicates that actions only make true, or only make false, so that a change is never undone."""
    effects = {(effect.predicate, effect.value) for action in domain.actions.values() for effect in action.effects}
    return frozenset(predicate for predicate, value in effects if (predicate, not value) not in effects)


def static_part(domain: Domain, state: State) -> State:
    """The facts of a state that no action changes."""
    moving = changed(domain)
    return frozenset(atom for atom in state if atom.predicate not in moving)


def never_made(domain: Domain, atom: Atom, static: State | None = None) -> bool:
    """Whether the atom is reflexive, its predicate changes, and no action can make it true.

    This follows from inequalities and from stated static facts.
    """
    if len(set(atom.args)) == len(atom.args) or atom.predicate not in changed(domain):
        return False
    return not any(
        _may_make(atom, action, effect, domain, static)
        for action in domain.actions.values()
        for effect in action.effects
        if effect.value and effect.predicate == atom.predicate
    )


def _may_make(atom: Atom, action: Action, effect: Effect, domain: Domain, static: State | None) -> bool:
    """Whether neither the precondition nor the effect's condition rules out that the effect makes the atom true."""
    bound = {name: name for name in domain.constants}
    if any(bound.setdefault(term, arg) != arg for term, arg in zip(effect.terms, atom.args, strict=True)):
        return False
    fixed = None if static is None else (changed(domain), static)
    return not any(_fails(condition, bound, fixed) for condition in (action.precondition, effect.condition))


def _fails(formula: Formula, bound: Binding, fixed: tuple[frozenset[str], State] | None) -> bool:
    """Whether a conjunct is certainly false with some variables bound and, if known, the changing and `fixed` facts."""
    match formula:
        case Not(Same(left, right)):
            return left in bound and right in bound and bound[left] == bound[right]
        case Holds(predicate, terms) | Not(Holds(predicate, terms)):
            if fixed is None or predicate in fixed[0] or not all(term in bound for term in terms):
                return False
            return (Atom(predicate, tuple(bound[term] for term in terms)) in fixed[1]) is isinstance(formula, Not)
        case And(parts):
            return any(_fails(part, bound, fixed) for part in parts)
        case _:
            return False


def _spoken_of(formula: Formula) -> Iterator[str]:
    match formula:
        case Holds(predicate):
            yield predicate
        case Not(body) | ForAll(_, body) | Exists(_, body):
            yield from _spoken_of(body)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _spoken_of(part)
        case _:
            return

"""The facts about the initial state that a plan depends on.

    support(task, plan)    # (clear r, not incolumn g,c2, …)

The goal is regressed through the plan. The effects of an action do not depend on the initial state; its
preconditions, and facts that must persist, do. The plan succeeds from any other state with the same facts, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from planners.formula import (
    And,
    Atom,
    Binding,
    Exists,
    ForAll,
    Formula,
    Holds,
    Literal,
    Not,
    Objects,
    Or,
    Same,
    State,
    holds,
)
from planners.task import GroundAction, Step, Task

Facts = dict[Literal, None]
"""Literals in the order in which they were found."""


def support(task: Task, plan: tuple[Step, ...]) -> tuple[Literal, ...]:
    """The facts about the initial state that the plan depends on, those of its first actions first.

    If one of several reasons suffices, one that is needed anyway is chosen, else the one with the fewest facts.
    Empty if the plan does not solve the task.
    """
    if task.fault(plan):
        return ()
    states = task.states(plan)
    needed = Reasons(task.objects, states[-1]).of(task.goal)
    for step, state in zip(reversed(plan), reversed(states[:-1]), strict=True):
        needed = _before(task.domain.ground(step, task.objects), state, needed)
    return tuple(needed)


class Change(NamedTuple):
    """A possible effect of an action on an atom, with its condition."""

    value: bool
    condition: Formula
    binding: Binding


def _before(action: GroundAction, state: State, needed: Facts) -> Facts:
    """The literals that must hold before the action, so that it is applicable and `needed` holds after it."""
    reasons = Reasons(action.objects, state)
    reasons.of(action.schema.precondition, action.binding)
    changes = _changes(action)
    for literal in needed:
        _keep(literal, changes.get(literal.atom, []), reasons)
    return reasons.found


def _changes(action: GroundAction) -> dict[Atom, list[Change]]:
    found: dict[Atom, list[Change]] = {}
    for effect in action.schema.effects:
        for more in action.objects.bindings(effect.variables):
            bound = {**action.binding, **more}
            atom = Holds(effect.predicate, effect.terms).atom(bound)
            found.setdefault(atom, []).append(Change(effect.value, effect.condition, bound))
    return found


def _keep(literal: Literal, changes: list[Change], reasons: Reasons) -> None:
    """Find why the literal holds after the action: an effect sets it, or it held before and no effect changes it."""
    for_it = [change for change in changes if change.value is literal.value]
    against = [change for change in changes if change.value is not literal.value]
    if literal.value or not any(_always(change, literal) for change in for_it):
        fired = [change for change in for_it if reasons.holds(change)]
        if fired:
            reasons.take_best(Reasons.of, ((change.condition, change.binding) for change in fired))
        else:
            reasons.found[literal] = None
        if literal.value and fired:
            return  # add wins over delete
    for change in against:
        reasons.why_not(change.condition, change.binding)


def _always(change: Change, literal: Literal) -> bool:
    """Whether the atom is certainly false after the change, because the change deletes it if it is true."""
    condition = change.condition
    return condition == And() or (isinstance(condition, Holds) and condition.atom(change.binding) == literal.atom)


@dataclass
class Reasons:
    """Collects facts of a state that make formulas true or false."""

    objects: Objects
    state: State
    found: Facts = field(default_factory=dict)

    def holds(self, change: Change) -> bool:
        """Whether the condition of a change is true."""
        return holds(change.condition, self.state, self.objects, change.binding)

    def of(self, formula: Formula, bound: Binding | None = None) -> Facts:
        """Add the facts that make the formula true."""
        bound = bound or {}
        match formula:
            case Holds():
                self.found[Literal(formula.atom(bound), True)] = None
            case Not(body):
                self.why_not(body, bound)
            case And(parts):
                for part in parts:
                    self.of(part, bound)
            case ForAll(variables, body):
                for more in self.objects.bindings(variables):
                    self.of(body, {**bound, **more})
            case Or(parts):
                self.take_best(Reasons.of, self._where(True, ((part, bound) for part in parts)))
            case Exists(variables, body):
                choices = ((body, {**bound, **more}) for more in self.objects.bindings(variables))
                self.take_best(Reasons.of, self._where(True, choices))
            case Same():
                pass
        return self.found

    def why_not(self, formula: Formula, bound: Binding) -> Facts:
        """Add the facts that make the formula false."""
        match formula:
            case Holds():
                self.found[Literal(formula.atom(bound), False)] = None
            case Not(body):
                self.of(body, bound)
            case Or(parts):
                for part in parts:
                    self.why_not(part, bound)
            case Exists(variables, body):
                for more in self.objects.bindings(variables):
                    self.why_not(body, {**bound, **more})
            case And(parts):
                self.take_best(Reasons.why_not, self._where(False, ((part, bound) for part in parts)))
            case ForAll(variables, body):
                choices = ((body, {**bound, **more}) for more in self.objects.bindings(variables))
                self.take_best(Reasons.why_not, self._where(False, choices))
            case Same():
                pass
        return self.found

    def _where(self, value: bool, choices: Iterable[tuple[Formula, Binding]]) -> Iterable[tuple[Formula, Binding]]:
        return (choice for choice in choices if holds(choice[0], self.state, self.objects, choice[1]) is value)

    def take_best(
        self, why: Callable[[Reasons, Formula, Binding], Facts], choices: Iterable[tuple[Formula, Binding]]
    ) -> None:
        """Add the reasons of the choice that adds the fewest new facts."""
        options = [why(Reasons(self.objects, self.state), formula, bound) for formula, bound in choices]
        best: Facts = min(options, key=self._new)
        self.found |= best

    def _new(self, facts: Facts) -> int:
        return sum(fact not in self.found for fact in facts)

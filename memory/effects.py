"""What an agent learns about its actions by trying them: when they are possible and what they change.

    model = EffectModel(objects, ignored)
    model.saw(before, step, after)       an action was executed between two states
    model.refused(before, step)          it was not possible there
    model.expected(state, step)          the state after it; None if it is not known to be possible
    model.tries(state, step)             how often it was tried in a situation like this one
    model.rate(action)                   how often actions of this name are possible

Nothing is known at the beginning but the objects and their types. A fact is described by the places that its objects
have among the arguments of the action; at most one other object may occur in it. The rule for a change (`on
?0,?other` becomes false) keeps the facts that held about these objects each time it happened, and how often it was
right and wrong. An action is taken to be possible if all that ever held of its arguments when it worked holds now,
and nothing that never did. That is the most cautious hypothesis which explains all successes, as in version spaces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from planners.formula import Atom, Objects, State
from planners.steps import Step

OTHER = -1
"""The place of an object that is no argument of the action."""


class Fact(NamedTuple):
    """A fact with places instead of objects; without places it says that the predicate holds of some other object."""

    predicate: str
    places: tuple[int, ...]


Facts = frozenset[Fact]


class Change(NamedTuple):
    """A fact that an action makes true or false; `kind` is the type of the other object in it."""

    action: str
    fact: Fact
    value: bool
    kind: str = ""


@dataclass
class Rule:
    """What held whenever a change happened, and how often it did so when expected."""

    condition: Facts
    right: int = 1
    wrong: int = 0


class Situation(NamedTuple):
    """The facts about the arguments of an action, and those about each other object."""

    own: Facts
    others: Mapping[str, Facts]


class EffectModel:
    """The learned model. Predicates in `ignored` are not used: they are known never to change."""

    def __init__(self, objects: Objects, ignored: Collection[str] = ()) -> None:
        self.objects = objects
        self._ignored = frozenset(ignored)
        self._rules: dict[Change, Rule] = {}
        self._worked: dict[str, list[Facts]] = {}
        self._failed: dict[str, set[Facts]] = {}
        self._refusals: Counter[str] = Counter()
        self._tries: Counter[tuple[str, Facts, frozenset[tuple[str, Facts]]]] = Counter()

    def saw(self, before: State, step: Step, after: State) -> None:
        """Learn from an action that was executed."""
        here = self.situation(before, step)
        self._tries[self._signature(step, here)] += 1
        self._worked.setdefault(step.action, []).append(here.own)
        for change, atom in list(self._expected_changes(step, here)):
            if (atom in after) != change.value:
                self._rules[change].wrong += 1
        places = _places(step)
        for atom in sorted(before ^ after):
            others = {arg for arg in atom.args if arg not in places}
            if len(others) > 1 or atom.predicate in self._ignored:
                continue
            other = next(iter(others), None)
            kind = "" if other is None else self.objects[other]
            held = here.own if other is None else here.others.get(other, frozenset())
            change = Change(step.action, _lifted(atom, places), atom in after, kind)
            rule = self._rules.get(change)
            if rule is None:
                self._rules[change] = Rule(held)
            else:
                rule.condition &= held
                rule.right += 1

    def refused(self, before: State, step: Step) -> None:
        """Learn from an action that was not possible."""
        here = self.situation(before, step)
        self._tries[self._signature(step, here)] += 1
        self._failed.setdefault(step.action, set()).add(here.own)
        self._refusals[step.action] += 1

    def expected(self, state: State, step: Step) -> State | None:
        """The state after the action; None if it is not known to be possible."""
        if step.action not in self._worked:
            return None
        here = self.situation(state, step)
        if not self._possible(step, here.own):
            return None
        changes = list(self._expected_changes(step, here))
        deleted = {atom for change, atom in changes if not change.value}
        return (state - deleted) | {atom for change, atom in changes if change.value}

    def impossible(self, state: State, step: Step) -> bool:
        """Whether the action was refused when the same held of its arguments, and never worked then."""
        own = self.situation(state, step).own
        return own in self._failed.get(step.action, ()) and own not in self._worked.get(step.action, ())

    def tries(self, state: State, step: Step) -> int:
        """How often the action was tried in a situation like this one."""
        return self._tries[self._signature(step, self.situation(state, step))]

    def rate(self, action: str) -> float:
        """How often an action of this name is possible, by Laplace's rule of succession."""
        worked = len(self._worked.get(action, ()))
        return (worked + 1) / (worked + self._refusals[action] + 2)

    def situation(self, state: State, step: Step) -> Situation:
        """What holds of the arguments of an action, and of every other object in relation to them."""
        places, near = _places(step), _by_object(state)
        others = {
            name: frozenset(self._facts(near.get(name, ()), {**places, name: OTHER}))
            for name in self.objects
            if name not in places
        }
        own = {fact for name in places for fact in self._facts(near.get(name, ()), places)}
        own |= {Fact(fact.predicate, ()) for facts in others.values() for fact in facts if fact.places == (OTHER,)}
        own |= {Fact(atom.predicate, ()) for atom in near.get("", ())}
        return Situation(frozenset(own), others)

    def _facts(self, atoms: Collection[Atom], places: Mapping[str, int]) -> Iterator[Fact]:
        for atom in atoms:
            if atom.predicate not in self._ignored and all(arg in places for arg in atom.args):
                yield _lifted(atom, places)

    def _possible(self, step: Step, own: Facts) -> bool:
        worked = self._worked[step.action]
        if own in self._failed.get(step.action, ()) and own not in worked:
            return False
        return frozenset.intersection(*worked) <= own <= frozenset.union(*worked)

    def _expected_changes(self, step: Step, here: Situation) -> Iterator[tuple[Change, Atom]]:
        """What the rules that are more often right than wrong expect."""
        for change, rule in self._rules.items():
            if change.action != step.action or rule.right <= rule.wrong:
                continue
            if not change.kind:
                if rule.condition <= here.own:
                    yield change, _grounded(change.fact, step, "")
                continue
            for name, facts in here.others.items():
                if self.objects[name] == change.kind and rule.condition <= facts:
                    yield change, _grounded(change.fact, step, name)

    def _signature(self, step: Step, here: Situation) -> tuple[str, Facts, frozenset[tuple[str, Facts]]]:
        """What tells situations of an action apart: its arguments, and what they have to do with other objects."""
        related = {
            (self.objects[name], facts)
            for name, facts in here.others.items()
            if any(set(f.places) - {OTHER} for f in facts)
        }
        return step.action, here.own, frozenset(related)


def _places(step: Step) -> dict[str, int]:
    return {name: place for place, name in enumerate(step.args)}


def _lifted(atom: Atom, places: Mapping[str, int]) -> Fact:
    return Fact(atom.predicate, tuple(places.get(arg, OTHER) for arg in atom.args))


def _grounded(fact: Fact, step: Step, other: str) -> Atom:
    return Atom(fact.predicate, tuple(other if place == OTHER else step.args[place] for place in fact.places))


@lru_cache(maxsize=8192)
def _by_object(state: State) -> Mapping[str, tuple[Atom, ...]]:
    """The facts about each object; those about none are under the empty name."""
    found: dict[str, list[Atom]] = {}
    for atom in state:
        for name in set(atom.args) or {""}:
            found.setdefault(name, []).append(atom)
    return {name: tuple(atoms) for name, atoms in found.items()}

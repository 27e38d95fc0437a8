"""A belief for worlds with too many states to list: a probability for each fact, under common laws.

    belief = Factored.from_prior(laws, prior)
    belief = belief.with_answers({atom: True})     # answers about the current picture
    belief = belief.moved(step)            # the world executed it; or .failed(step), .refused(step)
    belief.state, belief.chance(formula), belief.worth_asking(4, 0.01, among=facts)

It has the interface of the exact belief (`memory.belief.Belief`) but is an approximation: facts are independent
except for the laws, which determine the most likely state. The effects of an action on its own arguments are
certain; effects on other things (such as objects out of reach after driving) are slightly uncertain.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from memory.rates import Rates, Seen, Tally
from planners.formula import And, Atom, Binding, Exists, ForAll, Formula, Holds, Literal, Not, Or, Same, State
from planners.maxsat import NoState, likeliest
from planners.mutexes import Laws
from planners.task import GroundAction, Step

TOLD = 0.02
"""The probability that a fact of the given start state is wrong or outdated."""
ASIDE = 0.3
"""The chance that an action has no effect on things that are not its arguments."""
BOUND = 7.0
"""The bound of all log-odds: no fact is more certain than one in a thousand."""


@dataclass(frozen=True, eq=False)
class Factored:
    """Log-odds of each atom, from earlier pictures and outcomes, and answers about the current picture.

    `slip` is the chance that an executed action did not have its effects, or was legal contrary to the belief.
    """

    laws: Laws
    odds: Mapping[Atom, float]
    answers: Mapping[Atom, float] = field(default_factory=dict)
    refusals: tuple[Step, ...] = ()
    tally: Tally = field(default_factory=Tally)
    rates: Rates = field(default_factory=Rates)
    slip: float = 0.05

    @classmethod
    def from_prior(cls, laws: Laws, prior: State | None, *, rates: Rates | None = None, slip: float = 0.05) -> Factored:
        """The prior: nearly certain of a given initial state; without one, undecided about all changing atoms."""
        rates = rates or Rates()
        sure = _log_odds(1 - TOLD)
        odds = dict.fromkeys(laws.atoms, 0.0)
        if prior is not None:
            unsettled = (atom for atom in laws.domain.atoms(laws.objects) if atom not in laws.settled)
            odds = {atom: sure if atom in prior else -sure for atom in unsettled}
        return cls(laws, odds, tally=Tally(rates), rates=rates, slip=slip)

    def with_answers(self, answers: Mapping[Atom, float]) -> Factored:
        """The belief after answers about the current picture, whose error rates are learned."""
        heard = replace(self, answers={**self.answers, **answers})
        return replace(heard, rates=heard._heard().rates())

    def refused(self, step: Step) -> Factored:
        """The belief after the world refused the step: some precondition is false, probably the least likely."""
        wanted = [literal for literal in self._ground(step).preconditions() if self.binds(literal.atom)]
        every = math.prod(self._chance_of(literal) for literal in wanted)
        odds = dict(self.odds)
        for literal in wanted:
            true = self._chance_of(literal)
            left = (true - every) / max(1 - every, 1e-9)
            odds[literal.atom] = self._shifted(literal, self.slip * true + (1 - self.slip) * left)
        return replace(self, odds=odds, refusals=(*self.refusals, step))

    def moved(self, step: Step) -> Factored:
        """The belief after the world executed the step: it was legal, and there is a new picture."""
        return self._after(step, come=1 - self.slip, gone=1 - self.slip)

    def failed(self, step: Step, *, unchanged: bool = False) -> Factored:
        """The belief after the step failed: it was legal, added nothing, and may have deleted something.

        With an `unchanged` picture nothing was deleted; answers about it still hold and are not counted twice.
        """
        action = self._ground(step)
        if unchanged:
            legal = [literal for literal in action.preconditions() if self.binds(literal.atom)]
            sure = {literal.atom: self._shifted(literal, 1 - self.slip) for literal in legal}
            return replace(self, odds={**self.odds, **sure})
        # As in `memory.repair.undone`: an action without add effects is meant to delete, and has failed to.
        brings = any(literal.value and chance > 0.5 for literal, chance, _ in self._effects(action))
        return self._after(step, come=self.slip, gone=0.5 if brings else self.slip)

    def without(self, impossible: State) -> Factored:
        """The belief without facts that the observation rules out."""
        return replace(self, odds={**self.odds, **{atom: -BOUND for atom in impossible if self.binds(atom)}})

    def _after(self, step: Step, *, come: float, gone: float) -> Factored:
        """The belief after a step, given the probabilities that add and delete effects occurred."""
        action = self._ground(step)
        wanted = (literal for literal in action.preconditions() if literal.atom not in self.laws.settled)
        legal = {literal.atom: _towards(literal, self.slip) for literal in wanted}
        before = replace(self, odds={**self.now, **legal}, answers={}, refusals=())
        odds = dict(before.odds)
        certain: dict[Literal, float] = {}
        for literal, chance, direct in before._effects(action):
            strength = chance * (come if literal.value else gone) * (1.0 if direct else 1 - ASIDE)
            kept = (1 - strength) * _chance(odds[literal.atom])
            odds[literal.atom] = _log_odds(strength * literal.value + kept)
            if direct and strength > 0.5:
                certain[literal] = odds[literal.atom]
        return replace(before, odds={**odds, **self._follows(certain)}, tally=self._heard())

    def _effects(self, action: GroundAction) -> Iterator[tuple[Literal, float, bool]]:
        """The possible effects, their probabilities, and whether they concern arguments of the action; add wins."""
        for value in (False, True):
            for effect in action.schema.effects:
                for more in action.objects.bindings(effect.variables) if effect.value is value else ():
                    bound = {**action.binding, **more}
                    literal = Literal(Holds(effect.predicate, effect.terms).atom(bound), value)
                    direct = literal.atom.args[:1] in {(arg,) for arg in action.step.args}
                    chance = self.chance(effect.condition, bound)
                    # A fact that is deleted whenever it holds is false afterwards in any case.
                    gone = not value and effect.condition == Holds(effect.predicate, effect.terms)
                    yield literal, 1.0 if gone else chance, direct

    def _follows(self, certain: Mapping[Literal, float]) -> dict[Atom, float]:
        """The consequences of the effects by the laws."""
        found: dict[Atom, float] = {}
        for literal, odds in certain.items():
            for other in self.laws.implied(literal):
                if Literal(other.atom, not other.value) not in certain:
                    found[other.atom] = abs(odds) if other.value else -abs(odds)
        return found

    def _ground(self, step: Step) -> GroundAction:
        return self.laws.domain.ground(step, self.laws.objects)

    def _heard(self) -> Tally:
        """The tally with the answers about the current picture, weighted by the belief in them."""
        seen = ((atom, self._chance_of(Literal(atom)), yes) for atom, yes in self.answers.items() if self.binds(atom))
        return self.tally.with_answers(Seen(atom.predicate, true, float(yes)) for atom, true, yes in seen)

    def binds(self, atom: Atom) -> bool:
        """Whether the belief is about the atom."""
        return atom in self.odds and atom not in self.laws.settled

    @cached_property
    def now(self) -> Mapping[Atom, float]:
        """The log-odds of each atom, answers about the current picture included."""
        odds = dict(self.odds)
        for atom, yes in self.answers.items():
            if atom in odds:
                odds[atom] = _bounded(odds[atom] + self.rates.weight(atom.predicate, yes))
        return odds

    @cached_property
    def state(self) -> State:
        """The most likely state under the laws in which no refused step is legal."""
        try:
            return likeliest(self.laws, self.now, refused=self.refusals)
        except NoState:
            return likeliest(self.laws, self.now)

    def chance(self, formula: Formula, binding: Binding | None = None) -> float:
        """The probability of a formula, assuming independent parts."""
        bound, objects = binding or {}, self.laws.objects
        match formula:
            case Holds():
                return self._chance_of(Literal(formula.atom(bound)))
            case Same(left, right):
                return float(bound.get(left, left) == bound.get(right, right))
            case Not(body):
                return 1 - self.chance(body, bound)
            case And(parts):
                return math.prod(self.chance(part, bound) for part in parts)
            case Or(parts):
                return 1 - math.prod(1 - self.chance(part, bound) for part in parts)
            case ForAll(variables, body):
                return math.prod(self.chance(body, {**bound, **more}) for more in objects.bindings(variables))
            case Exists(variables, body):
                return 1 - math.prod(1 - self.chance(body, {**bound, **more}) for more in objects.bindings(variables))

    def information(self, atom: Atom) -> float:
        """The expected information about an atom, in bits, of a question about it."""
        missed, imagined = self.rates.of(atom.predicate)
        true = self._chance_of(Literal(atom))
        yes = true * (1 - missed) + (1 - true) * imagined
        return _uncertain(yes) - true * _uncertain(missed) - (1 - true) * _uncertain(imagined)

    def worth_asking(self, most: int, least: float, among: Iterable[Atom] | None = None) -> tuple[Atom, ...]:
        """Up to `most` atoms not yet asked about the current picture, each worth at least `least` bits, best first."""
        asked = dict.fromkeys(self.odds if among is None else among)
        worth = {atom: self.information(atom) for atom in asked if self.binds(atom) and atom not in self.answers}
        ranked = sorted(worth, key=lambda atom: (-round(worth[atom], 6), atom))
        return tuple(atom for atom in ranked if worth[atom] >= least)[:most]

    def _chance_of(self, literal: Literal) -> float:
        """The probability of a literal. Static facts are certain if they are stated."""
        settled = self.laws.settled.get(literal.atom)
        true = _chance(self.now.get(literal.atom, 0.0)) if settled is None else float(settled)
        return true if literal.value else 1 - true

    def _shifted(self, literal: Literal, chance: float) -> float:
        """The log-odds of the literal's atom without the current answers that give it this chance with them."""
        true = _log_odds(chance if literal.value else 1 - chance)
        return true - (self.now[literal.atom] - self.odds[literal.atom])


def _towards(literal: Literal, doubt: float) -> float:
    return _log_odds(1 - doubt if literal.value else doubt)


def _log_odds(chance: float) -> float:
    kept = min(max(chance, 1e-9), 1 - 1e-9)
    return _bounded(math.log(kept / (1 - kept)))


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def _bounded(odds: float) -> float:
    return min(max(odds, -BOUND), BOUND)


def _uncertain(chance: float) -> float:
    """The entropy of a yes or no, in bits."""
    if not 0 < chance < 1:
        return 0.0
    return -(chance * math.log2(chance) + (1 - chance) * math.log2(1 - chance))

"""An exact belief: the probability of each legal state, given all answers and actions so far.

    belief = Belief.blank(legal_states(domain, objects, goal))
    belief = belief.with_answers({atom: True, other: False})    # answers about the current picture
    belief = belief.refused(step)                       # the world reported that the step is not legal
    belief = belief.moved(step)                         # the world executed it
    belief.best, belief.certainty, belief.entropy, belief.information()

A belief is immutable: each method returns a new one. An answer about one picture counts once, however often it is
given, because a repeated question mostly gets the same answer. `Contradiction` is raised if no legal state is left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from memory.rates import Rates, Seen, Tally
from planners.formula import Atom, Formula, State
from planners.invariants import LegalStates
from planners.task import Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.float64]

FAINTEST = -600.0
"""The least log-probability of a possible state, relative to the likeliest one."""


class Contradiction(ValueError):
    """No legal state explains the outcomes: an action slipped unnoticed, or the domain does not fit the world."""


def evidence(space: LegalStates, answers: Mapping[Atom, float], rates: Rates) -> Numbers:
    """For each legal state, the log-likelihood of the answers, up to a constant.

    An answer is True, False, or the probability of a yes.
    """
    return weighed(space, {atom: rates.weight(atom.predicate, yes) for atom, yes in answers.items()})


def weighed(space: LegalStates, weights: Mapping[Atom, float]) -> Numbers:
    """For each legal state, the sum of the weights of its true atoms. Atoms without a column are ignored."""
    import numpy as np

    known = {space.column[atom]: weight for atom, weight in weights.items() if atom in space.column}
    row = np.zeros(len(space.atoms), dtype=np.float32)
    row[list(known)] = list(known.values())
    # Rounded, so that ties between states are ties on every machine.
    # Not with `@`: on a busy machine, its threads wait for each other much longer than the sum takes.
    found: Numbers = np.einsum("i,ij->j", row, space.numbers).astype(np.float64)
    return found.round(3)


@dataclass(frozen=True, eq=False)
class Belief:
    """Log-weights over the legal states.

    `weights` come from earlier pictures and outcomes, `answers` are about the current picture. `slip` is the chance
    that an executed action does something else or nothing. A belief that `learns` weighs each predicate's
    answers by how well they fit the likely states.
    """

    space: LegalStates
    weights: Numbers
    answers: Mapping[Atom, float] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    slip: float = 0.0
    learns: bool = True
    rates: Rates = field(default_factory=Rates)

    @classmethod
    def blank(cls, space: LegalStates, *, rates: Rates | None = None, slip: float = 0.0, learns: bool = True) -> Belief:
        """A uniform belief over all legal states."""
        import numpy as np

        rates = rates or Rates()
        return cls(
            space, np.zeros(len(space)), tally=Tally(Rates(rates.default)), slip=slip, learns=learns, rates=rates
        )

    def with_answers(self, answers: Mapping[Atom, float]) -> Belief:
        """The belief after answers about the current picture."""
        belief = replace(self, answers={**self.answers, **answers})
        for _ in range(2 if self.learns else 0):
            # Expectation maximisation: error rates are estimated from likely states, and these from error rates.
            belief = replace(belief, rates=belief._heard().rates())
        return belief

    def refused(self, step: Step) -> Belief:
        """The belief after the world refused the step: states in which it is legal are ruled out."""
        import numpy as np

        return self._checked(np.where(self.space.next_state(step) < 0, self.weights, -math.inf))

    def moved(self, step: Step) -> Belief:
        """The belief after the world executed the step: it was legal, and there is a new picture."""
        import numpy as np

        leads = self.space.next_state(step)
        legal = self._checked(np.where(leads < 0, -math.inf, self.weights)).probabilities
        after: Numbers = np.bincount(leads[leads >= 0], legal[leads >= 0], len(self.space)).astype(np.float64)
        if self.slip:
            after = (1 - self.slip) * after + self.slip * self._slipped(step, legal)
        with np.errstate(divide="ignore"):
            weights = np.log(after)
        return replace(self, weights=weights, answers={}, tally=self._heard())

    def failed(self, step: Step, *, unchanged: bool = False) -> Belief:
        """The belief after the step failed: it was legal, its effects are unknown, unless nothing changed."""
        if unchanged:
            import numpy as np

            return self._checked(np.where(self.space.next_state(step) < 0, -math.inf, self.weights))
        return replace(replace(self, slip=max(self.slip, 0.5)).moved(step), slip=self.slip)

    def _slipped(self, step: Step, before: Numbers) -> Numbers:
        """A mixture of equal parts: nothing happened, or the action was executed with other arguments."""
        import numpy as np

        sources, targets = self.space.arrows(step.action)
        choices = np.bincount(sources, minlength=len(before))
        share = before / np.maximum(choices, 1)
        return 0.5 * before + 0.5 * np.bincount(targets, share[sources], len(before))

    def _checked(self, weights: Numbers) -> Belief:
        if not (weights > -math.inf).any():
            raise Contradiction("no legal state explains what the world did")
        return replace(self, weights=weights)

    def _heard(self) -> Tally:
        """The tally with the answers about the current picture, weighted by the belief in them."""
        if not self.answers:
            return self.tally
        chances = self.marginals
        seen = [(atom, chances[self.space.column[atom]], yes) for atom, yes in self.answers.items() if self.binds(atom)]
        return self.tally.with_answers(Seen(atom.predicate, float(true), float(yes)) for atom, true, yes in seen)

    def binds(self, atom: Atom) -> bool:
        """Whether the belief is about the atom."""
        return atom in self.space.column

    @cached_property
    def probabilities(self) -> Numbers:
        """The probability of each state."""
        import numpy as np

        logs = self.weights + evidence(self.space, self.answers, self.rates) if self.answers else self.weights
        possible = logs > -math.inf
        chances = np.where(possible, np.exp(np.maximum(logs - logs.max(), FAINTEST)), 0.0)
        return np.asarray(chances / chances.sum())

    @cached_property
    def marginals(self) -> Numbers:
        """The probability of each atom."""
        import numpy as np

        sums: Numbers = np.einsum("ij,j->i", self.space.numbers, self.probabilities.astype(np.float32)).astype(
            np.float64
        )
        return sums.clip(0.0, 1.0)

    @cached_property
    def best(self) -> int:
        """The number of the most likely state; the first one of ties."""
        return int(self.probabilities.argmax())

    @property
    def state(self) -> State:
        """The most likely state."""
        return self.space.state(self.best)

    @property
    def certainty(self) -> float:
        """The probability of the most likely state."""
        return float(self.probabilities[self.best])

    def chance(self, formula: Formula) -> float:
        """The probability that the formula holds."""
        return float(self.probabilities[self.space.where(formula)].sum())

    @property
    def entropy(self) -> float:
        """The uncertainty about the state, in bits."""
        chances = self.probabilities[self.probabilities > 0]
        return float(-(chances * _log2(chances)).sum())

    def information(self) -> Numbers:
        """The expected information about the state, in bits, of a question about each atom."""
        import numpy as np

        wrong = np.array([self.rates.of(atom.predicate) for atom in self.space.atoms])
        missed, imagined, true = wrong[:, 0], wrong[:, 1], self.marginals
        yes = true * (1 - missed) + (1 - true) * imagined
        return _uncertain(yes) - true * _uncertain(missed) - (1 - true) * _uncertain(imagined)

    def worth_asking(self, most: int, least: float) -> tuple[Atom, ...]:
        """Up to `most` atoms not yet asked about the current picture, each worth at least `least` bits, best first."""
        gains = self.information()
        order = sorted(range(len(gains)), key=lambda number: (-round(float(gains[number]), 6), number))
        open_ones = (
            number for number in order if gains[number] >= least and self.space.atoms[number] not in self.answers
        )
        return tuple(self.space.atoms[number] for number, _ in zip(open_ones, range(most), strict=False))


def _uncertain(chance: Numbers) -> Numbers:
    """The entropy of a yes or no, in bits."""
    return -(chance * _log2(chance) + (1 - chance) * _log2(1 - chance))


def _log2(chance: Numbers) -> Numbers:
    import numpy as np

    return np.log2(np.maximum(chance, 1e-300))

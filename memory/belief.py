"""What an agent believes of the world: how likely each legal state is, given all answers and actions so far.

    belief = Belief.blank(legal_states(domain, objects, goal))
    belief = belief.with_answers({atom: True, other: False})    # answers about the picture of now
    belief = belief.refused(step)                       # the world said that the step is not legal
    belief = belief.moved(step)                         # the world carried it out
    belief.best, belief.certainty, belief.entropy, belief.information()

A belief is never changed: each of these gives a new one. An answer about one picture counts once, however often it is
given: the same question mostly gets the same answer. `Contradiction` is raised where no legal state is left.
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
"""What is possible stays possible: no state falls further behind the likeliest than this, as a logarithm."""


class Contradiction(ValueError):
    """Outcomes that no legal state explains: the world slipped, or the domain is not its own."""


def evidence(space: LegalStates, answers: Mapping[Atom, float], rates: Rates) -> Numbers:
    """For each legal state the log-likelihood of the answers, up to a constant.

    An answer is True, False, or the probability of a yes.
    """
    return weighed(space, {atom: rates.weight(atom.predicate, yes) for atom, yes in answers.items()})


def weighed(space: LegalStates, weights: Mapping[Atom, float]) -> Numbers:
    """For each legal state the sum of the weights of what is true in it; of other atoms it knows nothing."""
    import numpy as np

    known = {space.column[atom]: weight for atom, weight in weights.items() if atom in space.column}
    row = np.zeros(len(space.atoms), dtype=np.float32)
    row[list(known)] = list(known.values())
    # Rounded, so that states which explain the answers equally well are equal on every machine.
    # Not by `@`: on a busy machine its threads wait for each other far longer than the sum takes.
    found: Numbers = np.einsum("i,ij->j", row, space.numbers).astype(np.float64)
    return found.round(3)


@dataclass(frozen=True, eq=False)
class Belief:
    """Log-weights over the legal states.

    `weights` come from earlier pictures and outcomes, `answers` are about the picture of now. `slip` is the chance that
    an action that is carried out does something else or nothing. A belief that `learns` weighs each predicate's
    answers by how well they fit the states it holds likely.
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
        """Every legal state is as likely as any other."""
        import numpy as np

        rates = rates or Rates()
        return cls(
            space, np.zeros(len(space)), tally=Tally(Rates(rates.default)), slip=slip, learns=learns, rates=rates
        )

    def with_answers(self, answers: Mapping[Atom, float]) -> Belief:
        """With answers about the current picture."""
        belief = replace(self, answers={**self.answers, **answers})
        for _ in range(2 if self.learns else 0):
            # Expectation and maximisation: error rates follow from likely states, and likely states from error rates.
            belief = replace(belief, rates=belief._heard().rates())
        return belief

    def refused(self, step: Step) -> Belief:
        """The world says that the step is not legal: it is no state in which it would have been."""
        import numpy as np

        return self._checked(np.where(self.space.next_state(step) < 0, self.weights, -math.inf))

    def moved(self, step: Step) -> Belief:
        """The world has carried the step out: it was legal, and the picture is a new one."""
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
        """The world tried the step and failed: it was legal; what it did is open, unless the picture is the same."""
        if unchanged:
            import numpy as np

            return self._checked(np.where(self.space.next_state(step) < 0, -math.inf, self.weights))
        return replace(replace(self, slip=max(self.slip, 0.5)).moved(step), slip=self.slip)

    def _slipped(self, step: Step, before: Numbers) -> Numbers:
        """Half the time nothing has happened, half the time the action was done with other arguments."""
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
        """The tally with the answers about the current picture, weighted by how far they are believed."""
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
        """How likely each state is."""
        import numpy as np

        logs = self.weights + evidence(self.space, self.answers, self.rates) if self.answers else self.weights
        possible = logs > -math.inf
        chances = np.where(possible, np.exp(np.maximum(logs - logs.max(), FAINTEST)), 0.0)
        return np.asarray(chances / chances.sum())

    @cached_property
    def marginals(self) -> Numbers:
        """How likely each atom is."""
        import numpy as np

        sums: Numbers = np.einsum("ij,j->i", self.space.numbers, self.probabilities.astype(np.float32)).astype(
            np.float64
        )
        return sums.clip(0.0, 1.0)

    @cached_property
    def best(self) -> int:
        """The number of the most likely state; the first of equals."""
        return int(self.probabilities.argmax())

    @property
    def state(self) -> State:
        """The most likely state."""
        return self.space.state(self.best)

    @property
    def certainty(self) -> float:
        """How likely the most likely state is."""
        return float(self.probabilities[self.best])

    def chance(self, formula: Formula) -> float:
        """How likely it is that the formula holds."""
        return float(self.probabilities[self.space.where(formula)].sum())

    @property
    def entropy(self) -> float:
        """The uncertainty about the state, in bits."""
        chances = self.probabilities[self.probabilities > 0]
        return float(-(chances * _log2(chances)).sum())

    def information(self) -> Numbers:
        """How many bits the answer to the question about each atom is expected to tell of the state."""
        import numpy as np

        wrong = np.array([self.rates.of(atom.predicate) for atom in self.space.atoms])
        missed, imagined, true = wrong[:, 0], wrong[:, 1], self.marginals
        yes = true * (1 - missed) + (1 - true) * imagined
        return _uncertain(yes) - true * _uncertain(missed) - (1 - true) * _uncertain(imagined)

    def worth_asking(self, most: int, least: float) -> tuple[Atom, ...]:
        """Up to `most` atoms not asked yet of the picture of now, each worth at least so many bits, best first."""
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

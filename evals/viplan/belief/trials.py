"""Trials on a recorded case: repair its state, and act on it.

The world is symbolic: a move is legal if its precondition holds, and has the effects of the domain, as in the recorded
worlds without slips.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from envs.blocksworld.problems import BlocksProblem, atoms_of, domain
from memory.belief import Belief, evidence
from memory.rates import Rates
from planners.formula import Atom
from planners.invariants import LegalStates, legal_states
from planners.task import Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEPS = 20
CERTAIN = 0.9
"""The probability of the goal at which an acting belief stops."""

DRAWS = 4
"""How often the blind control is repeated."""


class Trial(NamedTuple):
    """The outcome of a trial: success, the number of attempts, and of illegal ones."""

    solved: bool
    attempts: int
    illegal: int


@dataclass(frozen=True, eq=False)
class Board:
    """A problem as a table of states with distances from the goal."""

    space: LegalStates
    start: int
    far: NDArray[np.int32]

    @classmethod
    def of(cls, problem: BlocksProblem) -> Board:
        """The board of a problem; the legal states come from its goal, not from its start."""
        space = legal_states(domain(), problem.objects, problem.goal)
        start = space.find(atoms_of(problem.start, problem.columns))
        if start is None:
            raise ValueError(f"{problem.name}: its start cannot be reached from its goal")
        return cls(space, start, space.distances(space.where(problem.goal)))

    def repaired(self, answers: Mapping[Atom, bool], rates: Rates) -> int:
        """The state that best explains the answers."""
        return int(evidence(self.space, answers, rates).argmax())

    def way(self, state: int) -> Step | None:
        """The first move of a shortest plan from a state; None at the goal."""
        if self.far[state] == 0:
            return None
        return next(step for step, leads in self.space.moves.items() if self._nearer(state, int(leads[state])))

    def _nearer(self, state: int, after: int) -> bool:
        return after >= 0 and bool(self.far[after] == self.far[state] - 1)

    def open_loop(self, believed: int) -> Trial:
        """Execute a shortest plan from the believed state, ignoring outcomes."""
        plan: list[Step] = []
        while (step := self.way(believed)) is not None:
            plan.append(step)
            believed = int(self.space.next_state(step)[believed])
        return self.carry_out(plan)

    def carry_out(self, plan: Sequence[Step]) -> Trial:
        """Attempt every step of a plan, ignoring outcomes."""
        state, illegal = self.start, 0
        for step in plan[:STEPS]:
            after = int(self.space.next_state(step)[state])
            state, illegal = (after if after >= 0 else state), illegal + (after < 0)
        return Trial(bool(self.far[state] == 0), min(len(plan), STEPS), illegal)

    def act(self, belief: Belief) -> Trial:
        """Act on the most likely state and learn from outcomes, until the goal is believed or the steps are used up."""
        state, illegal = self.start, 0
        for attempts in range(STEPS):
            step = self._next(belief)
            if step is None:
                return Trial(bool(self.far[state] == 0), attempts, illegal)
            after = int(self.space.next_state(step)[state])
            belief = belief.refused(step) if after < 0 else belief.moved(step)
            state, illegal = (after if after >= 0 else state), illegal + (after < 0)
        return Trial(bool(self.far[state] == 0), STEPS, illegal)

    def act_blind(self) -> list[Trial]:
        """The same without answers: states are equally likely, so their order is random and trials are repeated."""
        import numpy as np

        blank = Belief.blank(self.space, learns=False)
        draws = (np.random.default_rng(seed).random(len(self.space)) for seed in range(DRAWS))
        return [self.act(replace(blank, weights=draw * 1e-6)) for draw in draws]

    def _next(self, belief: Belief) -> Step | None:
        """The next move from the most likely state that is not the goal; None if the goal is certain."""
        chances = belief.probabilities
        if chances[self.far == 0].sum() >= CERTAIN:
            return None
        return self.way(int((chances * (self.far > 0)).argmax()))

"""A model that guesses: the lower control of every comparison.

blind         answers at random, without looking; equal questions get equal guesses
"""

from __future__ import annotations

from models.base import Kind, Options, Request, Witness
from models.sim import ANSWER, PERCEIVING, StandIn, chance

USAGE = "blind    guesses without looking; the lower control"


class ShutEyes:
    """Eyes that see nothing: facts are guessed.

    What concerns the answer to a question stays as it is, because a blunder of 1 replaces that answer by a guess.
    """

    def __init__(self, seed: str) -> None:
        self.identity = f"shut eyes, seed {seed}"

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        """A guess; equal for the same picture and question."""
        if fact.startswith(ANSWER):
            return true
        return chance(self.identity, request, fact) < 0.5


def load(rest: str, options: Options) -> StandIn:
    """The model that guesses; `?seed=N` changes the guesses."""
    strange = set(options) - {"seed"}
    if rest or strange:
        raise ValueError("blind has only the option seed")
    seed = options.get("seed", "0")
    kinds = PERCEIVING - {Kind.PROBLEM}
    return StandIn(ShutEyes(seed), blunder=1.0, simulated=False, name=f"blind seed {seed}", kinds=kinds)

"""A model that guesses: the lower control of every comparison.

blind         answers at random, without looking; equal questions get equal guesses
"""

from __future__ import annotations

from models.base import Kind, Options
from models.oracle import PerfectEyes
from models.sim import PERCEIVING, StandIn

USAGE = "blind    guesses without looking; the lower control"


def load(rest: str, options: Options) -> StandIn:
    """The model that guesses; `?seed=N` changes the guesses."""
    strange = set(options) - {"seed"}
    if rest or strange:
        raise ValueError("blind has only the option seed")
    eyes = PerfectEyes()
    seed = options.get("seed", "0")
    kinds = PERCEIVING - {Kind.PROBLEM}
    return StandIn(eyes, blunder=1.0, simulated=False, name=f"blind seed {seed}", kinds=kinds)

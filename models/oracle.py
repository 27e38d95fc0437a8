"""A model that is always right: perfect eyes and an optimal plan. The upper control of every comparison.

oracle        answers every question by the truth and plans optimally from it
"""

from __future__ import annotations

from models.base import Options, Request, Witness
from models.sim import KNOWING, StandIn

USAGE = "oracle   always right; the upper control"


class PerfectEyes:
    """Eyes that see what is there."""

    identity = "perfect eyes"

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        """The truth."""
        return true


def load(rest: str, options: Options) -> StandIn:
    """The oracle; it takes no options."""
    if rest or options:
        raise ValueError("oracle takes no options")
    return perfect()


def perfect() -> StandIn:
    """The model that is always right."""
    return StandIn(PerfectEyes(), simulated=False, name="oracle", kinds=KNOWING)

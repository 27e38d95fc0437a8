"""What questions about ViPlan's worlds are like, for simulated models."""

from __future__ import annotations

from envs.base import World
from evals.viplan.twins import blocks, homes
from models.base import Traits
from planners.formula import Atom


def describe(world: World, fact: str) -> Traits | None:
    """The traits of a fact as it is now; None in worlds that no records are of."""
    if world.name == "blocksworld":
        return blocks.traits(world.truth(), fact)
    if world.name == "household":
        atom = Atom.parse(fact)
        return homes.traits_of(atom, atom in world.truth(), world.observe().picture.key)
    return None

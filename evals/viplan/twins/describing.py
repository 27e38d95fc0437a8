"""What questions about ViPlan's worlds are like, for simulated models."""

from __future__ import annotations

from envs.base import World
from evals.viplan.twins import blocks, homes
from models.base import Traits
from planners.formula import Atom

PREDICATES = {
    "blocksworld": ("on", "incolumn", "clear", "leftof", "rightof"),
    "household": ("reachable", "holding", "open", "ontop", "nextto", "inside"),
}
"""What was asked about in the records."""


def describe(world: World, fact: str) -> Traits | None:
    """The traits of a fact as it is now; None for those that no records are of."""
    if fact.partition(" ")[0] not in PREDICATES.get(world.name, ()):
        return None
    if world.name == "blocksworld":
        return blocks.traits(world.truth(), fact)
    if world.name == "household":
        atom = Atom.parse(fact)
        return homes.traits_of(atom, atom in world.truth(), world.observe().picture.key)
    return None

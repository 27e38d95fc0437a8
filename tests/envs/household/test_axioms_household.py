"""What `axioms.pddl` says of a home is so, whatever is done in it."""

from __future__ import annotations

import random

import pytest

from envs.household.problems import files, load
from envs.household.world import Household
from planners.invariants import ground_actions
from planners.mutexes import find_laws


@pytest.mark.slow
@pytest.mark.parametrize("split", ["simple", "medium", "hard"])
def test_axioms_hold_after_every_legal_action(split: str) -> None:
    world = Household(load(files(split)[0], split))
    laws = find_laws(world.domain, world.objects, world.truth())
    steps = [action.step for action in ground_actions(world.domain, world.objects)]
    chance = random.Random(split)
    for _ in range(20):
        assert list(laws.broken(world.truth())) == []
        legal = [step for step in steps if world.laws.ground(step, world.objects).applicable(world.truth())]
        world.step(chance.choice(legal))

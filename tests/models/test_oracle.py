from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings

from envs.blocksworld.problems import Columns
from models.base import Witnessing
from models.parsing import yes_no
from models.registry import load_model
from planners.outcome import Planner
from tests.small_worlds import about, arrangements, blocksworld, witness


@settings(max_examples=15, deadline=None)
@given(arrangements())
def test_it_is_right_about_every_fact(planner: Planner, start: Columns) -> None:
    world = blocksworld(start, start)
    oracle = load_model("oracle")
    assert isinstance(oracle, Witnessing)
    model = oracle.for_episode(witness(world, planner))

    async def check() -> None:
        for atom in world.domain.atoms(world.objects):
            for cot in (False, True):
                reply = await model.ask(about(str(atom), cot=cot))
                assert yes_no(reply.text, cot=cot) is (atom in world.truth())

    asyncio.run(check())


def test_it_is_no_simulation_of_anyone() -> None:
    assert not load_model("oracle").simulated


@pytest.mark.parametrize("spec", ["oracle:wise", "oracle?seed=1"])
def test_it_takes_no_options(spec: str) -> None:
    with pytest.raises(ValueError, match="oracle takes no options"):
        load_model(spec)

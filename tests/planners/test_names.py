from __future__ import annotations

import pytest

from planners import get_planner
from planners.names import UnknownName, unknown


def test_a_near_name_is_offered():
    error = unknown("agent", "groundmem", ["ground_mem", "action", "action_cot"])
    assert str(error) == "no agent 'groundmem'. Did you mean 'ground_mem'? Agents: action, action_cot, ground_mem"
    assert "'ground_mem'?" in str(unknown("agent", "GROUND_MEM", ["ground_mem"]))


def test_without_a_near_name_there_is_only_the_list():
    assert str(unknown("world", "xyzzy", ["blocksworld"])) == "no world 'xyzzy'. Worlds: blocksworld"
    assert str(unknown("world", "xyzzy", [])) == "no world 'xyzzy'. There are no worlds."


def test_it_is_the_noun_that_there_are_several_of():
    assert str(unknown("option of sim", "sed", ["seed", "blunder"])) == (
        "no option of sim 'sed'. Did you mean 'seed'? Options of sim: blunder, seed"
    )
    assert str(unknown("option of coin", "x", [])) == "no option of coin 'x'. There are no options of coin."


@pytest.mark.parametrize("name", ["fdopt", "up:", "", "FD"])
def test_planners_that_do_not_exist(name: str):
    with pytest.raises(UnknownName, match=r"no planner .*Planners: fd, fd-opt, up:ENGINE"):
        get_planner(name)

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planning_worlds import HOUSE_PROBLEM, Stacks, blocks, blocks_task, house, moved

from planners import get_planner
from planners.fast_downward import FastDownward
from planners.formula import TRUE, And, Holds, Or
from planners.outcome import Status
from planners.pddl import read_problem
from planners.task import Step

START: Stacks = (("r", "g"), ("b",), ("y",), ())
GOAL: Stacks = ((), ("g", "y"), ("r",), ("b",))


@st.composite
def arrangements(draw: st.DrawFn) -> tuple[Stacks, Stacks]:
    names = "rgbyp"[: draw(st.integers(1, 5))]

    def stacks() -> Stacks:
        order = draw(st.permutations(names))
        places = draw(st.lists(st.integers(0, 3), min_size=len(names), max_size=len(names)))
        return tuple(tuple(b for b, at in zip(order, places, strict=True) if at == column) for column in range(4))

    return stacks(), stacks()


def test_a_plan(fd: FastDownward):
    outcome = fd.solve(blocks_task(START, GOAL))
    assert outcome.status is Status.SOLVED
    assert reduce(moved, outcome.plan, START) == GOAL
    assert outcome.engine == "fast-downward 0.5.1 lama-first"
    assert outcome.seconds > 0
    assert not outcome.cached


@settings(max_examples=25, deadline=None)
@given(arrangements())
def test_plans_lead_to_the_goal(fd: FastDownward, ends: tuple[Stacks, Stacks]):
    start, goal = ends
    outcome = fd.solve(blocks_task(start, goal))
    assert outcome.status is Status.SOLVED, outcome.message
    assert reduce(moved, outcome.plan, start) == goal


@settings(max_examples=15, deadline=None)
@given(arrangements())
def test_shortest_plans_are_not_longer(fd: FastDownward, optimal: FastDownward, ends: tuple[Stacks, Stacks]):
    task = blocks_task(*ends)
    shortest = optimal.solve(task)
    assert shortest.solved, shortest.message
    assert len(shortest.plan) <= len(fd.solve(task).plan)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_belief_gets_an_answer(fd: FastDownward, data: st.DataObject):
    task = blocks_task(START, GOAL)
    atoms = sorted(task.domain.atoms(task.objects))
    believed = data.draw(st.frozensets(st.sampled_from(atoms)))
    outcome = fd.solve(replace(task, init=believed))
    assert outcome.status in (Status.SOLVED, Status.UNSOLVABLE), outcome.message


def test_nothing_to_do_is_an_empty_plan(fd: FastDownward):
    outcome = fd.solve(blocks_task(START, START))
    assert (outcome.status, outcome.plan) == (Status.SOLVED, ())
    assert fd.solve(replace(blocks_task(START, GOAL), goal=TRUE)).solved


@pytest.mark.parametrize(
    "goal",
    [
        Or(),
        And((Holds("on", ("r", "g")), Holds("on", ("g", "r")))),
        And((Holds("incolumn", ("r", "c1")), Holds("incolumn", ("r", "c2")))),
        Holds("leftof", ("c4", "c1")),
    ],
)
def test_unsolvable(fd: FastDownward, optimal: FastDownward, goal: And):
    for planner in (fd, optimal):
        outcome = planner.solve(replace(blocks_task(START, GOAL), goal=goal))
        assert (outcome.status, outcome.plan) == (Status.UNSOLVABLE, ()), outcome.message


def test_disjunctions_quantifiers_and_kinds_of_types(fd: FastDownward):
    problem = read_problem(house(), HOUSE_PROBLEM)
    outcome = fd.solve(problem.task(house()))
    assert outcome.solved, outcome.message
    assert Step("put-in", ("spoon", "chest")) in outcome.plan
    assert Step("shut", ("drawer",)) in outcome.plan


def test_what_the_engine_cannot_read_is_an_error_with_a_message(fd: FastDownward):
    outcome = fd.solve(replace(blocks_task(START, GOAL), goal=Holds("levitates", ("r",))))
    assert outcome.status is Status.ERROR
    assert "levitates" in outcome.message
    assert fd.solve(blocks_task(START, GOAL)).solved


def test_a_plan_that_cannot_be_carried_out_is_an_error(fd: FastDownward):
    # The engine is told that any block may be moved, also from under others.
    text = blocks().text.replace("(clear ?b) (not (inColumn", "(not (inColumn")
    task = replace(blocks_task(START, GOAL), domain=replace(blocks(), text=text), goal=Holds("incolumn", ("r", "c4")))
    outcome = fd.solve(task)
    assert (outcome.status, outcome.plan) == (Status.ERROR, ())
    assert "step 1, moveblock(r, c4): the precondition does not hold" in outcome.message


def test_many_threads_get_what_one_gets(fd: FastDownward):
    tasks = [blocks_task(START, tuple(GOAL[turn:] + GOAL[:turn])) for turn in range(4)] * 4
    alone = [fd.solve(task).plan for task in tasks[:4]] * 4
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda task: fd.solve(task).plan, tasks))
    assert together == alone
    assert len(set(alone)) == 4


def test_planning_beside_other_work(fd: FastDownward):
    task = blocks_task(START, GOAL)

    async def several() -> list[tuple[Step, ...]]:
        return [outcome.plan for outcome in await asyncio.gather(*(fd.plan(task) for _ in range(5)))]

    assert asyncio.run(several()) == [fd.solve(task).plan] * 5


def test_it_writes_nothing_where_it_is_called(fd: FastDownward, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert fd.solve(blocks_task(START, GOAL)).solved
    assert os.listdir(tmp_path) == []  # noqa: PTH208


def test_it_is_found_by_name():
    for name in ("fd", "fd-opt"):
        planner = get_planner(name)
        assert planner.engine.startswith("fast-downward 0.5.1 ")
        planner.close()

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from planning_worlds import Stacks, blocks_task

from planners.cache import CachedPlanner, task_key
from planners.fast_downward import FastDownward
from planners.formula import Or
from planners.outcome import PlanOutcome, Status
from planners.task import Task

START: Stacks = (("r", "g"), ("b",), ("y",), ())
GOAL: Stacks = ((), ("g", "y"), ("r",), ("b",))
TASK = blocks_task(START, GOAL)


@dataclass
class Counting:
    """A planner that counts how often it is asked."""

    planner: FastDownward
    answer: PlanOutcome | None = None
    asked: list[Task] = field(default_factory=list)

    @property
    def engine(self) -> str:
        return self.planner.engine

    @property
    def optimal(self) -> bool:
        return self.planner.optimal

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        self.asked.append(task)
        return self.answer or self.planner.solve(task, timeout=timeout)

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        return self.solve(task, timeout=timeout)

    def close(self) -> None:
        pass


@pytest.fixture
def counting(fd: FastDownward) -> Counting:
    return Counting(fd)


def test_the_second_time_is_remembered(counting: Counting):
    planner = CachedPlanner(counting)
    first, second = planner.solve(TASK), planner.solve(TASK)
    assert (first.cached, second.cached) == (False, True)
    assert first.plan == second.plan
    assert second.seconds < first.seconds
    assert asyncio.run(planner.plan(TASK)).cached
    assert len(counting.asked) == 1
    assert planner.engine == counting.engine


def test_that_there_is_no_plan_is_remembered_too(counting: Counting):
    planner = CachedPlanner(counting)
    hopeless = replace(TASK, goal=Or())
    assert [planner.solve(hopeless).status for _ in range(2)] == [Status.UNSOLVABLE] * 2
    assert len(counting.asked) == 1


@pytest.mark.parametrize("status", [Status.TIMEOUT, Status.OUT_OF_MEMORY, Status.ERROR])
def test_failures_are_not_remembered(counting: Counting, status: Status, tmp_path: Path):
    planner = CachedPlanner(counting, tmp_path / "plans.sqlite")
    counting.answer = PlanOutcome(status)
    assert planner.solve(TASK).status is status
    counting.answer = None
    assert planner.solve(TASK).solved
    planner.close()


def test_every_part_of_a_task_tells_tasks_apart():
    other_objects = TASK.domain.objects({name: TASK.objects[name] for name in sorted(TASK.objects, reverse=True)})
    tasks = [
        TASK,
        replace(TASK, init=TASK.init - {min(TASK.init)}),
        replace(TASK, goal=Or()),
        replace(TASK, objects=other_objects),
        replace(TASK, domain=replace(TASK.domain, text=TASK.domain.text + "; another")),
    ]
    keys = {task_key(task, "an engine") for task in tasks} | {task_key(TASK, "another engine")}
    assert len(keys) == 6
    assert task_key(replace(TASK, init=frozenset(sorted(TASK.init))), "an engine") in keys


def test_the_rest_of_a_shortest_plan_is_known(optimal: FastDownward):
    counting = Counting(optimal)
    planner = CachedPlanner(counting)
    plan = planner.solve(TASK).plan
    for number, state in enumerate(TASK.states(plan)[:-1]):
        outcome = planner.solve(replace(TASK, init=state))
        assert outcome.cached
        assert outcome.plan == plan[number:]
        assert len(optimal.solve(replace(TASK, init=state)).plan) == len(outcome.plan)
    assert len(counting.asked) == 1


def test_other_plans_are_not_cut_up(counting: Counting):
    planner = CachedPlanner(counting)
    second = TASK.states(planner.solve(TASK).plan)[1]
    assert not planner.solve(replace(TASK, init=second)).cached


def test_plans_outlive_the_process(counting: Counting, tmp_path: Path):
    file = tmp_path / "deep" / "plans.sqlite"
    first = CachedPlanner(counting, file)
    plan = first.solve(TASK).plan
    first.close()
    again = CachedPlanner(counting, file)
    outcome = again.solve(TASK)
    assert (outcome.cached, outcome.plan, outcome.engine) == (True, plan, counting.engine)
    assert again.solve(TASK).cached
    again.close()
    assert again.solve(TASK).cached
    assert len(counting.asked) == 1


def test_memory_is_limited(counting: Counting):
    planner = CachedPlanner(counting, size=1)
    other = blocks_task(START, START)
    for task in (TASK, TASK, other, TASK):
        planner.solve(task)
    assert counting.asked == [TASK, other, TASK]


def test_many_threads(counting: Counting, tmp_path: Path):
    planner = CachedPlanner(counting, tmp_path / "plans.sqlite", size=2)
    tasks = [blocks_task(START, tuple(GOAL[turn:] + GOAL[:turn])) for turn in range(4)] * 6
    with ThreadPoolExecutor(8) as threads:
        plans = list(threads.map(lambda task: planner.solve(task).plan, tasks))
    assert plans == plans[:4] * 6
    planner.close()


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"", None])
def test_a_file_that_is_no_cache(
    counting: Counting, tmp_path: Path, content: bytes | None, caplog: pytest.LogCaptureFixture
):
    file = tmp_path / "plans.sqlite"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    planner = CachedPlanner(counting, file)
    assert [planner.solve(TASK).cached for _ in range(2)] == [False, True]
    planner.close()
    assert ("in memory only" in caplog.text) == (content != b"")
    assert content in (None, b"") or file.read_bytes() == content


@pytest.mark.parametrize(
    "row", [("solved", "rubbish"), ("sloved", "[]"), ("solved", '["moveblock(r, c1)"]'), (None, None)]
)
def test_rows_that_cannot_be_are_passed_over(counting: Counting, tmp_path: Path, row: tuple[str, str]):
    file = tmp_path / "plans.sqlite"
    CachedPlanner(counting, file).close()
    with sqlite3.connect(file) as database:
        database.execute("INSERT INTO plans VALUES (?, ?, ?)", (task_key(TASK, counting.engine), *row))
    database.close()
    planner = CachedPlanner(counting, file)
    outcome = planner.solve(TASK)
    assert (outcome.cached, outcome.solved) == (False, True)
    planner.close()


def test_a_table_of_another_shape(counting: Counting, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    file = tmp_path / "plans.sqlite"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE plans (something TEXT)")
    database.close()
    planner = CachedPlanner(counting, file)
    assert [planner.solve(TASK).cached for _ in range(2)] == [False, True]
    assert "in memory only" in caplog.text
    planner.close()

"""The fast way and the long way must agree, or recorded runs would not replay."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from planning_worlds import BLOCKS, HOUSE, HOUSE_PROBLEM, blocks, blocks_task, house

from planners import get_planner
from planners.fast_downward import FastDownward, _downward
from planners.formula import And, Holds
from planners.outcome import Status
from planners.pddl import read_problem
from planners.task import Task
from planners.unified import UnifiedPlanning
from planners.write import problem_text

START = (("r", "g"), ("b",), ("y",), ())
GOAL = ((), ("g", "y"), ("r",), ("b",))

# Translates pairs of (domain, problem) in the worker's way and says which pairs come out the same to the byte.
COMPARE = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
from _fd_engine import Engine
sys.path.remove(sys.argv[1])
pipe = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
engine = Engine(sys.argv[2])
same = [engine.translate(*ours) == engine.translate(*theirs) for ours, theirs in json.load(sys.stdin)]
json.dump(same, pipe)
"""


def beliefs(task: Task, number: int, seed: str) -> list[Task]:
    """The task from states a little or a lot unlike its own, as agents come to believe them."""
    choose = random.Random(seed)
    atoms = sorted(task.domain.atoms(task.objects))
    flips = [choose.sample(atoms, choose.choice([1, 2, 5, 15])) for _ in range(number)]
    return [replace(task, init=task.init ^ frozenset(flip)) for flip in flips]


def originals(shared: Path) -> list[Task]:
    files = sorted((shared / "data/viplan/problems").rglob("*.pddl"))
    return [read_problem(blocks(), file).task(blocks()) for file in files]


@cache
def as_read_by_unified_planning(domain: str, problem: str) -> Any:
    from unified_planning.io import PDDLReader

    return PDDLReader().parse_problem_string(domain, problem)


def as_written_by_unified_planning(domain_text: str, task: Task) -> tuple[str, str]:
    from unified_planning.io import PDDLWriter

    problem = as_read_by_unified_planning(domain_text, problem_text(task, init=False)).clone()
    for atom in task.domain.atoms(task.objects):
        fluent = problem.fluent(atom.predicate)
        problem.set_initial_value(fluent(*map(problem.object, atom.args)), atom in task.init)
    writer = PDDLWriter(problem)
    return writer.get_domain(), writer.get_problem()


def translate_alike(pairs: list[tuple[str, Task]], folder: Path) -> list[bool]:
    import planners

    texts = [((domain, problem_text(task)), as_written_by_unified_planning(domain, task)) for domain, task in pairs]
    here = str(Path(planners.__file__).parent)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", COMPARE, here, str(_downward())],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    same: list[bool] = json.loads(done.stdout)
    return same


@pytest.mark.slow
def test_the_same_plans(fd: FastDownward, unified: UnifiedPlanning):
    task = blocks_task(START, GOAL)
    for one in [task, *beliefs(task, 1, "quick"), read_problem(house(), HOUSE_PROBLEM).task(house())]:
        fast, long = fd.solve(one), unified.solve(one)
        assert (fast.status, fast.plan) == (long.status, long.plan)
        assert fast.status is not Status.ERROR


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_engine_is_told_the_same(tmp_path: Path):
    task, other = blocks_task(START, GOAL), read_problem(house(), HOUSE_PROBLEM).task(house())
    pairs = [(BLOCKS, one) for one in [task, *beliefs(task, 4, "blocks")]]
    pairs += [(HOUSE, one) for one in [other, *beliefs(other, 4, "house")]]
    assert translate_alike(pairs, tmp_path) == [True] * 10


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_engine_is_told_the_same_about_every_original_problem(shared: Path, tmp_path: Path):
    tasks = [one for n, task in enumerate(originals(shared)) for one in [task, *beliefs(task, 1, str(n))]]
    same = translate_alike([(BLOCKS, task) for task in tasks], tmp_path)
    assert same == [True] * 150


@pytest.mark.slow
def test_the_same_plans_for_original_problems(shared: Path, fd: FastDownward, unified: UnifiedPlanning):
    """A third of them: the engine is told the same about all."""
    tasks = [one for n, task in enumerate(originals(shared)[::3]) for one in [task, *beliefs(task, 1, str(n))]]
    different = [task for task in tasks if fd.solve(task).plan != unified.solve(task).plan]
    assert different == []


def test_statuses(unified: UnifiedPlanning):
    task = blocks_task(START, GOAL)
    contradiction = And((Holds("on", ("r", "g")), Holds("on", ("g", "r"))))
    assert unified.solve(replace(task, goal=contradiction)).status is Status.UNSOLVABLE
    assert unified.solve(blocks_task(START, START)).plan == ()
    assert unified.engine == "unified-planning 1.3.0 fast-downward"


@pytest.mark.slow
def test_an_engine_that_is_not_installed():
    planner = get_planner("up:fast-upward")
    outcome = planner.solve(blocks_task(START, GOAL))
    planner.close()
    assert outcome.status is Status.ERROR
    assert "no engine 'fast-upward'" in outcome.message
    assert "fast-downward-opt" in outcome.message


@pytest.mark.slow
def test_an_engine_that_does_not_take_the_domain_says_so():
    planner = get_planner("up:fast-downward-opt")
    outcome = planner.solve(blocks_task(START, GOAL))
    planner.close()
    assert outcome.status is Status.ERROR
    assert "unsupported" in outcome.message.lower()

"""The plans of the original's recorded runs come out again, action for action."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from planners.fast_downward import FastDownward
from planners.formula import Atom, State
from planners.pddl import read_domain, read_problem
from planners.task import Task

DOMAIN = Path(__file__).parents[2] / "envs" / "blocksworld" / "domain.pddl"


def believed(answers: dict[str, Any]) -> State:
    return frozenset(Atom.parse(question) for question, (answer, *_) in answers.items() if answer == "yes")


def recorded_replans(shared: Path) -> list[tuple[Task, list[str]]]:
    """What was believed when a run was re-planned, and the plan it got; empty where there was none."""
    domain = read_domain(DOMAIN)
    root = shared / "data/viplan"
    runs = {file.parent: file for file in sorted((root / "original/results").rglob("results_*.json"))}
    found = []
    for folder, file in runs.items():
        if "blocksworld" not in folder.parts or "predicates" not in folder.parts:
            continue
        for name, episode in json.loads(file.read_text()).items():
            for replan in (isinstance(episode, dict) and episode.get("replans")) or ():
                source = root / "problems" / Path(name).parent.name / Path(name).name
                problem = read_problem(domain, source)
                task = Task(domain, problem.objects, believed(replan["enum_results"]), problem.goal)
                found.append((task, replan.get("actions") or []))
    return found


@pytest.mark.slow
def test_recorded_replans(shared: Path, fd: FastDownward):
    replans = recorded_replans(shared)
    assert len(replans) > 100
    assert [list(map(str, fd.solve(task).plan)) for task, _ in replans] == [plan for _, plan in replans]

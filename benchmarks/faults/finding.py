"""All combinations of agents and benchmarks that can be played here, from the registries.

python -m benchmarks.faults.finding
"""

from __future__ import annotations

import json
import subprocess
import sys

from agents.base import Needs
from agents.registry import all_agents
from benchmarks.faults.processes import Cell
from evals.run.benchmark import Supplies
from evals.run.benchmarks import find_benchmark, names
from evals.run.toolboxes import kind_of
from tests.conftest import ROOT

TINY = ("tests/evals/tiny_benchmarks.py:QUESTIONS", "tests/evals/tiny_benchmarks.py:Corridors")
"""One benchmark for each kind of task that no other benchmark has."""


def cells() -> tuple[list[Cell], list[str]]:
    """All combinations, and why some benchmarks cannot be played."""
    found: list[Cell] = []
    missing: list[str] = []
    kinds: set[Needs] = set()
    for name in (*names(), *TINY):
        try:
            kind = _kind_of(name)
        except (ValueError, FileNotFoundError) as error:
            missing.append(f"{name}: {error}")
            continue
        if name not in TINY or kind not in kinds:
            kinds.add(kind)
            found += [Cell(name, agent.name) for agent in all_agents().values() if agent.fits(kind)]
    return found, missing


def _kind_of(name: str) -> Needs:
    """The kind of the tasks of a benchmark."""
    benchmark = find_benchmark(name)
    settings = benchmark.settings(limit=1)
    episode = next(iter(benchmark.episodes(settings)))
    task, _ = benchmark.open(episode, settings, Supplies())
    return kind_of(task)


def cells_elsewhere() -> tuple[list[Cell], list[str]]:
    """The same, found in a separate process.

    Linux counts the memory of the parent at the start of a process, so the bench itself has to stay small.
    """
    command = [sys.executable, "-m", "benchmarks.faults.finding"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found, missing = json.loads(ran.stdout)
    return [Cell(*words) for words in found], missing


if __name__ == "__main__":
    playable, reasons = cells()
    print(json.dumps([[[cell.benchmark, cell.agent] for cell in playable], reasons]))

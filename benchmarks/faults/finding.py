"""Every agent in every benchmark that can be played here, found through the registries."""

from __future__ import annotations

from collections.abc import Iterator

from agents.registry import all_agents
from benchmarks.faults.processes import Cell
from evals.run.benchmark import Supplies
from evals.run.benchmarks import find_benchmark, names
from evals.run.toolboxes import kind_of

TINY = ("tests/evals/tiny_benchmarks.py:QUESTIONS", "tests/evals/tiny_benchmarks.py:Corridors")
"""One of each other kind of task, in case that no benchmark has it."""


def cells() -> tuple[list[Cell], list[str]]:
    """All of them, and why some benchmarks cannot be played."""
    found: list[Cell] = []
    missing: list[str] = []
    for name in (*names(), *TINY):
        try:
            found += _cells_of(name)
        except (ValueError, FileNotFoundError) as error:
            missing.append(f"{name}: {error}")
    return found, missing


def _cells_of(name: str) -> Iterator[Cell]:
    benchmark = find_benchmark(name)
    settings = benchmark.settings(limit=1)
    episode = next(iter(benchmark.episodes(settings)))
    task, _ = benchmark.open(episode, settings, Supplies())
    for agent in all_agents().values():
        if agent.needs is kind_of(task):
            yield Cell(name, agent.name)

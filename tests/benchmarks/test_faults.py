"""The bench of faults, in short: once each what costs least, with an agent and a benchmark that the seed picks."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from agents.registry import all_agents
from benchmarks.faults.finding import cells
from benchmarks.faults.fuzz import mutated
from evals.run.benchmarks import names
from tests.conftest import ROOT

SHORT = ("killed", "faulty API", "hostile runs", "changed files")


def test_it_finds_agents_and_benchmarks_by_itself() -> None:
    found, missing = cells()
    assert {cell.agent for cell in found} == set(all_agents())
    known = {cell.benchmark for cell in found}
    assert set(names()) <= known | {line.partition(":")[0] for line in missing}


def test_a_changed_file_is_another_and_the_same_seed_changes_it_alike() -> None:
    content = b'{"a": [1, 2, {"b": "text"}]}\n' * 20
    changed = [mutated(content, random.Random(seed)) for seed in range(50)]
    assert changed == [mutated(content, random.Random(seed)) for seed in range(50)]
    assert sum(one != content for one in changed) > 40


@pytest.mark.slow
def test_the_short_bench_survives() -> None:
    only = [word for fault in SHORT for word in ("--only", fault)]
    command = [sys.executable, "-m", "benchmarks.faults", "--minutes", "0", "--cells", "1", *only]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert all(fault in ran.stdout for fault in SHORT)

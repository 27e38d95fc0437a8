"""Episodes are data: pickled and played in another process they go as they go here, whatever task they open."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from agents.registry import find_agent
from evals.run.benchmark import Benchmark
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.prepare import list_episodes
from evals.run.settings import Settings
from evals.viplan.benchmark import ViPlan
from tests.conftest import ROOT
from tests.small_sets import Fruit, Staircases, played

THERE = """
import asyncio, pickle, sys
from pathlib import Path
from evals.run.directory import FORMAT, RunDirectory
from evals.run.equipment import Equipment
from evals.run.prepare import make_setup
from evals.run.runner import Runner
from evals.run.settings import Running

folder = Path(sys.argv[1])
for name, (benchmark, settings, episodes) in pickle.loads((folder / "jobs").read_bytes()).items():
    equipment = Equipment()
    run = RunDirectory.create(folder / "there" / name, {"settings": {}, "format": FORMAT})
    runner = Runner(make_setup(benchmark, settings, Running(), equipment), run)
    asyncio.run(runner.play_all(episodes, lambda result: None))
    equipment.close()
"""


Job: TypeAlias = tuple[Benchmark[Any], Settings, list[Episode]]
"""What is sent to the other process."""
CASES: dict[str, tuple[Benchmark[Any], dict[str, Any]]] = {
    "questions": (Fruit(), {"agent": "answer", "model": "sim:gpt-4.1?blunder=0.5", "limit": 4}),
    "options": (Staircases(), {"agent": "choose", "model": "sim:gpt-4.1?blunder=0.5", "repeats": 2}),
    "blocksworld": (ViPlan(), {"agent": "ground_mem", "model": "sim:gpt-4.1", "limit": 1, "fail_probability": 0.3}),
    "household": (ViPlan(), {"agent": "plan", "model": "sim:gpt-4.1", "domain": "household", "limit": 1}),
}


def job(benchmark: Benchmark[Any], options: Mapping[str, Any]) -> Job:
    settings = benchmark.settings(**options)
    return benchmark, settings, list_episodes(benchmark, settings, find_agent(settings.agent))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All cases, played in one other process."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "jobs").write_bytes(pickle.dumps({name: job(*case) for name, case in CASES.items()}))
    subprocess.run([sys.executable, "-c", THERE, str(folder)], cwd=ROOT, check=True)
    return folder


def results(run: RunDirectory) -> dict[str, Any]:
    return {result.id: result.model_dump() for result in run.results()}


def what_happened(run: RunDirectory, episode: str) -> list[list[Any]]:
    """The events with the truth beside them, but for times. Questions that are asked together come in any order."""
    records = [record.model_dump(mode="json") for record in run.records(episode)]
    for record in records:
        for accidental in ("seconds", "cached"):
            record["event"].pop(accidental, None)
    together = groupby(records, lambda record: record["event"]["type"])
    return [sorted(group, key=repr) if type == "asked" else list(group) for type, group in together]


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_pickled_episodes_play_the_same_in_another_process(name: str, folder: Path, tmp_path: Path) -> None:
    benchmark, options = CASES[name]
    here, there = played(benchmark, tmp_path / name, **options), RunDirectory.open(folder / "there" / name)
    assert results(there) == results(here)
    assert len(results(here)) == len(job(benchmark, options)[2]) > 0
    for episode in results(here):
        assert what_happened(there, episode) == what_happened(here, episode), episode

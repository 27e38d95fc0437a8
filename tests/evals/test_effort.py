"""What success took, over several runs: taken together by seed, told apart by condition."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from evals.effort import Effort, efforts, main
from evals.sweeping.config import read_plan
from evals.viplan import main as play
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seeds of two agents, and one run under a control."""
    folder = tmp_path_factory.mktemp("runs")
    common = ["--split", "simple", "--limit", "2", "--model", "sim:gpt-4.1"]
    for agent in ("ground", "ground_lazy"):
        for seed in ("0", "1"):
            assert play([*common, "--agent", agent, "--seed", seed, "--out", str(folder / f"{agent}{seed}")]) == 0
    assert play([*common, "--agent", "ground_lazy", "--control", "blind", "--out", str(folder / "blind")]) == 0
    return folder


def one(found: list[Effort], agent: str, condition: str = "limit 2") -> Effort:
    (effort,) = (one for one in found if one.agent == agent and one.condition == condition)
    return effort


def test_seeds_are_taken_together_and_conditions_are_not(runs: Path) -> None:
    found = efforts([runs])
    assert len(found) == 3
    ground, lazy, blind = (
        one(found, "ground"),
        one(found, "ground_lazy"),
        one(found, "ground_lazy", "control blind, limit 2"),
    )
    assert (ground.seeds, ground.n) == (lazy.seeds, lazy.n) == (2, 4)
    assert (blind.seeds, blind.n) == (1, 2)
    assert lazy.questions_per_solved is not None
    assert ground.questions_per_solved is not None
    assert 2 * lazy.questions_per_solved <= ground.questions_per_solved
    assert blind.illegal > lazy.illegal


def test_it_is_told_as_table_list_and_file(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "effort.csv"
    assert main([str(runs), "--csv", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "blocksworld, sim:gpt-4.1, control blind, limit 2, 1 seed" in printed
    assert "per solved task" in printed
    with out.open() as lines:
        assert len(list(csv.DictReader(lines))) == 3
    assert main([str(runs), "--json"]) == 0
    assert {row["agent"] for row in json.loads(capsys.readouterr().out)} == {"ground", "ground_lazy"}
    assert main([str(runs), "--markdown"]) == 0
    assert "| `ground_lazy` | " in capsys.readouterr().out


def test_a_run_that_is_named_twice_counts_once_and_a_rerun_is_told_apart(runs: Path, tmp_path: Path) -> None:
    copy = tmp_path / "rerun"
    shutil.copytree(runs / "ground0", copy)
    config = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps({**config, "rerun": {"with": "oracle-answers"}}))
    found = efforts([runs, runs / "ground0", copy])
    assert one(found, "ground") == one(efforts([runs]), "ground")
    assert one(found, "ground", "rerun oracle-answers, limit 2").n == 2


def test_a_folder_without_runs_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "no run there" in capsys.readouterr().err


def test_the_example_compares_all_methods_over_three_seeds() -> None:
    plan = read_plan(ROOT / "examples" / "belief.toml")
    agents = {cell.settings.agent for cell in plan.cells}
    eight = {f"{name}{cot}" for name in ("plan", "action", "ground", "ground_mem") for cot in ("", "_cot")}
    assert agents >= eight | {"ground_repair", "ground_lazy", "ground_belief", "hybrid"}
    assert {cell.settings.seed for cell in plan.cells} == {0, 1, 2}

"""What success took, over several runs: taken together by seed, told apart by condition."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import pytest

from evals.effort import Effort, efforts, main
from evals.run.statistics import wilson
from evals.sweep.config import read_plan
from evals.viplan.__main__ import main as play
from tests.conftest import ROOT
from tests.small_sets import Fruit, played


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
    (effort,) = (one for one in found if one.key.agent == agent and one.key.condition == condition)
    return effort


@pytest.mark.slow
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
    assert 2 * (lazy.per_solved["questions"] or 0) <= (ground.per_solved["questions"] or 0)
    assert (blind.measures["illegal"] or 0) > (lazy.measures["illegal"] or 0)
    assert lazy.per_solved["requests"] == pytest.approx(
        (lazy.per_solved["questions"] or 0) + (lazy.per_solved["proposals"] or 0)
    )


def test_it_is_told_as_table_list_and_file(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "effort.csv"
    assert main([str(runs), "--csv", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "blocksworld, sim:gpt-4.1, control blind, limit 2, 1 seed" in printed
    assert "per solved task" in printed
    with out.open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 3
    assert {"questions_per_solved", "proposals_per_solved", "illegal", "replans", "low", "high"} <= rows[0].keys()
    assert main([str(runs), "--json"]) == 0
    assert {row["agent"] for row in json.loads(capsys.readouterr().out)} == {"ground", "ground_lazy"}
    assert main([str(runs), "--markdown"]) == 0
    assert "| ground_lazy | " in capsys.readouterr().out


def test_a_run_that_is_named_twice_counts_once_and_a_rerun_is_told_apart(runs: Path, tmp_path: Path) -> None:
    copy = tmp_path / "rerun"
    shutil.copytree(runs / "ground0", copy)
    config = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps({**config, "rerun": {"with": "oracle-answers"}}))
    found = efforts([runs, runs / "ground0", copy])
    assert one(found, "ground") == one(efforts([runs]), "ground")
    assert one(found, "ground", "rerun oracle-answers, limit 2").n == 2


def test_measures_are_those_of_the_benchmark_or_chosen(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(Fruit(), tmp_path / "fruit", model="scripted:A")
    (count, kind, ripe) = sorted(efforts([tmp_path]), key=lambda effort: effort.split)
    assert [effort.split for effort in efforts([tmp_path])] == ["kind", "count", "ripe"]
    assert (kind.measures["chance"], count.measures["unreadable"], ripe.success) == (0.25, 1.0, 0.0)
    assert kind.interval == pytest.approx((wilson(3, 12).low, wilson(3, 12).high))
    assert (kind.per_solved["requests"], count.per_solved["requests"]) == (4.0, None)
    assert main([str(tmp_path)]) == 0
    assert re.search(r"kind\s+12\s+0\.25 \[0\.09, 0\.53\]\s+0\.25\s+0\.00\s+4\.00", capsys.readouterr().out)
    assert main([str(runs), "--markdown", "--measure", "questions", "cost"]) == 0
    assert "| agent | success | questions | cost / solved |" in capsys.readouterr().out
    assert main([str(runs), "--measure", "qestions"]) == 2
    assert "Did you mean 'questions'" in capsys.readouterr().err


def test_names_are_neither_markup_nor_formulas(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An agent of one's own may be called anything."""
    copy = tmp_path / "copy"
    shutil.copytree(runs / "ground0", copy)
    config = json.loads((copy / "run.json").read_text())
    config["settings"] |= {"agent": "=cmd[/x].py:build", "model": "[/red]"}
    (copy / "run.json").write_text(json.dumps(config))
    out = tmp_path / "effort.csv"
    assert main([str(copy), "--csv", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "=cmd[/x].py:build" in printed
    assert "[/red]" in printed
    with out.open() as lines:
        assert next(csv.DictReader(lines))["agent"] == "'=cmd[/x].py:build"


def test_a_split_that_an_agent_lacks_is_a_dash(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ground0", "ground_lazy0"):
        shutil.copytree(runs / name, tmp_path / name)
    results = tmp_path / "ground0" / "results.jsonl"
    first, *rest = results.read_text().splitlines(keepends=True)
    results.write_text(first.replace('"split":"simple"', '"split":"hard"') + "".join(rest))
    config = json.loads((tmp_path / "ground0" / "run.json").read_text())
    (tmp_path / "ground0" / "run.json").write_text(json.dumps({**config, "splits": ["hard", "simple"]}))
    assert main([str(tmp_path), "--markdown", "--measure", "questions"]) == 0
    printed = capsys.readouterr().out
    assert "(hard / simple)**" in printed
    assert re.search(r"\| ground_lazy \| – / [01]\.\d\d \| – / ", printed)


def test_a_folder_without_runs_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "no run there" in capsys.readouterr().err


def test_the_example_compares_all_methods_over_three_seeds() -> None:
    plan = read_plan(ROOT / "examples" / "belief.toml")
    agents = {cell.settings.agent for cell in plan.cells}
    eight = {f"{name}{cot}" for name in ("plan", "action", "ground", "ground_mem") for cot in ("", "_cot")}
    assert agents >= eight | {"ground_repair", "ground_lazy", "ground_belief", "hybrid"}
    assert {cell.settings.seed for cell in plan.cells} == {0, 1, 2}

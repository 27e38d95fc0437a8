"""Data frames of real runs: every episode, attempt and question once, with the types that the page says."""

from __future__ import annotations

import builtins
import re
from pathlib import Path
from typing import Any

import pytest

from evals import frames
from evals.comparison.arms import Unusable
from evals.failures import Failure
from evals.run_directory import RunDirectory
from evals.trace import read_trace
from evals.viplan import main
from tests.conftest import ROOT
from tools.events import Acted, Asked, CalledOff, Replanned

FRAMES = (frames.runs, frames.episodes, frames.steps, frames.answers)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for agent in ("ground_mem_cot", "plan"):
        words = ["--agent", agent, "--model", "sim:qwen2.5-vl-72b", "--limit", "3", "--fail-probability", "0.2"]
        assert main([*words, "--split", "simple", "--seed", "3", "--out", str(folder / agent)]) == 0
    return folder


def records(folder: Path, kind: Any) -> list[Any]:
    return [
        record
        for run in map(RunDirectory.open, (folder / "ground_mem_cot", folder / "plan"))
        for result in run.results()
        for record in read_trace(run.trace(result.id))
        if isinstance(record.event, kind)
    ]


@pytest.mark.parametrize("make", FRAMES, ids=lambda make: make.__name__)
def test_columns_have_the_types_that_are_promised(make: Any, folder: Path) -> None:
    frame = make(folder)
    for column, kind in frames.COLUMNS[make.__name__].items():
        assert str(frame[column].dtype) == kind, column
    assert len(frame) > 1


@pytest.mark.parametrize("make", FRAMES, ids=lambda make: make.__name__)
def test_columns_are_on_their_page(make: Any) -> None:
    text = (ROOT / "docs" / "frames.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", text, re.MULTILINE)
    shown = {
        name
        for frame, columns in rows
        if frame == "all" or f"`{make.__name__}`" in frame
        for name in re.findall(r"`(\w+)`", columns)
    }
    assert frames.COLUMNS[make.__name__].keys() - shown == set()


def test_runs_have_their_settings_and_scores(folder: Path) -> None:
    runs = frames.runs(folder).set_index("run")
    assert list(runs.index) == ["ground_mem_cot", "plan"]
    row = runs.loc["ground_mem_cot"]
    assert (row["method"], row["cot"], row["seed"], row["fail_probability"]) == ("ground_mem", True, 3, 0.2)
    assert (row["expected"], row["finished"], row["simulated"]) == (3, 3, True)
    results = RunDirectory.open(folder / "ground_mem_cot").results()
    assert row["solved"] == sum(result.success for result in results)
    assert row["started"].year >= 2024


def test_every_question_is_a_row(folder: Path) -> None:
    answers, asked = frames.answers(folder), records(folder, Asked)
    assert len(answers) == len(asked) > 150
    assert answers["right"].sum() == sum(record.event.answer == record.truth.value for record in asked)
    assert list(answers["atom"]) == [record.event.atom for record in asked]
    assert list(answers["truth"]) == [record.truth.value for record in asked]
    assert (answers.groupby("episode", observed=True)["number"].max() > 50).all()


def test_every_attempt_is_a_row(folder: Path) -> None:
    steps, tried = frames.steps(folder), records(folder, Acted | CalledOff)
    assert list(steps["action"]) == [record.event.action for record in tried]
    assert steps["called_off"].sum() == sum(isinstance(record.event, CalledOff) for record in tried)
    assert list(steps["legal"]) == [record.truth.legal for record in tried]
    assert steps["replans"].sum() <= len(records(folder, Replanned))
    planners = steps[steps["agent"] == "plan"]
    assert planners["planned"].isna().all()
    assert (planners["questions"] == 0).all()


def test_episodes_agree_with_results(folder: Path) -> None:
    episodes = frames.episodes([folder / "ground_mem_cot", str(folder / "plan")])
    results = [result for name in ("ground_mem_cot", "plan") for result in RunDirectory.open(folder / name).results()]
    assert list(episodes["success"]) == [result.success for result in results]
    assert list(episodes["steps"]) == [result.steps for result in results]
    assert episodes["failure"].isna().sum() == sum(result.success for result in results)
    assert set(episodes["domain"]) == {"blocksworld"}


def test_what_was_cut_short_has_no_success(tmp_path: Path) -> None:
    words = ["--agent", "plan", "--model", "scripted:Yes", "--split", "simple", "--limit", "1"]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    run = RunDirectory.open(tmp_path / "run")
    run.append(run.results()[0].model_copy(update={"failure": Failure.INFRASTRUCTURE, "success": False}))
    assert frames.episodes(tmp_path)["success"].isna().all()


def test_a_run_given_twice_counts_once(folder: Path) -> None:
    assert len(frames.runs([folder, folder / "plan"])) == 2


def test_where_there_is_no_run_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="no run there"):
        frames.runs(tmp_path)


def test_without_pandas_it_is_said_how_to_get_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "pandas":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(frames.PandasMissing, match=r"pip install -e '\.\[frames\]'"):
        frames.runs(folder)

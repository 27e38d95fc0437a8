"""Runs as logs of inspect-ai: inspect-ai itself reads them, and finds there what the traces say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from evals.inspect_log import main
from evals.run_directory import RunDirectory
from evals.trace import read_trace
from evals.viplan import main as viplan
from tools.events import Acted, Asked, CalledOff


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    folder = tmp_path_factory.mktemp("runs") / "run"
    words = ["--agent", "ground", "--split", "simple", "--limit", "3", "--model", "sim:qwen2.5-vl-7b"]
    assert viplan([*words, "--out", str(folder)]) == 0
    return RunDirectory.open(folder)


@pytest.mark.parametrize("name", ["log.eval", "log.json"])
def test_inspect_reads_what_is_written(name: str, run: RunDirectory, tmp_path: Path) -> None:
    log = pytest.importorskip("inspect_ai.log", reason="pip install -e '.[inspect]'")
    assert main([str(run.path), "--out", str(tmp_path / "logs" / name)]) == 0
    read = log.read_eval_log(str(tmp_path / "logs" / name))
    results = run.results()
    assert (read.status, read.eval.task, read.eval.solver, read.eval.model) == (
        "success",
        "viplan",
        "ground",
        "sim/qwen2.5-vl-7b",
    )
    assert read.eval.tags == ["simulated"]
    assert read.results.scores[0].metrics["accuracy"].value == pytest.approx(
        sum(result.success for result in results) / len(results)
    )
    by_id = {sample.id: sample for sample in read.samples}
    for result in results:
        sample, records = by_id[result.id], read_trace(run.trace(result.id))
        asked = [record for record in records if isinstance(record.event, Asked)]
        told = [event for event in sample.events if event.event == "model"]
        assert sample.scores["success"].value == ("C" if result.success else "I")
        assert [event.output.completion for event in told] == [record.event.reply for record in asked]
        assert [event.metadata["truth"]["value"] for event in told] == [record.truth.value for record in asked]
        attempts = [record.event for record in records if isinstance(record.event, Acted | CalledOff)]
        assert [message.text for message in sample.messages[1::2]] == [event.action for event in attempts]


def test_without_inspect_it_says_how_to_get_it(
    run: RunDirectory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    assert main([str(run.path)]) == 2
    assert capsys.readouterr().err == "error: logs of inspect-ai need it: pip install -e '.[inspect]'\n"


def test_what_cannot_be_written_is_one_line(
    run: RunDirectory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(run.path), "--out", str(tmp_path / "log.txt")]) == 2
    assert "inspect-ai writes .eval and .json files" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 2
    assert "is not a run" in capsys.readouterr().err

"""Runs as logs of inspect-ai: inspect-ai itself reads them, and finds there what the traces say."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from evals.inspect_log import main
from evals.judges.question import MEANING, Failure
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.results import unplayed
from evals.run.trace import read_trace
from evals.viplan.__main__ import main as viplan
from tests.evals.quiz import COLOURS, a_run
from tools.events import Acted, Asked, CalledOff


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    folder = tmp_path_factory.mktemp("runs") / "run"
    words = ["--agent", "ground", "--split", "simple", "--limit", "3", "--model", "sim:qwen2.5-vl-7b"]
    assert viplan([*words, "--out", str(folder)]) == 0
    return RunDirectory.open(folder)


@pytest.mark.slow
@pytest.mark.skipif(
    not (os.environ.get("CI") or find_spec("inspect_ai")),
    reason="inspect-ai is not installed: pip install -e '.[inspect]'",
)
@pytest.mark.parametrize("name", ["log.eval", "log.json"])
def test_inspect_reads_what_is_written(name: str, run: RunDirectory, tmp_path: Path) -> None:
    log = import_module("inspect_ai.log")
    assert main([str(run.path), "--out", str(tmp_path / "logs" / name)]) == 0
    read = log.read_eval_log(str(tmp_path / "logs" / name), resolve_attachments=True)
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
        asked = [(record.event, record.truth) for record in records if isinstance(record.event, Asked)]
        told = [event for event in sample.events if event.event == "model"]
        assert sample.scores["success"].value == ("C" if result.success else "I")
        assert [event.output.completion for event in told] == [event.reply for event, _ in asked]
        assert [event.metadata["truth"]["value"] for event in told] == [truth.value for _, truth in asked]
        attempts = [record.event for record in records if isinstance(record.event, Acted | CalledOff)]
        assert [message.text for message in sample.messages[1::2]] == [event.action for event in attempts]
        assert sample.metadata["failure"] == (result.failure or "")
        assert sample.target == "the goal holds"
        for call, (event, _) in zip(told, asked, strict=True):
            whole = "\n".join(message.text for message in call.input)
            assert event.question in whole
            assert len(whole) > len(event.question) + 200, "the whole prompt is there"
            assert "[picture scene:" in whole
            assert call.metadata["prompt"] == event.prompt


@pytest.mark.slow
def test_questions_have_choices_a_target_and_an_answer(tmp_path: Path) -> None:
    log = pytest.importorskip("inspect_ai.log", reason="pip install -e '.[inspect]'")
    run = a_run(tmp_path / "run", questions=4, repeats=2)
    assert main([str(run.path), "--out", str(tmp_path / "log.eval")]) == 0
    read = log.read_eval_log(str(tmp_path / "log.eval"))
    assert read.results.scores[0].metrics["accuracy"].value == 0.25
    assert read.results.scores[0].metrics["overall"].metadata["formula"] == "mean of episodes"
    assert [(sample.id, sample.epoch) for sample in read.samples] == [
        (f"q{number:04}", epoch) for epoch in (1, 2) for number in range(4)
    ]
    for place, sample in enumerate(read.samples):
        number = place % 4
        assert sample.choices == list(COLOURS)
        assert sample.target == "ABCD"[number]
        score = sample.scores["success"]
        assert (score.answer, score.value) == ("A", "I" if number else "C")
        assert score.explanation == (f"wrong: {MEANING[Failure.WRONG]}" if number else "solved")
        assert sample.metadata["failure"] == ("wrong" if number else "")
        question, reply = sample.messages
        assert "which colour is it?" in question.text
        assert "the letter of the right option" in question.text
        assert reply.text == "A"


@pytest.mark.slow
def test_what_was_not_scored_is_an_error(tmp_path: Path) -> None:
    log = pytest.importorskip("inspect_ai.log", reason="pip install -e '.[inspect]'")
    run = a_run(tmp_path / "run", questions=1)
    run.append(unplayed(Episode("never", "colours"), "it could not be opened"))
    run.close()
    assert main([str(run.path), "--out", str(tmp_path / "log.json")]) == 0
    read = log.read_eval_log(str(tmp_path / "log.json"))
    never = next(sample for sample in read.samples if sample.id == "never")
    assert never.error.message == "it could not be opened"
    assert never.scores is None


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

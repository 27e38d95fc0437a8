"""The commands `evals.rerun` and `evals.blame`: what they print, write, refuse, and ask of whom."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.blame.__main__ import main as blame
from evals.rerun.__main__ import main as rerun
from evals.run.directory import RunDirectory
from evals.viplan.__main__ import main as viplan
from models.registry import load_model
from tests.lessons import Lessons
from tests.loopback import Loopback

SOME = ("--split", "simple", "--limit", "4", "--fail-probability", "0.2")
WEAK = "sim:qwen2.5-vl-7b?errors=independent"


def said(command: object, capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """The exit code and what was printed."""
    capsys.readouterr()
    code = command([str(word) for word in words])  # type: ignore[operator]
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with failures."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert viplan(["--agent", "ground", *SOME, "--model", WEAK, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def failed(run: Path) -> str:
    """An episode that failed after some steps."""
    results = RunDirectory.open(run).results()
    return max((result for result in results if not result.success), key=lambda result: result.steps).id


def test_a_rerun_is_told_and_kept(run: Path, failed: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = (run, "--episode", failed, "--with", "oracle-answers", "--with", "actions")
    code, out, _ = said(rerun, capsys, *words)
    assert code == 0
    assert re.search(rf"{failed}, from step 0 with oracle-answers and actions\n  before: failed after \d+ step", out)
    assert re.search(r"  after:  solved in \d+ steps\n  first other answer, step \d+: '.*' is answered", out)
    folder = run / "reruns" / f"{failed}-0-oracle-answers+actions"
    kept = RunDirectory.open(folder)
    assert kept.config["rerun"] == {
        "of": "run",
        "path": "../..",
        "mark": kept.config["rerun"]["mark"],
        "with": "oracle-answers+actions",
        "episode": failed,
        "from_step": 0,
        "seeds": 1,
    }
    assert [result.success for result in kept.results()] == [True]
    assert (folder / "report.html").is_file()
    before = (folder / "results.jsonl").read_text()
    assert said(rerun, capsys, *words)[1] == out
    assert (folder / "results.jsonl").read_text() == before, "a finished rerun is not played again"


@pytest.mark.slow
def test_what_was_asked_for_can_be_read_by_programs(run: Path, failed: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(rerun, capsys, run, "--episode", failed, "--with", "oracle-answers", "--seeds", "3", "--json")
    assert code == 0
    told = json.loads(out)
    assert (told["episode"], told["from_step"], told["with"]) == (failed, 0, "oracle-answers")
    assert not told["before"]["success"]
    assert [result["id"] for result in told["after"]] == [failed, f"{failed}.1", f"{failed}.2"]
    assert told["first_other_answer"]["step"] >= 0


@pytest.mark.slow
def test_another_model_takes_over(run: Path, failed: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(rerun, capsys, run, "--episode", failed, "--from-step", "1", "--with", "model:oracle")
    assert code == 0, err
    folder = run / "reruns" / f"{failed}-1-model_oracle"
    assert RunDirectory.open(folder).config["settings"]["model"] == "oracle"
    assert "first other" in out


def test_another_agent_takes_over_with_the_steps_that_are_left(
    run: Path, failed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (run, "--episode", failed, "--from-step", "1", "--with", "agent:plan", "--with", "model:oracle")
    code, out, err = said(rerun, capsys, *words, "--seeds", "4")
    assert code == 0, err
    assert "(plan started at step 1)" in out
    assert re.search(r"with 4 seeds: \d solved, \d+% \(95 %: \d+% to \d+%\)", out)
    folder = run / "reruns" / f"{failed}-1-model_oracle+agent_plan-4-seeds"
    began = json.loads((folder / "episodes" / f"{failed}.jsonl").read_text().partition("\n")[0])["event"]
    assert began["step_limit"] == 19


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--episode", "simple_99", "--with", "oracle-plan"), "no finished episode 'simple_99' in"),
        (("--episode", "FAILED", "--with", "oracle"), "no change 'oracle'. Did you mean 'oracle-"),
        (("--episode", "FAILED", "--with", "agent:nobody"), "no agent 'nobody'"),
        (("--episode", "FAILED", "--with", "model:nobody"), "no model 'nobody'"),
        (("--episode", "FAILED", "--with", "deciding"), "ground proposes nothing"),
        (("--episode", "FAILED", "--from-step", "99", "--with", "oracle-plan"), "--from-step 99: "),
        (("--episode", "FAILED", "--from-step", "-1", "--with", "oracle-plan"), "--from-step -1: "),
        (("--episode", "FAILED", "--with", "oracle-plan", "--seeds", "0"), "--seeds must be at least 1"),
        (
            ("--episode", "FAILED", "--with", "agent:plan", "--with", "model:scripted:x?y=1"),
            "scripted takes no options",
        ),
    ],
)
def test_what_cannot_be_is_one_line(
    words: tuple[str, ...], message: str, run: Path, failed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(rerun, capsys, run, *(failed if word == "FAILED" else word for word in words))
    assert code == 2
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1
    assert out == ""


@pytest.mark.slow
def test_methods_that_propose_have_no_answers_to_put_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "--agent",
        "action",
        "--split",
        "simple",
        "--limit",
        "1",
        "--model",
        "scripted:no",
        "--out",
        str(tmp_path / "run"),
    )
    assert viplan(list(words)) == 0
    code, _, err = said(rerun, capsys, tmp_path / "run", "--episode", "simple_00", "--with", "oracle-answers")
    assert code == 2
    assert "perception and planning are one there. Use --with oracle-plan" in err
    code, out, _ = said(rerun, capsys, tmp_path / "run", "--episode", "simple_00", "--with", "oracle-plan")
    assert code == 0
    assert "after:  solved in" in out


def test_a_rerun_is_no_run_to_go_on_with(run: Path, failed: str, capsys: pytest.CaptureFixture[str]) -> None:
    said(rerun, capsys, run, "--episode", failed, "--with", "oracle-answers")
    folder = run / "reruns" / f"{failed}-0-oracle-answers"
    code, _, err = said(viplan, capsys, "--resume", folder)
    assert code == 2
    assert "is a rerun; resume it with: python -m evals.rerun" in err
    code, _, err = said(rerun, capsys, folder, "--episode", failed, "--with", "oracle-plan")
    assert code == 2
    assert "is a rerun itself" in err


def test_blame_for_a_whole_run(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(blame, capsys, run, "--json")
    assert code == 0
    told = json.loads(out)
    results = RunDirectory.open(run).results()
    lost = {result.id for result in results if not result.success}
    assert {episode["id"] for episode in told["episodes"]} == lost
    assert (told["scored"], told["failed"], told["infrastructure"]) == (len(results), len(lost), 0)
    assert sum(cause["blame"] for cause in told["causes"]) == pytest.approx(1.0, abs=0.001)
    for cause in told["causes"]:
        assert 0 <= cause["blame_low"] <= cause["blame"] <= cause["blame_high"] <= 1
        assert 0 <= cause["alone_low"] <= cause["alone"] / len(lost) <= cause["alone_high"] <= 1
    assert told["causes"][0]["cause"] == "perception"
    assert f"why {len(lost)} of {len(results)} episodes failed: ground, {WEAK}" in err
    with (run / "blame" / "blame.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert {row["episode"] for row in rows} == lost
    page = (run / "blame" / "blame.html").read_text()
    assert "SIMULATED" in page
    assert all(name in page for name in lost)
    for name in {name for episode in told["episodes"] for name in episode["tried"]}:
        assert RunDirectory.open(run / "blame" / name).results()
    traces = {path: path.read_text() for path in (run / "blame").rglob("results.jsonl")}
    assert said(blame, capsys, run, "--json")[1] == out
    assert {path: path.read_text() for path in traces} == traces, "what was played is not played again"


def test_what_is_not_recorded_to_its_end_cannot_be_played_again(
    run: Path, failed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = shutil.copytree(run, tmp_path / "run", ignore=shutil.ignore_patterns("blame", "reruns"))
    trace = copy / "episodes" / f"{failed}.jsonl"
    trace.write_text("".join(trace.read_text().splitlines(keepends=True)[:-1]))
    reason = f"the trace of {failed} cannot be played again: {trace} is incomplete: it breaks off"
    code, out, err = said(rerun, capsys, copy, "--episode", failed, "--with", "oracle-answers")
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {reason}")
    lost = {result.id for result in RunDirectory.open(copy).results() if not result.success}
    code, out, err = said(blame, capsys, copy, "--json")
    assert code == 1
    told = json.loads(out)
    assert {episode["id"] for episode in told["episodes"]} == lost - {failed}
    assert told["failed"] == len(lost)
    assert told["damaged"][failed].startswith(reason)
    assert f"why {len(lost)} of " in err
    assert f"1 failure cannot be played again: left out ({reason}" in err
    assert f"1 failure cannot be played again: left out ({reason}" in (copy / "blame" / "blame.html").read_text()


@pytest.mark.slow
def test_a_run_that_went_on_is_not_mixed_up_with_what_was_found_before(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "blame"
    assert said(blame, capsys, run, "--out", out)[0] == 0
    lines = (run / "results.jsonl").read_text()
    solved = next(line for line in lines.splitlines(keepends=True) if '"success":true' in line)
    (run / "results.jsonl").write_text(lines.replace(solved, ""))
    try:
        code, _, err = said(blame, capsys, run, "--out", out)
    finally:
        (run / "results.jsonl").write_text(lines)
    assert code == 2
    assert "holds something else, or the run has new results since" in err


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Loopback, Lessons]]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-0123456789abcdef")
    lessons = Lessons()
    with Loopback(lessons) as running:
        yield running, lessons


@pytest.mark.slow
def test_a_model_that_costs_is_asked_only_if_it_may_be(
    server: tuple[Loopback, Lessons],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    running, lessons = server
    words = ("--agent", "ground", "--split", "simple", "--limit", "1", "--steps", "2", "--fail-probability", "0.2")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evals.run.equipment.load_model", lambda spec: lessons.taught(load_model(spec)))
        assert viplan([*words, "--model", "sim:gpt-4.1", "--out", str(tmp_path / "taught")]) == 0
    model = f"openai:any@{running.url}"
    assert viplan([*words, "--model", model, "--out", str(tmp_path / "run")]) == 0
    asked = running.count
    monkeypatch.delenv("OPENAI_API_KEY")
    code, out, _ = said(blame, capsys, tmp_path / "run", "--json")
    assert code == 0
    assert running.count == asked, "nobody said that it may cost something"
    told = json.loads(out)
    assert told["untried"] > 0
    assert "--ask" in told["episodes"][0]["untried_because"]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-0123456789abcdef")
    (tmp_path / "prices.json").write_text('{"openai": {"any": [2.0, 0.5, 8.0]}}')
    priced = (tmp_path / "run", "--ask", "--model", model, "--prices", tmp_path / "prices.json")
    code, out, _ = said(blame, capsys, *priced, "--dry-run", "--json")
    assert code == 0
    assert running.count == asked
    needs = json.loads(out)
    assert needs["requests"] > 0
    assert needs["cost"] > 0
    code, _, err = said(blame, capsys, *priced, "--max-cost", "0.0001")
    assert code == 3
    assert "--max-cost" in err
    assert "repeat the command to continue" in err
    running.answer = lambda body: "Yes"
    assert said(blame, capsys, *priced)[0] == 0
    assert running.count > asked
    asked = running.count
    assert said(blame, capsys, *priced)[0] == 0
    assert running.count == asked, "what was answered is not asked again"

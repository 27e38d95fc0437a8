"""The command: real runs side by side, and a run of one's own beside the published ones."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evals.compare.__main__ import main
from evals.compare.arms import arms_of
from evals.compare.courses import first_divergence
from evals.viplan.__main__ import main as viplan
from evals.viplan.comparison.compounding import curves
from evals.viplan.comparison.recorded import read_parts
from tests.evals.arms import arms, part


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two methods, one of them with two seeds."""
    folder = tmp_path_factory.mktemp("runs")
    common = ["--model", "sim:qwen2.5-vl-72b", "--split", "simple", "--limit", "3"]
    for name, agent, seed in (("one", "ground", 0), ("again", "ground", 1), ("other", "plan", 0)):
        words = ["--agent", agent, "--seed", str(seed), "--out", str(folder / name)]
        assert viplan([*common, *words]) == 0
    return folder


def compare(*words: object) -> int:
    return main([*map(str, words), "--resamples", "200"])


def told(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    capsys.readouterr()
    assert compare(*words, "--format", "json") == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_a_folder_of_runs_is_compared(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, runs)
    assert [arm["label"] for arm in found["runs"]] == ["ground · sim:qwen2.5-vl-72b", "plan · sim:qwen2.5-vl-72b"]
    assert found["runs"][0]["seeds"] == [0, 1]
    (pair,) = found["pairs"]
    assert pair["problems"] == 3
    assert pair["both"] + pair["only_left"] + pair["only_right"] + pair["neither"] == 3
    assert found["warnings"][0].startswith("SIMULATED")
    assert all(match["divergence"] is None or match["divergence"]["left"] for match in pair["by_problem"])


def test_the_terminal_says_the_same(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, runs / "one", runs / "other")
    assert compare(runs / "one", runs / "other") == 0
    said = capsys.readouterr().out
    assert said.startswith("SIMULATED")
    assert "Paired with ground · sim:qwen2.5-vl-72b (left)" in said
    assert f"{found['pairs'][0]['p_exact']:.3f}" in said
    assert "Where the courses part first:" in said


def test_a_table_that_cannot_be_had_is_said(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(runs, "--format", "csv", "--table", "methods", "compounding") == 0
    told = capsys.readouterr()
    assert "no table compounding: it takes --curve" in told.err
    assert "no table methods" not in told.err
    assert told.out.startswith("# Success by method and domain\n")


def test_tables_can_be_chosen_and_written(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(runs, "--format", "csv", "--table", "success", "--out", tmp_path / "out") == 0
    said = capsys.readouterr()
    assert said.out.startswith("# Success, blocksworld\nagent,model,simple,simple SEM,simple low,simple high\nground,")
    assert "SIMULATED" in said.err
    page = (tmp_path / "out" / "index.html").read_text()
    assert "episodes/simple_00.html" in page
    assert compare(runs, "--format", "latex", "--table", "pairs") == 0
    assert capsys.readouterr().out.startswith(r"\begin{table}")


def test_the_baseline_can_be_named(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, runs, "--baseline", runs / "other")["baseline"] == "plan · sim:qwen2.5-vl-72b"
    assert told(capsys, runs, "--all-pairs")["baseline"] is None


def test_where_the_curve_comes_from_is_counted(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (curve,) = told(capsys, runs, "--curve")["compounding"]
    assert curve["run"].startswith("ground")
    assert sum(point["problems"] for point in curve["points"]) == 3
    # Three blocks in four columns: 21 questions to begin with (6 on, 12 incolumn, 3 clear), then some for every action.
    assert all(point["least"] > 21 for point in curve["points"])
    assert curve["points"][0]["independent"] == pytest.approx(
        curve["accuracy"] ** curve["points"][0]["needed"], rel=0.05
    )


def test_a_curve_does_not_load_code_that_only_a_run_names(tmp_path: Path) -> None:
    code = tmp_path / "own.py"
    code.write_text(f"open({str(tmp_path / 'loaded')!r}, 'w')\n")
    lines: list[str] = []
    assert curves(arms(part({"a": True}, agent=f"{code}:build")), None, lines.append) == []
    assert lines == ["no curve for own.py:build · sim:gpt-4.1: code that only a run names is not loaded"]
    assert not (tmp_path / "loaded").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda config: config["fingerprints"]["prompts"].update(yes_no="x"), "prompt yes_no"),
        (lambda config: config["fingerprints"].update(scorer="0"), "scorer"),
    ],
)
def test_unlike_runs_are_refused_unless_forced(
    change: Any, said: str, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = shutil.copytree(runs / "one", tmp_path / "copy")
    config = json.loads((copy / "run.json").read_text())
    change(config)
    (copy / "run.json").write_text(json.dumps(config))
    assert compare(runs / "one", copy) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: these runs are unlike: ")
    assert said in error
    assert "--force" in error
    assert told(capsys, runs / "one", copy, "--force")["unlike"] != []


def test_an_unfinished_run_is_said_to_be_one(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = shutil.copytree(runs / "other", tmp_path / "copy")
    lines = (copy / "results.jsonl").read_text().splitlines(keepends=True)
    (copy / "results.jsonl").write_text("".join(lines[:2]))
    found = told(capsys, runs / "one", copy)
    assert any(note.startswith("PARTIAL: 1 ") for note in found["notes"])
    assert found["pairs"][0]["unmatched"] == 1
    (copy / "results.jsonl").unlink()
    assert compare(runs / "one", copy) == 2
    assert "it takes two" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["one"], "it takes two"),
        (["one", "nowhere"], "no such folder"),
        (["one", "other", "--baseline", "nobody"], "none of what is compared"),
        (["one", "other", "--baseline", "plan", "--all-pairs"], "do not go together"),
        (["one", "other", "--where", "agnet=plan"], "Did you mean 'agent'"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], said: str, runs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(runs)
    assert compare(*words) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("damaged", "why"),
    [
        (lambda lines: [*lines[:2], '{"kind": 5}\n', *lines[3:]], "line 3: "),
        (lambda lines: ['{"event": 5}\n', *lines[1:]], "line 1: "),
        (lambda lines: lines[:-1], "is incomplete: it breaks off before the episode ends"),
    ],
)
def test_a_damaged_trace_costs_no_more_than_where_its_course_parts(
    damaged: Any, why: str, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = told(capsys, runs / "one", runs / "other")["pairs"][0]
    copy = shutil.copytree(runs / "other", tmp_path / "other")
    trace = copy / "episodes" / "simple_00.jsonl"
    trace.write_text("".join(damaged(trace.read_text().splitlines(keepends=True))))
    found = told(capsys, runs / "one", copy, "--out", tmp_path / "out")["pairs"][0]
    first = found["by_problem"].pop(0)
    assert first["divergence"] is None
    assert why in first["divergence_unknown"]
    whole["by_problem"].pop(0)
    assert found == whole, "everything else is as it was"
    line = f"not known where the courses part: simple_00 (its trace cannot be read: {trace}"
    assert line in (tmp_path / "out" / "index.html").read_text()
    for words in ([], ["--table", "problems"]):
        assert compare(runs / "one", copy, *words) == 0
        assert line in capsys.readouterr().out
    assert compare(runs / "one", copy, "--table", "problems", "--format", "csv") == 0
    said = capsys.readouterr()
    assert line in said.err
    assert ",not known,,," in said.out


def test_runs_without_a_common_problem_are_said_not_to_be_paired(
    runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = shutil.copytree(runs / "other", tmp_path / "copy")
    results = (copy / "results.jsonl").read_text()
    (copy / "results.jsonl").write_text(results.replace('"domain":"blocksworld"', '"domain":"household"'))
    found = told(capsys, runs / "one", copy, "--force", "--out", tmp_path / "out")
    sides = "ground · sim:qwen2.5-vl-72b with plan · sim:qwen2.5-vl-72b"
    line = f"NOT PAIRED, because there is no problem that both played and that counts: {sides}"
    assert found["pairs"] == []
    assert found["notes"] == [line]
    page = (tmp_path / "out" / "index.html").read_text()
    assert line in page
    assert "compared with" not in page
    assert compare(runs / "one", copy, "--force") == 0
    said = capsys.readouterr().out
    assert line in said
    assert "Success, household" in said


@pytest.mark.slow
def test_a_replay_stands_beside_its_record_and_parts_nowhere(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Our agent with recorded answers, on the original's problems, against the published run."""
    data = shared / "data" / "viplan"
    (record,) = (data / "original/results/final/blocksworld/final_no_cot/predicates/simple").glob("*/results_*.json")
    words = ["--problems", str(data / "problems"), "--split", "simple", "--limit", "4", "--rules", "official"]
    assert viplan([*words, "--agent", "ground", "--model", f"replay:{record}", "--out", str(tmp_path / "mine")]) == 0
    published = ["--where", "agent=ground", "--where", "fail_probability=0.0", "--where", "split=simple"]
    chosen = [*published, "--where", "domain=blocksworld"]
    capsys.readouterr()
    assert compare(tmp_path / "mine", data / "original", *chosen) == 2
    assert "problems of blocksworld simple" in capsys.readouterr().err
    found = told(capsys, tmp_path / "mine", data / "original", *chosen, "--force")
    assert [arm["model"] for arm in found["runs"]] == [f"replay:{record.name}", "Qwen2.5-VL 72B"]
    (pair,) = found["pairs"]
    assert pair["problems"] == 4
    assert pair["only_left"] == pair["only_right"] == 0
    assert [match["divergence"] for match in pair["by_problem"] if match["divergence"]] == []


@pytest.mark.slow
def test_both_kinds_of_records_tell_the_same(shared: Path, tmp_path: Path) -> None:
    """The courses of one model, from the original's own files and from the two files made of them."""
    data = shared / "data" / "viplan"
    for name in ("answers.jsonl.gz", "episodes.jsonl.gz"):
        with gzip.open(data / "recorded" / name, "rt") as old, gzip.open(tmp_path / name, "wt", compresslevel=1) as new:
            new.writelines(line for line in old if '"fields"' in line or "Qwen2.5-VL-72B" in line)
    own, made = (arms_of(read_parts(folder)) for folder in (data / "original", tmp_path))
    others = {(arm.agent, arm.model): arm for arm in made}
    compared = 0
    for arm in own:
        there = {(one.stratum, one.problem): one for one in others[arm.agent, arm.model].played}
        for one in arm.played[::7]:
            other = there[one.stratum, one.problem]
            assert one.success == other.success
            assert one.answers() == other.answers()
            assert first_divergence(one.course(), other.course()) is None
            compared += 1
    assert compared > 100


@pytest.mark.slow
def test_errors_of_the_records_compound(shared: Path) -> None:
    """Figure 16: nearly every single answer is right, and few problems are solved that take many of them."""
    recorded = [arm for arm in arms_of(read_parts(shared / "data" / "viplan" / "recorded")) if arm.agent == "ground"]
    found = curves(recorded, None, lambda text: None)
    assert len(found) == 8
    for curve in found:
        assert curve.accuracy is not None
        assert curve.accuracy > 0.6
        assert sum(point.problems for point in curve.points) == 75
        assert curve.points[0].solved >= curve.points[-1].solved
        # Problems of one picture stand or fall together: independent errors would solve fewer.
        assert all(point.independent is not None for point in curve.points)
    best = max(found, key=lambda curve: curve.points[0].solved)
    assert best.points[0].solved > 0.5 > 0.1 > best.points[-1].solved

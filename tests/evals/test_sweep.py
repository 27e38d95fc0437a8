"""The job: cells that are runs like any others, whatever happens in between."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.compare.__main__ import main as compare
from evals.merge.__main__ import main as merge
from evals.run.directory import RunDirectory
from evals.sweep.__main__ import main
from evals.viplan.__main__ import main as viplan
from models.registry import load_model
from tests.conftest import ROOT
from tests.loopback import Loopback
from tests.stopping import SlowCommand, stored

CONFIG = """
[grid]
agent = ["ground_mem", "plan"]
seed = [0, 1]
[settings]
model = "sim:qwen2.5-vl-72b"
split = "simple"
limit = 2
fail_probability = 0.2
"""

ONE_CELL = '[grid]\nmodel = ["oracle"]\n[settings]\nsplit = "simple"\nlimit = 1\n'


def written(folder: Path, text: str = CONFIG) -> Path:
    path = folder / "config.toml"
    path.write_text(text)
    return path


def results(folder: Path) -> dict[str, list[str]]:
    """What came of every cell."""
    found = sorted((folder / "cells").glob("*/results.jsonl"))
    return {path.parent.name: sorted(path.read_text().splitlines()) for path in found}


def outcomes(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "outcomes.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An undisturbed sweep."""
    folder = tmp_path_factory.mktemp("sweep")
    assert main([str(written(folder)), "--out", str(folder / "out")]) == 0
    return folder / "out"


@pytest.mark.slow
def test_shards_of_a_sweep_are_put_together(finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, parts = str(written(tmp_path)), [tmp_path / "parts" / f"out-shard-{number}-of-2" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert main([config, "--shard", f"{number}/2", "--out", str(part)]) == 0
    assert sorted({**results(parts[0]), **results(parts[1])}) == sorted(results(finished))
    assert not results(parts[0]).keys() & results(parts[1]).keys()
    out = tmp_path / "out"
    assert merge([str(parts[0]), "--out", str(out)]) == 2
    assert "missing shards: 2/2" in capsys.readouterr().err
    assert main([config, "--out", str(parts[0]), "--resume"]) == 2
    assert "was started with --shard 1/2, not without --shard" in capsys.readouterr().err
    lost = next((parts[1] / "cells").iterdir()) / "results.jsonl"
    kept = lost.read_text()
    lost.write_text("")
    assert merge([str(parts[0].parent), "--out", str(out)]) == 2
    assert "is not finished; resume that sweep" in capsys.readouterr().err
    lost.write_text(kept)
    assert merge([str(parts[0].parent), "--out", str(out)]) == 0
    assert results(out) == results(finished)
    assert main([config, "--out", str(out), "--resume"]) == 0
    assert results(out) == results(finished)
    assert (out / "report" / "index.html").is_file()


def test_a_shard_without_cells_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = str(written(tmp_path, ONE_CELL))
    assert main([config, "--shard", "2/2", "--out", str(tmp_path / "out")]) == 2
    assert "there are only 1 cells, so this part of them is empty" in capsys.readouterr().err
    assert main([config, "--shard", "3/2", "--out", str(tmp_path / "out")]) == 2
    assert "a shard is K/N" in capsys.readouterr().err


@pytest.mark.slow
def test_every_cell_is_a_run_that_comes_out_as_it_does_alone(finished: Path, tmp_path: Path) -> None:
    assert list(results(finished)) == ["ground_mem-seed0", "ground_mem-seed1", "plan-seed0", "plan-seed1"]
    words = ["--model", "sim:qwen2.5-vl-72b", "--split", "simple", "--limit", "2", "--fail-probability", "0.2"]
    for name, lines in results(finished).items():
        agent, seed = name.split("-seed")
        assert viplan([*words, "--agent", agent, "--seed", seed, "--out", str(tmp_path / name)]) == 0
        assert sorted((tmp_path / name / "results.jsonl").read_text().splitlines()) == lines
        assert (finished / "cells" / name / "report.html").is_file()


def test_there_is_one_report(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (finished / "report" / "index.html").read_text()
    assert "SIMULATED" in page
    assert "/ground_mem-seed0/episodes/simple_00.html" in page, "episodes are looked at in the viewer"
    assert compare([str(finished), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    kept = json.loads((finished / "report" / "comparison.json").read_text())
    assert [arm["label"] for arm in told["runs"]] == [arm["label"] for arm in kept["runs"]]
    assert told["pairs"][0]["p_exact"] == kept["pairs"][0]["p_exact"]
    assert [arm["seeds"] for arm in told["runs"]] == [[0, 1], [0, 1]]


def test_a_finished_sweep_has_nothing_left_to_do(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = results(finished)
    config = str(finished.parent / "config.toml")
    assert main([config, "--out", str(finished), "--resume", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [cell["state"] for cell in told["cells"]] == ["played"] * 4
    assert results(finished) == before
    assert main([config, "--out", str(finished)]) == 2
    assert "holds a sweep already" in capsys.readouterr().err


@pytest.mark.slow
def test_a_file_may_ask_for_more_later(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "out")
    grown = CONFIG.replace("seed = [0, 1]", "seed = [1, 2]\nsteps = [20]")
    assert main([str(written(tmp_path, grown)), "--out", str(folder), "--resume"]) in (0, 1)
    names = set(results(folder))
    assert {"ground_mem-seed0", "ground_mem-seed1"} < names
    kept = json.loads((folder / "sweep.json").read_text())
    assert len(kept["cells"]) == 8
    assert len({cell["name"] for cell in kept["cells"]}) == 8


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.toml"], "cannot be read"),
        (["config.toml", "--out", "empty", "--resume"], "no sweep in empty to resume"),
        (["config.toml", "--out", "full"], "is not empty"),
        (["wrong.toml"], "Did you mean 'ground_mem'"),
        (["config.toml", "--max-cost", "0"], "--max-cost: input should be greater than 0"),
        (["config.toml", "--out", "bent", "--resume"], "cannot be the name of a folder"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path)
    (tmp_path / "wrong.toml").write_text("[grid]\nagent = ['groundmem']\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").write_text("")
    (tmp_path / "bent").mkdir()
    (tmp_path / "bent" / "sweep.json").write_text('{"cells": [{"name": "../../full", "settings": {}}]}')
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.slow
def test_a_dry_run_says_what_is_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = CONFIG.replace("sim:qwen2.5-vl-72b", "openai:gpt-4.1").replace("limit = 2", "limit = 1")
    text += "[run]\nmax_cost = 0.01\n"
    assert main([str(written(tmp_path, text)), "--dry-run", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["total"]["cells"], told["total"]["episodes"]) == (4, 4)
    assert 0 < told["total"]["right"]["cost"] <= told["total"]["wrong"]["cost"]
    assert told["total"]["wrong"]["requests"] == sum(line["wrong"]["requests"] for line in told["lines"])
    assert main([str(written(tmp_path, text)), "--dry-run"]) == 0
    assert "max_cost 0.01 may end the sweep" in capsys.readouterr().out
    assert not (tmp_path / "runs").exists()


def test_a_cell_that_fails_does_not_stop_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = tmp_path / "brittle.py"
    agent.write_text(
        "from agents.registry import find_agent\n"
        "def build():\n    '''Breaks when it is asked to act.'''\n    return Broken()\n"
        "class Broken:\n    async def ainvoke(self, *a, **k): raise RuntimeError('it broke')\n"
        "    async def astream(self, *a, **k):\n        raise RuntimeError('it broke')\n        yield\n"
        "    def get_graph(self, *a, **k):\n        return find_agent('ground').build().get_graph()\n"
    )
    text = f'[grid]\nagent = ["{agent}:build", "ground"]\n[settings]\nmodel = "oracle"\nsplit = "simple"\nlimit = 1\n'
    assert main([str(written(tmp_path, text)), "--out", str(tmp_path / "out")]) == 1
    states = {outcome["cell"].partition("-")[0]: outcome["state"] for outcome in outcomes(tmp_path / "out")}
    assert states == {"brittle.py_build": "agent error", "ground": "played"}
    said = capsys.readouterr().err
    assert "it broke" in said
    assert "python -m evals.view" in said
    assert "--resume" not in said  # it would end the same way


@pytest.mark.slow
def test_a_model_that_cannot_be_asked_costs_its_own_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody answers at the first address: its cells fail, the second of them at once, and the others are played."""
    monkeypatch.setattr("models.limiter.LONGEST_WAIT", 0.05)
    monkeypatch.setattr("models.conduct.FIRST_PAUSE", 0.01)
    model = "openai:nobody@http://127.0.0.1:9/v1"
    text = (
        f'[grid]\nmodel = ["{model}", "oracle"]\nseed = [0, 1]\n[settings]\nagent = "ground"\nsplit = "simple"\n'
        "limit = 1\n[run]\npatience = 0.2\n"
    )
    assert main([str(written(tmp_path, text)), "--out", str(tmp_path / "out")]) == 1
    states = [outcome["state"] for outcome in outcomes(tmp_path / "out")]
    assert states == ["failed", "failed", "played", "played"]
    assert "has not answered" in capsys.readouterr().err


@pytest.mark.slow
def test_one_cap_holds_over_all_cells_and_all_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-0123456789abcdef")
    with Loopback(lambda body: "No") as server:
        text = (
            f'[grid]\nagent = ["ground", "ground_mem"]\n[settings]\nmodel = "openai:any@{server.url}"\n'
            'split = "simple"\nlimit = 1\n[run]\nmax_tokens = 20000\nrequests = 1\n'
        )
        words = [str(written(tmp_path, text)), "--out", str(tmp_path / "out")]
        assert main(words) == 3
        said = capsys.readouterr().err
        assert "--max-tokens 20000" in said
        assert "--resume" in said
        asked = server.count
        assert asked > 0
        assert main([*words, "--resume"]) == 3
        assert server.count == asked
        # With a higher cap it goes on; each cell asks what the other did too, but nothing that it has asked itself.
        assert main([*words, "--resume", "--max-tokens", "10000000"]) == 0
        whole = [RunDirectory.open(cell).results() for cell in (tmp_path / "out" / "cells").iterdir()]
        assert server.count == sum(result.asked for results in whole for result in results) > asked


def test_a_model_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    def load(spec: str) -> Any:
        loaded.append(spec)
        return load_model(spec)

    monkeypatch.setattr("evals.run.equipment.load_model", load)
    text = '[grid]\nmodel = ["scripted:No", "oracle"]\nseed = [0, 1]\n[settings]\nsplit = "simple"\nlimit = 1\n'
    assert main([str(written(tmp_path, text)), "--out", str(tmp_path / "out")]) == 0
    assert loaded == ["scripted:No", "oracle"]


def test_questions_of_an_own_file_can_be_swept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = f'benchmark = "{ROOT}/tests/evals/quiz.py:Quiz"\n[grid]\nmodel = ["scripted:A", "oracle"]\n'
    text += "repeats = [1, 2]\n[settings]\nquestions = 4\n"
    words = [str(written(tmp_path, text)), "--out", str(tmp_path / "out")]
    assert main(words) == 0
    found = {path.parent.name: path.read_text().count("\n") for path in (tmp_path / "out").glob("cells/*/items.jsonl")}
    assert found == {
        "scripted_A-repeats1": 4,
        "scripted_A-repeats2": 8,
        "oracle-repeats1": 4,
        "oracle-repeats2": 8,
    }
    assert all((cell / "report.html").is_file() for cell in (tmp_path / "out" / "cells").iterdir())
    states = {outcome["cell"]: (outcome["solved"], outcome["episodes"]) for outcome in outcomes(tmp_path / "out")}
    assert states["scripted_A-repeats2"] == (2, 8)
    assert states["oracle-repeats1"] == (4, 4)
    assert "right 2/8" in capsys.readouterr().err
    assert main([*words, "--resume"]) == 0
    assert "to play" not in capsys.readouterr().err.replace("sweep: 24 of 24 episodes to play", "")


def stored_in_cells(folder: Path) -> dict[str, set[str]]:
    """The questions of each cell whose answers are on disk."""
    return {cell.name: stored(cell) for cell in sorted(folder.glob("cells/*"))}


def in_all(cells: dict[str, set[str]]) -> set[str]:
    return set().union(*cells.values())


@pytest.fixture
def sweep(tmp_path: Path) -> Iterator[SlowCommand]:
    with SlowCommand("evals.sweep", tmp_path) as command:
        yield command


@pytest.mark.slow
def test_killed_in_any_cell_it_goes_on_to_the_same_results(sweep: SlowCommand, finished: Path, tmp_path: Path) -> None:
    """Twice: in the first cell, and in a later one. No question whose answer is on disk is asked again."""
    folder, config = tmp_path / "out", finished.parent / "config.toml"
    whole = stored_in_cells(finished)
    sweep.start_and_kill(config, out=folder, answers=5)
    first = stored_in_cells(folder)
    left = sum(len(whole[cell]) for cell in list(whole)[:2]) - 5
    sweep.start_and_kill(config, "--resume", out=folder, answers=left + 1)
    second = stored_in_cells(folder)
    assert (len(first), len(second)) == (1, 3)
    sweep.check_asked(in_all(first), in_all(second))
    assert sweep.start(config, "--out", folder, "--resume").wait(timeout=300) == 0
    sweep.check_asked(in_all(second), in_all(whole))
    assert results(folder) == results(finished)
    assert stored_in_cells(folder) == whole


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_leaves_a_sweep_that_can_be_gone_on_with(sweep: SlowCommand, finished: Path, tmp_path: Path) -> None:
    folder, config = tmp_path / "out", finished.parent / "config.toml"
    one_cell = len(next(iter(stored_in_cells(finished).values())))
    process = sweep.start_and_wait(config, out=folder, answers=one_cell + 5)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=120) == 130
    assert [outcome["state"] for outcome in outcomes(folder)] == ["played", "stopped"]
    assert main([str(config), "--out", str(folder), "--resume"]) == 0
    assert results(folder) == results(finished)


def test_a_cell_that_was_killed_before_it_began_is_begun_again(tmp_path: Path) -> None:
    words = [str(written(tmp_path, ONE_CELL)), "--out", str(tmp_path / "out")]
    assert main(words) == 0
    before = results(tmp_path / "out")
    (cell,) = (tmp_path / "out" / "cells").iterdir()
    shutil.rmtree(cell)
    (cell / "episodes").mkdir(parents=True)
    assert main([*words, "--resume"]) == 0
    assert results(tmp_path / "out") == before


def test_a_second_process_is_kept_out(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fcntl = pytest.importorskip("fcntl", reason="no file locks on this system")
    with (finished / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main([str(finished.parent / "config.toml"), "--out", str(finished), "--resume"]) == 2
    assert "another process" in capsys.readouterr().err

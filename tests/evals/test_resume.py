"""A run that was stopped, killed or damaged: it goes on to the same results, asks nothing twice and loses nothing."""

from __future__ import annotations

import json
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from evals.viplan.__main__ import main
from tests.stopping import PATIENCE, SlowCommand, stored

WORDS = ("--agent", "ground_mem", "--limit", "2", "--model", "sim:qwen2.5-vl-72b", "--fail-probability", "0.2")


def results(folder: Path) -> list[str]:
    return sorted((folder / "results.jsonl").read_text().splitlines())


def kill_and_resume(viplan: SlowCommand, folder: Path, dice: random.Random, kills: int) -> None:
    """Kill a run again and again at random moments; then let it finish."""
    known: set[str] = set()
    for _ in range(kills):
        words = ("--resume", folder) if known else (*WORDS, "--out", folder)
        # It cannot be done before it is killed: it gets no more answers than that.
        process = viplan.start(*words, answers=dice.randint(20, 60))
        deadline = time.monotonic() + PATIENCE
        while stored(folder) <= known:
            assert process.poll() is None, viplan.said()
            assert time.monotonic() < deadline, viplan.said()
            time.sleep(0.01)
        time.sleep(dice.uniform(0.0, 0.5))
        process.kill()
        assert process.wait() == -signal.SIGKILL, viplan.said()
        viplan.check_asked(known, stored(folder))
        known = stored(folder)
    assert viplan.start("--resume", folder).wait(timeout=300) == 0
    viplan.check_asked(known, stored(folder))


def killed_often(tmp_path: Path, kills: int, seed: int) -> None:
    undisturbed = tmp_path / "undisturbed"
    assert main([*WORDS, "--out", str(undisturbed)]) == 0
    killed = tmp_path / "killed"
    with SlowCommand("evals.viplan", tmp_path) as viplan:
        kill_and_resume(viplan, killed, random.Random(seed), kills)
    assert results(killed) == results(undisturbed)
    assert stored(killed) == stored(undisturbed) != set()


@pytest.mark.slow
def test_a_killed_run_resumes_to_the_same_results(tmp_path: Path) -> None:
    killed_often(tmp_path, kills=2, seed=1)


@pytest.mark.slow
def test_however_often_it_is_killed(tmp_path: Path) -> None:
    killed_often(tmp_path, kills=5, seed=2)


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_leaves_a_run_that_can_be_gone_on_with(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with SlowCommand("evals.viplan", tmp_path) as viplan:
        process = viplan.start_and_wait(*WORDS, out=folder, answers=5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=120) == 130
    assert main(["--resume", str(folder)]) == 0
    assert len(results(folder)) == 6


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "run"
    assert (
        main(["--agent", "ground", "--model", "oracle", "--split", "simple", "--limit", "2", "--out", str(folder)]) == 0
    )
    return folder


@pytest.fixture
def finished(played: Path, tmp_path: Path) -> Path:
    """A copy of a run of two episodes, to be damaged."""
    return shutil.copytree(played, tmp_path / "run")


def resume(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    capsys.readouterr()
    code = main(["--resume", str(folder), *words])
    return code, capsys.readouterr().err


def test_a_finished_run_has_nothing_left_to_do(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = results(finished)
    code, said = resume(finished, capsys)
    assert code == 0
    assert "0 of 2 episodes to play" in said
    assert results(finished) == before


def test_a_line_that_a_kill_cut_off_is_played_again(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = results(finished)
    path = finished / "results.jsonl"
    path.write_text(path.read_text()[:-20])
    assert resume(finished, capsys)[0] == 0
    assert results(finished) == before


def test_a_damaged_line_is_named_and_nothing_is_overwritten(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = finished / "results.jsonl"
    path.write_text("rubbish\n" + path.read_text())
    before = path.read_text()
    code, said = resume(finished, capsys)
    assert code == 2
    assert "results.jsonl, line 1 is damaged" in said
    assert path.read_text() == before


@pytest.mark.parametrize("content", ["", "{", "[]", '{"settings": {"agent": 7}}', '{"settings": []}'])
def test_a_damaged_run_json_is_said(content: str, finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (finished / "run.json").write_text(content)
    code, said = resume(finished, capsys)
    assert code == 2
    assert said.startswith("error: ")
    assert "run" in said


def test_a_damaged_cache_is_said(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (finished / "results.jsonl").unlink()
    for extra in finished.glob("answers.sqlite-*"):
        extra.unlink()
    (finished / "answers.sqlite").write_bytes(b"no database at all" * 100)
    code, said = resume(finished, capsys)
    assert code == 2
    assert "not a cache of answers" in said


def test_other_settings_are_refused(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = resume(finished, capsys, "--agent", "plan")
    assert code == 2
    assert "was started with --agent ground" in said


def test_changed_prompts_are_refused(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = json.loads((finished / "run.json").read_text())
    config["fingerprints"]["prompts"]["yes_no"] = "another"
    (finished / "run.json").write_text(json.dumps(config))
    code, said = resume(finished, capsys)
    assert code == 2
    assert "the prompts changed" in said


def test_a_run_is_written_by_one_process_at_a_time(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fcntl = pytest.importorskip("fcntl", reason="no file locks on this system")
    with (finished / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        code, said = resume(finished, capsys)
    assert code == 2
    assert "another process" in said


def test_a_directory_with_a_run_is_not_overwritten(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = results(finished)
    assert main(["--split", "simple", "--limit", "1", "--out", str(finished)]) == 2
    assert "holds a run already" in capsys.readouterr().err
    assert results(finished) == before

"""Runs that cannot be written any more: one line, exit code 3, nothing more is asked, and the rest on resume."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evals.run.directory import RunDirectory
from evals.run.files import Lines
from models.base import CannotKeep
from tests.conftest import ROOT
from tests.loopback import Loopback
from tests.models.test_cache_failures import NEEDS_MOUNTS

AT_ONCE = 16
"""How many questions are under way at the most."""


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(lambda body: "Yes") as running:
        running.latency = 0.01
        yield running


def command(server: Loopback, *words: object) -> list[str]:
    model = ("--model", f"openai:any@{server.url}", "--requests", AT_ONCE)
    return [sys.executable, "-m", "evals.viplan", *map(str, (*model, *words))]


def new_run(server: Loopback, folder: Path) -> list[str]:
    return command(server, "--agent", "ground", "--split", "simple", "--out", folder)


def resumed(server: Loopback, folder: Path) -> subprocess.CompletedProcess[str]:
    words = command(server, "--resume", folder)
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def assert_stopped(code: int, said: str) -> None:
    assert "Traceback" not in said
    assert code == 3, said
    assert said.count("stopped: ") == 1
    assert "resume with: python -m evals.viplan --resume " in said


@NEEDS_MOUNTS
@pytest.mark.slow
@pytest.mark.parametrize("room", ["size=1200k", "size=300k", "size=40k", "nr_inodes=25", "nr_inodes=9"])
def test_a_full_disk_stops_a_run_and_room_resumes_it(tmp_path: Path, server: Loopback, room: str) -> None:
    small, kept = tmp_path / "small", tmp_path / "kept"
    small.mkdir()
    kept.mkdir()
    run = small / "run"
    # The file system goes with the command, so what is on it is copied before it does.
    script = f'mount -t tmpfs -o {room} tmpfs "$0"; "$@"; code=$?; cp -r "$0/run" "{kept}"; exit $code'
    words = ["unshare", "-rm", "sh", "-c", script, str(small), *new_run(server, run)]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert_stopped(ran.returncode, ran.stderr)
    assert f"stopped: {run}" in ran.stderr
    asked = server.count
    assert asked < 525
    ran = resumed(server, kept / "run")
    assert ran.returncode == 0, ran.stderr
    assert server.count - 525 <= AT_ONCE, "more was lost than was under way"
    assert len(RunDirectory.open(kept / "run").results()) == 25


def take_away_results(run: Path) -> None:
    (run / "results.jsonl").unlink()


def take_away_episodes(run: Path) -> None:
    (run / "episodes").rename(run.parent / "elsewhere")


def move(run: Path) -> None:
    run.rename(run.parent / "moved")


@pytest.mark.slow
@pytest.mark.parametrize("away", [take_away_results, take_away_episodes, move])
def test_a_run_that_is_taken_away_stops(tmp_path: Path, server: Loopback, away: Callable[[Path], None]) -> None:
    run = tmp_path / "run"
    process = subprocess.Popen(new_run(server, run), cwd=ROOT, stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 120
        while not (run / "results.jsonl").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        away(run)
        said = process.communicate(timeout=120)[1]
    finally:
        process.kill()
    assert_stopped(process.returncode, said)
    assert server.count < 525


def test_lines_of_a_file_that_is_gone_are_not_written(tmp_path: Path) -> None:
    lines = Lines(tmp_path / "lines")
    lines.write("one\n")
    (tmp_path / "lines").rename(tmp_path / "elsewhere")
    with pytest.raises(CannotKeep, match="lines cannot be written: No such file"):
        lines.write("two\n")
    (tmp_path / "lines").write_text("")
    with pytest.raises(CannotKeep, match="lines was moved or deleted"):
        lines.write("two\n")
    lines.close()
    assert (tmp_path / "elsewhere").read_text() == "one\n"


def test_lines_are_written_whole_however_little_is_taken_at_once(tmp_path: Path) -> None:
    """A pipe takes 64 KB at once: the rest of a line follows."""
    os.mkfifo(tmp_path / "pipe")
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    lines = Lines(tmp_path / "pipe", "wb")
    lines.write("x" * 300_000 + "\n")
    lines.close()
    reader.join()
    assert heard == [b"x" * 300_000 + b"\n"]

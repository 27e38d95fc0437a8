"""Commands in processes of their own with a model that takes its time, so that they can be stopped midway."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from types import TracebackType

from tests.conftest import ROOT

SCRIPT = """
import asyncio, sys
from importlib import import_module

import models.sim

_, command, log, most, *words = sys.argv
asked, left, answer = open(log, "a", buffering=1), int(most), models.sim.Answering.ask

async def slowly(self, request):
    global left
    asked.write(request.fingerprint(self.identity, looks=self.looks) + "\\n")
    left -= 1
    await asyncio.sleep(0.02 if left >= 0 else 3600)
    return await answer(self, request)

models.sim.Answering.ask = slowly
sys.exit(import_module(command).main(words))
"""


class SlowCommand:
    """A command whose simulated model notes what it is asked, and answers only so many questions if told so."""

    def __init__(self, module: str, folder: Path) -> None:
        self._module, self._folder = module, folder
        self._script = folder / "slowly.py"
        self._script.write_text(SCRIPT)
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> SlowCommand:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for process in self._started:
            process.kill()
            process.wait()

    def start(self, *words: object, answers: int = sys.maxsize) -> subprocess.Popen[bytes]:
        """Start the command. After `answers` answers, whoever asks waits for ever."""
        self._log = self._folder / f"asked-{len(self._started)}"
        command = [sys.executable, self._script, self._module, self._log, answers, *words]
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._started.append(process)
        return process

    def start_and_wait(self, *words: object, out: Path, answers: int) -> subprocess.Popen[bytes]:
        """Start the command and wait until all its answers are on disk, while it waits for one that will not come."""
        before = len(stored(out))
        process = self.start(*words, "--out", out, answers=answers)
        deadline = time.monotonic() + 120
        while len(stored(out)) < before + answers and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(stored(out)) == before + answers, "there are not as many questions: nothing could be stopped"
        return process

    def start_and_kill(self, *words: object, out: Path, answers: int) -> None:
        """Start the command and kill it while it waits for an answer."""
        process = self.start_and_wait(*words, out=out, answers=answers)
        process.kill()
        process.wait()

    def asked(self) -> list[str]:
        """The questions that the command asked when it was started last."""
        return self._log.read_text().split() if self._log.exists() else []


def stored(folder: Path) -> set[str]:
    """The questions whose answers are on disk, of a run or of all runs of a sweep."""
    found: set[str] = set()
    for path in folder.rglob("answers.sqlite"):
        with closing(sqlite3.connect(path, timeout=30)) as db:
            if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'answers'").fetchone():
                found |= {key for (key,) in db.execute("SELECT key FROM answers")}
    return found

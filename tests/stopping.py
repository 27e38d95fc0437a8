"""Commands in processes of their own with a model that takes its time, so that they can be stopped midway."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

PATIENCE = 240
"""How many seconds a command may take to come to where it is stopped."""
SCRIPT = """
import asyncio, sys
from importlib import import_module

from models.cache import CachedModel

_, command, log, most, *words = sys.argv
asked, left, answer = open(log, "a", buffering=1), int(most), CachedModel._ask

async def slowly(self, key, request):
    global left
    asked.write(key + "\\n")
    left -= 1
    await asyncio.sleep(0.02 if left >= 0 else 3600)
    return await answer(self, key, request)

CachedModel._ask = slowly
module = import_module(command)
sys.exit((module if hasattr(module, "main") else import_module(f"{command}.__main__")).main(words))
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

    def __exit__(self, *error: object) -> None:
        for process in self._started:
            process.kill()
            process.wait()

    def start(self, *words: object, answers: int = sys.maxsize) -> subprocess.Popen[bytes]:
        """Start the command. After `answers` answers, whoever asks waits for ever."""
        number = len(self._started) + 1
        command = [sys.executable, self._script, self._module, self._folder / f"asked-{number}", answers, *words]
        with (self._folder / f"said-{number}").open("wb") as said:
            process = subprocess.Popen(
                [str(word) for word in command],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=subprocess.DEVNULL,
                stderr=said,
            )
        self._started.append(process)
        return process

    def start_and_wait(self, *words: object, out: Path, answers: int) -> subprocess.Popen[bytes]:
        """Start the command and wait until all its answers are on disk, and it asks for one that will not come."""
        before = number_stored(out)
        process = self.start(*words, "--out", out, answers=answers)
        deadline = time.monotonic() + PATIENCE
        while number_stored(out) < before + answers or len(self.asked()) <= answers:
            found = f"{number_stored(out) - before} of {answers} answers, {len(self.asked())} questions"
            assert process.poll() is None, f"it ended by itself after {found}:\n{self.said()}"
            assert time.monotonic() < deadline, f"it has not come further than {found}:\n{self.said()}"
            time.sleep(0.01)
        return process

    def start_and_kill(self, *words: object, out: Path, answers: int) -> None:
        """Start the command and kill it while it waits for an answer."""
        process = self.start_and_wait(*words, out=out, answers=answers)
        process.kill()
        assert process.wait() == -signal.SIGKILL, f"it ended by itself:\n{self.said()}"

    def asked(self) -> list[str]:
        """The questions that the command asked when it was started last."""
        log = self._folder / f"asked-{len(self._started)}"
        return log.read_text().split() if log.exists() else []

    def check_asked(self, before: set[str], after: set[str]) -> None:
        """That when it was started last the command asked all that came to disk and nothing that was there."""
        asked = set(self.asked())
        assert not asked & before, "asked again although the answer was on disk"
        assert after - before <= asked

    def said(self) -> str:
        """The end of what the command said when it was started last."""
        return (self._folder / f"said-{len(self._started)}").read_text()[-2000:]


def stored(run: Path) -> set[str]:
    """The questions of a run whose answers are on disk."""
    return set(_column(run / "answers.sqlite", "key"))


def number_stored(folder: Path) -> int:
    """How many answers are on disk, of a run or of all runs of a sweep together."""
    return sum(sum(_column(path, "count(*)")) for path in folder.rglob("answers.sqlite"))


def _column(path: Path, what: str) -> list[Any]:
    if not path.exists():
        return []
    with closing(sqlite3.connect(path, timeout=30)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'answers'").fetchone():
            return []
        return [value for (value,) in db.execute(f"SELECT {what} FROM answers")]

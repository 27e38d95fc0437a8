"""Run commands in separate processes: their output, exit code and peak memory."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.faults.record import Row
from tests.conftest import ROOT
from tests.loopback import Loopback

LONGEST = 600.0
"""Seconds after which a command counts as hanging."""
HUNG = -999


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def clean(self) -> bool:
        """No traceback, no hang, and no control characters."""
        said = self.out + self.err
        return self.code != HUNG and "Traceback" not in said and "\x1b" not in said

    @property
    def last(self) -> str:
        """The last line of output."""
        return (self.err.strip() or self.out.strip()).splitlines()[-1:][0][:160] if self.err or self.out else "nothing"


@dataclass(frozen=True)
class Cell:
    """An agent in a benchmark, with a number of problems per split."""

    benchmark: str
    agent: str
    limit: int = 2

    @property
    def words(self) -> list[str]:
        return ["--agent", self.agent, "--limit", str(self.limit), "--steps", "3"]

    def __str__(self) -> str:
        return f"{self.agent} in {self.benchmark.rpartition(':')[2]}"


class Started(subprocess.Popen[str]):
    """A running command in its own process group, with output to files."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        self.command = " ".join(str(word).removeprefix(f"{ROOT}/") for word in words[1:8])
        self.says = [tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") for _ in range(2)]  # noqa: SIM115
        super().__init__(
            words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=self.says[0], stderr=self.says[1],
            text=True, start_new_session=True,
        )  # fmt: skip

    def said(self) -> list[str]:
        """Its complete output; removes the files."""
        found = []
        for file in self.says:
            file.seek(0)
            found.append(file.read())
            file.close()
        return found


@dataclass
class Bench:
    """The environment of trials: cells, a server, a folder, a random generator, and the time limit."""

    cells: Sequence[Cell]
    server: Loopback
    folder: Path
    dice: random.Random
    until: float
    kept: dict[str, tuple[list[Any], int]] = field(default_factory=dict)
    thorough: bool = False
    """Whether trials are large: more requests under faults, more changed files."""
    made: int = 0
    under_way: list[Started] = field(default_factory=list)
    megabytes: int = 0
    """The memory of the largest process, without browsers."""
    largest: str = ""
    """The command of that process."""

    @property
    def model(self) -> str:
        return f"openai:any@{self.server.url}"

    @property
    def late(self) -> bool:
        """Whether the time limit is reached."""
        return time.monotonic() > self.until

    def place(self) -> Path:
        """A new path."""
        self.made += 1
        return self.folder / f"{self.made}"

    def words(self, cell: Cell, *more: object) -> list[str]:
        """The command that plays a cell."""
        own = [sys.executable, "-m", "benchmarks.faults.command", cell.benchmark]
        return [*own, "--model", self.model, *map(str, more)]

    def start(self, words: Sequence[str], **environment: str) -> Started:
        """Start a command."""
        started = Started(words, {**_environment(), **environment})
        self.under_way.append(started)
        return started

    def kill(self) -> None:
        """Kill what is still under way."""
        for started in self.under_way:
            if started.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(started.pid, signal.SIGKILL)
                started.wait()

    def end(self, process: Started, longest: float = LONGEST) -> Ended:
        """Wait for its end, and measure the memory of its largest process."""
        until, pid = time.monotonic() + longest, 0
        while not pid:
            # Only os.wait4 returns the memory of this process.
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if not pid and time.monotonic() > until:
                break
            if not pid:
                time.sleep(0.01)
        if not pid:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return Ended(HUNG, process.said()[0], "it hung")
        process.returncode = os.waitstatus_to_exitcode(status)
        megabytes = usage.ru_maxrss // (1024 if sys.platform == "linux" else 2**20)
        if megabytes > self.megabytes:
            self.megabytes, self.largest = megabytes, process.command
        self.under_way.remove(process)
        return Ended(process.returncode, *process.said())

    def running(self, process: Started) -> bool:
        """Whether a command is still running. It stays a zombie, so that `end` can measure it."""
        found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        return found is None

    def play(self, cell: Cell, out: Path, *more: object, **environment: str) -> Ended:
        """Play a cell to its end."""
        return self.end(self.start(self.words(cell, *cell.words, "--out", out, *more), **environment))

    def resume(self, cell: Cell, run: Path, *more: object) -> Ended:
        """Resume a run."""
        return self.end(self.start(self.words(cell, "--resume", run, *more)))

    def expected(self, cell: Cell) -> tuple[list[Any], int]:
        """The results of a cell without faults, and the number of its questions."""
        key = f"{cell}, {cell.limit} problems"
        if key not in self.kept:
            out = self.place()
            ended = self.play(cell, out)
            if ended.code:
                raise CannotPlay(f"{cell} cannot be played even without a fault: {ended.err[-500:]}")
            self.kept[key] = (results(out), kept_answers(out / "answers.sqlite"))
        return self.kept[key]

    def pick(self, row: Row) -> Cell:
        """A random one of the cells that had the fault least often."""
        least = min(row.cells.get(str(cell), 0) for cell in self.cells)
        cell = self.dice.choice([cell for cell in self.cells if row.cells.get(str(cell), 0) == least])
        row.cells[str(cell)] = least + 1
        return cell

    def reach(self, process: Started, asked: int) -> None:
        """Wait for a number of requests, or the end of the process."""
        deadline = time.monotonic() + LONGEST
        while self.server.count < asked and self.running(process) and time.monotonic() < deadline:
            time.sleep(0.002)


class NotHere(Exception):
    """A fault cannot be tried on this machine."""


class CannotPlay(Exception):
    """An agent in a benchmark fails even without a fault."""


def results(run: Path) -> list[Any]:
    """The results of a run, sorted by episode; of several lines for one, the last counts."""
    path = run / "results.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found: dict[str, Any] = {}
    for line in lines:
        result = json.loads(line)
        found[result["id"]] = result
    return [found[name] for name in sorted(found)]


def kept_answers(path: Path) -> int:
    """The number of answers in a cache."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=30)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'answers'").fetchone():
            return 0
        return int(db.execute("SELECT count(*) FROM answers").fetchone()[0])


def _environment() -> Mapping[str, str]:
    """The environment without variables that affect requests."""
    strange = ("API_KEY", "BASE_URL", "LANGSMITH", "LANGCHAIN", "OTEL_", "_PROXY", "_proxy")
    plain = {name: value for name, value in os.environ.items() if not any(part in name for part in strange)}
    return {**plain, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}


Fault = Callable[[Bench, Row], None]
"""One or more trials of a fault; their outcome goes into the row."""

"""Commands in processes of their own: what they say, how they end, and how much memory they take at the most."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.loopback import Loopback

LONGEST = 120.0
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
        """No traceback, no hang, and nothing that a terminal would obey."""
        said = self.out + self.err
        return self.code != HUNG and "Traceback" not in said and "\x1b" not in said

    @property
    def last(self) -> str:
        """The last line of what it said."""
        return (self.err.strip() or self.out.strip()).splitlines()[-1:][0][:160] if self.err or self.out else "nothing"


@dataclass(frozen=True)
class Cell:
    """An agent in a benchmark."""

    benchmark: str
    agent: str

    @property
    def words(self) -> list[str]:
        return ["--agent", self.agent, "--limit", "2", "--steps", "3"]

    def __str__(self) -> str:
        return f"{self.agent} in {self.benchmark.rpartition(':')[2]}"


@dataclass
class Bench:
    """What faults are tried with: cells, a server, a folder, chance, and the time there is."""

    cells: Sequence[Cell]
    server: Loopback
    folder: Path
    dice: random.Random
    until: float
    kept: dict[Cell, tuple[list[Any], int]] = field(default_factory=dict)
    made: int = 0

    @property
    def model(self) -> str:
        return f"openai:any@{self.server.url}"

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self.until

    def place(self) -> Path:
        """A path that nothing has yet."""
        self.made += 1
        return self.folder / f"{self.made}"

    def words(self, cell: Cell, *more: object) -> list[str]:
        """The command that plays a cell."""
        own = [sys.executable, "-m", "benchmarks.faults.command", cell.benchmark]
        return [*own, "--model", self.model, *map(str, more)]

    def start(self, words: Sequence[str], **environment: str) -> subprocess.Popen[str]:
        """Start a command, in a process group of its own."""
        pipe = subprocess.PIPE
        environ = {**_environment(), **environment}
        return subprocess.Popen(
            words, cwd=ROOT, env=environ, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True,
            errors="replace", start_new_session=True,
        )  # fmt: skip

    def end(self, process: subprocess.Popen[str], longest: float = LONGEST) -> Ended:
        """Wait for its end."""
        try:
            out, err = process.communicate(timeout=longest)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return Ended(HUNG, "", "it hung")
        return Ended(process.returncode, out, err)

    def play(self, cell: Cell, out: Path, *more: object, **environment: str) -> Ended:
        """Play a cell to its end."""
        return self.end(self.start(self.words(cell, *cell.words, "--out", out, *more), **environment))

    def resume(self, cell: Cell, run: Path, *more: object) -> Ended:
        """Resume a run."""
        return self.end(self.start(self.words(cell, "--resume", run, *more)))

    def expected(self, cell: Cell) -> tuple[list[Any], int]:
        """The results of a cell to which nothing happens, and how many questions it asks."""
        if cell not in self.kept:
            out = self.place()
            ended = self.play(cell, out)
            if ended.code:
                raise RuntimeError(f"{cell} cannot be played even without a fault: {ended.err[-500:]}")
            self.kept[cell] = (results(out), kept_answers(out))
        return self.kept[cell]

    def pick(self) -> Cell:
        """A cell by chance."""
        return self.dice.choice(self.cells)

    def reach(self, process: subprocess.Popen[str], asked: int) -> None:
        """Wait until the server has been asked so often, or the process has ended."""
        deadline = time.monotonic() + LONGEST
        while self.server.count < asked and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)


def results(run: Path) -> list[Any]:
    """What a run came to, in the order of its episodes; of several lines about one the last counts."""
    path = run / "results.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    found: dict[str, Any] = {}
    for line in lines:
        result = json.loads(line)
        found[result["id"]] = result
    return [found[name] for name in sorted(found)]


def kept_answers(run: Path) -> int:
    """How many answers a run has kept."""
    path = run / "answers.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=30)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'answers'").fetchone():
            return 0
        return int(db.execute("SELECT count(*) FROM answers").fetchone()[0])


def most_memory() -> int:
    """Megabytes that the largest process took."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // (1024 if sys.platform == "linux" else 2**20)


def _environment() -> Mapping[str, str]:
    """Ours without what decides where requests go or what they carry."""
    strange = ("API_KEY", "BASE_URL", "LANGSMITH", "LANGCHAIN", "OTEL_", "_PROXY", "_proxy")
    plain = {name: value for name, value in os.environ.items() if not any(part in name for part in strange)}
    return {**plain, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}


@dataclass
class Row:
    """What came of one fault: how often it was tried and survived, and what it cost.

    `lost` are runs that came to something else; `again` are answers that were kept and asked for again all the same.
    """

    fault: str
    tried: int = 0
    survived: int = 0
    lost: int = 0
    again: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    def note(self, fine: bool, what: str, *, lost: int = 0, again: int = 0) -> None:
        """One more trial."""
        self.tried += 1
        self.survived += fine
        self.lost += lost
        self.again += again
        if not fine:
            self.notes.append(what)


Fault = Callable[[Bench, Row], None]
"""One trial, or a few, of a fault; what comes of it goes into the row."""

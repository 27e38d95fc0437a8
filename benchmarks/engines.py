"""The engines: one process, and players of Ray, on the same processors, with answers that take 200 ms.

    python -m benchmarks.engines

Both play the same episodes with as many of them at a time, each as a command of its own. The time between the first and
the last question is compared, and that of the whole command, in which Ray starts a cluster. Needs the extra ray.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.options import at_least_one, parser
from tests.loopback import Loopback

SECONDS = 0.2


class Played(NamedTuple):
    """Seconds of the whole command, of its questions, and how many there were."""

    command: float
    playing: float
    questions: int


class Clock:
    """Answers by the hash of the request, and notes when."""

    def __init__(self) -> None:
        self.moments: list[float] = []

    def __call__(self, body: dict[str, Any]) -> str:
        self.moments.append(time.monotonic())
        return ("Yes", "No")[hashlib.sha256(json.dumps(body["messages"]).encode()).digest()[0] % 2]


def play(folder: Path, episodes: int, *words: str) -> Played:
    """One command against a server of its own."""
    clock = Clock()
    with Loopback(clock, kept=1) as server:
        server.latency = SECONDS
        model = ("--model", f"openai:any@{server.url}", "--split", "hard", "--limit", str(episodes))
        command = [sys.executable, "-m", "evals.viplan", "--agent", "ground", *model, "--out", str(folder), *words]
        started = time.monotonic()
        ran = subprocess.run(command, capture_output=True, text=True)
        if ran.returncode:
            sys.exit(ran.stderr)
        whole = time.monotonic() - started
    return Played(whole, clock.moments[-1] - clock.moments[0] + SECONDS, len(clock.moments))


def row(name: str, played: Sequence[Played]) -> str:
    figures = (median(one.playing for one in played), median(one.command for one in played))
    return f"{name:24}{played[0].questions:10}{figures[0]:12.1f} s{figures[1]:14.1f} s"


def main() -> None:
    options = parser("engines", __doc__)
    options.add_argument("--episodes", type=at_least_one, default=12, help="episodes of the hard split")
    options.add_argument("--rounds", type=at_least_one, default=3, help="rounds")
    arguments = options.parse_args()
    local, ray = [], []
    with tempfile.TemporaryDirectory() as folder:
        for place in range(arguments.rounds):
            local.append(play(Path(folder) / f"local-{place}", arguments.episodes, "--concurrency", "8"))
            words = ("--engine", "ray", "--players", "2", "--concurrency", "4")
            ray.append(play(Path(folder) / f"ray-{place}", arguments.episodes, *words))
    print(f"{'':24}{'questions':>10}{'playing':>14}{'whole command':>16}")
    print(row("local", local), row("ray, two players", ray), sep="\n")
    playing = median(other.playing / one.playing for one, other in zip(local, ray, strict=True))
    whole = median(other.command / one.command for one, other in zip(local, ray, strict=True))
    print(f"ray takes {playing:.2f} times as long to play, {whole:.2f} times with the start of the cluster")


if __name__ == "__main__":
    main()

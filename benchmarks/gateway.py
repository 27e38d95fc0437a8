"""The same questions asked directly and through a gateway, in turns: speed, and CPU time of every process.

    python -m benchmarks.gateway

Server, gateway and client are processes of their own. There are 64 questions in flight, each with a picture of 60 kB
that ten questions share. By default the server answers at once, so that only processors count. Prints medians of the
rounds; the CPU times are what benchmarks.scale starts from.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.asking import IN_FLIGHT, gathered, requests
from benchmarks.options import at_least_one, parser
from models.base import Model, Request
from models.conduct import Conducted, Terms
from models.gateway.caps import Caps
from models.gateway.http import TOKEN, Gateways
from models.limiter import Limits
from models.registry import load_model, routed

PER_PICTURE = 10
SIZE = 60_000
TICKS = os.sysconf("SC_CLK_TCK")


class Round(NamedTuple):
    """Wall-clock seconds, and CPU seconds of the client and of the gateway."""

    clock: float
    client: float
    gateway: float


def processor(pid: int) -> float:
    """CPU seconds that a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextlib.contextmanager
def server(latency: float) -> Iterator[str]:
    """The address of a model server in a process of its own."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.loopback", str(latency)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert started.stdout
    try:
        yield started.stdout.readline().strip()
    finally:
        started.communicate("")


@contextlib.contextmanager
def gateway(spec: str, folder: Path) -> Iterator[tuple[str, int]]:
    """The address of a gateway, and its process."""
    command = [sys.executable, "-m", "models.gateway", "--port", "0", "--cache", folder / "a.sqlite", "--model", spec]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert started.stdout
    try:
        yield started.stdout.readline().split()[1], started.pid
    finally:
        started.terminate()
        started.communicate()


async def measured(model: Model, asked: list[Request], pid: int) -> Round:
    """Ask everything once."""
    assert isinstance(model, Conducted)
    before = processor(pid)
    try:
        clock, client = await gathered(model.ask, asked)
    finally:
        await model.close()
    # The first ones, which open the connections, are asked twice; the gateway answers them from its cache.
    return Round(clock, client, processor(pid) - before)


def rounds(count: int, number: int, spec: str, url: str, pid: int) -> Iterator[tuple[Round, Round]]:
    """Both ways in turns, with new questions in each round: nothing is in the gateway's cache."""
    for place in range(number):
        asked = requests(count * (place + 1), SIZE, PER_PICTURE)[count * place :]
        direct = load_model(spec)
        assert isinstance(direct, Conducted)
        direct.use_terms(Terms(limits=Limits(in_flight=IN_FLIGHT)))
        one = asyncio.run(measured(direct, asked, pid))
        terms = Terms(limits=Limits(in_flight=IN_FLIGHT))
        with routed(Gateways.read(url, Caps()).route(terms)):
            through = load_model(spec)
        yield one, asyncio.run(measured(through, asked, pid))
        time.sleep(0.1)


def main() -> None:
    options = parser("gateway", __doc__)
    options.add_argument("questions", nargs="?", type=at_least_one, default=500, help="questions in a round")
    options.add_argument("--rounds", type=at_least_one, default=5, help="rounds")
    options.add_argument("--latency", type=float, default=0.0, help="seconds that the server takes")
    arguments = options.parse_args()
    os.environ[TOKEN] = "benchmark"
    with tempfile.TemporaryDirectory() as folder, server(arguments.latency) as address:
        spec = f"openai:any@{address}"
        with gateway(spec, Path(folder)) as (url, pid):
            found = list(rounds(arguments.questions, arguments.rounds, spec, url, pid))
    count = arguments.questions
    direct, through = [one for one, _ in found], [other for _, other in found]
    print(f"{'':22}{'questions/s':>12}{'CPU of client':>16}{'CPU of gateway':>16}")
    for name, ways in (("direct", direct), ("through the gateway", through)):
        client, door = (median(getattr(way, part) for way in ways) / count * 1000 for part in ("client", "gateway"))
        print(f"{name:22}{median(count / way.clock for way in ways):12.0f}{client:13.2f} ms{door:13.2f} ms")
    ratio = median(other.clock / one.clock for one, other in found)
    share = median(other.client / one.client for one, other in found)
    print(f"a question through the gateway takes {ratio:.2f} times as long, and {share:.2f} of the client's CPU time")


if __name__ == "__main__":
    main()

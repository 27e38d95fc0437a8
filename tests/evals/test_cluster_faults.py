"""Runs on a cluster of Ray with real processes: whatever is killed, nothing is asked twice, and results are the same.

Each test plays a run on a cluster of a head and two machines (processes here), and breaks something once the model
server has answered some questions.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.gateways import asked_twice, by_hash, contents
from tests.loopback import Loopback

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="not installed: pip install -e '.[ray]'"),
]
SECONDS = 300.0
"""How long a run may take."""
REQUESTS = 16
WORDS = ("--agent", "ground", "--split", "simple", "--limit", "10", "--concurrency", "2", "--requests", str(REQUESTS))
CLUSTER = """
import json, os, signal, sys
from ray.cluster_utils import Cluster

cluster = Cluster(shutdown_at_exit=True)
common = dict(num_cpus=1, object_store_memory=80_000_000, include_dashboard=False)
head = cluster.add_node(**{**common, "num_cpus": 0}, _system_config={
    "health_check_initial_delay_ms": 1000, "health_check_period_ms": 500,
    "health_check_timeout_ms": 1000, "health_check_failure_threshold": 4,
})
nodes = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "address":
        print(cluster.address, flush=True)
    elif word == "add":
        node = cluster.add_node(**common)
        nodes.append(node)
        print(node.all_processes["raylet"][0].process.pid, flush=True)
    elif word == "remove":
        cluster.remove_node(nodes[int(rest[0])], allow_graceful=False)
        print("removed", flush=True)
    elif word == "end":
        break
"""


@dataclass
class Machines:
    """A cluster in a process of its own, which takes orders by lines."""

    process: subprocess.Popen[str]
    raylets: list[int] = field(default_factory=list)
    address: str = ""

    def order(self, *words: object) -> str:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def add(self) -> None:
        self.raylets.append(int(self.order("add")))


def started() -> Machines | None:
    """A cluster of a head and two machines; None if one of them did not start within the 30 s that Ray allows."""
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
    process = subprocess.Popen(
        [sys.executable, "-c", CLUSTER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        start_new_session=True,
    )
    machines = Machines(process)
    try:
        machines.address = machines.order("address")
        machines.add()
        machines.add()
    except (ValueError, OSError):
        stop(machines)
        return None
    return machines


def stop(machines: Machines) -> None:
    """End the cluster, whatever is left of it."""
    for raylet in machines.raylets:
        with suppress(ProcessLookupError):
            os.kill(raylet, signal.SIGCONT)
    with suppress(OSError, ValueError):
        machines.process.communicate("end\n", timeout=60)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(machines.process.pid, signal.SIGKILL)
    machines.process.wait()


@pytest.fixture
def machines() -> Iterator[Machines]:
    machines = started() or started() or started()
    assert machines is not None, "Ray does not start here"
    yield machines
    stop(machines)


@dataclass
class Game:
    """A run of the command on the cluster, against a counting server."""

    machines: Machines
    server: Loopback
    folder: Path

    @property
    def model(self) -> tuple[str, str]:
        return "--model", f"openai:any@{self.server.url}"

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, "RAY_AUTH_MODE": "disabled", "COLUMNS": "120"}

    def start(self, *words: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "evals.viplan", *map(str, (*words, *self.model))]
        return subprocess.Popen(
            command, cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )

    def begin(self) -> subprocess.Popen[str]:
        return self.start(*WORDS, "--out", self.folder / "ray", *self.cluster)

    def resume(self) -> subprocess.Popen[str]:
        if not (self.folder / "ray" / "run.json").exists():
            return self.begin()
        return self.start("--resume", self.folder / "ray", "--concurrency", 2, "--requests", REQUESTS, *self.cluster)

    @property
    def cluster(self) -> tuple[str, ...]:
        return "--engine", "ray", "--ray-address", self.machines.address

    def until(self, count: int, process: subprocess.Popen[str]) -> None:
        """Wait until the server has been asked so often."""
        end = time.monotonic() + SECONDS
        while self.server.count < count:
            assert process.poll() is None, process.communicate()[1]
            assert time.monotonic() < end, f"only {self.server.count} questions were asked"
            time.sleep(0.005)

    def gateway(self, what: str = "status") -> dict[str, Any]:
        """The gateways, as the command shows or ends them."""
        import json

        command = [sys.executable, "-m", "evals.cluster", what, "--json", "--ray-address", self.machines.address]
        ran = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=120)
        found: dict[str, Any] = json.loads(ran.stdout)
        return found


@pytest.fixture
def game(machines: Machines, tmp_path: Path) -> Iterator[Game]:
    with Loopback(by_hash, kept=100_000) as server:
        yield Game(machines, server, tmp_path)


def end(process: subprocess.Popen[str]) -> None:
    said = process.communicate(timeout=SECONDS)[1]
    assert process.returncode == 0, said


def check(game: Game, most_twice: int = 0) -> None:
    """The run is what one process writes, which asks the same questions."""
    asked, twice = game.server.count, asked_twice(game.server)
    game.server.latency = 0.0
    end(game.start(*WORDS, "--out", game.folder / "local"))
    alone = game.server.count - asked
    assert contents(game.folder / "ray") == contents(game.folder / "local")
    assert asked - alone == twice
    assert twice <= most_twice


def fail_nothing(game: Game, process: subprocess.Popen[str]) -> subprocess.Popen[str]:
    return process


def fail_machine(game: Game, process: subprocess.Popen[str]) -> subprocess.Popen[str]:
    game.until(60, process)
    assert game.machines.order("remove", 0) == "removed"
    return process


def fail_raylet(game: Game, process: subprocess.Popen[str]) -> subprocess.Popen[str]:
    game.until(60, process)
    os.kill(game.machines.raylets[0], signal.SIGKILL)
    return process


def hang_raylet(game: Game, process: subprocess.Popen[str]) -> subprocess.Popen[str]:
    game.until(60, process)
    os.kill(game.machines.raylets[0], signal.SIGSTOP)
    return process


def fail_driver(game: Game, process: subprocess.Popen[str]) -> subprocess.Popen[str]:
    for count in (40, 90, 140):
        game.until(count, process)
        process.kill()
        process.communicate()
        process = game.resume()
    return process


def fail_gateway(game: Game, process: subprocess.Popen[str]) -> subprocess.Popen[str]:
    game.server.latency = 5.0  # the run must not be over before the gateway's process is known
    game.until(1, process)
    (status,) = game.gateway()["gateways"].values()
    game.server.latency = 0.1
    game.until(60, process)
    os.kill(status["pid"], signal.SIGKILL)
    return process


@pytest.mark.parametrize(
    ("fault", "most_twice"),
    [
        pytest.param(fail_nothing, 0, id="none"),
        pytest.param(fail_machine, 0, id="machine"),
        pytest.param(fail_raylet, 0, id="raylet"),
        pytest.param(fail_driver, 0, id="driver"),
        pytest.param(fail_gateway, REQUESTS, id="gateway"),
        pytest.param(hang_raylet, 0, id="hanging-raylet"),
    ],
)
def test_a_fault_changes_no_result_and_asks_nothing_twice(
    fault: Callable[[Game, subprocess.Popen[str]], subprocess.Popen[str]], most_twice: int, game: Game
) -> None:
    game.server.latency = 0.1
    end(fault(game, game.begin()))
    check(game, most_twice)
    assert game.gateway() == {"gateways": {}, "ended": {}}


def test_a_machine_that_joins_is_used(game: Game) -> None:
    game.server.latency = 0.1
    process = game.begin()
    game.until(40, process)
    game.machines.add()
    limit = time.monotonic() + SECONDS
    while not players_of(game.machines.raylets[-1]):
        assert process.poll() is None, "the run ended before the new machine was used"
        assert time.monotonic() < limit
        time.sleep(0.05)
    end(process)
    check(game)


def players_of(raylet: int) -> list[str]:
    """The players among the processes that a raylet has started, as they call themselves."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, IndexError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            name = (folder / "cmdline").read_text()
            if parent == raylet and "Player" in name:
                found.append(name)
    return found

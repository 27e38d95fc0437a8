"""The engine `ray` without faults: what players send, where they sit, what is refused, and the command `cluster`."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from evals.run.cluster.connecting import Cluster
from evals.run.cluster.parcels import Writer, play_aside
from evals.run.options import options_of
from evals.run.prepare import prepare
from evals.run.settings import Running
from evals.viplan.__main__ import main as viplan
from models.conduct import Terms
from models.gateway.caps import Caps
from tests.conftest import ROOT
from tests.gateways import by_hash, contents
from tests.loopback import Loopback
from tests.small_sets import Fruit, Staircases, played

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="not installed: pip install -e '.[ray]'")
SETS: dict[str, Any] = {"questions": Fruit(), "world": Staircases()}


@pytest.mark.parametrize("kind", ["questions", "world"])
def test_a_run_written_from_parcels_is_what_one_process_writes(kind: str, tmp_path: Path) -> None:
    whole = played(SETS[kind], tmp_path / "whole", pictures=True)
    options = options_of({"out": tmp_path / "parcels", "pictures": True}, SETS[kind].settings, Running)
    prepared = prepare(SETS[kind], options)
    with prepared.closing:
        writer, requests, drawn = Writer(prepared.run), asyncio.Semaphore(8), dict[str, bytes]()
        for place, episode in enumerate(prepared.episodes):
            folder = tmp_path / str(place)
            folder.mkdir()
            parcel = asyncio.run(play_aside(prepared.setup, episode, folder, drawn, requests))
            assert parcel.result.id == episode.id
            assert (parcel.item is None) is (kind == "world")
            writer.write(parcel)
        writer.close()
    assert contents(tmp_path / "parcels") == contents(whole.path)


def cluster(players: int | None) -> Cluster:
    return Cluster(Running(players=players), "run", None, "gateway", Caps(), Terms())


@pytest.mark.parametrize(
    ("players", "seated", "expected"),
    [
        (None, {}, {"a": 2, "b": 4}),
        (3, {}, {"a": 1, "b": 2}),
        (3, {"a": 2}, {"b": 1}),
        (2, {"a": 2}, {}),
        (99, {"a": 2, "b": 3}, {"b": 1}),
    ],
)
def test_players_are_spread_over_the_machines(
    players: int | None, seated: dict[str, int], expected: dict[str, int]
) -> None:
    found = cluster(players).places({"a": 2, "b": 4}, Counter(seated))
    assert Counter(found) == expected


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert viplan(["--split", "simple", "--engine", "ray", *map(str, words)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_what_does_not_go_with_a_cluster_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ("--out", tmp_path / "run")
    assert "--gateway does not go with --engine ray" in refused(capsys, *out, "--gateway", "http://127.0.0.1:1")
    assert "--no-cache does not go with" in refused(capsys, *out, "--no-cache")
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:6379")
    assert "pip install -e '.[ray]'" in refused(capsys, *out)
    assert not (tmp_path / "run").exists()


def command(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    ran = [sys.executable, "-m", *map(str, words)]
    return subprocess.run(ran, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, timeout=300)


@needs_ray
@pytest.mark.slow
def test_a_local_cluster_plays_what_one_process_plays_and_leaves_nothing(tmp_path: Path) -> None:
    """A simulated model, which is asked in the players."""
    words = ("evals.viplan", "--split", "simple", "--limit", "4", "--agent", "plan", "--model", "sim:gpt-4.1")
    for name, engine in (("local", ()), ("ray", ("--engine", "ray", "--players", "2"))):
        ran = command(*words, "--out", tmp_path / name, *engine, HOME=str(tmp_path))
        assert ran.returncode == 0, ran.stderr
    assert contents(tmp_path / "ray") == contents(tmp_path / "local")
    assert not (tmp_path / ".ray").exists(), "no token is left in the home directory"


HEAD = """
import sys
from ray.cluster_utils import Cluster

cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "num_gpus": 2, "include_dashboard": False})
print(cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""


@pytest.fixture
def address() -> Any:
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert process.stdout
    try:
        found = process.stdout.readline().strip()
        assert ":" in found, "the cluster did not start"
        yield found
    finally:
        process.communicate("", timeout=60)


@needs_ray
@pytest.mark.slow
def test_a_gateway_that_a_killed_driver_has_left_is_shown_and_ended(address: str, tmp_path: Path) -> None:
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled"}
    with Loopback(by_hash) as server:
        server.latency = 5.0
        words = ["--split", "simple", "--agent", "ground", "--model", f"openai:any@{server.url}", "--max-cost", "5"]
        prices = tmp_path / "prices.json"
        prices.write_text('{"openai": {"any": [1, 1, 1]}}')
        start = [sys.executable, "-m", "evals.viplan", *words, "--prices", str(prices)]
        driver = subprocess.Popen(
            [*start, "--out", str(tmp_path / "run"), "--engine", "ray", "--ray-address", address],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        end = time.monotonic() + 280
        while not server.count:
            assert driver.poll() is None, driver.communicate()[1]
            assert time.monotonic() < end
            time.sleep(0.01)
        driver.kill()
        driver.communicate()
        other = command(
            "evals.viplan", *words[:-1], "7", "--prices", prices, "--resume", tmp_path / "run", "--engine", "ray",
            "--ray-address", address, RAY_AUTH_MODE="disabled",
        )  # fmt: skip
        assert other.returncode == 2
        assert "--max-cost: the gateway has --max-cost 5 for all its runs, and this run asks for 7" in other.stderr
    look = ("evals.cluster", "status", "--json", "--ray-address", address)
    found = json.loads(command(*look, RAY_AUTH_MODE="disabled").stdout)["gateways"]
    (status,) = found.values()
    assert status["runs"] == [str(tmp_path / "run")]
    assert status["caps"] == {"max_cost": 5}
    told = command("evals.cluster", "stop", "--ray-address", address, RAY_AUTH_MODE="disabled")
    assert told.returncode == 0, told.stderr
    assert "ended" in told.stdout
    with pytest.raises(ProcessLookupError):
        os.kill(status["pid"], 0)
    assert json.loads(command(*look, RAY_AUTH_MODE="disabled").stdout) == {"gateways": {}, "ended": {}}


@needs_ray
@pytest.mark.slow
def test_weights_are_loaded_once_for_each_gpu(address: str, tmp_path: Path) -> None:
    """Two graphics processors in name: the tiny model runs on the CPU."""
    pytest.importorskip("torch", reason="not installed: pip install -e '.[hf]'")
    pytest.importorskip("transformers", reason="not installed: pip install -e '.[hf]'")
    from tests.tiny_vlm import llava

    llava(tmp_path / "tiny")
    model = f"hf:{tmp_path / 'tiny'}?device=cpu&max_tokens=4"
    words = ("evals.viplan", "--split", "simple", "--limit", "2", "--agent", "ground", "--steps", "2", "--model", model)
    engine = ("--engine", "ray", "--ray-address", address, "--players", "1")
    for name, how in (("local", ()), ("ray", engine)):
        ran = command(*words, "--out", tmp_path / name, *how, RAY_AUTH_MODE="disabled", HF_HUB_OFFLINE="1")
        assert ran.returncode == 0, ran.stderr
    one, other = contents(tmp_path / "local"), contents(tmp_path / "ray")
    assert other["config"] == one["config"]
    assert [result["asked"] for result in other["results"]] == [result["asked"] for result in one["results"]]

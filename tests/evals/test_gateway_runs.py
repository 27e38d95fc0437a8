"""Runs through a gateway: shards in processes of their own, which share cache, budget and keys."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.merge.__main__ import main as merge
from evals.viplan.__main__ import main as viplan
from models import _filesystems
from tests.conftest import ROOT
from tests.gateways import TOKEN, Serving, asked_twice, by_hash, contents
from tests.loopback import Loopback

WORDS = ("--agent", "ground", "--split", "simple", "--limit", "8")
SECONDS = 240.0


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(by_hash, kept=100_000) as server:
        yield server


@pytest.fixture
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", TOKEN):
        monkeypatch.delenv(name, raising=False)


def start(*words: object, environment: dict[str, str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "evals.viplan", *map(str, words)]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def finish(process: subprocess.Popen[str], code: int = 0) -> str:
    said = process.communicate(timeout=SECONDS)[1]
    assert process.returncode == code, said
    return said


def until_asked(server: Loopback, count: int, *processes: subprocess.Popen[str]) -> None:
    """Wait until the server has had so many requests."""
    end = time.monotonic() + SECONDS
    while server.count < count:
        assert time.monotonic() < end, "the server is not asked"
        assert any(process.poll() is None for process in processes), "nobody asks any more"
        time.sleep(0.002)


@pytest.mark.slow
def test_four_shards_of_which_two_are_killed_are_what_one_process_writes(server: Loopback, tmp_path: Path) -> None:
    model = ("--model", f"openai:any@{server.url}")
    with Serving(tmp_path / "a.sqlite", *model) as gateway:
        finish(start(*WORDS, *model, "--out", tmp_path / "whole", environment=dict(os.environ)))
        alone, twice = server.count, asked_twice(server)
        server.latency = 0.05
        shards = [
            (*WORDS, *model, "--gateway", gateway.url, "--shard", f"{number}/4", "--concurrency", 1)
            for number in range(1, 5)
        ]
        folders = [tmp_path / "parts" / f"run-shard-{number}" for number in range(1, 5)]
        victims = [start(*shards[place], "--out", folders[place], environment=gateway.environment) for place in (0, 1)]
        until_asked(server, alone + 20, *victims)
        for victim in victims:
            assert victim.poll() is None
            victim.kill()
            victim.communicate()
        killed_at = server.count - alone
        others = [start(*shards[place], "--out", folders[place], environment=gateway.environment) for place in (2, 3)]
        for folder in folders[:2]:
            resumed = ("--resume", folder, *model, "--gateway", gateway.url)
            if not (folder / "run.json").exists():  # killed before it had a directory
                resumed = (*shards[folders.index(folder)], "--out", folder)
            others.append(start(*resumed, environment=gateway.environment))
        for process in others:
            finish(process)
    assert 20 <= killed_at < alone
    assert server.count == 2 * alone
    assert asked_twice(server) == 2 * twice + alone - twice  # everything once by the one process, once by the shards
    assert merge([str(tmp_path / "parts"), "--out", str(tmp_path / "merged")]) == 0
    assert contents(tmp_path / "merged") == contents(tmp_path / "whole")


@pytest.mark.slow
def test_a_cap_holds_over_all_shards_and_a_killed_gateway(server: Loopback, tmp_path: Path) -> None:
    model = ("--model", f"openai:any@{server.url}")
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"openai": {"any": [1.0, 1.0, 1.0]}}))
    cap = 0.08
    asked = ("--max-cost", cap, "--prices", prices, "--requests", 4)
    shards = [(*WORDS, *model, "--shard", f"{number}/2", "--out", tmp_path / str(number)) for number in (1, 2)]
    with Serving(tmp_path / "a.sqlite", *model, *asked) as gateway:
        running = [start(*shard, "--gateway", gateway.url, environment=gateway.environment) for shard in shards]
        until_asked(server, 40, *running)
        port = gateway.url.rpartition(":")[2]
        gateway.stop(signal.SIGKILL)
        with Serving(tmp_path / "a.sqlite", *model, *asked, port=int(port)) as again:
            for process in running:
                assert f"could exceed --max-cost {cap:g}" in finish(process, 3)
            said = again.stop()
    assert "were spent before it was killed" in said
    spent = float(said.rpartition("$")[2])
    assert 0.5 * cap < spent <= cap


def refused(capsys: Any, *words: object) -> str:
    assert viplan([*WORDS, *map(str, words)]) == 2
    said = str(capsys.readouterr().err)
    assert said.count("\n") == 1
    return said


def test_what_is_wrong_with_a_gateway_is_one_line(
    server: Loopback, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch, no_key: None
) -> None:
    model = ("--model", f"openai:any@{server.url}", "--out", tmp_path / "run")
    with Serving(tmp_path / "a.sqlite", *model[:2], "--max-tokens", 1000) as gateway:
        there = (*model, "--gateway", gateway.url)
        assert "does not take this token: set PLUMBLINE_GATEWAY_TOKEN" in refused(capsys, *there)
        monkeypatch.setenv(TOKEN, gateway.token)
        assert "--max-tokens: the gateway has --max-tokens 1000" in refused(capsys, *there, "--max-tokens", 5)
        assert "--prices: a gateway has its own prices" in refused(capsys, *there, "--prices", tmp_path / "p.json")
        assert "no key for openai" in refused(capsys, "--model", "openai:gpt-4.1", *there[2:])
    assert "does not answer (Connection refused); start one" in refused(capsys, *there)
    assert "needs an address" in refused(capsys, *model, "--gateway", ",")
    assert server.count == 0
    assert not (tmp_path / "run").exists()


def test_a_cache_on_a_network_file_system_is_one_line(
    tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"server:/x {tmp_path} nfs4 rw 0 0\n")
    monkeypatch.setattr(_filesystems, "MOUNTS", mounts)
    said = refused(capsys, "--model", "sim:gpt-4.1", "--out", tmp_path / "run", "--cache", tmp_path / "a.sqlite")
    assert "is on a network file system (nfs4), where SQLite's locks do not hold" in said


def test_models_that_need_the_truth_stay_with_the_episode(
    server: Loopback, tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Serving(tmp_path / "a.sqlite") as gateway:
        monkeypatch.setenv(TOKEN, gateway.token)
        out = ("--out", str(tmp_path / "run"))
        assert viplan(["--limit", "1", "--split", "simple", "--model", "oracle", "--gateway", gateway.url, *out]) == 0
        assert "0 questions asked" in gateway.stop()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--no-token", "--host", "0.0.0.0"], "--no-token goes with the loopback address only"),
        (["--max-cost", "0"], "--max-cost: more than 0"),
        (["--host", "203.0.113.7"], "cannot listen on 203.0.113.7"),
        (["--cache", "/dev/null/a.sqlite"], "cannot be used: File exists"),
    ],
    ids=["no-token", "no-cost", "no-address", "no-folder"],
)
def test_a_gateway_that_cannot_start_says_why(words: list[str], reason: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "models.gateway", "--port", "0", "--cache", str(tmp_path / "a.sqlite"), *words]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert reason in ran.stderr
    assert ran.stderr.count("\n") == 1

"""Whole runs in batches: the same results as plain requests, also after `kill -9` between sending and collecting."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.run.playing import play, run_until_done
from evals.run.prepare import prepare
from evals.viplan.__main__ import main
from models.batching import BatchStore
from tests.conftest import ROOT
from tests.evals.quiz import Quiz
from tests.lessons import pictures_of, texts_of
from tests.loopback import Loopback
from tests.loopback_batches import Fate

SOME = ("--agent", "ground", "--split", "simple", "--limit", "3")
QUICK = ("--batch", "--batch-wait", "0.3")
COSTS = ("prompt_tokens", "completion_tokens", "cost")
BOTH = ["openai", pytest.param("anthropic", marks=pytest.mark.slow)]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_API_KEY", "sk-loopback-0123456789abcdef")


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(answer) as running:
        yield running


def answer(body: dict[str, Any]) -> str:
    """The same words to the same question about the same picture: three times in four Yes, or A."""
    asked = "\n".join([*texts_of(body), *(hashlib.sha256(png).hexdigest() for png in pictures_of(body))])
    number = int(hashlib.sha256(asked.encode()).hexdigest(), 16)
    if "which colour" in asked:
        return "ABCD"[number % 4]
    return "No" if number % 4 == 0 else "Yes"


def results(folder: Path) -> list[dict[str, Any]]:
    """What came of the episodes; tokens that the server had kept depend on the order."""
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    return sorted(({n: v for n, v in line.items() if n not in COSTS} for line in lines), key=lambda line: line["id"])


def spec_of(provider: str, server: Loopback) -> str:
    return f"{provider}:any@{server.url}"


def run(*words: object) -> int:
    return main([str(word) for word in words])


def plain_requests(server: Loopback) -> int:
    return sum(seen.path.endswith(("/chat/completions", "/messages")) for seen in server.seen)


@pytest.mark.parametrize("provider", BOTH)
def test_a_run_in_batches_is_the_run(provider: str, server: Loopback, tmp_path: Path, capsys: Any) -> None:
    words = (*SOME, "--model", spec_of(provider, server))
    assert run(*words, "--out", tmp_path / "plain") == 0
    plain, asked = results(tmp_path / "plain"), plain_requests(server)
    server.desk.fate = lambda batch, place: Fate.EXPIRED if batch == 0 and place % 7 == 0 else None
    server.desk.seconds = 0.5
    assert run(*words, *QUICK, "--out", tmp_path / "run") == 0
    assert results(tmp_path / "run") == plain
    assert plain_requests(server) == asked + 1, "the first request goes out alone"
    assert len(server.desk.places) == asked - 1
    expired = -(-len(server.desk.batches[0].requests) // 7)
    assert sum(map(len, server.desk.places.values())) == len(server.desk.places) + expired
    said = capsys.readouterr().err
    assert "requests sent to" in said
    assert "requests answered" in said
    assert "waiting for 1 batch at" in said
    assert not BatchStore.path_for(tmp_path / "run" / "answers.sqlite").exists()


class Command:
    """The command in a process of its own."""

    def __init__(self, *words: object) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "evals.viplan", *map(str, words)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def kill_when(self, due: Callable[[], bool]) -> None:
        """`kill -9` as soon as it is due."""
        deadline = time.monotonic() + 120
        while not due():
            assert self.process.poll() is None, self.process.communicate()[0]
            assert time.monotonic() < deadline
            time.sleep(0.01)
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def finish(self) -> str:
        said = self.process.communicate(timeout=120)[0]
        assert self.process.returncode == 0, said
        return str(said)


@pytest.mark.slow
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_killed_between_sending_and_collecting(provider: str, server: Loopback, tmp_path: Path) -> None:
    """Killed three times: with a batch under way, before the server's answer to its creation came, while it reads."""
    spec, folder = spec_of(provider, server), tmp_path / "run"
    again = ("--resume", folder, "--model", spec, *QUICK)
    server.desk.hold()
    Command(*SOME, "--model", spec, *QUICK, "--out", folder).kill_when(lambda: len(server.desk.batches) == 1)
    # The server is slow to answer, so the id of the second batch never arrives.
    server.desk.release()
    second = Command(*again)

    def sent() -> bool:
        if server.desk.downloads:
            server.desk.hold()
            server.latency = 0.0
            server.desk.lose_creations = 10**6
        return len(server.desk.batches) >= 2

    second.kill_when(sent)
    server.desk.lose_creations = 0
    assert len(server.desk.batches) == 2
    server.desk.release()
    downloads = server.desk.downloads
    Command(*again).kill_when(lambda: server.desk.downloads > downloads)
    Command(*again).finish()
    assert {len(batches) for batches in server.desk.places.values()} == {1}, "each request was in one batch only"
    assert plain_requests(server) <= 4, "one for each start"
    words = (*SOME, "--model", spec, "--out", tmp_path / "plain")
    assert run(*words) == 0
    assert results(folder) == results(tmp_path / "plain")


def stopped_run(server: Loopback, folder: Path) -> None:
    """A run of a question set that was stopped with its batch under way."""
    server.desk.hold()
    options = {"model": spec_of("openai", server), "out": folder, "batch": True, "batch_wait": 0.1}
    prepared = prepare(Quiz(), options)

    async def play_a_little() -> None:
        import asyncio

        playing = asyncio.create_task(play(prepared, lambda result: None))
        while not server.desk.batches:  # noqa: ASYNC110 - the server is in another thread
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)

    with prepared.closing:
        run_until_done(play_a_little())
    server.desk.release()


def finished(server: Loopback, **options: Any) -> list[dict[str, Any]]:
    prepared = prepare(Quiz(), {"model": spec_of("openai", server), **options})
    with prepared.closing:
        run_until_done(play(prepared, lambda result: None))
        return results(prepared.run.path)


def test_all_questions_of_a_set_are_one_batch(server: Loopback, tmp_path: Path) -> None:
    found = finished(server, out=tmp_path / "run", questions=300, batch=True, batch_wait=0.2)
    assert [len(batch.requests) for batch in server.desk.batches] == [299]
    assert found == finished(server, out=tmp_path / "plain", questions=300)
    costs = [json.loads(line)["cost"] for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()]
    assert costs == [0.0] * 300, "no price is known for this model"


def test_a_stopped_run_is_resumed_in_batches_only(server: Loopback, tmp_path: Path) -> None:
    stopped_run(server, tmp_path / "run")
    with pytest.raises(ValueError, match=r"5 requests of this run are in batches .* add --batch"):
        finished(server, resume=tmp_path / "run")
    found = finished(server, resume=tmp_path / "run", batch=True, batch_wait=0.1)
    assert len(server.desk.batches) == 1
    assert found == finished(server, out=tmp_path / "plain")


def test_the_command_to_resume_collects_batches(server: Loopback, tmp_path: Path, capsys: Any) -> None:
    words = (*SOME, "--model", spec_of("openai", server), *QUICK, "--out", tmp_path / "run", "--max-tokens", "20000")
    assert run(*words) == 3
    (line,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("resume with: "))
    assert "--batch" in shlex.split(line)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": "sim:gpt-4.1"}, "has no batch API"),
        ({"no_cache": True}, "--batch needs the cache"),
        ({"batch_wait": 0}, "batch-wait|batch_wait"),
    ],
    ids=["model", "cache", "wait"],
)
def test_what_does_not_go_together(options: dict[str, Any], words: str, server: Loopback, tmp_path: Path) -> None:
    given = {"model": spec_of("openai", server), "batch": True, "out": tmp_path / "run", **options}
    with pytest.raises(ValueError, match=words):
        prepare(Quiz(), given)


def test_a_dry_run_in_batches_costs_half(capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "--agent",
        "ground",
        "--split",
        "simple",
        "--limit",
        "1",
        "--model",
        "openai:gpt-4.1",
        "--dry-run",
        "--json",
    )
    assert run(*words) == 0
    plain = json.loads(capsys.readouterr().out)
    assert run(*words, "--batch") == 0
    half = json.loads(capsys.readouterr().out)
    assert half["all_right"]["cost"] == pytest.approx(plain["all_right"]["cost"] / 2)
    assert half["all_right"]["requests"] == plain["all_right"]["requests"]
    assert run(*words[:-4], "--model", "sim:gpt-4.1", "--dry-run", "--batch") == 2
    assert "has no batch API" in capsys.readouterr().err

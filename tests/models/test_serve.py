"""Models that are served for a run: the server starts, answers, and is gone afterwards, however the run ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from evals.run.equipment import Equipment, log_to
from models.base import Reply, RunMustStop
from models.conduct import Terms
from models.limiter import Limits
from models.registry import load_model, needs_trust
from models.serve import PROGRAMS, Served
from tests.conftest import ROOT
from tests.models.asking import without_ambient_settings
from tests.tiny_vlm import NEEDS_TORCH, llava, question

STAND_IN = ROOT / "tests" / "served.py"
SCRIPT = """
import asyncio, sys
from models.registry import load_model
from models import serve
from tests.tiny_vlm import question

if sys.argv[2:]:
    serve.PROGRAMS["vllm"] = lambda name, port: [sys.executable, sys.argv[2], str(port)]

async def ask():
    model = load_model(sys.argv[1])
    print((await model.ask(question('Is it?'))).text or "(nothing)", flush=True)
    await asyncio.sleep(600)

asyncio.run(ask())
"""


@pytest.fixture(autouse=True)
def pids(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Where the stand-in writes its processes; none may be left at the end of a test."""
    without_ambient_settings(monkeypatch)
    path = tmp_path / "pids"
    monkeypatch.setenv("PIDS", str(path))
    yield path
    assert gone(path)


def serve_with(monkeypatch: pytest.MonkeyPatch, *how: str) -> None:
    """Have `serve:vllm:` start the stand-in."""
    monkeypatch.setitem(PROGRAMS, "vllm", lambda name, port: [sys.executable, str(STAND_IN), str(port), *how])


def served(folder: Path, spec: str = "serve:vllm:my/model") -> Served:
    model = load_model(spec)
    assert isinstance(model, Served)
    model.use_terms(Terms(limits=Limits(patience=1.0), deadline=10.0))
    log_to(model, folder)
    return model


def asked(model: Served, *texts: str) -> list[Reply]:
    async def ask() -> list[Reply]:
        try:
            return list(await asyncio.gather(*(model.ask(question(text)) for text in texts)))
        finally:
            await model.close()

    return asyncio.run(ask())


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits for its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def gone(path: Path, seconds: float = 30.0) -> bool:
    """Whether all processes in a file end soon."""
    found = [int(pid) for pid in path.read_text().split()] if path.exists() else []
    deadline = time.monotonic() + seconds
    while any(map(alive, found)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not any(map(alive, found))


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")
pytestmark = LINUX


def test_it_starts_answers_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pids: Path) -> None:
    serve_with(monkeypatch)
    model = served(tmp_path)
    replies = asked(model, "Is it?", "Is it not?")
    assert [reply.text for reply in replies] == ["Yes, says my/model"] * 2
    assert pids.exists()
    assert gone(pids, 0.5), "it has ended before the model is closed"
    assert (tmp_path / "server.log").exists()


def test_its_identity_has_no_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_with(monkeypatch)
    same = [load_model(f"serve:vllm:my/model?wait={wait}").identity for wait in (10, 20)]
    assert same[0] == same[1]
    assert "127.0.0.1" not in same[0]
    assert load_model("serve:vllm:my/model?args=--dtype half").identity != same[0]


def test_the_weights_in_a_folder_are_part_of_its_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_with(monkeypatch)
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"one")
    before = load_model(f"serve:vllm:{folder}").identity
    (folder / "model.safetensors").write_bytes(b"two")
    assert load_model(f"serve:vllm:{folder}").identity != before


def test_one_that_dies_says_its_last_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_with(monkeypatch, "die")
    with pytest.raises(RunMustStop, match=r"ended with code 3: loading \| CUDA is out of memory \(log: .*server.log\)"):
        asked(served(tmp_path), "Is it?")


def test_one_that_dies_later_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_with(monkeypatch)
    started = time.monotonic()
    with pytest.raises(RunMustStop, match="ended with code 7"):
        asked(served(tmp_path), "Please leave.")
    assert time.monotonic() - started < 30


def test_one_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_with(monkeypatch, "silent")
    with pytest.raises(RunMustStop, match="does not answer after 1 s"):
        asked(served(tmp_path, "serve:vllm:my/model?wait=1"), "Is it?")


@pytest.mark.slow
def test_one_that_ignores_the_request_to_end_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pids: Path
) -> None:
    serve_with(monkeypatch, "stubborn")
    monkeypatch.setattr("models._server.END_SECONDS", 40.0)
    asked(served(tmp_path), "Is it?")
    assert gone(pids, 0.5)


def killed_run(*words: str) -> tuple[subprocess.Popen[str], str]:
    """A run in a process of its own that has its first answer, and what that is."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *words], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def test_a_killed_run_leaves_no_process(pids: Path) -> None:
    process, said = killed_run("serve:vllm:my/model", str(STAND_IN))
    assert said == "Yes, says my/model"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert gone(pids)


def test_a_killed_guard_leaves_no_server(pids: Path) -> None:
    process, _ = killed_run("serve:vllm:my/model", str(STAND_IN))
    server = int(pids.read_text().split()[0])
    guard = int(Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(guard, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while alive(server) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(server)
    process.kill()
    process.communicate()
    os.kill(int(pids.read_text().split()[1]), signal.SIGKILL)  # the worker is nobody's any more


def test_a_program_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    for program, package in (("vllm", "vllm"), ("transformers", "transformers[serving]")):
        with pytest.raises(ValueError, match="there is no program") as refused:
            load_model(f"serve:{program}:NAME")
        assert f"pip install '{package}'" in str(refused.value)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("serve:vlm:NAME", "Did you mean 'vllm'"),
        ("serve:vllm:", "needs the name of a model"),
        ("serve:vllm:--trust-remote-code", "needs the name of a model"),
        ("serve:vllm:NAME?args='", "args cannot be read"),
        ("serve:vllm:NAME?key_env=KEY", "key_env"),
        ("serve:vllm:NAME?wait=soon", "wait is a positive whole number"),
        ("serve:vllm:NAME?detail=much", "detail is one of"),
    ],
)
def test_what_cannot_be_served_is_refused(spec: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    serve_with(monkeypatch)
    with pytest.raises(ValueError, match=words):
        load_model(spec)


def test_a_run_from_elsewhere_cannot_start_a_program() -> None:
    assert needs_trust("serve:vllm:Qwen/Qwen2.5-VL-7B-Instruct")
    assert needs_trust("roles:?generate=serve:vllm:NAME")


def test_a_cap_in_dollars_needs_no_price(monkeypatch: pytest.MonkeyPatch) -> None:
    from models.budget import Budget

    serve_with(monkeypatch)
    assert Equipment(Terms(budget=Budget(max_cost=1.0))).model("serve:vllm:NAME").looks


@NEEDS_TORCH
@pytest.mark.skipif(
    not (os.environ.get("CI") or find_spec("fastapi")), reason="not installed: pip install 'transformers[serving]'"
)
@pytest.mark.slow
def test_transformers_serves_a_vlm_and_leaves_nothing_behind(tmp_path: Path) -> None:
    llava(tmp_path / "tiny")
    spec = f"serve:transformers:{tmp_path / 'tiny'}?wait=240&max_tokens=4&args=--device cpu"
    model = served(tmp_path, spec)
    model.use_terms(Terms(deadline=240.0, attempt_seconds=200.0))
    replies = asked(model, "Is it?", "Is it?")
    assert replies[0].text == replies[1].text, "it decodes greedily"
    assert replies[0].usage.completion_tokens > 0
    before = processes(str(tmp_path / "tiny"))
    assert before == []
    process, said = killed_run(spec)
    assert said
    assert len(processes(str(tmp_path / "tiny"))) >= 2, "the run, its guard, and the server"
    process.send_signal(signal.SIGKILL)
    process.communicate()
    deadline = time.monotonic() + 30
    while processes(str(tmp_path / "tiny")) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes(str(tmp_path / "tiny")) == []


def processes(word: str) -> list[str]:
    """The command lines of running processes that have this word."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if word in line and alive(int(entry.parent.name)):
            found.append(line)
    return found

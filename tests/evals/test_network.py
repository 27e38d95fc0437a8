"""Whole runs against a real server on loopback, well and ill: what comes out is the same, and nothing leaks."""

from __future__ import annotations

import json
import shlex
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.viplan.__main__ import main
from models.registry import load_model
from tests.lessons import Lessons
from tests.loopback import Fault, Loopback, always, sometimes

KEY = "sk-loopback-0123456789abcdef"
TEACHER = "sim:qwen2.5-vl-72b"
EIGHT = [f"{method}{cot}" for method in ("plan", "action", "ground", "ground_mem") for cot in ("", "_cot")]
SOME = ("--split", "simple", "--limit", "2", "--fail-probability", "0.2")


def run(*words: object) -> int:
    return main([str(word) for word in words])


def results(folder: Path) -> list[dict[str, object]]:
    """What came of the episodes; what they cost depends on who was asked."""
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    costs = ("prompt_tokens", "completion_tokens", "cost")
    return sorted(
        ({name: value for name, value in line.items() if name not in costs} for line in lines),
        key=lambda line: line["id"],
    )


def resuming(said: str) -> list[str]:
    """The options of the command that a stopped run says it can be resumed with."""
    (line,) = (line for line in said.splitlines() if line.startswith("resume with: python -m evals.viplan "))
    return shlex.split(line)[5:]


@pytest.fixture(autouse=True)
def quick_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.conduct.FIRST_PAUSE", 0.01)
    monkeypatch.setattr("models.limiter.LONGEST_WAIT", 0.2)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


@pytest.fixture
def server() -> Iterator[tuple[Loopback, Lessons]]:
    lessons = Lessons()
    with Loopback(lessons) as running:
        running.key = KEY
        yield running, lessons


def taught(lessons: Lessons, folder: Path, *words: object) -> list[dict[str, object]]:
    """A run of a stand-in whose every answer the server learns by heart; its results."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evals.run.equipment.load_model", lambda spec: lessons.taught(load_model(spec)))
        assert run(*words, "--model", TEACHER, "--out", folder) == 0
    return results(folder)


SLOW = pytest.mark.slow
BOTH = ["openai", pytest.param("anthropic", marks=SLOW)]


@pytest.mark.parametrize("agent", [name if name == "plan" else pytest.param(name, marks=SLOW) for name in EIGHT])
@pytest.mark.parametrize("provider", BOTH)
def test_every_method_gets_over_the_network_what_it_gets_in_the_process(
    agent: str, provider: str, server: tuple[Loopback, Lessons], tmp_path: Path
) -> None:
    running, lessons = server
    expected = taught(lessons, tmp_path / "taught", "--agent", agent, *SOME)
    model = f"{provider}:any@{running.url}?key_env={provider.upper()}_API_KEY"
    assert run("--agent", agent, *SOME, "--model", model, "--out", tmp_path / "run") == 0
    assert results(tmp_path / "run") == expected
    assert running.count > 0


@pytest.mark.slow
def test_a_third_of_all_requests_may_fail_and_nothing_changes(server: tuple[Loopback, Lessons], tmp_path: Path) -> None:
    running, lessons = server
    expected = taught(lessons, tmp_path / "taught", "--agent", "ground", *SOME)
    running.slowness = 0.05
    running.faults = sometimes(0.3, seed=3)
    model = f"openai:any@{running.url}?key_env=OPENAI_API_KEY"
    assert run("--agent", "ground", *SOME, "--model", model, "--out", tmp_path / "run") == 0
    assert results(tmp_path / "run") == expected
    assert len(running.failed) >= 6
    assert sum(running.failed.values()) > 0.2 * running.count


@pytest.mark.slow
@pytest.mark.parametrize("agent", EIGHT)
def test_a_third_may_fail_for_every_method(agent: str, server: tuple[Loopback, Lessons], tmp_path: Path) -> None:
    running, lessons = server
    expected = taught(lessons, tmp_path / "taught", "--agent", agent, "--split", "medium", "--limit", "1")
    running.slowness = 0.05
    running.faults = sometimes(0.3, seed=4)
    model = f"openai:any@{running.url}?key_env=OPENAI_API_KEY"
    words = ("--agent", agent, "--split", "medium", "--limit", "1")
    assert run(*words, "--model", model, "--out", tmp_path / "run") == 0
    assert results(tmp_path / "run") == expected


@pytest.mark.slow
def test_a_server_that_dies_is_waited_for(
    server: tuple[Loopback, Lessons], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, lessons = server
    expected = taught(lessons, tmp_path / "taught", "--agent", "ground", *SOME)
    running.latency = 0.02

    def outage() -> None:
        while running.count < 40:
            time.sleep(0.005)
        running.stop()
        time.sleep(1.0)
        running.start()

    saboteur = threading.Thread(target=outage)
    saboteur.start()
    capsys.readouterr()
    code = run(
        "--agent",
        "ground",
        *SOME,
        "--model",
        f"openai:any@{running.url}?key_env=OPENAI_API_KEY",
        "--out",
        tmp_path / "run",
    )
    saboteur.join()
    said = capsys.readouterr().err
    assert code == 0
    assert results(tmp_path / "run") == expected
    assert "does not answer" in said
    assert "answers again" in said


@pytest.mark.slow
def test_a_server_that_stays_away_stops_the_run_and_loses_nothing(
    server: tuple[Loopback, Lessons], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, lessons = server
    expected = taught(lessons, tmp_path / "taught", "--agent", "ground", *SOME)
    model = f"openai:any@{running.url}?key_env=OPENAI_API_KEY"
    running.stop()
    words = ("--agent", "ground", *SOME, "--model", model, "--out", tmp_path / "run", "--patience", "0.5")
    assert run(*words) == 3
    said = capsys.readouterr().err
    assert "has not answered for" in said
    running.start()
    assert run("--resume", tmp_path / "run") == 2, "the address has to be confirmed"
    assert run(*resuming(said)) == 0
    assert results(tmp_path / "run") == expected


def test_a_wrong_key_is_one_clear_message(
    server: tuple[Loopback, Lessons],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running, _ = server
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-key-0987654321")
    code = run(
        "--agent",
        "ground",
        *SOME,
        "--model",
        f"openai:any@{running.url}?key_env=OPENAI_API_KEY",
        "--out",
        tmp_path / "run",
    )
    said = capsys.readouterr().err
    assert code == 3
    assert said.count("401") == 1
    assert "Traceback" not in said
    assert "sk-wrong" not in said
    assert_nothing_leaked(tmp_path / "run", "sk-wrong-key-0987654321")


def assert_nothing_leaked(folder: Path, *secrets: str) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for secret in (*secrets, "Bearer", "x-api-key", "Authorization", "authorization"):
                assert secret.encode() not in content, f"{secret!r} is in {path.name}"


@pytest.mark.parametrize("provider", BOTH)
def test_keys_and_headers_are_nowhere_on_disk(
    provider: str, server: tuple[Loopback, Lessons], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, lessons = server
    taught(lessons, tmp_path / "taught", "--agent", "plan", *SOME)
    # The server repeats the key in its errors, as some do.
    running.faults = sometimes(0.3, seed=5, of=(Fault.TOO_MANY, Fault.BROKEN, Fault.UNAVAILABLE))
    model = f"{provider}:any@{running.url}?key_env={provider.upper()}_API_KEY"
    assert run("--agent", "plan", *SOME, "--model", model, "--out", tmp_path / "run") == 0
    assert any(KEY in " ".join(seen.headers.values()) for seen in running.seen)
    assert_nothing_leaked(tmp_path / "run", KEY)
    running.faults = always(Fault.MALFORMED)
    assert run("--agent", "plan", *SOME, "--model", model, "--out", tmp_path / "refused") == 3
    assert_nothing_leaked(tmp_path / "refused", KEY)
    assert KEY not in "".join(capsys.readouterr())


@pytest.mark.slow
def test_a_second_run_on_the_same_cache_asks_nothing(server: tuple[Loopback, Lessons], tmp_path: Path) -> None:
    running, lessons = server
    taught(lessons, tmp_path / "taught", "--agent", "ground", *SOME)
    words = (
        "--agent",
        "ground",
        *SOME,
        "--model",
        f"openai:any@{running.url}?key_env=OPENAI_API_KEY",
        "--cache",
        tmp_path / "answers",
    )
    assert run(*words, "--out", tmp_path / "first") == 0
    asked = running.count
    assert run(*words, "--out", tmp_path / "second") == 0
    assert running.count == asked
    assert results(tmp_path / "first") == results(tmp_path / "second")
    assert run(*words[:-2], "--no-cache", "--out", tmp_path / "third") == 0
    assert running.count > asked
    assert not (tmp_path / "third" / "answers.sqlite").exists()


@pytest.mark.slow
def test_a_cap_stops_a_run_that_can_be_gone_on_with(
    server: tuple[Loopback, Lessons], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, lessons = server
    expected = taught(lessons, tmp_path / "taught", "--agent", "ground", *SOME)
    words = (
        "--agent",
        "ground",
        *SOME,
        "--model",
        f"openai:any@{running.url}?key_env=OPENAI_API_KEY",
        "--requests",
        "4",
    )
    assert run(*words, "--max-tokens", 30_000, "--out", tmp_path / "run") == 3
    said = capsys.readouterr().err
    assert "--max-tokens 30000" in said
    asked = running.count
    assert 0 < asked < 100
    assert run(*resuming(said)) == 0
    assert results(tmp_path / "run") == expected


def test_a_dry_run_asks_nobody_and_knows_the_price(
    server: tuple[Loopback, Lessons], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, _ = server
    (tmp_path / "prices.json").write_text('{"openai": {"any": [2.0, 0.5, 8.0]}}')
    words = (
        "--agent",
        "ground",
        *SOME,
        "--model",
        f"openai:any@{running.url}?key_env=OPENAI_API_KEY",
        "--prices",
        tmp_path / "prices.json",
    )
    assert run(*words, "--dry-run", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert running.count == 0
    assert told["episodes"] == 2
    assert told["all_right"]["requests"] >= 2 * 24
    assert 0 < told["all_right"]["cost"] < 10
    assert not list(tmp_path.glob("runs*"))


@pytest.mark.parametrize("provider", BOTH)
def test_a_server_that_repeats_what_it_got_gets_no_key_on_disk(
    provider: str, server: tuple[Loopback, Lessons], tmp_path: Path
) -> None:
    running, _ = server
    running.answer = lambda body: f"Yes. You sent {running.seen[-1].headers}"
    model = f"{provider}:any@{running.url}?key_env={provider.upper()}_API_KEY&max_tokens=900"
    words = ("--agent", "ground", "--split", "simple", "--limit", "1", "--steps", "1")
    assert run(*words, "--model", model, "--out", tmp_path / "run") == 0
    contents = [path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert any(b"[key]" in content for content in contents)
    assert not any(KEY.encode() in content for content in contents)


def test_a_wait_of_eleven_days_does_not_freeze_a_run(
    server: tuple[Loopback, Lessons], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, lessons = server
    words = ("--agent", "plan", "--split", "simple", "--limit", "1")
    expected = taught(lessons, tmp_path / "taught", *words)
    running.retry_after = "1000000"
    running.faults = always(Fault.TOO_MANY_WAIT)
    model = f"openai:any@{running.url}?key_env=OPENAI_API_KEY"
    assert run(*words, "--model", model, "--out", tmp_path / "run", "--patience", "0.2") == 3
    said = capsys.readouterr().err
    assert "asks to wait 1000000 s: waiting 0.2 s" in said
    assert "only asked to wait" in said
    running.faults = lambda number: None
    assert run("--resume", tmp_path / "run", "--model", model) == 0
    assert results(tmp_path / "run") == expected

"""Runs against a server whose replies are malformed: nothing of it is scored, and a healed server mends all of it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from evals.viplan.__main__ import main
from models.conduct import Terms
from models.registry import load_model
from tests.lessons import Lessons
from tests.loopback import Loopback
from tests.models.asking import without_ambient_settings
from tests.models.malformed import OPENAI

EIGHTEEN = list(OPENAI)[:18]
WORDS = ("--agent", "ground", "--split", "simple", "--limit", "1")


def run(*words: object) -> int:
    return main([str(word) for word in words])


def results(folder: Path) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    costs = ("prompt_tokens", "completion_tokens", "cost")
    return [{name: value for name, value in line.items() if name not in costs} for line in lines]


@pytest.fixture(autouse=True)
def quick_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    without_ambient_settings(monkeypatch)
    monkeypatch.setattr("models.conduct.FIRST_PAUSE", 0.001)
    monkeypatch.setattr("evals.run.prepare.Terms", partial(Terms, attempts=2))


@pytest.mark.slow
def test_a_healed_server_brings_the_same_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lessons = Lessons()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evals.run.equipment.load_model", lambda spec: lessons.taught(load_model(spec)))
        assert run(*WORDS, "--model", "oracle", "--out", tmp_path / "taught") == 0
    expected = results(tmp_path / "taught")
    with Loopback(lessons) as server:
        model = f"openai:any@{server.url}"
        for number, name in enumerate(EIGHTEEN):
            folder = tmp_path / f"run{number}"
            server.mangle = OPENAI[name]
            run(*WORDS, "--model", model, "--out", folder)
            said = "".join(capsys.readouterr())
            assert "Traceback" not in said, name
            assert {line["reason"] for line in results(folder)} <= {"model_unavailable"}, name
            server.mangle = None
            assert run("--resume", folder, "--model", model) == 0, name
            assert results(folder)[-1:] == expected, name
    assert len(EIGHTEEN) == 18

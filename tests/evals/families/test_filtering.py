"""The command that drops questions that are too easy: each step, its log, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.erqa_plus.__main__ import main
from evals.families import recipes
from evals.questions.asking import Asker
from models.base import Kind
from tests.evals.families.frozen import some


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Three counts of two kinds of texts, and a choice."""
    listed = [*some("counting", Kind.NUMBER, 3), *some("counting", Kind.CHOICE, 1)]
    recipes.write(tmp_path / f"mine{recipes.SUFFIX}", listed)
    return tmp_path / f"mine{recipes.SUFFIX}"


def kept(folder: Path) -> list[str]:
    return [recipe.id for recipe in recipes.read(folder)]


def decisions(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()[1:]]


def test_what_the_whole_panel_gets_right_is_dropped(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["filter", str(file), "--out", str(out), "--steps", "weak", "--weak", "oracle", "--wrong", "1"]) == 0
    assert kept(out) == []
    assert {entry["why"] for entry in decisions(out / "filter.jsonl")} == {"right: oracle"}


@pytest.mark.slow
def test_a_model_that_is_wrong_drops_none(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    words = ["filter", str(file), "--out", str(out), "--steps", "text", "captions", "--model", "scripted:no idea"]
    assert main(words) == 0
    assert kept(out) == kept(file)
    assert [entry["why"] for entry in decisions(out / "filter.jsonl")[:1]] == [
        "scripted:no idea is wrong without the pictures"
    ]
    assert "captions only" in capsys.readouterr().out


def test_an_interrupted_filter_asks_nothing_twice(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    before = Asker.right

    def counted(self: Asker, question: str, model: str, control: str | None = None) -> bool:
        if len(asked) == 2:
            asked.append("stop")
            raise KeyboardInterrupt
        asked.append(question)
        return before(self, question, model, control)

    monkeypatch.setattr(Asker, "right", counted)
    out = tmp_path / "out"
    words = ["filter", str(file), "--out", str(out), "--steps", "text", "--model", "scripted:no idea"]
    assert main(words) == 130
    assert main(words) == 0
    assert [name for name in asked if name != "stop"] == kept(file)
    assert len(decisions(out / "filter.jsonl")) == 4


def test_quotas_sample_down(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = [
        "filter",
        str(file),
        "--out",
        str(out),
        "--steps",
        "counts",
        "quotas",
        "--by",
        "type",
        "--quota",
        "counting=1",
    ]
    assert main(words) == 0
    assert len(kept(out)) == 2
    again = tmp_path / "again"
    assert main([*words[:2], "--out", str(again), *words[4:]]) == 0
    assert kept(again) == kept(out)


def test_without_steps_the_panel_of_programs_is_asked(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["filter", str(file), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "weak panel" in printed
    assert "trivial counts" in printed
    assert "text only" not in printed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--steps", "text"], "the step text needs --model"),
        (["--steps", "quotas"], "the step quotas needs --quota"),
        (["--quota", "Counting"], "VALUE=N"),
        (["--quota", "Countin=3"], "Did you mean 'Counting'"),
        (["--model", "nobody:x"], "nobody"),
        (["--wrong", "9"], "9 of a panel of 8"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    file: Path, tmp_path: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["filter", str(file), "--out", str(tmp_path / "out"), *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith("error: ")
    assert error.count("\n") == 1


def test_no_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["filter", str(tmp_path / "none"), "--out", str(tmp_path)]) == 2
    assert "there is no file" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert main(["filter", str(tmp_path / "empty"), "--out", str(tmp_path)]) == 2
    assert "no recipes in" in capsys.readouterr().err


def test_the_help_names_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["filter", "--help"])
    printed = capsys.readouterr().out
    assert "python -m evals.erqa_plus filter mine/*.jsonl.gz --out kept" in printed
    assert "quotas" in printed

"""Published questions from the file to the score: an oracle is right, damaged data is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evals.erqa.__main__ import main as erqa
from evals.erqa.benchmark import Erqa
from evals.erqa_diagnostic.__main__ import main as erqa_diagnostic
from evals.erqa_plus.__main__ import main as erqa_plus
from evals.erqa_plus.benchmark import ErqaPlus
from evals.run.directory import RunDirectory
from tests.evals.published_files import ERQA, NOISE, RED, plus_rows, write_parquet, write_tfrecord

Main = Callable[[list[str]], int]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The published sets are as small as the files of these tests."""
    monkeypatch.setattr(ErqaPlus, "form", replace(ErqaPlus.form, expected=7))
    monkeypatch.setattr(Erqa, "form", replace(Erqa.form, expected=3))


def _diagnostic(folder: Path) -> Path:
    row = {
        "question": "Where is the cup?",
        "choices": ["In the box", "On the table", "Under it", "Gone"],
        "answer": "B",
        "question_type": "Spatial Reasoning",
        "image_paths": ["1.png"],
    }
    (folder / "1.png").write_bytes(RED)
    (folder / "questions.json").write_text(json.dumps([{**row, "qid": str(number)} for number in range(3)]))
    return folder


FILES: dict[str, tuple[Main, Callable[[Path], Path]]] = {
    "erqa_plus": (erqa_plus, lambda folder: write_parquet(folder / "test-0.parquet", plus_rows())),
    "erqa": (erqa, lambda folder: write_tfrecord(folder / "erqa.tfrecord")),
    "erqa_diagnostic": (erqa_diagnostic, _diagnostic),
}


@pytest.mark.parametrize("parsing", ["official", "robust"])
@pytest.mark.parametrize("name", FILES)
def test_an_oracle_is_right_about_published_questions(name: str, parsing: str, tmp_path: Path) -> None:
    main, write = FILES[name]
    data, out = str(write(tmp_path)), tmp_path / "run"
    assert main(["--data", data, "--model", "oracle", "--parsing", parsing, "--pictures", "--out", str(out)]) == 0
    results = list(RunDirectory.open(out).results())
    assert results
    assert [result.measures["official"] for result in results] == [1.0] * len(results)
    assert [result.measures["robust"] for result in results] == [1.0] * len(results)


def test_pictures_inside_a_question_are_named_where_they_belong(tmp_path: Path) -> None:
    path = write_tfrecord(tmp_path / "erqa.tfrecord")
    first, second, _ = Erqa().items(Erqa.settings(data=str(path), model="oracle"))
    assert (first.text, len(first.pictures)) == ("Where does the gripper go?", 1)
    assert (second.text, len(second.pictures)) == ("From [picture 1] here [picture 2] to there?", 2)


def _cut(place: int, data: bytes) -> list[dict[str, Any]]:
    rows = plus_rows()
    rows[place]["images"] = [{"bytes": data, "path": "1"}]
    return rows


@pytest.mark.parametrize("data", [RED[:40], NOISE[:-200], b"no picture"], ids=["png", "jpeg", "none"])
def test_a_cut_picture_is_found_before_the_first_question(
    data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_parquet(tmp_path / "test-0.parquet", _cut(4, data))
    words = ["--data", str(path), "--model", "scripted:A", "--out", str(tmp_path / "run")]
    assert erqa_plus([*words, "--pictures"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {path}, row 5, picture 1: ")
    assert said.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_only_pictures_that_will_be_used_are_read(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "test-0.parquet", _cut(4, RED[:40]))
    words = ["--data", str(path), "--type", "multiple-choice", "--model", "oracle"]
    assert erqa_plus([*words, "--pictures", "--out", str(tmp_path / "others")]) == 0
    assert erqa_plus(["--data", str(path), "--model", "oracle", "--out", str(tmp_path / "unseen")]) == 0


@pytest.mark.parametrize("kept", [-1, None])
def test_another_number_of_questions_has_to_be_meant(
    kept: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = plus_rows()[:kept] if kept else [*plus_rows(), {**plus_rows()[0], "question_id": "another"}]
    path = write_parquet(tmp_path / "test-0.parquet", rows)
    words = ["--data", str(path), "--model", "oracle", "--out", str(tmp_path / "run")]
    assert erqa_plus(words) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {path} has {len(rows)} questions, the last in row {len(rows)} ")
    assert said.count("\n") == 1
    assert erqa_plus([*words, "--partial"]) == 0


def test_a_damaged_record_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_tfrecord(tmp_path / "erqa.tfrecord", ERQA)
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)
    assert erqa(["--data", str(path), "--model", "oracle", "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {path}: wrong checksum of the record at byte ")
    assert said.count("\n") == 1

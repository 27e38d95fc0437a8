"""Reviews become a corrected set that is read as published data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.erqa_plus import data as plus
from evals.questions.__main__ import main
from evals.questions.people.desk import Desk, Mode
from evals.questions.readers import Row, read
from evals.questions.scorers import verdict
from models.base import Kind
from models.parsing import Profile
from tests.evals.people import HANDS, SET, desk_of
from tests.every_form import ITEMS

NUMBERS = {item.id: number for number, item in enumerate(ITEMS)}
REPLIES = {
    "nearest": "C", "red": "A, C", "order": "B, A, D, C", "match": "C, A, B", "true": "[1,0,1]", "count": "4",
    "door": "B", "name": "a mug",
}  # fmt: skip


def review(desk: Desk, question: str, decision: str, who: str = "anna", **fixed: Any) -> None:
    given = {"number": NUMBERS[question], "who": who, "decision": decision, "fixed": fixed, "seconds": 1.0}
    desk.take(given)


def corrected(tmp_path: Path, *words: str) -> dict[str, Row]:
    out = tmp_path / "out"
    assert main(["correct", str(tmp_path / "reviews.jsonl"), "--out", str(out), "--set", SET, *words]) == 0
    return {row.id: row for row in read(plus.FORM, out, partial=True).rows}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return desk_of(tmp_path / "reviews.jsonl", Mode.REVIEW, annotator="")


def test_every_form_is_written_and_read(desk: Desk, tmp_path: Path) -> None:
    review(desk, "nearest", "accept")
    rows = corrected(tmp_path)
    assert set(rows) == set(HANDS) == set(REPLIES)
    for name, row in rows.items():
        for profile in Profile:
            assert verdict(f"Final Answer: {REPLIES[name]}", row.reference, profile).right, (name, profile)
        item = ITEMS[NUMBERS[name]]
        assert (row.text, row.items) == (item.text, item.items)
        assert row.options == (("Yes", "No") if item.kind is Kind.YES_NO else item.options)
        assert [photo.data()[:4] for photo in row.pictures] == [b"\x89PNG"] * len(item.pictures)


def test_decisions_are_followed(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    review(desk, "nearest", "fix", text="Which mark is farthest?", answer="A")
    review(desk, "red", "drop")
    review(desk, "count", "fix", answer=5)
    review(desk, "true", "accept")
    rows = corrected(tmp_path)
    assert set(rows) == set(HANDS) - {"red"}
    assert rows["nearest"].text == "Which mark is farthest?"
    assert rows["nearest"].reference.kwargs == {"label": "A"}
    assert rows["count"].answer == 5.0
    assert "7 questions written" in (said := capsys.readouterr().out)
    assert "(1 accept, 2 fix, 1 drop)" in said
    assert "people differ" not in said


def test_only_reviewed_questions_and_only_one_persons(desk: Desk, tmp_path: Path) -> None:
    review(desk, "nearest", "accept")
    review(desk, "red", "drop", who="bea")
    assert set(corrected(tmp_path, "--reviewed", "--annotator", "anna")) == {"nearest"}


def test_one_who_drops_is_enough_and_differences_are_named(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review(desk, "nearest", "drop", who="bea")
    review(desk, "nearest", "fix", who="anna", answer="B")
    review(desk, "order", "fix", who="anna", options=["mark 4", "mark 3", "mark 2", "mark 1"])
    review(desk, "order", "accept", who="bea")
    rows = corrected(tmp_path)
    assert "nearest" not in rows
    assert rows["order"].options[0] == "mark 4"
    assert capsys.readouterr().out.endswith("people differ on nearest\npeople differ on order\n")


def test_what_cannot_be_used_is_one_line(desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["correct", str(tmp_path / "reviews.jsonl"), "--out", str(tmp_path / "out"), "--set", SET]
    assert main(words) == 2
    assert capsys.readouterr().err.endswith("reviews.jsonl has no reviews\n")
    review(desk, "nearest", "accept")
    assert main([*words, "--annotator", "carl"]) == 2
    assert "has no reviews of 'carl'; there are: anna" in capsys.readouterr().err
    assert main(words) == 0
    assert main(words) == 2
    assert "data.json exists already" in capsys.readouterr().err
    assert len(json.loads((tmp_path / "out" / "data.json").read_text())) == len(ITEMS)

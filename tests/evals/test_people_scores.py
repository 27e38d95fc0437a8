"""People score questions from 0 to 10 on the shared page, and agreement is computed from what they gave."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.questions.people.agreeing import raters_of, tables_of
from evals.questions.people.desk import Mode
from evals.questions.people.entries import BadEntry, Book, Scored, new_score
from tests.evals.people import ask, desk_of, send, served


def test_who_scores_sees_the_answer_and_what_they_gave(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "scores.jsonl", Mode.SCORE)
    with served(desk) as server:
        status, body = ask(server, "/index.html")
        assert status == 200
        assert b'data-mode="score"' in body
        assert b"assets/score.js" in body
        assert ask(server, "/assets/score.js")[0] == 200
        status, body = send(server, {"number": 0, "who": "anna", "score": 7, "comment": "two could be meant"})
        assert (status, json.loads(body)["done"]) == (201, [0])
        told = json.loads(ask(server, "/questions/0.json?who=anna")[1])
        assert told["answer"] == {"value": "C", "text": "Final Answer: C"}
        assert told["mine"] == {"score": 7, "comment": "two could be meant", "seconds": 0.0}
        assert told["explanation"] == ""
    (entry,) = Book(tmp_path / "scores.jsonl").entries
    assert isinstance(entry, Scored)
    assert (entry.question, entry.score, entry.comment) == ("nearest", 7, "two could be meant")


@pytest.mark.parametrize("score", [-1, 11, 7.5, "8", None, True])
def test_a_score_is_a_whole_number_from_0_to_10(score: object) -> None:
    with pytest.raises(BadEntry, match="a whole number from 0 to 10"):
        new_score({"who": "anna", "score": score}, "one")
    assert [new_score({"who": "anna", "score": edge}, "one").score for edge in (0, 10)] == [0, 10]


def test_the_last_score_counts_and_people_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    desk = desk_of(path, Mode.SCORE, annotator="")
    desk.annotator = ""
    for who, scores in {"anna": (9, 3, 7, 8), "ben": (8, 4, 7, 10)}.items():
        for number, score in enumerate(scores):
            desk.take({"number": number, "who": who, "score": 0})
            desk.take({"number": number, "who": who, "score": score})
    tables = {table.name: table for table in tables_of(raters_of([path], confirmed=str(desk.chosen.whence["source"])))}
    (row,) = tables["scores-pairs"].rows
    assert [cell.text for cell in row][:2] == ["anna, ben", "4"]
    assert row[-1].value == pytest.approx(1.0)

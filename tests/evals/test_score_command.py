"""`python -m evals.questions score`: tables of replies, right ones and broken ones."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from evals.questions.__main__ import main
from evals.questions.scored_table import NEEDED, read_cases, score
from models.parsing import Profile

B = json.dumps({"label": "B"})


def table(folder: Path, *rows: dict[str, Any], columns: tuple[str, ...] = NEEDED) -> str:
    path = folder / "cases.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def row(reply: str, place: int = 0, **more: str) -> dict[str, str]:
    cells = {
        "id": f"s{place}",
        "evaluator": "choices_matching",
        "evaluator_kwargs": B,
        "reply": reply,
        "reference": "B",
    }
    return cells | more


WITH_VERDICTS = (*NEEDED, "official", "robust")


def test_the_published_verdicts_and_those_of_a_person(shared: Path) -> None:
    scored = score(read_cases(shared / "data" / "erqa" / "scoring_cases.csv"), tuple(Profile))
    assert (scored.judged(Profile.OFFICIAL), scored.differing(Profile.OFFICIAL)) == (122, [])
    assert scored.judged(Profile.ROBUST) == 129
    assert len(scored.differing(Profile.ROBUST)) <= 3
    assert scored.agrees


def test_a_table_without_verdicts_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", table(tmp_path, row("Final Answer: B"), row("Final Answer: B) Red cup"), row("?"))]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "official: 1 right, 2 wrong (0 of them unreadable)",
        "robust: 2 right, 1 wrong (1 of them unreadable)",
    ]


def test_a_verdict_that_differs_is_listed_and_an_official_one_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = table(tmp_path, row("Final Answer: C", official="1", robust="0"), columns=WITH_VERDICTS)
    assert main(["score", path]) == 1
    assert "  s0: wrong, by the table right: read 'C', reference B" in capsys.readouterr().out.splitlines()
    assert main(["score", path, "--profile", "robust"]) == 0
    assert "1 of 1 agree with the table" in capsys.readouterr().out


@pytest.mark.parametrize(("differing", "code"), [(3, 0), (4, 1)])
def test_three_robust_verdicts_of_a_hundred_may_differ(tmp_path: Path, differing: int, code: int) -> None:
    rows = [row("B", place, official="n/a", robust=str(int(place >= differing))) for place in range(100)]
    assert main(["score", table(tmp_path, *rows, columns=WITH_VERDICTS)]) == code


def test_line_breaks_and_backslashes_are_escaped_in_replies(tmp_path: Path) -> None:
    path = table(tmp_path, row("Cup A\\nFinal Answer: \\\\boxed{B}"), row("\\\\nB"))
    assert [case.reply for case in read_cases(Path(path))] == ["Cup A\nFinal Answer: \\boxed{B}", "\\nB"]


def test_options_may_be_given_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = row("Final Answer: the red cup", options=json.dumps(["A. the plate", "B. the red cup"]))
    assert main(["score", table(tmp_path, cells, columns=(*NEEDED, "options")), "--profile", "robust"]) == 0
    assert "robust: 1 right, 0 wrong" in capsys.readouterr().out


def test_json_and_a_table_hold_every_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path, row("B", official="1", robust="1"), row("Error code 5", 1), columns=WITH_VERDICTS)
    out = tmp_path / "scored.csv"
    assert main(["score", path, "--json", "--csv", str(out)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["profiles"]["official"] == {
        "right": 1, "wrong": 0, "unreadable": 0, "left_out": 1, "compared": 1, "agree": 1, "differ": []
    }  # fmt: skip
    assert told["cases"][0]["robust"] == {"right": True, "read": "B", "fault": ""}
    first, second = csv.DictReader(out.read_text(encoding="utf-8").splitlines())
    assert (first["official"], first["official_read"], first["robust_agrees"]) == ("1", "B", "1")
    assert (second["official"], second["robust_agrees"]) == ("n/a", "")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"evaluator_kwargs": "{label: B}"}, "row 3: evaluator_kwargs is not JSON (Expecting property name"),
        ({"evaluator_kwargs": "[]"}, "row 3: evaluator_kwargs is not a JSON object: []"),
        ({"evaluator_kwargs": "[" * 100_000}, "row 3: "),
        ({"evaluator": "guess"}, "row 3: no evaluator 'guess'"),
        ({"evaluator": "number_matching"}, "row 3: number_matching needs 'value_to_match'; it was given label"),
        ({"official": "yes"}, "row 3: official must be 1, 0 or n/a, not 'yes'"),
    ],
)
def test_what_is_wrong_with_a_row_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: dict[str, str], message: str
) -> None:
    path = table(tmp_path, row("B"), row("B", 1) | more, columns=WITH_VERDICTS)
    assert main(["score", path]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(f"error: {path}, {message}")
    assert (told.err.count("\n"), told.out) == (1, "")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ": the table is empty"),
        (b"id,reply\n1,B\n", ": no column 'evaluator'; a table of replies has id, evaluator"),
        (b"id,reply\n1,\xff\n", ", row 2: not UTF-8, at byte 11"),
        (b"id,evaluator,evaluator_kwargs,reply,reference\n1,letter\n", ", row 2: 2 cells in a table of 5 columns"),
        (b'id,evaluator,evaluator_kwargs,reply,reference\n1,"letter\n', ", row 2: broken CSV (unexpected end of data)"),
    ],
)
def test_what_is_no_table_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    path = tmp_path / "cases.csv"
    path.write_bytes(content)
    assert main(["score", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {path}{message}")


def test_a_table_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(tmp_path / "none.csv")]) == 2
    assert capsys.readouterr().err == f"error: {tmp_path / 'none.csv'}: No such file or directory\n"

"""Readers of published questions: every form, lazily read pictures, and one line for whatever is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evals.erqa import data as erqa
from evals.erqa_diagnostic import data as diagnostic
from evals.erqa_plus import data as plus
from evals.questions.readers import Photo, Row, read
from evals.questions.scorers import verdict
from evals.run.prepare import BadInput, as_bad_input
from models.base import Kind
from models.parsing import Profile
from tests.evals.published_files import (
    BLUE,
    NOISE,
    RED,
    plus_rows,
    write_parquet,
)

SEVEN = replace(plus.FORM, expected=7)
THREE = replace(erqa.FORM, expected=3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A download of ERQA+ in two parts."""
    rows = plus_rows()
    write_parquet(tmp_path / "data" / "test-00000-of-00002.parquet", rows[:4])
    write_parquet(tmp_path / "data" / "test-00001-of-00002.parquet", rows[4:])
    return tmp_path


def as_json(folder: Path, **changes: Any) -> Path:
    """The same questions as `data.json` with pictures beside it, as FlagEvalMM keeps them."""
    (folder / "img").mkdir(exist_ok=True)
    rows = []
    for row in plus_rows():
        images = row.pop("images")
        row["img_path"] = [f"img/{row['question_id']}_{place}" for place in range(len(images))]
        for path, image in zip(row["img_path"], images, strict=True):
            (folder / path).write_bytes(image["bytes"])
        row["evaluator_kwargs"] = json.loads(row["evaluator_kwargs"])
        rows.append(row)
    rows[2].update(changes)
    (folder / "data.json").write_text(json.dumps(rows), encoding="utf-8")
    return folder


def refused(act: Callable[[], object]) -> str:
    """The one line that a user gets to see."""
    with pytest.raises(BadInput) as error, as_bad_input():
        act()
    assert "\n" not in str(error.value)
    return str(error.value)


def check_plus(rows: tuple[Row, ...]) -> None:
    """All that is known of the seven questions."""
    kinds = [Kind.CHOICES, Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.NUMBER, Kind.JUDGEMENTS, Kind.TEXT]
    assert [row.kind for row in rows] == kinds
    assert [row.answer for row in rows] == [
        ("B",),
        ("A", "C"),
        ("C", "D"),
        ("B", "A"),
        4.0,
        ("1", "0", "1"),
        '["green"]',
    ]
    assert rows[0].text == "Which is nearest?"
    assert rows[0].options == rows[0].reference.options == ("the cup", "the red box", "both")
    assert rows[3].items == ("cup", "box")
    assert rows[3].options == ("wood", "steel", "wool")
    assert rows[5].options == ("The cup is red.", "The box is open.", "Both fit.")
    assert rows[5].text == "Judge each:"
    assert rows[2].reference.kwargs == {"order": [["C", "D"], ["D", "C"]]}
    assert rows[2].reference.text == "C,D;D,C"
    assert [len(row.pictures) for row in rows] == [1, 1, 1, 1, 1, 1, 2]
    assert rows[6].tags["pictures"] == "2"
    assert [row.tags["type"] for row in rows][1:6] == [
        "multiple-choice",
        "sorting",
        "matching",
        "counting",
        "composite-judgement",
    ]
    assert rows[0].tags["category"] == "Perception"
    assert rows[0].prompt.startswith("Which is nearest?\nA.the cup")
    assert [photo.data() for photo in rows[6].pictures] == [RED, BLUE]
    assert [photo.media_type for photo in rows[6].pictures] == ["image/png", "image/jpeg"]
    assert rows[6].pictures[1].png().startswith(b"\x89PNG")


def test_parquet_from_a_folder(folder: Path) -> None:
    found = read(SEVEN, folder)
    assert found.notes == ()
    assert len(found.files) == 2
    check_plus(found.rows)
    assert found.check_pictures() == 8


def test_json_with_pictures_beside_it(tmp_path: Path) -> None:
    check_plus(read(SEVEN, as_json(tmp_path)).rows)


def test_a_file_by_its_name(folder: Path) -> None:
    found = read(SEVEN, folder / "data" / "test-00000-of-00002.parquet", partial=True)
    assert [row.id for row in found.rows] == ["ERQAPlus_001", "ERQAPlus_002", "ERQAPlus_003", "ERQAPlus_004"]


def test_pictures_are_read_in_any_order(folder: Path) -> None:
    rows = read(SEVEN, folder).rows
    for row in (*reversed(rows), *rows):
        assert [photo.data() for photo in row.pictures] == [RED, BLUE][: len(row.pictures)]


def test_the_cache_of_the_hub(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    said = refused(lambda: read(SEVEN, "FlagEval/ERQAPlus"))
    assert "get it with: hf download FlagEval/ERQAPlus --repo-type dataset" in said
    kept = tmp_path / "home" / "hub" / "datasets--FlagEval--ERQAPlus"
    (kept / "snapshots" / "old").mkdir(parents=True)
    (kept / "snapshots" / "abc").mkdir()
    (kept / "snapshots" / "abc" / "data").symlink_to(folder / "data")
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text("abc")
    check_plus(read(SEVEN, "FlagEval/ERQAPlus").rows)
    (kept / "refs" / "main").write_text("old")
    said = refused(lambda: read(SEVEN, "FlagEval/ERQAPlus"))
    assert "is not complete in the Hugging Face hub's cache" in said
    assert "hf download" in said


def test_pictures_of_the_cache_may_be_links(tmp_path: Path) -> None:
    as_json(tmp_path)
    linked = tmp_path / "img" / "ERQAPlus_001_0"
    linked.rename(tmp_path.parent / "blob")
    linked.symlink_to(tmp_path.parent / "blob")
    assert read(SEVEN, tmp_path).rows[0].pictures[0].data() == RED


@pytest.mark.parametrize("where", ["nowhere", "no/such/folder", "one/two/three.parquet"])
def test_a_path_that_does_not_exist(where: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(lambda: read(SEVEN, where)) == f"{where}: there is no such file or folder"


def test_a_folder_without_data(tmp_path: Path) -> None:
    assert "has no data/test-*.parquet and no" in refused(lambda: read(SEVEN, tmp_path))


def test_a_part_that_is_missing(folder: Path) -> None:
    (folder / "data" / "test-00001-of-00002.parquet").unlink()
    said = refused(lambda: read(SEVEN, folder))
    assert said.endswith("test-00001-of-00002.parquet is missing: the data set has 2 parts")


def test_a_missing_column(tmp_path: Path) -> None:
    rows = [{name: value for name, value in row.items() if name != "evaluator"} for row in plus_rows()]
    path = write_parquet(tmp_path / "test-0.parquet", rows)
    assert refused(lambda: read(SEVEN, path)).startswith(f"{path} has no column 'evaluator'. Its columns: question_id,")
    rows = [{name: value for name, value in row.items() if name != "images"} for row in plus_rows()]
    path = write_parquet(tmp_path / "test-1.parquet", rows)
    assert refused(lambda: read(SEVEN, path)).startswith(f"{path} has no column 'images'")


BROKEN = {
    "kwargs that are no JSON": ({"evaluator_kwargs": "{'order': 1}"}, "evaluator_kwargs is not JSON"),
    "kwargs that are a list": ({"evaluator_kwargs": "[1]"}, "evaluator_kwargs is not a JSON object"),
    "other kwargs": ({"evaluator_kwargs": '{"label": "A"}'}, "needs 'order' in evaluator_kwargs, which has only label"),
    "kwargs of another type": (
        {"evaluator_kwargs": '{"order": 3}'},
        "has to be a list of texts, or a list of such lists",
    ),
    "an unknown evaluator": ({"evaluator": "ordered_list_machting"}, "Did you mean 'ordered_list_matching'?"),
    "no answer": ({"reference": None}, "it has no 'reference'"),
    "the same id": ({"question_id": "ERQAPlus_001"}, "two questions have the same question_id: ERQAPlus_001"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_row_that_cannot_be_used(name: str, tmp_path: Path) -> None:
    changes, message = BROKEN[name]
    rows = plus_rows()
    rows[2].update(changes)
    path = write_parquet(tmp_path / "test-0.parquet", rows)
    said = refused(lambda: read(SEVEN, path))
    assert message in said
    assert said.startswith(str(path))
    assert "row 3" in said or "same question_id" in said


@pytest.mark.parametrize("size", [0, 3, 200, -1, -9])
def test_a_parquet_file_that_is_cut_off(size: int, tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "test-0.parquet", plus_rows())
    path.write_bytes(path.read_bytes()[: size or 0])
    said = refused(lambda: read(SEVEN, path))
    assert said.startswith(str(path))
    assert "empty" in said if size == 0 else "cut off" in said


def test_a_parquet_file_that_is_damaged_inside(tmp_path: Path) -> None:
    rows = [{**row, "images": [{"bytes": NOISE * 3 + bytes([number]), "path": None}]} for number, row in
            enumerate(plus_rows())]  # fmt: skip
    path = write_parquet(tmp_path / "test-0.parquet", rows)
    data = bytearray(path.read_bytes())
    at = data.index(NOISE[:64]) - 12
    data[at : at + 10] = b"\xff" * 10
    path.write_bytes(data)
    said = refused(lambda: [photo.data() for row in read(SEVEN, path).rows for photo in row.pictures])
    assert said.startswith(f"{path}, row 1, picture 1: the file is damaged: the pictures of rows 1 to 3 cannot be read")


def test_a_pointer_of_git_lfs(tmp_path: Path) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1974f5\nsize 793000000\n"
    for name in ("data.json", "test-0.parquet"):
        (tmp_path / name).write_text(pointer)
        said = refused(lambda name=name: read(SEVEN, tmp_path / name))  # type: ignore[misc]
        assert said.startswith(
            f"{tmp_path / name} is a Git LFS pointer, not the data: `git lfs pull` gets the 793,000,000"
        )
    as_json(tmp_path)
    (tmp_path / "img" / "ERQAPlus_003_0").write_text(pointer)
    rows = read(SEVEN, tmp_path / "data.json").rows
    assert "img/ERQAPlus_003_0 is a Git LFS pointer" in refused(rows[2].pictures[0].data)


PICTURES = {
    "a cut PNG": (RED[:-9], "cut off: it has no end"),
    "a cut JPEG": (NOISE[: len(NOISE) // 2], "cut off or damaged"),
    "no picture": (b"<html>not found</html>", "these 22 bytes are no picture"),
    "nothing": (b"", "the picture is empty"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    data, message = PICTURES[name]
    rows = plus_rows()
    rows[4]["images"] = [{"bytes": RED, "path": None}, {"bytes": data, "path": None}]
    path = write_parquet(tmp_path / "test-0.parquet", rows)
    found = read(SEVEN, path)
    said = refused(found.check_pictures)
    assert said.startswith(f"{path}, row 5, picture 2: ")
    assert message in said


def test_bytes_after_the_end_of_a_jpeg_do_no_harm() -> None:
    assert Photo("it", lambda: BLUE + b"\0\0").data() == BLUE + b"\0\0"


def test_a_picture_file_that_is_missing(tmp_path: Path) -> None:
    as_json(tmp_path)
    (tmp_path / "img" / "ERQAPlus_003_0").unlink()
    said = refused(lambda: read(SEVEN, tmp_path))
    assert said.startswith(f"{tmp_path / 'data.json'}, row 3 (ERQAPlus_003), picture 1: there is no file ")


def test_a_picture_elsewhere_is_not_read(tmp_path: Path) -> None:
    said = refused(lambda: read(SEVEN, as_json(tmp_path, img_path=["../../etc/passwd"])))
    assert "is not below" in said


@pytest.mark.parametrize("named", [1.5, True, {"x": 1}])
def test_names_of_pictures_are_texts(tmp_path: Path, named: object) -> None:
    said = refused(lambda: read(SEVEN, as_json(tmp_path, img_path=named)))
    assert said.endswith(f"its pictures have to be names of files, not {str(named)!r}")


def test_texts_of_a_parquet_file_that_are_no_utf8(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "test.parquet", plus_rows())
    content = path.read_bytes()
    assert content.count(b"green") >= 1
    pages = content.replace(b"arrow", b"arr\xe1w")
    path.write_bytes(pages)
    assert "is damaged: " in refused(lambda: read(SEVEN, path))


def test_a_parquet_file_whose_columns_have_other_names_inside(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "test.parquet", plus_rows())
    path.write_bytes(path.read_bytes().replace(b"bytes", b"\xe1ytes"))
    assert str(path) in refused(lambda: [photo.data() for row in read(SEVEN, path).rows for photo in row.pictures])


def test_the_name_of_a_picture_is_too_long(tmp_path: Path) -> None:
    said = refused(lambda: read(SEVEN, as_json(tmp_path, img_path=["x" * 5000])))
    assert "is no name of a file: File name too long" in said
    assert len(said) < 400


def test_a_question_less_is_refused_unless_it_is_meant(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "test-0.parquet", plus_rows()[:-1])
    said = refused(lambda: read(SEVEN, path))
    assert said == (
        f"{path} has 6 questions, the last in row 6 (ERQAPlus_006); the published set has 7. --partial accepts another "
        "number"
    )
    assert len(read(SEVEN, path, partial=True).rows) == 6
    assert len(read(replace(SEVEN, own=(path.name,)), path).rows) == 6, "a set of one's own"


def test_judgements_may_be_one_text(tmp_path: Path) -> None:
    rows = plus_rows()
    rows[5]["evaluator_kwargs"] = json.dumps({"bool_str": "101"})
    found = read(SEVEN, write_parquet(tmp_path / "test-0.parquet", rows)).rows[5]
    assert found.answer == ("1", "0", "1")
    assert verdict("Final Answer: [1,0,1]", found.reference, Profile.OFFICIAL).right


@pytest.mark.parametrize(
    ("answer", "letter"),
    [("b", "B"), ("(B)", "B"), ("B. On the table", "B"), ("on the table", "B"), ("Gone", "D"), ("A", "A")],
)
def test_the_right_letter_however_it_is_given(answer: str, letter: str, tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "1.png").write_bytes(RED)
    rows = diagnostic_rows(True)
    rows[1]["answer"] = answer
    (tmp_path / "questions.json").write_text(json.dumps(rows))
    reference = read(diagnostic.FORM, tmp_path).rows[1].reference
    assert reference.text == letter
    for profile in Profile:
        assert verdict(f"Final Answer: {letter}", reference, profile).right


@pytest.mark.parametrize("answer", ["E", "Under", "5", ""])
def test_an_answer_that_is_no_option_is_refused(answer: str, tmp_path: Path) -> None:
    rows = diagnostic_rows(True)
    rows[1]["answer"] = answer
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "1.png").write_bytes(RED)
    (tmp_path / "questions.json").write_text(json.dumps(rows))
    assert "row 2: the answer" in (said := refused(lambda: read(diagnostic.FORM, tmp_path)))
    assert said.endswith("is no letter from A to D")


def test_without_pyarrow_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "test-0.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert (
        refused(lambda: read(SEVEN, path)) == f"{path} is a parquet file, which takes pyarrow: pip install -e '.[data]'"
    )


def diagnostic_rows(paths: bool) -> list[dict[str, Any]]:
    return [
        {
            "qid": f"q{number}",
            "question": "Where is it?",
            "choices": ["A. In the box", "B. On the table", "C. Under it", "D. Gone"]
            if number
            else ["w", "x", "y", "z"],
            "answer": "B",
            "question_type": "Spatial Reasoning",
            "explanation": "One sees it.",
            **({"image_paths": ["images/1.png"]} if paths else {"all_images": [{"bytes": BLUE, "path": "1.jpg"}]}),
        }
        for number in range(3)
    ]


def test_erqa_plus_of_the_other_authors_as_json_and_parquet(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "1.png").write_bytes(RED)
    name = diagnostic.FORM.files[0]
    (tmp_path / name).write_text(json.dumps({"train": diagnostic_rows(True)}))
    parquet = write_parquet(tmp_path / "train-0.parquet", diagnostic_rows(False))
    form = replace(diagnostic.FORM, expected=3)
    for where, data in ((tmp_path, RED), (parquet, BLUE)):
        found = read(form, where)
        assert found.notes == ()
        assert found.rows[1].options == ("In the box", "On the table", "Under it", "Gone")
        assert found.rows[0].options == ("w", "x", "y", "z")
        assert found.rows[1].answer == "On the table"
        assert found.rows[1].more == {"explanation": "One sees it."}
        assert found.rows[0].pictures[0].data() == data
        assert len({row.tags["scene"] for row in found.rows}) == 1

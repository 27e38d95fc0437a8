"""The published form is written and read back; what is damaged is named, and the rest is read."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from evals.actioneqa.entries import CONFIGURATIONS, views_of
from evals.actioneqa.export import write_hub, write_lmms_eval, write_vlmevalkit
from evals.actioneqa.hub import configurations, cut, read_hub
from evals.questions.readers.rows import BadData
from tests.evals.action_entries import entries, entry, shot
from tests.evals.published_files import write_parquet

ALL = tuple(CONFIGURATIONS.values())


def size(png: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(png)).size


def pixels(png: bytes) -> bytes:
    return Image.open(io.BytesIO(png)).convert("RGB").tobytes()


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    written = entries()
    files = write_hub(tmp_path, written)
    assert [file.parent.name for file in files] == list(CONFIGURATIONS)
    read = read_hub(tmp_path, ALL)
    assert [(one.configuration, one.right, one.options, one.action) for one in read.entries] == [
        (one.configuration, one.right, one.options, one.action) for one in written
    ]
    for one, again in zip(written, read.entries, strict=True):
        for views in ("1", "3", "ego+exo"):
            cameras = views_of(one.configuration.source, views)
            if cameras is not None:
                for before, after in zip(one.shots, again.shots, strict=True):
                    pair = [
                        Image.open(io.BytesIO(shown(cameras))).convert("RGB").tobytes() for shown in (before, after)
                    ]
                    assert pair[0] == pair[1]
    assert any("does not say how its pictures are made up" in note for note in read.notes)


def test_a_picture_is_cut_into_its_views() -> None:
    four = shot("bridge", 1)(("exo_1", "exo_2", "exo_3", "exo_4"))
    assert size(four) == (1024, 16)
    assert size(cut(four, "bridge", ("exo_1",))) == (256, 16)
    assert cut(four, "bridge", ("exo_1", "exo_2", "exo_3", "exo_4")) == four
    second = Image.open(io.BytesIO(cut(four, "bridge", ("exo_2",))))
    assert second.getpixel((10, 5)) == (24, 160, 24)
    single = shot("droid", 1)(("exo_1",))
    assert cut(single, "droid", ("exo_1",)) == single
    with pytest.raises(BadData, match=r"320 pixels wide and has no view 'ego', only exo_1"):
        cut(single, "droid", ("ego",), "x.parquet, row 1")


def test_views_belong_to_sources() -> None:
    assert views_of("bridge", "4") == ("exo_1", "exo_2", "exo_3", "exo_4")
    assert views_of("droid", "ego+exo") == ("ego", "exo_1")
    assert [views_of(source, "exo") for source in ("bridge", "droid", "rt1")] == [("exo_1",)] * 3
    assert views_of("droid", "2") is views_of("rt1", "ego") is views_of("bridge", "ego") is None


def test_configurations_are_chosen() -> None:
    assert len(configurations(None, None, None)) == 14
    assert [one.task for one in configurations("droid", "mid,low", "inverse")] == ["M-AI", "L-AI"]
    with pytest.raises(ValueError, match="no level 'medium'"):
        configurations(None, "medium", None)
    with pytest.raises(ValueError, match="rt1 has no questions of the level low"):
        configurations("rt1", "low", None)


def test_a_row_that_cannot_be_used_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    name = "bridge_low_inverse"
    picture = {"bytes": shot("bridge", 0)(("exo_1",)), "path": "0.png"}
    options = dict(zip((f"option_{letter}" for letter in "ABCD"), entry(name).options, strict=True))
    rows = [{"frame1": picture, "frame2": picture, **options, "correct_ans": right} for right in (2, 7, 3, 1)]
    rows[2]["frame2"] = None
    rows[3]["option_B"] = rows[3]["option_A"]
    (tmp_path / name).mkdir()
    write_parquet(tmp_path / name / "train-00000-of-00001.parquet", rows)
    found = read_hub(tmp_path, [CONFIGURATIONS[name]]).entries
    assert [bool(one.fault) for one in found] == [False, True, True, True]
    assert "train-00000-of-00001.parquet, row 2: correct_ans is 7" in found[1].fault
    assert "row 3: a picture is missing" in found[2].fault
    assert "row 4: two options are the same" in found[3].fault


def test_damaged_pages_cost_only_their_rows(tmp_path: Path) -> None:
    names = ("bridge_mid_forward", "bridge_mid_inverse")
    first, second = write_hub(tmp_path, entries(3, names))
    data = bytearray(first.read_bytes())
    place = data.index(b"Move along")
    data[place] ^= 0xFF
    first.write_bytes(bytes(data))
    second.write_bytes(second.read_bytes()[:-20])
    found = read_hub(tmp_path, [CONFIGURATIONS[name] for name in names]).entries
    assert [bool(one.fault) for one in found] == [True] * 4
    assert str(first) in found[0].fault
    assert "row 1" in found[0].fault
    assert f"{second} is no parquet file, or it is cut off" in found[3].fault


def test_a_damaged_picture_is_named_when_it_is_looked_at(tmp_path: Path) -> None:
    (path,) = write_hub(tmp_path, entries(3, ("rt1_high_inverse",)))
    data = bytearray(path.read_bytes())
    second = data.index(b"IHDR", data.index(b"IHDR") + 10)
    data[second + 30] ^= 0xFF
    path.write_bytes(bytes(data))
    found = read_hub(tmp_path, [CONFIGURATIONS["rt1_high_inverse"]]).entries
    faults = []
    for one in found:
        try:
            for picture in one.shots:
                picture(("exo_1",))
        except BadData as damage:
            faults.append(str(damage))
    assert faults
    assert all(str(path) in fault and ", row " in fault for fault in faults)


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="has no bridge_high_forward"):
        read_hub(tmp_path, [CONFIGURATIONS["bridge_high_forward"]])
    with pytest.raises(FileNotFoundError, match="hf download TianweiBao/ActionEQA"):
        read_hub("TianweiBao/ActionEQA", ALL)


def test_the_hubs_cache_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    write_hub(tmp_path / "datasets--TianweiBao--ActionEQA" / "snapshots" / "1", entries(1, ("droid_low_forward",)))
    found = read_hub("TianweiBao/ActionEQA", ALL)
    assert [one.configuration.name for one in found.entries] == ["droid_low_forward"]
    assert any("has no bridge_high_forward" in note for note in found.notes)


def test_a_task_of_lmms_eval_scores_replies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = [one for one in entries(2) if one.configuration.source != "rt1"]
    write_lmms_eval(tmp_path, written)
    folder = tmp_path / "actioneqa"
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]
    assert [len(row["images"]) for row in rows[:1] + rows[2:3]] == [5, 2]
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "utils", raising=False)
    import utils  # type: ignore[import-not-found]

    assert [image.size for image in utils.doc_to_visual(rows[0])] == [(256, 16)] * 5
    assert utils.letter("<think>A or B</think><answer>C</answer>") == "C"
    assert utils.letter("B.") == "B"
    assert utils.letter("A or B") == ""
    results = [utils.process_results(row, [row["answer"] if row["source"] == "droid" else "E"]) for row in rows]
    assert utils.overall([one["accuracy"] for one in results]) == 0.5
    monkeypatch.delitem(sys.modules, "utils")


def test_a_table_of_vlmevalkit_has_pictures_and_options(tmp_path: Path) -> None:
    path = write_vlmevalkit(tmp_path / "actioneqa.tsv", entries(1, ("bridge_mid_inverse", "droid_high_forward")))
    csv.field_size_limit(10_000_000)
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert rows[0]["D"] == "Move along negative X direction, Close gripper"
    assert rows[1]["A"] == "picture 2"
    assert len(json.loads(rows[1]["image"])) == 5
    assert rows[0]["category"] == "M-AI"

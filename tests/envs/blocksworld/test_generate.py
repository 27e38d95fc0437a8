"""The command that makes problems: what it writes, and what it does not write over."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.blocksworld.generate import SIZES, main
from envs.blocksworld.problems import files, load


def test_problems_are_written_where_they_can_be_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path / "new"), "--count", "1", "--seed", "3"]) == 0
    assert capsys.readouterr().out == f"wrote problems, 1 each of simple, medium, hard, to {tmp_path / 'new'}\n"
    for split in SIZES:
        (file,) = files(split, tmp_path / "new")
        assert load(file, split).id == f"{split}_00"


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([str(word) for word in words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    return err


def test_nothing_is_written_over_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "medium" / "medium_00.pddl"
    mine.parent.mkdir()
    mine.write_text("mine")
    said = refused(capsys, "--out", tmp_path, "--count", 1)
    assert f"not empty: {tmp_path / 'medium'};" in said
    assert "--force" in said
    assert mine.read_text() == "mine"
    assert not (tmp_path / "simple").exists()
    assert main(["--out", str(tmp_path), "--count", "1", "--force"]) == 0
    assert load(mine, "medium").id == "medium_00"


@pytest.mark.parametrize("count", [0, -3])
def test_fewer_than_one_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], count: int) -> None:
    assert f"--count must be at least 1, not {count}" in refused(capsys, "--out", tmp_path / "new", "--count", count)
    assert not (tmp_path / "new").exists()


def test_a_place_that_cannot_be_written_to_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    assert str(tmp_path / "file") in refused(capsys, "--out", tmp_path / "file")

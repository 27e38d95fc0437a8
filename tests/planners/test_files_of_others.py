"""Files of others: only real ones are read, and only up to a size."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from planners import files
from planners.files import Unreadable, lines_of, opened, packed_lines_of, read_bytes, read_json, read_text


@pytest.mark.parametrize("read", [read_bytes, read_text, read_json, lambda path: list(lines_of(path))])
def test_a_pipe_is_not_waited_for(tmp_path: Path, read: object) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Unreadable, match="no file that can be read"):
        read(tmp_path / "pipe")  # type: ignore[operator]


def test_a_device_is_no_file() -> None:
    with pytest.raises(Unreadable, match="no file that can be read"):
        opened(Path("/dev/zero"))


def test_a_file_is_read_up_to_a_size(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert read_bytes(tmp_path / "file", 5) == b"12345"
    with pytest.raises(Unreadable, match="too large: 5 bytes, and at most 4 are read"):
        read_bytes(tmp_path / "file", 4)


def test_a_file_that_does_not_say_how_long_it_is_is_read_up_to_a_size() -> None:
    maps = Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("the system has no such file")
    assert maps.stat().st_size == 0
    with pytest.raises(Unreadable, match="at most 10 bytes"):
        read_bytes(maps, 10)


def test_lines_have_a_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 5)
    (tmp_path / "file").write_bytes(b"1234\n12345")
    assert list(lines_of(tmp_path / "file")) == [b"1234\n", b"12345"]
    (tmp_path / "file").write_bytes(b"12345\n")
    with pytest.raises(Unreadable, match="a line in it is longer than 5 bytes"):
        list(lines_of(tmp_path / "file"))


def test_what_unpacks_to_too_much_is_given_up(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "file.gz", "wb") as file:
        file.write(b"1234\n" * 4)
    assert len(list(packed_lines_of(tmp_path / "file.gz", 20))) == 4
    with pytest.raises(Unreadable, match="holds more than 19 bytes"):
        list(packed_lines_of(tmp_path / "file.gz", 19))

"""TFRecord files of questions: every damage is found, and named with its byte."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.questions.readers import read
from evals.questions.readers.crc import crc32c
from evals.questions.readers.tfrecord import examples
from models.base import Kind
from tests.evals.published_files import (
    BLUE,
    CLOSING,
    ERQA,
    RED,
    erqa_example,
    example,
    record,
    write_parquet,
    write_tfrecord,
)
from tests.evals.test_readers import THREE, refused


def test_tfrecord(tmp_path: Path) -> None:
    found = read(THREE, write_tfrecord(tmp_path / "erqa.tfrecord"))
    assert found.notes == ()
    first, second, third = found.rows
    assert [row.id for row in found.rows] == ["ERQA_1", "ERQA_2", "ERQA_3"]
    assert first.text == "Where does the gripper go?"
    assert first.options == ("Up", "Down", "B", "Left")
    assert first.kind is Kind.CHOICE
    assert first.answer == "B"
    assert first.reference.text == "C"
    assert first.tags["type"] == "multiple-choice"
    assert first.tags["category"] == "Trajectory Reasoning"
    assert first.prompt.endswith(CLOSING)
    assert second.places == (5, 10)
    assert [photo.data() for photo in second.pictures] == [RED, BLUE]
    assert third.options == ("A", "B", "C", "D")
    assert third.answer == "D"


def test_erqa_as_parquet(tmp_path: Path) -> None:
    rows = [
        {
            "question_id": f"ERQA_{number}",
            "question": f"Where does it go? Choices: A. Up. B. Down.{CLOSING}",
            "question_type": "Pointing",
            "images": [{"bytes": RED, "path": None}],
            "answer": "B",
            "visual_indices": places,
        }
        for number, places in enumerate(["[0]", "[6]", "[]"], 1)
    ]
    found = read(THREE, write_parquet(tmp_path / "test-0.parquet", rows)).rows
    assert [row.places for row in found] == [(), (6,), ()]
    assert [row.answer for row in found] == ["Down"] * 3


def byte_flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def test_a_flipped_byte_anywhere_is_found_with_its_record(tmp_path: Path) -> None:
    path = tmp_path / "erqa.tfrecord"
    whole = b"".join(map(record, ERQA))
    starts = [0, len(record(ERQA[0])), len(record(ERQA[0])) + len(record(ERQA[1]))]
    for at in (
        *range(0, 16),
        starts[1],
        starts[1] + 11,
        starts[1] + 500,
        starts[2] - 1,
        starts[2] + 900,
        len(whole) - 1,
    ):
        path.write_bytes(byte_flipped(whole, at))
        said = refused(lambda: read(THREE, path))
        start = max(one for one in starts if one <= at)
        assert said.startswith(f"{path}: wrong checksum of the ")
        assert f"record at byte {start}" in said
        assert ("of the length" in said) == (at - start < 12)


@pytest.mark.parametrize(
    ("cut", "message"), [(-1, "the file ends at"), (-900, "the file ends at"), (5, "record's head at")]
)
def test_a_tfrecord_that_is_cut_off(cut: int, message: str, tmp_path: Path) -> None:
    path = write_tfrecord(tmp_path / "erqa.tfrecord")
    path.write_bytes(path.read_bytes()[:cut])
    said = refused(lambda: read(THREE, path))
    assert said.startswith(f"{path} is cut off: ")
    assert message in said


def test_a_length_that_no_record_can_have(tmp_path: Path) -> None:
    from evals.questions.readers.crc import masked

    head = struct.pack("<Q", 1 << 40)
    path = tmp_path / "erqa.tfrecord"
    path.write_bytes(record(ERQA[0]) + head + struct.pack("<I", masked(crc32c(head))) + bytes(100))
    start = len(record(ERQA[0]))
    assert refused(lambda: read(THREE, path)) == f"{path}: the record at byte {start} says that it has {1 << 40} bytes"


@pytest.mark.parametrize("data", [b"\x0a\xff\xff\xff\xff\x0f", b"\x0a\x03\x0a\x09x", b"\x0f", b"\x80" * 12, b"\x0a"])
def test_a_record_that_is_no_example(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "erqa.tfrecord"
    path.write_bytes(record(data))
    assert refused(lambda: read(THREE, path)).startswith(f"{path}: the record at byte 0 is no Example: ")


def test_an_example_without_a_question(tmp_path: Path) -> None:
    path = write_tfrecord(tmp_path / "erqa.tfrecord", [ERQA[0], example({"answer": [b"A"]})])
    start = len(record(ERQA[0]))
    said = refused(lambda: read(THREE, path))
    assert said.startswith(f"{path}, record 2 at byte {start} has no columns 'question', 'question_type'")


def test_places_that_do_not_fit_the_pictures(tmp_path: Path) -> None:
    path = write_tfrecord(tmp_path / "erqa.tfrecord", [erqa_example("Which? Choices: A. a B. b", [RED], "A", (3, 9))])
    said = refused(lambda: read(THREE, path))
    assert "record 1 at byte 0: visual_indices [3, 9] does not fit 1 pictures" in said


def test_features_of_every_type(tmp_path: Path) -> None:
    path = write_tfrecord(
        tmp_path / "any.tfrecord",
        [example({"i": [0, 7, -1, 1 << 40], "f": [0.5, -2.0], "b": [b"ab", b""], "none": []})],
    )
    ((start, values),) = examples(path)
    assert start == 0
    assert values["i"] == (0, 7, -1, 1 << 40)
    assert values["f"] == (0.5, -2.0)
    assert [span.read() for span in values["b"]] == [b"ab", b""]  # type: ignore[union-attr]


def test_the_checksum_is_the_published_one() -> None:
    # RFC 3720, B.4
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(b"\xff" * 32) == 0x62A8AB43
    assert crc32c(b"") == 0


def bit_by_bit(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


@given(st.binary(max_size=5000))
def test_the_fast_checksum_is_the_plain_one(data: bytes) -> None:
    assert crc32c(data) == bit_by_bit(data)


@pytest.mark.parametrize("size", [511, 512, 513, 767, 768, 769, 70000])
def test_the_checksum_at_the_sizes_of_blocks(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytes((7 * place + 3) % 251 for place in range(size))
    assert crc32c(data) == bit_by_bit(data)
    monkeypatch.setattr("evals.questions.readers.crc._PIECE", 600)
    assert crc32c(data) == bit_by_bit(data)

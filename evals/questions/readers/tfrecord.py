"""Reads TFRecord files of Examples without TensorFlow.

A record is a length (u64), its masked CRC-32C, the data, and the data's masked CRC-32C. The data is an `Example` in
protocol buffers: names with lists of bytes, floats or integers. Of bytes only the position in the file is kept, so that
pictures are read on demand.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from evals.questions.readers.crc import crc32c, masked
from evals.questions.readers.rows import BadData

_HEAD = 12
_TAIL = 4
_LARGEST = 1 << 31
"""The largest protocol buffer; a longer record has a damaged length."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of bytes in a file."""

    path: Path
    start: int
    size: int

    def read(self) -> bytes:
        """Read the bytes."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            data = file.read(self.size)
        if len(data) < self.size:
            raise BadData(f"{self.path}: it was cut off at byte {self.start + len(data)} since it was opened")
        return data


Values: TypeAlias = tuple[Span, ...] | tuple[int, ...] | tuple[float, ...]


def examples(
    path: Path, on_damage: Callable[[BadData], None] | None = None
) -> Iterator[tuple[int, Mapping[str, Values]]]:
    """The Examples of a file, each with the offset of its record; `BadData` names the damaged byte.

    `on_damage`, if given, is called with the error instead, and the records after a damaged one are still read,
    unless its length is damaged: then the start of the next one is unknown.
    """
    records = _records(path, on_damage)
    while True:
        try:
            start, data = next(records)
            values = _example(path, start + _HEAD, memoryview(data))
        except StopIteration:
            return
        except _Malformed as error:
            damage = BadData(f"{path}: the record at byte {start} is no Example: {error}")
            if on_damage is None:
                raise damage from None
            on_damage(damage)
            continue
        except BadData as damage:
            if on_damage is None:
                raise
            on_damage(damage)
            return
        yield start, values


def _records(path: Path, on_damage: Callable[[BadData], None] | None) -> Iterator[tuple[int, bytes]]:
    size = path.stat().st_size
    start = 0
    with path.open("rb") as file:
        while start < size:
            head = file.read(_HEAD)
            if len(head) < _HEAD:
                raise BadData(f"{path} is cut off: {len(head)} bytes of a record's head at byte {start}")
            length, length_crc = struct.unpack("<QI", head)
            if masked(crc32c(head[:8])) != length_crc:
                raise BadData(
                    f"{path}: wrong checksum of the length of the record at byte {start}; the file is damaged"
                )
            if length > _LARGEST:
                raise BadData(f"{path}: the record at byte {start} says that it has {length} bytes")
            if start + _HEAD + length + _TAIL > size:
                raise BadData(
                    f"{path} is cut off: the record at byte {start} has {length} bytes, the file ends at {size}"
                )
            data, tail = file.read(length), file.read(_TAIL)
            if masked(crc32c(data)) == int.from_bytes(tail, "little"):
                yield start, data
            else:
                damage = BadData(
                    f"{path}: wrong checksum of the record at byte {start} ({length} bytes from byte {start + _HEAD} "
                    "on); the file is damaged"
                )
                if on_damage is None:
                    raise damage
                on_damage(damage)
            start += _HEAD + length + _TAIL


class _Malformed(Exception):
    """A message of protocol buffers is invalid."""


def _example(path: Path, offset: int, data: memoryview) -> dict[str, Values]:
    """Example.features.feature: a map whose entries have a name (1) and a Feature (2)."""
    found: dict[str, Values] = {}
    for features in _inside(data, 0, len(data), 1):
        for entry in _inside(data, *features, 1):
            names = list(_inside(data, *entry, 1))
            name = bytes(data[slice(*names[0])]).decode(errors="replace") if names else ""
            for feature in _inside(data, *entry, 2):
                found[name] = _values(path, offset, data, feature)
    return found


def _values(path: Path, offset: int, data: memoryview, feature: tuple[int, int]) -> Values:
    """A Feature is a list of bytes (1), of floats (2) or of integers (3), each with its values under 1."""
    for number, _, place in _fields(data, *feature):
        if not isinstance(place, tuple):
            continue
        if number == 1:
            return tuple(Span(path, offset + start, end - start) for start, end in _inside(data, *place, 1))
        if number == 2:
            return tuple(_floats(data, place))
        if number == 3:
            return tuple(_integers(data, place))
    return ()


def _floats(data: memoryview, place: tuple[int, int]) -> Iterator[float]:
    for number, _, value in _fields(data, *place):
        start, end = value if isinstance(value, tuple) else (0, 0)
        if number == 1:
            if (end - start) % 4:
                raise _Malformed(f"{end - start} bytes of floats")
            yield from (one[0] for one in struct.iter_unpack("<f", data[start:end]))


def _integers(data: memoryview, place: tuple[int, int]) -> Iterator[int]:
    for number, _, value in _fields(data, *place):
        if number != 1:
            continue
        if isinstance(value, int):
            yield _signed(value)
            continue
        at, end = value
        while at < end:
            one, at = _varint(data, at, end)
            yield _signed(one)


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _inside(data: memoryview, start: int, end: int, wanted: int) -> Iterator[tuple[int, int]]:
    """The positions of all fields of a message that have this number and hold bytes."""
    for number, wire, place in _fields(data, start, end):
        if number == wanted and wire == 2 and isinstance(place, tuple):
            yield place


def _fields(data: memoryview, start: int, end: int) -> Iterator[tuple[int, int, int | tuple[int, int]]]:
    """The fields of a message: number, wire type, and the integer or the position of the bytes."""
    at = start
    while at < end:
        key, at = _varint(data, at, end)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(data, at, end)
            yield number, wire, value
            continue
        if wire not in (1, 2, 5):
            raise _Malformed(f"wire type {wire} at its byte {at}")
        length = {1: 8, 5: 4}.get(wire, 0)
        if wire == 2:
            length, at = _varint(data, at, end)
        if at + length > end:
            raise _Malformed(f"a field of {length} bytes at its byte {at} goes beyond its end")
        yield number, wire, (at, at + length)
        at += length


def _varint(data: memoryview, at: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & (1 << 64) - 1, at
        shift += 7
    raise _Malformed(f"an integer that does not end at its byte {at}")

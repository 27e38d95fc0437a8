"""Reads parquet files: texts immediately, pictures by row group when the first one of the group is needed."""

from __future__ import annotations

import os
import tempfile
import threading
import weakref
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from evals.questions.readers.rows import BadData, Photo

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

LARGE = 200 << 20
"""Row groups with more bytes of pictures than this are reported, because reading one takes twice as much memory."""


class ParquetFile:
    """A parquet file. Pictures are a column of `{bytes, path}`, or of lists of these, as the hub's tools write."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._parquet = _opened(path)
        metadata = self._parquet.metadata
        self.rows: int = metadata.num_rows
        self.starts = [0]
        for group in range(metadata.num_row_groups):
            self.starts.append(self.starts[-1] + metadata.row_group(group).num_rows)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        with self._reading("the names of the columns"):
            return tuple(self._parquet.schema_arrow.names)

    def texts(self, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """The plain values of all rows."""
        with self._reading(f"the columns {', '.join(columns)}"):
            listed = self._parquet.read(columns=list(columns), use_threads=False).to_pylist()
        yield from listed

    def rows_of(self, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, Any] | BadData]]:
        """The plain values of each row by its index; in a damaged row group, the fault instead."""
        for group, (start, end) in enumerate(pairwise(self.starts)):
            try:
                with self._reading(f"the columns {', '.join(columns)} of rows {start + 1} to {end}"):
                    listed = self._parquet.read_row_group(group, columns=list(columns), use_threads=False).to_pylist()
            except BadData as damage:
                yield from ((row, damage) for row in range(start, end))
            else:
                yield from enumerate(listed, start)

    def photos(self, column: str) -> list[list[Photo]]:
        """The pictures of every row. Only their names and number are read now."""
        copies = _Copies(self, column)
        with self._reading(f"the column {column!r}"):
            table = self._parquet.read(columns=[self._leaf(column, "path")], use_threads=False)
            listed = table.column(column).to_pylist()
        return [
            [
                Photo(f"{self.path}, row {row + 1}, picture {place + 1}", partial(copies.read, row, place), name)
                for place, name in enumerate(_named(value))
            ]
            for row, value in enumerate(listed)
        ]

    def pictures(self, group: int, column: str) -> Iterator[list[pa.Buffer | None]]:
        """The pictures of every row of a row group, a few rows in memory at a time."""
        leaf = self._leaf(column, "bytes")
        with self._reading(f"the pictures of rows {self.starts[group] + 1} to {self.starts[group + 1]}"):
            for batch in self._parquet.iter_batches(4, row_groups=[group], columns=[leaf], use_threads=False):
                for value in batch.column(0):
                    yield (
                        [_bytes(one) for one in (value if self._listed(column) else [value])] if value.is_valid else []
                    )

    def notes(self, column: str) -> Iterator[str]:
        """Notes about unusual storage of the pictures."""
        leaf, metadata = self._leaf(column, "bytes"), self._parquet.metadata
        for group in range(metadata.num_row_groups):
            chunks = (metadata.row_group(group).column(place) for place in range(metadata.num_columns))
            with self._reading(f"the column {column!r}"):
                size = next((chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema == leaf), 0)
            if size > LARGE:
                yield (
                    f"{self.path}: row group {group + 1} holds {size >> 20} MB of pictures, and reading it takes about "
                    f"{2 * size >> 20} MB of memory; a file with 100 rows in each group needs less"
                )

    def _listed(self, column: str) -> bool:
        """Whether rows have lists of pictures or one each; `BadData` if they have none."""
        import pyarrow as pa

        kind = self._parquet.schema_arrow.field(column).type
        listed = bool(pa.types.is_list(kind) or pa.types.is_large_list(kind))
        if not pa.types.is_struct(kind.value_type if listed else kind):
            raise BadData(f"{self.path}: the column {column!r} holds {kind}, no pictures as {{bytes, path}}")
        return listed

    def _leaf(self, column: str, field: str) -> str:
        """The full name of a part of a picture: `images.list.element.bytes`."""
        self._listed(column)
        schema = self._parquet.schema
        for path in (str(schema.column(place).path) for place in range(len(schema))):
            if path.split(".")[0] == column and path.split(".")[-1] == field:
                return path
        raise BadData(f"{self.path}: the pictures in the column {column!r} have no {field!r}")

    @contextmanager
    def _reading(self, what: str) -> Iterator[None]:
        """Turns errors of the file into `BadData` with one line."""
        import pyarrow as pa

        try:
            yield
        except BadData:
            raise
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise BadData(f"{self.path} is damaged: {what} cannot be read ({_line(error)})") from None


class _NoRoom(BadData):
    """The temporary copy of the pictures cannot be written, which is not a fault of the file."""


class _Copies:
    """A cache of decoded row groups in an unnamed temporary file.

    A row group can only be decoded as a whole. Doing that for every picture would take minutes in random
    order, and caching it in memory would take hundreds of megabytes.
    """

    def __init__(self, parquet: ParquetFile, column: str) -> None:
        self._parquet, self._column = parquet, column
        self._lock = threading.Lock()
        self._done: dict[int, str] = {}
        """The cached row groups, each with its fault, if any."""
        self._places: dict[tuple[int, int], tuple[int, int]] = {}

    def read(self, row: int, place: int) -> bytes:
        """The bytes of a picture."""
        group = bisect_right(self._parquet.starts, row) - 1
        with self._lock:
            if group not in self._done:
                self._done[group] = self._copied(group)
            if (row, place) not in self._places:
                fault = self._done[group] or "there are no bytes, only a name"
                raise BadData(f"{self._parquet.path}, row {row + 1}, picture {place + 1}: {fault}")
            start, size = self._places[row, place]
            self._file.seek(start)
            return self._file.read(size)

    @cached_property
    def _file(self) -> IO[bytes]:
        file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when its owner goes
        weakref.finalize(self, file.close)
        return file

    def _copied(self, group: int) -> str:
        """Copy a row group; returns its fault, if any. Rows before the damage can be used."""
        try:
            self._copy(group)
        except _NoRoom:
            raise
        except BadData as damage:
            return str(damage).replace(f"{self._parquet.path} is", "the file is", 1)
        return ""

    def _copy(self, group: int) -> None:
        start = self._file.seek(0, os.SEEK_END)
        for row, pictures in enumerate(self._parquet.pictures(group, self._column), self._parquet.starts[group]):
            for place, data in enumerate(pictures):
                if data is not None:
                    self._write(data)
                    self._places[row, place] = (start, data.size)
                    start += data.size

    def _write(self, data: pa.Buffer) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            # Not an OSError, which the reader would report as a damaged file.
            raise _NoRoom(
                f"{self._parquet.path}: no room for a copy of its pictures in {tempfile.gettempdir()} "
                f"({error.strerror}); TMPDIR names another folder"
            ) from None


def _named(value: Any) -> list[str]:
    """The names of the pictures in a cell (one or a list); empty if a picture has no name."""
    listed = value if isinstance(value, list) else [value] if value is not None else []
    return [(one or {}).get("path") or "" for one in listed]


def _bytes(picture: pa.StructScalar) -> pa.Buffer | None:
    data = picture["bytes"] if picture.is_valid else None
    return data.as_buffer() if data is not None and data.is_valid else None


def _opened(path: Path) -> pq.ParquetFile:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ValueError(f"{path} is a parquet file, which takes pyarrow: pip install -e '.[data]'") from None
    try:
        return pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20, page_checksum_verification=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise BadData(f"{path} is no parquet file, or it is cut off: {_line(error)}") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]

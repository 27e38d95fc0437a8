"""Parquet files: the texts are read at once, pictures by row group when they are looked at."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.questions.readers.rows import BadData, Photo

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

KEPT = 128 << 20
"""So many bytes of pictures stay in memory while another row group is read."""
LARGE = 200 << 20
"""A row group with more than this is worth a note: it is read as a whole."""


class ParquetFile:
    """One file. Pictures are a column of `{bytes, path}`, or of lists of these, as the hub's tools write them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._parquet = _opened(path)
        self._lock = threading.Lock()
        self._groups: OrderedDict[tuple[int, str], pa.ChunkedArray] = OrderedDict()
        metadata = self._parquet.metadata
        self.rows: int = metadata.num_rows
        self._starts = [0]
        for group in range(metadata.num_row_groups):
            self._starts.append(self._starts[-1] + metadata.row_group(group).num_rows)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._parquet.schema_arrow.names)

    def texts(self, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
        """The plain values of all rows."""
        yield from self._read(f"the columns {', '.join(columns)}", self._parquet.read, list(columns)).to_pylist()

    def photos(self, column: str) -> list[list[Photo]]:
        """The pictures of every row. Only their names are read now, and how many there are."""
        import pyarrow as pa

        kind = self._parquet.schema_arrow.field(column).type
        listed = pa.types.is_list(kind) or pa.types.is_large_list(kind)
        if not pa.types.is_struct(kind.value_type if listed else kind):
            raise BadData(f"{self.path}: the column {column!r} holds {kind}, no pictures as {{bytes, path}}")
        names = self._read(f"the column {column!r}", self._parquet.read, [self._leaf(column, "path")])
        found = []
        for row, value in enumerate(names.column(column).to_pylist()):
            named = value if listed else [value] if value is not None else []
            found.append(
                [
                    Photo(
                        f"{self.path}, row {row + 1}, picture {place + 1}",
                        partial(self._bytes, column, row, place if listed else None),
                        (one or {}).get("path") or "",
                    )
                    for place, one in enumerate(named or [])
                ]
            )
        return found

    def notes(self, column: str) -> Iterator[str]:
        """What is unusual about how the pictures are stored."""
        leaf, metadata = self._leaf(column, "bytes"), self._parquet.metadata
        for group in range(metadata.num_row_groups):
            chunks = (metadata.row_group(group).column(place) for place in range(metadata.num_columns))
            size = next(chunk.total_uncompressed_size for chunk in chunks if chunk.path_in_schema == leaf)
            if size > LARGE:
                yield (
                    f"{self.path}: row group {group + 1} holds {size >> 20} MB of pictures and is read as a whole; "
                    "files with row groups of 100 rows need less memory"
                )

    def _bytes(self, column: str, row: int, place: int | None) -> bytes:
        group = bisect_right(self._starts, row) - 1
        value = self._pictures(group, column)[row - self._starts[group]]
        one = value if place is None else value[place]
        data = one["bytes"].as_py()
        if data is None:
            raise BadData(
                f"{self.path}, row {row + 1}: the picture has no bytes, only the name {one['path'].as_py()!r}"
            )
        return bytes(data)

    def _pictures(self, group: int, column: str) -> pa.ChunkedArray:
        """The pictures of a row group. The ones looked at last stay in memory as far as `KEPT` allows."""
        with self._lock:
            key = (group, column)
            if key in self._groups:
                self._groups.move_to_end(key)
                return self._groups[key]
            while self._groups and sum(kept.nbytes for kept in self._groups.values()) > KEPT:
                self._groups.popitem(last=False)
            what = f"the pictures of rows {self._starts[group] + 1} to {self._starts[group + 1]}"
            found = self._read(what, self._parquet.read_row_group, group, [column]).column(column)
            self._groups[key] = found
            return found

    def _leaf(self, column: str, field: str) -> str:
        """The full name of a part of a picture: `images.list.element.bytes`."""
        schema = self._parquet.schema
        paths = [schema.column(place).path for place in range(len(schema))]
        for path in paths:
            if path.split(".")[0] == column and path.split(".")[-1] == field:
                return str(path)
        raise BadData(f"{self.path}: the pictures in the column {column!r} have no {field!r}")

    def _read(self, what: str, read: Any, *arguments: Any) -> Any:
        import pyarrow as pa

        try:
            return read(*arguments[:-1], columns=arguments[-1], use_threads=False)
        except (pa.ArrowException, OSError) as error:
            raise BadData(f"{self.path} is damaged: {what} cannot be read ({_line(error)})") from None


def _opened(path: Path) -> pq.ParquetFile:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ValueError(f"{path} is a parquet file, which takes pyarrow: pip install -e '.[data]'") from None
    try:
        return pq.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20, page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        raise BadData(f"{path} is no parquet file, or it is cut off: {_line(error)}") from None


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]

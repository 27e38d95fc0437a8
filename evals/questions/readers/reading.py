"""Reads published questions in any of the formats: parquet, JSON with separate pictures, TFRecord.

read(FORM, "FlagEval/ERQAPlus")    # the hub's cache, a folder or a file
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from evals.questions.readers.forms import Form, Raw, row_of
from evals.questions.readers.parquet import ParquetFile
from evals.questions.readers.rows import BadData, Photo, Published, Row
from evals.questions.readers.sources import checked, find
from evals.questions.readers.tfrecord import Span, Values, examples
from planners.files import read_json
from planners.names import unknown


def read(form: Form, where: str | Path, *, partial: bool = False) -> Published:
    """Read all questions of a published set; `BadData` or `FileNotFoundError` with one line if that fails.

    Files with a number of questions other than the published one are refused, unless `partial` is set or the files are
    the user's own.
    """
    files = find(where, form.files)
    rows: list[Row] = []
    notes: list[str] = []
    for path in files:
        for raw in _raws(form, path, notes):
            rows.append(row_of(form, raw, len(rows) + 1))
    twice = [name for name, count in Counter(row.id for row in rows).items() if count > 1]
    if twice:
        raise BadData(f"{_named(files)}: two questions have the same {form.id or 'number'}: {twice[0]}")
    if not rows:
        raise BadData(f"{_named(files)}: there are no questions in it")
    if form.expected and len(rows) != form.expected and not partial and files[0].name not in form.own:
        raise BadData(
            f"{_named(files)} has {len(rows)} questions, the last in row {len(rows)} ({rows[-1].id}); the published "
            f"set has {form.expected}. --partial accepts another number"
        )
    return Published(tuple(rows), files, tuple(notes))


def _named(files: tuple[Path, ...]) -> str:
    return str(files[0]) if len(files) == 1 else f"{files[0].parent} ({len(files)} files)"


def _raws(form: Form, path: Path, notes: list[str]) -> Iterator[Raw]:
    readers = {".parquet": _parquet, ".json": _json, ".jsonl": _json, ".tfrecord": _tfrecord}
    if path.suffix not in readers:
        raise unknown("format of a file of questions", path.suffix or path.name, readers)
    return readers[path.suffix](form, path, notes)


def _check_columns(form: Form, where: str, columns: tuple[str, ...]) -> None:
    missing = [name for name in form.needed if name not in columns]
    if not form.numbered and form.id not in columns:
        missing.insert(0, form.id)
    if missing:
        what = f"column {missing[0]!r}" if len(missing) == 1 else f"columns {', '.join(map(repr, missing))}"
        raise BadData(f"{where} has no {what}. Its columns: {', '.join(columns) or 'none'}")


def _parquet(form: Form, path: Path, notes: list[str]) -> Iterator[Raw]:
    file = ParquetFile(path)
    columns = file.columns
    _check_columns(form, str(path), columns)
    column = next((name for name in form.pictures if name in columns), None)
    if column is None and not any(name in columns for name in form.paths):
        raise BadData(f"{path} has no column {form.pictures[0]!r}. Its columns: {', '.join(columns)}")
    photos = file.photos(column) if column else [[] for _ in range(file.rows)]
    notes.extend(file.notes(column) if column else ())
    wanted = [name for name in dict.fromkeys((*form.needed, *form.useful)) if name in columns]
    for row, fields in enumerate(file.texts(wanted)):
        yield Raw(f"{path}, row {row + 1}", fields, photos[row], partial(_beside, path.parent))


def _json(form: Form, path: Path, notes: list[str]) -> Iterator[Raw]:
    rows = _lines(path) if path.suffix == ".jsonl" else _listed(path)
    for number, fields in enumerate(rows, 1):
        if not isinstance(fields, Mapping):
            raise BadData(f"{path}, row {number}: a question has to be a JSON object, not {str(fields)[:80]!r}")
        _check_columns(form, f"{path}, row {number}", tuple(str(name) for name in fields))
        yield Raw(f"{path}, row {number}", fields, (), partial(_beside, path.parent))


def _listed(path: Path) -> list[Any]:
    try:
        value = read_json(path)
    except ValueError as error:
        raise BadData(f"{path}: {error}") from None
    lists = [one for one in value.values() if isinstance(one, list)] if isinstance(value, dict) else [value]
    if len(lists) != 1 or not isinstance(lists[0], list):
        raise BadData(f"{path} holds no list of questions")
    return lists[0]


def _lines(path: Path) -> Iterator[Any]:
    import json

    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise BadData(f"{path}, line {number}: broken JSON: {error}") from None


def _beside(folder: Path, where: str, name: str) -> Photo:
    """A picture in a separate file. Raises immediately if the file is missing."""
    # Links are not resolved, because files in the hub's cache are links.
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise BadData(f"{where}: {name} is not below {folder}")
    try:
        there = (folder / name).is_file()
    except OSError as error:  # too long for a file system
        raise BadData(f"{where}: {name[:60]!r}… is no name of a file: {error.strerror}") from None
    if not there:
        raise FileNotFoundError(f"{where}: there is no file {folder / name}")
    return Photo(f"{where}, {folder / name}", partial(_contents, folder / name), name)


def _contents(path: Path) -> bytes:
    return checked(path).read_bytes()


def _tfrecord(form: Form, path: Path, notes: list[str]) -> Iterator[Raw]:
    for number, (start, values) in enumerate(examples(path), 1):
        where = f"{path}, record {number} at byte {start}"
        pictures = next((name for name in form.pictures if name in values), "")
        fields = {name: _plain(value, name, where) for name, value in values.items() if name not in form.pictures}
        _check_columns(form, where, tuple(fields))
        spans = [one for one in values.get(pictures, ()) if isinstance(one, Span)]
        photos = [Photo(f"{where}, picture {place}", span.read) for place, span in enumerate(spans, 1)]
        yield Raw(where, fields, photos)


def _plain(values: Values, name: str, where: str) -> Any:
    """The value of a feature: one text, or a list of numbers."""
    texts = []
    for one in values:
        if isinstance(one, Span):
            try:
                texts.append(one.read().decode())
            except UnicodeDecodeError as error:
                raise BadData(f"{where}: {name!r} is no text in UTF-8 (byte {one.start + error.start})") from None
    return texts[0] if texts else list(values) or None

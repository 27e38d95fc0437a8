"""The published form of ActionEQA: a folder for each configuration with parquet files, in a folder or the hub's cache.

State prediction has the columns `frame1, action, option_A … option_D (pictures), correct_ans`, action inference
`frame1, frame2, option_A … option_D (texts), correct_ans`. Pictures hold all views side by side. Nothing is fetched.
A row that cannot be used becomes a question with a fault; the others can be asked.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.actioneqa.entries import CONFIGURATIONS, LETTERS, Configuration, Entry, Shot
from evals.questions.readers.parquet import ParquetFile
from evals.questions.readers.rows import BadData, Photo
from evals.questions.readers.sources import find
from planners.names import unknown

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

WIDTHS = {"bridge": 256, "droid": 320, "rt1": 0}
"""The width of one view in the published pictures; 0: there is only one view. The value for DROID is an assumption."""
ORDER: Mapping[str, tuple[str, ...]] = {
    "bridge": ("exo_1", "exo_2", "exo_3", "exo_4"),
    "droid": ("exo_1", "ego"),
    "rt1": ("exo_1",),
}
"""The order of the views in a published picture."""
NOTE = (
    "droid: the published data does not say how its pictures are made up; one of 640 pixels is taken for the outer "
    "view, then the wrist's"
)


@dataclass(frozen=True, slots=True)
class PublishedData:
    """The questions of some configurations, and notes on the files."""

    entries: tuple[Entry, ...]
    notes: tuple[str, ...]


def columns_of(configuration: Configuration) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of pictures, in the order in which they are shown, and the columns of texts."""
    options = tuple(f"option_{letter}" for letter in LETTERS)
    if configuration.direction == "forward":
        return ("frame1", *options), ("action", "correct_ans")
    return ("frame1", "frame2"), (*options, "correct_ans")


def read_hub(where: str | Path, wanted: Sequence[Configuration]) -> PublishedData:
    """The questions of the configurations that the folder, or the data set of this name in the hub's cache, has."""
    entries: list[Entry] = []
    notes: list[str] = []
    missing: list[FileNotFoundError] = []
    for configuration in wanted:
        try:
            files = find(where, (f"{configuration.name}/train-*.parquet", f"{configuration.name}.parquet"))
        except FileNotFoundError as error:
            missing.append(error)
            continue
        for path in files:
            entries += _entries(path, configuration, notes)
    if not entries:
        raise missing[0] if missing else BadData(f"{where} has no questions")
    if missing:
        names = [one.name for one in wanted if one.name not in {entry.configuration.name for entry in entries}]
        notes.append(f"{where} has no {', no '.join(names)}")
    if any(entry.configuration.source == "droid" for entry in entries):
        notes.append(NOTE)
    return PublishedData(tuple(entries), tuple(dict.fromkeys(notes)))


def _entries(path: Path, configuration: Configuration, notes: list[str]) -> Iterator[Entry]:
    name = f"{configuration.name}-{path.stem.removeprefix('train-')}"
    try:
        file = ParquetFile(path)
        pictures, texts = columns_of(configuration)
        absent = [column for column in (*pictures, *texts) if column not in file.columns]
        if absent:
            raise BadData(f"{path} has no column {absent[0]!r}. Its columns: {', '.join(file.columns)}")
        photos = [file.photos(column) for column in pictures]
        for column in pictures:
            notes.extend(file.notes(column))
    except BadData as error:
        # The number of questions in a file that cannot be opened is unknown: it counts as one.
        yield Entry(name, configuration, fault=str(error))
        return
    for row, fields in file.rows_of(texts):
        where = f"{path}, row {row + 1}"
        own = f"{configuration.name}-{row:04d}" if "-00000-of-" in path.name or "-of-" not in path.name else ""
        shown = [column[row] for column in photos]
        yield _entry(own or f"{name}-{row:04d}", configuration, where, fields, shown)


def _entry(
    name: str, configuration: Configuration, where: str, fields: Mapping[str, Any] | BadData, shown: list[list[Photo]]
) -> Entry:
    try:
        if isinstance(fields, BadData):
            raise BadData(f"{where}: {fields}")
        texts = [fields[column] for column in columns_of(configuration)[1][:-1]]
        empty = next((text for text in texts if not isinstance(text, str) or not text.strip()), texts)
        if empty is not texts:
            raise BadData(f"{where}: a text is empty: {empty!r}")
        if any(len(photos) != 1 for photos in shown):
            raise BadData(f"{where}: a picture is missing")
        right = _right(fields["correct_ans"], where)
    except BadData as error:
        return Entry(name, configuration, fault=str(error))
    shots = [_shot(photos[0], configuration.source) for photos in shown]
    if configuration.direction == "forward":
        return Entry(name, configuration, right, shots[0], None, shots[1:], _pictured(), str(texts[0]), scene=name)
    options = tuple(str(text) for text in texts)
    if len(set(options)) < len(options):
        return Entry(name, configuration, fault=f"{where}: two options are the same")
    return Entry(name, configuration, right, shots[0], shots[1], (), options, scene=name)


def _pictured() -> tuple[str, ...]:
    return tuple(f"picture {number}" for number in range(2, 6))


def _right(value: Any, where: str) -> int:
    """The place of the right option, given as a number from 0 or as a letter."""
    if isinstance(value, str) and value.strip() in LETTERS and value.strip():
        return LETTERS.index(value.strip())
    if isinstance(value, int) and 0 <= value < len(LETTERS):
        return value
    raise BadData(f"{where}: correct_ans is {value!r}, neither a number from 0 to 3 nor a letter from A to D")


def _shot(photo: Photo, source: str) -> Shot:
    return lambda views: cut(photo.png(), source, views, photo.where)


def cut(png: bytes, source: str, views: Sequence[str], where: str = "the picture") -> bytes:
    """Some views of a published picture, side by side; `BadData` if it does not have them or is damaged."""
    from PIL import Image

    image = _decoded(png, where)
    single = WIDTHS[source] or image.width
    order = ORDER[source][: max(image.width // single, 1)]
    absent = next((view for view in views if view not in order), None)
    if absent is not None:
        raise BadData(f"{where}: it is {image.width} pixels wide and has no view {absent!r}, only {', '.join(order)}")
    if tuple(views) == order and image.width <= single * len(order):
        return png
    width = min(single, image.width)
    found = Image.new("RGB", (width * len(views), image.height))
    for place, view in enumerate(views):
        left = order.index(view) * single
        found.paste(image.crop((left, 0, left + width, image.height)), (place * width, 0))
    return _encoded(found)


def _decoded(png: bytes, where: str) -> Picture:
    """Decode a whole picture, which also finds damage in the middle of the file."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(png)) as image:
            image.load()
            return image.convert("RGB")
    except (OSError, SyntaxError, ValueError) as error:
        raise BadData(f"{where}: the picture is damaged ({error})") from None


def _encoded(image: Picture) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def configurations(source: str | None, level: str | None, direction: str | None) -> tuple[Configuration, ...]:
    """The configurations of a source, some levels and a direction; None means all."""
    levels = None if level is None else [one.strip() for one in level.split(",")]
    for value in levels or ():
        if value not in ("high", "mid", "low"):
            raise unknown("level", value, ("high", "mid", "low"))
    found = tuple(
        one
        for one in CONFIGURATIONS.values()
        if source in (None, one.source)
        and (levels is None or one.level in levels)
        and direction in (None, one.direction)
    )
    if not found:
        raise ValueError(f"{source} has no questions of the level {level}: only bridge and droid have mid and low")
    return found

"""What every reader returns: questions with their references, and pictures that are read when they are looked at."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evals.questions.reference import Reference
from models.base import Kind
from tools.events import Value

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
)
_PNG_END = b"IEND\xaeB`\x82"
_JPEG_END = b"\xff\xd9"


class BadData(ValueError):
    """Published data that cannot be used: one line that names the file and the row or the byte."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture of a question. `where` names it in messages, `name` is its file name as published, if it has one."""

    where: str
    load: Callable[[], bytes] = field(repr=False)
    name: str = ""

    def data(self) -> bytes:
        """The bytes as published; `BadData` if they are no picture or not all of one."""
        data = self.load()
        if not data:
            raise BadData(f"{self.where}: the picture is empty")
        if media_type(data) == "image/png" and _PNG_END not in data:
            raise BadData(f"{self.where}: the picture is cut off: it has no end ({len(data)} bytes)")
        if not _has_end(data):
            self._decoded(data)
        return data

    @property
    def media_type(self) -> str:
        """`image/png`, `image/jpeg`, …; `BadData` for anything else."""
        data = self.load()
        kind = media_type(data)
        if not kind:
            raise BadData(f"{self.where}: these {len(data)} bytes are no picture: they start with {data[:8]!r}")
        return kind

    def png(self) -> bytes:
        """The picture as PNG: as published where it is one, else converted."""
        data = self.data()
        return data if media_type(data) == "image/png" else self._decoded(data)

    def _decoded(self, data: bytes) -> bytes:
        """Decode every pixel: a picture that is cut off or damaged is found out here."""
        from PIL import Image, UnidentifiedImageError

        out = io.BytesIO()
        try:
            with Image.open(io.BytesIO(data)) as image:
                image.load()
                shown = image if image.mode in ("L", "RGB", "RGBA") else image.convert("RGB")
                shown.save(out, "PNG", compress_level=1)
        except UnidentifiedImageError:
            raise BadData(
                f"{self.where}: these {len(data)} bytes are no picture: they start with {data[:8]!r}"
            ) from None
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
            raise BadData(f"{self.where}: the picture is cut off or damaged ({error})") from None
        return out.getvalue()


def media_type(data: bytes) -> str:
    """The type of a picture by its first bytes; empty for what is none."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _SIGNATURES if data.startswith(start)), "")


def _has_end(data: bytes) -> bool:
    """Whether a PNG or a JPEG ends as it should. What cannot be told this cheaply has to be decoded."""
    end = {"image/png": _PNG_END, "image/jpeg": _JPEG_END}.get(media_type(data))
    return end is not None and data.endswith(end)


@dataclass(frozen=True, slots=True)
class Row:
    """One published question.

    `text` is the question without its options and items, as `envs.base.Question` has it; `prompt` is the question as
    published. `places` say before which character of `prompt` each picture belongs; empty: all pictures come first.
    `more` are further columns that a set keeps, such as an explanation.
    """

    id: str
    text: str
    reference: Reference
    options: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    pictures: tuple[Photo, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    prompt: str = ""
    places: tuple[int, ...] = ()
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """The form of the answer."""
        return self.reference.kind

    @property
    def answer(self) -> Value:
        """The right answer as a reader of replies would return it; of several right orders the first."""
        return answer_of(self.reference)


@dataclass(frozen=True, slots=True)
class Published:
    """The questions of a published set, with notes on what is unusual about the files."""

    rows: tuple[Row, ...]
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()

    def check_pictures(self, rows: Iterable[Row] | None = None) -> int:
        """Read every picture once and return how many there are; `BadData` names the first that is cut off."""
        count = 0
        for photo in _photos(self.rows if rows is None else rows):
            photo.data()
            count += 1
        return count


def _photos(rows: Iterable[Row]) -> Iterator[Photo]:
    for row in rows:
        yield from row.pictures


def answer_of(reference: Reference) -> Value:
    """The right answer in a reference, as `tools.events.Answered` has it."""
    kwargs = reference.kwargs
    match reference.kind:
        case Kind.CHOICE:
            letter = str(kwargs.get("label", reference.text)).strip()
            place = ord(letter) - ord("A") if len(letter) == 1 else -1
            return reference.options[place] if 0 <= place < len(reference.options) else letter
        case Kind.CHOICES:
            return tuple(sorted(letter for letter in str(kwargs["label"]).upper() if "A" <= letter <= "Z"))
        case Kind.ORDER | Kind.MATCHING:
            order = kwargs["order"]
            return tuple(str(one) for one in (order[0] if isinstance(order[0], list) else order))
        case Kind.JUDGEMENTS:
            return tuple(kwargs["bool_str"])
        case Kind.NUMBER:
            return float(kwargs["value_to_match"])
    return reference.text

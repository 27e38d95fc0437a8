"""The output of every reader: questions with references, and pictures that are read on demand."""

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
    """Published data is invalid; the message names the file and the row or byte in one line."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A picture of a question. `where` names it in messages, `name` is its published file name, if any."""

    where: str
    load: Callable[[], bytes] = field(repr=False)
    name: str = ""

    def data(self) -> bytes:
        """The published bytes; `BadData` if they are not a complete picture."""
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
        """The picture as PNG, converted if necessary."""
        data = self.data()
        return data if media_type(data) == "image/png" else self._decoded(data)

    def _decoded(self, data: bytes) -> bytes:
        """Decode every pixel, which detects truncated and damaged pictures."""
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
    """The media type of a picture by its first bytes; empty if it is not a picture."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _SIGNATURES if data.startswith(start)), "")


def _has_end(data: bytes) -> bool:
    """Whether a PNG or JPEG has its end marker. Other formats have to be decoded."""
    end = {"image/png": _PNG_END, "image/jpeg": _JPEG_END}.get(media_type(data))
    return end is not None and data.endswith(end)


@dataclass(frozen=True, slots=True)
class Row:
    """One published question.

    `text` is the question without its options and items, as `envs.base.Question` has it; `prompt` is the question as
    published. `places` are the positions of the pictures in `prompt`; if empty, all pictures come first.
    `more` are further columns of a set, such as an explanation.
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
        """The right answer in the form of a parsed reply; of several right orders, the first."""
        return answer_of(self.reference)


@dataclass(frozen=True, slots=True)
class Published:
    """The questions of a published set, with notes about unusual files."""

    rows: tuple[Row, ...]
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()

    def check_pictures(self, rows: Iterable[Row] | None = None) -> int:
        """Read every picture once and return their number; `BadData` names the first damaged one."""
        count = 0
        for photo in _photos(self.rows if rows is None else rows):
            photo.data()
            count += 1
        return count


def _photos(rows: Iterable[Row]) -> Iterator[Photo]:
    for row in rows:
        yield from row.pictures


def answer_of(reference: Reference) -> Value:
    """The right answer of a reference, in the form of `tools.events.Answered`."""
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

"""The column layout of a published set. A benchmark states it as data (`Form`), by which `row_of` reads rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evals.questions.known import LETTERS
from evals.questions.readers.rows import BadData, Photo, Row
from evals.questions.readers.splitting import Split, split, with_items
from evals.questions.reference import Reference
from evals.questions.scorers import checked
from models.base import Kind
from planners.names import unknown

EVALUATORS: Mapping[str, tuple[str, Kind]] = {
    "choices_matching": ("label", Kind.CHOICES),
    "ordered_list_matching": ("order", Kind.ORDER),
    "bool_list_matching": ("bool_str", Kind.JUDGEMENTS),
    "number_matching": ("value_to_match", Kind.NUMBER),
    "key_items_matching": ("key_items", Kind.TEXT),
}
"""The arguments of each published evaluator, and the form of answer that it reads."""
MATCHING = "matching"
LETTER = "multiple-choice"
_LETTER = re.compile(r"\(?([A-Z])(?:[).:]|$)")


@dataclass(frozen=True, slots=True)
class Form:
    """The columns of a published set. An empty name means no column; optional columns may be missing in files.

    If rows name no evaluator, `letter` is that of all rows: the answer is one letter. `closing` are instructions
    at the end of questions, as regular expressions; `spelling` maps published names of tags to ours. `files` are
    file patterns, of which the first that matches any file is used; `expected` is the number of questions,
    except for files named in `own`, which are users' own sets.
    """

    files: tuple[str, ...]
    expected: int = 0
    own: tuple[str, ...] = ()
    hub: str = ""
    id: str = "question_id"
    numbered: str = ""
    question: str = "question"
    options: str = ""
    answer: str = "reference"
    pictures: tuple[str, ...] = ("images",)
    paths: tuple[str, ...] = ()
    places: str = ""
    evaluator: str = "evaluator"
    kwargs: str = "evaluator_kwargs"
    letter: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    spelling: Mapping[str, str] = field(default_factory=dict)
    closing: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    @property
    def needed(self) -> tuple[str, ...]:
        """The required columns."""
        own = () if self.letter else (self.evaluator, self.kwargs)
        return tuple(dict.fromkeys(name for name in (self.question, self.answer, *own, *self.tags.values()) if name))

    @property
    def useful(self) -> tuple[str, ...]:
        """The optional columns."""
        return tuple(name for name in (self.id, self.options, self.places, *self.paths, *self.more) if name)


@dataclass(frozen=True, slots=True)
class Raw:
    """A row of a file. `where` names it in messages; `open` finds a picture that only has a file name."""

    where: str
    fields: Mapping[str, Any]
    photos: Sequence[Photo] = ()
    open: Callable[[str, str], Photo] | None = None


def row_of(form: Form, raw: Raw, number: int) -> Row:
    """The question in a row; `BadData` if it is invalid."""
    fields = raw.fields
    for name in form.needed:
        if fields.get(name) is None:
            raise BadData(f"{raw.where}: it has no {name!r}")
    name = str(fields.get(form.id) or "") if form.id else ""
    if not name:
        if not form.numbered:
            raise BadData(f"{raw.where}: it has no {form.id!r}")
        name = f"{form.numbered}{number}"
    where = raw.where if form.numbered else f"{raw.where} ({name})"
    prompt = str(fields[form.question])
    tags = {"type": LETTER} if form.letter else {}
    tags |= {tag: _spelled(form, str(fields[column])) for tag, column in form.tags.items()}
    photos = _photos(form, raw, where)
    found = _split(form, fields, prompt)
    text = str(fields[form.answer])
    if form.letter:
        text = _letter(text, found.options, where)
    evaluator, kwargs, kind = _evaluator(form, fields, where, tags.get("type", ""))
    kind, found = _with_kind(kind, kwargs, found)
    reference = _checked(Reference(evaluator, kwargs, kind, found.options, text), where)
    scene = " ".join(photo.name for photo in photos if photo.name) or name
    return Row(
        name,
        found.text,
        reference,
        found.options,
        found.items,
        photos,
        {**tags, "pictures": str(len(photos)), "scene": scene},
        prompt,
        _places(form, fields, where, len(photos), len(prompt)),
        {column: str(fields[column]) for column in form.more if fields.get(column) is not None},
    )


def _spelled(form: Form, value: str) -> str:
    return form.spelling.get(value, value)


def _photos(form: Form, raw: Raw, where: str) -> tuple[Photo, ...]:
    if raw.photos:
        return tuple(raw.photos)
    named = next((raw.fields[name] for name in form.paths if raw.fields.get(name)), ())
    if not isinstance(named, str | list | tuple):
        raise BadData(f"{where}: its pictures have to be names of files, not {str(named)[:60]!r}")
    paths = [named] if isinstance(named, str) else list(named)
    if raw.open is None and paths:
        raise BadData(f"{where}: it names pictures, and there are none in the file")
    return tuple(raw.open(f"{where}, picture {place}", str(path)) for place, path in enumerate(paths, 1) if raw.open)


def _split(form: Form, fields: Mapping[str, Any], prompt: str) -> Split:
    found = split(prompt, form.closing)
    listed = fields.get(form.options) if form.options else None
    if not listed:
        return found
    if found.options:
        return found
    # `A. text` or only the text: split() handles both on separate lines.
    lines = [str(option).strip() for option in listed]
    lettered = split("\n".join(lines))
    return Split(found.text, lettered.options if len(lettered.options) == len(lines) else tuple(lines), found.items)


def _checked(reference: Reference, where: str) -> Reference:
    try:
        return checked(reference)
    except ValueError as error:
        raise BadData(f"{where}: {error}") from None


def _letter(answer: str, options: Sequence[str], where: str) -> str:
    """The letter of the right option: `B`, `(B)`, `B. Red cup` or the option's own words."""
    plain = answer.strip()
    found = _LETTER.match(plain.upper())
    same = [LETTERS[k] for k, option in enumerate(options) if option.casefold() == plain.casefold()]
    letter = plain.upper() if len(plain) == 1 else same[0] if same else found[1] if found else ""
    possible = LETTERS[: len(options)] if options else LETTERS
    if not letter or letter not in possible:
        raise BadData(f"{where}: the answer {answer[:60]!r} is no letter from A to {possible[-1]}")
    return letter


def _evaluator(form: Form, fields: Mapping[str, Any], where: str, type_: str) -> tuple[str, dict[str, Any], Kind]:
    if form.letter:
        return form.letter, {}, Kind.CHOICE
    evaluator = str(fields[form.evaluator])
    if evaluator not in EVALUATORS:
        raise BadData(f"{where}: {unknown('evaluator', evaluator, EVALUATORS)}")
    name, kind = EVALUATORS[evaluator]
    kwargs = _kwargs(fields[form.kwargs], form.kwargs, where)
    if name not in kwargs:
        raise BadData(
            f"{where}: {evaluator} needs {name!r} in {form.kwargs}, which has only {', '.join(kwargs) or '{}'}"
        )
    if kind is Kind.JUDGEMENTS and isinstance(kwargs[name], str):
        kwargs[name] = list(kwargs[name])
    wrong = _misfit(name, kwargs[name])
    if wrong:
        raise BadData(f"{where}: {name!r} in {form.kwargs} {wrong}, not {json.dumps(kwargs[name], default=str)[:80]}")
    return evaluator, kwargs, Kind.MATCHING if kind is Kind.ORDER and type_ == MATCHING else kind


def _kwargs(value: Any, name: str, where: str) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise BadData(f"{where}: {name} is not JSON ({error}): {value[:80]!r}") from None
    if not isinstance(value, Mapping):
        raise BadData(f"{where}: {name} is not a JSON object: {str(value)[:80]!r}")
    # A struct column of parquet has all names in every row.
    return {str(key): one for key, one in value.items() if one is not None}


def _misfit(name: str, value: Any) -> str:
    """What an evaluator requires of its argument; empty if the argument is valid."""
    match name:
        case "label":
            return "" if isinstance(value, str) and value.strip() else "has to be a text of letters"
        case "order":
            lists = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
            return "" if all(map(_texts, lists)) else "has to be a list of texts, or a list of such lists"
        case "bool_str":
            fits = _texts(value) and set(value) <= {"0", "1"}
            return "" if fits else "has to be a list of 0 and 1 as texts"
        case "value_to_match":
            return "" if isinstance(value, int | float) and not isinstance(value, bool) else "has to be a number"
    lists = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
    return "" if all(map(_texts, lists)) else "has to be a list of texts, or a list of such lists"


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


def _with_kind(kind: Kind, kwargs: Mapping[str, Any], found: Split) -> tuple[Kind, Split]:
    """Interpret numbered lines: as statements to judge, as items to match, or as part of the question."""
    if kind is Kind.JUDGEMENTS:
        count = len(kwargs["bool_str"])
        if len(found.items) == count and not found.options:
            return kind, Split(found.text, found.items)
        if len(found.options) == count:
            return kind, with_items(found)
    if kind is Kind.MATCHING:
        order = kwargs["order"]
        if len(found.items) == len(order[0] if isinstance(order[0], list) else order):
            return kind, found
    return kind, with_items(found)


def _places(form: Form, fields: Mapping[str, Any], where: str, photos: int, length: int) -> tuple[int, ...]:
    value = fields.get(form.places) if form.places else None
    if isinstance(value, str):
        try:
            value = json.loads(value or "[]")
        except ValueError:
            raise BadData(f"{where}: {form.places} is no list of numbers: {value[:80]!r}") from None
    if value is None:
        return ()
    listed = [value] if isinstance(value, int) else list(value)
    if not all(isinstance(one, int) for one in listed):
        raise BadData(f"{where}: {form.places} is no list of numbers: {str(value)[:80]!r}")
    if not any(listed):
        return ()
    if len(listed) != photos or not all(0 <= one <= length for one in listed):
        raise BadData(f"{where}: {form.places} {listed} does not fit {photos} pictures in {length} characters")
    return tuple(listed)

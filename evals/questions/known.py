"""Information about a question without its pictures: its words, its answer, and the positions of marks.

The input of shortcut programs, learners and filters. A benchmark makes it from its items.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from models.base import Kind
from tools.events import Value

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Spot:
    """The position of a mark in a picture, and the number of visible pixels of the marked thing."""

    x: float
    y: float
    area: float = 0.0
    picture: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """A question as known to a program that does not see pictures.

    `spots` are by the text of the mark, as options name it (`the object marked 4`, `the red one`). `anchor` is the
    thing that others are compared with, if one is marked as such. `also` are further right answers; `chance` is the
    success rate of guessing, if the form does not determine it. `captions` roughly describe the pictures.
    """

    id: str
    kind: Kind
    text: str
    answer: Value
    options: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    spots: Mapping[str, Spot] = field(default_factory=dict)
    anchor: Spot | None = None
    scene: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    also: tuple[Value, ...] = ()
    chance: float | None = None
    captions: str = ""

    @property
    def template(self) -> str:
        """The text without numbers, which is equal for questions from one template."""
        return _DIGITS.sub("#", self.text).casefold()

    def right(self, value: Value) -> bool:
        """Whether a value is a right answer."""
        return any(_same(self.kind, value, answer) for answer in (self.answer, *self.also))


def _same(kind: Kind, value: Value, answer: Value) -> bool:
    if value is None:
        return False
    if kind is Kind.CHOICES and isinstance(value, tuple) and isinstance(answer, tuple):
        return set(value) == set(answer)
    if isinstance(value, str) and isinstance(answer, str):
        return value.strip().casefold() == answer.strip().casefold()
    return value == answer


def chance_of(question: Known) -> float:
    """The success rate of guessing, as stated or by the form of the answer; 0 for open forms."""
    if question.chance is not None:
        return question.chance
    options = len(question.options)
    match question.kind:
        case Kind.CHOICE | Kind.CHOICES:
            return 1 / options if options else 0.0
        case Kind.ORDER:
            length = len(question.answer) if isinstance(question.answer, tuple) else 0
            return 1 / math.perm(options, length) if 0 < length <= options else 0.0
        case Kind.MATCHING:
            return 1 / options ** len(question.answer) if options and isinstance(question.answer, tuple) else 0.0
        case Kind.JUDGEMENTS:
            return 0.5 ** len(question.answer) if isinstance(question.answer, tuple) else 0.0
        case Kind.YES_NO:
            return 0.5
    return 0.0


def marks_in(question: Known, text: str) -> list[Spot]:
    """The spots that a text names, in order."""
    found = []
    for name, spot in question.spots.items():
        place = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
        if place:
            found.append((place.start(), spot))
    return [spot for _, spot in sorted(found, key=lambda pair: pair[0])]


def listed(question: Known, order: Sequence[int]) -> Value:
    """An answer from options ranked by their indices: the first one, or as many as the form requires."""
    if not order:
        return None
    match question.kind:
        case Kind.CHOICE:
            return question.options[order[0]]
        case Kind.CHOICES:
            return (LETTERS[order[0]],)
        case Kind.ORDER:
            length = len(question.answer) if isinstance(question.answer, tuple) else len(order)
            return tuple(LETTERS[place] for place in order[:length])
    return None


def by_group(questions: list[Known], tag: str) -> Iterator[tuple[str, list[Known]]]:
    """The questions grouped by the value of a tag; the first group, `all`, has all of them."""
    yield "all", questions
    for value in dict.fromkeys(question.tags.get(tag, "") for question in questions):
        if value:
            yield value, [question for question in questions if question.tags.get(tag) == value]

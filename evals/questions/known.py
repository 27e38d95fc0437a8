"""What is known of a question without looking at its pictures: the words, the answer, and where the marks are.

Shortcut programs, learners and filters work on these. A benchmark makes them from its own items.
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
    """Where a mark is in a picture, and how many pixels of the marked thing are seen."""

    x: float
    y: float
    area: float = 0.0
    picture: int = 0


@dataclass(frozen=True, slots=True)
class Known:
    """A question as a program without eyes knows it.

    `spots` are by the text of the mark, as options name it (`the object marked 4`, `the red one`). `anchor` is the
    thing that others are compared with, if one is marked as such. `also` are further right answers; `chance` is how
    often guessing is right, where that is not clear from the form. `captions` say roughly what can be seen.
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
        """The text with its numbers taken out: questions of one template ask the same of other things."""
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
    """How often guessing is right: by what the question says, else by its form; 0 where nothing can be guessed."""
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
    """The spots that a text names, in the order in which it does."""
    found = []
    for name, spot in question.spots.items():
        place = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
        if place:
            found.append((place.start(), spot))
    return [spot for _, spot in sorted(found, key=lambda pair: pair[0])]


def listed(question: Known, order: Sequence[int]) -> Value:
    """An answer made of the options in this order, given by their places: the first of them, or as many as are due."""
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
    """The questions by the value of a tag, all of them under `all` first."""
    yield "all", questions
    for value in dict.fromkeys(question.tags.get(tag, "") for question in questions):
        if value:
            yield value, [question for question in questions if question.tags.get(tag) == value]

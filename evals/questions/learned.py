"""Learners that never see a picture: one uses the words, one the positions of marks.

Every question becomes choices among candidates: one for a letter, a sequence for an order or a matching, one with
two candidates for each statement. A linear model learns all of them with a softmax over the candidates of each choice.
It is trained on other scenes than those that it is tested on.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from evals.questions.known import LETTERS, Known, Spot, listed, marks_in
from models.base import Kind
from tools.events import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

Tokens: TypeAlias = dict[str, float]
"""Features by name."""
Features: TypeAlias = Callable[[Known, str, int, str], Tokens]
"""Computes features from the question, the candidate's text, its index, and the item that it is chosen for."""

WIDTH = 1 << 12
"""The number of columns that features are hashed into."""
STEPS = 120
FOLDS = 5
_WORD = re.compile(r"\w+")


class _Choice(NamedTuple):
    """One choice: a row of features for each candidate, and the right one."""

    rows: list[Tokens]
    right: int


def text_features(question: Known, candidate: str, place: int, item: str) -> Tokens:
    """The words of the candidate, alone and combined with the question."""
    words = _WORD.findall(candidate.casefold())
    asked = f"{question.kind}|{question.template}"
    found: Tokens = {f"{asked}|place {place}": 1.0, f"place {place}": 1.0, f"length|{asked}": len(words) / 8}
    for word in {*words, " ".join(words)}:
        found[f"word|{word}"] = found[f"{asked}|word|{word}"] = 1.0
        if item:
            found[f"{item.casefold()}|{word}"] = 1.0
    return found


def position_features(question: Known, candidate: str, place: int, item: str) -> Tokens:
    """The index of the candidate and the positions of its marks, in pixels and as ranks; no words of the candidate."""
    asked = f"{question.kind}|{question.tags.get('sub_category', '')}"
    direction = f"{asked}|{question.template}"
    found: Tokens = {f"{asked}|place {place}": 1.0, f"place {place}": 1.0}
    spots = marks_in(question, candidate)
    own = marks_in(question, item)[:1] if item else []
    everyone = list(question.spots.values())
    for number, spot in enumerate(spots[:2]):
        for name, value in _measures(question, spot, everyone, own).items():
            found[f"{number} {name}"] = found[f"{direction}|{number} {name}"] = value
    if len(spots) > 1:
        for name in ("x", "y", "area", "near"):
            sign = found.get(f"0 {name}", 0.0) - found.get(f"1 {name}", 0.0)
            found[f"{direction}|difference {name}"] = found[f"difference {name}"] = sign
    return found


def _measures(question: Known, spot: Spot, everyone: Sequence[Spot], own: Sequence[Spot]) -> Tokens:
    def rank(of: Callable[[Spot], float]) -> float:
        same = [one for one in everyone if one.picture == spot.picture]
        return sum(of(one) < of(spot) for one in same) / max(1, len(same) - 1) - 0.5

    anchor = question.anchor
    near = 0.0 if anchor is None else rank(lambda one: (one.x - anchor.x) ** 2 + (one.y - anchor.y) ** 2)
    found = {
        "x": rank(lambda one: one.x),
        "y": rank(lambda one: one.y),
        "area": rank(lambda one: one.area),
        "near": near,
    }
    for other in own:
        # Ranks in two views: in the same or in mirrored order.
        theirs = [one for one in everyone if one.picture == other.picture]
        across = sum(one.x < other.x for one in theirs) / max(1, len(theirs) - 1) - 0.5
        down = sum(one.y < other.y for one in theirs) / max(1, len(theirs) - 1) - 0.5
        found |= {"across": across * found["x"], "down": down * found["y"]}
        found |= {"apart x": -abs(across - found["x"]), "apart y": -abs(down - found["y"])}
    return found


class Learner:
    """Answers questions after training on others. `answers` are the counts and words seen in training."""

    def __init__(self, questions: Sequence[Known], features: Features) -> None:
        self._features = features
        self._seen: defaultdict[str, Counter[Value]] = defaultdict(Counter)
        for question in questions:
            if question.kind in (Kind.NUMBER, Kind.TEXT):
                self._seen[f"{question.kind}|{question.template}"][question.answer] += 1
                self._seen[question.kind][question.answer] += 1
        self._weights = _trained([choice for question in questions for choice in self._choices(question)])

    def __call__(self, question: Known) -> Value:
        """The most likely answer."""
        count = len(question.options)
        match question.kind:
            case Kind.NUMBER | Kind.TEXT:
                values = self._values(question)
                return values[_best(self._scores(question, [str(value) for value in values]))] if values else None
            case Kind.JUDGEMENTS:
                true = (self._worth(self._features(question, one, 0, "")) for one in question.options)
                return tuple("1" if score > 0 else "0" for score in true) or None
            case Kind.MATCHING if question.items and count:
                return self._matched(question)
        if not count:
            return None
        scores = self._scores(question, question.options)
        order = sorted(range(count), key=lambda place: -scores[place])
        return listed(question, order)

    def _matched(self, question: Known) -> Value:
        """A matching by decreasing score; no option is used twice while others are left."""
        scores = [self._scores(question, question.options, item) for item in question.items]
        pairs = sorted((-score, row, place) for row, line in enumerate(scores) for place, score in enumerate(line))
        found: dict[int, int] = {}
        for _, row, place in pairs:
            if row not in found and place not in found.values():
                found[row] = place
        for row, line in enumerate(scores):
            found.setdefault(row, _best(line))
        return tuple(LETTERS[found[row]] for row in range(len(scores)))

    def _values(self, question: Known) -> list[Value]:
        seen = self._seen.get(f"{question.kind}|{question.template}") or self._seen.get(question.kind, Counter())
        return [value for value, _ in sorted(seen.items(), key=lambda pair: (-pair[1], str(pair[0])))]

    def _scores(self, question: Known, candidates: Sequence[str], item: str = "") -> list[float]:
        return [self._worth(self._features(question, one, place, item)) for place, one in enumerate(candidates)]

    def _worth(self, tokens: Tokens) -> float:
        return sum(float(self._weights[_column(name)]) * value for name, value in tokens.items())

    def _choices(self, question: Known) -> Iterator[_Choice]:
        """The training choices of a question."""
        answer, options = question.answer, question.options
        if question.kind in (Kind.NUMBER, Kind.TEXT):
            values = self._values(question)
            rows = [self._features(question, str(value), place, "") for place, value in enumerate(values)]
            yield _Choice(rows, values.index(answer))
            return
        if question.kind is Kind.CHOICE and answer in options:
            yield _Choice(self._rows(question), options.index(str(answer)))
        if not isinstance(answer, tuple) or not options:
            return
        if question.kind is Kind.JUDGEMENTS:
            for option, judged in zip(options, answer, strict=False):
                yield _Choice([self._features(question, option, 0, ""), {}], int(judged == "0"))
            return
        places = [LETTERS.index(letter) for letter in answer]
        if any(place >= len(options) for place in places):
            return
        if question.kind is Kind.MATCHING:
            for item, place in zip(question.items, places, strict=False):
                yield _Choice(self._rows(question, item), place)
            return
        rows = self._rows(question)
        if question.kind is Kind.CHOICES:
            yield from (_Choice(rows, place) for place in places)
            return
        # For an order: the first of all, then the first of the rest, and so on.
        left = list(range(len(options)))
        for place in places:
            if place in left and len(left) > 1:
                yield _Choice([rows[one] for one in left], left.index(place))
                left.remove(place)

    def _rows(self, question: Known, item: str = "") -> list[Tokens]:
        return [self._features(question, one, place, item) for place, one in enumerate(question.options)]


def _best(scores: Sequence[float]) -> int:
    return max(range(len(scores)), key=lambda place: scores[place])


def _column(name: str) -> int:
    return zlib.crc32(name.encode()) % WIDTH


def _trained(choices: Sequence[_Choice]) -> Numbers:
    """Weights of the features by gradient ascent on the likelihood, with Adagrad and weight decay."""
    import numpy as np

    weights = np.zeros(WIDTH)
    if not choices:
        return weights
    cells = [
        (row, _column(name), value)
        for row, tokens in enumerate(tokens for choice in choices for tokens in choice.rows)
        for name, value in tokens.items()
    ]
    rows, columns = (np.array([cell[part] for cell in cells], dtype=np.int64) for part in (0, 1))
    values = np.array([cell[2] for cell in cells])
    sizes = np.array([len(choice.rows) for choice in choices])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    owner = np.repeat(np.arange(len(choices)), sizes)
    right = np.zeros(int(sizes.sum()))
    right[starts + np.array([choice.right for choice in choices])] = 1.0
    squares = np.full(WIDTH, 1e-8)
    for _ in range(STEPS):
        scores = np.bincount(rows, weights[columns] * values, len(right))
        scores = np.exp(scores - np.maximum.reduceat(scores, starts)[owner])
        surplus = right - scores / np.add.reduceat(scores, starts)[owner]
        gradient = np.bincount(columns, surplus[rows] * values, WIDTH) - 0.5 * weights
        squares += gradient**2
        weights += 0.3 * gradient / np.sqrt(squares)
    return weights


def cross_validated(questions: Sequence[Known], features: Features, folds: int = FOLDS) -> dict[str, Value]:
    """The answer to every question, by id, learned from questions about other scenes."""
    scenes = sorted(
        {question.scene or question.id for question in questions}, key=lambda name: zlib.crc32(name.encode())
    )
    fold = {scene: place % folds for place, scene in enumerate(scenes)}
    found: dict[str, Value] = {}
    for held in range(folds):
        asked = [question for question in questions if fold[question.scene or question.id] == held]
        if asked:
            known = [question for question in questions if fold[question.scene or question.id] != held]
            learner = Learner(known, features)
            found |= {question.id: learner(question) for question in asked}
    return {question.id: found[question.id] for question in questions}

"""Eight programs that answer without understanding the picture. A question that most of them solve is too easy.

lower_first     things lower in the picture are nearer, larger, first
area            things with more pixels are nearer, larger, first
flat            things nearer in the picture (2-D) to the thing in question are nearer
mirror          things further right come first; views are matched mirrored
mention_order   the thing mentioned first, else the one with the lowest number
first           the options in the order of their letters
longest         the longest option
majority        the most frequent right answer among questions with the same words in other scenes
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from evals.questions.known import LETTERS, Known, Spot, listed, marks_in
from models.base import Kind
from tools.events import Value

Program: TypeAlias = Callable[[Known], Value]
"""Answers a question; None if the program does not apply."""
_Rank: TypeAlias = Callable[[Known, Spot], float]
"""The rank of a mark: higher comes earlier."""

_REVERSED = re.compile(
    r"\b(farthest|furthest|smallest|shortest|lowest|least|last|fewest|farther|further|smaller)\b", re.I
)
_FORWARD = re.compile(r"\b(nearest|closest|largest|longest|tallest|highest|first|most|nearer|closer|larger)\b", re.I)


def panel(questions: Sequence[Known]) -> dict[str, Program]:
    """The eight programs by name. `majority` uses the answers to questions about other scenes."""
    return {
        "lower_first": lambda question: ranked(question, lambda _, spot: spot.y),
        "area": lambda question: ranked(question, lambda _, spot: spot.area),
        "flat": lambda question: ranked(question, _flat),
        "mirror": mirror,
        "mention_order": mention_order,
        "first": first,
        "longest": longest,
        "majority": Majority(questions),
    }


def ranked(question: Known, rank: _Rank) -> Value:
    """A program that ranks marks by their appearance in the picture."""
    sign = sign_of(question.text)

    def worth(text: str) -> float | None:
        spots = marks_in(question, text)
        return sign * rank(question, spots[0]) if spots else None

    worths = [worth(option) for option in question.options]
    match question.kind:
        case Kind.CHOICE | Kind.CHOICES | Kind.ORDER:
            known = [value for value in worths if value is not None]
            if len(known) < 2 or len(known) < len(worths):
                return None
            return listed(question, sorted(range(len(worths)), key=lambda place: -known[place]))
        case Kind.MATCHING:
            return _matched(question, [worth(item) for item in question.items], worths)
        case Kind.JUDGEMENTS:
            return _judged(question, rank, sign)
        case Kind.NUMBER if question.anchor is not None and question.spots:
            at = rank(question, question.anchor)
            return float(sum(sign * rank(question, spot) > sign * at for spot in question.spots.values()))
    return None


def _flat(question: Known, spot: Spot) -> float:
    """The proximity in the picture to the anchor, else to the middle of the lower edge of the marks."""
    anchor = question.anchor
    if anchor is None:
        spots = list(question.spots.values())
        anchor = Spot(sum(one.x for one in spots) / len(spots), max(one.y for one in spots))
    return -((spot.x - anchor.x) ** 2 + (spot.y - anchor.y) ** 2)


def mirror(question: Known) -> Value:
    """Mirror: the rightmost first; of two views, the leftmost of one matches the rightmost of the other.

    If options are about left and right, the side on which the marked thing is not.
    """
    if question.kind is Kind.MATCHING:
        left = [spots[0].x if (spots := marks_in(question, item)) else None for item in question.items]
        right = [-spots[0].x if (spots := marks_in(question, option)) else None for option in question.options]
        return _matched(question, left, right)
    spots = marks_in(question, question.text)
    if question.kind is Kind.CHOICE and len(spots) > 1:
        side = "left" if spots[0].x > spots[1].x else "right"
        sided = [option for option in question.options if side in option.casefold()]
        if sided:
            return sided[0]
    return ranked(question, lambda _, spot: spot.x)


def mention_order(question: Known) -> Value:
    """The options in the order of their mention in the question; the others follow by the numbers of their marks."""

    def place(number: int) -> tuple[int, int, int]:
        option = question.options[number]
        found = question.text.casefold().find(option.casefold()) if option else -1
        digits = re.search(r"\d+", option)
        return (found if found >= 0 else len(question.text), int(digits[0]) if digits else 0, number)

    if question.kind is Kind.JUDGEMENTS:
        return ("1",) * len(question.options)
    if question.kind is Kind.MATCHING:
        # Match marks of the same rank.
        order = sorted(range(len(question.options)), key=place)
        return tuple(LETTERS[one] for one in order[: len(question.items)]) if question.items else None
    return listed(question, sorted(range(len(question.options)), key=place))


def first(question: Known) -> Value:
    """The options in the listed order, and the smallest count."""
    if question.kind is Kind.JUDGEMENTS:
        return ("1", *("0",) * (len(question.options) - 1)) if question.options else None
    if question.kind is Kind.MATCHING:
        return tuple(LETTERS[place % len(question.options)] for place in range(len(question.items))) or None
    if question.kind is Kind.NUMBER:
        return 2.0
    return listed(question, list(range(len(question.options))))


def longest(question: Known) -> Value:
    """The longest option, or the options by length; statements longer than the median are true."""
    lengths = [len(option) for option in question.options]
    if question.kind is Kind.JUDGEMENTS:
        middle = sorted(lengths)[len(lengths) // 2] if lengths else 0
        return tuple("1" if length > middle else "0" for length in lengths) or None
    if question.kind is Kind.MATCHING:
        return _matched(question, [float(len(item)) for item in question.items], [float(length) for length in lengths])
    return listed(question, sorted(range(len(lengths)), key=lambda place: -lengths[place]))


class Majority:
    """The most frequent right answer among questions with the same words, by its text, else by its letter."""

    def __init__(self, questions: Sequence[Known]) -> None:
        self._answers: dict[tuple[str, str], Counter[Value]] = {}
        self._by_scene: dict[tuple[str, str, str], Counter[Value]] = {}
        for question in questions:
            for name in self._names(question):
                self._answers.setdefault(name, Counter())[question.answer] += 1
                self._by_scene.setdefault((*name, question.scene or question.id), Counter())[question.answer] += 1

    def __call__(self, question: Known) -> Value:
        """The most frequent answer of other scenes that this question allows."""
        for name in self._names(question):
            own = self._by_scene.get((*name, question.scene or question.id), Counter())
            # Ties are resolved alphabetically, so that every run is the same.
            others = sorted(
                (self._answers.get(name, Counter()) - own).items(), key=lambda pair: (-pair[1], str(pair[0]))
            )
            fitting = [answer for answer, _ in others if _fits(question, answer)]
            if fitting:
                return fitting[0]
        return None

    def _names(self, question: Known) -> tuple[tuple[str, str], ...]:
        return (question.kind, question.template), (question.kind, question.tags.get("sub_category", ""))


def _fits(question: Known, answer: Value) -> bool:
    if question.kind is Kind.CHOICE:
        return answer in question.options
    if question.kind in (Kind.CHOICES, Kind.ORDER, Kind.MATCHING) and isinstance(answer, tuple):
        allowed = set(LETTERS[: len(question.options)])
        same = question.kind is Kind.CHOICES or len(answer) == len(question.items or question.options)
        return same and (not question.options or set(answer) <= allowed)
    if question.kind is Kind.JUDGEMENTS and isinstance(answer, tuple):
        return len(answer) == len(question.options)
    return True


def sign_of(text: str) -> float:
    """-1 if the text asks for the opposite end (the farthest, the smallest), by the first such word; else 1."""
    back, forward = _REVERSED.search(text), _FORWARD.search(text)
    return -1.0 if back and (forward is None or back.start() < forward.start()) else 1.0


def _matched(question: Known, items: Sequence[float | None], options: Sequence[float | None]) -> Value:
    """The option of the same rank for each item."""
    left, right = _places(items), _places(options)
    if left is None or right is None or len(left) > len(right):
        return None
    rank = {place: number for number, place in enumerate(left)}
    return tuple(LETTERS[right[rank[place]]] for place in range(len(items)))


def _places(values: Sequence[float | None]) -> list[int] | None:
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    return sorted(range(len(known)), key=lambda place: -known[place])


def _judged(question: Known, rank: _Rank, sign: float) -> Value:
    """A statement about two marks is true if the first is ahead; one about a single mark, if it is ahead of most."""
    everyone = sorted(rank(question, spot) for spot in question.spots.values())
    judged = []
    for statement in question.options:
        spots = marks_in(question, statement)
        if not spots:
            return None
        own = sign_of(statement) if _REVERSED.search(statement) or _FORWARD.search(statement) else sign
        other = rank(question, spots[1]) if len(spots) > 1 else everyone[len(everyone) // 2]
        judged.append("1" if own * rank(question, spots[0]) > own * other else "0")
    return tuple(judged) or None


def rights(questions: Sequence[Known], programs: Mapping[str, Program]) -> dict[str, dict[str, bool]]:
    """Whether each program answers each question correctly, by the program's name and the question's id."""
    return {
        name: {question.id: question.right(program(question)) for question in questions}
        for name, program in programs.items()
    }

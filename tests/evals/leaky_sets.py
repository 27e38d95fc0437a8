"""Sets of questions made by the tests, some with a leak planted in them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from evals.questions.known import LETTERS, Known, Spot
from models.base import Kind

NAMES = ("cup", "box", "ball", "plate", "book", "lamp", "vase", "shoe", "bowl", "jar", "spoon", "hat", "pot", "can")

Order = Callable[[dict[str, Spot], Random], list[str]]
"""Which mark comes first: the truth of a set."""


def spots(dice: Random, count: int) -> dict[str, Spot]:
    return {
        str(number): Spot(dice.uniform(0, 640), dice.uniform(0, 480), dice.uniform(200, 9000))
        for number in range(1, count + 1)
    }


def by_dice(marks: dict[str, Spot], dice: Random) -> list[str]:
    """No leak: any order is right."""
    names = list(marks)
    dice.shuffle(names)
    return names


def by(rank: Callable[[Spot], float]) -> Order:
    return lambda marks, dice: sorted(marks, key=lambda name: -rank(marks[name]))


def question(number: int, kind: Kind, order: Order, dice: Random) -> Known:
    """A question about marks in one of twenty scenes."""
    marks = spots(dice, 8 if kind is Kind.JUDGEMENTS else 5)
    anchor = Spot(dice.uniform(0, 640), dice.uniform(0, 480), dice.uniform(200, 9000))
    names = order(marks, dice)
    listed = sorted(marks, key=lambda _: dice.random())
    options = tuple(f"the object marked {name}" for name in listed)
    letters = {name: LETTERS[place] for place, name in enumerate(listed)}
    tags = {"sub_category": "Relative distance", "type": str(kind)}
    ident, scene = f"{kind}-{number}", f"scene {number % 20}"
    if kind is Kind.CHOICE:
        right = f"the object marked {names[0]}"
        return Known(ident, kind, "Which is nearest?", right, options, (), marks, anchor, scene, tags)
    if kind is Kind.ORDER:
        text = "Put them in order, the nearest first."
        answer = tuple(letters[name] for name in names)
        return Known(ident, kind, text, answer, options, (), marks, anchor, scene, tags)
    # No mark twice: what is said of one pair tells nothing about another.
    mixed = dice.sample(names, len(names))
    pairs = [(mixed[place], mixed[place + 1]) for place in range(0, 8, 2)]
    statements = tuple(f"{a} is nearer than {b}" for a, b in pairs)
    judged = tuple("1" if names.index(a) < names.index(b) else "0" for a, b in pairs)
    return Known(ident, kind, "Judge each statement.", judged, statements, (), marks, anchor, scene, tags)


def a_set(
    order: Order, count: int = 120, kinds: tuple[Kind, ...] = (Kind.CHOICE, Kind.ORDER, Kind.JUDGEMENTS)
) -> list[Known]:
    dice = Random(5)
    return [question(number, kinds[number % len(kinds)], order, dice) for number in range(count * len(kinds))]

"""The proposal of a template: a task without its start and without its length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from envs.embodied.generate.facts import Facts
from envs.embodied.model import Option, Place, Predicate


@dataclass
class Draft:
    """A proposed task. `right` and `wrong` are answers, the most misleading wrong ones first."""

    category: str
    kind: str
    template: str
    texts: Sequence[str]
    right: str = ""
    wrong: Sequence[str] = ()
    evidence: Sequence[str] = ()
    options: Sequence[Option] = ()
    predicates: Sequence[Predicate] = ()
    places: Sequence[Place] = ()
    scene: str = ""
    facts: dict[str, str] = field(default_factory=dict)


Template = Callable[[Facts, Random], Iterator[Draft]]
NUMBERS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
)
COLOUR_NAMES = (
    "red",
    "blue",
    "green",
    "yellow",
    "white",
    "black",
    "grey",
    "brown",
    "orange",
    "purple",
    "pink",
    "beige",
)


def number_answers(right: int, dice: Random, low: int = 1) -> list[str]:
    """Seven other numbers in words, from eight consecutive ones that include the right one."""
    first = max(low, min(right - dice.randrange(8), len(NUMBERS) - 8))
    first = min(first, right)
    return [NUMBERS[value] for value in range(first, first + 8) if value != right]


def mixed(dice: Random, near: Sequence[str], far: Sequence[str], right: str) -> list[str]:
    """Wrong answers: first those about things in the scene (`near`), then others (`far`), without the right one."""
    one, other = (list(dict.fromkeys(texts)) for texts in (near, far))
    dice.shuffle(one)
    dice.shuffle(other)
    return [text for text in dict.fromkeys((*one[:5], *other, *one[5:])) if text != right]

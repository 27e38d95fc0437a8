"""Fewer options for each question, chosen so that neither their words nor their places reveal which one is right.

An option that is right in one question of ten should be offered as a wrong one in three of ten; and so should the
largest mark, the word `open`, and whatever else options have in common.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import TypeAlias

from evals.families.base import Recipe
from evals.families.evenness import foot, named_spots, places
from evals.families.rules import dealt, shuffled
from evals.questions.known import Spot
from evals.questions.shortcuts import sign_of

Spots: TypeAlias = tuple[Mapping[str, Spot], Spot | None]
_DIGITS = re.compile(r"\d+")
_WORDS = re.compile(r"\w+")
_MARKED = 3
"""Options that name marks, of which one can be the largest."""
_ROUNDS = 4
"""How often all questions are looked at: a choice depends on all others."""
_MOST = 40
"""Choices of options to compare for one question."""


def trimmed(recipes: Sequence[Recipe], count: int, dice: Random, look: Callable[[Recipe], Spots]) -> list[Recipe]:
    """The questions with so many of their options each, in the same order; letters are right equally often.

    `look` finds where marks are, for questions whose options name some.
    """
    ways = [_ways(recipe, count, dice, look) for recipe in recipes]
    chosen = [some[0] for some in ways]
    excess: Counter[Hashable] = Counter()
    for way in chosen:
        _add(excess, way, 1)
    for _ in range(_ROUNDS):
        for place in shuffled(range(len(ways)), dice):
            _add(excess, chosen[place], -1)
            chosen[place] = min(ways[place], key=lambda way: _cost(excess, way))
            _add(excess, chosen[place], 1)
    used: Counter[int] = Counter()
    found = []
    for recipe, _ in chosen:
        letter = min(shuffled(range(count), dice), key=lambda one: used[one])
        used[letter] += 1
        found.append(dealt(recipe, dice, letter))
    return found


_Way: TypeAlias = tuple[Recipe, Mapping[Hashable, float]]
"""A question with some of its options, and for each clue how much more often than by chance it is right there."""


def _ways(recipe: Recipe, count: int, dice: Random, look: Callable[[Recipe], Spots]) -> list[_Way]:
    own = recipe.options[recipe.answer[0]]
    others = [option for number, option in enumerate(recipe.options) if number != recipe.answer[0]]
    marked = sum(bool(_DIGITS.search(option)) for option in recipe.options) >= _MARKED
    spots, anchor = look(recipe) if marked else ({}, None)
    found: list[_Way] = []
    for kept in shuffled(list(combinations(others, count - 1)), dice)[:_MOST]:
        way = replace(recipe, options=(own, *kept), answer=(0,))
        found.append((way, _clues(way, spots, anchor)))
    return found


def _clues(recipe: Recipe, spots: Mapping[str, Spot], anchor: Spot | None) -> dict[Hashable, float]:
    """By clue: 1 if it is true of the right option, less its share among the options."""
    offered = named_spots(recipe, spots)
    at = anchor or (foot(spots.values()) if spots else None)
    ends = places(recipe, offered, at) if len(offered) >= _MARKED else {}
    found: dict[Hashable, float] = {}
    share = 1 / len(recipe.options)
    for number, option in enumerate(recipe.options):
        for clue in (*_worded(recipe, option), *(("place", sign_of(recipe.text), end) for end in ends.get(option, ()))):
            found[clue] = found.get(clue, 0.0) + (number == recipe.answer[0]) - share
    return found


def _worded(recipe: Recipe, option: str) -> Iterator[Hashable]:
    """The option and its words, alone and with what is asked: the whole text, and its last sentence."""
    whole = _DIGITS.sub("#", recipe.text)
    for asked in ("", whole, whole.rpartition(". ")[2], recipe.text):
        yield "option", asked, option
        for word in set(_WORDS.findall(option.casefold())):
            yield "word", asked, word


def _cost(excess: Mapping[Hashable, float], way: _Way) -> float:
    """How much more uneven everything becomes with it, as a sum of squares."""
    return sum((excess.get(clue, 0.0) + more) ** 2 - excess.get(clue, 0.0) ** 2 for clue, more in way[1].items())


def _add(excess: Counter[Hashable], way: _Way, sign: int) -> None:
    for clue, more in way[1].items():
        excess[clue] += sign * more  # type: ignore[assignment]

"""Four options for each question, chosen so that the words of an option do not reveal whether it is right.

Among all questions with the same text, an option that is right in one question out of ten should be offered as a wrong
one in three out of ten.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from evals.families.base import Recipe
from evals.families.rules import dealt, shuffled

OPTIONS = 4


def balanced(recipes: Sequence[Recipe], dice: Random) -> list[Recipe]:
    """The questions with four of their options each, in the same order; letters are right equally often."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, recipe in enumerate(recipes):
        # Longer texts end with the question itself.
        places[recipe.text.rpartition(". ")[2]].append(place)
    found = dict[int, Recipe]()
    for some in places.values():
        found |= _of_one_text({place: recipes[place] for place in some}, dice)
    used: Counter[int] = Counter()
    dealt_ = []
    for place in range(len(recipes)):
        letter = min(shuffled(range(OPTIONS), dice), key=lambda one: used[one])
        used[letter] += 1
        dealt_.append(dealt(found[place], dice, letter))
    return dealt_


def _of_one_text(recipes: dict[int, Recipe], dice: Random) -> dict[int, Recipe]:
    right = Counter(recipe.options[recipe.answer[0]] for recipe in recipes.values())
    wrong: Counter[str] = Counter()
    found = {}
    for place in shuffled(recipes, dice):
        recipe = recipes[place]
        own = recipe.options[recipe.answer[0]]
        others = shuffled([option for option in recipe.options if option != own], dice)
        # Options that have been offered too rarely for how often they are right come first.
        others.sort(key=lambda option: wrong[option] - (OPTIONS - 1) * right[option])
        kept = others[: OPTIONS - 1]
        wrong.update(kept)
        found[place] = replace(recipe, options=(own, *kept), answer=(0,))
    return found

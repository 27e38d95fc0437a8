"""Keeps a set from being answered without pictures: no answer is right much more often than by chance.

For choices, this is counted for the words of each option, and for options whose marks are the leftmost, lowest, largest
or nearest to the red box in the picture: over all questions, and over those that ask the same. For judgements, it is
counted for each wording of a statement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import TypeAlias

from envs.render.marks import Note
from evals.families.base import Recipe, orders
from evals.questions.known import Spot
from evals.questions.shortcuts import sign_of
from models.base import Kind

SPARE = 1.0
"""The number of right answers from which shares are limited."""
MORE = 1.15
"""The largest ratio of an answer's frequency to chance."""
_ORDERS = 6
"""One question out of this many with the same text and options may repeat the same order or number."""
PLACES = "places"
"""The tag in which proposals store the result of `places`; not part of a finished recipe."""
_RANKED = 3
"""The least number of marks to compare."""
_DIGITS = re.compile(r"\d+")
_Ends: TypeAlias = Mapping[str, list[str]]


def with_places(recipe: Recipe) -> Recipe:
    """The recipe with the result of `places`, for choices among marks."""
    from evals.families.spots import spots_of

    marks = [mark.text for shot in recipe.shots for mark in shot.marks if not isinstance(mark, Note)]
    if recipe.kind is not Kind.CHOICE or sum(map(bool, marks)) < _RANKED:
        return recipe
    found = places(recipe, *spots_of(recipe))
    return replace(recipe, proof={**recipe.proof, PLACES: found}) if found else recipe


def without_places(recipe: Recipe) -> Recipe:
    """The recipe as it was proposed."""
    return replace(recipe, proof={name: value for name, value in recipe.proof.items() if name != PLACES})


def places(recipe: Recipe, spots: Mapping[str, Spot], anchor: Spot | None) -> dict[str, list[str]]:
    """For each option that names marks, the orders in which its first mark is at an end."""
    named = {option: spots[name] for option in recipe.options if (name := mark_in(option, spots))}
    measures: dict[str, Callable[[Spot], float]] = {
        "x": lambda spot: spot.x,
        "y": lambda spot: spot.y,
        "area": lambda spot: spot.area,
    }
    at = anchor or foot(spots.values())
    measures["near"] = lambda spot: (spot.x - at.x) ** 2 + (spot.y - at.y) ** 2
    found: dict[str, list[str]] = {}
    for option, spot in named.items():
        same = [other for other in spots.values() if other.picture == spot.picture]
        ends = []
        for measure, value in measures.items():
            values = [value(other) for other in same]
            if min(values) == max(values):
                continue
            ends += [f"least {measure}"] * (value(spot) == min(values))
            ends += [f"most {measure}"] * (value(spot) == max(values))
        found[option] = ends
    return found


def foot(spots: Collection[Spot]) -> Spot:
    """The middle of the lower edge of all marks: what others are near to where there is no red box."""
    return Spot(fmean(spot.x for spot in spots), max(spot.y for spot in spots))


def named_spots(recipe: Recipe, spots: Mapping[str, Spot]) -> dict[str, Spot]:
    """The spots that options name."""
    return {name: spots[name] for option in recipe.options if (name := mark_in(option, spots))}


def mark_in(option: str, spots: Mapping[str, Spot]) -> str:
    """The name of the mark that an option names first: a kind, or a number."""
    found = [
        (place.start(), name) for name in spots if (place := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", option))
    ]
    return min(found)[1] if found else ""


@dataclass(slots=True)
class Evenness:
    """Counts how often each answer was right, and how often it would be by chance."""

    chance: Counter[Hashable] = field(default_factory=Counter)
    right: Counter[Hashable] = field(default_factory=Counter)

    def allows(self, recipe: Recipe) -> bool:
        """Whether all answers of the recipe may be right once more."""
        chance, right = _counted(recipe)
        if recipe.kind in (Kind.ORDER, Kind.NUMBER):
            same = self.chance[_options(recipe)] + 1.0
            return all(self.right[key] + 1 <= SPARE + same / _ORDERS for key in right)
        return all(
            self.right[key] + count <= SPARE + MORE * (self.chance[key] + chance[key]) for key, count in right.items()
        )

    def add(self, recipe: Recipe) -> None:
        """Count a recipe that is taken."""
        chance, right = _counted(recipe)
        for key, share in chance.items():
            self.chance[key] += share  # type: ignore[assignment]
        self.right.update(right)


def _options(recipe: Recipe) -> Hashable:
    """The key shared by orders of the same options, and by counts of the same things."""
    return recipe.text, tuple(sorted(recipe.options))


def _counted(recipe: Recipe) -> tuple[dict[Hashable, float], Counter[Hashable]]:
    chance: dict[Hashable, float] = {}
    right: Counter[Hashable] = Counter()
    for key, share, true in _claims(recipe):
        chance[key] = chance.get(key, 0.0) + share
        if true:
            right[key] += 1
    return chance, right


def _claims(recipe: Recipe) -> Iterator[tuple[Hashable, float, bool]]:
    """The cues of a recipe: for each, its chance of being right, and whether it is right."""
    asked = _DIGITS.sub("#", recipe.text)
    match recipe.kind:
        case Kind.CHOICE:
            ends: _Ends = recipe.proof.get(PLACES, {})
            for number, option in enumerate(recipe.options):
                share, true = 1.0 / len(recipe.options), number == recipe.answer[0]
                yield ("option", option), share, true
                yield ("option", asked, option), share, true
                for end in ends.get(option, ()):
                    yield ("place", sign_of(recipe.text), end), share, true
                    yield ("place", asked, end), share, true
        case Kind.ORDER:
            yield _options(recipe), 1.0, False
            for order in orders(recipe.answer):
                yield ("order", recipe.text, *(recipe.options[place] for place in order)), 0.0, True
        case Kind.NUMBER:
            yield _options(recipe), 1.0, False
            yield ("number", recipe.text, recipe.answer[0]), 0.0, True
        case Kind.JUDGEMENTS:
            for statement, true in zip(recipe.options, recipe.answer, strict=True):
                wording = _DIGITS.sub("#", statement)
                yield ("statement", wording, bool(true)), 0.5, True
                yield ("statement", wording, not true), 0.5, False

"""Sparse captions for models that must answer without the pictures: what is in view, and where.

They name kinds of things, but no subject of questions: no marks, states, sizes or exact numbers.
"""

from __future__ import annotations

from collections import defaultdict

from envs.shots.cameras import WIDTH
from evals.families.base import Recipe, moment_of
from evals.families.words import noun, plural

_SIDES = ("on the left", "in the middle", "on the right")


def captions(recipe: Recipe) -> tuple[str, ...]:
    """A description of each picture of a question."""
    return tuple(_caption(recipe, number) for number in range(len(recipe.shots)))


def _caption(recipe: Recipe, number: int) -> str:
    moment = moment_of(recipe, number)
    view = moment.view(recipe.shots[number].eye)
    by_side: defaultdict[int, list[str]] = defaultdict(list)
    for name in sorted(view.seen):
        frame = view.frame(name)
        if frame is not None and view.clear(name):
            middle = (frame[0] + frame[2]) / 2
            by_side[min(int(3 * middle / WIDTH), 2)].append(moment.thing(name).kind)
    parts = [f"{_SIDES[side]}: {_listed(by_side[side])}" for side in sorted(by_side)]
    return "; ".join(parts) or "nothing that can be named"


def _listed(kinds: list[str]) -> str:
    return ", ".join(
        plural(kind) if kinds.count(kind) > 1 else f"a {noun(kind)}" for kind in dict.fromkeys(sorted(kinds))
    )

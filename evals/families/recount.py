"""Counts by a second method: rays to points on things, and positions of boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from evals.families.base import Answer, Recipe, moment_of, view_of
from evals.families.words import plural, spoken
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.moment import Moment
    from envs.shots.view import View

KINDS = ("cup", "bottle", "apple", "orange", "banana", "book")
"""Kinds that are counted: few, so that each question is asked about many rooms."""
OTHERS = ("bowl", "box", "vase", "kettle", "ball", "sandwich", "snack_food", "laptop")
"""Kinds that lie among them."""


def recounted(recipe: Recipe) -> Answer:
    """The answer, from things that are visible by rays."""
    moment = moment_of(recipe)
    views = [view_of(recipe, number) for number in range(len(recipe.shots))]
    support = str(recipe.proof["support"])
    seen = [name for name in moment.movables if any(_found(moment, view, name) for view in views)]
    kinds = {name: moment.thing(name).kind for name in seen}
    here = [name for name in seen if _over(moment, name, support)]
    if "board" in recipe.text:
        return (_on_board(moment, here, lowest="the lowest" in recipe.text),)
    if "on the floor" in recipe.text:
        low = [name for name in seen if moment.box(name)[0][2] < 0.03]
        what = recipe.text.partition("How many ")[2].partition(" lie ")[0]
        return (sum(what in ("objects", plural(kinds[name])) for name in low),)
    return _answer(recipe, kinds, here)


def _found(moment: Moment, view: View, name: str) -> bool:
    """Whether at least a seventh of some hundred points on a thing are visible, as half of them face away."""
    points = moment.points(name)
    step = max(points.shape[1] // 240, 1)
    some = points[:, ::step].T.tolist()
    return sum(view.shows((x, y, z), 0.01) for x, y, z in some) >= len(some) / 12.0


def _over(moment: Moment, name: str, support: str) -> bool:
    """Whether the foot of a thing is over the furniture, at the height of one of its surfaces or of what lies there."""
    (a, b, foot), (x, y, _) = moment.box(name)
    (a0, b0, _), (x0, y0, top) = moment.box(support)
    below = [moment.sim.pose(support).position[2] + surface.centre[2] for surface in moment.thing(support).surfaces]
    return a0 <= (a + x) / 2.0 <= x0 and b0 <= (b + y) / 2.0 <= y0 and any(abs(foot - z) < 0.05 for z in (top, *below))


def _on_board(moment: Moment, names: Collection[str], *, lowest: bool) -> int:
    """The number of things on the lowest or highest board, by the heights of their feet."""
    feet = sorted((moment.box(name)[0][2] for name in names), reverse=not lowest)
    return sum(abs(foot - feet[0]) < 0.1 for foot in feet)


def _answer(recipe: Recipe, kinds: Mapping[str, str], here: list[str]) -> Answer:
    """The answer to the recipe's text."""
    on, total = Counter(kinds[name] for name in here), Counter(kinds.values())
    named = {plural(kind): kind for kind in (*KINDS, *OTHERS)}
    if recipe.kind in (Kind.CHOICE, Kind.TEXT):
        best = max(on, key=lambda kind: on[kind])
        return (spoken(best),) if recipe.kind is Kind.TEXT else (recipe.options.index(plural(best)),)
    if recipe.kind is Kind.JUDGEMENTS:
        return tuple(int(_true(option, on, total, named)) for option in recipe.options)
    words = recipe.text.partition("How many ")[2].rstrip("?")
    if " are not " in words:
        return (len(here) - on[named[words.partition(" are not ")[2]]],)
    what = words.partition(" are ")[0]
    if what == "objects":
        return (len(here),)
    return ((on if " are on the " in words else total)[named[what]],)


def _true(statements: str, on: Counter[str], total: Counter[str], named: Mapping[str, str]) -> bool:
    """Whether a statement of `_judge` is true."""
    kinds = sorted((statements.index(word), kind) for word, kind in named.items() if f" {word} " in f" {statements}")
    first = kinds[0][1]
    if "at least" in statements:
        return on[first] >= int(statements.split("at least ")[1].split()[0])
    if "elsewhere" in statements:
        return on[first] > total[first] - on[first]
    counts = total if "in all" in statements else on
    return counts[first] > counts[kinds[1][1]]

"""Rules for all questions: what may be marked, the least differences between values, and the order of options."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING, TypeVar

from envs.render.marks import Box, Mark, Point, placed
from envs.shots.cameras import HEIGHT, WIDTH
from evals.families.base import Answer, Recipe, orders
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.view import View

DISTANCE, METRES = 0.12, 0.12
"""The least difference of two compared distances: as a share of the larger one, and in metres."""
SIZE, CENTIMETRES = 0.15, 0.04
"""The least difference of two compared sizes, as a share and in metres."""
DEGREES = 20.0
"""The least difference of two compared directions."""
ROOM = 3
"""The radius in pixels around a mark's centre that must belong to the marked thing."""
BETWEEN = 16
"""The least distance between two marks in pixels."""
SEVERAL = 0.15
"""The share of choices with several right options."""

T = TypeVar("T", bound=Hashable)


def far_apart(a: float, b: float) -> bool:
    """Whether two distances are clearly different."""
    return abs(a - b) >= max(METRES, DISTANCE * max(a, b))


def sized_apart(a: float, b: float) -> bool:
    """Whether two sizes are clearly different."""
    return abs(a - b) >= max(CENTIMETRES, SIZE * max(a, b))


def turned_apart(a: float, b: float) -> bool:
    """Whether two directions, in degrees, are clearly different."""
    return abs((a - b + 180.0) % 360.0 - 180.0) >= DEGREES


def all_apart(values: Collection[float], apart: Callable[[float, float], bool]) -> bool:
    """Whether all values are clearly different; after sorting, only neighbours are compared."""
    return all(apart(a, b) for a, b in pairwise(sorted(values)))


def some_apart(
    values: Mapping[T, float], number: int, apart: Callable[[float, float], bool], dice: Random
) -> list[T] | None:
    """Random things, in random order, whose values are all clearly different; None if there are too few."""
    for _ in range(8):
        chosen: list[T] = []
        for name in shuffled(values, dice):
            if len(chosen) < number and all(apart(values[name], values[other]) for other in chosen):
                chosen.append(name)
        if len(chosen) == number:
            return chosen
    return None


def most_apart(values: Mapping[T, float], apart: Callable[[float, float], bool]) -> list[T]:
    """The most things whose values are all clearly different, sorted by value."""
    chosen: list[T] = []
    for name in sorted(values, key=lambda name: values[name]):
        if not chosen or apart(values[chosen[-1]], values[name]):
            chosen.append(name)
    return chosen


def shuffled(things: Collection[T], dice: Random) -> list[T]:
    """The things in an order from the dice."""
    mixed = list(things)
    dice.shuffle(mixed)
    return mixed


def markable(view: View, names: Collection[str]) -> list[str]:
    """The things that are visible enough to be marked and asked about."""
    return [name for name in names if view.clear(name) and (spot := view.spot(name)) is not None and spot.room >= ROOM]


def crowded(view: View, names: Collection[str]) -> bool:
    """Whether marks on these things would overlap."""
    spots = [spot for name in names if (spot := view.spot(name)) is not None]
    return any((a.x - b.x) ** 2 + (a.y - b.y) ** 2 < BETWEEN**2 for a, b in combinations(spots, 2))


def numbered(view: View, names: Collection[str], dice: Random, *boxed: str) -> tuple[dict[str, str], tuple[Mark, ...]]:
    """Numbers for some things in random order, and the marks that show them; the things in `boxed` get red boxes."""
    labels = {name: str(number) for number, name in enumerate(shuffled(names, dice), 1)}
    marks: list[Mark] = []
    masks = []
    for name, text in labels.items():
        spot = view.spot(name)
        assert spot is not None, f"{name} is not in view"
        marks.append(Point(spot.x, spot.y, text))
        masks.append(view.mask(name))
    for name in boxed:
        frame = view.frame(name)
        assert frame is not None, f"{name} is not in view"
        marks.append(Box(*frame, colour="red"))
        masks.append(view.mask(name))
    return labels, placed(marks, (WIDTH, HEIGHT), masks)


def spots(views: Sequence[View], names: Collection[str]) -> list[list[float]]:
    """The positions of counted things: the index of the first picture that shows each, and shares of its size."""
    found: list[list[float]] = []
    for name in names:
        shown = ((number, view.spot(name)) for number, view in enumerate(views) if view.clear(name))
        number, spot = next(((number, spot) for number, spot in shown if spot is not None), (0, None))
        if spot is not None:
            found.append([number, round(spot.x / WIDTH, 4), round(spot.y / HEIGHT, 4)])
    return found


def options_of(labels: Mapping[str, str]) -> dict[str, str]:
    """The options for marked things, by thing, in the order of their numbers."""
    ordered = sorted(labels, key=lambda name: int(labels[name]))
    return {name: f"the object marked {labels[name]}" for name in ordered}


def marked_things(recipe: Recipe, view: View, shot: int = 0) -> dict[str, str]:
    """The thing at each number, read back from the picture."""
    found: dict[str, str] = {}
    for mark in recipe.shots[shot].marks:
        if isinstance(mark, Point) and mark.text:
            owner = view.owner(mark.x, mark.y)
            assert owner is not None, f"mark {mark.text} is on nothing"
            found[mark.text] = owner
    return found


def boxed_thing(recipe: Recipe, view: View, colour: str = "red", shot: int = 0) -> str:
    """The thing in a box, read back from the picture: the one that fills it best."""
    box = next(mark for mark in recipe.shots[shot].marks if isinstance(mark, Box) and mark.colour == colour)
    near = [name for name in view.seen if view.frame(name) == (box.left, box.top, box.right, box.bottom)]
    if len(near) != 1:
        raise ValueError(f"the {colour} box fits {len(near)} things")
    return near[0]


def dealt(recipe: Recipe, dice: Random, letter: int | None = None) -> Recipe:
    """The recipe with shuffled options; a single right option gets the wanted `letter`."""
    count = len(recipe.options)
    if not count:
        return recipe
    order = shuffled(range(count), dice)
    if letter is not None and recipe.kind is Kind.CHOICE:
        here = order.index(recipe.answer[0])
        order[here], order[letter] = order[letter], order[here]
    return reordered(recipe, order)


def reordered(recipe: Recipe, order: Sequence[int]) -> Recipe:
    """The recipe with its options in another order: `order` has their old indices."""
    options = tuple(recipe.options[old] for old in order)
    if recipe.kind is Kind.JUDGEMENTS:
        return replace(recipe, options=options, answer=tuple(recipe.answer[old] for old in order))
    place = {old: new for new, old in enumerate(order)}
    several = sorted(tuple(place[old] for old in order) for order in orders(recipe.answer))
    answer: Answer = tuple(several) if len(several) > 1 else several[0]
    if recipe.kind is Kind.CHOICES:
        answer = tuple(sorted(answer))
    return replace(recipe, options=options, answer=answer)

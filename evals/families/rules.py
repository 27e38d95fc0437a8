"""The rules that all questions obey: what may be marked, how far apart values must be, how options are dealt."""

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
"""Two distances differ by this part of the larger one, and by so many metres, or they are not compared."""
SIZE, CENTIMETRES = 0.15, 0.04
"""The same for sizes: 4 cm."""
DEGREES = 20.0
"""The same for directions."""
ROOM = 3
"""Pixels round the middle of a mark that belong to the marked thing."""
BETWEEN = 16
"""Pixels between two marks, at least."""
SEVERAL = 0.15
"""How many of the questions with options have several right ones."""

T = TypeVar("T", bound=Hashable)


def far_apart(a: float, b: float) -> bool:
    """Whether two distances can be told apart."""
    return abs(a - b) >= max(METRES, DISTANCE * max(a, b))


def sized_apart(a: float, b: float) -> bool:
    """Whether two sizes can be told apart."""
    return abs(a - b) >= max(CENTIMETRES, SIZE * max(a, b))


def turned_apart(a: float, b: float) -> bool:
    """Whether two directions, in degrees, can be told apart."""
    return abs((a - b + 180.0) % 360.0 - 180.0) >= DEGREES


def all_apart(values: Collection[float], apart: Callable[[float, float], bool]) -> bool:
    """Whether all of some values can be told from each other. In order, it is enough to ask neighbours."""
    return all(apart(a, b) for a, b in pairwise(sorted(values)))


def some_apart(
    values: Mapping[T, float], number: int, apart: Callable[[float, float], bool], dice: Random
) -> list[T] | None:
    """So many of some things, at random, whose values can all be told apart; in no order. None if too few are found."""
    for _ in range(8):
        chosen: list[T] = []
        for name in shuffled(values, dice):
            if len(chosen) < number and all(apart(values[name], values[other]) for other in chosen):
                chosen.append(name)
        if len(chosen) == number:
            return chosen
    return None


def most_apart(values: Mapping[T, float], apart: Callable[[float, float], bool]) -> list[T]:
    """As many of some things as there can be whose values can all be told apart; by value."""
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
    """Those of some things that are seen well enough to be marked, and asked about."""
    return [name for name in names if view.clear(name) and (spot := view.spot(name)) is not None and spot.room >= ROOM]


def crowded(view: View, names: Collection[str]) -> bool:
    """Whether marks on these things would lie on each other."""
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
    """Where things are that a question counts: each in the first picture that shows it, by its number and in shares."""
    found: list[list[float]] = []
    for name in names:
        shown = ((number, view.spot(name)) for number, view in enumerate(views) if view.clear(name))
        number, spot = next(((number, spot) for number, spot in shown if spot is not None), (0, None))
        if spot is not None:
            found.append([number, round(spot.x / WIDTH, 4), round(spot.y / HEIGHT, 4)])
    return found


def options_of(labels: Mapping[str, str]) -> dict[str, str]:
    """How options speak of marked things, by the thing; in the order of their numbers."""
    ordered = sorted(labels, key=lambda name: int(labels[name]))
    return {name: f"the object marked {labels[name]}" for name in ordered}


def marked_things(recipe: Recipe, view: View, shot: int = 0) -> dict[str, str]:
    """Which thing each number of a picture is on, read back from the picture itself."""
    found: dict[str, str] = {}
    for mark in recipe.shots[shot].marks:
        if isinstance(mark, Point) and mark.text:
            owner = view.owner(mark.x, mark.y)
            assert owner is not None, f"mark {mark.text} is on nothing"
            found[mark.text] = owner
    return found


def boxed_thing(recipe: Recipe, view: View, colour: str = "red", shot: int = 0) -> str:
    """Which thing a box is drawn round: the one that fills it best, read back from the picture itself."""
    box = next(mark for mark in recipe.shots[shot].marks if isinstance(mark, Box) and mark.colour == colour)
    near = [name for name in view.seen if view.frame(name) == (box.left, box.top, box.right, box.bottom)]
    if len(near) != 1:
        raise ValueError(f"the {colour} box fits {len(near)} things")
    return near[0]


def dealt(recipe: Recipe, dice: Random, letter: int | None = None) -> Recipe:
    """The recipe with its options in an order from the dice; of a single right one, in the place that is wanted."""
    count = len(recipe.options)
    if not count:
        return recipe
    order = shuffled(range(count), dice)
    if letter is not None and recipe.kind is Kind.CHOICE:
        here = order.index(recipe.answer[0])
        order[here], order[letter] = order[letter], order[here]
    return reordered(recipe, order)


def reordered(recipe: Recipe, order: Sequence[int]) -> Recipe:
    """The recipe with its options in another order: `order` numbers those it had."""
    options = tuple(recipe.options[old] for old in order)
    if recipe.kind is Kind.JUDGEMENTS:
        return replace(recipe, options=options, answer=tuple(recipe.answer[old] for old in order))
    place = {old: new for new, old in enumerate(order)}
    several = sorted(tuple(place[old] for old in order) for order in orders(recipe.answer))
    answer: Answer = tuple(several) if len(several) > 1 else several[0]
    if recipe.kind is Kind.CHOICES:
        answer = tuple(sorted(answer))
    return replace(recipe, options=options, answer=answer)

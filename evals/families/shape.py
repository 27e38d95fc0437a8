"""Relative shape: heights and volumes of marked things, and lengths of edges.

`propose` uses drawn triangles for heights and volumes, and the ends of edges for lengths. `verify` uses
the depth of the picture for heights and lengths, and the sizes of models for volumes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from math import pi, prod, sqrt
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from envs.render.arrays import Floats
from envs.render.marks import Mark, Segment, placed
from envs.shots.cameras import HEIGHT, WIDTH
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.edges import Edge, edges, length_of
from evals.families.fitting import FIT, fits_in, fitting_answer
from evals.families.outlines import matching, matching_answer
from evals.families.scenes import Scene, mixed_room
from evals.families.words import unlike
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "Relative shape"
KINDS = unlike(
    ("cup", "bottle", "bowl", "kettle", "saucepan", "apple", "orange", "sandwich", "hardback", "box",
     "toolbox", "bucket", "basket", "ball", "gym_shoe", "pillow", "snack_food")
)  # fmt: skip
FURNITURE = ("table", "chair", "stool", "armchair", "sofa", "cabinet", "nightstand", "shelf", "trash_can", "carton")
"""Furniture with an obvious height."""
COMPACT = ("bottle", "bowl", "apple", "orange", "hardback", "box", "toolbox", "bucket", "basket", "ball",
           "pillow", "snack_food")  # fmt: skip
"""Kinds that fill their convex hull, hollow space included."""
WHOLE, STANDING = 0.7, 0.88
"""The least visible shares of a thing's shape and of its height."""
TIMES = 1.5
"""The least ratio of two compared volumes."""
_NOTE = "Compare real sizes, not sizes in the picture."
_TRIES, _FIELD = 16, 70.0
"""The number of cameras of each sort, and their vertical field of view."""
_NUMBERS = (6, 6, 6, 6, 5, 5, 5, 5, 5, 5, 4, 4, 4, 4)
"""The numbers of things to try, in order."""
_STEPS = 18
"""The number of grid points along each side of a box."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure, and its wording in questions."""

    name: str
    things: str
    """The noun after `marked`."""
    by: str
    more: str
    most: str
    least: str
    """The superlatives, after `the`."""
    intro: str = ""


MEASURES: Mapping[str, Measure] = {
    measure.name: measure
    for measure in (
        Measure("height", "objects", "height, from bottom to top as they are now", "taller", "tallest", "lowest"),
        Measure(
            "volume", "objects", "volume", "larger in volume", "largest", "smallest",
            "Hollow space inside an object counts as part of its volume. ",
        ),
        Measure(
            "length", "lines", "length", "longer", "longest", "shortest", "Each line runs along an edge of an object. "
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """Things or edges of different size; `looks` are their sizes in the picture, which may mislead."""

    measure: Measure
    view: View
    sizes: Mapping[str, float]
    looks: tuple[Mapping[str, float], ...]
    edges: Mapping[str, Edge]

    @property
    def names(self) -> list[str]:
        """The names, largest first."""
        return _ordered(self.sizes)

    def misleading(self) -> list[list[str]]:
        """The misleading orders by sizes in the picture."""
        return [_ordered({name: look[name] for name in self.sizes}) for look in self.looks]


class Shape:
    """The family of questions about sizes."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room."""
        from envs.shots.moment import open_moment

        scene = mixed_room(dice, KINDS, dice.randint(10, 13))
        moment = open_moment(scene.situation)
        for eye in _eyes(moment, scene, dice):
            view = moment.view(eye)
            for measure in rules.shuffled(MEASURES, dice):
                rows = _rows(moment, view, MEASURES[measure], dice)
                for make in rules.shuffled([make for kind, make in _MAKERS if kind in types], dice):
                    recipe = next(filter(None, (make(row, dice) for row in rules.shuffled(rows, dice))), None)
                    if recipe:
                        yield recipe(scene, Shot(eye))
            matched = matching(moment, view, dice) if "matching" in types else None
            if matched:
                yield matched(scene, Shot(eye))
        if "multiple-choice" in types:
            yield from fits_in(dice)

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from the picture or, for volumes, from the sizes of models."""
        view, moment = view_of(recipe), moment_of(recipe)
        if recipe.proof["measure"] == FIT:
            return fitting_answer(recipe)
        if recipe.kind is Kind.MATCHING:
            return matching_answer(recipe, moment, rules.marked_things(recipe, view))
        measure = MEASURES[str(recipe.proof["measure"])]
        if measure.name == "length":
            lines = [mark for mark in recipe.shots[0].marks if isinstance(mark, Segment)]
            return _answer(recipe, measure, {mark.text: length_of(view, mark) for mark in lines}, None)
        other = _seen_height if measure.name == "height" else _made_volume
        things = rules.marked_things(recipe, view)
        sizes = {number: other(moment, view, name) for number, name in things.items()}
        edge = other(moment, view, rules.boxed_thing(recipe, view)) if recipe.kind is Kind.NUMBER else None
        return _answer(recipe, measure, sizes, edge)


def _eyes(moment: Moment, scene: Scene, dice: Random) -> Iterator[Eye]:
    """The robot's head, and a free camera closer to the things."""
    from envs.shots.viewpoints import best, free_eyes, heads

    room = next(room.name for room in moment.home.rooms if room.kind == scene.room)
    aims = [moment.middle(name) for name in scene.movables if moment.room_of(name) == room]
    far = heads(moment, room, aims, dice, _TRIES, _FIELD)
    near = free_eyes(moment, room, aims, dice, _TRIES, away=(1.2, 3.2), height=(0.9, 1.7), field=_FIELD)
    for eyes, most in ((far, 2), (near, 1)):
        yield from best(moment, eyes, scene.movables, 2)[:most]


def _rows(moment: Moment, view: View, measure: Measure, dice: Random) -> list[Row]:
    """Random choices of four to six things or edges with clearly different sizes."""
    if measure.name == "length":
        found = {f"{edge.thing}/{number}": edge for number, edge in enumerate(edges(moment, view, 10, dice))}
        sizes = {name: edge.length for name, edge in found.items()}
        others = {name: length_of(view, Segment(*edge.line)) for name, edge in found.items()}
        pixels = {name: edge.pixels for name, edge in found.items()}
        return list(_chosen(Row(measure, view, sizes, (pixels,), found), others, rules.sized_apart, dice))
    names = [name for name in view.seen if _fits(moment, name, measure)]
    seen = [name for name in rules.markable(view, names) if view.share(name) >= WHOLE and _upright(moment, view, name)]
    size, other = (_height, _seen_height) if measure.name == "height" else (_volume, _made_volume)
    apart = rules.sized_apart if measure.name == "height" else _times_apart
    sizes = {name: size(moment, view, name) for name in seen}
    others = {name: other(moment, view, name) for name in seen}
    area = {name: float(view.pixels(name)) for name in seen}
    tall = {name: float(frame[3] - frame[1]) for name in seen if (frame := view.frame(name))}
    looks = (tall, area) if measure.name == "height" else (area,)
    rows = _chosen(Row(measure, view, sizes, looks, {}), others, apart, dice)
    return [row for row in rows if not rules.crowded(view, row.sizes)]


def _chosen(
    row: Row, others: Mapping[str, float], apart: Callable[[float, float], bool], dice: Random
) -> Iterator[Row]:
    """Choices with clearly different sizes, the same order by both methods, and another order in the picture."""
    for number in _NUMBERS:
        names = rules.some_apart(row.sizes, number, apart, dice)
        if names is None:
            continue
        chosen = replace(row, sizes={name: row.sizes[name] for name in names})
        if chosen.names == _ordered({name: others[name] for name in names}) not in chosen.misleading():
            yield chosen


def _fits(moment: Moment, name: str, measure: Measure) -> bool:
    """Whether this measure of a thing can be used."""
    known = {placed.thing.name for placed in moment.home.placed}
    if name not in known:
        return False
    kind = moment.thing(name).kind
    return kind in COMPACT if measure.name == "volume" else kind in (*KINDS, *FURNITURE)


def _upright(moment: Moment, view: View, name: str) -> bool:
    """Whether a thing is visible from bottom to top."""
    return _seen_height(moment, view, name) >= STANDING * _height(moment, view, name)


def _height(moment: Moment, view: View, name: str) -> float:
    low, high = moment.box(name)
    return high[2] - low[2]


def _seen_height(moment: Moment, view: View, name: str) -> float:
    """The height between the lowest and the highest visible point."""
    z = view.points()[2][view.mask(name)]
    return float(z.max() - z.min())


def _volume(moment: Moment, view: View, name: str) -> float:
    return hull_volume(moment.points(name))


def _made_volume(moment: Moment, view: View, name: str) -> float:
    """The volume of the model's bounding box."""
    return prod(moment.thing(name).size)


def hull_volume(points: Floats) -> float:
    """The volume of the convex hull of points, by a grid in their bounding box."""
    number = np.arange(160) + 0.5
    z, turn = 1.0 - number / 80.0, pi * (1.0 + sqrt(5.0)) * number
    ways = np.stack([np.sqrt(1.0 - z * z) * np.cos(turn), np.sqrt(1.0 - z * z) * np.sin(turn), z], axis=1)
    low, high = points.min(axis=1), points.max(axis=1)
    sides = [a + (b - a) * (np.arange(_STEPS) + 0.5) / _STEPS for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*sides, indexing="ij")).reshape(3, -1)
    inside = (ways @ grid <= (ways @ points).max(axis=1)[:, None]).all(axis=0)
    return float(np.prod(high - low) * inside.mean())


def _times_apart(a: float, b: float) -> bool:
    return max(a, b) >= TIMES * min(a, b)


def _ordered(sizes: Mapping[str, float]) -> list[str]:
    return sorted(sizes, key=lambda name: -sizes[name])


Made = Callable[[Scene, Shot], Recipe]
Maker = Callable[[Row, Random], Made | None]


def _made(
    row: Row, dice: Random, kind: Kind, text: str, ask: Callable[[dict[str, str]], tuple[tuple[str, ...], Answer]],
    *boxed: str, **more: object,
) -> Made:  # fmt: skip
    """A recipe from a row; `ask` makes options and answer from the numbers of the things."""
    names = [name for name in row.sizes if name not in boxed]
    labels, marks = _marked(row, names, dice) if row.edges else rules.numbered(row.view, names, dice, *boxed)
    options, answer = ask(labels)
    sizes = {labels.get(name, "box"): round(row.sizes[name], 5) for name in row.names}
    proof = {"measure": row.measure.name, "sizes": sizes, **more}
    whole = f"{row.measure.intro}{text} {_NOTE}"

    def recipe(scene: Scene, shot: Shot) -> Recipe:
        marked = replace(shot, marks=marks)
        return Recipe("shape", SUB_CATEGORY, kind, scene.situation, (marked,), whole, answer, options, proof=proof)

    return recipe


def _marked(row: Row, names: Collection[str], dice: Random) -> tuple[dict[str, str], tuple[Mark, ...]]:
    """The numbers of edges, and their lines."""
    labels = {name: str(number) for number, name in enumerate(rules.shuffled(names, dice), 1)}
    lines = [Segment(*row.edges[name].line, text) for name, text in labels.items()]
    return labels, placed(lines, (WIDTH, HEIGHT))


def _options(row: Row, labels: dict[str, str]) -> dict[str, str]:
    named = rules.options_of(labels)
    return {name: f"line {labels[name]}" for name in named} if row.edges else named


def _sort(row: Row, dice: Random) -> Made | None:
    """Sort all marks."""
    back = dice.random() < 0.5
    order = row.names[::-1] if back else row.names
    first = row.measure.least if back else row.measure.most
    text = f"Sort the marked {row.measure.things} by their real {row.measure.by}, the {first} first."

    def ask(labels: dict[str, str]) -> tuple[tuple[str, ...], Answer]:
        named = _options(row, labels)
        return tuple(named.values()), tuple(list(named).index(name) for name in order)

    return _made(row, dice, Kind.ORDER, text, ask)


def _most(row: Row, dice: Random) -> Made | None:
    """Find the tallest thing, or the longest or shortest line."""
    last = row.measure.name == "length" and dice.random() < 0.5
    end = -1 if last else 0
    right = row.names[end]
    if row.measure.name == "volume" or len(row.sizes) < 5 or any(order[end] == right for order in row.misleading()):
        return None

    def ask(labels: dict[str, str]) -> tuple[tuple[str, ...], Answer]:
        named = _options(row, labels)
        return tuple(named.values()), (list(named).index(right),)

    text = f"Which marked {row.measure.things.rstrip('s')} is the {row.measure.least if last else row.measure.most}?"
    return _made(row, dice, Kind.CHOICE, text, ask)


def _count(row: Row, dice: Random) -> Made | None:
    """Count the things taller than the one in the red box."""
    if row.measure.name != "height" or len(row.sizes) < 5:
        return None
    edge = dice.choice(row.names[2:])
    count = row.names.index(edge)
    if any(order.index(edge) == count for order in row.misleading()):
        return None
    text = "How many of the marked objects are taller than the object in the red box?"
    spots = rules.spots((row.view,), row.names[:count])
    return _made(row, dice, Kind.NUMBER, text, lambda labels: ((), (count,)), edge, spots=spots)


def _judge(row: Row, dice: Random) -> Made | None:
    """Judge statements about pairs, at least two of which appear the other way round in the picture."""
    names, look = row.names, row.misleading()[0]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    turned = [(a, b) for a, b in pairs if look.index(a) > look.index(b)]
    others = [pair for pair in pairs if pair not in turned]
    if len(turned) < 2 or len(pairs) < 5:
        return None
    chosen = [*dice.sample(turned, 2), *dice.sample(others, min(len(others), 2))]
    claims = [(pair, dice.random() < 0.5) for pair in rules.shuffled(chosen, dice)]
    if len(claims) < 4 or len({true for _, true in claims}) < 2:
        return None
    thing = row.measure.things.rstrip("s")

    def ask(labels: dict[str, str]) -> tuple[tuple[str, ...], Answer]:
        statements = (
            f"{thing.capitalize()} {labels[a]} is {row.measure.more} than {thing} {labels[b]}."
            for a, b in (pair if true else pair[::-1] for pair, true in claims)
        )
        return tuple(statements), tuple(int(true) for _, true in claims)

    return _made(row, dice, Kind.JUDGEMENTS, f"Judge each statement about the marked {row.measure.things}.", ask)


_MAKERS: tuple[tuple[str, Maker], ...] = (
    ("multiple-choice", _most),
    ("sorting", _sort),
    ("counting", _count),
    ("composite-judgement", _judge),
)


def _answer(recipe: Recipe, measure: Measure, sizes: Mapping[str, float], edge: float | None) -> Answer:
    """The answer to the recipe's text, from sizes by number."""
    order = _ordered(sizes)
    numbers = [option.rpartition(" ")[2] for option in recipe.options]
    least = f"the {measure.least}" in recipe.text
    match recipe.kind:
        case Kind.ORDER:
            return tuple(numbers.index(number) for number in (order[::-1] if least else order))
        case Kind.CHOICE:
            return (numbers.index(order[-1 if least else 0]),)
        case Kind.JUDGEMENTS:
            pairs = [
                [word.strip(".") for word in option.split() if word.strip(".").isdecimal()] for option in recipe.options
            ]
            return tuple(int(sizes[a] > sizes[b]) for a, b in pairs)
        case _:
            assert edge is not None
            return (sum(size > edge for size in sizes.values()),)


FAMILY = Shape()

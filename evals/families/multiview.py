"""Multi-view matching: corresponding points, objects and places in two pictures of a room.

`propose` uses pixels for objects, the geometry of furniture for places, and poses for cameras.
`verify` uses the boxes of objects, the depth of both pictures for places, and
the distances of visible things for cameras.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import dist
from random import Random
from typing import TYPE_CHECKING

from envs.render.marks import Box, Mark, Point, placed
from envs.shots.cameras import HEIGHT, WIDTH
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot
from evals.families.corners import apart, corners
from evals.families.refound import also_seen, found_again
from evals.families.scenes import SUPPORTS, Scene, scene
from evals.families.standpoints import CAMERA, CAMERAS, DRIVE, by_depth, camera, cameras, drive, nearest_stand
from evals.families.words import unlike
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "Multi-view matching"
SMALL = unlike(("cup", "bottle", "bowl", "vase", "apple", "orange", "banana", "hardback", "snack_food", "saucepan"))
LARGE = unlike(("box", "ball", "gym_shoe", "bucket", "basket", "toolbox"))
_OPEN = ("table", "workbench", "bed")
"""Furniture whose top is visible from several sides."""
TURNS = 60.0, 150.0
"""The range of angles between the two cameras, in degrees."""
HUES = ("red", "blue", "green", "orange", "purple")
_TRIES = 12
_PAIRS = 2
"""The most pairs of pictures of a room."""
_INTRO = "The two pictures show one room at the same time, from two sides."
_OBJECTS = f"{_INTRO} Which point in the second picture is on the same object as each point in the first?"
_PLACES = (
    f"{_INTRO} Which point in the second picture is at the same corner of the furniture as each point in the first?"
)
_BOXES = f"{_INTRO} Which point in the second picture is on the object in each box of the first?"
_OBJECT = f"{_INTRO} Which point in the second picture is on the object in the red box of the first?"
_PLACE = f"{_INTRO} Which point in the second picture is at the same corner as the red point in the first?"
_SEEN = f"{_INTRO} Judge each statement."


@dataclass(frozen=True, slots=True)
class Pair:
    """Two pictures of one room."""

    scene: Scene
    moment: Moment
    eyes: tuple[Eye, Eye]

    @property
    def views(self) -> tuple[View, View]:
        """The views of the two cameras."""
        one, other = self.eyes
        return self.moment.view(one), self.moment.view(other)

    def kind(self, name: str) -> str:
        """The kind of a thing."""
        return self.moment.thing(name).kind

    def objects(self) -> list[str]:
        """The things that can be marked in both pictures and are not the only one of their kind."""
        one, other = self.views
        both = rules.markable(other, rules.markable(one, self.scene.movables))
        kinds = [self.kind(name) for name in both]
        return [name for name in both if kinds.count(self.kind(name)) > 1]


class MultiView:
    """The family of questions about several views of a room."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room."""
        from envs.shots.moment import open_moment

        made = _room(dice)
        moment = open_moment(made.situation)
        pairs = list(_pairs(moment, made, dice))
        for pair in pairs:
            for kind, make in _MAKERS:
                recipe = make(pair, dice) if kind in types else None
                if recipe is not None:
                    yield recipe
        for kind, more in _MORE:
            recipe = more(moment, made, dice) if pairs and kind in types else None
            if recipe is not None:
                yield recipe

    def verify(self, recipe: Recipe) -> Answer:
        """The answer by boxes instead of pixels, and by depth instead of geometry or poses."""
        if recipe.text == DRIVE:
            return tuple(recipe.options.index(f"picture {number + 1}") for number in by_depth(recipe))
        if recipe.text in (CAMERA, CAMERAS):
            found = [nearest_stand(recipe, number) for number in range(1, len(recipe.shots))]
            return tuple(recipe.options.index(f"point {number}") for number in found)
        if recipe.text == _SEEN:
            return tuple(int(also_seen(recipe, option.split()[1])) for option in recipe.options)
        return tuple(
            recipe.options.index(f"point {number}")
            for number in found_again(recipe, by_place=recipe.text in (_PLACE, _PLACES))
        )


def _room(dice: Random) -> Scene:
    """A room with three or four things of each of some kinds on a piece of furniture, and a few on the floor."""
    room = dice.choice(tuple(SUPPORTS))
    front = dice.choice([support for support in SUPPORTS[room] if support[0] in _OPEN])
    back = dice.choice([support for support in SUPPORTS[room] if support != front])
    first, second, third = dice.sample(SMALL, 3)
    lying = [*[first] * dice.randint(2, 4), *[second] * dice.randint(2, 4), *[third] * 2]
    return scene(room, (front, back), {0: lying}, dice, dice.sample(LARGE, 1) * 2)


def _pairs(moment: Moment, made: Scene, dice: Random) -> Iterator[Pair]:
    """Pairs of cameras on different sides."""
    from envs.shots.cameras import turn_between
    from envs.shots.viewpoints import best, free_eyes, heads

    room = next(room.name for room in moment.home.rooms if room.kind == made.room)
    (a, b, _), (x, y, top) = moment.box(next(iter(made.places)))
    aims = [((a + x) / 2.0, (b + y) / 2.0, 0.8 * top)]
    eyes: list[Eye] = [
        *heads(moment, room, aims, dice, _TRIES, 60.0),
        *free_eyes(moment, room, aims, dice, _TRIES, away=(1.2, 3.0), height=(1.2, 1.8), field=60.0),
    ]
    good = best(moment, eyes, made.movables, 4)[:6]
    turned = [two for two in combinations(good, 2) if TURNS[0] <= abs(turn_between(*two)) <= TURNS[1]]
    for one, other in turned[:_PAIRS]:
        yield Pair(made, moment, (one, other) if dice.random() < 0.5 else (other, one))


Pixels = Mapping[str, tuple[int, int]]
"""The pixels of marks, by the marked thing."""


def _dots(labels: Mapping[str, str], pixels: Pixels, view: View | None = None) -> tuple[Mark, ...]:
    """Numbered points on some pixels."""
    marks = [Point(*pixels[name], text) for name, text in labels.items()]
    return placed(marks, (WIDTH, HEIGHT), [view.mask(name) if view else None for name in labels])


def _numbers(names: Sequence[str], dice: Random, first: int = 1) -> dict[str, str]:
    return {name: str(number) for number, name in enumerate(rules.shuffled(names, dice), first)}


def _ordered(labels: Mapping[str, str]) -> list[str]:
    """The things in the order of their numbers."""
    return sorted(labels, key=lambda name: int(labels[name]))


def _points(labels: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"point {labels[name]}" for name in _ordered(labels))


def _recipe(
    pair: Pair, kind: Kind, text: str, marks: tuple[tuple[Mark, ...], ...], answer: Answer,
    options: tuple[str, ...], items: tuple[str, ...] = (),
) -> Recipe:  # fmt: skip
    from envs.shots.cameras import turn_between

    shots = tuple(Shot(eye, some) for eye, some in zip(pair.eyes, marks, strict=True))
    proof = {"turn": round(turn_between(*pair.eyes), 1)}
    return Recipe("multiview", SUB_CATEGORY, kind, pair.scene.situation, shots, text, answer, options, items, proof)


def _easy(names: Sequence[str], one: Pixels, other: Pixels) -> bool:
    """Whether the order from left to right, or from top to bottom, is the same in both pictures."""
    return any(
        sorted(names, key=lambda name: one[name][axis]) == sorted(names, key=lambda name: other[name][axis])
        for axis in (0, 1)
    )


def _near(right: str, names: Sequence[str], one: Pixels, other: Pixels) -> bool:
    """Whether the right answer is the nearest to the same pixel in the other picture."""
    return min(names, key=lambda name: dist(one[right], other[name])) == right


Choice = tuple[list[str], list[str], Pixels, Pixels]
"""The things in question, the marked things of the second picture, and the pixels in both."""


def _some_objects(pair: Pair, asked: int, offered: int, dice: Random) -> Choice | None:
    """Objects, each with another one of its kind in the second picture."""
    names: list[str] = []
    for name in rules.shuffled(pair.objects(), dice):
        if len(names) < offered and not any(rules.crowded(view, (*names, name)) for view in pair.views):
            names.append(name)
    if len(names) < max(asked, 5):
        return None
    wanted = [name for name in names if any(pair.kind(name) == pair.kind(like) for like in names if like != name)]
    wanted = wanted[:asked]
    if len(wanted) < asked:
        return None
    one, other = pair.views
    return wanted, names, _spots(one, names), _spots(other, names)


def _spots(view: View, names: Sequence[str]) -> Pixels:
    found = {name: view.spot(name) for name in names}
    return {name: (spot.x, spot.y) for name, spot in found.items() if spot is not None}


def _some_places(pair: Pair, asked: int, offered: int, dice: Random) -> Choice | None:
    """Corners of furniture visible in both pictures, at least two of them on the same thing."""
    one, other = pair.views
    there = corners(pair.moment, (other,))
    both = corners(pair.moment, (one, other))
    first = apart(rules.shuffled(both, dice), both)
    owners = [_owner(name) for name in first]
    wanted = [name for name in first if owners.count(_owner(name)) > 1][:asked]
    rest = [name for name in rules.shuffled(there, dice) if _owner(name) in owners]
    names = apart([*wanted, *rest], there)[:offered]
    if len(names) < max(asked, 5) or len(wanted) < asked:
        return None
    here = {name: _pixel(one, both[name]) for name in wanted}
    pixels = {name: _pixel(other, there[name]) for name in names}
    if any(dist(some[a], some[b]) < rules.BETWEEN for some in (here, pixels) for a, b in combinations(some, 2)):
        return None
    return wanted, names, here, pixels


def _owner(corner: str) -> str:
    return corner.partition("@")[0]


def _pixel(view: View, point: Vector) -> tuple[int, int]:
    found = view.project(point)
    assert found is not None
    return int(found[0]), int(found[1])


def _match(pair: Pair, dice: Random, text: str, chosen: Choice | None) -> Recipe | None:
    """Match points of the first picture to points of the second."""
    if chosen is None:
        return None
    wanted, names, one, other = chosen
    if _easy(wanted, one, other):
        return None
    on = text != _PLACES
    second = _numbers(names, dice, len(wanted) + 1)
    order = _ordered(second)
    if text == _BOXES:
        hues = dict(zip(wanted, HUES, strict=False))
        marks: tuple[Mark, ...] = _boxes(pair.views[0], hues)
        listed, items = wanted, tuple(f"the {hues[name]} box" for name in wanted)
    else:
        labels = _numbers(wanted, dice)
        marks = _dots(labels, one, pair.views[0] if on else None)
        listed, items = _ordered(labels), _points(labels)
    dots = _dots(second, other, pair.views[1] if on else None)
    answer = tuple(order.index(name) for name in listed)
    return _recipe(pair, Kind.MATCHING, text, (marks, dots), answer, _points(second), items)


def _boxes(view: View, hues: Mapping[str, str]) -> tuple[Mark, ...]:
    frames = {name: view.frame(name) for name in hues}
    return tuple(Box(*frame, colour=hues[name]) for name, frame in frames.items() if frame is not None)


def _match_objects(pair: Pair, dice: Random) -> Recipe | None:
    return _match(pair, dice, _OBJECTS, _some_objects(pair, dice.choice((4, 5)), 6, dice))


def _match_boxes(pair: Pair, dice: Random) -> Recipe | None:
    return _match(pair, dice, _BOXES, _some_objects(pair, 4, 6, dice))


def _match_places(pair: Pair, dice: Random) -> Recipe | None:
    return _match(pair, dice, _PLACES, _some_places(pair, dice.choice((4, 5)), 6, dice))


def _choose(pair: Pair, dice: Random, text: str, chosen: Choice | None) -> Recipe | None:
    """Choose the corresponding point of the second picture."""
    if chosen is None:
        return None
    (right, *_), names, one, other = chosen
    if _near(right, names, one, other):
        return None
    second = _numbers(names, dice)
    if text == _OBJECT:
        marks, dots = _boxes(pair.views[0], {right: "red"}), _dots(second, other, pair.views[1])
    else:
        marks, dots = (Point(*one[right], colour="red"),), _dots(second, other)
    answer = (_ordered(second).index(right),)
    return _recipe(pair, Kind.CHOICE, text, (marks, dots), answer, _points(second))


def _choose_object(pair: Pair, dice: Random) -> Recipe | None:
    return _choose(pair, dice, _OBJECT, _some_objects(pair, 1, 6, dice))


def _choose_place(pair: Pair, dice: Random) -> Recipe | None:
    return _choose(pair, dice, _PLACE, _some_places(pair, 1, 6, dice))


def _judge(pair: Pair, dice: Random) -> Recipe | None:
    """Judge which marked objects the second picture shows; for missing ones it shows another one of the kind."""
    one, other = pair.views
    here = rules.markable(one, pair.scene.movables)
    both = [name for name in here if other.clear(name)]
    kinds = {pair.kind(name) for name in other.seen if name in pair.scene.movables}
    only = [name for name in here if not other.pixels(name) and pair.kind(name) in kinds]
    if len(both) < 2 or not only:
        return None
    names = rules.shuffled(only, dice)[: dice.randint(1, 3)]
    names += rules.shuffled(both, dice)[: 5 - len(names)]
    if len(names) < 4:
        return None
    if rules.crowded(one, names):
        return None
    labels = _numbers(names, dice)
    options = tuple(f"Object {labels[name]} is also visible in the second picture." for name in _ordered(labels))
    answer = tuple(int(name in both) for name in _ordered(labels))
    return _recipe(pair, Kind.JUDGEMENTS, _SEEN, (_dots(labels, _spots(one, names), one), ()), answer, options)


Maker = Callable[[Pair, Random], Recipe | None]

_MAKERS: tuple[tuple[str, Maker], ...] = (
    ("matching", _match_objects),
    ("matching", _match_places),
    ("matching", _match_boxes),
    ("multiple-choice", _choose_object),
    ("multiple-choice", _choose_place),
    ("composite-judgement", _judge),
)
_MORE = (("matching", cameras), ("multiple-choice", camera), ("sorting", drive))


FAMILY = MultiView()

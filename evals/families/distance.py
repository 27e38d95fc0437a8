"""Relative distance: which marked thing is nearer to the camera, to the gripper, or to another thing.

To the camera and the gripper, `propose` takes the point under the mark from the depth of the picture, `verify` the
middle of the thing from its pose; between two things it is the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import dist, hypot
from random import Random
from typing import TYPE_CHECKING

from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.scenes import Scene, mixed_room
from evals.families.words import noun, spoken, unlike
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.cameras import Head
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "Relative distance"
KINDS = unlike(
    ("cup", "bottle", "bowl", "kettle", "vase", "saucepan", "plate", "apple", "orange", "banana", "sandwich",
     "hardback", "box", "laptop", "toolbox", "bucket", "basket", "ball", "gym_shoe", "pillow", "snack_food")
)  # fmt: skip
TO: Mapping[str, str] = {
    "camera": "the camera",
    "gripper": "the tips of the robot's gripper",
    "thing": "the object in the red box",
}
_THINGS = (12, 14)
"""In a room, at least and at most."""
_NOTE = "Compare distances in the room, not in the picture."
_TRIES, _LOOKED_AT = 60, 5
"""Cameras to compare by what is ahead, and by coarse pictures."""
_LEAST = 5
"""Things that a picture shows at distances that can be told apart."""
_LINES = 8
"""Choices of marks that are tried for a question, until the picture does not suggest its answer."""
_LET_PASS = 0.02
"""Of the answers that the picture suggests so many are asked for: it is right about as often as a guess."""
_SORTED = 5
"""Things to be put in order, at least."""


@dataclass(frozen=True, slots=True)
class Line:
    """Some marked things by how far they are from something: the nearest first."""

    to: str
    view: View
    far: Mapping[str, float]
    boxed: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The nearest first."""
        return sorted(self.far, key=lambda name: self.far[name])

    def misleading(self) -> list[list[str]]:
        """Orders one might take for it: by height in the picture, by pixels, by size, by nearness in the picture."""
        view = self.view
        spots = {name: view.spot(name) for name in self.far}
        orders = [
            sorted(self.far, key=lambda name: -spots[name].y),  # type: ignore[union-attr]
            sorted(self.far, key=lambda name: -view.pixels(name)),
            sorted(self.far, key=lambda name: -view.whole(name)),
        ]
        at = self._in_picture()
        if at is not None:
            orders.append(sorted(self.far, key=lambda name: dist(spots[name][:2], at)))  # type: ignore[index]
        return orders

    def misleads(self, right: Callable[[list[str]], bool], dice: Random) -> bool:
        """Whether what one might take for the order is wrong; `right` says if the answer follows from an order.

        A few where it is right are let pass: if it never were, one could go by that.
        """
        return not any(right(order) for order in self.misleading()) or dice.random() < _LET_PASS

    def _in_picture(self) -> tuple[float, float] | None:
        """Where in the picture that is from which distances are measured; of the camera, the place below all marks."""
        if self.to == "camera":
            spots = [spot for name in self.far if (spot := self.view.spot(name)) is not None]
            return sum(spot.x for spot in spots) / len(spots), max(spot.y for spot in spots)
        if self.boxed:
            spot = self.view.spot(self.boxed[0])
            return None if spot is None else (spot.x, spot.y)
        hand = self.view.hand
        found = self.view.project(hand) if self.to == "gripper" and hand else None
        return None if found is None else found[:2]


class Distance:
    """Marks in order of distance."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room."""
        from envs.shots.moment import open_moment

        scene = mixed_room(dice, KINDS, dice.randint(*_THINGS))
        moment = open_moment(scene.situation)
        for eye in _eyes(moment, scene, dice):
            view = moment.view(eye)
            seen = rules.markable(view, scene.movables)
            for to in rules.shuffled(TO if eye.field > 70.0 else ("camera", "thing"), dice):
                for make in rules.shuffled([make for kind, make in _MAKERS if kind in types], dice):
                    for _ in range(_LINES):
                        line = _line(moment, view, seen, to, dice)
                        recipe = line and make(line, moment, dice)
                        if recipe:
                            yield recipe(scene, Shot(eye))
                        if recipe or line is None:
                            break

    def verify(self, recipe: Recipe) -> Answer:
        """Distances from poses where they came from the picture, from the picture where they came from poses."""
        view, moment = view_of(recipe), moment_of(recipe)
        things = rules.marked_things(recipe, view)
        to = str(recipe.proof["to"])
        boxed = rules.boxed_thing(recipe, view) if to == "thing" else None
        far = {number: _other_way(moment, view, name, to, boxed) for number, name in things.items()}
        return _answer(recipe, far, things)


def _eyes(moment: Moment, scene: Scene, dice: Random) -> Iterator[Head]:
    """Places to look from, some with the hand in the picture: where things can be told apart by distance.

    Cheap tests first: what is ahead, then what shows in a coarse picture.
    """
    from envs.shots.viewpoints import heads, in_frame, showing

    room = next(room.name for room in moment.home.rooms if room.kind == scene.room)
    middles = {name: moment.middle(name) for name in scene.movables if moment.room_of(name) == room}

    def told_apart(eye: Head, names: Collection[str]) -> int:
        far = {name: dist(eye.camera.position, middles[name]) for name in names}
        return len(rules.most_apart(far, rules.far_apart))

    for field in (60.0, 76.0):
        tried = list(heads(moment, room, list(middles.values()), dice, _TRIES, field))
        tried.sort(key=lambda eye: -told_apart(eye, in_frame(eye, middles)))
        looked = [(told_apart(eye, showing(moment, eye, tuple(middles))), eye) for eye in tried[:_LOOKED_AT]]
        looked.sort(key=lambda one: -one[0])
        yield from (eye for number, eye in looked[:1] if number >= _LEAST)


def _line(moment: Moment, view: View, seen: list[str], to: str, dice: Random) -> Line | None:
    """Four to six marked things whose distances can be told apart, both ways they can be found."""
    for _ in range(6):
        boxed = (dice.choice(seen),) if to == "thing" and seen else ()
        far = {name: _far(moment, view, name, to, boxed[0] if boxed else None) for name in seen if name not in boxed}
        for number in (6, 5, 4):
            chosen = rules.some_apart(far, number, rules.far_apart, dice)
            if chosen is None or rules.crowded(view, (*chosen, *boxed)):
                continue
            line = Line(to, view, {name: far[name] for name in chosen}, boxed)
            other = {name: _other_way(moment, view, name, to, boxed[0] if boxed else None) for name in chosen}
            if line.names != sorted(other, key=lambda name: other[name]):
                continue
            if not boxed or _gaps_agree(moment, line):
                return line
    return None


def _gaps_agree(moment: Moment, line: Line) -> bool:
    """Whether the order is the same for who compares the gaps between things, and not their middles."""
    low, high = moment.box(line.boxed[0])
    gaps: dict[str, float] = {}
    for name in line.far:
        a, b = moment.box(name)
        gaps[name] = hypot(*(max(low[k] - b[k], a[k] - high[k], 0.0) for k in range(3)))
    return sorted(gaps, key=lambda name: gaps[name]) == line.names and rules.all_apart(gaps.values(), rules.far_apart)


def _far(moment: Moment, view: View, name: str, to: str, boxed: str | None) -> float:
    if boxed is not None:
        return dist(moment.middle(name), moment.middle(boxed))
    return dist(_under_mark(view, name), _from(view, to))


def _other_way(moment: Moment, view: View, name: str, to: str, boxed: str | None) -> float:
    if boxed is not None:
        return dist(_seen_middle(view, name), _seen_middle(view, boxed))
    return dist(moment.middle(name), _from(view, to))


def _from(view: View, to: str) -> Vector:
    if to == "gripper":
        assert view.hand is not None
        return view.hand
    return view.scene.camera.position


def _under_mark(view: View, name: str) -> Vector:
    spot = view.spot(name)
    assert spot is not None
    return view.point(spot.x, spot.y)


@lru_cache(maxsize=32)
def _seen_middle(view: View, name: str) -> Vector:
    """The middle of the box round all points of a thing that the picture shows."""
    points = view.points()[:, view.mask(name)]
    x, y, z = ((points.min(axis=1) + points.max(axis=1)) / 2.0).tolist()
    return x, y, z


Made = Callable[[Scene, Shot], Recipe]
Maker = Callable[[Line, "Moment", Random], Made | None]


def _made(
    line: Line, dice: Random, kind: Kind, text: str, ask: Callable[[dict[str, str]], tuple[tuple[str, ...], Answer]]
) -> Made:
    """A recipe from a line; `ask` makes options and answer from the numbers of the things."""
    labels, marks = rules.numbered(line.view, list(line.far), dice, *line.boxed)
    options, answer = ask(labels)
    proof = {"to": line.to, "far": {labels[name]: round(line.far[name], 3) for name in line.names}}

    def recipe(scene: Scene, shot: Shot) -> Recipe:
        marked = Shot(shot.eye, marks)
        return Recipe("distance", SUB_CATEGORY, kind, scene.situation, (marked,), text, answer, options, proof=proof)

    return recipe


def _nearest(line: Line, moment: Moment, dice: Random) -> Made | None:
    """The nearest or the farthest of the marks."""
    ends = [
        (name, last)
        for name, last in ((line.names[0], False), (line.names[-1], True))
        if line.misleads(lambda order, name=name, last=last: order[-1 if last else 0] == name, dice)  # type: ignore[misc]
    ]
    if len(line.far) < 5 or not ends:
        return None
    right, last = dice.choice(ends)
    text = f"Which marked object is {'farthest from' if last else 'closest to'} {TO[line.to]}? {_NOTE}"

    def ask(labels: dict[str, str]) -> tuple[tuple[str, ...], Answer]:
        named = rules.options_of(labels)
        return tuple(named.values()), (list(named).index(right),)

    return _made(line, dice, Kind.CHOICE, text, ask)


def _several(line: Line, moment: Moment, dice: Random) -> Made | None:
    """All marks that are nearer than the thing in the red box."""
    if line.to != "camera" or len(line.far) < 6 or dice.random() > 2.5 * rules.SEVERAL:
        return None
    edge = dice.choice(line.names[2:-2])
    place = line.names.index(edge)
    if not line.misleads(lambda order: set(order[:place]) == set(line.names[:place]), dice):
        return None
    rest = Line(line.to, line.view, {name: far for name, far in line.far.items() if name != edge}, (edge,))
    text = f"Which marked objects are closer to the camera than the object in the red box? Choose all. {_NOTE}"

    def ask(labels: dict[str, str]) -> tuple[tuple[str, ...], Answer]:
        named = rules.options_of(labels)
        return tuple(named.values()), tuple(k for k, name in enumerate(named) if line.far[name] < line.far[edge])

    return _made(rest, dice, Kind.CHOICES, text, ask)


def _kind_of_nearest(line: Line, moment: Moment, dice: Random, *, options: bool = True) -> Made | None:
    """The kind of the nearest mark, among those of all marks or in one's own words."""
    right = line.names[0]
    if line.to != "camera" or len(line.far) < 5 or not line.misleads(lambda order: order[0] == right, dice):
        return None
    text = f"What is the marked object that is closest to the camera? {_NOTE}"
    words = {name: noun(moment.thing(name).kind) for name in line.names}

    def ask(labels: dict[str, str]) -> tuple[tuple[str, ...], Answer]:
        if not options:
            return (), (spoken(moment.thing(right).kind),)
        return tuple(words.values()), (list(words).index(right),)

    return _made(line, dice, Kind.CHOICE if options else Kind.TEXT, text, ask)


def _open(line: Line, moment: Moment, dice: Random) -> Made | None:
    return _kind_of_nearest(line, moment, dice, options=False)


def _sort(line: Line, moment: Moment, dice: Random) -> Made | None:
    """All marks in order."""
    back = dice.random() < 0.5
    order = line.names[::-1] if back else line.names
    if len(order) < _SORTED or any(line.names == wrong for wrong in line.misleading()):
        return None
    first = "farthest" if back else "closest"
    text = f"Sort the marked objects by their distance to {TO[line.to]}, the {first} first. {_NOTE}"

    def ask(labels: dict[str, str]) -> tuple[tuple[str, ...], Answer]:
        named = rules.options_of(labels)
        return tuple(named.values()), tuple(list(named).index(name) for name in order)

    return _made(line, dice, Kind.ORDER, text, ask)


def _count(line: Line, moment: Moment, dice: Random) -> Made | None:
    """How many marks are nearer than the thing in the red box."""
    if line.to != "camera":
        return None
    names = line.names
    edges = [
        edge
        for count, edge in enumerate(names)
        if count >= 2 and line.misleads(lambda order, edge=edge, count=count: order.index(edge) == count, dice)  # type: ignore[misc]
    ]
    if not edges:
        return None
    edge = dice.choice(edges)
    rest = Line(line.to, line.view, {name: line.far[name] for name in names if name != edge}, (edge,))
    count = names.index(edge)
    text = f"How many of the marked objects are closer to the camera than the object in the red box? {_NOTE}"
    return _made(rest, dice, Kind.NUMBER, text, lambda labels: ((), (count,)))


def _judge(line: Line, moment: Moment, dice: Random) -> Made | None:
    """Statements about pairs; one of them at least is as the picture does not suggest."""
    names = line.names
    lower = line.misleading()[0]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    turned = [(a, b) for a, b in pairs if lower.index(a) > lower.index(b)]
    if len(turned) < 2:
        return None
    others = [pair for pair in pairs if pair not in turned]
    chosen = [*dice.sample(turned, 2), *dice.sample(others, min(len(others), 2))]
    if len(chosen) < 4:
        return None
    if any(all(order.index(a) < order.index(b) for a, b in chosen) for order in line.misleading()):
        return None
    told = [(pair, dice.random() < 0.5) for pair in rules.shuffled(chosen, dice)]
    if len({true for _, true in told}) < 2:
        return None
    text = f"Judge each statement. {_NOTE}"

    def ask(labels: dict[str, str]) -> tuple[tuple[str, ...], Answer]:
        said = (
            f"Object {labels[a]} is closer to {TO[line.to]} than object {labels[b]}."
            for a, b in (pair if true else pair[::-1] for pair, true in told)
        )
        return tuple(said), tuple(int(true) for _, true in told)

    return _made(line, dice, Kind.JUDGEMENTS, text, ask)


_MAKERS: tuple[tuple[str, Maker], ...] = (
    ("multiple-choice", _nearest),
    ("multiple-choice", _several),
    ("multiple-choice", _kind_of_nearest),
    ("sorting", _sort),
    ("counting", _count),
    ("composite-judgement", _judge),
    ("open", _open),
)


def _answer(recipe: Recipe, far: Mapping[str, float], things: Mapping[str, str]) -> Answer:
    """The answer that distances by number come to, read from the recipe's own words."""
    order = sorted(far, key=lambda number: far[number])
    numbers = [_number(option) for option in recipe.options]
    match recipe.kind:
        case Kind.ORDER:
            order = order[::-1] if "the farthest first" in recipe.text else order
            return tuple(numbers.index(number) for number in order)
        case Kind.JUDGEMENTS:
            pairs = [
                [word.strip(".") for word in option.split() if word.strip(".").isdecimal()] for option in recipe.options
            ]
            return tuple(int(far[a] < far[b]) for a, b in pairs)
        case Kind.TEXT:
            return (spoken(things[order[0]].rpartition("_")[0]),)
        case Kind.CHOICE if recipe.text.startswith("What is"):
            return (recipe.options.index(noun(things[order[0]].rpartition("_")[0])),)
        case Kind.CHOICE:
            return (numbers.index(order[-1 if "farthest" in recipe.text else 0]),)
        case _:
            edge = _edge(recipe)
            nearer = [number for number in order if far[number] < edge]
            return (len(nearer),) if recipe.kind is Kind.NUMBER else tuple(sorted(numbers.index(n) for n in nearer))


def _edge(recipe: Recipe) -> float:
    """How far the thing in the red box is from the camera, by its pose."""
    view, moment = view_of(recipe), moment_of(recipe)
    return dist(moment.middle(rules.boxed_thing(recipe, view)), view.scene.camera.position)


def _number(option: str) -> str:
    return option.rpartition(" ")[2]


FAMILY = Distance()

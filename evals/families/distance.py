"""Relative distance: the distances of marked things to the camera, the gripper, or another thing.

For the camera and the gripper, `propose` uses the depth at the mark and `verify` the centre of the thing's pose;
between two things it is the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from math import dist
from random import Random
from typing import TYPE_CHECKING

from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.lines import Line, counted, line_of, other_way
from evals.families.scenes import Scene, mixed_room
from evals.families.words import noun, spoken, unlike
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.cameras import Head
    from envs.shots.moment import Moment

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
"""The numbers of movables in a room."""
_NOTE = "Compare distances in the room, not in the picture."
_TRIES, _LOOKED_AT = 60, 5
"""The numbers of cameras compared by what is ahead, and by coarse pictures."""
_LEAST = 5
"""The least number of things with clearly different distances."""
_LINES = 8
"""Attempts to choose marks so that the picture does not suggest the answer."""
_OBVIOUS = 0.3
"""The share of questions whose answer the picture suggests; the set is balanced afterwards."""
FEWEST = 2
"""The smallest count."""
_COUNTED = 4
"""Attempts at a thing in a red box."""
_SORTED = 5
"""The least number of things to sort."""


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
            if "counting" in types:
                counts = (
                    line and _count(line, dice) for line in (counted(moment, view, seen, dice) for _ in range(_COUNTED))
                )
                yield from (recipe(scene, Shot(eye)) for recipe in counts if recipe)
            for to in rules.shuffled(TO if eye.field > 70.0 else ("camera", "thing"), dice):
                for make in rules.shuffled([make for kind, make in _MAKERS if kind in types], dice):
                    for _ in range(_LINES):
                        line = line_of(moment, view, seen, to, dice)
                        recipe = line and make(line, moment, dice)
                        if recipe:
                            yield recipe(scene, Shot(eye))
                        if recipe or line is None:
                            break

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from poses if `propose` used the picture, and vice versa."""
        view, moment = view_of(recipe), moment_of(recipe)
        things = rules.marked_things(recipe, view)
        to = str(recipe.proof["to"])
        boxed = rules.boxed_thing(recipe, view) if to == "thing" else None
        far = {number: other_way(moment, view, name, to, boxed) for number, name in things.items()}
        return _answer(recipe, far, things)


def _eyes(moment: Moment, scene: Scene, dice: Random) -> Iterator[Head]:
    """Cameras for which distances differ clearly, some with the hand in the picture.

    Cheap tests come first: what is ahead, then what shows in a coarse picture.
    """
    from envs.shots.viewpoints import heads, in_frame, showing

    room = next(room.name for room in moment.home.rooms if room.kind == scene.room)
    middles = {name: moment.middle(name) for name in scene.movables if moment.room_of(name) == room}

    def claims_apart(eye: Head, names: Collection[str]) -> int:
        far = {name: dist(eye.camera.position, middles[name]) for name in names}
        return len(rules.most_apart(far, rules.far_apart))

    for field in (60.0, 76.0):
        tried = list(heads(moment, room, list(middles.values()), dice, _TRIES, field))
        tried.sort(key=lambda eye: -claims_apart(eye, in_frame(eye, middles)))
        looked = [(claims_apart(eye, showing(moment, eye, tuple(middles))), eye) for eye in tried[:_LOOKED_AT]]
        looked.sort(key=lambda one: -one[0])
        yield from (eye for number, eye in looked[:1] if number >= _LEAST)


Made = Callable[[Scene, Shot], Recipe]
Maker = Callable[[Line, "Moment", Random], Made | None]


def _made(
    line: Line, dice: Random, kind: Kind, text: str, ask: Callable[[dict[str, str]], tuple[tuple[str, ...], Answer]],
    **more: object,
) -> Made:  # fmt: skip
    """A recipe from a line; `ask` makes options and answer from the numbers of the things."""
    labels, marks = rules.numbered(line.view, list(line.far), dice, *line.boxed)
    options, answer = ask(labels)
    proof = {"to": line.to, "far": {labels[name]: round(line.far[name], 3) for name in line.names}, **more}

    def recipe(scene: Scene, shot: Shot) -> Recipe:
        marked = Shot(shot.eye, marks)
        return Recipe("distance", SUB_CATEGORY, kind, scene.situation, (marked,), text, answer, options, proof=proof)

    return recipe


def _nearest(line: Line, moment: Moment, dice: Random) -> Made | None:
    """Find the nearest or farthest mark."""
    ends = [
        (name, last)
        for name, last in ((line.names[0], False), (line.names[-1], True))
        if line.misleads(lambda order, name=name, last=last: order[-1 if last else 0] == name, dice, _OBVIOUS)  # type: ignore[misc]
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
    """Find all marks nearer than the thing in the red box."""
    if line.to != "camera" or len(line.far) < 6:
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
    """Find the kind of the nearest mark, with options or as free text."""
    right = line.names[0]
    if line.to != "camera" or len(line.far) < 5 or not line.misleads(lambda order: order[0] == right, dice, _OBVIOUS):
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
    """Sort all marks."""
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


def _count(line: Line, dice: Random) -> Made | None:
    """Count the marks nearer than the thing in the red box."""
    (edge,) = line.boxed
    count = line.names.index(edge)
    if count < FEWEST or not line.misleads(lambda order: order.index(edge) == count, dice):
        return None
    rest = replace(line, far={name: far for name, far in line.far.items() if name != edge})
    text = f"How many of the marked objects are closer to the camera than the object in the red box? {_NOTE}"
    spots = rules.spots((line.view,), line.names[:count])
    return _made(rest, dice, Kind.NUMBER, text, lambda labels: ((), (count,)), spots=spots)


def _judge(line: Line, moment: Moment, dice: Random) -> Made | None:
    """Judge statements about pairs, at least one of which contradicts the impression of the picture."""
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
    claims = [(pair, dice.random() < 0.5) for pair in rules.shuffled(chosen, dice)]
    if len({true for _, true in claims}) < 2:
        return None
    text = f"Judge each statement. {_NOTE}"

    def ask(labels: dict[str, str]) -> tuple[tuple[str, ...], Answer]:
        statements = (
            f"Object {labels[a]} is closer to {TO[line.to]} than object {labels[b]}."
            for a, b in (pair if true else pair[::-1] for pair, true in claims)
        )
        return tuple(statements), tuple(int(true) for _, true in claims)

    return _made(line, dice, Kind.JUDGEMENTS, text, ask)


_MAKERS: tuple[tuple[str, Maker], ...] = (
    ("multiple-choice", _nearest),
    ("multiple-choice", _several),
    ("multiple-choice", _kind_of_nearest),
    ("sorting", _sort),
    ("composite-judgement", _judge),
    ("open", _open),
)


def _answer(recipe: Recipe, far: Mapping[str, float], things: Mapping[str, str]) -> Answer:
    """The answer to the recipe's text, from distances by number."""
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
    """The distance of the thing in the red box from the camera, by its pose."""
    view, moment = view_of(recipe), moment_of(recipe)
    return dist(moment.middle(rules.boxed_thing(recipe, view)), view.scene.camera.position)


def _number(option: str) -> str:
    return option.rpartition(" ")[2]


FAMILY = Distance()

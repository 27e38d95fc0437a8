"""Relative distance: which marked thing is nearer to the camera, to the gripper, or to another thing.

To the camera and the gripper, `propose` takes the point under the mark from the depth of the picture, `verify` the
middle of the thing from its pose; between two things it is the other way round.
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
"""In a room, at least and at most."""
_NOTE = "Compare distances in the room, not in the picture."
_TRIES, _LOOKED_AT = 60, 5
"""Cameras to compare by what is ahead, and by coarse pictures."""
_LEAST = 5
"""Things that a picture shows at distances that can be claims apart."""
_LINES = 8
"""Choices of marks that are tried for a question, until the picture does not suggest its answer."""
_OBVIOUS = 0.3
"""How often what the picture suggests is asked for as the nearest or farthest: the set is made even afterwards."""
FEWEST = 2
"""The smallest count."""
_COUNTED = 4
"""Things in red boxes to try."""
_SORTED = 5
"""Things to be put in order, at least."""


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
        """Distances from poses where they came from the picture, from the picture where they came from poses."""
        view, moment = view_of(recipe), moment_of(recipe)
        things = rules.marked_things(recipe, view)
        to = str(recipe.proof["to"])
        boxed = rules.boxed_thing(recipe, view) if to == "thing" else None
        far = {number: other_way(moment, view, name, to, boxed) for number, name in things.items()}
        return _answer(recipe, far, things)


def _eyes(moment: Moment, scene: Scene, dice: Random) -> Iterator[Head]:
    """Places to look from, some with the hand in the picture: where things can be claims apart by distance.

    Cheap tests first: what is ahead, then what shows in a coarse picture.
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
    """The nearest or the farthest of the marks."""
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
    """All marks that are nearer than the thing in the red box."""
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
    """The kind of the nearest mark, among those of all marks or in one's own words."""
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


def _count(line: Line, dice: Random) -> Made | None:
    """How many marks are nearer than the thing in the red box."""
    (edge,) = line.boxed
    count = line.names.index(edge)
    if count < FEWEST or not line.misleads(lambda order: order.index(edge) == count, dice):
        return None
    rest = replace(line, far={name: far for name, far in line.far.items() if name != edge})
    text = f"How many of the marked objects are closer to the camera than the object in the red box? {_NOTE}"
    spots = rules.spots((line.view,), line.names[:count])
    return _made(rest, dice, Kind.NUMBER, text, lambda labels: ((), (count,)), spots=spots)


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

"""Questions about things that moved between two pictures, and about their directions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, degrees, hypot, pi, radians
from random import Random
from typing import TYPE_CHECKING, Any

from envs.shots.actions import Put
from envs.shots.cameras import HEIGHT, WIDTH, looking
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.places import (
    ENOUGH,
    TRIES,
    Place,
    cloud,
    moved_to,
    plain,
    recipe_at,
)
from evals.families.words import spoken
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.marks import Mark
    from envs.render.scene import Vector
    from envs.shots.cameras import Eye
    from envs.shots.view import View

SEEMS = 0.12
"""The largest apparent motion of a thing at rest, by the depth of two pictures."""
EIGHT = (
    "away from the camera",
    "away from the camera and to the left",
    "to the left",
    "towards the camera and to the left",
    "towards the camera",
    "towards the camera and to the right",
    "to the right",
    "away from the camera and to the right",
)
"""The eight directions, each an eighth of a turn further to the left."""
STILL = "it did not move"
FOUR = (EIGHT[0], EIGHT[2], EIGHT[4], EIGHT[6])
_OFF = 6.0
"""The tolerance of a direction, in degrees."""
_ASIDE = {8: 9.0, 4: 24.0}
"""The largest angle of a thing from the picture's centre, so that all definitions of its direction agree."""
_BOTH = "Between the two pictures the camera moved, and "
_ONE = f"{_BOTH}one object was moved. Which one, by its mark in the first picture?"
_WHICH = f"{_BOTH}one object was moved. What is it?"
_SEVERAL = f"{_BOTH}some of the marked objects were moved. Which ones, by their marks in the first picture? Choose all."
_JUDGED = f"{_BOTH}some of the marked objects were moved. Judge each statement; the marks are in the first picture."
_WHERE = "In which direction was the object in the red box moved from the first picture to the second, seen from above?"
_MATCHED = (
    "The camera stayed where it was. In which direction was each object moved from the first picture to the second? "
    "The marks are in both pictures."
)


def things_moved(place: Place, dice: Random) -> Iterator[Recipe]:
    """Questions about one or two marked things that move, while the camera also moves."""
    from envs.shots.cameras import turn_between
    from envs.shots.moment import open_moment
    from envs.shots.viewpoints import best, heads

    moment = place.moment
    middles = [moment.middle(name) for name in place.seen]
    centre = tuple(sum(values) / len(values) for values in zip(*middles, strict=True))
    room = next(room.name for room in moment.home.rooms if room.kind == place.made.room)
    aims: list[Vector] = [(centre[0], centre[1], centre[2])]
    eyes = [
        eye
        for eye in heads(moment, room, aims, dice, 2 * TRIES, 62.0)
        if 18.0 <= abs(turn_between(place.eye, eye)) <= 75.0
    ]
    for first, eye in enumerate(best(moment, eyes, place.seen, 4)[:2]):
        shared = plain(moment.view(eye), place.seen)
        for number in (1, 1, 2) if first else (2, 1):
            if len(shared) < 4 + (number == 1):
                continue
            puts = [
                put for name in rules.shuffled(shared, dice)[:4] if (put := _any_way(place, name, dice)) is not None
            ]
            if len(puts) < number:
                continue
            puts = puts[:number]
            after = open_moment(place.made.situation.after(*puts))
            second = after.view(eye)
            moved = [put.thing for put in puts]
            names = rules.shuffled([name for name in shared if second.clear(name, *ENOUGH)], dice)
            names = [*moved, *[name for name in names if name not in moved][: 6 - number]]
            if len(names) < 4 + (number == 1) or rules.crowded(place.view, names):
                continue
            if any(after.sim.collides(name, after.sim.pose(name)) for name in moved):
                continue
            if number == 1 and _shifted(place.view, second, names) == moved[0]:
                continue
            yield from _of_moved(place, eye, puts, names, dice)
            break


def _any_way(place: Place, name: str, dice: Random) -> Put | None:
    return moved_to(place, name, dice.uniform(-pi, pi), dice)


def _shifted(first: View, second: View, names: Sequence[str]) -> str:
    """The thing that moves furthest in the picture."""

    def far(name: str) -> float:
        one, other = first.spot(name), second.spot(name)
        return 0.0 if one is None or other is None else hypot(one.x - other.x, one.y - other.y)

    return max(names, key=far)


def _of_moved(place: Place, eye: Eye, puts: Sequence[Put], names: Sequence[str], dice: Random) -> Iterator[Recipe]:
    """Questions about the moved things."""
    labels, marks = rules.numbered(place.view, names, dice)
    named = rules.options_of(labels)
    order, options = list(named), tuple(named.values())
    moved = [put.thing for put in puts]
    shots = (Shot(place.eye, marks), Shot(eye, (), tuple(puts)))
    proof: dict[str, Any] = {"event": "moved", "moved": sorted(labels[name] for name in moved)}
    right = tuple(sorted(order.index(name) for name in moved))
    if len(moved) == 1:
        yield recipe_at(place, Kind.CHOICE, _ONE, right, shots, options, **proof)
        bare = (Shot(place.eye), shots[1])
        kinds = [place.moment.thing(name).kind for name in place.made.movables]
        kind = place.moment.thing(moved[0]).kind
        if kinds.count(kind) == 1:
            yield recipe_at(place, Kind.TEXT, _WHICH, (spoken(kind),), bare, event="moved", moved=[kind])
        return
    yield recipe_at(place, Kind.CHOICES, _SEVERAL, right, shots, options, **proof)
    statements = tuple(f"The object marked {labels[name]} was moved." for name in order)
    answer = tuple(int(name in moved) for name in order)
    yield recipe_at(place, Kind.JUDGEMENTS, _JUDGED, answer, shots, statements, **proof)


def by_moved(recipe: Recipe) -> Answer:
    """The moved things, by the depth of each picture."""
    first, second = view_of(recipe, 0), view_of(recipe, 1)
    marks = rules.marked_things(recipe, first)
    if recipe.kind is Kind.TEXT:
        movables = moment_of(recipe).movables
        marks = {name: name for name in movables if first.clear(name, *ENOUGH) and second.clear(name, *ENOUGH)}
    far = {number: _gap(first, second, name) for number, name in marks.items()}
    moved = [number for number, apart in far.items() if apart >= SEEMS]
    match recipe.kind:
        case Kind.TEXT:
            (name,) = moved
            return (spoken(name.rpartition("_")[0]),)
        case Kind.JUDGEMENTS:
            return tuple(int(option.split()[3] in moved) for option in recipe.options)
        case _:
            return tuple(sorted(recipe.options.index(f"the object marked {number}") for number in moved))


def _gap(first: View, second: View, name: str) -> float:
    """The displacement of a thing, between its visible points in two pictures."""
    import numpy as np

    one, other = cloud(first, name), cloud(second, name)
    low, high = np.maximum(one.min(axis=1), other.min(axis=1)), np.minimum(one.max(axis=1), other.max(axis=1))
    across = ((one.min(axis=1) + one.max(axis=1)) - (other.min(axis=1) + other.max(axis=1))) / 2.0
    overlap = float(np.prod(np.maximum(high - low, 0.0)[:2]))
    smaller = min(float(np.prod(np.ptp(cloud, axis=1)[:2])) for cloud in (one, other))
    return 0.0 if overlap > 0.6 * smaller else float(np.hypot(across[0], across[1]))


def _heading(place: Place, name: str) -> float:
    """The angle of a thing to the left of the picture's centre, in degrees on the floor plan."""
    x, y, _ = place.moment.middle(name)
    ex, ey, _ = place.view.scene.camera.position
    return (degrees(atan2(y - ey, x - ex) - looking(place.view.scene.camera)[0]) + 180.0) % 360.0 - 180.0


def ways(place: Place, dice: Random) -> Iterator[Recipe]:
    """Questions with a fixed camera: one thing moves in one of eight directions, or several in one of four each."""
    central = [name for name in place.seen if abs(_heading(place, name)) <= _ASIDE[8]]
    for name in rules.shuffled(central, dice):
        way = dice.randrange(8)
        put = _way(place, name, way * 45.0, dice)
        recipe = put and _of_one_way(place, put, way, dice)
        if recipe:
            yield recipe
            break
    yield from _of_ways(place, dice)


def _way(place: Place, name: str, angle: float, dice: Random) -> Put | None:
    """A thing moved at an angle, in degrees, to the left of the camera's direction."""
    turn = looking(place.view.scene.camera)[0] + radians(angle + dice.uniform(-_OFF, _OFF))
    return moved_to(place, name, turn, dice)


def _of_one_way(place: Place, put: Put, way: int, dice: Random) -> Recipe | None:
    from envs.shots.moment import open_moment

    second = open_moment(place.made.situation.after(put)).view(place.eye)
    if not second.clear(put.thing, *ENOUGH):
        return None
    _, before = rules.numbered(place.view, (), dice, put.thing)
    _, after = rules.numbered(second, (), dice, put.thing)
    shots = (Shot(place.eye, before), Shot(place.eye, after, (put,)))
    return recipe_at(place, Kind.CHOICE, _WHERE, (way,), shots, EIGHT, event="ways", way=EIGHT[way])


def _of_ways(place: Place, dice: Random) -> Iterator[Recipe]:
    """Questions about four marked things, of which three or all move in at least three directions."""
    from envs.shots.moment import open_moment

    near = [name for name in place.seen if abs(_heading(place, name)) <= _ASIDE[4]]
    if len(near) < 4:
        return
    for _ in range(4):
        some = dice.sample(near, 4)
        if rules.crowded(place.view, some):
            continue
        puts: dict[str, Put] = {}
        ways = dict.fromkeys(some, len(FOUR))
        for name in some[: dice.choice((3, 4))]:
            for way in rules.shuffled(range(4), dice)[:3]:
                put = _way(place, name, way * 90.0, dice)
                if put is not None:
                    puts[name], ways[name] = put, way
                    break
        if len(puts) < 3 or len(set(ways.values())) < 3:
            continue
        after = open_moment(place.made.situation.after(*puts.values()))
        second = after.view(place.eye)
        if len(plain(second, some)) < 4 or rules.crowded(second, some):
            continue
        if any(after.sim.collides(name, after.sim.pose(name)) for name in some):
            continue
        labels, marks = rules.numbered(place.view, some, dice)
        shots = (Shot(place.eye, marks), Shot(place.eye, _again(second, labels), tuple(puts.values())))
        named = rules.options_of(labels)
        answer, options = tuple(ways[name] for name in named), (*FOUR, STILL)
        yield recipe_at(place, Kind.MATCHING, _MATCHED, answer, shots, options, tuple(named.values()), event="ways")
        return


def _again(view: View, labels: Mapping[str, str]) -> tuple[Mark, ...]:
    """The same numbers in another picture."""
    from envs.render.marks import Point, placed

    spots = {name: spot for name in labels if (spot := view.spot(name)) is not None}
    marks = [Point(spot.x, spot.y, labels[name]) for name, spot in spots.items()]
    return placed(marks, (WIDTH, HEIGHT), [view.mask(name) for name in spots])


def by_way(recipe: Recipe) -> Answer:
    """The directions by depth: from a thing's centre in the first picture to that in the second."""
    first, second = view_of(recipe, 0), view_of(recipe, 1)
    if recipe.kind is Kind.MATCHING:
        marks = rules.marked_things(recipe, first)
        if marks != rules.marked_things(recipe, second, 1):
            raise ValueError("the pictures do not have the same marks")
        names = [marks[item.rpartition(" ")[2]] for item in recipe.items]
        return tuple(recipe.options.index(_seen_way(first, second, name, FOUR)) for name in names)
    name = rules.boxed_thing(recipe, first)
    if name != rules.boxed_thing(recipe, second, shot=1):
        raise ValueError("the box is round two things")
    return (recipe.options.index(_seen_way(first, second, name, EIGHT)),)


def _seen_way(first: View, second: View, name: str, ways: Sequence[str]) -> str:
    """The direction of a thing, of some evenly spaced ones."""
    one, other = cloud(first, name).mean(axis=1), cloud(second, name).mean(axis=1)
    across, along = float(other[0] - one[0]), float(other[1] - one[1])
    if hypot(across, along) < 0.05:
        return STILL
    angle = degrees(atan2(along, across) - looking(first.scene.camera)[0]) % 360.0
    return ways[round(angle / 360.0 * len(ways)) % len(ways)]

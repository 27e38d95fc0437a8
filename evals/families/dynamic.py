"""Dynamic: what moved between two pictures, and where to; how the camera moved; in what order pictures were taken.

`propose` knows the poses it gave to things and cameras. `verify` has the pictures only: where the depth of each puts
what it shows, and for the camera which of all motions brings the things of the first picture where the second has them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, degrees, dist, hypot, pi, radians, sin
from random import Random
from typing import TYPE_CHECKING, Any

from envs.shots.actions import Put, Remove
from envs.shots.cameras import HEIGHT, WIDTH, Head, looking
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.scenes import Scene, mixed_room
from evals.families.words import spoken, unlike
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.arrays import Floats
    from envs.render.marks import Mark
    from envs.render.scene import Vector
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "Dynamic"
KINDS = unlike(
    ("cup", "bottle", "bowl", "kettle", "vase", "saucepan", "plate", "apple", "orange", "sandwich", "hardback", "box",
     "toolbox", "bucket", "basket", "ball", "gym_shoe", "pillow", "snack_food")
)  # fmt: skip
MOVED = (0.22, 0.55)
"""How far things are moved, in metres."""
SEEMS = 0.12
"""How far a thing that has not moved may seem to have moved, by the depth of two pictures."""
ENOUGH = (300, 0.4)
"""Pixels and share of the shape that show of a thing that may be asked about."""
FRAMES = 5
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
"""Ways to go, each an eighth of a turn further to the left."""
STILL = "it did not move"
FOUR = (EIGHT[0], EIGHT[2], EIGHT[4], EIGHT[6])
_OFF = 6.0
"""Degrees by which a way may differ from what it is called."""
_ASIDE = {8: 9.0, 4: 24.0}
"""Degrees by which a thing may be off the middle of the picture, so that all ways to tell its way agree."""
_TRIES = 14
"""Cameras to compare."""

MOTIONS: Mapping[str, Callable[[Head, float], Head]] = {
    "it moved forwards": lambda eye, much: _gone(eye, 0.9 * much, 0.0),
    "it moved backwards": lambda eye, much: _gone(eye, -0.9 * much, 0.0),
    "it moved to its left": lambda eye, much: _gone(eye, 0.0, 0.55 * much),
    "it moved to its right": lambda eye, much: _gone(eye, 0.0, -0.55 * much),
    "it turned to the left": lambda eye, much: replace(eye, yaw=round(eye.yaw + radians(26.0) * much, 3)),
    "it turned to the right": lambda eye, much: replace(eye, yaw=round(eye.yaw - radians(26.0) * much, 3)),
    "it tilted upwards": lambda eye, much: replace(eye, tilt=round(eye.tilt - radians(17.0) * much, 3)),
    "it tilted downwards": lambda eye, much: replace(eye, tilt=round(eye.tilt + radians(17.0) * much, 3)),
}
"""What a camera can do; how much is between a half and one."""


def _gone(eye: Head, ahead: float, aside: float) -> Head:
    """A head elsewhere that looks the same way."""
    x = eye.x + ahead * cos(eye.yaw) - aside * sin(eye.yaw)
    y = eye.y + ahead * sin(eye.yaw) + aside * cos(eye.yaw)
    return replace(eye, x=round(x, 3), y=round(y, 3))


@dataclass(frozen=True, slots=True)
class Place:
    """A room, a first camera, and the things it shows well."""

    made: Scene
    moment: Moment
    eye: Head
    seen: tuple[str, ...]

    @property
    def view(self) -> View:
        """What it sees."""
        return self.moment.view(self.eye)


class Dynamic:
    """Motion."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room."""
        from envs.shots.moment import open_moment

        made = mixed_room(dice, KINDS, dice.randint(9, 12))
        moment = open_moment(made.situation)
        for eye in _eyes(moment, made, dice):
            place = Place(made, moment, eye, tuple(_plain(moment.view(eye), made.movables)))
            if len(place.seen) < 4:
                continue
            for kinds, make in rules.shuffled(_MAKERS, dice):
                if set(kinds) & set(types):
                    yield from (recipe for recipe in make(place, dice) if recipe.type in types)

    def verify(self, recipe: Recipe) -> Answer:
        """From the pictures."""
        match str(recipe.proof["event"]):
            case "camera":
                return (recipe.options.index(_motion(view_of(recipe, 0), view_of(recipe, 1))),)
            case "frames":
                return _by_time(recipe)
            case "ways":
                return _by_way(recipe)
            case _:
                return _by_moved(recipe)


def _plain(view: View, names: Sequence[str]) -> list[str]:
    """What is seen well."""
    return [name for name in rules.markable(view, names) if view.clear(name, *ENOUGH)]


def _eyes(moment: Moment, made: Scene, dice: Random) -> list[Head]:
    """Two places to look from."""
    from envs.shots.viewpoints import best, heads

    room = next(room.name for room in moment.home.rooms if room.kind == made.room)
    aims = [moment.middle(name) for name in made.movables if moment.room_of(name) == room]
    found = best(moment, list(heads(moment, room, aims, dice, _TRIES, 62.0)), made.movables, 4)
    return [eye for eye in found[:2] if isinstance(eye, Head)]


def _recipe(
    place: Place,
    kind: Kind,
    text: str,
    answer: Answer,
    shots: Sequence[Shot],
    options: tuple[str, ...] = (),
    items: tuple[str, ...] = (),
    **proof: object,
) -> Recipe:
    situation = place.made.situation
    return Recipe("dynamic", SUB_CATEGORY, kind, situation, tuple(shots), text, answer, options, items, proof)


# What moved.


def _put(place: Place, name: str, angle: float, dice: Random) -> Put | None:
    """A thing moved some way along an angle on the floor plan, still on what it was on."""
    moment = place.moment
    pose = moment.sim.pose(name)
    if pose.rotation[8] < 0.999 or _carries(moment, name):
        return None
    yaw = degrees(atan2(pose.rotation[3], pose.rotation[0]))
    for _ in range(4):
        x, y, z = pose.position
        size = max(moment.thing(name).size[:2])
        least = max(MOVED[0], 0.8 * size, 1.1 * rules.DISTANCE * place.view.from_eye(pose.position))
        far = dice.uniform(least, max(MOVED[1], least))
        spot = (round(x + far * cos(angle), 3), round(y + far * sin(angle), 3), round(z, 4))
        put = Put(name, spot, round(yaw, 2))
        if moment.room_at(*spot[:2]) == moment.room_of(name) and _rests(moment, put):
            return put
    return None


def _rests(moment: Moment, put: Put) -> bool:
    """Whether a thing would be free there, and have the same under it: it meets that if it is let down a little."""
    from envs.household.home.model import Pose
    from envs.household.home.things.turns import about

    turn = about("z", radians(put.yaw))
    x, y, z = put.position
    on, sim = moment.support_of(put.thing), moment.sim
    (a, b, _), (c, d, _) = moment.box(put.thing)
    if on is not None:
        (low_x, low_y, _), (high_x, high_y, _) = moment.box(on)
        half = (c - a) / 2.0, (d - b) / 2.0
        if not (low_x + half[0] <= x <= high_x - half[0] and low_y + half[1] <= y <= high_y - half[1]):
            return False
        if not sim.collides(put.thing, Pose((x, y, z - 0.02), turn)):
            return False
    elif not moment.on_floor(put.thing):
        return False
    return not sim.collides(put.thing, Pose((x, y, z + 0.004), turn))


def _things_moved(place: Place, dice: Random) -> Iterator[Recipe]:
    """The camera moves, and so do one or two of the marked things."""
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
        for eye in heads(moment, room, aims, dice, 2 * _TRIES, 62.0)
        if 18.0 <= abs(turn_between(place.eye, eye)) <= 75.0
    ]
    for first, eye in enumerate(best(moment, eyes, place.seen, 4)[:2]):
        shared = _plain(moment.view(eye), place.seen)
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
    return _put(place, name, dice.uniform(-pi, pi), dice)


def _shifted(first: View, second: View, names: Sequence[str]) -> str:
    """What is moved furthest in the picture."""

    def far(name: str) -> float:
        one, other = first.spot(name), second.spot(name)
        return 0.0 if one is None or other is None else hypot(one.x - other.x, one.y - other.y)

    return max(names, key=far)


def _of_moved(place: Place, eye: Eye, puts: Sequence[Put], names: Sequence[str], dice: Random) -> Iterator[Recipe]:
    """Questions about what moved."""
    labels, marks = rules.numbered(place.view, names, dice)
    named = rules.options_of(labels)
    order, options = list(named), tuple(named.values())
    moved = [put.thing for put in puts]
    shots = (Shot(place.eye, marks), Shot(eye, (), tuple(puts)))
    proof: dict[str, Any] = {"event": "moved", "moved": sorted(labels[name] for name in moved)}
    right = tuple(sorted(order.index(name) for name in moved))
    if len(moved) == 1:
        yield _recipe(place, Kind.CHOICE, _ONE, right, shots, options, **proof)
        bare = (Shot(place.eye), shots[1])
        kinds = [place.moment.thing(name).kind for name in place.made.movables]
        kind = place.moment.thing(moved[0]).kind
        if kinds.count(kind) == 1:
            yield _recipe(place, Kind.TEXT, _WHICH, (spoken(kind),), bare, event="moved", moved=[kind])
        return
    if dice.random() < 2.0 * rules.SEVERAL:
        yield _recipe(place, Kind.CHOICES, _SEVERAL, right, shots, options, **proof)
    said = tuple(f"The object marked {labels[name]} was moved." for name in order)
    answer = tuple(int(name in moved) for name in order)
    yield _recipe(place, Kind.JUDGEMENTS, _JUDGED, answer, shots, said, **proof)


_BOTH = "Between the two pictures the camera moved, and "
_ONE = f"{_BOTH}one object was moved. Which one, by its mark in the first picture?"
_WHICH = f"{_BOTH}one object was moved. What is it?"
_SEVERAL = f"{_BOTH}some of the marked objects were moved. Which ones, by their marks in the first picture? Choose all."
_JUDGED = f"{_BOTH}some of the marked objects were moved. Judge each statement; the marks are in the first picture."


def _by_moved(recipe: Recipe) -> Answer:
    """What moved, by where the depth of each picture puts it."""
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
    """How far a thing is from where it was: between the clouds of points that two pictures show of it."""
    import numpy as np

    one, other = _cloud(first, name), _cloud(second, name)
    low, high = np.maximum(one.min(axis=1), other.min(axis=1)), np.minimum(one.max(axis=1), other.max(axis=1))
    across = ((one.min(axis=1) + one.max(axis=1)) - (other.min(axis=1) + other.max(axis=1))) / 2.0
    overlap = float(np.prod(np.maximum(high - low, 0.0)[:2]))
    smaller = min(float(np.prod(np.ptp(cloud, axis=1)[:2])) for cloud in (one, other))
    return 0.0 if overlap > 0.6 * smaller else float(np.hypot(across[0], across[1]))


def _cloud(view: View, name: str) -> Floats:
    """The points of a thing that a picture shows."""
    return view.points()[:, view.mask(name)]


# Where it moved to.


def _heading(place: Place, name: str) -> float:
    """How far a thing is to the left of the middle of the picture, in degrees on the floor plan."""
    x, y, _ = place.moment.middle(name)
    ex, ey, _ = place.view.scene.camera.position
    return (degrees(atan2(y - ey, x - ex) - looking(place.view.scene.camera)[0]) + 180.0) % 360.0 - 180.0


def _ways(place: Place, dice: Random) -> Iterator[Recipe]:
    """The camera stays; one thing moves one of eight ways, or several move one of four ways each."""
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
    """A thing moved at an angle, in degrees, to the left of where the camera looks."""
    turn = looking(place.view.scene.camera)[0] + radians(angle + dice.uniform(-_OFF, _OFF))
    return _put(place, name, turn, dice)


def _of_one_way(place: Place, put: Put, way: int, dice: Random) -> Recipe | None:
    from envs.shots.moment import open_moment

    second = open_moment(place.made.situation.after(put)).view(place.eye)
    if not second.clear(put.thing, *ENOUGH):
        return None
    _, before = rules.numbered(place.view, (), dice, put.thing)
    _, after = rules.numbered(second, (), dice, put.thing)
    shots = (Shot(place.eye, before), Shot(place.eye, after, (put,)))
    return _recipe(place, Kind.CHOICE, _WHERE, (way,), shots, EIGHT, event="ways", way=EIGHT[way])


_WHERE = "In which direction was the object in the red box moved from the first picture to the second, seen from above?"
_MATCHED = (
    "The camera stayed where it was. In which direction was each object moved from the first picture to the second? "
    "The marks are in both pictures."
)


def _of_ways(place: Place, dice: Random) -> Iterator[Recipe]:
    """Four marked things, three or all of which move, in three ways at least."""
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
        if len(_plain(second, some)) < 4 or rules.crowded(second, some):
            continue
        if any(after.sim.collides(name, after.sim.pose(name)) for name in some):
            continue
        labels, marks = rules.numbered(place.view, some, dice)
        shots = (Shot(place.eye, marks), Shot(place.eye, _again(second, labels), tuple(puts.values())))
        named = rules.options_of(labels)
        answer, options = tuple(ways[name] for name in named), (*FOUR, STILL)
        yield _recipe(place, Kind.MATCHING, _MATCHED, answer, shots, options, tuple(named.values()), event="ways")
        return


def _again(view: View, labels: Mapping[str, str]) -> tuple[Mark, ...]:
    """The same numbers in another picture."""
    from envs.render.marks import Point, placed

    spots = {name: spot for name in labels if (spot := view.spot(name)) is not None}
    marks = [Point(spot.x, spot.y, labels[name]) for name, spot in spots.items()]
    return placed(marks, (WIDTH, HEIGHT), [view.mask(name) for name in spots])


def _by_way(recipe: Recipe) -> Answer:
    """Ways by depth: where the first picture puts the middle of a thing, and where the second does."""
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
    """The way that a thing went, of some that are evenly spaced."""
    one, other = _cloud(first, name).mean(axis=1), _cloud(second, name).mean(axis=1)
    across, along = float(other[0] - one[0]), float(other[1] - one[1])
    if hypot(across, along) < 0.05:
        return STILL
    angle = degrees(atan2(along, across) - looking(first.scene.camera)[0]) % 360.0
    return ways[round(angle / 360.0 * len(ways)) % len(ways)]


# How the camera moved.


def _cameras(place: Place, dice: Random) -> Iterator[Recipe]:
    """The camera does one of eight things."""
    for name in rules.shuffled(MOTIONS, dice):
        other = MOTIONS[name](place.eye, dice.uniform(0.6, 1.0))
        if not place.moment.sim.robot_fits(other.x, other.y, other.yaw, other.tilt) or other.stance.tilt != other.tilt:
            continue
        second = place.moment.view(other)
        if sum(second.clear(thing) for thing in place.seen) < 3 or _motion(place.view, second) != name:
            continue
        options = tuple(MOTIONS)
        shots = (Shot(place.eye), Shot(other))
        yield _recipe(place, Kind.CHOICE, _CAMERA, (options.index(name),), shots, options, event="camera", motion=name)
        return


_CAMERA = "How did the camera move from the first picture to the second?"


def _motion(first: View, second: View) -> str:
    """The motion after which the things of the first picture would appear where the second has them."""
    from envs.shots.view import View

    assert isinstance(first.eye, Head)
    shared = [name for name in first.seen if first.clear(name) and second.clear(name)]
    found = {name: second.spot(name) for name in shared}
    points = {name: _middle(first, name) for name in shared}
    errors: dict[str, float] = {}
    for motion, moved in MOTIONS.items():
        for much in (0.6, 0.7, 0.8, 0.9, 1.0):
            eye = moved(first.eye, much)
            guess = View(eye, replace(first.scene, camera=eye.camera))
            error = 0.0
            for name, point in points.items():
                at, spot = guess.project(point), found[name]
                assert spot is not None
                error += 400.0 if at is None else min(hypot(at[0] - spot.x, at[1] - spot.y), 400.0)
            errors[motion] = min(errors.get(motion, error), error)
    return min(errors, key=lambda motion: errors[motion])


def _middle(view: View, name: str) -> Vector:
    x, y, z = _cloud(view, name).mean(axis=1).tolist()
    return x, y, z


# In what order.


def _frames(place: Place, dice: Random) -> Iterator[Recipe]:
    """Things disappear one after another; or the robot drives ahead."""
    gone = rules.shuffled([name for name in place.seen if not _carries(place.moment, name)], dice)[: FRAMES - 1]
    if len(gone) == FRAMES - 1:
        shots = [Shot(place.eye, (), tuple(map(Remove, gone[:number]))) for number in range(FRAMES)]
        yield _shuffled(place, _TAKEN, shots, dice)
    step = dice.uniform(0.18, 0.26)
    eyes = [_gone(place.eye, step * number, 0.0) for number in range(FRAMES)]
    if all(place.moment.sim.robot_fits(eye.x, eye.y, eye.yaw, eye.tilt) for eye in eyes):
        back = dice.random() < 0.5
        last = place.moment.view(eyes[-1])
        if sum(last.clear(name) for name in place.seen) >= 2:
            shots = [Shot(eye) for eye in (eyes[::-1] if back else eyes)]
            yield _shuffled(place, _BACK if back else _AHEAD, shots, dice)


_ORDER = "Sort the pictures in the order in which they were taken, the first one first."
_TAKEN = f"One object after another was taken away, and nothing was put back. {_ORDER}"
_AHEAD = f"The robot drove straight ahead. {_ORDER}"
_BACK = f"The robot drove straight back. {_ORDER}"


def _carries(moment: Moment, name: str) -> bool:
    """Whether something rests on a thing, or in it."""
    return any(name in (moment.support_of(other), moment.inside(other)) for other in moment.movables if other != name)


def _shuffled(place: Place, text: str, shots: Sequence[Shot], dice: Random) -> Recipe:
    """The pictures in another order than they were taken in."""
    order = rules.shuffled(range(len(shots)), dice)
    if order == sorted(order):
        order = order[::-1]
    options = tuple(f"picture {number}" for number in range(1, len(shots) + 1))
    answer = tuple(order.index(number) for number in range(len(shots)))
    return _recipe(place, Kind.ORDER, text, answer, [shots[k] for k in order], options, event="frames")


def _by_time(recipe: Recipe) -> Answer:
    """By how many things show; or by how far off, in depth, is what all pictures show."""
    from envs.shots.moment import open_moment

    views = [view_of(recipe, number) for number in range(len(recipe.shots))]
    if recipe.text == _TAKEN:
        movables = open_moment(recipe.situation).movables
        ranks = [-float(sum(view.pixels(name) > 0 for name in movables)) for view in views]
    else:
        shared = set.intersection(*(set(view.seen) for view in views))
        names = sorted(name for name in shared if all(view.pixels(name) >= 100 for view in views))
        far = [sum(dist(_middle(view, name), view.scene.camera.position) for name in names) for view in views]
        ranks = far if recipe.text == _BACK else [-value for value in far]
    order = sorted(range(len(views)), key=lambda number: ranks[number])
    places = [recipe.options.index(f"picture {number + 1}") for number in order]
    if len(set(ranks)) < len(ranks):
        raise ValueError("two pictures rank the same")
    return tuple(places)


Maker = Callable[[Place, Random], Iterator[Recipe]]
_MAKERS: tuple[tuple[tuple[str, ...], Maker], ...] = (
    (("multiple-choice", "composite-judgement", "open"), _things_moved),
    (("multiple-choice", "matching"), _ways),
    (("multiple-choice",), _cameras),
    (("sorting",), _frames),
)

FAMILY = Dynamic()

"""Future prediction: what a thing lands on, what falls if another is taken away, what the robot runs into.

`propose` lets it happen: physics until all is at rest, the robot stepped along its way. `verify` looks at the moment
before only: what is below, what rests on what, and which boxes are in the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import cos, hypot, pi, radians, sin
from random import Random
from typing import TYPE_CHECKING

from envs.household.home.model import Pose
from envs.household.home.robot import RADIUS
from envs.household.home.things.turns import about
from envs.shots.actions import Put, Remove, Settle
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.scenes import FLOOR, SUPPORTS, Scene, scene
from evals.families.words import spoken
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.marks import Mark
    from envs.render.scene import Vector
    from envs.shots.cameras import Eye, Head
    from envs.shots.moment import Moment
    from envs.shots.situation import Situation
    from envs.shots.view import View

SUB_CATEGORY = "Future prediction"
BASES = ("box", "hardback", "toolbox", "bucket", "basket", "bowl", "pillow", "plate", "saucepan")
"""Kinds that something may land on, or in."""
LOOSE = ("cup", "sandwich", "snack_food", "gym_shoe", "book", "bottle", "kettle")
"""Kinds that fall without rolling away."""
FLAT = ("box", "hardback", "book")
"""Kinds on which others can stand."""
STANDING = ("cup", "kettle", "bowl", "vase", "sandwich", "bottle", "saucepan")
BULKY = ("bucket", "basket", "box", "toolbox", "ball", "gym_shoe", "kettle", "pillow", "vase", "saucepan")
"""Kinds that lie in the robot's way."""
ON_FLOOR, NONE = "the floor", "none of them"
GAP = 0.10
"""How far beside a fall or a drive all else is that is not hit, at least, in metres."""
FALLEN = 0.04
"""How much lower a thing is afterwards that has fallen."""
DROP = 0.12
"""How far a thing falls, at least."""
STEP = 0.03
"""How far the robot goes at a time, in metres."""
WAY = 2.6
"""How far the robot drives, at most."""
_PLAIN = (500, 0.4)
"""Pixels and share of the shape of what is asked about in a stack."""
_TRIES = 14
"""Cameras to compare."""
_NEAR = 12
"""Places to try for what is put somewhere."""


@dataclass(frozen=True, slots=True)
class Event:
    """A moment before something happens, and the pictures of it; the first carries the numbers."""

    situation: Situation
    moment: Moment
    eyes: tuple[Eye, ...]
    names: tuple[str, ...]
    """What is marked."""
    boxed: str | None

    @property
    def view(self) -> View:
        """The first picture."""
        return self.moment.view(self.eyes[0])

    def nearest(self) -> str:
        """The mark nearest to the box in the picture."""
        boxed = self.boxed
        assert boxed is not None
        return min(self.names, key=lambda name: _across(self.view, name, boxed))


class Future:
    """What happens next."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one home: each about a moment of its own."""
        from envs.shots.moment import open_moment

        made = _room(dice)
        moment = open_moment(made.situation)
        for kinds, make in rules.shuffled(_MAKERS, dice):
            if set(kinds) & set(types):
                yield from (recipe for recipe in make(moment, made, dice) if recipe.type in types)

    def verify(self, recipe: Recipe) -> Answer:
        """From the moment before, by geometry."""
        view, moment = view_of(recipe), moment_of(recipe)
        marks = rules.marked_things(recipe, view)
        match str(recipe.proof["event"]):
            case "fall":
                return _told(recipe, marks, _below(moment, rules.boxed_thing(recipe, view)))
            case "removal":
                fallen = _upon(moment, rules.boxed_thing(recipe, view))
                return _removed(recipe, [number for number, name in marks.items() if name in fallen])
            case _:
                return _told(recipe, marks, _in_way(moment, recipe.shots[0].eye, list(marks.values())))  # type: ignore[arg-type]


def _room(dice: Random) -> Scene:
    """A room with a table or a bench, things on it, and things on the floor."""
    room = dice.choice(tuple(SUPPORTS))
    supports = dice.sample(SUPPORTS[room], 2)
    bases, loose = dice.sample(BASES, 4), dice.sample(LOOSE, 3)
    flat = [*dice.choices(FLAT, k=4)]
    standing = dice.sample(STANDING, 3)
    bulky = dice.sample(BULKY, 5)
    return scene(room, supports, {0: [*bases, *loose], 1: flat[:2]}, dice, [*flat[2:], *standing, *bulky])


def _room_name(moment: Moment, made: Scene) -> str:
    return next(room.name for room in moment.home.rooms if room.kind == made.room)


Made = Iterator[Recipe]


def _recipe(
    event: Event, kind: Kind, text: str, answer: Answer, told: _Words, dice: Random, /, **proof: object
) -> Recipe:
    shots = [Shot(event.eyes[0], told.marks)]
    for eye in event.eyes[1:]:
        _, marks = rules.numbered(event.moment.view(eye), (), dice, *([event.boxed] if event.boxed else []))
        shots.append(Shot(eye, marks))
    options = told.options if kind not in (Kind.NUMBER, Kind.TEXT) else ()
    return Recipe("future", SUB_CATEGORY, kind, event.situation, tuple(shots), text, answer, options, proof=proof)


@dataclass(frozen=True, slots=True)
class _Words:
    """Marks, the number of each thing, and options that speak of them, with one more at the end."""

    marks: tuple[Mark, ...]
    labels: Mapping[str, str]
    options: tuple[str, ...]

    def number(self, name: str) -> int:
        """The option for a thing, or for the last one."""
        last = len(self.options) - 1
        return int(self.labels[name]) - 1 if name in self.labels else last


def _words(event: Event, last: str, dice: Random) -> _Words:
    labels, marks = rules.numbered(event.view, event.names, dice, *([event.boxed] if event.boxed else []))
    return _Words(marks, labels, (*rules.options_of(labels).values(), last))


# What falls down.


def _falls(moment: Moment, made: Scene, dice: Random) -> Made:
    """A thing hangs in the air and falls."""
    from envs.shots.moment import open_moment

    here = _room_name(moment, made)
    inside = [name for name in made.movables if moment.room_of(name) == here]
    loose = [name for name in inside if moment.thing(name).kind in LOOSE]
    # The floor is under most places, and marks near the thing in the picture are left out: it would be right too often.
    grounds = (FLOOR,) if dice.random() < 0.12 else ("movable", "movable", "furniture", "movable", "furniture")
    for wanted in grounds:
        for name in rules.shuffled(loose, dice)[:1]:
            put = _above(moment, made, name, inside, wanted, dice)
            if put is None:
                continue
            situation = made.situation.after(put)
            hanging = open_moment(situation)
            below = _below(hanging, name)
            if below is None:
                continue
            event = _seen(hanging, situation, made, name, below, dice)
            if event is None or event.nearest() == below:
                continue
            after = open_moment(situation.after(Settle(2.0)))
            if (after.inside(name) or after.support_of(name) or FLOOR) != below:
                continue
            if below == FLOOR and not after.on_floor(name):
                continue
            if hanging.middle(name)[2] - after.middle(name)[2] < DROP:
                continue
            told = _words(event, ON_FLOOR, dice)
            proof = {"event": "fall", "lands": below if below == FLOOR else told.labels[below]}
            yield _recipe(event, Kind.CHOICE, _LANDS, (told.number(below),), told, dice, **proof)
            groups = (("floor", "ground") if below == FLOOR else spoken(moment.thing(below).kind),)
            yield _recipe(event, Kind.TEXT, _LANDS, groups, told, dice, **proof)
            return


_LANDS = (
    "The two pictures show the same moment. The object in the red box is in the air and falls straight down. "
    "What does it land on?"
)


def _above(moment: Moment, made: Scene, name: str, inside: Sequence[str], wanted: str, dice: Random) -> Put | None:
    """Somewhere over a thing of the wanted sort, clear of all that is near."""
    grounds: list[str | None]
    if wanted == "movable":
        grounds = [other for other in inside if other != name and moment.thing(other).kind in BASES]
    elif wanted == "furniture":
        grounds = [other for other in made.places if other != FLOOR]
    else:
        grounds = [None]
    for _ in range(_NEAR):
        if not grounds:
            return None
        ground = dice.choice(grounds)
        if ground is None:
            (a, b, _), (x, y, _) = moment.box(dice.choice([other for other in inside if other != name]))
            px, py, top = dice.uniform(a - 0.5, x + 0.5), dice.uniform(b - 0.5, y + 0.5), 0.0
        else:
            (a, b, _), (x, y, top) = moment.box(ground)
            px, py = (low + (high - low) * dice.uniform(0.4, 0.6) for low, high in ((a, x), (b, y)))
            if wanted == "furniture":
                px, py = (low + (high - low) * dice.uniform(0.1, 0.9) for low, high in ((a, x), (b, y)))
        height = round(top + dice.uniform(0.25, 0.7), 3)
        put = Put(name, (round(px, 3), round(py, 3), height), round(dice.uniform(0, 360)))
        if moment.room_at(px, py) != _room_name(moment, made) or moment.sim.collides(name, _pose(put)):
            continue
        if _under(moment, name, put.position, max(moment.thing(name).size[:2]) * 0.6) == (ground or FLOOR):
            return put
    return None


def _below(moment: Moment, name: str) -> str | None:
    """The thing that a falling one meets first, or the floor; None if it would meet two, or pass one closely."""
    low, high = moment.box(name)
    return _under(moment, name, (*moment.middle(name)[:2], low[2]), max(high[0] - low[0], high[1] - low[1]) / 2.0)


def _under(moment: Moment, name: str, middle: Vector, reach: float) -> str | None:
    """The same for a thing whose foot is at this place, and which goes so far to all sides."""
    tops: dict[str, float] = {FLOOR: 0.0}
    for placed in moment.home.placed:
        other = placed.thing.name
        leaves = (part for leaf in placed.thing.leaves for part in leaf.parts)
        if other == name or not any(part.solid for part in (*placed.thing.parts, *leaves)):
            continue
        (a, b, bottom), (x, y, top) = moment.box(other) if placed.thing.movable else moment.sim.box(other)
        if bottom > middle[2]:
            continue
        # Positive: how far the middle is within the edges of the other.
        within = min(middle[0] - a, x - middle[0], middle[1] - b, y - middle[1])
        if within <= -reach - GAP:
            continue
        if within < (0.035 if placed.thing.movable else reach + GAP / 2.0):
            if top > 0.02:
                return None
            continue
        tops[other] = min(top, middle[2])
    return max(tops, key=lambda other: tops[other])


def _seen(moment: Moment, situation: Situation, made: Scene, name: str, below: str, dice: Random) -> Event | None:
    """Two pictures of a hanging thing and of what may be below it."""
    from envs.shots.cameras import turn_between
    from envs.shots.viewpoints import best, free_eyes, heads

    room = _room_name(moment, made)
    x, y, z = moment.middle(name)
    aim = [(x, y, z - 0.2)]
    stands = [place for place in made.places if place != FLOOR]
    names = [other for other in (*made.movables, *stands) if other != name]
    wanted = [name, *([below] if below != FLOOR else [])]
    eyes: list[Eye] = [
        *heads(moment, room, aim, dice, _TRIES, 60.0),
        *free_eyes(moment, room, aim, dice, _TRIES, away=(1.2, 2.4), height=(1.2, 1.8)),
    ]
    good = best(moment, best(moment, eyes, wanted, len(wanted)), names, 4)[:6]
    for one, other in combinations(good, 2):
        if not 40.0 <= abs(turn_between(one, other)) <= 140.0:
            continue
        first, second = moment.view(one), moment.view(other)
        if not all(view.clear(each, 200, 0.5 if each == name else 0.3) for view in (first, second) for each in wanted):
            continue
        seen = [each for each in rules.markable(first, names) if each in wanted or moment.sim.box(each)[0][2] < z]
        others = sorted((each for each in seen if each not in wanted), key=lambda each: _across(first, each, name))
        chosen = tuple([*wanted[1:], *others][:5])
        if len(chosen) >= 4 and not rules.crowded(first, (*chosen, name)):
            return Event(situation, moment, (one, other), chosen, name)
    return None


def _across(view: View, one: str, other: str) -> float:
    """How far two things are apart in the picture."""
    a, b = view.spot(one), view.spot(other)
    return 0.0 if a is None or b is None else hypot(a.x - b.x, a.y - b.y)


# What is taken away.


def _removals(moment: Moment, made: Scene, dice: Random) -> Made:
    """Two or three stacks; of one of them something is taken away."""
    from envs.shots.moment import open_moment

    stacked = _stacks(moment, made, dice)
    if stacked is None:
        return
    stacks, actions = stacked
    situation = made.situation.after(*actions, Settle(2.0))
    standing = open_moment(situation)
    if not all(_stands(standing, stack) for stack in stacks):
        return
    names = [name for stack in stacks for name in stack]
    eye = _of_stacks(standing, made, names, dice)
    if eye is None:
        return
    view = standing.view(eye)
    seen = _plain(view, names)
    done: set[str] = set()
    for boxed in rules.shuffled(seen, dice):
        chosen = tuple(rules.shuffled([name for name in seen if name != boxed], dice)[:6])
        if len(chosen) < 4 or rules.crowded(view, (*chosen, boxed)):
            continue
        after = open_moment(situation.after(Remove(boxed), Settle(2.0)))
        drops = {name: standing.middle(name)[2] - after.middle(name)[2] for name in chosen}
        fallen = [name for name in chosen if drops[name] >= FALLEN]
        if any(0.005 < abs(drop) < FALLEN for drop in drops.values()) or set(fallen) - _upon(standing, boxed):
            continue
        event = Event(situation, standing, (eye,), chosen, boxed)
        for recipe in _of_removal(event, fallen, dice):
            if recipe.type + recipe.text not in done:
                done.add(recipe.type + recipe.text)
                yield recipe


def _of_removal(event: Event, fallen: list[str], dice: Random) -> Made:
    """The questions about one removal."""
    told = _words(event, NONE, dice)
    proof = {"event": "removal", "fall": sorted(told.labels[name] for name in fallen)}
    if (len(fallen) == 1 and event.nearest() != fallen[0]) or (not fallen and dice.random() < 0.05):
        one = told.number(fallen[0] if fallen else NONE)
        yield _recipe(event, Kind.CHOICE, _FALLS, (one,), told, dice, **proof)
    if len(fallen) >= 2:
        numbers = tuple(sorted(told.number(name) for name in fallen))
        if dice.random() < 2.0 * rules.SEVERAL:
            yield _recipe(event, Kind.CHOICES, _FALL, numbers, told, dice, **proof)
        yield _recipe(event, Kind.NUMBER, _HOW_MANY, (len(fallen),), told, dice, **proof)
    if fallen:
        order = sorted(told.labels, key=lambda name: int(told.labels[name]))
        said = tuple(f"The object marked {told.labels[name]} falls down." for name in order)
        words = _Words(told.marks, told.labels, said)
        answer = tuple(int(name in fallen) for name in order)
        yield _recipe(event, Kind.JUDGEMENTS, _JUDGED, answer, words, dice, **proof)


_FALLS = "The object in the red box is suddenly gone. Which marked object falls down?"
_FALL = "The object in the red box is suddenly gone. Which marked objects fall down? Choose all."
_HOW_MANY = "The object in the red box is suddenly gone. How many of the marked objects fall down?"
_JUDGED = "The object in the red box is suddenly gone. Judge each statement."


def _stacks(moment: Moment, made: Scene, dice: Random) -> tuple[list[list[str]], list[Put]] | None:
    """Two stacks on the floor: flat things, the widest at the bottom, and a last thing on top. And one thing alone."""
    flat = rules.shuffled([name for name in made.movables if moment.thing(name).kind in FLAT], dice)
    tops = rules.shuffled([name for name in made.movables if moment.thing(name).kind in STANDING], dice)
    if len(flat) < 4 or len(tops) < 3:
        return None
    cut = dice.choice((1, 2, 2, 3))
    parts = (flat[:cut], flat[cut:4])
    stacks = [
        [*sorted(part, key=lambda name: -_width(moment, name)), top] for part, top in zip(parts, tops, strict=False)
    ]
    stacks.append([tops[2]])
    all_of_them = [name for stack in stacks for name in stack]
    x0, y0, x1, y1 = next(room.corners for room in moment.home.rooms if room.name == _room_name(moment, made))
    for _ in range(_NEAR):
        x, y, angle = dice.uniform(x0 + 0.4, x1 - 0.4), dice.uniform(y0 + 0.4, y1 - 0.4), dice.uniform(0.0, 2.0 * pi)
        actions: list[Put] = []
        for stack in stacks:
            z = 0.002
            for name in stack:
                turn = round(dice.uniform(0, 360))
                actions.append(Put(name, (round(x, 3), round(y, 3), round(z, 3)), turn))
                z += moment.thing(name).size[2] + 0.004
            x, y = x + dice.uniform(0.34, 0.5) * cos(angle), y + dice.uniform(0.34, 0.5) * sin(angle)
            angle += dice.uniform(-1.0, 1.0)
        if all(not moment.sim.collides(put.thing, _pose(put), ignore=all_of_them) for put in actions):
            return stacks, actions
    return None


def _width(moment: Moment, name: str) -> float:
    """How wide a thing is, the narrower way."""
    return min(moment.thing(name).size[:2])


def _pose(put: Put) -> Pose:
    """Where a thing is put."""
    return Pose(put.position, about("z", radians(put.yaw)))


def _stands(moment: Moment, stack: Sequence[str]) -> bool:
    """Whether each thing of a stack rests on the one before."""
    return all(moment.support_of(upper) == lower for lower, upper in pairwise(stack))


def _of_stacks(moment: Moment, made: Scene, names: Sequence[str], dice: Random) -> Eye | None:
    """A camera that shows them from the side, near enough to see what rests on what."""
    from envs.shots.viewpoints import best, free_eyes

    middles = [moment.middle(name) for name in names]
    x, y, z = (sum(values) / len(values) for values in zip(*middles, strict=True))
    aims = [(x, y, z)]
    room = _room_name(moment, made)
    eyes = free_eyes(moment, room, aims, dice, 3 * _TRIES, away=(0.9, 1.6), height=(0.45, 1.1), field=46.0)
    good = best(moment, list(eyes), names, len(names) - 1)[:3]
    count = {eye: len(_plain(moment.view(eye), names)) for eye in good}
    return max(good, key=lambda eye: count[eye], default=None)


def _plain(view: View, names: Sequence[str]) -> list[str]:
    """What is seen so well that one sees what it rests on."""
    return [name for name in rules.markable(view, names) if view.clear(name, *_PLAIN)]


def _upon(moment: Moment, name: str) -> set[str]:
    """All that rests on a thing, directly or not."""
    found = {name}
    while True:
        more = {other for other in moment.movables if other not in found and moment.support_of(other) in found}
        if not more:
            return found - {name}
        found |= more


def _removed(recipe: Recipe, fallen: list[str]) -> Answer:
    """The answer to a question about a removal, from the numbers of what falls."""
    match recipe.kind:
        case Kind.NUMBER:
            return (len(fallen),)
        case Kind.JUDGEMENTS:
            return tuple(int(option.split()[3] in fallen) for option in recipe.options)
        case _:
            wanted = [f"the object marked {number}" for number in fallen] or [NONE]
            return tuple(sorted(recipe.options.index(option) for option in wanted))


# What is in the robot's way.


def _drives(moment: Moment, made: Scene, dice: Random) -> Made:
    """The robot looks ahead and will drive straight on; things lie before it."""
    from envs.shots.cameras import head
    from envs.shots.moment import open_moment
    from envs.shots.viewpoints import heads

    room = _room_name(moment, made)
    bulky = [name for name in made.movables if moment.thing(name).kind in BULKY]
    bulky = list({moment.thing(name).kind: name for name in rules.shuffled(bulky, dice)}.values())[:6]
    x0, y0, x1, y1 = next(one.corners for one in moment.home.rooms if one.name == room)
    aims: list[Vector] = [(dice.uniform(x0, x1), dice.uniform(y0, y1), 0.1) for _ in range(6)]
    for eye in heads(moment, room, aims, dice, 3 * _TRIES):
        eye = head(eye.stance, 70.0)
        free = _room_ahead(moment, eye)
        if free < 1.6 or not 0.3 <= eye.tilt <= 0.7:
            continue
        actions = _strewn(moment, eye, bulky, free, room, dice)
        situation = made.situation.after(*actions)
        strewn = open_moment(situation)
        view = strewn.view(eye)
        names = rules.markable(view, [action.thing for action in actions])
        if len(names) < 4 or rules.crowded(view, names):
            continue
        hit = _met(strewn, eye, names)
        if hit is None or hit != _in_way(strewn, eye, names) or hit in _tempting(view, names):
            continue
        event = Event(situation, strewn, (eye,), tuple(names), None)
        told = _words(event, NONE, dice)
        told = _Words(told.marks, told.labels, told.options[:-1])
        proof = {"event": "drive", "hits": told.labels[hit]}
        yield _recipe(event, Kind.CHOICE, _RUNS, (told.number(hit),), told, dice, **proof)
        return


_RUNS = (
    "The robot whose camera took this picture is about half a metre wide. It drives straight ahead, towards the middle "
    "of the picture. Which marked object does it run into first?"
)


def _room_ahead(moment: Moment, eye: Head) -> float:
    """How far the robot can drive before anything is put in its way."""
    steps = int(WAY / 0.1)
    for step in range(1, steps + 1):
        if not moment.sim.robot_fits(*_ahead(eye, step * 0.1), eye.yaw, eye.tilt):
            return (step - 1) * 0.1
    return WAY


def _ahead(eye: Head, far: float, aside: float = 0.0) -> tuple[float, float]:
    """A place so far ahead of the robot, and so far to the left."""
    return eye.x + far * cos(eye.yaw) - aside * sin(eye.yaw), eye.y + far * sin(eye.yaw) + aside * cos(eye.yaw)


def _strewn(moment: Moment, eye: Head, names: Sequence[str], free: float, room: str, dice: Random) -> list[Put]:
    """Things on the floor before the robot: two or three in its way, the others beside it."""
    actions: list[Put] = []
    spots: list[tuple[float, float]] = []
    for number, name in enumerate(names):
        width = max(moment.thing(name).size[:2]) / 2.0
        for _ in range(_NEAR):
            far = dice.uniform(0.9, free + RADIUS)
            edge = RADIUS + GAP + 0.02 + width * 1.4
            aside = dice.uniform(-0.2, 0.2) if number < 2 else dice.choice((-1, 1)) * dice.uniform(edge, edge + 0.5)
            x, y = _ahead(eye, far, aside)
            put = Put(name, (round(x, 3), round(y, 3), 0.002), round(dice.uniform(0, 360)))
            apart = all(hypot(far - a, aside - b) > 0.35 for a, b in spots)
            if apart and moment.room_at(x, y) == room and not moment.sim.collides(name, _pose(put), ignore=names):
                spots.append((far, aside))
                actions.append(put)
                break
    return actions


def _met(moment: Moment, eye: Head, names: Sequence[str]) -> str | None:
    """Drives ahead until something is hit; the marked thing without which the robot would fit there."""
    for step in range(int(WAY / STEP)):
        x, y = _ahead(eye, step * STEP)
        if not moment.sim.robot_fits(x, y, eye.yaw, eye.tilt):
            near = {name: hypot(moment.middle(name)[0] - x, moment.middle(name)[1] - y) for name in names}
            return min(near, key=lambda name: near[name]) if min(near.values()) < RADIUS + 0.3 else None
    return None


def _in_way(moment: Moment, eye: Head, names: Sequence[str]) -> str | None:
    """The first of some things on the robot's way, by their points; None if one only grazes it, or two are level."""
    first: dict[str, float] = {}
    for name in names:
        x, y, _ = moment.points(name)
        ahead = (x - eye.x) * cos(eye.yaw) + (y - eye.y) * sin(eye.yaw)
        aside = (y - eye.y) * cos(eye.yaw) - (x - eye.x) * sin(eye.yaw)
        least, most = float(aside.min()), float(aside.max())
        if least > RADIUS + GAP or most < -RADIUS - GAP:
            continue
        if least > RADIUS - GAP / 2.0 or most < -RADIUS + GAP / 2.0:
            return None
        first[name] = float(ahead.min())
    order = sorted(first, key=lambda name: first[name])
    if not order or (len(order) > 1 and not rules.far_apart(first[order[0]], first[order[1]])):
        return None
    return order[0]


def _tempting(view: View, names: Sequence[str]) -> set[str]:
    """What one might take for it: the lowest in the picture, and the one nearest to its middle column."""
    spots = {name: spot for name in names if (spot := view.spot(name)) is not None}
    lowest = max(spots, key=lambda name: spots[name].y)
    central = min(spots, key=lambda name: abs(spots[name].x - 320))
    return {lowest} & {central} or {lowest}


def _told(recipe: Recipe, marks: Mapping[str, str], name: str | None) -> Answer:
    """The answer that names one thing, or the floor."""
    if recipe.kind is Kind.TEXT:
        return (("floor", "ground") if name == FLOOR else spoken(str(name).rpartition("_")[0]),)
    number = next((number for number, other in marks.items() if other == name), None)
    if number is None and name != FLOOR:
        raise ValueError(f"{name} is not marked")
    return (recipe.options.index(ON_FLOOR if number is None else f"the object marked {number}"),)


Maker = Callable[["Moment", Scene, Random], Made]
_MAKERS: tuple[tuple[tuple[str, ...], Maker], ...] = (
    (("multiple-choice", "open"), _falls),
    (("multiple-choice", "counting", "composite-judgement"), _removals),
    (("multiple-choice",), _drives),
)

FAMILY = Future()

"""Layout understanding: the arrangement of a room's furniture, as on a floor plan.

`propose` uses the rectangles of physics; `verify` uses drawn points, and the
depth of the picture where the whole thing is not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, permutations
from math import atan2, degrees, hypot
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

from envs.household.home.draft import Need
from envs.household.home.layout import LAYOUTS
from envs.render.marks import Mark
from envs.shots.situation import Situation
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from models.base import Kind

if TYPE_CHECKING:
    from envs.household.home.model import Room
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "Layout"
ROUND = (
    "Imagine the floor plan of this room, seen from above. In which order do the marked pieces of furniture stand "
    "round the room, clockwise, beginning with 1?"
)
SAME = "Which two of the marked pieces of furniture stand against the same wall?"
NEAR = "On the floor, which marked piece of furniture is nearest to the one in the red box, from side to side?"
LARGE = (
    "sofa", "armchair", "tv", "bed", "nightstand", "cabinet", "shelf", "table", "workbench", "counter", "stove", "sink",
    "electric_refrigerator", "washing_machine", "plant", "trash_can", "carton", "bicycle", "tyres", "coat_rack",
    "chair",
)  # fmt: skip
"""Furniture that can be marked."""
_MORE: Mapping[str, tuple[str, ...]] = {
    "kitchen": ("table", "shelf", "trash_can"),
    "living room": ("cabinet", "armchair", "table", "shelf"),
    "bedroom": ("cabinet", "shelf", "armchair"),
    "study": ("cabinet", "shelf", "armchair"),
    "garage": ("shelf", "cabinet", "carton"),
}
"""The additional furniture of a room."""
_MARKS, _OPTIONS, _TRIES = 4, 4, 34
_PIXELS, _SHOWN = 600, 0.35
_ASIDE = 0.5
"""The least distance of furniture from the centre of all marked pieces, in metres."""
_WALL, _AWAY = 0.12, 0.5
"""The largest gap of furniture against a wall, and the least gap of all other furniture."""
_SLACK = 0.06
"""The tolerance of these gaps by drawn points."""

Box: TypeAlias = tuple[float, float, float, float]
"""A rectangle on the floor plan: x0, y0, x1, y1."""


class Layouts:
    """The family of questions about the arrangement of furniture."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room."""
        from envs.shots.moment import open_moment

        if "multiple-choice" not in types:
            return
        kind = dice.choice(tuple(_MORE))
        needs = tuple(Need(f"{one}_1", one, room=kind) for one in dice.sample(_MORE[kind], 2))
        situation = Situation(dice.choice(LAYOUTS), dice.randrange(100_000), needs)
        moment = open_moment(situation)
        room = next(room for room in moment.home.rooms if room.kind == kind)
        names = [
            one.thing.name
            for one in moment.home.placed
            if one.thing.kind in LARGE and moment.room_of(one.thing.name) == room.name
        ]
        boxes = {name: _flat(moment.sim.box(name)) for name in names}
        for eye in _eyes(moment, room, names, dice):
            view = moment.view(eye)
            seen = [name for name in rules.markable(view, names) if view.clear(name, _PIXELS, _SHOWN)]
            for make in rules.shuffled(_MAKERS, dice):
                found = make(moment, view, room, {name: boxes[name] for name in seen}, dice)
                if found is not None:
                    text, answer, options, marks = found
                    shot = Shot(eye, marks)
                    yield Recipe("layouts", SUB_CATEGORY, Kind.CHOICE, situation, (shot,), text, answer, options)

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from drawn points, in the room of the marked pieces."""
        moment, view = moment_of(recipe), view_of(recipe)
        things = rules.marked_things(recipe, view)
        boxes = {number: _flat(moment.box(name)) for number, name in things.items()}
        if recipe.text == ROUND:
            return (recipe.options.index(_order_text(_clockwise(boxes))),)
        if recipe.text == SAME:
            name = moment.room_of(next(iter(things.values())))
            room = next(one for one in moment.home.rooms if one.name == name)
            (pair,) = _together(boxes, room, _WALL + _SLACK, _AWAY - _SLACK)
            return (recipe.options.index(_pair(*pair)),)
        red = _flat(moment.box(rules.boxed_thing(recipe, view)))
        far = {number: _gap(box, red) for number, box in boxes.items()}
        return (recipe.options.index(f"the piece marked {min(far, key=lambda one: far[one])}"),)


def _flat(box: tuple[Sequence[float], Sequence[float]]) -> Box:
    (a, b, _), (x, y, _) = box
    return a, b, x, y


def _eyes(moment: Moment, room: Room, names: Collection[str], dice: Random) -> list[Eye]:
    """Cameras that show most furniture."""
    from envs.shots.viewpoints import best, free_eyes, heads

    x0, y0, x1, y1 = room.corners
    aims = [(x0 + a * (x1 - x0), y0 + b * (y1 - y0), 0.5) for a in (0.35, 0.65) for b in (0.35, 0.65)]
    found: list[Eye] = [
        *heads(moment, room.name, aims, dice, _TRIES, 76.0),
        *free_eyes(moment, room.name, aims, dice, _TRIES, (1.2, 3.2), (1.5, 2.1), 74.0),
    ]
    return best(moment, found, names, _MARKS)[:2]


Found: TypeAlias = tuple[str, Answer, tuple[str, ...], tuple[Mark, ...]]
Maker: TypeAlias = "Callable[[Moment, View, Room, Mapping[str, Box], Random], Found | None]"


def _round(moment: Moment, view: View, room: Room, boxes: Mapping[str, Box], dice: Random) -> Found | None:
    """Sort four pieces around their centre; neighbours differ by at least 20 degrees."""
    for _ in range(6):
        if len(boxes) < _MARKS:
            return None
        names = dice.sample(sorted(boxes), _MARKS)
        if _turns({name: boxes[name] for name in names}) is None or rules.crowded(view, names):
            continue
        labels, marks = rules.numbered(view, names, dice)
        right = _clockwise({labels[name]: boxes[name] for name in names})
        others = [("1", *rest) for rest in permutations("234") if ("1", *rest) != right]
        options = [_order_text(order) for order in rules.shuffled([right, *dice.sample(others, _OPTIONS - 1)], dice)]
        return ROUND, (options.index(_order_text(right)),), tuple(options), marks
    return None


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2.0, (box[1] + box[3]) / 2.0


def _turns(boxes: Mapping[str, Box]) -> dict[str, float] | None:
    """Directions from the centre of all, in degrees; None if some are too close."""
    middles = {name: _middle(box) for name, box in boxes.items()}
    x, y = fmean(spot[0] for spot in middles.values()), fmean(spot[1] for spot in middles.values())
    if any(hypot(a - x, b - y) < _ASIDE for a, b in middles.values()):
        return None
    turns = {name: degrees(atan2(b - y, a - x)) for name, (a, b) in middles.items()}
    ordered = sorted(turns.values())
    gaps = [b - a for a, b in pairwise([*ordered, ordered[0] + 360.0])]
    return turns if min(gaps) >= rules.DEGREES + 10.0 else None


def _clockwise(boxes: Mapping[str, Box]) -> tuple[str, ...]:
    """The numbers in clockwise order, starting with 1."""
    middles = {name: _middle(box) for name, box in boxes.items()}
    x, y = fmean(spot[0] for spot in middles.values()), fmean(spot[1] for spot in middles.values())
    order = sorted(middles, key=lambda name: -atan2(middles[name][1] - y, middles[name][0] - x))
    start = order.index("1")
    return (*order[start:], *order[:start])


def _order_text(order: Sequence[str]) -> str:
    return ", ".join(order)


def _same(moment: Moment, view: View, room: Room, boxes: Mapping[str, Box], dice: Random) -> Found | None:
    """Find the only pair of four pieces against the same wall."""
    for names in rules.shuffled(list(combinations(sorted(boxes), _MARKS)), dice)[:20]:
        some = {name: boxes[name] for name in names}
        pairs = _together(some, room, _WALL, _AWAY)
        if len(pairs) != 1 or _doubtful(some, room) or rules.crowded(view, names):
            continue
        labels, marks = rules.numbered(view, names, dice)
        right = _pair(*(labels[name] for name in pairs[0]))
        others = [_pair(a, b) for a, b in combinations("1234", 2) if _pair(a, b) != right]
        options = rules.shuffled([right, *dice.sample(others, _OPTIONS - 1)], dice)
        return SAME, (options.index(right),), tuple(options), marks
    return None


def _gaps(box: Box, room: Room) -> tuple[float, ...]:
    """The distance of a rectangle from each of the four walls."""
    x0, y0, x1, y1 = room.corners
    return box[0] - x0, box[1] - y0, x1 - box[2], y1 - box[3]


def _together(boxes: Mapping[str, Box], room: Room, near: float, away: float) -> list[tuple[str, str]]:
    """Pairs that stand against the same wall."""
    walls = {name: {k for k, gap in enumerate(_gaps(box, room)) if gap <= near} for name, box in boxes.items()}
    return [(a, b) for a, b in combinations(sorted(boxes), 2) if walls[a] & walls[b]]


def _doubtful(boxes: Mapping[str, Box], room: Room) -> bool:
    """Whether it is unclear for some piece if it stands against a wall."""
    return any(_WALL < gap < _AWAY for box in boxes.values() for gap in _gaps(box, room))


def _pair(one: str, other: str) -> str:
    first, second = sorted((one, other))
    return f"{first} and {second}"


def _nearest(moment: Moment, view: View, room: Room, boxes: Mapping[str, Box], dice: Random) -> Found | None:
    """Find the piece nearest to another one, by the gap between their sides."""
    for red in rules.shuffled(sorted(boxes), dice):
        others = {name: _gap(box, boxes[red]) for name, box in boxes.items() if name != red}
        near = rules.some_apart(others, _MARKS, rules.far_apart, dice)
        if near is None or rules.crowded(view, (*near, red)):
            continue
        labels, marks = rules.numbered(view, near, dice, red)
        right = f"the piece marked {labels[min(near, key=lambda name: others[name])]}"
        options = tuple(f"the piece marked {number}" for number in sorted(labels.values()))
        return NEAR, (options.index(right),), options, marks
    return None


def _gap(one: Box, other: Box) -> float:
    """The distance between two rectangles."""
    aside = max(one[0] - other[2], other[0] - one[2], 0.0)
    ahead = max(one[1] - other[3], other[1] - one[3], 0.0)
    return hypot(aside, ahead)


_MAKERS: tuple[Maker, ...] = (_round, _same, _nearest)

FAMILY = Layouts()

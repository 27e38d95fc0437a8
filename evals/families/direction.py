"""Relative direction: the direction of marked things for a robot in the picture or for someone on a chair.

`propose` computes directions from poses. `verify` finds things by the depth of the picture, takes the direction of a
robot from its eye and that of a chair from its back, and computes directions from pixels of cameras placed there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from math import degrees
from random import Random
from typing import TYPE_CHECKING

from envs.render.marks import Arrow, Box, Mark, Point, placed
from envs.shots.cameras import HEIGHT, WIDTH
from evals.families import rules
from evals.families.around import Around, eyes, frames, look_around, room_with, seen_middle, stand
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.clock import hour_at, on_clock
from evals.families.facing import OTHER, WAYS, Frame, drawn_frame, nearest_way, seen_bearing, wrapped
from evals.families.scenes import Scene
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.view import View

SUB_CATEGORY = "Relative direction"
STRAIGHT = 12.5
"""The largest angle between a thing and one of eight directions; all others are 20 degrees further off."""
_ARROW = (0.42, 0.95)
"""The distances from the frame at which arrows on the floor begin and end, in metres."""


class Direction:
    """Marks by their direction."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room, with a second robot in it."""
        from envs.shots.moment import open_moment

        made = room_with(dice)
        place = stand(open_moment(made.situation), made, dice)
        if place is None:
            return
        made = replace(made, situation=made.situation.with_others(place))
        moment = open_moment(made.situation)
        for eye in eyes(moment, made, place, dice):
            view = moment.view(eye)
            for frame in frames(moment, view):
                around = look_around(moment, view, frame)
                for make in rules.shuffled([make for kind, make in _MAKERS if kind in types], dice):
                    recipe = make(around, dice)
                    if recipe:
                        yield recipe(made, Shot(eye))

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from pixels and depth."""
        view, moment = view_of(recipe), moment_of(recipe)
        marks = recipe.shots[0].marks
        blue = any(isinstance(mark, Box) and mark.colour == "blue" for mark in marks)
        frame = drawn_frame(moment, rules.boxed_thing(recipe, view, "blue") if blue else OTHER)
        arrows = [mark for mark in marks if isinstance(mark, Arrow)]
        if arrows:
            bearings = {mark.text: _pointing(view, frame, mark) for mark in arrows}
        else:
            things = rules.marked_things(recipe, view)
            bearings = {number: seen_bearing(view, frame, seen_middle(view, name)) for number, name in things.items()}
        red = any(isinstance(mark, Box) and mark.colour == "red" for mark in marks)
        there = seen_bearing(view, frame, seen_middle(view, rules.boxed_thing(recipe, view))) if red else None
        return _answer(recipe, bearings, there)


Made = Callable[[Scene, Shot], Recipe]
Maker = Callable[[Around, Random], Made | None]
Asked = tuple[tuple[str, ...], Answer]
"""The options and the answer."""


def _made(
    around: Around, kind: Kind, text: str, asked: Asked, marks: tuple[Mark, ...], labels: Mapping[str, str],
    items: tuple[str, ...] = (),
) -> Made:  # fmt: skip
    options, answer = asked
    bearings = {label: round(around.bearings[name], 1) for name, label in labels.items() if name in around.bearings}
    proof = {"what": around.frame.seat or "robot", "frame": around.frame.name, "bearings": bearings}
    whole = f"{around.who.intro}{text}"

    def recipe(scene: Scene, shot: Shot) -> Recipe:
        marked = replace(shot, marks=marks)
        return Recipe("direction", SUB_CATEGORY, kind, scene.situation, (marked,), whole, answer, options, items, proof)

    return recipe


def _marked(
    around: Around, names: Collection[str], dice: Random, red: str = ""
) -> tuple[dict[str, str], tuple[Mark, ...]]:
    """Numbers on things, a red box around one, and a blue one around the seat."""
    view = around.view
    labels = {name: str(number) for number, name in enumerate(rules.shuffled(names, dice), 1)}
    marks: list[Mark] = [Point(spot.x, spot.y, labels[name]) for name in labels if (spot := view.spot(name))]
    boxed = {red: "red"} if red else {}
    if around.frame.seat:
        boxed[around.frame.name] = "blue"
    for name, colour in boxed.items():
        frame = view.frame(name)
        assert frame is not None, f"{name} is not in view"
        marks.append(Box(*frame, colour=colour))
    return labels, placed(marks, (WIDTH, HEIGHT), [view.mask(name) for name in (*labels, *boxed)])


def _where(around: Around, dice: Random, *, options: bool = True) -> Made | None:
    """Find the direction of a thing, of eight, with options or as free text."""
    fit = []
    for name, bearing in around.bearings.items():
        way, off = nearest_way(bearing)
        viewer, _ = nearest_way(around.viewers[name])
        if off <= STRAIGHT and way != viewer and (options or " and " in way):
            fit.append(name)
    if not fit or (not options and around.frame.seat):
        return None
    # Most things are in front of frames, so the direction is drawn first, then the thing.
    ways = {nearest_way(around.bearings[name])[0]: name for name in rules.shuffled(fit, dice)}
    way = dice.choice(sorted(ways))
    who = around.who
    text = (
        f"In which direction from {who.subject} is the object in the red box{who.own}:"
        " ahead, behind, left, right, or between two of these?"
    )
    _, marks = _marked(around, (), dice, ways[way])
    asked: Asked = (tuple(WAYS.values()), (list(WAYS.values()).index(way),)) if options else ((), _words(way))
    return _made(around, Kind.CHOICE if options else Kind.TEXT, text, asked, marks, {ways[way]: "box"})


def _where_open(around: Around, dice: Random) -> Made | None:
    return _where(around, dice, options=False)


def _words(way: str) -> Answer:
    """The words that a free-text answer must contain for a direction between two others."""
    fore, _, side = way.partition(" and to the ")
    return (("ahead", "front", "forward") if fore == "ahead" else ("behind", "back", "rear"), (side,))


def _side(around: Around, dice: Random) -> Made | None:
    """Find the thing that is directly to the left or right."""
    side = dice.choice(("left", "right"))
    target = 90.0 if side == "left" else -90.0
    off = {name: abs(wrapped(bearing - target)) for name, bearing in around.bearings.items()}
    right = min(off, key=lambda name: off[name], default=None)
    if right is None or off[right] > STRAIGHT:
        return None
    names = [right, *rules.shuffled([n for n in off if off[n] >= off[right] + rules.DEGREES], dice)[:5]]
    seems = min(names, key=lambda name: abs(wrapped(around.viewers[name] - target)))
    if len(names) < 5 or seems == right or rules.crowded(around.view, names):
        return None
    labels, marks = _marked(around, names, dice)
    named = rules.options_of(labels)
    who = around.who
    text = f"Which marked object is most nearly straight to the {side} {who.to}{who.own}?"
    return _made(around, Kind.CHOICE, text, (tuple(named.values()), (list(named).index(right),)), marks, labels)


def _several(around: Around, dice: Random) -> Made | None:
    """Find all things on one side."""
    clear = _beside(around.bearings)
    names = rules.shuffled(clear, dice)[:6]
    right = {name for name in names if clear[name]}
    seems = {name for name in names if around.viewers[name] > 0.0}
    if len(names) < 5 or not 2 <= len(right) < len(names) or right == seems or rules.crowded(around.view, names):
        return None
    labels, marks = _marked(around, names, dice)
    named = rules.options_of(labels)
    answer = tuple(k for k, name in enumerate(named) if name in right)
    who = around.who
    text = f"Which marked objects are on {who.side} left side{who.own}? Choose all."
    return _made(around, Kind.CHOICES, text, (tuple(named.values()), answer), marks, labels)


def _beside(bearings: Mapping[str, float]) -> dict[str, bool]:
    """Whether things are on the left, without those nearly ahead or behind."""
    return {
        name: bearing > 0.0
        for name, bearing in bearings.items()
        if rules.DEGREES <= abs(bearing) <= 180.0 - rules.DEGREES
    }


def _arrow(around: Around, dice: Random) -> Made | None:
    """Find the arrow on the floor that points to the left or right."""
    view, side = around.view, dice.choice(("left", "right"))
    target = 90.0 if side == "left" else -90.0
    lines = {way: line for way in WAYS if (line := _on_floor(view, around.frame, way)) is not None}
    shift = degrees(around.frame.yaw - around.frame.turned_to(view).yaw)
    if len(lines) < 5 or target not in lines:
        return None
    if min(lines, key=lambda way: abs(wrapped(way + shift - target))) == target:
        return None
    labels = {way: str(number) for number, way in enumerate(rules.shuffled(lines, dice), 1)}
    ordered = sorted(labels, key=lambda way: labels[way])
    arrows: list[Mark] = [Arrow(*lines[way], labels[way]) for way in ordered]
    frame = view.frame(around.frame.name)
    if around.frame.seat and frame:
        arrows.append(Box(*frame, colour="blue"))
    options = tuple(f"arrow {labels[way]}" for way in ordered)
    who = around.who
    text = f"Which arrow on the floor points to {who.side} own {side}?"
    return _made(around, Kind.CHOICE, text, (options, (ordered.index(target),)), placed(arrows, (WIDTH, HEIGHT)), {})


def _on_floor(view: View, frame: Frame, way: float) -> tuple[int, int, int, int] | None:
    """The end pixels of an arrow in a direction; None unless all of it is visible on free floor."""
    ends = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        point = frame.at(way, _ARROW[0] + share * (_ARROW[1] - _ARROW[0]))
        found = view.project(point)
        if found is None or not (8 <= found[0] < WIDTH - 8 and 8 <= found[1] < HEIGHT - 8):
            return None
        if not view.shows(point, 0.03) or view.point(int(found[0]), int(found[1]))[2] > 0.02:
            return None
        ends.append((int(found[0]), int(found[1])))
    return *ends[0], *ends[-1]


def _pointing(view: View, frame: Frame, mark: Arrow) -> float:
    """The direction of an arrow, from the floor points at its ends."""
    start, end = view.point(mark.x0, mark.y0), view.point(mark.x1, mark.y1)
    return seen_bearing(view, frame, (frame.x + end[0] - start[0], frame.y + end[1] - start[1], 0.0))


def _turn(around: Around, dice: Random) -> Made | None:
    """Sort things by the order in which a robot faces them while turning right."""
    if around.frame.seat:
        return None
    turns = {name: -bearing % 360.0 for name, bearing in around.bearings.items()}
    turns = {name: turn for name, turn in turns.items() if rules.DEGREES <= turn <= 360.0 - rules.DEGREES}
    for number in (5, 4):
        names = rules.some_apart(turns, number, rules.turned_apart, dice)
        if names is None or rules.crowded(around.view, names):
            continue
        order = sorted(names, key=lambda name: turns[name])
        across = sorted(names, key=lambda name: around.view.spot(name).x)  # type: ignore[union-attr]
        viewer = sorted(names, key=lambda name: -around.viewers[name] % 360.0)
        if order in (across, across[::-1], viewer):
            continue
        labels, marks = _marked(around, names, dice)
        named = rules.options_of(labels)
        text = (
            "The robot in the picture turns on the spot to its own right, through one full turn."
            " In which order does it come to face the marked objects?"
        )
        asked = tuple(named.values()), tuple(list(named).index(name) for name in order)
        return _made(around, Kind.ORDER, text, asked, marks, labels)
    return None


def _clock(around: Around, dice: Random) -> Made | None:
    """Match things to hours of a clock."""
    found = on_clock(around, dice)
    if found is None:
        return None
    hours, offered = found
    labels, marks = _marked(around, hours, dice)
    named = rules.options_of(labels)
    who = around.who
    text = (
        f"Imagine a clock that lies on the floor round {who.subject}: 12 o'clock is straight ahead, 3 o'clock to the"
        f" right. At which hour is each marked object{who.own}?"
    )
    asked = offered, tuple(offered.index(hours[name]) for name in named)
    return _made(around, Kind.MATCHING, text, asked, marks, labels, tuple(named.values()))


def _judge(around: Around, dice: Random) -> Made | None:
    """Judge statements about sides, at least two of which are different for the viewer."""
    who = around.who
    claims = []
    for name, bearing in around.bearings.items():
        if rules.DEGREES <= abs(bearing) <= 180.0 - rules.DEGREES:
            claims += [(name, side, (bearing > 0.0) == (side == "left")) for side in ("left", "right")]
        if abs(abs(bearing) - 90.0) >= rules.DEGREES:
            claims += [(name, side, (abs(bearing) < 90.0) == (side == "ahead")) for side in ("ahead", "behind")]
    chosen: dict[str, tuple[str, bool]] = {}
    for name, side, true in rules.shuffled(claims, dice):
        chosen.setdefault(name, (side, true))
    names = rules.shuffled(chosen, dice)[:5]
    fooled = sum(_seems(around.viewers[name], chosen[name][0]) != chosen[name][1] for name in names)
    if len(names) < 4 or fooled < 2 or len({chosen[n][1] for n in names}) < 2 or rules.crowded(around.view, names):
        return None
    labels, marks = _marked(around, names, dice)
    sides = {"left": "to the left of", "right": "to the right of", "ahead": "in front of", "behind": "behind"}
    options = tuple(f"Object {labels[name]} is {sides[chosen[name][0]]} {who.subject}." for name in names)
    text = f"Judge each statement about where the marked objects are{who.own}."
    return _made(around, Kind.JUDGEMENTS, text, (options, tuple(int(chosen[n][1]) for n in names)), marks, labels)


def _seems(bearing: float, side: str) -> bool:
    """Whether a direction is on a side, even if only slightly."""
    if side in ("left", "right"):
        return (bearing > 0.0) == (side == "left")
    return (abs(bearing) < 90.0) == (side == "ahead")


_MAKERS: tuple[tuple[str, Maker], ...] = (
    ("multiple-choice", _where),
    ("multiple-choice", _side),
    ("multiple-choice", _several),
    ("multiple-choice", _arrow),
    ("sorting", _turn),
    ("matching", _clock),
    ("composite-judgement", _judge),
    ("open", _where_open),
)


def _answer(recipe: Recipe, bearings: Mapping[str, float], there: float | None) -> Answer:
    """The answer to the recipe's text, from bearings by number."""
    numbers = [option.rpartition(" ")[2] for option in recipe.options]
    if there is not None:
        way, _ = nearest_way(there)
        return _words(way) if recipe.kind is Kind.TEXT else (recipe.options.index(way),)
    match recipe.kind:
        case Kind.ORDER:
            order = sorted(bearings, key=lambda number: -bearings[number] % 360.0)
            return tuple(numbers.index(number) for number in order)
        case Kind.MATCHING:
            asked = [bearings[item.rpartition(" ")[2]] for item in recipe.items]
            return tuple(recipe.options.index(hour_at(bearing, recipe.options)) for bearing in asked)
        case Kind.CHOICES:
            return tuple(sorted(numbers.index(number) for number, bearing in bearings.items() if bearing > 0.0))
        case Kind.JUDGEMENTS:
            return tuple(int(_claimed(option, bearings)) for option in recipe.options)
        case _:
            target = 90.0 if " left" in recipe.text else -90.0
            best = min(bearings, key=lambda number: abs(wrapped(bearings[number] - target)))
            return (numbers.index(best),)


def _claimed(statement: str, bearings: Mapping[str, float]) -> bool:
    """Whether a statement of `_judge` is true."""
    words = {"to the left": "left", "to the right": "right", "in front": "ahead", " behind ": "behind"}
    side = next(side for word, side in words.items() if word in statement)
    return _seems(bearings[statement.split()[1]], side)


FAMILY = Direction()

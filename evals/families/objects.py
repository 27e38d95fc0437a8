"""Object and scene recognition: the kind of a marked thing, the kinds in a picture, and the kind of room.

`propose` uses the thing that the renderer drew at a pixel, `verify` the smallest box of a thing that contains
the point at that pixel's depth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from envs.household.home.things import KINDS
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.scenes import SUPPORTS, Scene, scene
from evals.families.words import noun, spoken, unlike
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.arrays import Floats
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "Object & Scene Recognition"
NAMED = unlike(
    ("cup", "bottle", "bowl", "kettle", "vase", "saucepan", "plate", "apple", "orange", "banana", "sandwich",
     "hardback", "box", "laptop", "toolbox", "bucket", "basket", "ball", "gym_shoe", "pillow", "snack_food")
)  # fmt: skip
"""Kinds that people can distinguish."""
ALIKE: Sequence[frozenset[str]] = (
    frozenset({"cup", "bowl", "bucket", "basket", "saucepan"}),
    frozenset({"bottle", "vase", "kettle", "cup"}),
    frozenset({"bowl", "plate", "saucepan"}),
    frozenset({"apple", "orange", "ball"}),
    frozenset({"banana", "sandwich", "gym_shoe", "snack_food"}),
    frozenset({"hardback", "box", "laptop", "toolbox"}),
    frozenset({"pillow", "snack_food", "box"}),
)
"""Kinds with similar shapes or colours, for plausible wrong options."""
MISTAKEN: Sequence[frozenset[str]] = (
    frozenset({"apple", "orange", "ball"}),
    frozenset({"bucket", "basket", "trash_can"}),
    frozenset({"vase", "plant", "bottle"}),
    frozenset({"hardback", "laptop", "folder"}),
    frozenset({"pillow", "piece_of_cloth", "bed", "sofa", "armchair"}),
)
"""Kinds that may be confused from afar, so no question is about their presence."""
TYPICAL: Mapping[str, frozenset[str]] = {
    "kitchen": frozenset({"stove", "sink", "electric_refrigerator", "counter"}),
    "living room": frozenset({"sofa", "tv"}),
    "bedroom": frozenset({"bed", "nightstand"}),
    "garage": frozenset({"workbench", "bicycle", "tyres", "ladder", "tool_board"}),
}
"""Furniture that identifies the kind of a room. Rooms without visible ones are not asked about."""
ROOMS = (*TYPICAL, "study", "hallway")
OPTIONS = 6
ENOUGH = (300, 0.45)
"""The least pixels and visible share of a recognizable thing."""
_TRIES = 12
_SLACK = 0.003
"""The largest distance of a visible point from its thing's box, in metres."""


@dataclass(frozen=True, slots=True)
class Look:
    """The content of a picture of a room."""

    moment: Moment
    scene: Scene
    eye: Eye
    view: View
    seen: tuple[str, ...]
    """Movables that may be marked."""

    def kind(self, name: str) -> str:
        """The kind of a thing."""
        return self.moment.thing(name).kind

    @property
    def kinds(self) -> Counter[str]:
        """The number of markable things of each kind."""
        return Counter(map(self.kind, self.seen))

    @property
    def traces(self) -> frozenset[str]:
        """The kinds with any visible pixel."""
        return frozenset(map(self.kind, self.view.seen))


class Objects:
    """The family of questions about kinds of things."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room."""
        from envs.shots.moment import open_moment

        made = furnished(dice)
        moment = open_moment(made.situation)
        for eye in eyes_of(moment, made, dice):
            view = moment.view(eye)
            seen = [name for name in rules.markable(view, made.movables) if view.clear(name, *ENOUGH)]
            look = Look(moment, made, eye, view, tuple(seen))
            for make in rules.shuffled([make for kind, make in _MAKERS if kind in types], dice):
                recipe = make(look, dice)
                if recipe is not None:
                    yield recipe
        if "multiple-choice" in types:
            yield from _which_room(moment, made, dice)

    def verify(self, recipe: Recipe) -> Answer:
        """The answer by points and boxes instead of pixels; the room by its furniture instead of the floor plan."""
        view, moment = view_of(recipe), moment_of(recipe)
        if "room" in recipe.text:
            return (recipe.options.index(f"a {_room_by_furniture(moment, view)}"),)
        if "in the picture" in recipe.text:
            return _by_presence(recipe, _kinds_by_points(moment, view))
        return _answer(recipe, *kinds_of_marks(recipe, moment, view))


def furnished(dice: Random) -> Scene:
    """A room with movables of many kinds, two or three of which occur several times."""
    room = dice.choice(tuple(SUPPORTS))
    kinds = dice.sample(NAMED, 9)
    kinds += dice.sample(kinds, 4)
    dice.shuffle(kinds)
    return scene(room, dice.sample(SUPPORTS[room], 2), {0: kinds[:5], 1: kinds[5:9]}, dice, kinds[9:])


def eyes_of(moment: Moment, made: Scene, dice: Random) -> Iterator[Eye]:
    """Two cameras."""
    from envs.shots.viewpoints import best, heads

    room = next(room.name for room in moment.home.rooms if room.kind == made.room)
    aims = [moment.middle(name) for name in made.movables if moment.room_of(name) == room]
    yield from best(moment, list(heads(moment, room, aims, dice, _TRIES, 62.0)), made.movables, 4)[:2]


Maker = Callable[[Look, Random], "Recipe | None"]


def _recipe(
    look: Look,
    kind: Kind,
    text: str,
    answer: Answer,
    options: tuple[str, ...] = (),
    items: tuple[str, ...] = (),
    shot: Shot | None = None,
    **proof: object,
) -> Recipe:
    shots = (shot or Shot(look.eye),)
    return Recipe("objects", SUB_CATEGORY, kind, look.scene.situation, shots, text, answer, options, items, proof)


def _article(kind: str) -> str:
    word = noun(kind)
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def _wrong(look: Look, right: str, number: int, dice: Random) -> list[str]:
    """Wrong kinds: two similar ones, then kinds in the picture, then others."""
    like = rules.shuffled(sorted({kind for group in ALIKE if right in group for kind in group} - {right}), dice)
    here = rules.shuffled(sorted(set(look.kinds) - {right}), dice)
    return list(dict.fromkeys((*like[:2], *here[:2], *like, *rules.shuffled(NAMED, dice))))[:number]


def _boxed(look: Look, dice: Random, *, options: bool = True) -> Recipe | None:
    """Find the kind of the thing in the red box."""
    if not look.seen:
        return None
    name = dice.choice(look.seen)
    right = look.kind(name)
    _, marks = rules.numbered(look.view, (), dice, name)
    text = "What is the object in the red box?"
    shot = Shot(look.eye, marks)
    if not options:
        return _recipe(look, Kind.TEXT, text, (spoken(right),), shot=shot, right=right)
    offered = sorted([right, *[kind for kind in _wrong(look, right, OPTIONS, dice) if kind != right][: OPTIONS - 1]])
    named = tuple(noun(kind) for kind in offered)
    return _recipe(look, Kind.CHOICE, text, (offered.index(right),), named, shot=shot, right=right)


def _boxed_open(look: Look, dice: Random) -> Recipe | None:
    return _boxed(look, dice, options=False)


def _same(look: Look, dice: Random) -> Recipe | None:
    """Find the mark on another thing of the same kind as the one in the red box."""
    pairs = [kind for kind, number in look.kinds.items() if number > 1]
    others = [kind for kind in look.kinds if kind not in pairs]
    if not pairs:
        return None
    kind = dice.choice(sorted(pairs))
    one, other = dice.sample([name for name in look.seen if look.kind(name) == kind], 2)
    wrong = [name for name in look.seen if look.kind(name) != kind]
    chosen = [other, *rules.shuffled(wrong, dice)[:5]]
    if len(chosen) < 5 or not others or rules.crowded(look.view, (*chosen, one)):
        return None
    labels, marks = rules.numbered(look.view, chosen, dice, one)
    named = rules.options_of(labels)
    text = "Which marked object is of the same kind as the object in the red box?"
    answer = (list(named).index(other),)
    return _recipe(look, Kind.CHOICE, text, answer, tuple(named.values()), shot=Shot(look.eye, marks), right=kind)


def _present(look: Look, dice: Random) -> Recipe | None:
    """Find the kind that the picture shows; the others are not visible at all."""
    absent = [kind for kind in NAMED if not _confusable(kind, look.traces)]
    if not look.kinds or len(absent) < OPTIONS - 1:
        return None
    right = dice.choice(sorted(look.kinds))
    offered = sorted([right, *dice.sample(absent, OPTIONS - 1)])
    text = "Which of these is in the picture?"
    return _recipe(look, Kind.CHOICE, text, (offered.index(right),), tuple(map(_article, offered)), right=right)


def _absent(look: Look, dice: Random) -> Recipe | None:
    """Find the kind that the picture does not show."""
    absent = [kind for kind in NAMED if not _confusable(kind, look.traces)]
    if len(look.kinds) < OPTIONS - 1 or not absent:
        return None
    right = dice.choice(absent)
    offered = sorted([right, *dice.sample(sorted(look.kinds), OPTIONS - 1)])
    text = "Which of these is not in the picture?"
    return _recipe(look, Kind.CHOICE, text, (offered.index(right),), tuple(map(_article, offered)), right=right)


def _confusable(kind: str, shown: Collection[str]) -> bool:
    """Whether something of a kind is visible, or something that could be confused with it."""
    like = {kind, *KINDS[kind].resembles, *(other for group in MISTAKEN if kind in group for other in group)}
    return any(other in like or (other in KINDS and kind in KINDS[other].resembles) for other in shown)


def _which_room(moment: Moment, made: Scene, dice: Random) -> Iterator[Recipe]:
    """Find the kind of room, if two pieces of furniture identify it and none contradicts."""
    from envs.shots.viewpoints import best, heads

    room = dice.choice([room for room in moment.home.rooms if room.kind in TYPICAL])
    names = [placed.thing.name for placed in moment.home.placed if placed.thing.kind in TYPICAL[room.kind]]
    inside = [name for name in names if moment.room_of(name) == room.name]
    if not inside:
        return
    eyes = list(heads(moment, room.name, [moment.middle(name) for name in inside], dice, _TRIES))
    for eye in best(moment, eyes, inside, 2)[:1]:
        view = moment.view(eye)
        if _room_by_furniture(moment, view) == room.kind:
            text, look = "In which room was this picture taken?", Look(moment, made, eye, view, ())
            answer = (ROOMS.index(room.kind),)
            yield _recipe(look, Kind.CHOICE, text, answer, tuple(f"a {name}" for name in ROOMS), right=room.kind)


def _room_by_furniture(moment: Moment, view: View) -> str:
    """The only kind of room identified by two clearly visible pieces of furniture; else empty."""
    shown = {name for name in view.seen if view.pixels(name) >= 300}
    seen = {
        room: sum(moment.thing(name).kind in typical and view.share(name) >= 0.4 for name in shown)
        for room, typical in TYPICAL.items()
    }
    hinted = [room for room, typical in TYPICAL.items() if any(moment.thing(name).kind in typical for name in shown)]
    return hinted[0] if len(hinted) == 1 and seen[hinted[0]] >= 2 else ""


def _match(look: Look, dice: Random) -> Recipe | None:
    """Match marks to kinds, with one extra kind."""
    chosen = _one_of_each(look, 5, dice)
    if chosen is None:
        return None
    labels, marks = rules.numbered(look.view, chosen, dice)
    named = rules.options_of(labels)
    kinds = [look.kind(name) for name in named]
    extra = next(kind for kind in _wrong(look, kinds[0], len(NAMED), dice) if kind not in kinds)
    offered = sorted([*kinds, extra])
    answer = tuple(offered.index(kind) for kind in kinds)
    text, options = "What is each marked object?", tuple(map(noun, offered))
    return _recipe(look, Kind.MATCHING, text, answer, options, tuple(named.values()), Shot(look.eye, marks))


def _one_of_each(look: Look, number: int, dice: Random) -> list[str] | None:
    """Things of different kinds whose marks do not overlap."""
    by_kind = {look.kind(name): name for name in rules.shuffled(look.seen, dice)}
    chosen = rules.shuffled(sorted(by_kind.values()), dice)[:number]
    return None if len(chosen) < number or rules.crowded(look.view, chosen) else chosen


def _count(look: Look, dice: Random) -> Recipe | None:
    """Count the kinds of the marked things, which are fewer than the marks."""
    chosen = rules.shuffled(look.seen, dice)[: dice.randint(5, 8)]
    kinds = {look.kind(name) for name in chosen}
    if not 2 <= len(kinds) < len(chosen) or rules.crowded(look.view, chosen):
        return None
    _, marks = rules.numbered(look.view, chosen, dice)
    text = "How many different kinds of objects are marked? Two cups, for example, are of one kind."
    return _recipe(look, Kind.NUMBER, text, (len(kinds),), shot=Shot(look.eye, marks), kinds=sorted(kinds))


def _judge(look: Look, dice: Random) -> Recipe | None:
    """Judge statements about marked things; wrong ones name a similar kind, or that of another mark."""
    chosen = _one_of_each(look, 5, dice)
    if chosen is None:
        return None
    labels, marks = rules.numbered(look.view, chosen, dice)
    statements, answer = [], []
    for name in rules.options_of(labels):
        right = look.kind(name)
        true = dice.random() < 0.5
        kind = right if true else dice.choice(_wrong(look, right, 4, dice))
        statements.append(f"The object marked {labels[name]} is {_article(kind)}.")
        answer.append(int(true))
    if len(set(answer)) < 2:
        return None
    text = "Judge each statement about the marked objects."
    return _recipe(look, Kind.JUDGEMENTS, text, tuple(answer), tuple(statements), shot=Shot(look.eye, marks))


_MAKERS: tuple[tuple[str, Maker], ...] = (
    ("multiple-choice", _boxed),
    ("multiple-choice", _same),
    ("multiple-choice", _present),
    ("multiple-choice", _absent),
    ("matching", _match),
    ("counting", _count),
    ("composite-judgement", _judge),
    ("open", _boxed_open),
)


def kinds_of_marks(recipe: Recipe, moment: Moment, view: View) -> tuple[dict[str, str], str]:
    """The kind at each number and in the red box, by points."""
    from envs.render.marks import Box, Point

    spots = {mark.text: (mark.x, mark.y) for mark in recipe.shots[0].marks if isinstance(mark, Point)}
    boxed = any(isinstance(mark, Box) for mark in recipe.shots[0].marks)
    if boxed:
        spot = view.spot(rules.boxed_thing(recipe, view))
        assert spot is not None
        spots[""] = (spot.x, spot.y)
    points = np.array([view.point(*spot) for spot in spots.values()]).T
    kinds = dict(zip(spots, _kinds_at(moment, points), strict=True))
    return kinds, kinds.pop("", "")


def _kinds_by_points(moment: Moment, view: View) -> Counter[str]:
    """The number of points of each kind, at every ninth pixel."""
    points = view.points()[:, 1::3, 1::3].reshape(3, -1)
    return Counter(_kinds_at(moment, points))


def _kinds_at(moment: Moment, points: Floats) -> list[str]:
    """For each point, the kind of the movable with the smallest box around it; empty if there is none."""
    boxes = [(*moment.box(name), moment.thing(name).kind) for name in moment.movables]
    boxes.sort(key=lambda box: prod(b - a for a, b in zip(box[0], box[1], strict=True)), reverse=True)
    found = np.full(points.shape[1], "", dtype=object)
    for low, high, kind in boxes:
        least, most = np.array(low)[:, None] - _SLACK, np.array(high)[:, None] + _SLACK
        found[((points >= least) & (points <= most)).all(axis=0)] = kind
    return [str(kind) for kind in found]


def _by_presence(recipe: Recipe, kinds: Counter[str]) -> Answer:
    """The only option with visible pixels, or the only one without."""
    named = {_article(kind): kind for kind in NAMED}
    counts = [kinds[named[option]] for option in recipe.options]
    wanted = min(counts) if " not " in recipe.text else max(counts)
    rest = sorted(count for count in counts if count != wanted)
    if len(rest) != len(counts) - 1:
        raise ValueError(f"several options show in {wanted} pixels")
    return (counts.index(wanted),)


def _answer(recipe: Recipe, kinds: Mapping[str, str], boxed: str) -> Answer:
    """The answer to the recipe's text, from the kinds at the marks."""
    match recipe.kind:
        case Kind.NUMBER:
            return (len(set(kinds.values())),)
        case Kind.TEXT:
            return (spoken(boxed),)
        case Kind.MATCHING:
            return tuple(recipe.options.index(noun(kinds[item.rpartition(" ")[2]])) for item in recipe.items)
        case Kind.JUDGEMENTS:
            words = [
                option.removeprefix("The object marked ").rstrip(".").split(" is ", 1) for option in recipe.options
            ]
            return tuple(int(_article(kinds[number]) == word) for number, word in words)
        case _ if recipe.text.startswith("What is"):
            return (recipe.options.index(noun(boxed)),)
        case _:
            (right,) = [number for number, kind in kinds.items() if kind == boxed]
            return (recipe.options.index(f"the object marked {right}"),)


FAMILY = Objects()

"""Counting: how many things of a kind are in a place, in one or two pictures.

`propose` counts the visible things by contacts. `verify` counts things by the
positions of their boxes, and tests visibility by rays to points on them instead of pixels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

from evals.families import rules
from evals.families.base import Answer, Recipe, Shot
from evals.families.recount import KINDS, OTHERS, recounted
from evals.families.scenes import FLOOR, SUPPORTS, Scene, scene
from evals.families.words import noun, plural, spoken
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment

SUB_CATEGORY = "Counting"
MOST, LEAST = 12, 2
FRONTS = ("table", "workbench", "shelf")
"""Furniture whose top is fully visible from the side."""
BOARDS = "shelf"
"""Furniture with several boards."""
_LITTERED = 0.35
"""The share of rooms with many things on the floor."""
_TRIES = 16
_STRAY = 30
"""A thing with this many pixels could be noticed."""


@dataclass(frozen=True, slots=True)
class Look:
    """The things visible in some pictures of a room, and the furniture of the question."""

    moment: Moment
    scene: Scene
    eyes: tuple[Eye, ...]
    support: str
    seen: tuple[str, ...]

    def kind(self, name: str) -> str:
        """The everyday noun."""
        return self.moment.thing(name).kind

    def on(self, kind: str | None = None) -> list[str]:
        """The things of a kind that rest on the furniture."""
        return [name for name in self.of(kind) if self.moment.support_of(name) == self.support]

    def of(self, kind: str | None = None) -> list[str]:
        """The visible things of a kind."""
        return [name for name in self.seen if kind in (None, self.kind(name))]

    def floor(self, kind: str | None = None) -> list[str]:
        """The things of a kind that are directly on the floor."""
        return [name for name in self.of(kind) if self.moment.on_floor(name)]

    def here(self, kind: str | None = None) -> int:
        """The number of things of a kind on the furniture."""
        return len(self.on(kind))

    def all(self, kind: str) -> int:
        """The number of visible things of a kind."""
        return len(self.of(kind))

    @property
    def word(self) -> str:
        """The noun of the furniture."""
        return noun(self.moment.thing(self.support).kind)


class Counting:
    """Numbers of things."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room."""
        from envs.shots.moment import open_moment

        made = _room(dice)
        moment = open_moment(made.situation)
        for look in _looks(moment, made, dice):
            for make in rules.shuffled([make for kind, make in _MAKERS if kind in types], dice):
                recipe = make(look, dice)
                if recipe is not None:
                    yield recipe

    def verify(self, recipe: Recipe) -> Answer:
        """The number by the positions of boxes, of things that are visible by rays."""
        return recounted(recipe)


def _room(dice: Random) -> Scene:
    """A room with many things of two kinds, some of them elsewhere, and a few others."""
    room = dice.choice([room for room in SUPPORTS if any(kind in FRONTS for kind, _ in SUPPORTS[room])])
    front = dice.choice([support for support in SUPPORTS[room] if support[0] in FRONTS])
    back = dice.choice([support for support in SUPPORTS[room] if support[0] != front[0]])
    first, second = dice.sample(KINDS, 2)
    many, few = dice.randint(1, 9), dice.randint(1, 5)
    on = [first] * many + [second] * few + dice.sample(OTHERS, dice.randint(0, 2))
    off = [first] * dice.randint(0, 3) + [second] * dice.randint(0, 3)
    if dice.random() < _LITTERED:
        on, off = on[:6], [*off, *[first] * dice.randint(1, 6), *[second] * dice.randint(1, 3)]
    split = dice.randint(0, min(len(off), 4))
    return scene(room, (front, back), {0: on, 1: off[:split]}, dice, off[split:])


def _looks(moment: Moment, made: Scene, dice: Random) -> Iterator[Look]:
    """One picture of the room, and two from different sides."""
    from envs.shots.cameras import turn_between
    from envs.shots.viewpoints import best, free_eyes, heads

    room = next(room.name for room in moment.home.rooms if room.kind == made.room)
    support = next(iter(made.places))
    (a, b, _), (x, y, top) = moment.box(support)
    aims = [((a + x) / 2.0, (b + y) / 2.0, top)]
    eyes: list[Eye] = [
        *heads(moment, room, aims, dice, _TRIES, 60.0),
        *free_eyes(moment, room, aims, dice, _TRIES, away=(1.1, 2.6), height=(1.3, 1.8)),
    ]
    good = best(moment, eyes, made.places[support], max(len(made.places[support]) - 2, 1))[:5]
    singles = [look for eye in good if (look := _look(moment, made, (eye,), support)) is not None]
    yield from singles[:2]
    for one, other in combinations(good, 2):
        if 50.0 <= abs(turn_between(one, other)) <= 160.0:
            both = _look(moment, made, (one, other), support)
            if both is not None:
                yield both
                return


def _look(moment: Moment, made: Scene, eyes: tuple[Eye, ...], support: str) -> Look | None:
    """The content of the pictures; None if the visibility of anything is doubtful."""
    views = [moment.view(eye) for eye in eyes]
    seen = []
    for name in moment.movables:
        if any(view.clear(name) for view in views):
            seen.append(name)
        elif any(view.doubtful(name) or view.pixels(name) >= _STRAY for view in views):
            return None
    return Look(moment, made, eyes, support, tuple(seen)) if seen else None


Maker = Callable[[Look, Random], Recipe | None]


def _number(look: Look, text: str, names: Collection[str]) -> Recipe:
    """A question about the number of some things; the recipe records their positions."""
    recipe = _recipe(look, Kind.NUMBER, text, (len(names),))
    views = [look.moment.view(eye) for eye in look.eyes]
    return replace(recipe, proof={**recipe.proof, "spots": rules.spots(views, names)})


def _recipe(look: Look, kind: Kind, text: str, answer: Answer, options: tuple[str, ...] = ()) -> Recipe:
    counts = Counter(f"{look.kind(name)}@{look.moment.support_of(name) or FLOOR}" for name in look.seen)
    return Recipe(
        "counting",
        SUB_CATEGORY,
        kind,
        look.scene.situation,
        tuple(Shot(eye) for eye in look.eyes),
        text,
        answer,
        options,
        proof={"support": look.support, "seen": dict(sorted(counts.items()))},
    )


def _intro(look: Look) -> str:
    return "The two pictures show the same room. " if len(look.eyes) > 1 else ""


def _on(look: Look, dice: Random) -> Recipe | None:
    """Count a kind on the furniture, while some are elsewhere or other things are among them."""
    kinds = [kind for kind in KINDS if LEAST <= look.here(kind) <= MOST and look.here(kind) < len(look.seen)]
    kinds = [kind for kind in kinds if look.all(kind) > look.here(kind)] or kinds
    if not kinds:
        return None
    kind = dice.choice(kinds)
    text = f"{_intro(look)}How many {plural(kind)} are on the {look.word}?"
    return _number(look, text, look.on(kind))


def _all(look: Look, dice: Random) -> Recipe | None:
    """Count a kind everywhere; in two pictures, each thing counts once."""
    kinds = [kind for kind in KINDS if LEAST <= look.all(kind) <= MOST and look.all(kind) > look.here(kind)]
    if not kinds:
        return None
    kind = dice.choice(kinds)
    where = "in the two pictures together, each counted once" if len(look.eyes) > 1 else "in the picture"
    return _number(look, f"{_intro(look)}How many {plural(kind)} are {where}?", look.of(kind))


def _floor(look: Look, dice: Random) -> Recipe | None:
    """Count a kind on the floor, while some are elsewhere; or everything on the floor."""
    kinds: list[str | None] = [
        kind for kind in KINDS if LEAST <= len(look.floor(kind)) <= MOST and look.all(kind) > len(look.floor(kind))
    ]
    kinds += [None] if LEAST <= len(look.floor()) <= MOST else []
    if not kinds:
        return None
    kind = dice.choice(kinds)
    what = "objects" if kind is None else plural(kind)
    return _number(look, f"{_intro(look)}How many {what} lie on the floor?", look.floor(kind))


def _boards(look: Look, dice: Random) -> Recipe | None:
    """Count on one board of a shelf: the highest or lowest one with things on it."""
    if look.moment.thing(look.support).kind != BOARDS:
        return None
    low = dice.random() < 0.5
    levels = {name: _level(look.moment, name, look.support) for name in look.on()}
    if len(set(levels.values())) < 2:
        return None
    board = min(levels.values()) if low else max(levels.values())
    names = [name for name, level in levels.items() if level == board]
    if not LEAST <= len(names) <= MOST:
        return None
    return _number(look, f"{_intro(look)}{_BOARD.format('lowest' if low else 'highest')}", names)


_BOARD = "Of the boards of the shelf on which something lies, take the {}. How many objects are on it?"


def _level(moment: Moment, name: str, support: str) -> int:
    """The board of a shelf that a thing rests on, counted from below."""
    foot, z = moment.box(name)[0][2], moment.sim.pose(support).position[2]
    heights = sorted({round(z + surface.centre[2], 3) for surface in moment.thing(support).surfaces})
    return max(number for number, height in enumerate(heights) if foot > height - 0.05)


def _things(look: Look, dice: Random) -> Recipe | None:
    """Count all things on the furniture."""
    if not LEAST <= look.here() <= MOST:
        return None
    text = f"{_intro(look)}How many objects are on the {look.word}?"
    return _number(look, text, look.on())


def _but(look: Look, dice: Random) -> Recipe | None:
    """Count all things on the furniture except those of one kind."""
    kinds = [kind for kind in KINDS if look.here(kind) and LEAST <= look.here() - look.here(kind) <= MOST]
    if not kinds:
        return None
    kind = dice.choice(kinds)
    text = f"{_intro(look)}How many objects on the {look.word} are not {plural(kind)}?"
    return _number(look, text, [name for name in look.on() if look.kind(name) != kind])


def _most(look: Look, dice: Random, *, options: bool = True) -> Recipe | None:
    """Find the most frequent kind on the furniture, with a lead of one or two."""
    counts = Counter(look.kind(name) for name in look.seen if look.moment.support_of(name) == look.support)
    ranked = counts.most_common()
    if len(ranked) < 3 or ranked[0][1] == ranked[1][1] or ranked[0][1] > ranked[1][1] + 2:
        return None
    right = ranked[0][0]
    text = "Of which kind are most objects on the table?"
    if look.word != "table":
        return None
    if not options:
        return _recipe(look, Kind.TEXT, text, (spoken(right),))
    wrong = [kind for kind in (*counts, *rules.shuffled((*KINDS, *OTHERS), dice)) if kind != right]
    offered = sorted({right, *list(dict.fromkeys(wrong))[:4]})
    return _recipe(look, Kind.CHOICE, text, (offered.index(right),), tuple(plural(kind) for kind in offered))


def _most_open(look: Look, dice: Random) -> Recipe | None:
    return _most(look, dice, options=False)


def _judge(look: Look, dice: Random) -> Recipe | None:
    """Judge statements about numbers on the furniture and elsewhere."""
    if len(look.eyes) > 1:
        return None
    kinds = [kind for kind in KINDS if look.all(kind)]
    if len(kinds) < 2:
        return None
    a, b = dice.sample(kinds, 2)
    here, there = {k: look.here(k) for k in (a, b)}, {k: look.all(k) - look.here(k) for k in (a, b)}
    number = here[a] + dice.choice((-1, 0, 1))
    statements = (
        (f"There are more {plural(a)} than {plural(b)} on the {look.word}.", here[a] > here[b]),
        (f"More {plural(b)} are on the {look.word} than elsewhere in the picture.", here[b] > there[b]),
        (f"There are at least {max(number, 1)} {plural(a)} on the {look.word}.", here[a] >= max(number, 1)),
        (f"The picture shows more {plural(b)} than {plural(a)} in all.", look.all(b) > look.all(a)),
    )
    if len({true for _, true in statements}) < 2:
        return None
    text = "Judge each statement about what the picture shows."
    return _recipe(
        look, Kind.JUDGEMENTS, text, tuple(int(true) for _, true in statements), tuple(text for text, _ in statements)
    )


_MAKERS: tuple[tuple[str, Maker], ...] = (
    ("counting", _on),
    ("counting", _all),
    ("counting", _things),
    ("counting", _but),
    ("counting", _floor),
    ("counting", _boards),
    ("multiple-choice", _most),
    ("composite-judgement", _judge),
    ("open", _most_open),
)


FAMILY = Counting()

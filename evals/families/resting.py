"""Questions about contact and support in one picture of a room with stacks.

Proposals use contacts. `answer` gets the supports from a second method.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import dist
from random import Random
from typing import TYPE_CHECKING

from evals.families import rules
from evals.families.base import Answer, Recipe, Shot
from evals.families.scenes import FLOOR
from evals.families.stacks import Stacks
from evals.families.words import noun, spoken
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.view import View

SUB_CATEGORY = "State & Activity Understanding"
MOST, LEAST = 12, 2
_STRAY = 30
"""A thing with this many pixels could be noticed."""
_TOUCHES = "Which marked object touches the {front} itself?"
_STACKED = "Which marked object does not touch the {front} itself?"
_TOUCH = "Which marked objects touch the {front} itself? Choose all."
_BEARS = "Which marked object has another object resting directly on it?"
_RESTS = "What does the object in the red box rest on directly?"
_COUNT = "How many objects in the picture touch the {front} itself?"
_COUNT_HIGH = "How many objects in the picture rest on another object instead of the {front} or the floor?"
_JUDGE = "Judge each statement. Directly means without another object in between."
_NEAREST = 0.1
"""The share of questions whose answer may be the nearest mark in the picture."""
_LOW = 0.12
"""The share of questions about a thing that rests on the furniture."""


@dataclass(frozen=True, slots=True)
class Look:
    """The content of a picture of a room with stacks."""

    moment: Moment
    made: Stacks
    eye: Eye
    seen: tuple[str, ...]
    whole: bool
    """The visible things; nothing is doubtful."""

    @property
    def view(self) -> View:
        """The picture."""
        return self.moment.view(self.eye)

    @property
    def front(self) -> str:
        """The noun of the furniture."""
        return noun(self.moment.thing(self.made.front).kind)

    def under(self, name: str) -> str:
        """The support of a thing."""
        return self.moment.support_of(name) or FLOOR

    def low(self, names: Collection[str]) -> list[str]:
        """The things that touch the furniture."""
        return [name for name in names if self.moment.touches(name, self.made.front)]

    def high(self, names: Collection[str]) -> list[str]:
        """The things that rest on another movable."""
        return [name for name in names if self.under(name) in self.moment.movables]

    def bearing(self, names: Collection[str]) -> list[str]:
        """The things that carry something."""
        carried = {self.under(name) for name in self.moment.movables}
        return [name for name in names if name in carried]

    def down(self, name: str) -> int:
        """The row of a thing's mark in the picture."""
        spot = self.view.spot(name)
        assert spot is not None
        return spot.y

    def away(self, one: str, other: str) -> float:
        """The distance of two things in the picture."""
        a, b = self.view.spot(one), self.view.spot(other)
        assert a is not None
        assert b is not None
        return dist(a[:2], b[:2])


def look_at(moment: Moment, made: Stacks, eye: Eye) -> Look:
    """The content of a camera's picture of a room with stacks."""
    view = moment.view(eye)
    seen = tuple(rules.markable(view, moment.movables))
    whole = not any(
        view.doubtful(name) or view.pixels(name) >= _STRAY for name in moment.movables if not view.clear(name)
    )
    return Look(moment, made, eye, seen, whole)


Maker = Callable[[Look, Random], Recipe | None]


def _recipe(
    look: Look, dice: Random, kind: Kind, text: str, names: Sequence[str], boxed: Sequence[str],
    ask: Callable[[Mapping[str, str]], tuple[tuple[str, ...], Answer]], **more: object,
) -> Recipe:  # fmt: skip
    """A recipe with marks on some things; `ask` makes options and answer from their numbers."""
    labels, marks = rules.numbered(look.view, names, dice, *boxed)
    options, answer = ask(labels)
    situation = look.made.scene.situation.after(*look.made.actions)
    proof = {
        "front": look.made.front,
        "under": {labels.get(name, name): labels.get(under := look.under(name), under) for name in look.seen},
        **more,
    }
    shot = Shot(look.eye, marks)
    return Recipe("state", SUB_CATEGORY, kind, situation, (shot,), text, answer, options, proof=proof)


def _choice(
    look: Look, dice: Random, text: str, right: Sequence[str], wrong: Sequence[str], kind: Kind = Kind.CHOICE
) -> Recipe | None:
    """A choice of one of five or six marked things."""
    names = [*right, *rules.shuffled(wrong, dice)[: 6 - len(right)]]
    if len(names) < 5 or rules.crowded(look.view, names):
        return None

    def ask(labels: Mapping[str, str]) -> tuple[tuple[str, ...], Answer]:
        named = rules.options_of(labels)
        return tuple(named.values()), tuple(k for k, name in enumerate(named) if name in right)

    return _recipe(look, dice, kind, text.format(front=look.front), names, (), ask)


def _touches(look: Look, dice: Random) -> Recipe | None:
    """Find the only marked thing that touches the furniture; it is not the lowest in the picture."""
    low, high = look.low(look.seen), look.high(look.seen)
    right = [name for name in low if any(look.down(other) > look.down(name) for other in high)]
    return _choice(look, dice, _TOUCHES, dice.sample(right, 1), high) if right else None


def _stacked(look: Look, dice: Random) -> Recipe | None:
    """Find the only marked thing that does not; it is not the highest in the picture."""
    low, high = look.low(look.seen), look.high(look.seen)
    right = [name for name in high if any(look.down(other) < look.down(name) for other in low)]
    if not right:
        return None
    chosen = dice.choice(right)
    upper = [name for name in low if look.down(name) < look.down(chosen)]
    first = dice.choice(upper)
    rest = rules.shuffled([name for name in low if name != first], dice)
    return _choice(look, dice, _STACKED, [chosen], [first, *rest][:5])


def _several(look: Look, dice: Random) -> Recipe | None:
    """Find all marked things that touch the furniture; they are not the lowest in the picture."""
    low, high = look.low(look.seen), look.high(look.seen)
    if len(low) < 2 or len(high) < 2:
        return None
    right, wrong = dice.sample(low, min(len(low), 3)), dice.sample(high, min(len(high), 3))
    if min(look.down(name) for name in right) > max(look.down(name) for name in wrong):
        return None
    return _choice(look, dice, _TOUCH, right, wrong, Kind.CHOICES)


def _bears(look: Look, dice: Random) -> Recipe | None:
    """Find the only marked thing that carries something; it is not the largest in the picture."""
    bearing = look.bearing(look.seen)
    bare = [name for name in look.seen if name not in look.bearing(look.moment.movables)]
    right = [name for name in bearing if any(look.view.pixels(other) > look.view.pixels(name) for other in bare)]
    return _choice(look, dice, _BEARS, dice.sample(right, 1), bare) if right else None


def _rests(look: Look, dice: Random, *, options: bool = True) -> Recipe | None:
    """Find the support of a thing, which is rarely the nearest mark in the picture."""
    low = look.low(look.seen) if dice.random() < _LOW else []
    for name in [*rules.shuffled(look.high(look.seen), dice), *rules.shuffled(low, dice)]:
        under = look.under(name)
        others = sorted((one for one in look.seen if one != name), key=lambda one: look.away(one, name))
        if under not in (*others, look.made.front) or len(others) < 2:
            continue
        # The nearest mark in the picture is rarely the answer.
        if options and others[0] == under and dice.random() > _NEAREST:
            continue
        if not options:
            return _resting_open(look, dice, name)
        chosen = list(dict.fromkeys([under, *others] if under in others else others))[:4]
        if len(chosen) == 4 and not rules.crowded(look.view, chosen):
            return _resting(look, dice, name, chosen)
    return None


def _resting(look: Look, dice: Random, name: str, chosen: Sequence[str]) -> Recipe:
    under = look.under(name)

    def ask(labels: Mapping[str, str]) -> tuple[tuple[str, ...], Answer]:
        named = {**rules.options_of(labels), look.made.front: f"the {look.front}", FLOOR: "the floor"}
        return tuple(named.values()), (list(named).index(under),)

    return _recipe(look, dice, Kind.CHOICE, _RESTS, chosen, (name,), ask)


def _resting_open(look: Look, dice: Random, name: str) -> Recipe:
    words = spoken(look.moment.thing(look.under(name)).kind)
    return _recipe(look, dice, Kind.TEXT, _RESTS, (), (name,), lambda labels: ((), (words,)))


def _rests_open(look: Look, dice: Random) -> Recipe | None:
    return _rests(look, dice, options=False)


def _count(look: Look, dice: Random) -> Recipe | None:
    """Count the things that touch the furniture; others rest on them."""
    low = look.low(look.seen)
    if not look.whole or not LEAST <= len(low) <= MOST or not look.high(look.seen):
        return None
    text = _COUNT.format(front=look.front)
    return _recipe(
        look, dice, Kind.NUMBER, text, (), (), lambda labels: ((), (len(low),)), spots=rules.spots((look.view,), low)
    )


def _count_high(look: Look, dice: Random) -> Recipe | None:
    """Count the things that rest on others."""
    high = look.high(look.seen)
    if not look.whole or not LEAST <= len(high) <= MOST:
        return None
    text = _COUNT_HIGH.format(front=look.front)
    return _recipe(
        look, dice, Kind.NUMBER, text, (), (), lambda labels: ((), (len(high),)), spots=rules.spots((look.view,), high)
    )


def _judge(look: Look, dice: Random) -> Recipe | None:
    """Judge statements about contact and support."""
    low, high, bearing = look.low(look.seen), look.high(look.seen), look.bearing(look.seen)
    under = [name for name in high if look.under(name) in look.seen]
    if not (low and high and bearing and under):
        return None
    names = dict.fromkeys([(top := dice.choice(under)), look.under(top), *rules.shuffled(look.seen, dice)])
    chosen = list(names)[:5]
    if len(chosen) < 4 or rules.crowded(look.view, chosen):
        return None
    other = look.under(top) if dice.random() < 0.5 else dice.choice([name for name in chosen if name != top])
    statements: list[tuple[str, str, str]] = [("rests", top, other)]
    statements += [("touches", name, "") for name in rules.shuffled(chosen, dice)[:2]]
    statements += [("bears", name, "") for name in rules.shuffled(chosen, dice)[:2]]
    true = [_true(look, *statement) for statement in statements]
    if len(set(true)) < 2:
        return None

    def ask(labels: Mapping[str, str]) -> tuple[tuple[str, ...], Answer]:
        words = {
            "rests": "Object {0} rests directly on object {1}.",
            "touches": f"Object {{0}} touches the {look.front} itself.",
            "bears": "Another object rests directly on object {0}.",
        }
        options = tuple(words[what].format(labels[a], labels.get(b, "")) for what, a, b in statements)
        return options, tuple(map(int, true))

    return _recipe(look, dice, Kind.JUDGEMENTS, _JUDGE, chosen, (), ask)


def _true(look: Look, what: str, name: str, other: str) -> bool:
    if what == "rests":
        return look.under(name) == other
    return bool(look.low([name]) if what == "touches" else look.bearing([name]))


MAKERS: tuple[tuple[str, Maker], ...] = (
    ("multiple-choice", _touches),
    ("multiple-choice", _stacked),
    ("multiple-choice", _several),
    ("multiple-choice", _bears),
    ("multiple-choice", _rests),
    ("counting", _count),
    ("counting", _count_high),
    ("composite-judgement", _judge),
    ("open", _rests_open),
)


def answer(recipe: Recipe, moment: Moment, view: View, under: Mapping[str, str | None]) -> Answer:
    """The answer to the recipe's text, from the supports."""
    front = str(recipe.proof["front"])
    bearing = set(under.values())
    things = rules.marked_things(recipe, view)
    if recipe.kind is Kind.NUMBER:
        seen = [name for name in moment.movables if view.clear(name)]
        low = recipe.text == _COUNT.format(front=noun(moment.thing(front).kind))
        on = [name for name in seen if (under[name] == front if low else under[name] in under)]
        return (len(on),)
    if recipe.kind is Kind.JUDGEMENTS:
        return tuple(int(_judged(option, things, under, front)) for option in recipe.options)
    if recipe.text == _RESTS:
        below_it = under[rules.boxed_thing(recipe, view)]
        if recipe.kind is Kind.TEXT:
            return (spoken(str(below_it).rpartition("_")[0]),)
        words = {FLOOR: "the floor", front: f"the {noun(moment.thing(front).kind)}"}
        words |= {name: f"the object marked {number}" for number, name in things.items()}
        return (recipe.options.index(words[str(below_it)]),)
    if recipe.text == _BEARS:
        right = [number for number, name in things.items() if name in bearing]
    else:
        touching = recipe.text != _STACKED.format(front=noun(moment.thing(front).kind))
        right = [number for number, name in things.items() if (under[name] == front) == touching]
    return tuple(sorted(recipe.options.index(f"the object marked {number}") for number in right))


def _judged(statements: str, things: Mapping[str, str], under: Mapping[str, str | None], front: str) -> bool:
    numbers = [word.strip(".") for word in statements.split() if word.strip(".").isdecimal()]
    name = things[numbers[0]]
    if statements.startswith("Another"):
        return name in under.values()
    return under[name] == (things[numbers[1]] if len(numbers) > 1 else front)

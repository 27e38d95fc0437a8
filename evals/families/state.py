"""State and activity: contact, support, grasps, openings, and actions between pictures.

`propose` reads contacts and openings from the simulation. `verify` uses bounding boxes for supports, the depth of the
picture for grasps, and the extents of leaves for openings.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from random import Random
from typing import TYPE_CHECKING

from evals.families import resting, rules
from evals.families.activity import ACTION, FILLED, WIDEST, WIDTHS, action, filled, find_again, openings
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.stacks import TOPS, Stacks, below, held_in, stacks
from evals.families.words import noun, spoken
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment

SUB_CATEGORY = resting.SUB_CATEGORY
NOTHING = "nothing"
_TRIES = 14
_HOLDS = "What is the robot holding in its gripper?"


class State:
    """The family of questions about states and actions."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room, with stacks or with furniture that opens."""
        from envs.shots.moment import open_moment

        if {"multiple-choice", "sorting"} & set(types) and dice.random() < _OPENING:
            yield from openings(dice, types)
            return
        made = stacks(dice, *dice.choice(((4, 6), (6, 9), (9, 14))))
        moment = open_moment(made.scene.situation.after(*made.actions))
        for eye in _eyes(moment, made, dice):
            look = resting.look_at(moment, made, eye)
            for kind, make in resting.MAKERS:
                recipe = make(look, dice) if kind in types else None
                if recipe is not None:
                    yield recipe
        for kind, make_shots in _MORE:
            recipe = make_shots(moment, made, dice) if kind in types else None
            if recipe is not None:
                yield recipe

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from boxes, depth and extents instead of contacts and openings."""
        if recipe.text == _HOLDS:
            return _held(recipe)
        if recipe.text in (ACTION, FILLED) or recipe.text.startswith((WIDEST, WIDTHS)):
            return find_again(recipe)
        view, moment = view_of(recipe), moment_of(recipe)
        under = {name: below(moment, name) for name in moment.movables}
        return resting.answer(recipe, moment, view, under)


_OPENING = 0.35
"""The share of rooms with furniture that opens instead of stacks."""
_EMPTY = 0.1
"""The accepted share of questions in which nothing is held, which are more frequent than others."""
_HELD = 0.4
"""The share of questions about a held thing that have options."""


def _eyes(moment: Moment, made: Stacks, dice: Random) -> Iterator[Eye]:
    """Two cameras that see the stacks."""
    from envs.shots.viewpoints import best, free_eyes, heads

    room = next(room.name for room in moment.home.rooms if room.kind == made.scene.room)
    (a, b, _), (x, y, top) = moment.box(made.front)
    aims = [((a + x) / 2.0, (b + y) / 2.0, top)]
    eyes: list[Eye] = [
        *heads(moment, room, aims, dice, _TRIES, 55.0),
        *free_eyes(moment, room, aims, dice, _TRIES, away=(1.0, 2.2), height=(1.2, 1.7), field=55.0),
    ]
    yield from best(moment, eyes, made.scene.movables, 5)[:2]


def _holds(moment: Moment, made: Stacks, dice: Random, *, options: bool = True) -> Recipe | None:
    """Find the held thing; if nothing is held, something is behind the gripper."""
    from envs.shots.actions import Hold
    from envs.shots.moment import open_moment
    from envs.shots.viewpoints import heads

    if options and dice.random() > _HELD:
        return None
    kinds = {moment.thing(name).kind for name in moment.movables}
    room = next(room.name for room in moment.home.rooms if room.kind == made.scene.room)
    aims = [moment.middle(made.front)]
    empty = options and dice.random() < _EMPTY
    name = dice.choice([name for name in moment.movables if moment.thing(name).kind in TOPS] or list(moment.movables))
    situation = made.scene.situation.after(*made.actions)
    actions = () if empty else (Hold(name),)
    after = moment if empty else open_moment(situation.after(*actions))
    for eye in heads(after, room, aims, dice, _TRIES, 76.0):
        view = after.view(eye)
        seen = [one for one in after.movables if view.clear(one)]
        if len({after.thing(one).kind for one in seen}) < 4 or not (empty or view.clear(name, 400)):
            continue
        right = NOTHING if empty else noun(after.thing(name).kind)
        wrong = [noun(kind) for kind in rules.shuffled(sorted(kinds), dice) if noun(kind) != right][:4]
        offered = tuple(sorted({right, *wrong, NOTHING})) if options else ()
        answer: Answer = (offered.index(right),) if options else (spoken(after.thing(name).kind),)
        kind = Kind.CHOICE if options else Kind.TEXT
        shots, proof = (Shot(eye, (), actions),), {"held": right}
        return Recipe("state", SUB_CATEGORY, kind, situation, shots, _HOLDS, answer, offered, proof=proof)
    return None


def _holds_open(moment: Moment, made: Stacks, dice: Random) -> Recipe | None:
    return _holds(moment, made, dice, options=False)


_MORE: tuple[tuple[str, Callable[[Moment, Stacks, Random], Recipe | None]], ...] = (
    ("multiple-choice", _holds),
    ("multiple-choice", action),
    ("sorting", filled),
    ("open", _holds_open),
)


def _held(recipe: Recipe) -> Answer:
    name = held_in(view_of(recipe))
    if recipe.kind is Kind.TEXT:
        return (spoken(str(name).rpartition("_")[0]),)
    word = NOTHING if name is None else noun(name.rpartition("_")[0])
    return (recipe.options.index(word),)


FAMILY = State()

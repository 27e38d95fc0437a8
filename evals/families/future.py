"""Future prediction: where a thing lands, what falls if another is removed, what the robot hits.

`propose` simulates it: physics until everything is at rest, the robot step by step. `verify` uses the moment
before only: what is below, what rests on what, and which boxes are in the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING

from evals.families import rules
from evals.families.base import Answer, Recipe, moment_of, view_of
from evals.families.drives import drives, in_way
from evals.families.falls import ON_FLOOR, falls, landing
from evals.families.outcomes import (
    BASES,
    BULKY,
    FLAT,
    LOOSE,
    STANDING,
    SUB_CATEGORY,
    Made,
)
from evals.families.removals import removals, removed_answer, upon
from evals.families.scenes import FLOOR, SUPPORTS, Scene, scene
from evals.families.words import spoken
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.moment import Moment


class Future:
    """The family of questions about the future."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one home, each about a different moment."""
        from envs.shots.moment import open_moment

        made = _room(dice)
        moment = open_moment(made.situation)
        for kinds, make in rules.shuffled(_MAKERS, dice):
            if set(kinds) & set(types):
                yield from (recipe for recipe in make(moment, made, dice) if recipe.type in types)

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from the moment before, by geometry."""
        view, moment = view_of(recipe), moment_of(recipe)
        marks = rules.marked_things(recipe, view)
        match str(recipe.proof["event"]):
            case "fall":
                return _answer(recipe, marks, landing(moment, rules.boxed_thing(recipe, view)))
            case "removal":
                fallen = upon(moment, rules.boxed_thing(recipe, view))
                return removed_answer(recipe, [number for number, name in marks.items() if name in fallen])
            case _:
                return _answer(recipe, marks, in_way(moment, recipe.shots[0].eye, list(marks.values())))  # type: ignore[arg-type]


def _room(dice: Random) -> Scene:
    """A room with a table or a bench, things on it, and things on the floor."""
    room = dice.choice(tuple(SUPPORTS))
    supports = dice.sample(SUPPORTS[room], 2)
    bases, loose = dice.sample(BASES, 4), dice.sample(LOOSE, 3)
    flat = [*dice.choices(FLAT, k=4)]
    standing = dice.sample(STANDING, 3)
    bulky = dice.sample(BULKY, 5)
    return scene(room, supports, {0: [*bases, *loose], 1: flat[:2]}, dice, [*flat[2:], *standing, *bulky])


def _answer(recipe: Recipe, marks: Mapping[str, str], name: str | None) -> Answer:
    """The answer that names one thing, or the floor."""
    if recipe.kind is Kind.TEXT:
        return (("floor", "ground") if name == FLOOR else spoken(str(name).rpartition("_")[0]),)
    number = next((number for number, other in marks.items() if other == name), None)
    if number is None and name != FLOOR:
        raise ValueError(f"{name} is not marked")
    return (recipe.options.index(ON_FLOOR if number is None else f"the object marked {number}"),)


Maker = Callable[["Moment", Scene, Random], Made]
_MAKERS: tuple[tuple[tuple[str, ...], Maker], ...] = (
    (("multiple-choice", "open"), falls),
    (("multiple-choice", "counting", "composite-judgement"), removals),
    (("multiple-choice",), drives),
)

FAMILY = Future()

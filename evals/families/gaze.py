"""Attention: which marked thing a robot in the picture faces.

`propose` turns the robot towards a thing. `verify` computes its direction from its eye, and finds things by depth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from math import atan2
from random import Random

from envs.shots.cameras import Eye
from envs.shots.situation import Place, Situation
from evals.families import rules
from evals.families.around import LARGE, Around, eyes, frames, look_around, room_with, seen_middle, stand
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.facing import OTHER, drawn_frame, seen_bearing
from models.base import Kind

SUB_CATEGORY = "Attention"
TEXT = "Which marked object is the robot in the picture facing?"
OFF = 7.0
"""The largest angle between the robot's direction and the faced thing, in degrees."""
_OPTIONS, _TURNS = 4, 3


class Gaze:
    """The family of questions about gaze."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room with a second robot that is turned to one thing after the other."""
        from envs.shots.moment import open_moment

        if "multiple-choice" not in types:
            return
        made = room_with(dice)
        bare = open_moment(made.situation)
        place = stand(bare, made, dice)
        if place is None:
            return
        for name in rules.shuffled(made.movables, dice)[:_TURNS]:
            x, y, _ = bare.middle(name)
            turned: Place = (*place[:2], round(atan2(y - place[1], x - place[0]), 3))
            situation = made.situation.with_others(turned)
            moment = open_moment(situation)
            for eye in eyes(moment, replace(made, situation=situation), turned, dice):
                view = moment.view(eye)
                for frame in frames(moment, view):
                    if frame.name == OTHER and view.clear(OTHER, LARGE):
                        found = _asked(look_around(moment, view, frame), situation, eye, dice)
                        if found:
                            yield found

    def verify(self, recipe: Recipe) -> Answer:
        """The thing straight ahead of the robot's eye."""
        view, moment = view_of(recipe), moment_of(recipe)
        frame = drawn_frame(moment, OTHER)
        things = rules.marked_things(recipe, view)
        off = {number: abs(seen_bearing(view, frame, seen_middle(view, name))) for number, name in things.items()}
        first, second = sorted(off.values())[:2]
        if first > 2 * OFF or second - first < rules.DEGREES / 2:
            raise ValueError(f"the robot faces nothing, or two things: {off}")
        number = min(off, key=lambda one: off[one])
        return (recipe.options.index(f"the object marked {number}"),)


def _asked(around: Around, situation: Situation, eye: Eye, dice: Random) -> Recipe | None:
    """Four marks, one of them straight ahead of the robot."""
    faced = [name for name, bearing in around.bearings.items() if abs(bearing) <= OFF]
    wrong = [name for name, bearing in around.bearings.items() if abs(bearing) >= OFF + rules.DEGREES]
    if len(faced) != 1 or len(wrong) < _OPTIONS - 1:
        return None
    chosen = (*faced, *dice.sample(wrong, _OPTIONS - 1))
    if rules.crowded(around.view, chosen):
        return None
    labels, marks = rules.numbered(around.view, chosen, dice)
    named = rules.options_of(labels)
    shots = (Shot(eye, marks),)
    proof = {"bearings": {labels[name]: round(around.bearings[name], 1) for name in chosen}}
    answer = (list(named).index(faced[0]),)
    return Recipe("gaze", SUB_CATEGORY, Kind.CHOICE, situation, shots, TEXT, answer, tuple(named.values()), proof=proof)


FAMILY = Gaze()

"""Questions about what falls if a thing is removed from a stack."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin
from random import Random
from typing import TYPE_CHECKING

from envs.shots.actions import Put, Remove, Settle
from evals.families import rules
from evals.families.base import Answer, Recipe
from evals.families.outcomes import (
    FLAT,
    NEAR,
    OBVIOUS,
    STANDING,
    TRIES,
    Event,
    Made,
    Words,
    pose_of,
    recipe_of,
    room_of,
    words_for,
)
from evals.families.scenes import Scene
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.view import View

NONE = "none of them"
FALLEN = 0.04
"""The least descent of a fallen thing."""
_PLAIN = (500, 0.4)
"""The least pixels and visible share of a thing in a stack."""


def removals(moment: Moment, made: Scene, dice: Random) -> Made:
    """Questions about two or three stacks, from one of which a thing is removed."""
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
        if any(0.005 < abs(drop) < FALLEN for drop in drops.values()) or set(fallen) - upon(standing, boxed):
            continue
        event = Event(situation, standing, (eye,), chosen, boxed)
        for recipe in _of_removal(event, fallen, dice):
            if recipe.type + recipe.text not in done:
                done.add(recipe.type + recipe.text)
                yield recipe


def _of_removal(event: Event, fallen: list[str], dice: Random) -> Made:
    """The questions about one removal."""
    words = words_for(event, NONE, dice)
    proof = {"event": "removal", "fall": sorted(words.labels[name] for name in fallen)}
    obvious = len(fallen) == 1 and event.nearest() == fallen[0]
    if (len(fallen) == 1 and (not obvious or dice.random() < OBVIOUS)) or (not fallen and dice.random() < 0.05):
        one = words.number(fallen[0] if fallen else NONE)
        yield recipe_of(event, Kind.CHOICE, _FALLS, (one,), words, dice, **proof)
    if len(fallen) >= 2:
        numbers = tuple(sorted(words.number(name) for name in fallen))
        yield recipe_of(event, Kind.CHOICES, _FALL, numbers, words, dice, **proof)
        yield recipe_of(
            event,
            Kind.NUMBER,
            _HOW_MANY,
            (len(fallen),),
            words,
            dice,
            **proof,
            spots=rules.spots((event.view,), fallen),
        )
    if fallen:
        order = sorted(words.labels, key=lambda name: int(words.labels[name]))
        statements = tuple(f"The object marked {words.labels[name]} falls down." for name in order)
        words = Words(words.marks, words.labels, statements)
        answer = tuple(int(name in fallen) for name in order)
        yield recipe_of(event, Kind.JUDGEMENTS, _JUDGED, answer, words, dice, **proof)


_FALLS = "The object in the red box is suddenly gone. Which marked object falls down?"
_FALL = "The object in the red box is suddenly gone. Which marked objects fall down? Choose all."
_HOW_MANY = "The object in the red box is suddenly gone. How many of the marked objects fall down?"
_JUDGED = "The object in the red box is suddenly gone. Judge each statement."


def _stacks(moment: Moment, made: Scene, dice: Random) -> tuple[list[list[str]], list[Put]] | None:
    """Two stacks on the floor (flat things, the widest at the bottom, and another thing on top) and a single thing."""
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
    x0, y0, x1, y1 = next(room.corners for room in moment.home.rooms if room.name == room_of(moment, made))
    for _ in range(NEAR):
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
        if all(not moment.sim.collides(put.thing, pose_of(put), ignore=all_of_them) for put in actions):
            return stacks, actions
    return None


def _width(moment: Moment, name: str) -> float:
    """The smaller horizontal extent of a thing."""
    return min(moment.thing(name).size[:2])


def _stands(moment: Moment, stack: Sequence[str]) -> bool:
    """Whether each thing of a stack rests on the previous one."""
    return all(moment.support_of(upper) == lower for lower, upper in pairwise(stack))


def _of_stacks(moment: Moment, made: Scene, names: Sequence[str], dice: Random) -> Eye | None:
    """A camera that shows the stacks from the side, near enough to see what rests on what."""
    from envs.shots.viewpoints import best, free_eyes

    middles = [moment.middle(name) for name in names]
    x, y, z = (sum(values) / len(values) for values in zip(*middles, strict=True))
    aims = [(x, y, z)]
    room = room_of(moment, made)
    eyes = free_eyes(moment, room, aims, dice, 3 * TRIES, away=(0.9, 1.6), height=(0.45, 1.1), field=46.0)
    good = best(moment, list(eyes), names, len(names) - 1)[:3]
    count = {eye: len(_plain(moment.view(eye), names)) for eye in good}
    return max(good, key=lambda eye: count[eye], default=None)


def _plain(view: View, names: Sequence[str]) -> list[str]:
    """The things that are visible enough to see what they rest on."""
    return [name for name in rules.markable(view, names) if view.clear(name, *_PLAIN)]


def upon(moment: Moment, name: str) -> set[str]:
    """All things that rest on a thing, directly or indirectly."""
    found = {name}
    while True:
        more = {other for other in moment.movables if other not in found and moment.support_of(other) in found}
        if not more:
            return found - {name}
        found |= more


def removed_answer(recipe: Recipe, fallen: list[str]) -> Answer:
    """The answer to a question about a removal, from the numbers of the falling things."""
    match recipe.kind:
        case Kind.NUMBER:
            return (len(fallen),)
        case Kind.JUDGEMENTS:
            return tuple(int(option.split()[3] in fallen) for option in recipe.options)
        case _:
            wanted = [f"the object marked {number}" for number in fallen] or [NONE]
            return tuple(sorted(recipe.options.index(option) for option in wanted))

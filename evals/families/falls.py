"""Questions about where a thing that hangs in the air will land."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

from envs.shots.actions import Put, Settle
from evals.families import rules
from evals.families.outcomes import (
    BASES,
    GAP,
    LOOSE,
    NEAR,
    OBVIOUS,
    TRIES,
    Event,
    Made,
    across,
    pose_of,
    recipe_of,
    room_of,
    words_for,
)
from evals.families.scenes import FLOOR, Scene
from evals.families.words import spoken
from models.base import Kind

if TYPE_CHECKING:
    from envs.render.scene import Vector
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.situation import Situation

ON_FLOOR = "the floor"
DROP = 0.12
"""The least height of a fall."""


def falls(moment: Moment, made: Scene, dice: Random) -> Made:
    """Questions about a thing that hangs in the air and falls."""
    from envs.shots.moment import open_moment

    here = room_of(moment, made)
    inside = [name for name in made.movables if moment.room_of(name) == here]
    loose = [name for name in inside if moment.thing(name).kind in LOOSE]
    # The floor is below most places, so without a limit it would be right too often.
    grounds = (FLOOR,) if dice.random() < 0.12 else ("movable", "movable", "furniture", "movable", "furniture")
    for wanted in grounds:
        for name in rules.shuffled(loose, dice)[:1]:
            put = _above(moment, made, name, inside, wanted, dice)
            if put is None:
                continue
            situation = made.situation.after(put)
            hanging = open_moment(situation)
            below = landing(hanging, name)
            if below is None:
                continue
            event = _seen(hanging, situation, made, name, below, dice)
            if event is None or (event.nearest() == below and dice.random() > OBVIOUS):
                continue
            after = open_moment(situation.after(Settle(2.0)))
            if (after.inside(name) or after.support_of(name) or FLOOR) != below:
                continue
            if below == FLOOR and not after.on_floor(name):
                continue
            if hanging.middle(name)[2] - after.middle(name)[2] < DROP:
                continue
            words = words_for(event, ON_FLOOR, dice)
            proof = {"event": "fall", "lands": below if below == FLOOR else words.labels[below]}
            yield recipe_of(event, Kind.CHOICE, _LANDS, (words.number(below),), words, dice, **proof)
            groups = (("floor", "ground") if below == FLOOR else spoken(moment.thing(below).kind),)
            yield recipe_of(event, Kind.TEXT, _LANDS, groups, words, dice, **proof)
            return


_LANDS = (
    "The two pictures show the same moment. The object in the red box is in the air and falls straight down. "
    "What does it land on?"
)


def _above(moment: Moment, made: Scene, name: str, inside: Sequence[str], wanted: str, dice: Random) -> Put | None:
    """A pose above a thing of the wanted sort, away from other things."""
    grounds: list[str | None]
    if wanted == "movable":
        grounds = [other for other in inside if other != name and moment.thing(other).kind in BASES]
    elif wanted == "furniture":
        grounds = [other for other in made.places if other != FLOOR]
    else:
        grounds = [None]
    for _ in range(NEAR):
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
        if moment.room_at(px, py) != room_of(moment, made) or moment.sim.collides(name, pose_of(put)):
            continue
        if _under(moment, name, put.position, max(moment.thing(name).size[:2]) * 0.6) == (ground or FLOOR):
            return put
    return None


def landing(moment: Moment, name: str) -> str | None:
    """The thing or floor that a falling thing hits first; None if it would hit two, or nearly hit one."""
    low, high = moment.box(name)
    return _under(moment, name, (*moment.middle(name)[:2], low[2]), max(high[0] - low[0], high[1] - low[1]) / 2.0)


def _under(moment: Moment, name: str, middle: Vector, reach: float) -> str | None:
    """The same for a thing at a position, with a horizontal extent to all sides."""
    tops: dict[str, float] = {FLOOR: 0.0}
    for placed in moment.home.placed:
        other = placed.thing.name
        leaves = (part for leaf in placed.thing.leaves for part in leaf.parts)
        if other == name or not any(part.solid for part in (*placed.thing.parts, *leaves)):
            continue
        (a, b, bottom), (x, y, top) = moment.box(other) if placed.thing.movable else moment.sim.box(other)
        if bottom > middle[2]:
            continue
        # Positive: the distance of the centre inside the edges of the other thing.
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
    """Two pictures of a hanging thing and the candidates below it."""
    from envs.shots.cameras import turn_between
    from envs.shots.viewpoints import best, free_eyes, heads

    room = room_of(moment, made)
    x, y, z = moment.middle(name)
    aim = [(x, y, z - 0.2)]
    stands = [place for place in made.places if place != FLOOR]
    names = [other for other in (*made.movables, *stands) if other != name]
    wanted = [name, *([below] if below != FLOOR else [])]
    eyes: list[Eye] = [
        *heads(moment, room, aim, dice, TRIES, 60.0),
        *free_eyes(moment, room, aim, dice, TRIES, away=(1.2, 2.4), height=(1.2, 1.8)),
    ]
    good = best(moment, best(moment, eyes, wanted, len(wanted)), names, 4)[:6]
    for one, other in combinations(good, 2):
        if not 40.0 <= abs(turn_between(one, other)) <= 140.0:
            continue
        first, second = moment.view(one), moment.view(other)
        if not all(view.clear(each, 200, 0.5 if each == name else 0.3) for view in (first, second) for each in wanted):
            continue
        seen = [each for each in rules.markable(first, names) if each in wanted or moment.sim.box(each)[0][2] < z]
        others = sorted((each for each in seen if each not in wanted), key=lambda each: across(first, each, name))
        chosen = tuple([*wanted[1:], *others][:5])
        if len(chosen) >= 4 and not rules.crowded(first, (*chosen, name)):
            return Event(situation, moment, (one, other), chosen, name)
    return None

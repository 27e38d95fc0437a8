"""Sets of four actions on things from one start: an object and a place, a relation or a verb, two of each.

All four are carried out. A set is kept only if all four succeed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import pi
from random import Random

from envs.arm.motions import Refused
from envs.arm.recipes import Factor, Moment
from envs.arm.rollout import Impossible, Rollout, Skill
from envs.arm.scenes import INSIDE, PLACES, TAKEN, Table, table
from envs.arm.skills import do, place_inside


@dataclass(frozen=True, slots=True)
class Goal:
    """One of four actions: the skill and its words."""

    skill: Skill
    words: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Four goals, cell by cell, the placements at the start, and the things that must be visible."""

    factors: tuple[Factor, Factor]
    goals: tuple[Goal, ...]
    things: tuple[str, ...]
    inside: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GoalSet:
    """A start and four endings, one for each cell of the two factors."""

    table: Table
    before: Moment
    factors: tuple[Factor, Factor]
    after: tuple[Moment, ...]
    words: tuple[str, ...]
    things: tuple[str, ...]
    setting: str


@dataclass(frozen=True, slots=True)
class Family:
    """A kind of set: the setting it needs, the words of its verbs by source, and the function that drafts it."""

    setting: str
    draft: Callable[[Table, Random], Draft]


def draft(source: str, random: Random, arm: str = "") -> GoalSet:
    """A set whose four actions all succeed; `Refused` names the gate that it did not pass."""
    family = FAMILIES[random.choice(OFTEN[source])]
    made = table(source, random.randrange(1_000_000), family.setting, arm)
    if "ball" in made.nouns.values() and _LIKE_BALLS.intersection(made.nouns.values()):
        raise Refused("names clash")
    plan = family.draft(made, random)
    rest = [round(angle + random.uniform(-0.05, 0.05), 6) for angle in made.arm.rest]
    run = Rollout(made, rest=rest)
    try:
        for thing, place in plan.inside:
            place_inside(run, thing, place)
        before = run.moment()
        start = run.sim.save()
        after = []
        for goal in plan.goals:
            run.sim.restore(start)
            run.reset()
            do(run, goal.skill)
            after.append(run.moment())
    except Impossible as error:
        raise Refused(f"skill: {_reason(str(error))}") from None
    words = tuple(goal.words for goal in plan.goals)
    return GoalSet(made, before, plan.factors, tuple(after), words, plan.things, family.setting)


def _reason(message: str) -> str:
    for known in ("out of reach", "disturbed", "room"):
        if known in message:
            return known
    return "did not succeed"


def _nouns(made: Table, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(made.nouns[name] for name in names)


def _taken(made: Table, random: Random, count: int) -> list[str]:
    kinds = {kind.kind for kind in TAKEN}
    found = [name for name in made.kinds if made.kinds[name].kind in kinds]
    if len(found) < count:
        raise Refused("too few things")
    return random.sample(found, count)


def _places(made: Table, random: Random, count: int, *, inside: bool = False) -> list[str]:
    kinds = {kind.kind for kind in PLACES} | {"stove", "sink"}
    if inside:
        kinds &= set(INSIDE) - {"sink"}
    found = [name for name in made.kinds if made.kinds[name].kind in kinds]
    if len(found) < count:
        raise Refused("too few things")
    return random.sample(found, count)


def _relation(made: Table, place: str) -> str:
    return "in" if made.kinds[place].kind in INSIDE else "on"


def _verb(made: Table, random: Random, way: str) -> str:
    return random.choice(_VERBS[made.source][way])


_VERBS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "bridge": {"put": ("put", "move"), "take": ("take",), "near": ("next to",)},
    "droid": {"put": ("put", "place"), "take": ("take", "remove"), "near": ("next to",)},
    "rt1": {"put": ("move", "place"), "take": ("take",), "near": ("near", "next to")},
}


def _put(made: Table, verb: str, thing: str, place: str, near: str = "", side: float = 0.0) -> Goal:
    detail = "next to" if near else _relation(made, place)
    towards = near or (f"{detail}to" if verb == "move" else detail)
    words = f"{verb} the {made.nouns[thing]} {towards} the {made.nouns[place]}"
    return Goal(Skill("put", thing, place, detail, side), words)


def _object_and_place(made: Table, random: Random) -> Draft:
    things, places = _taken(made, random, 2), _places(made, random, 2)
    verb = _verb(made, random, "put")
    goals = tuple(_put(made, verb, thing, place) for thing in things for place in places)
    factors = Factor("object", _nouns(made, things)), Factor("place", _nouns(made, places))
    return Draft(factors, goals, (*things, *places))


def _object_and_relation(made: Table, random: Random) -> Draft:
    things, (place,) = _taken(made, random, 2), _places(made, random, 1)
    verb, near, side = _verb(made, random, "put"), _verb(made, random, "near"), round(random.uniform(-pi, pi), 3)
    goals = tuple(_put(made, verb, thing, place, way, side) for thing in things for way in ("", near))
    factors = Factor("object", _nouns(made, things)), Factor("relation", (_relation(made, place), near))
    return Draft(factors, goals, (*things, place))


def _verb_and_place(made: Table, random: Random) -> Draft:
    places, (first, second, third) = _places(made, random, 2, inside=True), _taken(made, random, 3)
    verb, take, side = _verb(made, random, "put"), _verb(made, random, "take"), round(random.uniform(-pi, pi), 3)
    goals = [_put(made, verb, third, place) for place in places]
    for thing, place in zip((first, second), places, strict=True):
        off = f"out of the {made.nouns[place]}" if take == "take" else f"from the {made.nouns[place]}"
        goals.append(Goal(Skill("take out", thing, place, "", side), f"{take} the {made.nouns[thing]} {off}"))
    factors = Factor("verb", (verb, take)), Factor("place", _nouns(made, places))
    inside = ((first, places[0]), (second, places[1]))
    return Draft(factors, tuple(goals), (third, *places), inside)


def _verb_and_drawer(made: Table, random: Random) -> Draft:
    names = ("drawer_1", "drawer_2")
    goals = tuple(
        Goal(Skill(verb, name), f"{verb} the {made.nouns[name]}") for verb in ("open", "close") for name in names
    )
    return Draft((Factor("verb", ("open", "close")), Factor("object", _nouns(made, names))), goals, names)


def _pick_or_put(made: Table, random: Random) -> Draft:
    things, (place,) = _taken(made, random, 2), _places(made, random, 1)
    verb = _verb(made, random, "put")
    goals = [Goal(Skill("pick", thing), f"pick up the {made.nouns[thing]}") for thing in things]
    goals += [_put(made, verb, thing, place) for thing in things]
    factors = Factor("verb", ("pick up", verb)), Factor("object", _nouns(made, things))
    return Draft(factors, tuple(goals), (*things, place))


def _push(made: Table, thing: str, way: str) -> Goal:
    return Goal(Skill("push", thing, detail=way), f"push the {made.nouns[thing]} {_WAYS[way]}")


_WAYS = {"away": "away from the robot", "towards": "towards the robot"}


def _object_and_way(made: Table, random: Random) -> Draft:
    things = _taken(made, random, 2)
    goals = tuple(_push(made, thing, way) for thing in things for way in _WAYS)
    return Draft((Factor("object", _nouns(made, things)), Factor("relation", tuple(_WAYS))), goals, tuple(things))


def _flip_or_push(made: Table, random: Random) -> Draft:
    return _act_or_push(made, random, ("cup", "bowl", "saucepan", "basket"), "flip", "upside down")


def _fold_or_push(made: Table, random: Random) -> Draft:
    return _act_or_push(made, random, ("towel",), "fold", "in half")


def _act_or_push(made: Table, random: Random, kinds: Sequence[str], verb: str, how: str) -> Draft:
    found = [name for name in made.kinds if made.kinds[name].kind in kinds]
    if len(found) < 2:
        raise Refused("too few things")
    things = random.sample(found, 2)
    goals = [Goal(Skill(verb, thing), f"{verb} the {made.nouns[thing]} {how}") for thing in things]
    goals += [_push(made, thing, "away") for thing in things]
    return Draft((Factor("verb", (verb, "push")), Factor("object", _nouns(made, things))), tuple(goals), tuple(things))


FAMILIES: Mapping[str, Family] = {
    "object and place": Family("", _object_and_place),
    "object and relation": Family("", _object_and_relation),
    "verb and place": Family("", _verb_and_place),
    "verb and drawer": Family("drawers", _verb_and_drawer),
    "pick or put": Family("", _pick_or_put),
    "object and way": Family("", _object_and_way),
    "flip or push": Family("", _flip_or_push),
    "fold or push": Family("towels", _fold_or_push),
}
"""Kinds of sets by name."""
_LIKE_BALLS = {"apple", "orange"}
"""Kinds that a ball can be mistaken for in one scene."""
_PLAIN = ("object and place", "object and place", "object and relation", "pick or put")
OFTEN: Mapping[str, tuple[str, ...]] = {
    "bridge": (*_PLAIN, "flip or push", "flip or push", "fold or push", "object and way", "verb and place"),
    "droid": (*_PLAIN, *_PLAIN, *["verb and place"] * 6, "verb and drawer", "object and way", "object and way"),
    "rt1": (*_PLAIN, *_PLAIN, *_PLAIN, *["verb and place"] * 3, "verb and drawer", "object and way"),
}
"""Kinds of sets by source; a kind is tried as often as it is listed."""

SETTINGS: Mapping[str, str] = {"open": "drawers", "close": "drawers", "turn": "stove", "fold": "towels"}
"""The setting that each skill needs."""


def wanted(verb: str, made: Table, random: Random) -> tuple[tuple[tuple[str, str], ...], Goal]:
    """One use of a skill in a scene, with the placements that it needs at the start."""
    if verb == "take out":
        found = _verb_and_place(made, random)
        return found.inside[:1], found.goals[2]
    if verb in ("put", "pick"):
        return (), _pick_or_put(made, random).goals[0 if verb == "pick" else 2]
    if verb == "push":
        return (), _object_and_way(made, random).goals[0]
    if verb == "stack":
        return (), _stack(made, random)
    if verb == "turn":
        return (), Goal(Skill("turn", f"{made.fixture}_1"), "turn the knob of the stove")
    if verb in ("open", "close"):
        return (), _verb_and_drawer(made, random).goals[random.randrange(2) + 2 * (verb == "close")]
    return (), (_flip_or_push if verb == "flip" else _fold_or_push)(made, random).goals[0]


def _stack(made: Table, random: Random) -> Goal:
    flat = [name for name in made.kinds if made.kinds[name].kind in ("plate", "stove")]
    if not flat:
        raise Refused("too few things")
    thing = random.choice(_taken(made, random, 1))
    place = random.choice(flat)
    words = f"stack the {made.nouns[thing]} on the {made.nouns[place]}"
    return Goal(Skill("stack", thing, place, "on"), words)

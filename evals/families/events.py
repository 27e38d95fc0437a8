"""Action recognition: which of seven actions happened between two pictures from the same camera.

`propose` executes the action. `verify` finds it by the differences: the extents of leaves, boxes that moved or changed
their shape, and the content of the hand by depth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import dist
from random import Random
from typing import TYPE_CHECKING

from envs.shots.actions import Action, Hold, Open, Put, Remove, Settle
from evals.families import rules
from evals.families.activity import OPENED
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.scenes import scene
from evals.families.stacks import BASES, GAP, REST, TOPS, below, carries, held_in
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment

SUB_CATEGORY = "Action"
TEXT = "What did the robot do between the first picture and the second?"
OPEN, CLOSE, HOLD, REMOVE, STACK, SHIFT, TIP = "open", "close", "hold", "remove", "stack", "shift", "tip"
WORDS: Mapping[str, str] = {
    OPEN: "It opened a door or a drawer.",
    CLOSE: "It closed a door or a drawer.",
    HOLD: "It picked up an object, which is in its gripper now.",
    REMOVE: "It took an object out of the room.",
    STACK: "It put an object on top of another object.",
    SHIFT: "It pushed an object to another place on the same surface.",
    TIP: "It tipped an object over.",
}
"""Actions by their wording in options."""
_TABLES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "kitchen": ("table", ()),
    "living room": ("table", ("coffee",)),
    "bedroom": ("table", ("desk",)),
    "study": ("table", ("desk",)),
}
_UPRIGHT = ("bottle", "vase", "kettle", "cup")
"""Kinds that can be tipped over."""
_PUSHED = (0.14, 0.35)
"""The distances that things are pushed, in metres."""
_MOVED, _TURNED, _REACHED = 0.03, 0.3, 0.08
"""The least change of a thing that was acted on: in metres, and as a share of its height."""
_TRIES, _OPTIONS, _WAYS = 26, 4, 3
_SEEN = 0.12
"""The least relative change of furniture's pixels if it was opened or closed."""
_LARGE = 2500
"""The least pixels of furniture that opens."""


@dataclass(frozen=True, slots=True)
class Done:
    """An action: the steps from the first to the second moment, and the thing that it acts on."""

    name: str
    before: tuple[Action, ...]
    after: tuple[Action, ...]
    thing: str


class Events:
    """The family of questions about actions."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room with furniture that opens and things on a table."""
        from envs.shots.moment import open_moment

        if "multiple-choice" not in types:
            return
        room, kind, options = dice.choice([one for one in OPENED if one[0] in _TABLES])
        things = [*dice.sample(BASES, 2), *dice.sample(TOPS, 4)]
        made = scene(room, (_TABLES[room], (kind, options)), {0: things}, dice)
        table, box = (need.name for need in made.situation.needs[:2])
        moment = open_moment(made.situation)
        on_table = [name for name in made.movables if moment.support_of(name) == table]
        if len(on_table) < 4:
            return
        eyes = _eyes(moment, room, (table, box), on_table, dice)
        # Draw the action first, so that none is more frequent because it succeeds more often.
        name = dice.choice(tuple(WORDS))
        for _ in range(_WAYS):
            done = _done(name, moment, box, table, on_table, dice)
            found = done and _recipe(made.situation, done, eyes, box, dice)
            if found:
                yield found
                return

    def verify(self, recipe: Recipe) -> Answer:
        """The one action that explains what differs."""
        return (recipe.options.index(WORDS[_seen(recipe)]),)


def _eyes(moment: Moment, room: str, aims: tuple[str, str], names: Collection[str], dice: Random) -> list[Eye]:
    """Robot heads that see the table, the furniture and the hand."""
    from envs.shots.viewpoints import best, heads

    name = next(one.name for one in moment.home.rooms if one.kind == room)
    first, second = (moment.middle(aim) for aim in aims)
    x, y, z = ((a + b) / 2.0 for a, b in zip(first, second, strict=True))
    found = list(heads(moment, name, [(x, y, min(z, 0.8)), (first[0], first[1], 0.7)], dice, _TRIES))
    return best(moment, found, (*names, *aims), 5)[:4]


def _done(name: str, moment: Moment, box: str, table: str, on_table: Collection[str], dice: Random) -> Done | None:
    """A random way to do an action, if there is one."""
    shut = dice.random() < 0.5
    base: tuple[Action, ...] = () if shut else (Open(box, 1.0),)
    target = dice.choice(sorted(on_table))
    match name:
        case "open":
            return Done(name, (), (Open(box, 1.0),), box)
        case "close":
            return Done(name, (Open(box, 1.0),), (Open(box, 0.0),), box)
        case "hold":
            return Done(name, base, (Hold(target),), target)
        case "remove":
            return Done(name, base, (Remove(target),), target)
        case "stack":
            return _stacked(moment, base, on_table, dice)
        case "shift":
            return _shifted(moment, base, target, dice)
    upright = [one for one in on_table if moment.thing(one).kind in _UPRIGHT]
    if not upright:
        return None
    target = dice.choice(upright)
    x, y, _ = moment.middle(target)
    low = moment.box(table)[1][2]
    high = low + max(moment.thing(target).size[:2]) / 2.0 + 0.01
    return Done(
        TIP, base, (Put(target, (x, y, round(high, 3)), float(dice.randrange(0, 360, 5)), 90.0), Settle()), target
    )


def _stacked(moment: Moment, base: tuple[Action, ...], names: Collection[str], dice: Random) -> Done | None:
    pairs = [(a, b) for a in names for b in names if a != b and carries(moment, b, a)]
    if not pairs:
        return None
    name, onto = dice.choice(pairs)
    x, y, _ = moment.middle(onto)
    at = round(x, 3), round(y, 3), round(moment.box(onto)[1][2] + GAP, 4)
    return Done(STACK, base, (Put(name, at, float(dice.randrange(0, 360, 5))), Settle(REST)), name)


def _shifted(moment: Moment, base: tuple[Action, ...], name: str, dice: Random) -> Done | None:
    from envs.household.home.model import Pose

    pose = moment.sim.pose(name)
    x, y, z = pose.position
    for _ in range(20):
        to = round(x + dice.uniform(-0.35, 0.35), 3), round(y + dice.uniform(-0.35, 0.35), 3), round(z + GAP, 4)
        if _PUSHED[0] <= dist(to[:2], (x, y)) <= _PUSHED[1] and not moment.sim.collides(name, Pose(to, pose.rotation)):
            return Done(SHIFT, base, (Put(name, to), Settle(REST)), name)
    return None


def _recipe(situation: object, done: Done, eyes: Collection[Eye], box: str, dice: Random) -> Recipe | None:
    """A question with two pictures, if nothing but the action differs."""
    from envs.shots.moment import open_moment
    from envs.shots.situation import Situation

    assert isinstance(situation, Situation)
    before = open_moment(situation.after(*done.before)) if done.before else open_moment(situation)
    after = open_moment(situation.after(*done.before, *done.after))
    for eye in rules.shuffled(eyes, dice):
        first, second = before.view(eye), after.view(eye)
        gone = done.name == REMOVE
        least = _LARGE if done.thing == box else 300
        if not first.clear(done.thing, least, 0.5) or not (gone or second.clear(done.thing, least, 0.4)):
            continue
        opened = abs(first.pixels(box) - second.pixels(box)) >= _SEEN * first.pixels(box)
        if first.pixels(box) < _LARGE // 2 or (done.thing == box and not opened):
            continue
        chosen = [done.name, *dice.sample([name for name in WORDS if name != done.name], _OPTIONS - 1)]
        options = tuple(WORDS[name] for name in rules.shuffled(chosen, dice))
        shots = Shot(eye, (), done.before), Shot(eye, (), (*done.before, *done.after))
        answer = (options.index(WORDS[done.name]),)
        proof = {"done": done.name, "thing": done.thing}
        return Recipe("events", SUB_CATEGORY, Kind.CHOICE, situation, shots, TEXT, answer, options, proof=proof)
    return None


def _seen(recipe: Recipe) -> str:
    """The action that explains the differences; `ValueError` if there is not exactly one."""
    before, after = moment_of(recipe), moment_of(recipe, 1)
    found = [*_leaves(before, after), *_things(recipe, before, after)]
    if len(found) != 1 or found[0] not in WORDS:
        raise ValueError(f"what differs is {found}")
    return found[0]


def _leaves(before: Moment, after: Moment) -> Iterator[str]:
    for placed in before.home.placed:
        if placed.thing.leaves:
            extents = [_extent(moment, placed.thing.name) for moment in (before, after)]
            if abs(extents[1] - extents[0]) > _REACHED:
                yield OPEN if extents[1] > extents[0] else CLOSE


def _extent(moment: Moment, name: str) -> float:
    """The width and depth of a thing's drawn points."""
    low, high = moment.box(name)
    return high[0] - low[0] + high[1] - low[1]


def _things(recipe: Recipe, before: Moment, after: Moment) -> Iterator[str]:
    held = held_in(view_of(recipe, 1))
    for name in before.movables:
        if name == held:
            yield HOLD
        elif name not in after.movables:
            yield REMOVE
        elif dist(before.middle(name), after.middle(name)) > _MOVED:
            heights = [high[2] - low[2] for low, high in (before.box(name), after.box(name))]
            under = below(after, name)
            if under in after.movables:
                yield STACK
            elif abs(heights[1] - heights[0]) > _TURNED * heights[0]:
                yield TIP
            elif under == below(before, name):
                yield SHIFT
            else:
                yield "something else"


FAMILY = Events()

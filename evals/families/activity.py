"""Questions about changes between pictures: one thing is moved, stacks grow, furniture opens."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import permutations
from math import atan2, degrees, dist
from random import Random
from typing import TYPE_CHECKING

from envs.shots.actions import Action, Open, Put, Remove, Settle
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.scenes import scene
from evals.families.stacks import GAP, REST, Stacks, below, carries
from evals.families.words import noun
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment
    from envs.shots.situation import Situation

SUB_CATEGORY = "State & Activity Understanding"
ACTION = "What was done between the first picture and the second?"
FILLED = "A robot put one object after another on top of others. Sort the pictures by time, the first first."
WIDEST, WIDTHS = "In which picture is the ", "Sort the pictures by how far the "
OPENED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("bedroom", "nightstand", ()),
    ("living room", "cabinet", ()),
    ("bedroom", "cabinet", ("drawers",)),
    ("study", "cabinet", ("file",)),
    ("kitchen", "electric_refrigerator", ()),
    ("living room", "shelf", ("doors",)),
)
"""Furniture that opens: a kind of room, a kind, options."""
OPENINGS = 0.0, 0.15, 0.35, 0.6, 0.88
JITTER = 0.03
"""The openings of furniture in consecutive pictures, and their random variation."""
_AHEAD = 55.0
"""The largest angle of a camera from the furniture's front, in degrees."""
_SHOWN = 0.5
"""The least visible share of furniture that opens."""
_TAKEN = 0.15
"""The share of questions in which something is removed."""
_MOVED = 0.03
"""A thing displaced by more than this has been moved."""
_TRIES = 18


def eyes_on(
    moment: Moment, room: str, at: tuple[float, float, float], dice: Random, names: Collection[str]
) -> list[Eye]:
    """Cameras that look at a place, those that see most of the things first."""
    from envs.shots.viewpoints import best, free_eyes, heads

    eyes: list[Eye] = [
        *heads(moment, room, [at], dice, _TRIES, 60.0),
        *free_eyes(moment, room, [at], dice, _TRIES, away=(1.1, 2.4), height=(1.2, 1.7), field=60.0),
    ]
    return best(moment, eyes, names, min(len(names), 5))


def action(moment: Moment, made: Stacks, dice: Random) -> Recipe | None:
    """Questions about one thing that was put on another, or removed."""
    from envs.shots.moment import open_moment

    change = _change(moment, dice)
    if change is None:
        return None
    name, onto, actions = change
    situation = made.scene.situation.after(*made.actions)
    after = open_moment(situation.after(*actions))
    if _moved(moment, after) != [name] or (onto and after.support_of(name) != onto):
        return None
    eyes = eyes_on(moment, _room(moment, made), moment.middle(made.front), dice, made.scene.movables)[:4]
    for one in eyes:
        view = moment.view(one)
        others = rules.shuffled([x for x in rules.markable(view, moment.movables) if x not in (name, onto)], dice)
        names = [name, *([onto] if onto else []), *others][:5]
        if len(names) < 4 or not all(view.clear(x) for x in names) or rules.crowded(view, names):
            continue
        for other in [eye for eye in eyes if eye != one] if onto else [one]:
            if not onto or all(after.view(other).clear(x) for x in (name, onto)):
                return _recipe_of_change(made, (one, other), names, (name, onto), actions, dice, moment)
    return None


def _room(moment: Moment, made: Stacks) -> str:
    return next(room.name for room in moment.home.rooms if room.kind == made.scene.room)


def _change(moment: Moment, dice: Random) -> tuple[str, str | None, tuple[Action, ...]] | None:
    """A thing that carries nothing, its new support, and the action."""
    carrying = {moment.support_of(name) for name in moment.movables}
    bare = [name for name in moment.movables if name not in carrying]
    pairs = [(a, b) for a, b in permutations(bare, 2) if carries(moment, b, a)]
    if dice.random() < _TAKEN:
        return (name := dice.choice(bare)), None, (Remove(name),)
    if not pairs:
        return None
    name, onto = dice.choice(pairs)
    x, y, _ = moment.middle(onto)
    at = round(x, 3), round(y, 3), round(moment.box(onto)[1][2] + GAP, 4)
    return name, onto, (Put(name, at, float(dice.randrange(0, 360, 5))), Settle(REST))


def _moved(before: Moment, after: Moment) -> list[str]:
    return [name for name in before.movables if dist(before.middle(name), after.middle(name)) > _MOVED]


def _recipe_of_change(
    made: Stacks, eyes: tuple[Eye, Eye], names: Sequence[str], change: tuple[str, str | None],
    actions: tuple[Action, ...], dice: Random, moment: Moment,
) -> Recipe:  # fmt: skip
    labels, marks = rules.numbered(moment.view(eyes[0]), names, dice)
    right = _sentence(labels, *change)
    pairs = [(a, b) for a, b in permutations(names, 2) if {a, b} & set(change)]
    near = [_sentence(labels, *reversed(change))] if change[1] else []  # type: ignore[arg-type]
    wrong = [*(_sentence(labels, *pair) for pair in rules.shuffled(pairs, dice)[:3])]
    wrong += [_sentence(labels, name, None) for name in names]
    options = sorted(list(dict.fromkeys([right, *near, *wrong]))[:6])
    shots = (Shot(eyes[0], marks), Shot(eyes[1], (), actions))
    situation = made.scene.situation.after(*made.actions)
    proof = {"moved": change[0], "onto": change[1] or ""}
    answer = (options.index(right),)
    return Recipe("state", SUB_CATEGORY, Kind.CHOICE, situation, shots, ACTION, answer, tuple(options), proof=proof)


def _sentence(labels: Mapping[str, str], name: str, onto: str | None) -> str:
    if onto is None:
        return f"Object {labels[name]} was taken away."
    return f"Object {labels[name]} was put on object {labels[onto]}."


def filled(moment: Moment, made: Stacks, dice: Random) -> Recipe | None:
    """Questions about pictures of growing stacks, each from a different viewpoint."""
    from envs.shots.moment import open_moment

    if len(made.puts) < 3:
        return None
    first = open_moment(made.scene.situation)
    eyes = eyes_on(moment, _room(moment, made), moment.middle(made.front), dice, made.scene.movables)[:6]
    shots: list[Shot] = []
    for done in range(min(len(made.puts), 4) + 1):
        actions: tuple[Action, ...] = (*made.puts[:done], Settle(REST)) if done else ()
        now = open_moment(made.scene.situation.after(*actions)) if done else first
        put = [step.thing for step in made.puts[:4]]
        # A thing must not be visible before it is put down, and must be visible in all later pictures.
        good = [eye for eye in rules.shuffled(eyes, dice) if all(now.view(eye).clear(name) for name in put[:done])]
        if not good or [now.support_of(name) in now.movables for name in put].count(True) != done:
            return None
        shots.append(Shot(next((eye for eye in good if eye not in [shot.eye for shot in shots]), good[0]), (), actions))
    return _sorted(made.scene.situation, shots, FILLED, {"puts": [step.thing for step in made.puts[:4]]}, dice)


def _sorted(
    situation: Situation, shots: Sequence[Shot], text: str, proof: Mapping[str, object], dice: Random
) -> Recipe:
    """A question to sort shuffled pictures."""
    order = rules.shuffled(range(len(shots)), dice)
    options = tuple(f"picture {number}" for number in range(1, len(shots) + 1))
    answer = tuple(order.index(number) for number in range(len(shots)))
    mixed = tuple(shots[number] for number in order)
    return Recipe("state", SUB_CATEGORY, Kind.ORDER, situation, mixed, text, answer, options, proof=proof)


def openings(dice: Random, types: Collection[str]) -> Iterator[Recipe]:
    """Questions about pictures of one piece of furniture at different openings, each from a different viewpoint."""
    room, kind, options = dice.choice(OPENED)
    made = scene(room, ((kind, options),), {}, dice)
    name = made.situation.needs[0].name
    far = [round(opening + dice.uniform(0.0, JITTER), 2) for opening in OPENINGS]
    shots = _open_shots(made.situation, name, far, dice)
    if shots is None:
        return
    word, proof = noun(kind), {"opening": far}
    if "multiple-choice" in types:
        mixed = rules.shuffled(shots, dice)
        names = tuple(f"picture {number}" for number in range(1, 6))
        answer = (mixed.index(shots[-1]),)
        text = f"{WIDEST}{word} open widest?"
        yield Recipe("state", SUB_CATEGORY, Kind.CHOICE, made.situation, tuple(mixed), text, answer, names, proof=proof)
    if "sorting" in types:
        text = f"{WIDTHS}{word} is open, the least first."
        yield _sorted(made.situation, shots[: dice.choice((4, 5))], text, proof, dice)


def _open_shots(situation: Situation, name: str, far: Sequence[float], dice: Random) -> list[Shot] | None:
    """A picture from the front for each opening."""
    from envs.household.home.frames import inverse, spot
    from envs.shots.moment import open_moment

    closed = open_moment(situation.after(Open(name, far[-1])))
    room = closed.room_of(name)
    if room is None:
        return None
    frame, middle = inverse(closed.sim.pose(name)), closed.middle(name)
    good = []
    for eye in eyes_on(closed, room, middle, dice, (name,)):
        x, y, _ = spot(frame, eye.camera.position)
        if abs(degrees(atan2(x, -y))) <= _AHEAD and closed.view(eye).share(name) >= _SHOWN:
            good.append(eye)
    if len(good) < 2:
        return None
    chosen = [good[number % len(good)] for number in range(len(far))]
    shots = []
    for eye, opening in zip(rules.shuffled(chosen, dice), far, strict=True):
        if open_moment(situation.after(Open(name, opening))).view(eye).share(name) < _SHOWN:
            return None
        shots.append(Shot(eye, (), (Open(name, opening),)))
    return shots


def find_again(recipe: Recipe) -> Answer:
    """The answer computed from boxes and the extents of leaves."""
    moments = [moment_of(recipe, number) for number in range(len(recipe.shots))]
    if recipe.text == ACTION:
        return _done(recipe, *moments)
    if recipe.text == FILLED:
        values = [float(sum(below(now, name) in now.movables for name in now.movables)) for now in moments]
    else:
        name = recipe.situation.needs[0].name
        values = [_reach(now, name) for now in moments]
    order = sorted(range(len(values)), key=lambda number: values[number])
    if recipe.kind is Kind.CHOICE:
        return (recipe.options.index(f"picture {order[-1] + 1}"),)
    return tuple(recipe.options.index(f"picture {number + 1}") for number in order)


def _done(recipe: Recipe, before: Moment, after: Moment) -> Answer:
    things = rules.marked_things(recipe, view_of(recipe))
    labels = {name: number for number, name in things.items()}
    (name,) = _moved(before, after)
    onto = below(after, name) if after.room_of(name) is not None else None
    return (recipe.options.index(_sentence(labels, name, onto)),)


def _reach(moment: Moment, name: str) -> float:
    """The extent of furniture towards its front, from its drawn points."""
    import numpy as np

    from envs.household.home.frames import inverse

    frame = inverse(moment.sim.pose(name))
    points = moment.points(name)
    turn = np.array(frame.rotation).reshape(3, 3)
    return float(-(turn[1] @ points + frame.position[1]).min())

"""What fits into a drawer: the only marked thing that does, or the only one that does not, in any orientation.

`fits_in` compares sizes with those of the drawer. `fitting_answer` puts each thing into the drawer in all six
orientations and tests collisions.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import pi
from random import Random
from typing import TYPE_CHECKING

from envs.household.home.model import Pose
from envs.household.home.things import make
from envs.household.home.things.turns import about, after, plus, turned
from envs.shots.actions import Open
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, view_of
from evals.families.scenes import SUPPORTS, scene
from evals.families.words import noun
from models.base import Kind

if TYPE_CHECKING:
    from envs.household.home.model import Cavity, Thing
    from envs.shots.cameras import Eye
    from envs.shots.moment import Moment

SUB_CATEGORY = "Relative shape"
FIT = "fit"
"""The name of the measure in recipes."""
FITS = "Which marked object would fit into the open drawer in the red box, lying or standing, so that it can be shut?"
NOT = (
    "Which marked object would not fit into the open drawer in the red box, lying or standing, so that it can be shut?"
)
_ALONE = "Imagine the drawer empty. "
_DRAWERS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("bedroom", "nightstand", ()),
    ("bedroom", "cabinet", ("drawers",)),
    ("study", "cabinet", ("file",)),
)
"""Furniture with drawers: a kind of room, a kind, options."""
_THINGS = ("cup", "bottle", "bowl", "kettle", "vase", "saucepan", "plate", "apple", "orange", "banana", "sandwich",
           "hardback", "box", "toolbox", "bucket", "ball", "gym_shoe", "pillow", "snack_food", "book",
           "plaything")  # fmt: skip
_FEW, _MANY = 3, 8
"""The numbers of things of the wanted sort, and of the other one."""
_SPARE = 0.85
"""A thing fits below the first share of the drawer along each edge, and does not fit above the second."""
_MORE = 1.15
_TRIES = 16
_LARGE = 3000
"""The least pixels of the furniture."""
_OPENING = 0.9


def fits_in(dice: Random) -> Iterator[Recipe]:
    """Questions about one drawer."""
    from envs.shots.moment import open_moment

    room, kind, options = dice.choice(_DRAWERS)
    other = dice.choice([support for support in SUPPORTS[room] if support != (kind, options)])
    wanted = dice.random() < 0.5
    kinds = _kinds(make(kind, f"{kind}_1", 0, options), wanted, dice)
    made = scene(room, (other, (kind, options)), {0: kinds[:5]}, dice, kinds[5:])
    name = made.situation.needs[1].name
    moment = open_moment(made.situation.after(Open(name, _OPENING)))
    sizes = {thing: _fits(moment.thing(thing), moment.thing(name)) for thing in moment.movables}
    for eye in _eyes(moment, room, name, dice):
        view = moment.view(eye)
        seen = [thing for thing in rules.markable(view, list(made.movables)) if sizes.get(thing) is not None]
        if not view.clear(name, _LARGE, 0.5) or view.frame(name) is None:
            continue
        right = rules.shuffled([thing for thing in seen if sizes[thing] is wanted], dice)
        wrong = rules.shuffled([thing for thing in seen if sizes[thing] is not wanted], dice)[:5]
        if not right or len(wrong) < 4 or rules.crowded(view, [right[0], *wrong, name]):
            continue
        if sorted((right[0], *wrong), key=view.pixels)[0 if wanted else -1] == right[0]:
            continue
        labels, marks = rules.numbered(view, [right[0], *wrong], dice, name)
        named = rules.options_of(labels)
        yield Recipe(
            "shape", SUB_CATEGORY, Kind.CHOICE, made.situation, (Shot(eye, marks, (Open(name, _OPENING),)),),
            _ALONE + (FITS if wanted else NOT), (list(named).index(right[0]),), tuple(named.values()),
            proof={"measure": FIT, "drawer": noun(kind), "right": labels[right[0]]},
        )  # fmt: skip
        return


def _kinds(furniture: Thing, wanted: bool, dice: Random) -> list[str]:
    """Shuffled kinds of things, a few of the wanted sort and many of the other one."""
    fit = {kind: _fits(make(kind, f"{kind}_1", 0), furniture) for kind in _THINGS}
    few = [kind for kind in _THINGS if fit[kind] is wanted]
    many = [kind for kind in _THINGS if fit[kind] is (not wanted)]
    chosen = [*dice.sample(few, min(len(few), _FEW)), *dice.sample(many, min(len(many), _MANY))]
    return rules.shuffled(chosen, dice)


def _eyes(moment: Moment, room: str, name: str, dice: Random) -> list[Eye]:
    """Cameras in front of the furniture that see into its drawer."""
    from envs.household.home.frames import inverse, spot
    from envs.shots.viewpoints import best, free_eyes, heads

    here = moment.room_of(name)
    if here is None:
        return []
    aims = [moment.middle(name), *(moment.middle(thing) for thing in moment.movables if moment.room_of(thing) == here)]
    frame = inverse(moment.sim.pose(name))
    eyes: list[Eye] = [
        *heads(moment, here, aims, dice, 4 * _TRIES, 74.0),
        *free_eyes(moment, here, aims, dice, 2 * _TRIES, away=(1.3, 2.8), height=(1.3, 1.8), field=70.0),
    ]
    before = [eye for eye in eyes if -spot(frame, eye.camera.position)[1] > abs(spot(frame, eye.camera.position)[0])]
    return best(moment, best(moment, before, (name,), 1), moment.movables, 4)[:6]


def _drawer(furniture: Thing) -> Cavity:
    """The highest drawer, which is open."""
    drawers = [cavity for cavity in furniture.cavities if cavity.leaf is not None]
    return max(drawers, key=lambda cavity: cavity.centre[2])


def _fits(thing: Thing, furniture: Thing) -> bool | None:
    """Whether a thing fits into the drawer, by sizes; None if it is close."""
    own, room = sorted(thing.size), sorted(_drawer(furniture).size)
    if all(a <= _SPARE * b for a, b in zip(own, room, strict=True)):
        return True
    return False if any(a >= _MORE * b for a, b in zip(own, room, strict=True)) else None


def fitting_answer(recipe: Recipe) -> Answer:
    """The marked thing that fits, or does not, by trying all orientations of each in the shut drawer."""
    from envs.shots.moment import open_moment

    view, shut = view_of(recipe), open_moment(recipe.situation)
    name = rules.boxed_thing(recipe, view)
    drawer = _drawer(shut.thing(name))
    wanted = NOT not in recipe.text
    found = [
        number
        for number, thing in rules.marked_things(recipe, view).items()
        if any(
            not shut.sim.collides(thing, pose, ignore=_others(shut, thing)) for pose in _ways(shut, name, thing, drawer)
        )
        is wanted
    ]
    return tuple(recipe.options.index(f"the object marked {number}") for number in found)


def _others(moment: Moment, thing: str) -> list[str]:
    """All other movables, which are ignored because the drawer is empty."""
    return [other for other in moment.movables if other != thing]


def _ways(moment: Moment, name: str, thing: str, drawer: Cavity) -> Iterator[Pose]:
    """The six orientations of a box in the centre of a drawer."""
    from envs.household.home.frames import within

    frame, (_, _, height) = moment.sim.pose(name), moment.thing(thing).size
    upright = about("z", 0.0)
    for laid in (upright, about("x", pi / 2.0), about("y", pi / 2.0)):
        for spun in (upright, about("z", pi / 2.0)):
            turn = after(spun, laid)
            x, y, z = turned(turn, (0.0, 0.0, height / 2.0))
            yield within(frame, Pose(plus(drawer.centre, (-x, -y, -z)), turn))

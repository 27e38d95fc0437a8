"""Rooms with stacks of things, and the support of each thing by contacts and by bounding boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from envs.shots.actions import Action, Put, Settle
from evals.families.scenes import FLOOR, SUPPORTS, Scene, scene

if TYPE_CHECKING:
    from envs.shots.moment import Moment
    from envs.shots.view import View

BASES = ("box", "hardback", "book", "folder")
"""Flat kinds for the bottom of stacks."""
TOPS = ("cup", "bottle", "apple", "orange", "bowl", "vase", "kettle", "sandwich", "banana")
"""Kinds that are put on them or beside them."""
FRONTS = ("table", "workbench", "counter", "bed")
"""Furniture for stacks."""
GAP = 0.004
"""The height from which things are dropped."""
REST = 1.5
"""Seconds until everything is at rest."""
_OFF = 0.02
"""The largest offset from the centre of the support."""
_NEAR = 0.012
"""The largest gap between a thing and its support."""
GRASP = 0.05
"""The largest distance of a held thing from the fingertips."""


@dataclass(frozen=True, slots=True)
class Stacks:
    """A room, the furniture with stacks, and the actions that build them, thing by thing."""

    scene: Scene
    front: str
    puts: tuple[Put, ...]

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions that build the stacks."""
        return (*self.puts, Settle(REST))


def stacks(dice: Random, least: int = 5, most: int = 9) -> Stacks:
    """A room with stacks of two or three things, and single things beside them; may raise `NoRoom`."""
    from envs.shots.moment import open_moment

    room = dice.choice([room for room in SUPPORTS if any(kind in FRONTS for kind, _ in SUPPORTS[room])])
    front = dice.choice([support for support in SUPPORTS[room] if support[0] in FRONTS])
    number = dice.randint(least, most)
    low = [dice.choice(BASES) for _ in range(dice.randint(2, 3))]
    high = [dice.choice((*BASES[1:], *TOPS)) for _ in range(dice.randint(1, 4))]
    single = [dice.choice(TOPS) for _ in range(max(number - len(low) - len(high), 1))]
    made = scene(room, (front,), {0: [*low, *single]}, dice, high)
    names = [need.name for need in made.situation.needs]
    stand, bases, tops = names[0], names[1 : 1 + len(low)], names[len(names) - len(high) :]
    return Stacks(made, stand, tuple(_puts(open_moment(made.situation), stand, bases, tops, dice)))


def _puts(moment: Moment, stand: str, bases: list[str], tops: list[str], dice: Random) -> Iterator[Put]:
    """Put each thing on a stack whose top it fits on."""
    piles = {name: [name] for name in bases if moment.support_of(name) == stand}
    heights = {name: moment.box(name)[1][2] for name in piles}
    for name in sorted(tops, key=lambda name: -min(moment.thing(name).size[:2])):
        free = [base for base, pile in piles.items() if len(pile) < 4 and carries(moment, pile[-1], name)]
        if not free:
            continue
        base = dice.choice(free)
        x, y, _ = moment.middle(base)
        at = x + dice.uniform(-_OFF, _OFF), y + dice.uniform(-_OFF, _OFF), heights[base] + GAP
        yield Put(name, (round(at[0], 3), round(at[1], 3), round(at[2], 4)), float(dice.randrange(0, 360, 5)))
        heights[base] += moment.thing(name).size[2] + GAP
        piles[base].append(name)


def carries(moment: Moment, base: str, name: str) -> bool:
    """Whether a thing can stand on another one."""
    flat = moment.thing(base).kind in BASES
    return flat and min(moment.thing(name).size[:2]) <= 1.2 * min(moment.thing(base).size[:2])


def below(moment: Moment, name: str) -> str | None:
    """The support of a thing by bounding boxes: a movable, furniture, or `floor`; None in the air."""
    (a, b, foot), (x, y, _) = moment.box(name)
    at = (a + x) / 2.0, (b + y) / 2.0
    if foot < _NEAR:
        return FLOOR
    found = []
    for placed in moment.home.placed:
        other = placed.thing.name
        if other == name:
            continue
        for top, over in _tops(moment, other, at):
            if over and abs(foot - top) <= _NEAR:
                found.append((not placed.thing.movable, abs(foot - top), other))
    return min(found)[2] if found else None


def _tops(moment: Moment, name: str, at: tuple[float, float]) -> Iterator[tuple[float, bool]]:
    """The heights of a thing's surfaces, and whether a point is above it."""
    thing = moment.thing(name)
    if thing.movable:
        low, high = moment.box(name)
        yield high[2], low[0] <= at[0] <= high[0] and low[1] <= at[1] <= high[1]
        return
    from envs.household.home.frames import inverse, spot

    frame = moment.sim.pose(name)
    for surface in thing.surfaces:
        x, y, _ = spot(inverse(frame), (at[0], at[1], 0.0))
        width, depth = surface.size
        over = abs(x - surface.centre[0]) <= width / 2.0 + 0.03 and abs(y - surface.centre[1]) <= depth / 2.0 + 0.03
        yield frame.position[2] + surface.centre[2], over


def held_in(view: View) -> str | None:
    """The held thing by depth: the one with points nearest to the fingertips."""
    tip, points = view.hand, view.points()
    assert tip is not None
    far = {}
    for name in view.seen:
        mine = points[:, view.mask(name)] - [[value] for value in tip]
        far[name] = float((mine**2).sum(axis=0).min()) ** 0.5
    near = min(far, key=lambda one: far[one], default="")
    return near if near and far[near] <= GRASP else None

"""Candidate places for the robot, and free spots for things on, in and beside others.

All randomness comes from the given dice, and nothing is moved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import atan2, cos, hypot, pi, sin
from random import Random
from typing import TYPE_CHECKING

from envs.household.home.frames import inverse, spot, within
from envs.household.home.model import Pose
from envs.household.home.robot import Stance
from envs.household.home.things.turns import about
from envs.household.predicates import NEAR, REACH, centre, frame_of, gap, inside

if TYPE_CHECKING:
    from envs.household.home.simulation import Simulation
    from envs.render.scene import Vector

NEAREST, FARTHEST = 0.42, 1.0
"""The distance of the robot's centre from the box of its target."""
ABOVE = 0.006
"""The height above its support at which a thing is released."""
STRETCH = 0.2
"""How much further the arm reaches for placing than to the side of a thing."""
_EYE_HEIGHT = 1.36
_ASIDE = 0.6
"""The distance that the robot may step for an action that needs more room."""


def stances(sim: Simulation, target: str, dice: Random, tries: int) -> Iterator[Stance]:
    """Stances near the target where the robot fits, facing it; two of three at its front if it has one."""
    low, high = sim.box(target)
    fronted = _fronted(sim, target)
    for number in range(tries):
        x = dice.uniform(low[0] - FARTHEST, high[0] + FARTHEST)
        y = dice.uniform(low[1] - FARTHEST, high[1] + FARTHEST)
        far = gap(((x, y, 0.0), (x, y, 0.0)), (low, high))
        if not NEAREST <= far <= FARTHEST:
            continue
        if fronted and number % 3 and not _in_front(sim, fronted, (x, y, 0.0)):
            continue
        yield from fitting(sim, facing(sim, target, x, y))


def fitting(sim: Simulation, stance: Stance) -> Iterator[Stance]:
    """The stance if the robot fits there, perhaps with its head raised: the hand follows the gaze."""
    for raised in (0.0, 0.15, 0.3):
        tilted = replace(stance, tilt=stance.tilt - raised)
        if sim.robot_fits(tilted.x, tilted.y, tilted.yaw, tilted.tilt):
            yield tilted
            return


def facing(sim: Simulation, target: str, x: float, y: float) -> Stance:
    """The stance at a place, looking at the target's upper half, where things lie on it or in it."""
    low, high = sim.box(target)
    middle = centre((low, high))
    # Aim at the near part of a wide thing, because its far end may be out of the picture.
    near = (min(max(x, low[0]), high[0]), min(max(y, low[1]), high[1]))
    aim = ((middle[0] + near[0]) / 2.0, (middle[1] + near[1]) / 2.0)
    height = min(low[2] + 0.7 * (high[2] - low[2]), _EYE_HEIGHT)
    away = hypot(aim[0] - x, aim[1] - y)
    return Stance(x, y, atan2(aim[1] - y, aim[0] - x), atan2(_EYE_HEIGHT - height, away))


def steps_aside(sim: Simulation, target: str, dice: Random, tries: int) -> Iterator[Stance]:
    """The current stance, then others close to it from which the target is still near."""
    here = sim.stance
    yield here
    for _ in range(tries):
        angle, way = dice.uniform(-pi, pi), dice.uniform(0.1, _ASIDE)
        x, y = here.x + way * cos(angle), here.y + way * sin(angle)
        if gap(((x, y, 0.0), (x, y, 0.0)), sim.box(target, leaves=not sim.thing(target).cavities)) > REACH:
            continue
        yield from fitting(sim, facing(sim, target, x, y))


def steps_back(sim: Simulation, dice: Random, tries: int) -> Iterator[Stance]:
    """The current stance, if the robot fits there with the held thing; then others a step away."""
    here = sim.stance
    for number in range(tries):
        angle, way = here.yaw + pi + dice.gauss(0.0, 0.9), dice.uniform(0.05, _ASIDE) if number else 0.0
        x, y = here.x + way * cos(angle), here.y + way * sin(angle)
        if sim.robot_fits(x, y, here.yaw, here.tilt):
            yield Stance(x, y, here.yaw, here.tilt)


def on_surfaces(sim: Simulation, name: str, support: str, dice: Random, tries: int) -> Iterator[Pose]:
    """Free spots within reach on the support's surfaces, or on top of a movable."""
    thing, carrier = sim.thing(name), sim.thing(support)
    for _ in range(tries):
        turn = about("z", dice.uniform(-pi, pi))
        if carrier.movable:
            (x, y, _), (a, b, top) = sim.box(support)
            place = ((x + a) / 2.0, (y + b) / 2.0, top + ABOVE)
        elif not carrier.surfaces:
            return
        else:
            surface = dice.choice(carrier.surfaces)
            if thing.size[2] > surface.clearance:
                continue
            x, y = (_shrunk(whole, min(thing.size[:2]), dice) for whole in surface.size)
            place = spot(sim.pose(support), (surface.centre[0] + x, surface.centre[1] + y, surface.centre[2] + ABOVE))
        yield from _free(sim, name, Pose(place, turn))


def in_cavities(sim: Simulation, name: str, container: str, dice: Random, tries: int) -> Iterator[Pose]:
    """Free spots in the container's cavities, each as low as possible, perhaps on top of its content."""
    thing = sim.thing(name)
    cavities = sim.thing(container).cavities
    for _ in range(tries if cavities else 0):
        cavity, turn = dice.choice(cavities), dice.uniform(-pi, pi)
        frame = frame_of(sim, container, cavity)
        x, y = (_shrunk(whole, _across(thing.size), dice) for whole in cavity.size[:2])
        floor = cavity.centre[2] - cavity.size[2] / 2.0 + ABOVE
        for height in (0.0, 0.08, 0.16, 0.24, 0.32):
            if height + thing.size[2] / 2.0 > cavity.size[2]:
                break
            place = within(frame, Pose((cavity.centre[0] + x, cavity.centre[1] + y, floor + height), about("z", turn)))
            if any(True for _ in _free(sim, name, place)):
                yield place
                break


def beside(sim: Simulation, name: str, other: str, dice: Random, tries: int) -> Iterator[Pose]:
    """Free spots with a narrow gap to the other thing, at its height."""
    (x0, y0, floor), (x1, y1, _) = sim.box(other)
    half = _across(sim.thing(name).size) / 2.0
    for _ in range(tries):
        aside, along = half + dice.uniform(0.02, 0.6 * NEAR), dice.random()
        turn = about("z", dice.uniform(-pi, pi))
        side = dice.randrange(4)
        x = (x0 - aside, x1 + aside, x0 + along * (x1 - x0), x0 + along * (x1 - x0))[side]
        y = (y0 + along * (y1 - y0), y0 + along * (y1 - y0), y0 - aside, y1 + aside)[side]
        yield from _free(sim, name, Pose((x, y, max(floor, 0.0) + ABOVE), turn))


def on_floor(sim: Simulation, name: str, dice: Random, tries: int) -> Iterator[Pose]:
    """Free spots on the floor around the robot, most of them in front of it."""
    x, y, yaw = sim.robot()
    for _ in range(tries):
        angle, way = yaw + dice.gauss(0.0, 0.8), dice.uniform(0.38, 0.7)
        place = (x + way * cos(angle), y + way * sin(angle), ABOVE)
        if any(a <= place[0] <= c and b <= place[1] <= d for a, b, c, d in (room.corners for room in sim.home.rooms)):
            yield from _free(sim, name, Pose(place, about("z", dice.uniform(-pi, pi))))


def _free(sim: Simulation, name: str, pose: Pose) -> Iterator[Pose]:
    """The pose, if it is within reach and free; else None."""
    x, y, _ = sim.robot()
    if hypot(pose.position[0] - x, pose.position[1] - y) <= REACH + STRETCH and not sim.collides(name, pose):
        yield pose


def _shrunk(whole: float, taken: float, dice: Random) -> float:
    """A random offset from the centre at which a thing of some width stays inside."""
    half = max(whole - taken, 0.0) / 2.0
    return dice.uniform(-half, half)


def _across(size: Vector) -> float:
    """The largest horizontal extent of a thing."""
    return hypot(size[0], size[1])


def _fronted(sim: Simulation, target: str) -> str | None:
    """The thing whose front matters: the target if it has leaves, else its container."""
    if not sim.thing(target).movable:
        return target if sim.thing(target).leaves else None
    hosts = (placed.thing.name for placed in sim.home.placed if placed.thing.cavities)
    return next((host for host in hosts if inside(sim, target, host)), None)


def _in_front(sim: Simulation, thing: str, place: Vector) -> bool:
    """Whether a place is in the quarter in front of a thing's front, which faces -y."""
    x, y, _ = spot(inverse(sim.pose(thing)), place)
    return y < 0.0 and abs(x) <= sim.thing(thing).size[0] / 2.0 + 0.3

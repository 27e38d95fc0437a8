"""What actions do: each looks for an end state that its geometry allows, in a limited number of samples.

An action changes the home and returns None, or returns why it failed. Whether it may be attempted at all is decided
in `world.py`. Each action documents what a failure leaves behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from random import Random
from typing import TYPE_CHECKING

from envs.household import spots
from envs.household.predicates import OPEN, inside, nextto, ontop, reachable

if TYPE_CHECKING:
    from envs.household.home.model import Pose
    from envs.household.home.robot import Stance
    from envs.household.home.simulation import Simulation

STANDS = 240
"""Places tried for the robot to stand at; most of them are too near, too far or taken."""
LOOKS = 6
"""Places from which it looks whether it sees what it drove to."""
SPOTS = 8
"""Spots tried for a thing that is put down, wherever the robot stands."""
BESIDE = 4
"""The same for putting it beside something."""
ASIDE = 16
"""Places tried to step to, where there is no room for what is to be done."""
STEPS = 6
"""The same for putting something down."""

Spots = Callable[["Simulation", str, str, Random, int], "Iterator[Pose]"]
Action = Callable[["Simulation", tuple[str, ...], Random], str | None]


def navigate_to(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Stand near the target, see it and reach it. If that fails the robot stays where it is."""
    (target,) = args
    if sim.held == target:
        return f"{target} is in the hand"
    before, looks = sim.save(), 0
    for stance in spots.stances(sim, target, dice, STANDS):
        _stand(sim, stance)
        if reachable(sim, target):
            return None
        looks += 1
        if looks == LOOKS:
            break
    sim.restore(before)
    return f"no place to stand from which {target} can be seen" if looks else f"no place to stand near {target}"


def grasp(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Take a thing; the robot steps back where the hand has no room. If that fails the thing lies on the floor."""
    (name,) = args
    touching = sim.contacts()
    load = next((other for other in _movables(sim) if other != name and ontop(sim, other, name, touching)), None)
    if load is not None:
        _drop(sim, name, dice)
        return f"{load} lies on {name}"
    before = sim.save()
    sim.hold(name)
    stance = next(spots.steps_back(sim, dice, ASIDE), None)
    if stance is None:
        sim.restore(before)
        _drop(sim, name, dice)
        return f"no room to hold {name}"
    _stand(sim, stance)
    # What leaned on it or lay half on it comes to rest.
    sim.settle()
    return None


def place_on(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Put the held thing on a surface. If that fails it lies where it fell."""
    name, support = args
    if name == support or not _put(sim, args, spots.on_surfaces, dice, SPOTS):
        _drop(sim, name, dice)
        return f"no free spot on {support}"
    return None if ontop(sim, name, support, sim.contacts()) else f"{name} did not stay on {support}"


def place_next_to(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Put the held thing down beside another. If that fails it lies where it fell."""
    name, other = args
    if name == other or not _put(sim, args, spots.beside, dice, BESIDE):
        _drop(sim, name, dice)
        return f"no free spot beside {other}"
    return None if nextto(sim, name, other, sim.contacts()) else f"{name} did not stay beside {other}"


def place_inside(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Put the held thing into a container. If that fails it lies where it fell."""
    name, container = args
    if not _put(sim, args, spots.in_cavities, dice, SPOTS):
        _drop(sim, name, dice)
        return f"no free spot in {container}"
    return None if inside(sim, name, container) else f"{name} did not stay in {container}"


def open_container(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Open it as far as nothing is in the way, and look at what is in it; the robot steps aside for both.

    If it fails nothing changes.
    """
    fault = _swing(sim, args[0], (1.0, 0.8, 0.6), dice)
    if fault is None:
        _look_into(sim, args[0], dice)
    return fault


def close_container(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Shut it; the robot steps aside for that. If something is in the way nothing changes."""
    return _swing(sim, args[0], (0.0,), dice)


ACTIONS: Mapping[str, Action] = {
    "grasp": grasp,
    "place-on": place_on,
    "place-next-to": place_next_to,
    "place-inside": place_inside,
    "open-container": open_container,
    "close-container": close_container,
    "navigate-to": navigate_to,
}


def bungle(sim: Simulation, action: str, args: tuple[str, ...], dice: Random) -> str:
    """Fail by bad luck alone, and leave behind what that action's failures leave behind."""
    if action == "grasp" or action.startswith("place-"):
        _drop(sim, args[0], dice)
    return "bad luck"


def _swing(sim: Simulation, name: str, fractions: tuple[float, ...], dice: Random) -> str | None:
    wanted = fractions[0] >= OPEN
    if not sim.thing(name).leaves:
        return f"{name} has nothing to open or shut"
    before = sim.save()
    for stance in spots.steps_aside(sim, name, dice, ASIDE):
        _stand(sim, stance)
        fraction = next((fraction for fraction in fractions if not sim.blocked_leaf(name, fraction)), None)
        if fraction is None:
            continue
        sim.set_opening(name, fraction)
        if sim.robot_fits(stance.x, stance.y, stance.yaw, stance.tilt) and reachable(sim, name):
            return None
        sim.restore(before)
    sim.restore(before)
    return f"something keeps {name} from {'opening' if wanted else 'shutting'}"


def _look_into(sim: Simulation, container: str, dice: Random) -> None:
    """See as much as possible of what lies in something: by a turn of the head, or from a step aside."""
    contents = [name for name in _movables(sim) if inside(sim, name, container)]
    best, most = sim.save(), sum(reachable(sim, name) for name in contents)
    here = sim.stance
    turns = (spots.facing(sim, name, here.x, here.y) for name in contents)
    fitting = (stance for turn in turns for stance in spots.fitting(sim, turn))
    for stance in islice(chain(fitting, spots.steps_aside(sim, container, dice, ASIDE)), LOOKS):
        if most == len(contents):
            break
        _stand(sim, stance)
        seen = sum(reachable(sim, name) for name in contents)
        if seen > most and reachable(sim, container):
            best, most = sim.save(), seen
    sim.restore(best)


def _put(sim: Simulation, args: tuple[str, ...], free: Spots, dice: Random, tries: int) -> bool:
    """Put the held thing on the first free spot that the arm reaches; the robot steps up to it if it has to."""
    name, place = args
    before = sim.save()
    for stance in spots.steps_aside(sim, place, dice, STEPS):
        _stand(sim, stance)
        spot = next(free(sim, name, place, dice, tries), None)
        if spot is not None:
            sim.put(name, spot)
            sim.settle()
            return True
    sim.restore(before)
    return False


def _drop(sim: Simulation, name: str, dice: Random) -> None:
    """Let a thing slip: it lies on the floor before the robot, or falls from where it is."""
    sim.release()
    spot = next(spots.on_floor(sim, name, dice, SPOTS), None)
    if spot is not None:
        sim.put(name, spot)
    sim.settle()


def _stand(sim: Simulation, stance: Stance) -> None:
    sim.move_robot(stance.x, stance.y, stance.yaw, stance.tilt)


def _movables(sim: Simulation) -> tuple[str, ...]:
    return tuple(placed.thing.name for placed in sim.home.placed if placed.thing.movable)

"""The actions of the robot: each searches for a geometrically possible end state by sampling.

An action changes the home and returns None, or returns why it failed. Whether it is legal is decided
in `world.py`. Each action documents the state after a failure.
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
"""Candidate places for the robot to stand; most are too near, too far or occupied."""
LOOKS = 6
"""Places from which it checks whether the target is visible."""
SPOTS = 8
"""Candidate spots for putting down a thing."""
BESIDE = 4
"""Candidate spots beside another thing."""
ASIDE = 16
"""Candidate places to step to if an action needs more room."""
STEPS = 6
"""Candidate places to step to for putting something down."""

Spots = Callable[["Simulation", str, str, Random, int], "Iterator[Pose]"]
Action = Callable[["Simulation", tuple[str, ...], Random], str | None]


def navigate_to(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Drive to a place where the target is visible and in reach. On failure the robot stays where it is."""
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
    """Grasp a thing; the robot steps back if the hand has no room. On failure the thing lies on the floor."""
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
    # Things that leaned or lay on it settle.
    sim.settle()
    return None


def place_on(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Put the held thing on a surface. On failure it lies where it fell."""
    name, support = args
    if name == support or not _put(sim, args, spots.on_surfaces, dice, SPOTS):
        _drop(sim, name, dice)
        return f"no free spot on {support}"
    return None if ontop(sim, name, support, sim.contacts()) else f"{name} did not stay on {support}"


def place_next_to(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Put the held thing down beside another one. On failure it lies where it fell."""
    name, other = args
    if name == other or not _put(sim, args, spots.beside, dice, BESIDE):
        _drop(sim, name, dice)
        return f"no free spot beside {other}"
    return None if nextto(sim, name, other, sim.contacts()) else f"{name} did not stay beside {other}"


def place_inside(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Put the held thing into a container. On failure it lies where it fell."""
    name, container = args
    if not _put(sim, args, spots.in_cavities, dice, SPOTS):
        _drop(sim, name, dice)
        return f"no free spot in {container}"
    return None if inside(sim, name, container) else f"{name} did not stay in {container}"


def open_container(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Open a container as far as possible and look into it; the robot may step aside for both.

    On failure nothing changes.
    """
    fault = _swing(sim, args[0], (1.0, 0.8, 0.6), dice)
    if fault is None:
        _look_into(sim, args[0], dice)
    return fault


def close_container(sim: Simulation, args: tuple[str, ...], dice: Random) -> str | None:
    """Close a container; the robot may step aside. If something is in the way, nothing changes."""
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
    """Fail at random, with the same end state as other failures of the action."""
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
    """Turn the head or step aside to see as much of a container's content as possible."""
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
    """Put the held thing on the first free spot within reach; the robot steps closer if necessary."""
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
    """Drop a thing: on the floor in front of the robot, or from its current position."""
    sim.release()
    spot = next(spots.on_floor(sim, name, dice, SPOTS), None)
    if spot is not None:
        sim.put(name, spot)
    sim.settle()


def _stand(sim: Simulation, stance: Stance) -> None:
    sim.move_robot(stance.x, stance.y, stance.yaw, stance.tilt)


def _movables(sim: Simulation) -> tuple[str, ...]:
    return tuple(placed.thing.name for placed in sim.home.placed if placed.thing.movable)

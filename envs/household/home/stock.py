"""Places the needed movables and lets them settle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from envs.household.home import spots
from envs.household.home.draft import Draft, Need, NoRoom
from envs.household.home.model import Home, Placed, Pose, Thing
from envs.household.home.things import KINDS, make

if TYPE_CHECKING:
    from envs.household.home.simulation import Simulation

_SLIPPED = 0.06
"""A thing that settles further from its pose than this has fallen or rolled away."""
_ROUNDS = 3
"""Attempts with one arrangement of the furniture."""


def stocked(draft: Draft, name: str) -> Home:
    """The home of a draft with its movables at rest and the robot at a place where it fits."""
    # Imported here because MuJoCo is slow to import.
    from envs.household.home.simulation import Simulation

    needs = [need for need in draft.needs if KINDS[need.kind].movable]
    things = [make(need.kind, need.name, draft.seed, need.options) for need in needs]
    for need, thing in zip(needs, things, strict=True):
        for place, within in ((need.on, False), (need.inside, True)):
            if place is not None and not spots.fits(thing, draft.placed(place).thing, within=within):
                raise ValueError(f"{need.name} is too large to lie {'in' if within else 'on'} {place}")
    # Side by side far outside until they are placed.
    waiting = [Placed(thing, Pose((-100.0 - number, 0.0, 0.0))) for number, thing in enumerate(things)]
    home = Home(name, draft.rooms, draft.shell, (*draft.fixed, *waiting), (-100.0, 100.0, 0.0))
    simulation = Simulation(home)
    _settle(draft, simulation, needs)
    start = next((start for start in draft.starts() if simulation.robot_fits(*start)), None)
    if start is None:
        raise NoRoom("the robot has no room to start from")
    placed = tuple(
        replace(placed, pose=simulation.pose(placed.thing.name)) if placed.thing.movable else placed
        for placed in home.placed
    )
    return replace(home, placed=placed, start=start)


def _settle(draft: Draft, simulation: Simulation, needs: list[Need]) -> None:
    """Place all movables, with several attempts if necessary."""
    start = simulation.save()
    # Large things are the hardest to place.
    needs = sorted(needs, key=lambda need: -_area(simulation.thing(need.name)))
    for _ in range(_ROUNDS):
        simulation.restore(start)
        trouble = _put_down(draft, simulation, needs)
        if trouble is None:
            return
    raise NoRoom(trouble)


def _put_down(draft: Draft, simulation: Simulation, needs: list[Need]) -> str | None:
    """Place everything and let it settle; returns what went wrong, if anything."""
    for need in needs:
        thing = simulation.thing(need.name)
        pose = next((pose for pose in _poses(draft, need, thing) if not simulation.collides(thing.name, pose)), None)
        if pose is None:
            return f"no place is left for {need.name}"
        simulation.put(need.name, pose)
    before = {need.name: simulation.pose(need.name).position for need in needs}
    simulation.settle(3.0)
    for name, position in before.items():
        if max(abs(a - b) for a, b in zip(position, simulation.pose(name).position, strict=True)) > _SLIPPED:
            return f"{name} does not stay where it is put"
    return None


def _area(thing: Thing) -> float:
    return thing.size[0] * thing.size[1]


def _poses(draft: Draft, need: Need, thing: Thing) -> Iterator[Pose]:
    if need.on is not None:
        support = draft.placed(need.on)
        yield from spots.on(thing, support.thing, support.pose, draft.random)
    elif need.inside is not None:
        box = draft.placed(need.inside)
        yield from spots.inside(thing, box.thing, box.pose, box.opening, draft.random)
    else:
        yield from draft.floor_spots(thing, need.room)

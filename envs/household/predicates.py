"""The true facts of a home, computed from its geometry, never from the intended effects of actions.

docs/household.md describes these rules. Boxes are axis-aligned bounding boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import TYPE_CHECKING, TypeAlias

from envs.household.home.frames import inverse, opened, spot, within
from planners.formula import Atom, Objects, State

if TYPE_CHECKING:
    from envs.household.home.model import Cavity, Pose, Surface
    from envs.household.home.simulation import Simulation
    from envs.render.scene import Vector

Box: TypeAlias = "tuple[Vector, Vector]"
"""The lowest and the highest corner."""
Touching: TypeAlias = frozenset[tuple[str, str]]
"""Sorted pairs of names, as returned by `Simulation.contacts`."""

REACH = 1.1
"""The reach of the arm from the centre of the robot, on the floor plan."""
PIXELS = 72
"""The fewest pixels of a visible thing: in 480 x 480, a square of 8 or 9 pixels."""
OPEN = 0.3
"""The least opening of an open thing, from 0 (shut) to 1 (fully open)."""
NEAR = 0.15
"""The widest gap between things that are next to each other."""
SLACK = 0.03
"""The tolerance for resting things, which physics may sink, tilt or move over an edge."""


def visible(sim: Simulation, names: Iterator[str] | Objects) -> frozenset[str]:
    """The things that are visible in the robot's picture."""
    return frozenset(name for name, pixels in sim.pixels(*names).items() if pixels >= PIXELS)


def distance(sim: Simulation, name: str) -> float:
    """The distance from the robot's centre to the box of a thing, on the floor plan.

    Open leaves are part of the box of doors and windows, but not of containers.
    """
    x, y, _ = sim.robot()
    return gap(((x, y, 0.0), (x, y, 0.0)), sim.box(name, leaves=not sim.thing(name).cavities))


def reachable(sim: Simulation, name: str) -> bool:
    """Whether a thing is within reach of the arm and visible."""
    return distance(sim, name) <= REACH and sim.pixels(name)[name] >= PIXELS


def is_open(sim: Simulation, name: str) -> bool:
    """Whether its leaves are open far enough. A thing without leaves is always open."""
    return not sim.thing(name).leaves or sim.opening(name) >= OPEN


def inside(sim: Simulation, name: str, container: str) -> bool:
    """Whether the centre of the thing is in one of the container's cavities."""
    if name in (sim.held, container):
        return False
    middle = centre(sim.box(name))
    for cavity in sim.thing(container).cavities:
        offset = minus(spot(inverse(frame_of(sim, container, cavity)), middle), cavity.centre)
        if all(abs(value) <= size / 2.0 for value, size in zip(offset, cavity.size, strict=True)):
            return True
    return False


def ontop(sim: Simulation, name: str, support: str, touching: Touching) -> bool:
    """Whether the thing rests on the support and is not inside it."""
    return support_of(sim, name, touching) == support and not inside(sim, name, support)


def support_of(sim: Simulation, name: str, touching: Touching) -> str | None:
    """The single thing that a thing rests on; a movable takes precedence over the furniture below it."""
    touched = {other for pair in touching if name in pair for other in pair} - {name, sim.held, "robot", "shell"}
    on = [other for other in touched if name != sim.held and _rests(sim, name, other)]
    return min(on, key=lambda other: (not sim.thing(other).movable, other), default=None)


def _rests(sim: Simulation, name: str, support: str) -> bool:
    """Whether it stands on one of the support's surfaces or, if that is a movable, on its upper half."""
    low, high = sim.box(name)
    foot = ((low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0, low[2])
    if sim.thing(support).movable:
        bottom, top = sim.box(support)
        over = all(bottom[axis] <= foot[axis] <= top[axis] for axis in (0, 1))
        return over and foot[2] >= (bottom[2] + top[2]) / 2.0
    return any(_stands(foot, surface, sim.pose(support)) for surface in sim.thing(support).surfaces)


def _stands(foot: Vector, surface: Surface, frame: Pose) -> bool:
    x, y, z = minus(spot(inverse(frame), foot), surface.centre)
    width, depth = surface.size
    return abs(x) <= width / 2.0 + SLACK and abs(y) <= depth / 2.0 + SLACK and abs(z) <= SLACK


def nextto(sim: Simulation, name: str, other: str, touching: Touching) -> bool:
    """Whether it is inside the other; or in the same room, at the same height, with a narrow gap, neither on top."""
    if name == other or sim.held in (name, other):
        return False
    if inside(sim, name, other):
        return True
    one, two = sim.box(name), sim.box(other)
    level = one[0][2] <= two[1][2] and two[0][2] <= one[1][2]
    if not level or gap(one, two) > NEAR or _walled_off(sim, one, two) or ontop(sim, name, other, touching):
        return False
    return not (sim.thing(other).movable and ontop(sim, other, name, touching))


def _walled_off(sim: Simulation, one: Box, two: Box) -> bool:
    """Whether the centres of two boxes are in different rooms. A thing in a wall, such as a door, is in no room."""
    first, second = (_room(sim, centre(box)) for box in (one, two))
    return None not in (first, second) and first != second


def _room(sim: Simulation, place: Vector) -> str | None:
    for room in sim.home.rooms:
        x0, y0, x1, y1 = room.corners
        if x0 <= place[0] <= x1 and y0 <= place[1] <= y1:
            return room.name
    return None


def facts(sim: Simulation, objects: Objects) -> State:
    """All true atoms about the objects."""
    touching = sim.contacts()
    return frozenset(_facts(sim, objects, touching))


def _facts(sim: Simulation, objects: Objects, touching: Touching) -> Iterator[Atom]:
    containers = objects.of_type("container")
    if any(distance(sim, name) <= REACH for name in objects):
        # Count the pixels of everything at once: callers soon need what is in view, too.
        sim.pixels(*objects)
    yield from (Atom("reachable", (name,)) for name in objects if reachable(sim, name))
    yield from (Atom("open", (name,)) for name in containers if is_open(sim, name))
    for name in objects.of_type("movable"):
        if name == sim.held:
            yield Atom("holding", (name,))
            continue
        yield from (Atom("inside", (name, other)) for other in containers if inside(sim, name, other))
        for other in objects:
            if other != name and ontop(sim, name, other, touching):
                yield Atom("ontop", (name, other))
            if nextto(sim, name, other, touching):
                yield Atom("nextto", (name, other))


def frame_of(sim: Simulation, container: str, cavity: Cavity) -> Pose:
    """The frame of a cavity: that of its thing, moved with its drawer."""
    frame = sim.pose(container)
    leaf = next((leaf for leaf in sim.thing(container).leaves if leaf.name == cavity.leaf), None)
    return within(frame, opened(leaf, sim.opening(container))) if leaf else frame


def gap(one: Box, two: Box) -> float:
    """The distance of two boxes on the floor plan; 0 if they overlap there."""
    x, y = (max(two[0][axis] - one[1][axis], one[0][axis] - two[1][axis], 0.0) for axis in (0, 1))
    return hypot(x, y)


def centre(box: Box) -> Vector:
    """The centre of a box."""
    (a, b, c), (x, y, z) = box
    return ((a + x) / 2.0, (b + y) / 2.0, (c + z) / 2.0)


def minus(a: Vector, b: Vector) -> Vector:
    """The vector from b to a."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])

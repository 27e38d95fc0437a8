"""The robot's view of a home, as a scene for the renderer: only rooms that can be seen, lit by their lamps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import hypot
from random import Random

from envs.household.home import robot
from envs.household.home.frames import opened, within
from envs.household.home.kept import once
from envs.household.home.model import Home, Part, Placed, Pose, Room
from envs.household.home.physics import ROBOT, SHELL
from envs.household.home.robot import HEAD, Optics, Stance
from envs.household.home.sight import Sight
from envs.household.home.things.openings import WALL
from envs.household.home.things.parts import bounds
from envs.render.scene import Camera, Colour, Light, Scene, Sky, Solid

_IN_VIEW = ("base", "forearm", "hand")
"""The links that the robot can see of itself; the others would only cast shadows."""
_COARSE = 2
"""The stride, in both directions, of the pixels that are checked to see what is in view."""
_LAMP = 2.3
"""The height of the lamps."""
_LAMPS = 2
"""The most lamps that are on, because each one takes time."""
_TINTS: tuple[Colour, ...] = ((1.0, 1.0, 1.0), (1.0, 0.96, 0.90), (0.95, 0.98, 1.0))
SKY = Sky(above=(0.68, 0.69, 0.71), below=(0.60, 0.58, 0.55), reach=0.12)


@dataclass(frozen=True, slots=True)
class Body:
    """A robot in a picture: its stance, the links that are drawn, and whether its hand is closed."""

    name: str
    stance: Stance
    links: tuple[str, ...] = tuple(robot.PARTS)
    closed: bool = False


def own_body(stance: Stance, *, closed: bool) -> Body:
    """The parts of itself that a robot in a stance sees."""
    return Body(ROBOT, stance, _IN_VIEW, closed)


class Furniture:
    """The immovable parts of a home by room, and the visibility between rooms."""

    def __init__(self, home: Home) -> None:
        self.sight = Sight(home.rooms, home.placed)
        fixed = {placed.thing.name: placed for placed in home.placed if not placed.thing.movable}
        self.where = {name: touched(home.rooms, parts_of(placed)) for name, placed in fixed.items()}
        self._fixed = fixed
        self._shell = [(touched(home.rooms, [part]), part) for part in home.shell]
        self._bodies = cache(self._make_body)
        self._leaves = lru_cache(maxsize=256)(self._make_leaves)
        self.solids = lru_cache(maxsize=16)(self._make_solids)

    def _make_solids(self, rooms: tuple[str, ...], leaves: tuple[tuple[str, float], ...]) -> tuple[Solid, ...]:
        """All immovable solids in some rooms."""
        near = frozenset(rooms)
        solids = [*solids_of(SHELL, [part for where, part in self._shell if where & near], Pose(), moving=False)]
        for name, where in self.where.items():
            if where & near:
                solids += self._bodies(name)
        for name, opening in leaves:
            solids += self._leaves(name, opening)
        return tuple(solids)

    def _make_body(self, name: str) -> tuple[Solid, ...]:
        placed = self._fixed[name]
        return tuple(solids_of(name, placed.thing.parts, placed.pose, moving=False))

    def _make_leaves(self, name: str, opening: float) -> tuple[Solid, ...]:
        placed = self._fixed[name]
        return tuple(
            solid
            for leaf in placed.thing.leaves
            for solid in solids_of(name, leaf.parts, within(placed.pose, opened(leaf, opening)), moving=False)
        )


@once
def furniture(home: Home) -> Furniture:
    """The furniture of a home, cached."""
    return Furniture(home)


class Seer:
    """Makes scenes of one home."""

    def __init__(self, home: Home, seed: int, optics: Optics = HEAD) -> None:
        self._home, self._optics = home, optics
        self._things = {placed.thing.name: placed.thing for placed in home.placed}
        self._lamps = {room.name: _lamp(room, Random(f"{seed}/{room.name}")) for room in home.rooms}

    def scene(
        self, stance: Stance, poses: Mapping[str, Pose], openings: Mapping[str, float], held: str | None
    ) -> Scene:
        """The scene of a robot in a stance, with movables in these poses and leaves at these openings."""
        own = own_body(stance, closed=held is not None)
        return self.look(
            robot.camera(stance, self._optics), robot.field(stance, self._optics), poses, openings, held, (own,)
        )

    def look(
        self,
        camera: Camera,
        field: tuple[float, float],
        poses: Mapping[str, Pose],
        openings: Mapping[str, float],
        held: str | None,
        bodies: Iterable[Body],
    ) -> Scene:
        """The scene of any camera with a horizontal field of view, with these robots in the home."""
        x, y, _ = camera.position
        fixed = furniture(self._home)
        rooms = fixed.sight.rooms(x, y, field, openings)
        near = frozenset(rooms)
        leaves = tuple((name, opening) for name, opening in openings.items() if fixed.where[name] & near)
        solids = [*fixed.solids(rooms, leaves)]
        for name, pose in poses.items():
            if name == held or near.intersection(fixed.sight.at(pose.position[0], pose.position[1], WALL)):
                solids += solids_of(name, self._things[name].parts, pose, moving=True)
        for body in bodies:
            links = robot.links(body.stance)
            for link in body.links:
                parts = robot.CLOSED_HAND if link == "hand" and body.closed else robot.PARTS[link]
                solids += solids_of(body.name, parts, links[link], moving=True)
        return Scene(tuple(solids), camera, self.lights(x, y, rooms), SKY)

    def lights(self, x: float, y: float, rooms: tuple[str, ...]) -> tuple[Light, ...]:
        """The lamp of the room at a point, and that of the nearest other room in view."""
        here = furniture(self._home).sight.at(x, y)

        def distance(room: str) -> tuple[bool, float]:
            a, b, _ = self._lamps[room].position
            return room not in here, hypot(a - x, b - y)

        return tuple(self._lamps[room] for room in sorted(rooms, key=distance)[:_LAMPS])

    def count_all(self, scene: Scene) -> Mapping[str, int]:
        """The number of pixels of each visible thing in a picture."""
        from envs.render.ray import segment

        side = self._optics.size // _COARSE
        counts = segment(scene, side, side).counts()
        return {name: number * _COARSE**2 for name, number in counts.items() if number and name != SHELL}

    def count(self, scene: Scene, names: Collection[str]) -> Mapping[str, int]:
        """The number of pixels of some things in a picture; other parts of the picture are not traced."""
        from envs.render.ray import count

        side = self._optics.size // _COARSE
        counts = count(scene, names, side, side)
        return {name: number * _COARSE**2 for name, number in counts.items()}


def _lamp(room: Room, random: Random) -> Light:
    """A lamp near the centre of the ceiling."""
    x0, y0, x1, y1 = room.corners
    x, y = (round(a + (b - a) * random.uniform(0.38, 0.62), 3) for a, b in ((x0, x1), (y0, y1)))
    strength = round(random.uniform(0.58, 0.66), 3)
    return Light((x, y, _LAMP), 0.3, strength, random.choice(_TINTS), aim=(x, y, 0.0))


def parts_of(placed: Placed) -> Iterator[Part]:
    """The parts of a fixed thing in the home, with its leaves shut, half open and open."""
    for part in placed.thing.parts:
        yield _moved(part, placed.pose)
    for leaf in placed.thing.leaves:
        for opening in (0.0, 0.5, 1.0):
            for part in leaf.parts:
                yield _moved(part, within(placed.pose, opened(leaf, opening)))


def _moved(part: Part, frame: Pose) -> Part:
    return Part(part.shape, part.material, within(frame, part.pose))


def touched(rooms: tuple[Room, ...], parts: Iterator[Part] | list[Part]) -> frozenset[str]:
    """The rooms that parts are in; a room extends to the centre of its walls."""
    (x0, y0, _), (x1, y1, _) = bounds(parts)
    half = WALL / 2.0 - 0.001
    return frozenset(
        room.name
        for room in rooms
        if x0 < room.corners[2] + half
        and room.corners[0] - half < x1
        and y0 < room.corners[3] + half
        and room.corners[1] - half < y1
    )


def solids_of(name: str, parts: tuple[Part, ...] | list[Part], frame: Pose, *, moving: bool) -> Iterator[Solid]:
    """The visible parts as solids of a scene."""
    for part in parts:
        if part.seen:
            pose = within(frame, part.pose)
            x, y, z = (round(value, 6) for value in pose.position)
            yield Solid(name, part.shape, part.material, (x, y, z), pose.rotation, moving)

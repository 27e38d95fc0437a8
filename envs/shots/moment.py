"""A simulated situation: what is true in it, and what cameras see.

    moment = open_moment(situation)
    view = moment.view(head(stance))
    moment.sim.contacts(), moment.support_of("cup_1"), moment.room_of("cup_1"), view.spot("cup_1")

Do not change `moment.sim`: moments are cached and shared. To continue from one, open `situation.after(...)`.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from envs.household import predicates
from envs.household.home.frames import opened, within
from envs.household.home.physics import ROBOT
from envs.household.home.robot import Stance
from envs.household.home.view import Body, own_body
from envs.render.arrays import Floats
from envs.render.shapes import triangles
from envs.shots.cameras import Eye, field
from envs.shots.situation import Situation
from envs.shots.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from envs.household.home.model import Home, Part, Pose, Thing
    from envs.household.home.simulation import Simulation
    from envs.render.scene import Scene, Vector


@lru_cache(maxsize=4)
def open_moment(situation: Situation) -> Moment:
    """The moment of a situation; the last few are cached."""
    return Moment(situation)


class Moment:
    """A home after all actions of a situation."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.sim: Simulation = situation.simulate()
        self._views: dict[Eye, View] = {}
        self._boxes: dict[str, tuple[Vector, Vector]] = {}

    @property
    def home(self) -> Home:
        """The home before any action."""
        return self.sim.home

    def view(self, eye: Eye, threads: int = 2) -> View:
        """What a camera sees. For a camera in a robot's head, that robot is in the scene, with what it holds."""
        if eye not in self._views:
            if len(self._views) >= _KEPT:
                self._views.pop(next(iter(self._views)))
            self._views[eye] = View(eye, self.scene(eye), threads)
        return self._views[eye]

    def glance(self, eye: Eye, threads: int = 2) -> View:
        """The same without caching, since a view takes about 20 MB."""
        return self._views.get(eye) or View(eye, self.scene(eye), threads)

    def scene(self, eye: Eye) -> Scene:
        """The scene of a camera, for the renderer."""
        bodies = [Body(f"{ROBOT} {number}", Stance(*place)) for number, place in enumerate(self.situation.others, 2)]
        stance = eye.stance
        if stance is not None:
            bodies.append(own_body(stance, closed=self.sim.held is not None))
        return self.sim.look(eye.camera, field(eye.camera), bodies, stance)

    def thing(self, name: str) -> Thing:
        """The model of a thing."""
        return self.sim.thing(name)

    @cached_property
    def movables(self) -> tuple[str, ...]:
        """The movables that are in a room."""
        return tuple(
            placed.thing.name
            for placed in self.home.placed
            if placed.thing.movable and self.room_of(placed.thing.name) is not None
        )

    @cached_property
    def contacts(self) -> frozenset[tuple[str, str]]:
        """Pairs of names that touch, each sorted, with at least one movable."""
        return self.sim.contacts()

    def touches(self, one: str, other: str) -> bool:
        """Whether two things touch."""
        return (min(one, other), max(one, other)) in self.contacts

    def support_of(self, name: str) -> str | None:
        """What a movable rests on, a movable rather than the furniture below; None on the floor and in the hand."""
        return predicates.support_of(self.sim, name, self.contacts)

    def inside(self, name: str) -> str | None:
        """The container a movable is in."""
        hosts = (placed.thing.name for placed in self.home.placed if placed.thing.cavities)
        return next((host for host in hosts if predicates.inside(self.sim, name, host)), None)

    def on_floor(self, name: str) -> bool:
        """Whether a movable is directly on the floor."""
        return name in self.movables and self.sim.box(name)[0][2] < 0.01 and name != self.sim.held

    def opening(self, name: str) -> float:
        """How far a thing is open, from 0 to 1; 0 if it has no leaves."""
        return self.sim.opening(name) if self.thing(name).leaves else 0.0

    @property
    def held(self) -> str | None:
        """The thing in the robot's hand."""
        return self.sim.held

    def room_of(self, name: str) -> str | None:
        """The room that the middle of a thing is in; None in a wall or outside."""
        (a, b, _), (x, y, _) = self.sim.box(name)
        return self.room_at((a + x) / 2.0, (b + y) / 2.0)

    def room_at(self, x: float, y: float) -> str | None:
        """The room at a point of the floor plan."""
        inside = (
            room.name
            for room in self.home.rooms
            if room.corners[0] <= x <= room.corners[2] and room.corners[1] <= y <= room.corners[3]
        )
        return next(inside, None)

    def points(self, name: str) -> Floats:
        """The vertices of all triangles of a thing in their current position: coordinates, points."""
        return np.concatenate([_corners(part, frame) for part, frame in self._drawn(name)], axis=1)

    def box(self, name: str) -> tuple[Vector, Vector]:
        """The exact axis-aligned bounding box of a thing, with its leaves as they are."""
        if name not in self._boxes:
            points = self.points(name)
            (a, b, c), (x, y, z) = np.round(points.min(axis=1), 6).tolist(), np.round(points.max(axis=1), 6).tolist()
            self._boxes[name] = (a, b, c), (x, y, z)
        return self._boxes[name]

    def middle(self, name: str) -> Vector:
        """The middle of that box."""
        return predicates.centre(self.box(name))

    def _drawn(self, name: str) -> Iterator[tuple[Part, Pose]]:
        thing, frame = self.thing(name), self.sim.pose(name)
        for part in thing.parts:
            if part.seen:
                yield part, frame
        for leaf in thing.leaves:
            moved = within(frame, opened(leaf, self.opening(name)))
            for part in leaf.parts:
                if part.seen:
                    yield part, moved


_KEPT = 12
"""Cached views of a moment, about 4 MB each."""


def _corners(part: Part, frame: Pose) -> Floats:
    pose = within(frame, part.pose)
    points, _ = triangles(part.shape)
    local = points.reshape(-1, 3)
    turn = pose.rotation
    rows = [
        local[:, 0] * turn[3 * k] + local[:, 1] * turn[3 * k + 1] + local[:, 2] * turn[3 * k + 2] + pose.position[k]
        for k in range(3)
    ]
    return np.stack(rows)

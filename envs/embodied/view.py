"""The view of a scene from an eye: the picture, and the things that are visible in it.

Pictures are drawn by the household's renderer with another lens. For rules and for planning, visibility is computed by
rays to points on the surfaces of things. That is a thousand times cheaper than a picture, and it does not depend on the
direction of view, so that all headings of a point share one computation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from math import atan2, cos, pi, radians, sin, tan
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from envs.embodied.model import Scene
from envs.household.home.frames import opened, within
from envs.household.home.model import Pose, Thing
from envs.household.home.physics import SHELL
from envs.household.home.robot import CLOSED_HAND, WRIST, Optics, camera_at, in_hand
from envs.household.home.sight import Sight
from envs.household.home.things.openings import WALL
from envs.household.home.things.parts import rod
from envs.household.home.things.turns import about, after
from envs.household.home.view import SKY, Seer, parts_of, solids_of, touched
from envs.render.arrays import Bools, Floats, Singles
from envs.render.scene import Material, Plain, Solid, Vector
from envs.render.scene import Scene as Drawn

if TYPE_CHECKING:
    from envs.render.trace import Geometry

OPTICS = Optics(radians(90.0), 448)
"""448 x 448 pixels with a field of view of 90 degrees, horizontally and vertically."""
EYE = 1.45
"""The height of the camera above the floor."""
PITCH = radians(30.0)
"""The angle of looking up or down."""
_HALF = tan(OPTICS.field / 2.0)
_PIXELS = (OPTICS.size / (2.0 * _HALF)) ** 2
"""The number of pixels of a square metre seen from one metre in front of it."""
_SAMPLES = 72
_SHORT = 0.012
"""The distance before its target at which a ray ends."""
_SLEEVE = Material(Plain((0.90, 0.91, 0.92)), gloss=0.15)
_ARM = (*CLOSED_HAND, rod(_SLEEVE, 0.034, (-0.03, 0.0, 0.0), (-0.42, -0.10, -0.22), solid=False))

Moved: TypeAlias = Mapping[str, Pose | None]
"""The poses of things that have moved since the start; None for the held one."""


@dataclass(frozen=True, slots=True)
class Eye:
    """A camera above a point: the direction it looks in, and how far up."""

    x: float
    y: float
    yaw: float
    pitch: float = 0.0

    @property
    def frame(self) -> Pose:
        """Its frame: x ahead, z up."""
        return Pose((self.x, self.y, EYE), after(about("z", self.yaw), about("y", -self.pitch)))

    def sees(self, ways: Floats) -> Floats:
        """The pixels per steradian in some directions, given as rows of three; 0 outside the picture."""
        c, s = cos(self.yaw), sin(self.yaw)
        flat = ways[:, 0] * c + ways[:, 1] * s
        across = ways[:, 1] * c - ways[:, 0] * s
        ahead = flat * cos(self.pitch) + ways[:, 2] * sin(self.pitch)
        up = ways[:, 2] * cos(self.pitch) - flat * sin(self.pitch)
        inside = (ahead > 0.05) & (np.abs(across) < ahead * _HALF) & (np.abs(up) < ahead * _HALF)
        length = np.sqrt((ways * ways).sum(axis=1))
        share: Floats = np.where(inside, _PIXELS * (length / np.maximum(ahead, 0.05)) ** 3, 0.0)
        return share


@dataclass(frozen=True, slots=True)
class Moment:
    """What can differ between two pictures of a scene from one eye: open leaves, states, and moved things."""

    openings: tuple[tuple[str, float], ...] = ()
    states: tuple[tuple[str, str], ...] = ()
    moved: tuple[tuple[str, Pose | None], ...] = ()


START = Moment()
"""The moment at which nothing has changed."""


class Viewer:
    """Draws one scene and computes what is visible in it."""

    def __init__(self, scene: Scene, seed: int = 0) -> None:
        self.scene = scene
        self._seer = Seer(scene.home, seed, OPTICS)
        self._sight = Sight(scene.home.rooms, scene.home.placed)
        self._shell = [(touched(scene.home.rooms, [part]), part) for part in scene.home.shell]
        self._where = {name: touched(scene.home.rooms, parts_of(placed)) for name, placed in scene.placed.items()}
        self._openings = {name: placed.opening for name, placed in scene.placed.items() if placed.thing.leaves}
        self._body = cache(self._make_body)
        self._leaves = lru_cache(maxsize=256)(self._make_leaves)
        self._still = lru_cache(maxsize=8)(self._make_still)
        self._blockers = lru_cache(maxsize=8)(self._make_blockers)
        self._fixed_geometry: Geometry | None = None
        self._samples = cache(self._make_samples)
        self.shown = lru_cache(maxsize=65536)(self._shown)

    def openings(self, moment: Moment) -> dict[str, float]:
        """The opening of everything with leaves."""
        return {**self._openings, **dict(moment.openings)}

    def thing(self, name: str, moment: Moment = START) -> Thing:
        """A thing as it looks in its state."""
        variants = self.scene.variants.get(name)
        if variants is None:
            return self.scene.placed[name].thing
        return variants[dict(moment.states).get(name, self.scene.states[name])]

    def pose(self, name: str, moment: Moment = START) -> Pose | None:
        """The pose of a thing; None for the held one."""
        moved = dict(moment.moved)
        return moved[name] if name in moved else self.scene.placed[name].pose

    def _make_body(self, name: str, state: str) -> tuple[Solid, ...]:
        placed = self.scene.placed[name]
        thing = self.scene.variants[name][state] if state else placed.thing
        return tuple(solids_of(name, thing.parts, placed.pose, moving=False))

    def _make_leaves(self, name: str, opening: float) -> tuple[Solid, ...]:
        placed = self.scene.placed[name]
        return tuple(
            solid
            for leaf in placed.thing.leaves
            for solid in solids_of(name, leaf.parts, within(placed.pose, opened(leaf, opening)), moving=False)
        )

    def _make_still(self, rooms: tuple[str, ...], moment: Moment) -> tuple[Solid, ...]:
        """Everything fixed in some rooms."""
        near, gone, states = frozenset(rooms), dict(moment.moved), {**self.scene.states, **dict(moment.states)}
        solids = [*solids_of(SHELL, [part for where, part in self._shell if where & near], Pose(), moving=False)]
        for name, where in self._where.items():
            if where & near and name not in gone:
                solids += self._body(name, states.get(name, ""))
        for name, opening in self.openings(moment).items():
            if self._where[name] & near:
                solids += self._leaves(name, opening)
        return tuple(solids)

    def drawn(self, eye: Eye, moment: Moment = START) -> Drawn:
        """The scene for the renderer."""
        across = atan2(_HALF, max(cos(eye.pitch) - _HALF * abs(sin(eye.pitch)), 0.2))
        openings = self.openings(moment)
        rooms = self._sight.rooms(eye.x, eye.y, (eye.yaw - across, eye.yaw + across), openings)
        solids = [*self._still(rooms, moment)]
        frame = eye.frame
        for name, pose in moment.moved:
            parts = self.thing(name, moment).parts
            if pose is None:
                solids += solids_of(name, parts, within(frame, in_hand(self.thing(name), OPTICS)), moving=True)
                solids += solids_of("hand", _ARM, within(frame, Pose(WRIST)), moving=True)
            elif set(rooms).intersection(self._sight.at(pose.position[0], pose.position[1], WALL)):
                solids += solids_of(name, parts, pose, moving=True)
        return Drawn(tuple(solids), camera_at(frame, OPTICS), self._seer.lights(eye.x, eye.y, rooms), SKY)

    def png(self, eye: Eye, moment: Moment = START) -> bytes:
        """The picture as a PNG file."""
        from envs.render.png import png
        from envs.render.ray import snapshot

        return png(snapshot(self.drawn(eye, moment), OPTICS.size, OPTICS.size).rgb)

    def counts(self, eye: Eye, moment: Moment = START) -> dict[str, int]:
        """The exact number of pixels of the picture that show each thing."""
        from envs.render.ray import segment

        return segment(self.drawn(eye, moment), OPTICS.size, OPTICS.size).counts()

    def alone(self, eye: Eye, name: str, moment: Moment = START) -> int:
        """The number of pixels that would show a thing in its place if there were nothing else."""
        from envs.render.ray import segment

        drawn = self.drawn(eye, moment)
        own = tuple(solid for solid in drawn.solids if solid.name == name)
        return segment(replace(drawn, solids=own), OPTICS.size, OPTICS.size).counts().get(name, 0)

    def _make_blockers(self, openings: tuple[tuple[str, float], ...], gone: frozenset[str]) -> Geometry:
        """Everything that can hide things: fixed things once, then leaves and movables."""
        from envs.render.trace import Geometry

        movables = {name for name, placed in self.scene.placed.items() if placed.thing.movable}
        states = self.scene.states
        if self._fixed_geometry is None:
            fixed = [*solids_of(SHELL, self.scene.home.shell, Pose(), moving=False)]
            for name in self._where.keys() - movables:
                fixed += self._body(name, states.get(name, ""))
            self._fixed_geometry = Geometry(tuple(enumerate(fixed)))
        loose: list[Solid] = []
        for name in sorted(movables - gone):
            loose += self._body(name, states.get(name, ""))
        for name, opening in {**self._openings, **dict(openings)}.items():
            loose += self._leaves(name, opening)
        return Geometry.joined((self._fixed_geometry, Geometry(tuple(enumerate(loose)))))

    def _make_samples(self, name: str, state: str, opening: float) -> tuple[Floats, Floats]:
        """Points on a thing in its own frame, and the normals there, as long as the area that each stands for."""
        placed = self.scene.placed[name]
        thing = self.scene.variants[name][state] if state else placed.thing
        solids = [*solids_of(name, thing.parts, Pose(), moving=False)]
        for leaf in thing.leaves if thing.kind != "doorway" else ():
            solids += solids_of(name, leaf.parts, opened(leaf, opening), moving=False)
        return sampled(solids, f"{name} {self.scene.name}")

    def _shown(self, x: float, y: float, name: str, moment: Moment) -> tuple[Floats, Floats]:
        """The unhidden samples of a thing, seen from above a point: their directions, and the steradians of each."""
        pose = self.pose(name, moment)
        if pose is None:
            return np.zeros((0, 3)), np.zeros(0)
        state = dict(moment.states).get(name, self.scene.states.get(name, ""))
        opening = dict(moment.openings).get(name, self._openings.get(name, 0.0))
        points, normals = self._samples(name, state, opening)
        turn = np.array(pose.rotation).reshape(3, 3)
        ways = (points[:, None, :] * turn[None]).sum(axis=2) + np.array(pose.position) - np.array((x, y, EYE))
        normals = (normals[:, None, :] * turn[None]).sum(axis=2)
        facing = -(ways * normals).sum(axis=1)
        ways, facing = ways[facing > 0.0], facing[facing > 0.0]
        length = np.sqrt((ways * ways).sum(axis=1))
        free = self.free((x, y, EYE), ways, moment)
        return ways[free], (facing / length**3)[free]

    def free(self, eye: Vector, ways: Floats, moment: Moment) -> Bools:
        """Whether the ways to the ends of some directions are free, except for the last centimetre."""
        length = np.sqrt((ways * ways).sum(axis=1, keepdims=True))
        rays: Singles = (ways * (1.0 - _SHORT / np.maximum(length, 0.05))).astype(np.float32)
        origin = np.broadcast_to(np.array(eye, dtype=np.float32), rays.shape)
        blockers = self._blockers(moment.openings, frozenset(name for name, _ in moment.moved))
        found: Bools = ~blockers.blocked(np.ascontiguousarray(origin), rays)
        return found

    def pixels(self, eye: Eye, name: str, moment: Moment = START) -> float:
        """The estimated number of pixels of the picture that show a thing."""
        ways, sizes = self.shown(eye.x, eye.y, name, moment)
        return float((eye.sees(ways) * sizes).sum()) if len(ways) else 0.0

    def share(self, eye: Eye, name: str, moment: Moment = START) -> float:
        """The share of a thing's visible part, over all directions from here, that is in the picture."""
        ways, sizes = self.shown(eye.x, eye.y, name, moment)
        total = float(sizes.sum())
        return float(sizes[eye.sees(ways) > 0.0].sum()) / total if total else 0.0

    def clear(self, eye: Eye, point: Vector, moment: Moment = START) -> bool:
        """Whether a point is in the picture and nothing hides it."""
        way = np.array([point]) - np.array((eye.x, eye.y, EYE))
        return bool(eye.sees(way)[0] > 0.0) and bool(self.free((eye.x, eye.y, EYE), way, moment)[0])


def sampled(solids: list[Solid], seed: str) -> tuple[Floats, Floats]:
    """Points spread evenly over the surface of solids, and normals as long as the area that each point stands for."""
    from random import Random

    from envs.render.shapes import placed

    corners = placed(solids, np.zeros(len(solids)))[0] if solids else np.zeros((0, 3, 3))
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2.0
    areas = np.sqrt((sides * sides).sum(axis=1))
    total = float(areas.sum())
    if not total:
        return np.zeros((0, 3)), np.zeros((0, 3))
    dice = Random(seed)
    marks = (np.arange(_SAMPLES) + np.array([dice.random() for _ in range(_SAMPLES)])) * (total / _SAMPLES)
    which = np.minimum(np.searchsorted(np.cumsum(areas), marks), len(areas) - 1)
    u, v = (np.array([dice.random() for _ in range(_SAMPLES)])[:, None] for _ in range(2))
    over = (u + v) > 1.0
    u, v = np.where(over, 1.0 - u, u), np.where(over, 1.0 - v, v)
    triangle = corners[which]
    points = triangle[:, 0] + u * (triangle[:, 1] - triangle[:, 0]) + v * (triangle[:, 2] - triangle[:, 0])
    normals = sides[which] / areas[which][:, None] * (total / _SAMPLES)
    return points, normals


def facing(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The direction from one point on the floor plan to another."""
    return atan2(b[1] - a[1], b[0] - a[0]) % (2.0 * pi)

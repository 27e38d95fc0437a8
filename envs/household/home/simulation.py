"""The simulation of a home: physics of movables by MuJoCo, leaves that open, and a robot that can be put anywhere.

It is deterministic: the same home and the same calls give the same floats.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np

from envs.household.home import robot
from envs.household.home.frames import inverse, opened, quaternion, rotation, spot, within
from envs.household.home.model import Cavity, Home, Leaf, Placed, Pose, Thing
from envs.household.home.physics import ROBOT, Physics, Piece
from envs.household.home.robot import HEAD, Optics, Stance
from envs.household.home.touch import Touch
from envs.household.home.view import Body, Seer
from envs.render.arrays import Bools
from envs.render.scene import Camera, Scene, Vector
from planners.names import unknown

TOUCH = 0.003
"""Things closer than this touch each other."""
OVERLAP = 0.002
"""The depth from which an overlap of soft shapes counts as a collision."""
SHUT = 0.01
"""A thing that is open less than this counts as shut."""
_ARM = ("upper arm", "forearm", "hand")
"""Links of the robot that may touch leaves."""
_SWEEP = 0.06
"""The step between openings at which a moving leaf is checked."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The complete state of a home at one moment."""

    coordinates: bytes
    openings: tuple[tuple[str, float], ...]
    stance: Stance
    held: str | None


class Simulation:
    """A home with its robot. The seed varies the light in its rooms; `optics` are those of the robot's head."""

    def __init__(self, home: Home, seed: int = 0, optics: Optics = HEAD) -> None:
        self.home = home
        self._optics = optics
        self.held: str | None = None
        self._placed: dict[str, Placed] = {placed.thing.name: placed for placed in home.placed}
        self._openings = {name: placed.opening for name, placed in self._placed.items() if placed.thing.leaves}
        self._stance = Stance(*home.start)
        self._physics = Physics(home)
        self._touch = Touch(self._physics)
        self._seer = Seer(home, seed, optics)
        self._scene: Scene | None = None
        self._seen: Mapping[str, int] | None = None
        self._pixels: dict[str, int] = {}
        self._boxes: dict[tuple[str, bool], tuple[Vector, Vector]] = {}
        self._owners: Mapping[str, int] = {name: number for number, name in enumerate(self._physics.names)}
        self._movables = [name for name, placed in self._placed.items() if placed.thing.movable]
        for name in self._openings:
            self._set_leaves(name)
        self._refresh()

    def thing(self, name: str) -> Thing:
        """The model of a thing."""
        return self._at_start(name).thing

    def _at_start(self, name: str) -> Placed:
        if name not in self._placed:
            raise unknown("thing", name, self._placed)
        return self._placed[name]

    def _movable(self, name: str) -> Piece:
        if not self._at_start(name).thing.movable:
            raise ValueError(f"{name} cannot be moved. Movables: {', '.join(self._movables)}")
        return self._physics.pieces[name, ""]

    def _carried(self, name: str, stance: Stance) -> Pose:
        return robot.carried(self.thing(name), stance, self._optics)

    def _refresh(self) -> None:
        if self.held is not None:
            self._write(self._movable(self.held), self._carried(self.held, self._stance))
        data = self._physics.data
        for link, pose in robot.links(self._stance).items():
            number = self._physics.pieces[ROBOT, link].mocap
            data.mocap_pos[number], data.mocap_quat[number] = pose.position, quaternion(pose.rotation)
        self._physics.refresh()
        self._touch.refresh()
        self._scene = self._seen = None
        self._pixels.clear()
        self._boxes.clear()

    def pose(self, name: str) -> Pose:
        """The pose of a thing, rounded to the millionth."""
        placed = self._at_start(name)
        if not placed.thing.movable:
            return placed.pose
        at = self._movable(name).at
        x, y, z, *turn = self._physics.data.qpos[at : at + 7].tolist()
        return Pose((round(x, 6), round(y, 6), round(z, 6)), rotation((turn[0], turn[1], turn[2], turn[3])))

    def put(self, name: str, pose: Pose) -> None:
        """Set the pose of a movable, at rest. Nothing is checked: it may hang in the air or overlap other things."""
        if name == self.held:
            self.release()
        self._write(self._movable(name), pose)
        self._refresh()

    def _write(self, piece: Piece, pose: Pose) -> None:
        values = [*pose.position, *quaternion(pose.rotation)]
        self._physics.data.qpos[piece.at : piece.at + 7] = np.round(values, 6)

    def box(self, name: str, *, leaves: bool = False) -> tuple[Vector, Vector]:
        """The axis-aligned bounding box of a thing, with or without its leaves."""
        if (name, leaves) not in self._boxes:
            self._boxes[name, leaves] = self._box(name, leaves)
        return self._boxes[name, leaves]

    def _box(self, name: str, leaves: bool) -> tuple[Vector, Vector]:
        thing = self.thing(name)
        pieces = [self._physics.pieces[name, ""]]
        if leaves or not pieces[0].geoms.size:
            pieces += [self._physics.pieces[name, leaf.name] for leaf in thing.leaves]
        geoms = np.concatenate([piece.geoms for piece in pieces])
        low, high = self._touch.low[geoms].min(axis=0), self._touch.high[geoms].max(axis=0)
        (a, b, c), (x, y, z) = np.round(low, 6).tolist(), np.round(high, 6).tolist()
        return (a, b, c), (x, y, z)

    def opening(self, name: str) -> float:
        """How far a thing is open, from 0 to 1. All of its leaves move together."""
        self._at_start(name)
        if name not in self._openings:
            raise ValueError(f"{name} has no leaves to open. Those that have: {', '.join(self._openings)}")
        return self._openings[name]

    def set_opening(self, name: str, fraction: float) -> None:
        """Set how far a thing is open. The content of its drawers moves along."""
        if not 0.0 <= fraction <= 1.0:
            raise ValueError(f"{name} cannot be {fraction} open: from 0 (shut) to 1")
        before = self.opening(name)
        for leaf in self.thing(name).leaves:
            for content in self._contents(name, leaf):
                self._write(self._movable(content), self._carried_along(name, leaf, before, fraction, content))
        self._openings[name] = round(fraction, 6)
        self._set_leaves(name)
        self._refresh()

    def _set_leaves(self, name: str) -> None:
        for leaf in self.thing(name).leaves:
            self._physics.data.qpos[self._physics.pieces[name, leaf.name].at] = leaf.travel * self._openings[name]

    def _carried_along(self, name: str, leaf: Leaf, before: float, after: float, content: str) -> Pose:
        frame = self._at_start(name).pose
        there = within(frame, within(opened(leaf, after), inverse(opened(leaf, before))))
        return within(there, within(inverse(frame), self.pose(content)))

    def _contents(self, name: str, leaf: Leaf | None) -> list[str]:
        """The movables in a thing's cavities that move with `leaf`; without a leaf, in its fixed cavities."""
        cavities = [cavity for cavity in self.thing(name).cavities if cavity.leaf == (leaf.name if leaf else None)]
        frame = self._at_start(name).pose
        back = inverse(within(frame, opened(leaf, self.opening(name))) if leaf else frame)
        return [
            content
            for content in self._movables
            if content != self.held and any(_holds(cavity, spot(back, self._middle(content))) for cavity in cavities)
        ]

    def _middle(self, name: str) -> Vector:
        (a, b, c), (x, y, z) = self.box(name)
        return (a + x) / 2.0, (b + y) / 2.0, (c + z) / 2.0

    def _hidden(self) -> set[str]:
        """The movables in shut things, which cannot be seen."""
        shut = [name for name, opening in self._openings.items() if opening < SHUT and self.thing(name).cavities]
        return {
            content
            for name in shut
            for leaf in (None, *self.thing(name).leaves)
            for content in self._contents(name, leaf)
        }

    def blocked_leaf(self, name: str, fraction: float) -> bool:
        """Whether a leaf would hit the robot, a movable or other furniture on the way to an opening.

        The arm that moves the leaf is ignored; check its room afterwards with `robot_fits`.
        """
        start, thing, frame = self.opening(name), self.thing(name), self._at_start(name).pose
        steps = max(1, round(abs(fraction - start) / _SWEEP))
        for leaf in thing.leaves:
            piece, along = self._physics.pieces[name, leaf.name], self._contents(name, leaf)
            others = self._others(name, *along)
            others[np.concatenate([self._physics.pieces[ROBOT, link].geoms for link in _ARM])] = False
            for step in range(1, steps + 1):
                opening = start + (fraction - start) * step / steps
                moved = [(piece, within(frame, opened(leaf, opening)))]
                moved += [
                    (self._movable(thing), self._carried_along(name, leaf, start, opening, thing)) for thing in along
                ]
                if self._hit(moved, others):
                    return True
        return False

    def settle(self, seconds: float = 1.0) -> None:
        """Simulate until everything is at rest, or until the time is over."""
        loose = [self._movable(name) for name in self._movables if name != self.held]
        self._physics.settle(seconds, loose, None if self.held is None else self._movable(self.held))
        self._refresh()

    def contacts(self) -> frozenset[tuple[str, str]]:
        """Sorted pairs of names of things that touch, with at least one movable each."""
        names, owner = self._physics.names, self._physics.owner
        found = set()
        for name in self._movables:
            for _, other in self._touch.hits(self._movable(name).geoms, self._others(name), TOUCH):
                first, second = sorted((name, names[owner[other]]))
                found.add((first, second))
        return frozenset(found)

    def collides(self, name: str, pose: Pose, *, ignore: Collection[str] = ()) -> bool:
        """Whether a movable would overlap other things at a pose, except ignored ones."""
        return self._hit([(self._movable(name), pose)], self._others(name, *ignore))

    def _others(self, *names: str) -> Bools:
        """The shapes of all other pieces."""
        excluded = [self._owners[name] for name in names if name in self._owners]
        others: Bools = ~np.isin(self._physics.owner, excluded)
        return others

    def _hit(self, pieces: list[tuple[Piece, Pose]], others: Bools) -> bool:
        with ExitStack() as stack:
            for piece, pose in pieces:
                stack.enter_context(self._touch.at(piece, pose))
            return any(any(self._touch.hits(piece.geoms, others, -OVERLAP)) for piece, _ in pieces)

    def robot(self) -> tuple[float, float, float]:
        """The place of the robot and the direction it faces."""
        return self._stance.x, self._stance.y, self._stance.yaw

    @property
    def stance(self) -> Stance:
        """The place of the robot with the tilt of its head."""
        return self._stance

    def robot_fits(self, x: float, y: float, yaw: float, tilt: float | None = None) -> bool:
        """Whether the robot fits at a place, with its arm and the held thing."""
        if not any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in (room.corners for room in self.home.rooms)):
            return False
        stance = robot.standing(x, y, yaw, self._stance.tilt if tilt is None else tilt)
        pieces = [(self._physics.pieces[ROBOT, link], pose) for link, pose in robot.links(stance).items()]
        if self.held is not None:
            pieces.append((self._movable(self.held), self._carried(self.held, stance)))
        return not self._hit(pieces, self._others(ROBOT, *((self.held,) if self.held else ())))

    def move_robot(self, x: float, y: float, yaw: float, tilt: float = 0.35) -> None:
        """Move the robot with the held thing. Nothing is checked; see `robot_fits`."""
        self._stance = robot.standing(x, y, yaw, tilt)
        self._refresh()

    def hold(self, name: str) -> None:
        """Put a movable into the hand, wherever it is."""
        self._movable(name)
        if self.held not in (None, name):
            raise ValueError(f"the hand cannot hold {name}: it holds {self.held}")
        self.held = name
        self._refresh()

    def release(self) -> None:
        """Open the hand. The thing stays in the air until it is moved or `settle` is called."""
        self.held = None
        self._refresh()

    def save(self) -> Snapshot:
        """A snapshot of the current state."""
        return Snapshot(self._physics.data.qpos.tobytes(), tuple(self._openings.items()), self._stance, self.held)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot of this home exactly."""
        self._physics.data.qpos[:] = np.frombuffer(snapshot.coordinates)
        self._openings = dict(snapshot.openings)
        self._stance, self.held = snapshot.stance, snapshot.held
        self._refresh()

    def scene(self) -> Scene:
        """The scene from the robot's head. All solids of a thing have its name."""
        if self._scene is None:
            hidden = self._hidden()
            poses = {name: self.pose(name) for name in self._movables if name not in hidden}
            self._scene = self._seer.scene(self._stance, poses, self._openings, self.held)
        return self._scene

    def look(
        self, camera: Camera, field: tuple[float, float], bodies: Collection[Body] = (), stance: Stance | None = None
    ) -> Scene:
        """The scene of any camera with a horizontal field of view, with these robots in the picture.

        With a stance, the held thing is drawn as if the robot stood there. Nothing is moved.
        """
        hidden = self._hidden()
        poses = {name: self.pose(name) for name in self._movables if name not in hidden}
        if self.held is not None and stance is not None:
            poses[self.held] = self._carried(self.held, stance)
        return self._seer.look(camera, field, poses, self._openings, self.held, bodies)

    def seen(self) -> Mapping[str, int]:
        """The number of pixels of each visible thing in the robot's picture."""
        if self._seen is None:
            self._seen = self._seer.count_all(self.scene())
        return self._seen

    def pixels(self, *names: str) -> dict[str, int]:
        """The number of pixels of some things, 0 if not in view. Faster than `seen`."""
        if self._seen is not None:
            return {name: self._seen.get(name, 0) for name in names}
        new = [name for name in names if name not in self._pixels]
        if new:
            self._pixels.update(self._seer.count(self.scene(), new))
        return {name: self._pixels[name] for name in names}


def _holds(cavity: Cavity, point: Vector) -> bool:
    return all(abs(p - c) <= s / 2.0 for p, c, s in zip(point, cavity.centre, cavity.size, strict=True))

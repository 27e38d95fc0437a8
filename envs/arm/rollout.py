"""An arm at a table while it acts: its pose, what it holds, what it has moved, and the recorded moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, pi, sin

import numpy as np

from envs.arm.arms import matrix_of
from envs.arm.inverse import solve
from envs.arm.pictures import pose_of
from envs.arm.recipes import Moment, Moved
from envs.arm.scenes import Table
from envs.arm.states import State, wrapped
from envs.household.home.frames import inverse, quaternion, within
from envs.household.home.model import Pose
from envs.household.home.simulation import Simulation

SETTLE = 2.0
"""The time in which released things come to rest, in seconds."""
_ABOVE = 0.09
"""The height above a place at which a gripper approaches and leaves."""
_STAYED = 0.008
"""A thing that moves less than this was not disturbed."""


class Impossible(Exception):
    """A skill that cannot be carried out here; the message says why."""


@dataclass(frozen=True, slots=True)
class Skill:
    """An instruction: a verb with a thing and, for some verbs, a place."""

    verb: str
    thing: str
    place: str = ""
    detail: str = ""
    """How: "in", "on" or "next to" a place; "away" from the base or "towards" it."""
    direction: float = 0.0
    """On which side next to a place, in radians."""


class Rollout:
    """A table on which skills are carried out. `frames` is the number of moments to keep between waypoints."""

    def __init__(self, table: Table, *, frames: int = 0, rest: Sequence[float] | None = None) -> None:
        self.table, self.frames = table, frames
        self.sim = Simulation(table.home)
        self.start = {placed.thing.name: placed for placed in table.home.placed}
        self.joints = tuple(rest or table.arm.rest)
        self.opening, self.held = 1.0, ""
        self.home_joints = self.joints
        self.grip = Pose()
        self.moments: list[tuple[Moment, str]] = [(self.moment(), "start")]

    def reset(self) -> None:
        """Bring the arm back to where it started, with nothing in its gripper."""
        self.joints, self.opening, self.held = self.home_joints, 1.0, ""

    def moment(self) -> Moment:
        """The arm now, and everything that has moved since the scene was made."""
        moved = []
        for name, placed in self.start.items():
            if placed.thing.leaves:
                if abs(self.sim.opening(name) - placed.opening) > 1e-6:
                    moved.append(Moved(name, opening=self.sim.opening(name)))
            elif placed.thing.movable:
                pose = self.sim.pose(name)
                if _apart(pose, placed.pose):
                    x, y, z, w = (round(value, 6) for value in quaternion(pose.rotation))
                    moved.append(Moved(name, pose.position, (x, y, z, w)))
        return Moment(self.joints, self.table.arm.state(self.joints, round(self.opening, 3)), tuple(moved), self.held)

    def retreat(self) -> None:
        """Move up and back to the start."""
        tip = self.table.arm.state(self.joints, self.opening)
        self.go(tip._replace(z=min(tip.z + _ABOVE, 0.3)), "retreat")
        self._joints_to(self.home_joints, "retreat")

    def _joints_to(self, joints: Sequence[float], tag: str) -> None:
        first = np.array(self.joints)
        for step in range(1, self.frames + 2):
            share = step / (self.frames + 1)
            mixed = first + (np.array(joints) - first) * share
            self.joints = tuple(round(float(value), 6) for value in mixed)
            self.keep(tag)

    def go(self, goal: State, tag: str, along: Callable[[float], None] | None = None) -> None:
        """Move the gripper to a state in a straight line. `along` is called with the share that is done."""
        first = self.table.arm.state(self.joints, self.opening)
        for step in range(1, self.frames + 2):
            share = step / (self.frames + 1)
            mixed = [a + (b - a) * share for a, b in zip(first, goal, strict=True)]
            mixed[3:6] = [wrapped(a + wrapped(b - a) * share) for a, b in zip(first[3:6], goal[3:6], strict=True)]
            joints = solve(self.table.arm, matrix_of(State(*mixed)), self.joints)
            if joints is None:
                joints = solve(self.table.arm, matrix_of(State(*mixed)), self.table.arm.rest)
            if joints is None:
                raise Impossible(f"out of reach: {tag}")
            self.joints, self.opening = joints, mixed[6]
            if along is not None:
                along(share)
            self.keep(tag)

    def keep(self, tag: str) -> None:
        """Move the held thing with the gripper, and keep the moment if moments are recorded."""
        if self.held:
            self.sim.put(self.held, within(self._tip(), self.grip))
        if self.frames or tag in ("retreat", "released"):
            self.moments.append((self.moment(), tag))

    def _tip(self) -> Pose:
        return pose_of(self.table.arm.tip(self.joints))

    def finger(self, opening: float, tag: str) -> None:
        """Open or close the gripper where it is."""
        self.go(self.table.arm.state(self.joints, opening)._replace(opening=opening), tag)

    def grasp(self, name: str) -> None:
        """Close the gripper round a thing and hold it."""
        width = self.table.kinds[name].width
        low, high = self.table.arm.spread
        self.finger(round(min(max((width / 2 - low) / (high - low), 0.0), 1.0), 3), "grasp")
        self.held, self.grip = name, within(inverse(self._tip()), self.sim.pose(name))

    def release(self) -> None:
        """Open the gripper and let the released thing settle; `Impossible` if another thing moves."""
        name, self.held = self.held, ""
        others = {other: self.sim.pose(other) for other in self.movables() if other != name}
        self.sim.settle(SETTLE)
        for other, pose in others.items():
            if _far(pose, self.sim.pose(other)) > _STAYED:
                raise Impossible(f"{other} was disturbed")
            self.sim.put(other, pose)
        self.finger(1.0, "released")

    def movables(self) -> list[str]:
        """Everything that can be moved."""
        return [name for name, placed in self.start.items() if placed.thing.movable]

    def above(self, name: str) -> State:
        """The state of a gripper at a thing: pointing down, with its fingers across the narrow side."""
        pose, kind = self.sim.pose(name), self.table.kinds[name]
        x, y, z = pose.position
        width, depth, _ = self.table.thing(name).size
        yaw = atan2(pose.rotation[3], pose.rotation[0]) + (0.0 if width >= depth else pi / 2)
        if kind.rim:
            # Grasped at the rim nearest to the base, with one finger inside.
            way = atan2(y, x)
            x, y, yaw = x - kind.rim * cos(way), y - kind.rim * sin(way), way + pi / 2
        turn = degrees(yaw)
        turn = (turn + 90.0) % 180.0 - 90.0
        return State(round(x, 6), round(y, 6), round(z + kind.grip, 6), 0.0, 0.0, turn, 1.0)


def _apart(pose: Pose, other: Pose) -> bool:
    turn = max(abs(a - b) for a, b in zip(pose.rotation, other.rotation, strict=True))
    return _far(pose, other) > 1e-4 or turn > 1e-3


def _far(pose: Pose, other: Pose) -> float:
    return max(abs(a - b) for a, b in zip(pose.position, other.position, strict=True))

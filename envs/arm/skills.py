"""What arms do: pick, put, take out, push, stack, open, close, turn, flip, fold; each as approach, act, retreat.

What is held moves with the gripper; what is released falls and settles in MuJoCo. Three skills are simplified and
their frames carry a tag: what is pushed moves with the finger tips, what is flipped turns between them, and a
cloth is exchanged for its folded shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, pi, radians, sin

import numpy as np

from envs.arm.arms import matrix_of
from envs.arm.inverse import solve
from envs.arm.pictures import pose_of
from envs.arm.recipes import Moment, Moved
from envs.arm.scenes import INSIDE, Table
from envs.arm.states import State, wrapped
from envs.household.home.frames import inverse, opened, quaternion, spot, within
from envs.household.home.model import Pose
from envs.household.home.simulation import Simulation
from envs.household.home.things.turns import about, after
from envs.render.scene import Vector
from planners.names import unknown

SETTLE = 2.0
"""Seconds that released things get to come to rest."""
_ABOVE = 0.09
"""How high above a place a gripper comes and goes."""
_PUSHED = 0.11
_STAYED = 0.008
"""What moves less was not disturbed."""


class Impossible(Exception):
    """A skill that cannot be carried out here; the message says why."""


@dataclass(frozen=True, slots=True)
class Skill:
    """Something to do: a verb with the thing it is about and, where there is one, a place."""

    verb: str
    thing: str
    place: str = ""
    detail: str = ""
    """How: "in", "on" or "next to" a place; "away" from the base or "towards" it."""
    direction: float = 0.0
    """On which side next to a place, in radians."""


class Rollout:
    """A table on which skills are carried out. With `frames`, moments between waypoints are kept, too."""

    def __init__(self, table: Table, *, frames: int = 0, rest: Sequence[float] | None = None) -> None:
        self.table, self._frames = table, frames
        self.sim = Simulation(table.home)
        self.start = {placed.thing.name: placed for placed in table.home.placed}
        self.joints = tuple(rest or table.arm.rest)
        self.opening, self.held = 1.0, ""
        self.home_joints = self.joints
        self._grip = Pose()
        self.moments: list[tuple[Moment, str]] = [(self.moment(), "start")]

    def reset(self) -> None:
        """Bring the arm back to where it started, with nothing in its gripper."""
        self.joints, self.opening, self.held = self.home_joints, 1.0, ""

    def place_inside(self, thing: str, place: str) -> None:
        """Let a thing fall into a place, without the arm: part of a start."""
        x, y, z = self.sim.pose(place).position
        self.sim.put(thing, Pose((x, y, round(z + 0.02, 6)), self.sim.pose(thing).rotation))
        self.sim.settle(SETTLE)
        if not _stands(self, Skill("put", thing, place, "in")):
            raise Impossible(f"{thing} is not in {place}")

    def moment(self) -> Moment:
        """The arm now, and everything that is not where it was when the scene was made."""
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

    def do(self, skill: Skill) -> None:
        """Carry a skill out and bring the arm back."""
        if skill.verb not in SKILLS:
            raise unknown("skill", skill.verb, SKILLS)
        SKILLS[skill.verb](self, skill)

    def retreat(self) -> None:
        """Go up and back to where the arm started."""
        tip = self.table.arm.state(self.joints, self.opening)
        self.go(tip._replace(z=min(tip.z + _ABOVE, 0.3)), "retreat")
        self._joints_to(self.home_joints, "retreat")

    def _joints_to(self, joints: Sequence[float], tag: str) -> None:
        first = np.array(self.joints)
        for step in range(1, self._frames + 2):
            share = step / (self._frames + 1)
            mixed = first + (np.array(joints) - first) * share
            self.joints = tuple(round(float(value), 6) for value in mixed)
            self._keep(tag)

    def go(self, goal: State, tag: str, along: Callable[[float], None] | None = None) -> None:
        """Bring the gripper to a state on a straight way. `along` is called with the part that is done."""
        first = self.table.arm.state(self.joints, self.opening)
        for step in range(1, self._frames + 2):
            share = step / (self._frames + 1)
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
            self._keep(tag)

    def _keep(self, tag: str) -> None:
        if self.held:
            self.sim.put(self.held, within(self._tip(), self._grip))
        if self._frames or tag in ("retreat", "released"):
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
        self.held, self._grip = name, within(inverse(self._tip()), self.sim.pose(name))

    def release(self) -> None:
        """Open the gripper and let what it held settle, and nothing else move."""
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
        """The gripper at a thing, pointing down, its fingers across the narrow side."""
        pose, kind = self.sim.pose(name), self.table.kinds[name]
        x, y, z = pose.position
        width, depth, _ = self.table.thing(name).size
        yaw = atan2(pose.rotation[3], pose.rotation[0]) + (0.0 if width >= depth else pi / 2)
        if kind.rim:
            # At the rim that is nearest to the base, fingers inside and outside.
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


def _pick(run: Rollout, skill: Skill) -> None:
    at = run.above(skill.thing)
    run.go(at._replace(z=at.z + _ABOVE), "approach")
    run.go(at, "approach")
    run.grasp(skill.thing)
    run.go(run.table.arm.state(run.joints, run.opening)._replace(z=round(at.z + _ABOVE + 0.02, 6)), "lift")


def _put(run: Rollout, skill: Skill) -> None:
    pose = run.sim.pose(skill.thing)
    goal = _goal(run, skill)
    _pick(run, Skill("pick", skill.thing))
    tip = run.table.arm.state(run.joints, run.opening)
    x, y = tip.x + goal[0] - pose.position[0], tip.y + goal[1] - pose.position[1]
    low = tip.z + goal[2] - run.sim.pose(skill.thing).position[2]
    run.go(tip._replace(x=x, y=y, z=max(low + 0.06, tip.z)), "carry")
    run.go(tip._replace(x=x, y=y, z=low), "lower")
    run.release()
    if not _stands(run, skill):
        raise Impossible(f"{skill.thing} is not {skill.detail} {skill.place}")
    run.retreat()


def _goal(run: Rollout, skill: Skill) -> Vector:
    """Where the thing is released."""
    place, thing = run.table.thing(skill.place), run.table.thing(skill.thing)
    x, y, z = run.sim.pose(skill.place).position
    if skill.detail == "next to":
        radius = max(place.size[:2]) / 2 + max(thing.size[:2]) / 2 + 0.02
        return x + radius * cos(skill.direction), y + radius * sin(skill.direction), 0.002
    if place.surfaces and run.table.kinds[skill.place].kind == "stove":
        spots = [spot(run.sim.pose(skill.place), surface.centre) for surface in place.surfaces]
        x, y, z = min(spots, key=lambda point: hypot(point[0], point[1]))
        return x, y, z + 0.003
    if run.table.kinds[skill.place].kind in INSIDE:
        return x, y, z + max(place.size[2] * 0.45, 0.02)
    return x, y, z + place.size[2] + 0.003


def _stands(run: Rollout, skill: Skill) -> bool:
    """Whether the thing is where it was to be put."""
    place = run.table.thing(skill.place)
    (x, y, z), (a, b, c) = run.sim.pose(skill.thing).position, run.sim.pose(skill.place).position
    low, _ = run.sim.box(skill.thing)
    aside = hypot(x - a, y - b)
    if skill.detail == "next to":
        size = run.table.thing(skill.thing).size
        return aside < max(place.size[:2]) / 2 + max(size[:2]) / 2 + 0.06 and abs(z) < 0.03 and low[2] > -0.004
    inner = min(place.size[:2]) / 2
    return aside < inner * 0.75 and low[2] > c + 0.002 and low[2] < c + place.size[2] + 0.01


def _take_out(run: Rollout, skill: Skill) -> None:
    _put(run, Skill("put", skill.thing, skill.place, "next to", skill.direction))


def _push(run: Rollout, skill: Skill) -> None:
    x, y, _ = run.sim.pose(skill.thing).position
    sign = 1.0 if skill.detail == "away" else -1.0
    radius = max(run.table.thing(skill.thing).size[:2]) / 2 + 0.03
    low = State(x - sign * radius, y, 0.03, 0.0, 0.0, 0.0, 0.0)
    run.go(low._replace(z=0.14), "approach")
    run.go(low, "approach")
    pose = run.sim.pose(skill.thing)
    goal = Pose((round(x + sign * _PUSHED, 6), y, pose.position[2]), pose.rotation)
    if run.sim.collides(skill.thing, Pose((goal.position[0], y, 0.003), pose.rotation)):
        raise Impossible("no room to push")
    gap = radius - max(run.table.thing(skill.thing).size[:2]) / 2 - 0.012

    def along(share: float) -> None:
        way = max(share * (_PUSHED + gap) - gap, 0.0)
        run.sim.put(skill.thing, Pose((round(x + sign * way, 6), y, pose.position[2]), pose.rotation))

    run.go(low._replace(x=low.x + sign * (_PUSHED + gap)), "push", along)
    run.retreat()


def _handle(run: Rollout, name: str, opening: float) -> State:
    """The gripper at the handle of a drawer or tap, or at a knob, when that is open so far."""
    placed = run.start[name]
    leaf = placed.thing.leaves[0]
    frame = within(placed.pose, opened(leaf, opening))
    if leaf.kind == "slide":
        bar = leaf.parts[-1].pose.position
        x, y, z = spot(frame, bar)
        return State(x, y, z + 0.004, 0.0, 0.0, 90.0, 0.4)
    x, y, z = spot(frame, leaf.parts[-1].pose.position)
    turn = degrees(atan2(frame.rotation[3], frame.rotation[0]))
    return State(x, y, z + 0.008, 0.0, 0.0, (turn + 90.0 + 90.0) % 180.0 - 90.0, 0.3)


def _open(run: Rollout, skill: Skill) -> None:
    _leaf(run, skill.thing, 1.0)


def _close(run: Rollout, skill: Skill) -> None:
    _leaf(run, skill.thing, 0.0)


def _turn(run: Rollout, skill: Skill) -> None:
    _leaf(run, skill.thing, 1.0 if run.sim.opening(skill.thing) < 0.5 else 0.0)


def _leaf(run: Rollout, name: str, goal: float) -> None:
    before = run.sim.opening(name)
    first = _handle(run, name, before)
    run.go(first._replace(z=first.z + 0.07, opening=1.0), "approach")
    run.go(first._replace(opening=1.0), "approach")
    run.finger(first.opening, "grasp")
    last = _handle(run, name, goal)

    def along(share: float) -> None:
        run.sim.set_opening(name, before + (goal - before) * share)

    run.go(last, "act", along)
    run.finger(1.0, "released")
    run.retreat()


def _flip(run: Rollout, skill: Skill) -> None:
    """Pick, turn over between the fingers, put down at the same spot."""
    pose = run.sim.pose(skill.thing)
    x, y, _ = pose.position
    height = run.table.thing(skill.thing).size[2]
    _pick(run, skill)
    held, tip = run.sim.pose(skill.thing), run.table.arm.state(run.joints, run.opening)
    grip = run._grip
    middle = Pose((0.0, 0.0, height / 2))
    for step in range(1, run._frames + 2):
        turn = about("x", round(pi * step / (run._frames + 1), 6))
        flipped = within(within(middle, Pose(rotation=turn)), inverse(middle))
        run._grip = within(grip, flipped)
        run._keep("flip")
    low = tip.z - held.position[2] + pose.position[2] + 0.004
    run.go(tip._replace(z=low), "lower")
    run.release()
    after_turn = run.sim.pose(skill.thing)
    if after_turn.rotation[8] > -0.9 or hypot(after_turn.position[0] - x, after_turn.position[1] - y) > 0.05:
        raise Impossible("did not stay upside down")
    run.retreat()


def _fold(run: Rollout, skill: Skill) -> None:
    """Pinch an edge of a cloth, carry it over, and exchange the cloth for its folded shape."""
    name, folded = skill.thing, f"folded_{skill.thing}"
    pose = run.sim.pose(name)
    _, wide, _ = run.table.thing(name).size
    yaw = degrees(atan2(pose.rotation[3], pose.rotation[0]))

    def over(side: float, height: float) -> State:
        x, y, _ = spot(pose, (0.0, side * wide / 2 * 0.9, 0.0))
        return State(x, y, height, 0.0, 0.0, (yaw + 90.0) % 180.0 - 90.0, 0.2)

    run.go(over(1.0, 0.09), "approach")
    run.go(over(1.0, 0.012), "approach")
    run.finger(0.0, "grasp")
    run.go(over(0.0, 0.07), "fold")
    run.go(over(-1.0, 0.03), "fold")
    half = spot(pose, (0.0, -wide / 4, 0.001))
    run.sim.put(folded, Pose(half, after(about("z", radians(yaw)), about("z", 0.0))))
    run.sim.put(name, run.start[folded].pose)
    run.finger(1.0, "released")
    run.retreat()


SKILLS: Mapping[str, Callable[[Rollout, Skill], None]] = {
    "pick": _pick,
    "put": _put,
    "stack": _put,
    "take out": _take_out,
    "push": _push,
    "open": _open,
    "close": _close,
    "turn": _turn,
    "flip": _flip,
    "fold": _fold,
}
"""Skills by their verbs."""

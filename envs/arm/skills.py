"""The skills of arms: pick, put, take out, push, stack, open, close, turn, flip, fold; each approaches, acts, retreats.

What is held moves with the gripper; what is released falls and settles in MuJoCo. Three skills are simplified and
their frames carry a tag: what is pushed moves with the finger tips, what is flipped turns between them, and a
cloth is exchanged for its folded shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import atan2, cos, degrees, hypot, pi, radians, sin

from envs.arm.rollout import SETTLE, Impossible, Rollout, Skill
from envs.arm.scenes import INSIDE
from envs.arm.states import State
from envs.household.home.frames import inverse, opened, spot, within
from envs.household.home.model import Pose
from envs.household.home.things.turns import about, after
from envs.render.scene import Vector
from planners.names import unknown

_ABOVE = 0.09
"""The height above a place at which a gripper approaches and leaves."""
_PUSHED = 0.11
"""The distance that things are pushed."""


def do(run: Rollout, skill: Skill) -> None:
    """Carry a skill out and bring the arm back."""
    if skill.verb not in SKILLS:
        raise unknown("skill", skill.verb, SKILLS)
    SKILLS[skill.verb](run, skill)


def place_inside(run: Rollout, thing: str, place: str) -> None:
    """Let a thing fall into a place without the arm, to prepare a start."""
    x, y, z = run.sim.pose(place).position
    run.sim.put(thing, Pose((x, y, round(z + 0.02, 6)), run.sim.pose(thing).rotation))
    run.sim.settle(SETTLE)
    if not _stands(run, Skill("put", thing, place, "in")):
        raise Impossible(f"{thing} is not in {place}")


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
    """The point at which the thing is released."""
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
    """The state of a gripper at the handle of a drawer or tap, or at a knob, at an opening of it."""
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
    grip = run.grip
    middle = Pose((0.0, 0.0, height / 2))
    for step in range(1, run.frames + 2):
        turn = about("x", round(pi * step / (run.frames + 1), 6))
        flipped = within(within(middle, Pose(rotation=turn)), inverse(middle))
        run.grip = within(grip, flipped)
        run.keep("flip")
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

"""Sets of four motions of a gripper from one start: two binary factors, all four built before a truth is drawn.

Nothing here knows which of the four will be the truth, and the four play equal parts in every rule. So neither the
words of the options nor the options' pictures alone can tell them apart better than chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import hypot
from random import Random
from typing import TypeAlias

from envs.arm.arms import ARM_OF, Arm, arm_named, matrix_of
from envs.arm.inverse import solve
from envs.arm.labels import DIMENSIONS, SELECTION, named, selected, unclear
from envs.arm.recipes import Factor, Moment
from envs.arm.scenes import REACH
from envs.arm.states import State, motion_between

Bits: TypeAlias = tuple[int, int]
CELLS: tuple[Bits, ...] = ((0, 0), (0, 1), (1, 0), (1, 1))

_STEEPEST = 48.0
"""The largest roll and pitch of a gripper, in degrees."""
_NOISE = 0.1
"""The noise on dimensions that should not change, in thresholds."""
_SHORT = (2, 0)
"""Dimensions along which there is seldom room for a whole threshold both ways: up and down, ahead and back."""
_STARTS = 40
"""The number of starts that are tried for one plan."""
_TURNS = (3, 4, 5)
_OFTEN = (0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6)
"""The weights by which dimensions are chosen: translations are refused more often than turns."""


@dataclass(frozen=True, slots=True)
class MotionSet:
    """A start and four motions, one for each cell of the two factors."""

    before: Moment
    factors: tuple[Factor, Factor]
    after: tuple[Moment, ...]
    dimensions: tuple[int, ...] = ()


class Refused(Exception):
    """A draft that does not pass a gate; the message is the gate's name."""


def draft(source: str, level: str, random: Random, arm: str = "") -> MotionSet:
    """A set that passes all gates that need no picture; `Refused` names the gate that it did not pass."""
    plan = (_mid if level == "mid" else _low)(random)
    start, goals = _fitting(source, plan, random)
    mover = arm_named(arm or ARM_OF[source])
    moments = [_moment(mover, start, mover.rest)]
    moments += [_moment(mover, goal, moments[0].joints) for goal in goals]
    made = MotionSet(moments[0], plan.factors, tuple(moments[1:]), plan.dimensions)
    motions = [motion_between(made.before.state, moment.state) for moment in made.after]
    if not all(selected(motion, source) for motion in motions):
        raise Refused("too little motion")
    if level == "mid" and any(named(m, source) != plan.dimensions or unclear(m, source) for m in motions):
        raise Refused("unclear dimension")
    return made


@dataclass(frozen=True, slots=True)
class _Plan:
    factors: tuple[Factor, Factor]
    shares: Callable[[Bits], Sequence[float]]
    dimensions: tuple[int, ...] = ()


def _fitting(source: str, plan: _Plan, random: Random) -> tuple[State, list[State]]:
    """A start from which all four motions stay where the gripper works."""
    for _ in range(_STARTS):
        start = _start(source, random)
        with suppress(Refused):
            return start, [_moved(source, start, plan.shares(bits)) for bits in CELLS]
    raise Refused("out of reach")


def _start(source: str, random: Random) -> State:
    reach = REACH[source]
    x, y = random.uniform(reach.near, reach.far), random.uniform(-1.0, 1.0) * reach.side
    z = random.uniform(reach.low, reach.high)
    roll, pitch = random.uniform(-14.0, 14.0), random.uniform(-14.0, 14.0)
    return State(x, y, z, roll, pitch, random.uniform(-30.0, 30.0), random.choice((0.03, 0.3, 0.5, 0.5, 0.7, 0.97)))


def _size(dimension: int, random: Random) -> float:
    """The change of a dimension, in thresholds."""
    if dimension == 6:
        return random.uniform(1.3, 3.4)
    return random.uniform(1.06, 2.1) if dimension in _TURNS else random.uniform(1.06, 1.7)


def _choose(random: Random, count: int) -> list[int]:
    chosen: list[int] = []
    while len(chosen) < count:
        dimension = random.choice(_OFTEN)
        if dimension not in chosen:
            chosen.append(dimension)
    return chosen


def _noise(random: Random) -> list[float]:
    return [random.choice((-1.0, 1.0)) * random.uniform(0.01, _NOISE) for _ in range(7)]


def _mid(random: Random) -> _Plan:
    chosen = _choose(random, random.choice((2, 3, 3)))
    short = [dimension for dimension in chosen if dimension in _SHORT]
    if short and len(chosen) == 2:
        chosen = [*chosen, random.choice([dimension for dimension in (3, 4, 5) if dimension not in chosen])]
    base = _noise(random)
    for dimension in chosen:
        base[dimension] = _size(dimension, random) * random.choice((-1.0, 1.0))
    if len(chosen) == 3:
        # The selection needs two dimensions that change enough; the third is only named.
        third = short[0] if short else chosen[2]
        base[third] = random.uniform(0.56, 1.0) * (1.0 if base[third] > 0.0 else -1.0)
    first, second = chosen[:2]

    def shares(bits: Bits) -> list[float]:
        made = list(base)
        for dimension, bit in zip((first, second), bits, strict=True):
            made[dimension] = -abs(base[dimension]) if bit else abs(base[dimension])
        return made

    factors = Factor("sign", (DIMENSIONS[first],)), Factor("sign", (DIMENSIONS[second],))
    return _Plan(factors, shares, tuple(sorted(chosen)))


_KINDS = (
    ("opposite", "opposite"),
    ("opposite", "opposite"),
    ("opposite", "absent"),
    ("opposite", "absent"),
    ("opposite", "exchanged"),
    ("absent", "exchanged"),
    ("absent", "absent"),
)


def _low(random: Random) -> _Plan:
    kinds = random.choice(_KINDS)
    absent = kinds.count("absent")
    needed = [2 if kind == "exchanged" else 1 for kind in kinds]
    # Two dimensions must change enough in every cell, even where others are absent.
    lasting = sum(count for kind, count in zip(kinds, needed, strict=True) if kind != "absent")
    chosen = _choose(random, sum(needed) + max(2 - lasting, 0) + (random.random() < 0.25 and absent < 2))
    if "exchanged" in kinds:
        chosen = _paired(chosen, needed[0] if kinds[1] == "exchanged" else 0, random)
    base = _noise(random)
    for dimension in chosen:
        base[dimension] = _size(dimension, random) * random.choice((-1.0, 1.0))
    mine = [chosen[: needed[0]], chosen[needed[0] : sum(needed)]]
    for kind, dimensions in zip(kinds, mine, strict=True):
        if kind == "exchanged":
            _set_apart(base, dimensions, random)
    quiet = _noise(random)

    def shares(bits: Bits) -> list[float]:
        made = list(base)
        for kind, dimensions, bit in zip(kinds, mine, bits, strict=True):
            one = dimensions[0]
            if kind == "opposite":
                made[one] = -abs(base[one]) if bit else abs(base[one])
            elif kind == "absent" and bit:
                made[one] = quiet[one]
            elif kind == "exchanged" and bit:
                made[one], made[dimensions[1]] = base[dimensions[1]], base[one]
        return made

    factors = [Factor(kind, tuple(DIMENSIONS[d] for d in dims)) for kind, dims in zip(kinds, mine, strict=True)]
    return _Plan((factors[0], factors[1]), shares)


def _paired(chosen: list[int], place: int, random: Random) -> list[int]:
    """The dimensions, with two of the same unit (metres or degrees) at a place."""
    pair = random.sample(random.choice(((0, 1, 2), _TURNS)), 2)
    others = [dimension for dimension in chosen if dimension not in pair]
    return [*others[:place], *pair, *others[place : max(len(chosen) - 2, place)]]


def _set_apart(base: list[float], pair: list[int], random: Random) -> None:
    """Make the exchange of two dimensions visible: give them different signs, or let only one change much."""
    one, other = random.sample(pair, 2)
    base[one] = random.choice((-1.0, 1.0)) * random.uniform(1.1, 1.9)
    base[other] = -base[one] * random.uniform(0.8, 1.0) if random.random() < 0.5 else random.choice((-1.0, 1.0)) * 0.2


def _moved(source: str, start: State, shares: Sequence[float]) -> State:
    changed = [a + share * unit for a, share, unit in zip(start, shares, SELECTION[source], strict=True)]
    reach = REACH[source]
    x, y, z, roll, pitch, yaw, opening = changed
    if not (reach.near <= hypot(x, y) <= reach.far + 0.04 and abs(y) <= reach.side and reach.low <= z <= reach.high):
        raise Refused("out of reach")
    if max(abs(roll), abs(pitch)) > _STEEPEST or abs(yaw) > 80.0:
        raise Refused("out of reach")
    if not -1e-9 <= opening <= 1.0 + 1e-9:
        raise Refused("opening")
    return State(x, y, z, roll, pitch, yaw, min(max(opening, 0.0), 1.0))


def _moment(arm: Arm, state: State, near: Sequence[float]) -> Moment:
    joints = solve(arm, matrix_of(state), near)
    if joints is None:
        raise Refused("no joints")
    return Moment(joints, arm.state(joints, round(state.opening, 3)))

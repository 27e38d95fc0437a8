"""Find a gripper in pictures by geometry: project its boxes through camera matrices and compare them with a mask.

No renderer is used. `score` says how well a state explains masks, `best` chooses the state with the best score, and
`fit` estimates the amounts of a motion with known signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from envs.arm.arms import boxes_of, matrix_of
from envs.arm.cameras import Pinhole
from envs.arm.states import State, wrapped
from envs.render.arrays import Bools, Floats

_CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])


def silhouette(arm: str, state: State, camera: Pinhole) -> Bools:
    """The pixels that a gripper in a state would cover if nothing were in front of it."""
    mask = np.zeros((camera.height, camera.width), dtype=np.bool_)
    frame = matrix_of(state)
    for centre, size in boxes_of(arm, round(state.opening, 3)):
        corners = (np.array(centre) + _CORNERS * np.array(size)) @ frame[:3, :3].T + frame[:3, 3]
        pixels, depth = camera.project(corners)
        if float(depth.min()) > 0.01:
            _fill(mask, _hull(pixels))
    return mask


def score(arm: str, state: State, cameras: Sequence[Pinhole], masks: Sequence[Bools]) -> float:
    """How well a state explains masks: the sum over views of intersection over union."""
    total = 0.0
    for camera, mask in zip(cameras, masks, strict=True):
        guess = silhouette(arm, state, camera)
        union = int((guess | mask).sum())
        total += int((guess & mask).sum()) / union if union else 0.0
    return total


def best(arm: str, states: Sequence[State], cameras: Sequence[Pinhole], masks: Sequence[Bools]) -> int:
    """The number of the state that explains the masks best; the first of equal ones."""
    return int(np.argmax([score(arm, state, cameras, masks) for state in states]))


def _hull(points: Floats) -> Floats:
    """The corners of the convex hull in order."""
    order = sorted(map(tuple, points.tolist()))

    def half(way: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        found: list[tuple[float, ...]] = []
        for point in way:
            while len(found) > 1 and _turn(found[-2], found[-1], point) <= 0.0:
                found.pop()
            found.append(point)
        return found[:-1]

    return np.array(half(order) + half(order[::-1]))


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _fill(mask: Bools, hull: Floats) -> None:
    height, width = mask.shape
    left, top = np.maximum(np.floor(hull.min(axis=0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(hull.max(axis=0)), (width, height)).astype(int)
    if right <= left or bottom <= top:
        return
    x, y = np.arange(left, right) + 0.5, (np.arange(top, bottom) + 0.5)[:, None]
    inside = np.ones((bottom - top, right - left), dtype=np.bool_)
    for (ax, ay), (bx, by) in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        inside &= (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0.0
    mask[top:bottom, left:right] |= inside


def fit(
    arm: str,
    start: State,
    signs: Sequence[float],
    units: Sequence[float],
    cameras: Sequence[Pinhole],
    masks: Sequence[Bools],
) -> tuple[float, State]:
    """The best score of a motion whose dimensions have these signs (0: does not change), and the state it leads to.

    `units` are the selection thresholds. The search starts from the best of a few amounts of all dimensions and then
    changes one dimension at a time, by steps that become smaller.
    """
    active = [number for number, sign in enumerate(signs) if sign]
    seen: dict[tuple[float, ...], float] = {}

    def state(amounts: Sequence[float]) -> State:
        moved = list(start)
        for number, amount in zip(active, amounts, strict=True):
            moved[number] += signs[number] * amount * units[number]
        moved[3:6] = [wrapped(turn) for turn in moved[3:6]]
        moved[6] = min(max(moved[6], 0.0), 1.0)
        return State(*moved)

    def value(amounts: tuple[float, ...]) -> float:
        if amounts not in seen:
            seen[amounts] = score(arm, state(amounts), cameras, masks)
        return seen[amounts]

    found = max(product(_AMOUNTS, repeat=len(active)), key=value)
    for step in _STEPS:
        while True:
            near = [
                (*found[:place], round(found[place] + way, 3), *found[place + 1 :])
                for place in range(len(active))
                for way in (step, -step)
                if found[place] + way >= _LEAST
            ]
            better = max(near, key=value)
            if value(better) <= value(found):
                break
            found = better
    return value(found), state(found)


_AMOUNTS = (0.75, 1.25, 1.85)
"""The amounts from which a search starts, in thresholds."""
_STEPS = (0.25, 0.1, 0.04)
_LEAST = 0.5
"""The least change of a named dimension, in thresholds."""

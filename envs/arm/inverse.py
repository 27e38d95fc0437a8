"""Inverse kinematics by damped least squares: the joints that bring a gripper to a frame."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from envs.arm.arms import Arm
from envs.render.arrays import Floats

_STEPS = 60
_DAMPING = 1e-3
_LONGEST = 0.35
"""The largest step, in radians."""
_NEAR, _ALIGNED = 5e-4, 2e-3
"""The tolerances of the result, in metres and radians."""
_MARGIN = 0.01
"""The distance that joints keep from their limits."""


def solve(arm: Arm, goal: Floats, start: Sequence[float] | Floats) -> tuple[float, ...] | None:
    """Joints (rounded to the millionth) for which the gripper has this frame; None if none are found from `start`."""
    angles = np.array(start, dtype=np.float64)
    low, high = arm.low + _MARGIN, arm.high - _MARGIN
    for _ in range(_STEPS):
        frames = arm.frames(angles)
        error = _error(frames[-1], goal)
        if float(np.abs(error[:3]).max()) < _NEAR and float(np.abs(error[3:]).max()) < _ALIGNED:
            return tuple(round(float(angle), 6) for angle in angles)
        jacobian = _jacobian(arm, frames)
        square = jacobian @ jacobian.T + _DAMPING * np.eye(6)
        step = jacobian.T @ np.linalg.solve(square, error)
        longest = float(np.abs(step).max())
        angles = np.clip(angles + step * min(1.0, _LONGEST / max(longest, 1e-9)), low, high)
    return None


def _error(frame: Floats, goal: Floats) -> Floats:
    """The difference to the goal: a translation, and a rotation vector."""
    turn = goal[:3, :3] @ frame[:3, :3].T
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2.0
    sine, cosine = float(np.sqrt((axis * axis).sum())), (float(turn.trace()) - 1.0) / 2.0
    if sine < 1e-9:
        return np.concatenate(
            [goal[:3, 3] - frame[:3, 3], np.zeros(3) if cosine > 0.0 else np.array([np.pi, 0.0, 0.0])]
        )
    return np.concatenate([goal[:3, 3] - frame[:3, 3], axis / sine * np.arctan2(sine, cosine)])


def _jacobian(arm: Arm, frames: list[Floats]) -> Floats:
    tip = frames[-1][:3, 3]
    columns = []
    for joint, frame in zip(arm.joints, frames[1:-1], strict=True):
        axis = frame[:3, :3] @ np.array(joint.axis)
        columns.append(np.concatenate([np.cross(axis, tip - frame[:3, 3]), axis]))
    return np.array(columns).T

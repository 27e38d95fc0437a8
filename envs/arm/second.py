"""Second models of the arms, for MuJoCo, written from their makers' descriptions: they check the kinematics."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import atan2, degrees
from typing import Any

import mujoco
import numpy as np

from envs.arm.states import State

_WIDOWX = """\
<mujoco><compiler angle="radian"/><worldbody>
<body pos="0 0 0.072"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint axis="0 0 1"/>
<body pos="0 0 0.03865"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint axis="0 1 0"/>
<body pos="0.04975 0 0.25"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint axis="0 1 0"/>
<body pos="0.175 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint axis="1 0 0"/>
<body pos="0.075 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint axis="0 1 0"/>
<body pos="0.065 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint axis="1 0 0"/>
<site name="tip" pos="0.093575 0 0" xyaxes="0 0 1 0 1 0"/>
</body></body></body></body></body></body></worldbody></mujoco>"""
_PANDA = """\
<mujoco><compiler angle="radian"/><worldbody>
<body pos="0 0 0.333"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/>
<body quat="1 -1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/>
<body pos="0 -0.316 0" quat="1 1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/>
<body pos="0.0825 0 0" quat="1 1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/>
<body pos="-0.0825 0.384 0" quat="1 -1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/>
<body quat="1 1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/>
<body pos="0.088 0 0" quat="1 1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><joint/>
<body pos="0 0 0.107" quat="0.9238795325 0 0 -0.3826834324">
<site name="tip" pos="0 0 0.1034" quat="0 1 0 0"/>
</body></body></body></body></body></body></body></body></worldbody></mujoco>"""
_MODELS = {"widowx": _WIDOWX, "panda": _PANDA, "mobile": _PANDA}


@cache
def _model(arm: str) -> Any:
    return mujoco.MjModel.from_xml_string(_MODELS[arm])


def state(arm: str, joints: Sequence[float], opening: float) -> State:
    """The state of the gripper that MuJoCo finds for these joints."""
    model = _model(arm)
    data: Any = mujoco.MjData(model)
    data.qpos[:] = joints
    mujoco.mj_kinematics(model, data)
    found = np.zeros(4)
    mujoco.mju_mat2Quat(found, data.site("tip").xmat)
    w, x, y, z = found.tolist()
    roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    sine = max(-1.0, min(1.0, 2 * (w * y - z * x)))
    pitch = atan2(sine, (1 - sine * sine) ** 0.5)
    yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    px, py, pz = data.site("tip").xpos.tolist()
    return State(px, py, pz, degrees(roll), degrees(pitch), degrees(yaw), opening)

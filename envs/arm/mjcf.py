"""The arm of a MuJoCo model (MJCF): a chain of hinges from the world to a gripper with sliding fingers.

The site of the gripper is the one called tip, grasp, pinch, attachment_site or ee_site, between the finger tips, its
z axis pointing out of the gripper. Fingers are bodies on sliding joints below the last hinge; the arm rests where the
first keyframe puts it, or in the middle of its joints.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import mujoco
import numpy as np

from envs.arm.arms import Arm, Finger, Joint
from envs.household.home.model import Part, Pose
from envs.household.home.things.materials import paint
from envs.household.home.things.parts import bounds
from envs.render.arrays import Floats
from envs.render.forms import capsule, ellipsoid
from envs.render.scene import Box, Cylinder, Material, Mesh, Rotation, Shape, Sphere, Vector
from planners.files import Unreadable

SITES = ("tip", "grasp", "grasp_site", "pinch", "attachment_site", "ee_site")
_GAZE: Vector = (0.02, 0.0, -0.06)
"""What the wrist camera looks at, in the frame of the gripper."""


@lru_cache(maxsize=16)
def arm_of_file(path: str) -> Arm:
    """The arm in a file; `Unreadable` says what the file is missing."""
    try:
        model: Any = mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        reason = " ".join(str(error).split())
        raise Unreadable(f"{path} is no MuJoCo model of an arm: {reason}") from None
    return _Reader(model, path).arm()


class _Reader:
    def __init__(self, model: Any, path: str) -> None:
        self.model, self.path = model, path
        site = next((model.site(name).id for name in SITES if name in self._names()), None)
        if site is None:
            self._fail(f"it has no site for its gripper: name one of its sites {', '.join(SITES)}")
        self.site: int = site or 0
        self.chain = self._chain(int(model.site_bodyid[self.site]))
        self.hinges = [body for body in self.chain if self._joints(body, mujoco.mjtJoint.mjJNT_HINGE)]
        if len(self.hinges) < 5:
            self._fail(f"{len(self.hinges)} hinges lead to its gripper: an arm needs at least 5")

    def _names(self) -> set[str]:
        return {self.model.site(number).name for number in range(self.model.nsite)}

    def _fail(self, reason: str) -> None:
        raise Unreadable(f"{self.path} is not an arm that can be used: {reason}")

    def _chain(self, body: int) -> list[int]:
        found = [body]
        while found[-1]:
            found.append(int(self.model.body_parentid[found[-1]]))
        return found[::-1]

    def _joints(self, body: int, kind: Any) -> list[int]:
        first, count = int(self.model.body_jntadr[body]), int(self.model.body_jntnum[body])
        return [joint for joint in range(first, first + count) if self.model.jnt_type[joint] == kind]

    def arm(self) -> Arm:
        """Everything of the arm, its frames with all joints at 0."""
        data: Any = mujoco.MjData(self.model)
        data.qpos[:] = 0.0
        mujoco.mj_kinematics(self.model, data)
        frames = {body: _frame(data.xpos[body], data.xmat[body]) for body in range(self.model.nbody)}
        tip = _frame(data.site_xpos[self.site], data.site_xmat[self.site])
        sliding = self._sliding()
        if not sliding:
            self._fail("its gripper has no fingers on sliding joints")
        tip[:3, :3] = self._upright(tip[:3, :3], frames[sliding[0]][:3, :3], sliding[0])
        stops = [np.eye(4), *(self._at(body, frames[body]) for body in self.hinges)]
        joints = tuple(self._joint(body, a, b) for body, (a, b) in zip(self.hinges, pairwise(stops), strict=True))
        palm = [body for body in self._below(self.hinges[-1]) if body not in sliding and body != self.hinges[-1]]
        links = [tuple(self._parts(self._fixed_to(None), frames, stops[0]))]
        for body, stop in zip(self.hinges, stops[1:], strict=True):
            links.append(tuple(self._parts(self._fixed_to(body), frames, stop)))
        fingers = tuple(self._finger(body, frames, tip) for body in sliding)
        hand = tuple(tuple(row) for row in (np.linalg.inv(stops[-1]) @ tip).round(9).tolist())
        made = tuple(self._parts(palm, frames, tip))
        low = min(abs(_inner(finger.parts)) for finger in fingers)
        way = max(abs(value) for value in fingers[0].way)
        _, top = bounds(made) if made else ((0.0, 0.0, 0.0), (0.05, 0.05, 0.1))
        eye = (round(top[0] + 0.04, 4), 0.0, round(top[2], 4))
        return Arm(
            self.path, joints, hand, (low, low + way), tuple(links), made, fingers, self._rest(), eye, _GAZE
        )  # fmt: skip

    def _upright(self, site: Floats, finger: Floats, body: int) -> Floats:
        """The rotation of the gripper's frame: z into the gripper, y along the fingers' motion, x ahead at rest."""
        into = -site[:, 2]
        way = finger @ self.model.jnt_axis[self._joints(body, mujoco.mjtJoint.mjJNT_SLIDE)[0]]
        aside = way - into * float(way @ into)
        aside /= np.linalg.norm(aside)
        made = np.stack([np.cross(aside, into), aside, into], axis=1)
        data: Any = mujoco.MjData(self.model)
        for one, angle in zip(self.hinges, self._rest(), strict=True):
            data.qpos[int(self.model.jnt_qposadr[self._hinge(one)])] = angle
        mujoco.mj_kinematics(self.model, data)
        ahead = data.site_xmat[self.site].reshape(3, 3) @ site.T @ made[:, 0]
        turned: Floats = made * np.array([-1.0, -1.0, 1.0]) if ahead[0] < 0.0 else made
        return turned

    def _at(self, body: int, frame: Floats) -> Floats:
        """The frame of a body, moved to its hinge."""
        made = frame.copy()
        made[:3, 3] = frame[:3, 3] + frame[:3, :3] @ self.model.jnt_pos[self._hinge(body)]
        return made

    def _hinge(self, body: int) -> int:
        return self._joints(body, mujoco.mjtJoint.mjJNT_HINGE)[0]

    def _joint(self, body: int, before: Floats, frame: Floats) -> Joint:
        own = np.linalg.inv(before) @ frame
        hinge = self._hinge(body)
        low, high = self.model.jnt_range[hinge].tolist() if self.model.jnt_limited[hinge] else (-np.pi, np.pi)
        return Joint(_vector(own[:3, 3]), low, high, _vector(self.model.jnt_axis[hinge]), _rotation(own))

    def _rest(self) -> tuple[float, ...]:
        places = [int(self.model.jnt_qposadr[self._hinge(body)]) for body in self.hinges]
        if self.model.nkey:
            return tuple(round(float(self.model.key_qpos[0][place]), 6) for place in places)
        ranges = self.model.jnt_range[[self._hinge(body) for body in self.hinges]]
        return tuple(round(float(value), 6) for value in ranges.mean(axis=1))

    def _below(self, top: int) -> list[int]:
        """A body and all its descendants, parents first."""
        found = [top]
        for body in range(top + 1, self.model.nbody):
            if int(self.model.body_parentid[body]) in found:
                found.append(body)
        return found

    def _sliding(self) -> list[int]:
        slides = mujoco.mjtJoint.mjJNT_SLIDE
        return [body for body in self._below(self.hinges[-1]) if self._joints(body, slides)]

    def _fixed_to(self, hinge: int | None) -> list[int]:
        """The bodies that move with a hinge and with no later one; for the last hinge, only its own body."""
        if hinge == self.hinges[-1]:
            return [hinge]
        found = [hinge] if hinge is not None else [0]
        for body in range(found[0] + 1, self.model.nbody):
            if int(self.model.body_parentid[body]) in found and not self.model.body_jntnum[body]:
                found.append(body)
        return found

    def _finger(self, body: int, frames: dict[int, Floats], tip: Floats) -> Finger:
        joint = self._joints(body, mujoco.mjtJoint.mjJNT_SLIDE)[0]
        low, high = self.model.jnt_range[joint].tolist()
        axis = np.linalg.inv(tip)[:3, :3] @ frames[body][:3, :3] @ self.model.jnt_axis[joint]
        shut = {one: frame.copy() for one, frame in frames.items()}
        parts = tuple(self._parts(self._below(body), shut, tip))
        # Open is the end that is further from the middle.
        ends = sorted((low, high), key=lambda value: abs(_inner(parts) + float(axis[1]) * value))
        first, way = _vector(axis * ends[0]), _vector(axis * (ends[1] - ends[0]))
        return Finger(tuple(_shifted(part, first) for part in parts), way)

    def _parts(self, bodies: list[int], frames: dict[int, Floats], into: Floats) -> Iterator[Part]:
        """The visible shapes of bodies, in a frame."""
        back = np.linalg.inv(into)
        for body in bodies:
            first, count = int(self.model.body_geomadr[body]), int(self.model.body_geomnum[body])
            for geom in range(first, first + count):
                shape = self._shape(geom)
                if shape is None or self.model.geom_group[geom] > 2:
                    continue
                turn = np.empty(9)
                mujoco.mju_quat2Mat(turn, self.model.geom_quat[geom])
                own = back @ frames[body] @ _frame(self.model.geom_pos[geom], turn)
                yield Part(shape, self._material(geom), Pose(_vector(own[:3, 3]), _rotation(own)))

    def _material(self, geom: int) -> Material:
        number = int(self.model.geom_matid[geom])
        red, green, blue, _ = (self.model.mat_rgba[number] if number >= 0 else self.model.geom_rgba[geom]).tolist()
        return paint((round(red, 4), round(green, 4), round(blue, 4)), 0.2)

    def _shape(self, geom: int) -> Shape | None:
        x, y, z = (round(float(value), 6) for value in self.model.geom_size[geom])
        match int(self.model.geom_type[geom]):
            case mujoco.mjtGeom.mjGEOM_BOX:
                return Box((2 * x, 2 * y, 2 * z))
            case mujoco.mjtGeom.mjGEOM_SPHERE:
                return Sphere(x)
            case mujoco.mjtGeom.mjGEOM_CYLINDER:
                return Cylinder(x, 2 * y)
            case mujoco.mjtGeom.mjGEOM_CAPSULE:
                return capsule(x, 2 * (y + x))
            case mujoco.mjtGeom.mjGEOM_ELLIPSOID:
                return ellipsoid((2 * x, 2 * y, 2 * z))
            case mujoco.mjtGeom.mjGEOM_MESH:
                return self._mesh(int(self.model.geom_dataid[geom]))
        return None

    def _mesh(self, mesh: int) -> Mesh:
        first, count = int(self.model.mesh_vertadr[mesh]), int(self.model.mesh_vertnum[mesh])
        points = tuple(_vector(point) for point in self.model.mesh_vert[first : first + count])
        start, number = int(self.model.mesh_faceadr[mesh]), int(self.model.mesh_facenum[mesh])
        faces = tuple((int(a), int(b), int(c)) for a, b, c in self.model.mesh_face[start : start + number])
        return Mesh(points, faces)


def _frame(place: Floats, turn: Floats) -> Floats:
    made = np.eye(4)
    made[:3, :3], made[:3, 3] = np.array(turn).reshape(3, 3), place
    return made


def _vector(values: Floats) -> Vector:
    x, y, z = (round(float(value), 6) + 0.0 for value in values)
    return x, y, z


def _rotation(frame: Floats) -> Rotation:
    return tuple(round(float(value), 9) + 0.0 for value in frame[:3, :3].ravel())  # type: ignore[return-value]


def _inner(parts: tuple[Part, ...]) -> float:
    """The side of a finger that is nearest to the middle, along y."""
    low, high = bounds(parts)
    return low[1] if abs(low[1]) < abs(high[1]) else high[1]


def _shifted(part: Part, by: Vector) -> Part:
    x, y, z = (round(a + b, 6) for a, b in zip(part.pose.position, by, strict=True))
    return Part(part.shape, part.material, Pose((x, y, z), part.pose.rotation), part.solid, part.seen)

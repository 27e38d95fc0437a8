"""The MuJoCo model of a home: fixed furniture, leaves on joints, free movables, and the robot's links.

Forces move only movables. Leaves have joints with so much inertia that nothing moves them: their positions are set
directly, and so are those of the robot's links.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from envs.household.home import robot
from envs.household.home.frames import quaternion
from envs.household.home.kept import once
from envs.household.home.model import Home, Part, Placed, Pose, Thing
from envs.household.home.robot import Stance
from envs.render.arrays import Floats
from envs.render.scene import Box, Cylinder, Mesh, Shape, Sphere, Vector

ROBOT, SHELL = "robot", "shell"
"""Names for the robot, and for walls, floors and ceilings."""

STEP = 0.004
_HEAVY = 100.0
"""The inertia of leaves."""
_THINNEST = 1e-3
"""A mesh thinner than this is replaced by a box."""
_HULL = 40
"""The most vertices of a mesh's convex hull."""
_CALM = 0.02
"""Damping of a free body per kilogram: hardly affects falling, but soon stops rocking and spinning."""

_CHUNK = 10
"""Steps between two checks whether everything is at rest."""
_REST = 4e-3
"""A thing slower than this is at rest."""
_STAYED = 5e-4
"""Smaller displacements and rotations are undone, so that nothing creeps and pictures stay the same."""


@dataclass(frozen=True)
class Piece:
    """Shapes that move as one: a thing without its leaves, one leaf, a link of the robot, the shell.

    `at` is the index of its first coordinate in the state of the model, -1 if fixed; `mocap` is the number of a
    link of the robot, -1 for other pieces.
    """

    owner: str
    leaf: str
    body: int
    geoms: NDArray[np.intp]
    at: int = -1
    mocap: int = -1


class Plan:
    """The compiled model of a home, with the pieces that its bodies and shapes belong to."""

    def __init__(self, home: Home) -> None:
        spec = mujoco.MjSpec()
        spec.option.timestep = STEP
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        builder = _Builder(spec)
        builder.shell(home.shell)
        for placed in home.placed:
            builder.thing(placed)
        builder.robot(Stance(*home.start))
        self.model: Any = spec.compile()
        self.pieces: dict[tuple[str, str], Piece] = {key: self._piece(*key) for key in builder.order}
        self.names: tuple[str, ...] = tuple(dict.fromkeys(owner for owner, _ in builder.order))
        numbers = {name: number for number, name in enumerate(self.names)}
        self.owner: NDArray[np.intp] = np.empty(self.model.ngeom, dtype=np.intp)
        for piece in self.pieces.values():
            self.owner[piece.geoms] = numbers[piece.owner]
        for placed in home.placed:
            if placed.thing.movable:
                first = self.model.body_dofadr[self.pieces[placed.thing.name, ""].body]
                self.model.dof_damping[first : first + 6] = _CALM * placed.thing.mass

    def _piece(self, owner: str, leaf: str) -> Piece:
        body = self.model.body(_body(owner, leaf)).id if owner != SHELL else 0
        first, count = self.model.body_geomadr[body], self.model.body_geomnum[body]
        geoms = np.arange(first, first + count) if count else np.zeros(0, dtype=np.intp)
        joint = self.model.body_jntadr[body]
        at = int(self.model.jnt_qposadr[joint]) if joint >= 0 else -1
        return Piece(owner, leaf, body, geoms, at, int(self.model.body_mocapid[body]))


@once
def plan(home: Home) -> Plan:
    """The compiled model of a home, cached."""
    return Plan(home)


class Physics:
    """A home's plan with a state."""

    def __init__(self, home: Home) -> None:
        made = plan(home)
        # A copy, because held things become weightless in it.
        self.model: Any = copy(made.model)
        self.data: Any = mujoco.MjData(self.model)
        self.pieces, self.names, self.owner = made.pieces, made.names, made.owner

    def geoms(self, owner: str) -> NDArray[np.intp]:
        """All shapes of a thing."""
        return np.concatenate([piece.geoms for piece in self.pieces.values() if piece.owner == owner])

    def local(self, geom: int) -> tuple[Floats, Floats]:
        """The pose of a shape in the frame of its body."""
        turn = np.empty(9)
        mujoco.mju_quat2Mat(turn, self.model.geom_quat[geom])
        return self.model.geom_pos[geom], turn.reshape(3, 3)

    def refresh(self) -> None:
        """Compute all poses from the coordinates of the state."""
        mujoco.mj_kinematics(self.model, self.data)

    def settle(self, seconds: float, loose: Iterable[Piece], held: Piece | None) -> None:
        """Simulate loose movables until all are at rest, or until the time is over."""
        model, data = self.model, self.data
        before = data.qpos.copy()
        data.qvel[:], data.qacc_warmstart[:], data.time = 0.0, 0.0, 0.0
        with self._weightless(held):
            quiet = 0
            for _ in range(max(1, round(seconds / (STEP * _CHUNK)))):
                mujoco.mj_step(model, data, _CHUNK)
                quiet = quiet + 1 if float(np.abs(data.qvel).max(initial=0.0)) < _REST else 0
                if quiet == 2:
                    break
        after = np.round(data.qpos, 6)
        data.qvel[:], data.qpos[:] = 0.0, before
        for piece in loose:
            at = slice(piece.at, piece.at + 7)
            if float(np.abs(before[at] - after[at]).max()) > _STAYED:
                data.qpos[at] = after[at]

    @contextmanager
    def _weightless(self, held: Piece | None) -> Iterator[None]:
        """Make the held thing weightless and free of contacts."""
        if held is None:
            yield
            return
        model = self.model
        dofs = slice(model.body_dofadr[held.body], model.body_dofadr[held.body] + 6)
        inertia = model.dof_armature[dofs].copy()
        self._feel(held, 0)
        model.dof_armature[dofs] = _HEAVY * 1e6
        try:
            yield
        finally:
            self._feel(held, 1)
            model.dof_armature[dofs] = inertia

    def _feel(self, piece: Piece, mask: int) -> None:
        """Switch contacts of a movable on (1) or off (0)."""
        self.model.geom_contype[piece.geoms] = self.model.geom_conaffinity[piece.geoms] = mask
        self.model.body_contype[piece.body] = self.model.body_conaffinity[piece.body] = mask


def _body(owner: str, leaf: str) -> str:
    return f"{owner}/{leaf}" if leaf else owner


class _Builder:
    """Builds a MuJoCo spec; `order` lists the pieces by owner and leaf."""

    def __init__(self, spec: Any) -> None:
        self.spec = spec
        self.order: list[tuple[str, str]] = []
        self._meshes: dict[Mesh, str] = {}

    def shell(self, parts: Iterable[Part]) -> None:
        self.order.append((SHELL, ""))
        for part in parts:
            self._geom(self.spec.worldbody, part)

    def thing(self, placed: Placed) -> None:
        thing = placed.thing
        body = self._body(self.spec.worldbody, thing.name, "", placed.pose)
        weights = _weights(thing)
        if thing.movable:
            joint = body.add_freejoint()
            joint.align = mujoco.mjtAlignFree.mjALIGNFREE_FALSE
        for part, weight in zip(thing.parts, weights, strict=True):
            self._geom(body, part, weight if thing.movable else None)
        for leaf in thing.leaves:
            child = self._body(body, thing.name, leaf.name, Pose())
            hinge = mujoco.mjtJoint.mjJNT_HINGE if leaf.kind == "hinge" else mujoco.mjtJoint.mjJNT_SLIDE
            child.add_joint(type=hinge, axis=leaf.axis, pos=leaf.anchor, armature=_HEAVY)
            for part in leaf.parts:
                self._geom(child, part)
            if not any(part.solid for part in leaf.parts):
                child.mass, child.inertia, child.explicitinertial = 1.0, (1.0, 1.0, 1.0), True

    def robot(self, stance: Stance) -> None:
        poses = robot.links(stance)
        for link, parts in robot.PARTS.items():
            body = self._body(self.spec.worldbody, ROBOT, link, poses[link])
            body.mocap = True
            for part in parts:
                self._geom(body, part)

    def _body(self, parent: Any, owner: str, leaf: str, pose: Pose) -> Any:
        self.order.append((owner, leaf))
        return parent.add_body(name=_body(owner, leaf), pos=pose.position, quat=quaternion(pose.rotation))

    def _geom(self, body: Any, part: Part, mass: float | None = None) -> None:
        if not part.solid:
            return
        free = mass is not None
        geom = body.add_geom(pos=part.pose.position, quat=quaternion(part.pose.rotation))
        geom.mass = mass if mass is not None else 0.1
        # Fixed shapes and leaves collide with movables, but not with each other.
        geom.contype, geom.conaffinity = int(free), 1
        geom.friction = (0.9, 0.01, 0.006)
        geom.condim = 6 if free and not isinstance(part.shape, Box) else 3
        self._shape(geom, part.shape)

    def _shape(self, geom: Any, shape: Shape) -> None:
        match shape:
            case Box(size, _):
                geom.type, geom.size = mujoco.mjtGeom.mjGEOM_BOX, [value / 2.0 for value in size]
            case Sphere(radius):
                geom.type, geom.size = mujoco.mjtGeom.mjGEOM_SPHERE, (radius, 0.0, 0.0)
            case Cylinder(radius, height):
                geom.type, geom.size = mujoco.mjtGeom.mjGEOM_CYLINDER, (radius, height / 2.0, 0.0)
            case Mesh(points):
                low, high = bounds(points)
                if min(b - a for a, b in zip(low, high, strict=True)) < _THINNEST:
                    raise ValueError("a mesh without thickness cannot be felt: give its part solid=False")
                geom.type, geom.meshname = mujoco.mjtGeom.mjGEOM_MESH, self._mesh(shape)

    def _mesh(self, mesh: Mesh) -> str:
        if mesh not in self._meshes:
            self._meshes[mesh] = name = f"mesh {len(self._meshes)}"
            made = self.spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
            made.maxhullvert = _HULL
            made.uservert = np.array(mesh.points).ravel()
            made.userface = np.array(mesh.faces).ravel()
        return self._meshes[mesh]


def bounds(points: Iterable[Vector]) -> tuple[Vector, Vector]:
    """The corners of the bounding box of points."""
    xs, ys, zs = zip(*points, strict=True)
    return (min(xs), min(ys), min(zs)), (max(xs), max(ys), max(zs))


def _weights(thing: Thing) -> list[float]:
    """The mass of each part of a thing, in proportion to its bounding box."""
    volumes = [_volume(part.shape) if part.solid else 0.0 for part in thing.parts]
    total = sum(volumes)
    if thing.movable and total <= 0.0:
        raise ValueError(f"{thing.name} can be moved but has no solid part")
    return [thing.mass * volume / total if total else 0.0 for volume in volumes]


def _volume(shape: Shape) -> float:
    match shape:
        case Box((x, y, z), _):
            return x * y * z
        case Sphere(radius):
            return 4.0 * radius**3
        case Cylinder(radius, height):
            return 3.0 * radius * radius * height
        case Mesh(points):
            low, high = bounds(points)
            x, y, z = (max(b - a, _THINNEST) for a, b in zip(low, high, strict=True))
            return x * y * z

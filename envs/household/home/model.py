"""The data model of a home, from which both the physics model and the scenes are built.

Lengths are in metres, angles in radians, z up. A thing stands on its local origin: z = 0 is its underside, its front
looks along the local -y axis. Colours, shapes and materials are those of `envs.render.scene`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from envs.render.scene import UPRIGHT, Material, Rotation, Shape, Vector


@dataclass(frozen=True, slots=True)
class Pose:
    """A position and a rotation."""

    position: Vector = (0.0, 0.0, 0.0)
    rotation: Rotation = UPRIGHT


@dataclass(frozen=True, slots=True)
class Part:
    """A shape with a material, placed in its thing or leaf.

    Parts that are not `solid` are drawn but have no physics; parts that are not `seen` have physics but are not drawn.
    The latter replace concave shapes, of which physics would use the convex hull.
    """

    shape: Shape
    material: Material
    pose: Pose = Pose()
    solid: bool = True
    seen: bool = True


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of a thing that opens: a door, a drawer, a flap.

    It turns about (`hinge`) or slides along (`slide`) `axis` through `anchor`, both in the thing's frame, from 0
    when shut to `travel` when fully open. Parts are given in the thing's frame with the leaf shut.
    """

    name: str
    kind: Literal["hinge", "slide"]
    axis: Vector
    anchor: Vector
    travel: float
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Surface:
    """A level rectangle to put things on: its centre in the thing's frame, its size, and the clearance above it."""

    centre: Vector
    size: tuple[float, float]
    clearance: float = 1.0


@dataclass(frozen=True, slots=True)
class Cavity:
    """A box-shaped space for things, by centre and size; `leaf` names the drawer that it moves with, if any."""

    centre: Vector
    size: Vector
    leaf: str | None = None


@dataclass(frozen=True, slots=True)
class Thing:
    """One piece of furniture, a door, a window or a movable, in its own frame.

    `kind` is the everyday noun ("cabinet"); `name` distinguishes it from others of its kind ("cabinet_1").
    """

    name: str
    kind: str
    parts: tuple[Part, ...]
    size: Vector
    """Width, depth and height of the bounding box with all leaves shut; it stands on the origin, centred."""
    leaves: tuple[Leaf, ...] = ()
    surfaces: tuple[Surface, ...] = ()
    cavities: tuple[Cavity, ...] = ()
    movable: bool = False
    mass: float = 1.0


@dataclass(frozen=True, slots=True)
class Room:
    """A room by its kind ("kitchen") and its corners on the floor plan: (x0, y0, x1, y1), inside its walls."""

    name: str
    kind: str
    corners: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Placed:
    """A thing with its initial pose; `opening` is how far its leaves are open, from 0 to 1."""

    thing: Thing
    pose: Pose
    opening: float = 0.0


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Home:
    """Rooms, their walls and floors as fixed parts, and all things in them."""

    name: str
    rooms: tuple[Room, ...]
    shell: tuple[Part, ...]
    placed: tuple[Placed, ...]
    start: tuple[float, float, float]
    """The initial place of the robot: x, y and the direction it faces."""

"""What a picture is made of: solids with materials, lights, a camera. Plain data; nothing here draws.

Lengths are in metres, x to the right, y away from the viewer, z up. Colours are sRGB between 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Vector: TypeAlias = tuple[float, float, float]
Colour: TypeAlias = tuple[float, float, float]
Rotation: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
"""A rotation matrix, row by row: it turns local directions into those of the scene."""

UPRIGHT: Rotation = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Box:
    """A box about its own centre; `bevel` rounds its edges."""

    size: Vector
    bevel: float = 0.0


@dataclass(frozen=True, slots=True)
class Sphere:
    """A ball about its own centre."""

    radius: float


@dataclass(frozen=True, slots=True)
class Cylinder:
    """An upright cylinder about its own centre."""

    radius: float
    height: float


@dataclass(frozen=True, slots=True)
class Mesh:
    """Triangles: corner points, and three indices for each face, counter-clockwise seen from outside."""

    points: tuple[Vector, ...]
    faces: tuple[tuple[int, int, int], ...]


Shape: TypeAlias = Box | Sphere | Cylinder | Mesh


@dataclass(frozen=True, slots=True)
class Plain:
    """One colour all over."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Wood:
    """Grain along the local x axis, laid in boards `board` wide (none if 0); `seed` picks the piece of wood."""

    light: Colour
    dark: Colour
    seed: int = 0
    board: float = 0.0


@dataclass(frozen=True, slots=True)
class Label:
    """Text in dark ink on the side that faces the local -y axis; `size` is the width and height of that side."""

    text: str
    size: tuple[float, float]
    paper: Colour = (0.96, 0.95, 0.92)
    ink: Colour = (0.08, 0.08, 0.10)


Texture: TypeAlias = Plain | Wood | Label


@dataclass(frozen=True, slots=True)
class Material:
    """How a surface answers light: its texture, and how strong its highlights are (0 is matt)."""

    texture: Texture
    gloss: float = 0.0


@dataclass(frozen=True, slots=True)
class Solid:
    """One object of the scene. `moving` solids may differ from frame to frame; the rest is kept between frames."""

    name: str
    shape: Shape
    material: Material
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Rotation = UPRIGHT
    moving: bool = False


@dataclass(frozen=True, slots=True)
class Light:
    """A round lamp. The further its radius is from 0, the softer its shadows; it does not fade with distance."""

    position: Vector
    radius: float
    strength: float
    colour: Colour = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Sky:
    """Light from everywhere: from above, from below, how far things near by take it away; and what lies beyond."""

    above: Colour = (0.62, 0.64, 0.68)
    below: Colour = (0.40, 0.37, 0.34)
    reach: float = 0.06
    beyond: Colour = (0.68, 0.80, 0.93)


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera at `position` that looks at `target`; `view` is the height of the view per unit of distance."""

    position: Vector
    target: Vector
    view: float


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that determines a frame."""

    solids: tuple[Solid, ...]
    camera: Camera
    lights: tuple[Light, ...]
    sky: Sky = Sky()

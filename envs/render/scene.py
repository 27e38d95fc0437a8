"""The data model of a scene: solids with materials, lights, a camera.

Lengths are in metres, x to the right, y away from the viewer, z up. Colours are sRGB between 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Vector: TypeAlias = tuple[float, float, float]
Colour: TypeAlias = tuple[float, float, float]
Rotation: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
"""A rotation matrix, row by row: it turns local directions into those of the scene."""

Axis: TypeAlias = Literal["x", "y", "z"]

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
    """Triangles: corner points, and three indices for each face, counter-clockwise seen from outside.

    With `normals`, one for each point, light changes smoothly from corner to corner; without, faces are flat.
    `envs.render.forms` makes bowls, cups, cones, capsules, cushions, handles and the like.
    """

    points: tuple[Vector, ...]
    faces: tuple[tuple[int, int, int], ...]
    normals: tuple[Vector, ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Meshes are cache keys, so the hash of thousands of points is computed once.
        object.__setattr__(self, "_hash", hash((self.points, self.faces, self.normals)))

    def __hash__(self) -> int:
        return self._hash


Shape: TypeAlias = Box | Sphere | Cylinder | Mesh


@dataclass(frozen=True, slots=True)
class Plain:
    """A uniform colour."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Wood:
    """Grain along a local axis, laid in boards `board` wide (none if 0); `seed` picks the piece of wood."""

    light: Colour
    dark: Colour
    seed: int = 0
    board: float = 0.0
    along: Axis = "x"


Side: TypeAlias = Literal["+x", "-x", "+y", "-y", "+z", "-z"]


@dataclass(frozen=True, slots=True)
class Label:
    """Text in dark ink on the middle of one side; `size` is the width and height of that side.

    Lines are parted by newlines. The text is upright along z; on the sides that face up and down, along y.
    """

    text: str
    size: tuple[float, float]
    paper: Colour = (0.96, 0.95, 0.92)
    ink: Colour = (0.08, 0.08, 0.10)
    side: Side = "-y"


@dataclass(frozen=True, slots=True)
class Planks:
    """A floor of boards along the local x axis, `board` wide and `length` long, each another piece of wood."""

    light: Colour
    dark: Colour
    seed: int = 0
    board: float = 0.14
    length: float = 1.3


@dataclass(frozen=True, slots=True)
class Tiles:
    """Tiles or bricks of `size` with grout `gap` wide; with `other`, every second one has that colour.

    Each row is moved on by `shift` of a tile (0.5 for bricks), and each tile is a little lighter or darker.
    """

    colour: Colour
    size: tuple[float, float] = (0.3, 0.3)
    other: Colour | None = None
    grout: Colour = (0.62, 0.60, 0.57)
    gap: float = 0.005
    shift: float = 0.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Weave:
    """Cloth of threads `thread` wide, in one colour along and another across."""

    warp: Colour
    weft: Colour
    thread: float = 0.004
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Stripes:
    """Bands of colours, each `width` wide, one after the other along a local axis."""

    colours: tuple[Colour, ...]
    width: float
    axis: Axis = "x"


@dataclass(frozen=True, slots=True)
class Speckle:
    """Round spots of about `size`, in the share `cover` of the possible places: stone, peel."""

    colour: Colour
    spots: Colour
    size: float = 0.01
    cover: float = 0.5
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Clouds:
    """Soft patches of about `size` between two colours: plaster, leather, bread, marble, cardboard."""

    light: Colour
    dark: Colour
    size: float = 0.1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Brushed:
    """Metal with fine streaks along a local axis; give its material some gloss."""

    colour: Colour
    axis: Axis = "x"
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Layers:
    """Thin uneven sheets on top of each other along a local axis: the pages of a book, plywood, a stack of paper."""

    light: Colour
    dark: Colour
    thickness: float = 0.0015
    axis: Axis = "z"
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Rug:
    """A carpet seen from above: diamonds on a ground inside two borders; `size` is its width and depth."""

    ground: Colour
    border: Colour
    motif: Colour
    size: tuple[float, float]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Gradient:
    """From one colour at `start` to another at `end` along a local axis: the world outside a window."""

    first: Colour
    second: Colour
    start: float
    end: float
    axis: Axis = "z"


Texture: TypeAlias = (
    Plain | Wood | Label | Planks | Tiles | Weave | Stripes | Speckle | Clouds | Brushed | Layers | Rug | Gradient
)


@dataclass(frozen=True, slots=True)
class Material:
    """The material of a surface: its texture, and the strength of its highlights (0 is matt).

    `glow` is emitted light, as a share of its colour: a screen, a lamp's shade, the daylight outside.
    """

    texture: Texture
    gloss: float = 0.0
    glow: float = 0.0


@dataclass(frozen=True, slots=True)
class Solid:
    """A solid of the scene. `moving` solids may differ between frames; all others are cached."""

    name: str
    shape: Shape
    material: Material
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Rotation = UPRIGHT
    moving: bool = False
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Computed once, because the solids of a home are cache keys of every picture.
        object.__setattr__(self, "_hash", hash(self._content()))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Solid], tuple[Any, ...]]:
        # String hashes differ between processes.
        return Solid, self._content()

    def _content(self) -> tuple[Any, ...]:
        return self.name, self.shape, self.material, self.position, self.rotation, self.moving


@dataclass(frozen=True, slots=True)
class Light:
    """A round lamp. The further its radius is from 0, the softer its shadows; it does not fade with distance.

    It is a flat disc that faces `aim`. A lamp below a ceiling should face the floor, or half of it is above.
    """

    position: Vector
    radius: float
    strength: float
    colour: Colour = (1.0, 1.0, 1.0)
    aim: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Sky:
    """Ambient light from above and below, the reach of its occlusion, and the background."""

    above: Colour = (0.62, 0.64, 0.68)
    below: Colour = (0.40, 0.37, 0.34)
    reach: float = 0.06
    beyond: Colour = (0.68, 0.80, 0.93)


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera at `position` that looks at `target`; `view` is the height of the view per unit of distance.

    It is level, with z upwards in its picture, unless `up` is another direction, as for a camera at a wrist.
    """

    position: Vector
    target: Vector
    view: float
    up: Vector | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that determines a frame."""

    solids: tuple[Solid, ...]
    camera: Camera
    lights: tuple[Light, ...]
    sky: Sky = Sky()

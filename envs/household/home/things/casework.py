"""Builds furniture that opens: cases with boards, hinged panel doors, and drawers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from envs.household.home.model import Cavity, Leaf, Part, Surface
from envs.household.home.things.materials import paint
from envs.household.home.things.parts import Span, ball, ends, rod, seen_only, slab, span
from envs.render.scene import Material

BOARD = 0.022
DOOR = 0.02
GAP = 0.003
"""The gap between a door and the parts beside it."""
PLINTH = 0.07
SHALLOW = 0.16
"""The largest depth of a drawer."""
_FREE = 0.005
"""The gap between a cavity and the parts around it."""
_DRAWER_WOOD = paint((0.88, 0.80, 0.66), 0.0)


@dataclass(frozen=True, slots=True)
class Carcass:
    """A case open at the front (y = 0 there, the back at y = `depth`), with boards across it."""

    width: float
    depth: float
    height: float
    boards: tuple[float, ...]
    """Heights of the undersides of the boards between bottom and top."""
    material: Material
    foot: float = PLINTH

    @property
    def inside(self) -> Span:
        """The inner width, from side to side."""
        return span(0.0, self.width - 2 * BOARD)

    @property
    def levels(self) -> list[Span]:
        """The free intervals of height between the boards, from below."""
        floors = [self.foot + BOARD, *(board + BOARD for board in self.boards)]
        return list(zip(floors, [*self.boards, self.height - BOARD], strict=True))

    def parts(self) -> list[Part]:
        """Sides, back, plinth and boards."""
        x, inside, deep, wood = span(0.0, self.width), self.inside, (0.0, self.depth), self.material
        sides = [slab(wood, side, deep, (0.0, self.height), along="z") for side in ends(x, BOARD)]
        levels = [slab(wood, inside, deep, (z, z + BOARD)) for z in (self.foot, *self.boards, self.height - BOARD)]
        back = slab(wood, inside, (self.depth - 0.008, self.depth), (self.foot + BOARD, self.height - BOARD), along="z")
        plinth = slab(wood, inside, (0.03, 0.05), (0.0, self.foot))
        return [*sides, *levels, back, plinth]

    def cavities(self, levels: Sequence[Span] | None = None) -> list[Cavity]:
        """The cavities above each board, or at these levels."""
        wide, deep = self.width - 2 * BOARD - 2 * _FREE, self.depth - 0.008 - 2 * _FREE
        return [
            Cavity((0.0, _FREE + deep / 2, (low + high) / 2), (wide, deep, high - low - 0.002))
            for low, high in levels or self.levels
        ]

    def surfaces(self, levels: Sequence[Span]) -> list[Surface]:
        """The surfaces of the boards below these levels."""
        size = (self.width - 2 * BOARD - 0.02, self.depth - 0.04)
        return [Surface((0.0, self.depth / 2, low), size, high - low) for low, high in levels]

    def top(self) -> Surface:
        """The surface on top."""
        return Surface((0.0, self.depth / 2, self.height), (self.width - 0.06, self.depth - 0.04))


def hinged(name: str, x: Span, hinge_left: bool, parts: Sequence[Part], travel: float, y: float = -DOOR) -> Leaf:
    """A leaf that swings to the front about its left or right edge, seen from the front."""
    anchor = (x[0] if hinge_left else x[1], y, 0.0)
    return Leaf(name, "hinge", (0.0, 0.0, -1.0 if hinge_left else 1.0), anchor, travel, tuple(parts))


def panel_door(name: str, x: Span, z: Span, hinge_left: bool, material: Material, knob: Material) -> Leaf:
    """A framed door in front of the plane y = 0, with a knob at the edge that opens."""
    rail = 0.065
    inner_x = (x[0] + rail, x[1] - rail)
    face = (-DOOR - 0.007, -DOOR + 0.002)
    frame = [
        *(slab(material, side, face, z, along="z") for side in ends(x, rail)),
        *(slab(material, inner_x, face, level) for level in ends(z, rail)),
    ]
    knob_x, knob_z = (x[1] if hinge_left else x[0]) - (rail / 2 if hinge_left else -rail / 2), sum(z) / 2 + 0.1
    parts = [
        slab(material, x, (-DOOR, -GAP), z, along="z"),
        *seen_only(frame),
        rod(knob, 0.008, (knob_x, face[0], knob_z), (knob_x, face[0] - 0.02, knob_z)),
        ball(knob, 0.017, (knob_x, face[0] - 0.028, knob_z)),
    ]
    return hinged(name, x, hinge_left, parts, 1.75)


def double_doors(width: float, z: Span, material: Material, knob: Material) -> list[Leaf]:
    """A pair of panel doors that meet in the middle."""
    half = width / 2
    left, right = (-half + GAP, -GAP / 2), (GAP / 2, half - GAP)
    return [
        panel_door("left door", left, z, True, material, knob),
        panel_door("right door", right, z, False, material, knob),
    ]


def drawer_front(x: Span, z: Span, front: Material, handle: Material) -> list[Part]:
    """The face of a drawer before the plane y = 0, with a bar to pull it by."""
    middle, grip, out = sum(x) / 2, sum(z) / 2, -DOOR - 0.032
    reach = min(0.09, (x[1] - x[0]) * 0.3)
    return [
        slab(front, x, (-DOOR, 0.0), z, bevel=0.004),
        rod(handle, 0.008, (middle - reach, out, grip), (middle + reach, out, grip)),
        *(
            rod(handle, 0.006, (at, out, grip), (at, -DOOR, grip))
            for at in (middle - reach * 0.9, middle + reach * 0.9)
        ),
    ]


def drawer(name: str, x: Span, z: Span, depth: float, front: Material, handle: Material) -> tuple[Leaf, Cavity]:
    """A drawer with its front before the plane y = 0, and the room inside it."""
    wall, inner = 0.012, (x[0] + 0.02, x[1] - 0.02)
    # No deeper than one can see into over its front.
    deep, floor, rim = (0.0, depth - 0.03), max(z[0] + 0.012, z[1] - SHALLOW), z[1] - 0.04
    parts = [
        *drawer_front(x, z, front, handle),
        slab(_DRAWER_WOOD, inner, deep, (floor, floor + 0.01)),
        *(slab(_DRAWER_WOOD, side, deep, (floor, rim)) for side in ends(inner, wall)),
        slab(_DRAWER_WOOD, inner, (deep[1] - wall, deep[1]), (floor, rim)),
    ]
    leaf = Leaf(name, "slide", (0.0, -1.0, 0.0), (0.0, 0.0, 0.0), round(depth * 0.8, 3), tuple(parts))
    low, high = floor + 0.011, z[1] - 0.004
    wide, long = inner[1] - inner[0] - 2 * wall - 2 * _FREE, deep[1] - wall - 2 * _FREE
    return leaf, Cavity((sum(x) / 2, _FREE + long / 2, (low + high) / 2), (wide, long, high - low), leaf=name)

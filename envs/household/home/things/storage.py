"""Furniture that holds things: cabinets with doors or drawers, bookcases open and with doors, cartons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from envs.household.home.model import Cavity, Leaf, Part, Surface, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BRASS, DARK_STEEL, STEEL, WHITE, furniture_wood, paint
from envs.household.home.things.parts import Span, assembled, ball, rod, slab, span
from envs.render.scene import Material

BOARD = 0.022
DOOR = 0.02
GAP = 0.003
"""Between a door and what is beside it."""
PLINTH = 0.07


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
    def levels(self) -> list[Span]:
        """The free heights between the boards, from below."""
        floors = [self.foot + BOARD, *(board + BOARD for board in self.boards)]
        return list(zip(floors, [*self.boards, self.height - BOARD], strict=True))

    def parts(self) -> list[Part]:
        """Sides, back, plinth and boards."""
        x, inside = span(0.0, self.width), span(0.0, self.width - 2 * BOARD)
        deep, wood = (0.0, self.depth), self.material
        sides = [
            slab(wood, side, deep, (0.0, self.height), along="z") for side in ((x[0], inside[0]), (inside[1], x[1]))
        ]
        level = [slab(wood, inside, deep, (z, z + BOARD)) for z in (self.foot, *self.boards, self.height - BOARD)]
        back = slab(wood, inside, (self.depth - 0.008, self.depth), (self.foot + BOARD, self.height - BOARD))
        plinth = slab(wood, inside, (0.03, 0.05), (0.0, self.foot))
        return [*sides, *level, back, plinth]

    def cavities(self) -> list[Cavity]:
        """The room above each board."""
        size = (self.width - 2 * BOARD - 0.01, self.depth - 0.03)
        return [
            Cavity((0.0, 0.005 + size[1] / 2, (low + high) / 2), (*size, high - low - 0.002))
            for low, high in self.levels
        ]

    def top(self) -> Surface:
        """The upper side, on which things can be put."""
        return Surface((0.0, self.depth / 2, self.height), (self.width - 0.04, self.depth - 0.04))


def panel_door(name: str, x: Span, z: Span, hinge_left: bool, material: Material, knob: Material) -> Leaf:
    """A framed door in front of the plane y = 0."""
    rail = 0.07
    field = (x[0] + rail, x[1] - rail), (z[0] + rail, z[1] - rail)
    knob_x = x[1] - rail / 2 if hinge_left else x[0] + rail / 2
    knob_z = (z[0] + z[1]) / 2 + 0.1
    parts = [
        slab(material, x, (-DOOR, -GAP), z, bevel=0.002, along="z"),
        slab(material, *_on(field[0], -DOOR), field[1], bevel=0.004, along="z"),
        rod(knob, 0.006, (knob_x, -DOOR, knob_z), (knob_x, -DOOR - 0.018, knob_z)),
        ball(knob, 0.014, (knob_x, -DOOR - 0.026, knob_z)),
    ]
    return hinged(name, x, hinge_left, parts, 1.75)


def _on(x: Span, front: float) -> tuple[Span, Span]:
    return x, (front - 0.006, front)


def hinged(name: str, x: Span, hinge_left: bool, parts: Sequence[Part], travel: float, y: float = -DOOR) -> Leaf:
    """A leaf that swings to the front about its left or right edge, seen from the front."""
    anchor = (x[0] if hinge_left else x[1], y, 0.0)
    return Leaf(name, "hinge", (0.0, 0.0, -1.0 if hinge_left else 1.0), anchor, travel, tuple(parts))


def double_doors(width: float, z: Span, material: Material, knob: Material) -> list[Leaf]:
    """A pair of panel doors."""
    half = width / 2
    left, right = (-half + GAP, -GAP / 2), (GAP / 2, half - GAP)
    return [
        panel_door("left door", left, z, True, material, knob),
        panel_door("right door", right, z, False, material, knob),
    ]


def cabinet(order: Order) -> Thing:
    """A cabinet: two panel doors with shelves behind them, or drawers, or a steel file cabinet."""
    if "file" in order.options:
        return _file_cabinet(order)
    if "drawers" in order.options:
        return _chest(order)
    width, depth, height = order.between(0.84, 0.96), order.between(0.42, 0.48), order.between(0.92, 1.08)
    case = order.pick(WHITE, furniture_wood(order), paint((0.36, 0.50, 0.52)), paint((0.55, 0.60, 0.50)))
    middle = round(PLINTH + (height - PLINTH) * 0.5, 3)
    carcass = Carcass(width, depth, height, (middle,), case)
    doors = double_doors(width, (PLINTH, height - GAP), case, order.pick(BRASS, STEEL))
    return assembled(
        order, carcass.parts(), mass=45.0, leaves=doors, surfaces=[carcass.top()], cavities=carcass.cavities()
    )


def drawer(name: str, x: Span, z: Span, depth: float, front: Material, handle: Material) -> tuple[Leaf, Cavity]:
    """A drawer with its front before the plane y = 0, and the room inside it."""
    wall, inner = 0.012, (x[0] + 0.03, x[1] - 0.03)
    deep, tall = (0.0, depth - 0.04), (z[0] + 0.012, z[1] - 0.035)
    box = paint((0.86, 0.78, 0.64), 0.0)
    middle, grip = sum(x) / 2, (z[0] + z[1]) / 2
    parts = [
        slab(front, x, (-DOOR, 0.0), z, bevel=0.003),
        slab(box, inner, deep, (tall[0], tall[0] + 0.01)),
        slab(box, (inner[0], inner[0] + wall), deep, tall),
        slab(box, (inner[1] - wall, inner[1]), deep, tall),
        slab(box, inner, (deep[1] - wall, deep[1]), tall),
        rod(handle, 0.006, (middle - 0.07, -DOOR - 0.025, grip), (middle + 0.07, -DOOR - 0.025, grip)),
        *(rod(handle, 0.005, (middle + s, -DOOR - 0.025, grip), (middle + s, -DOOR, grip)) for s in (-0.065, 0.065)),
    ]
    leaf = Leaf(name, "slide", (0.0, -1.0, 0.0), (0.0, 0.0, 0.0), round(depth * 0.78, 3), tuple(parts))
    size = (inner[1] - inner[0] - 2 * wall - 0.004, deep[1] - wall - 0.004, z[1] - 0.004 - tall[0] - 0.011)
    centre = (middle, deep[0] + 0.002 + size[1] / 2, tall[0] + 0.0105 + size[2] / 2)
    return leaf, Cavity(centre, size, leaf=name)


def _drawers(order: Order, carcass: Carcass, count: int, front: Material, handle: Material) -> Thing:
    """A case full of drawers, without boards between them."""
    room = carcass.height - BOARD - carcass.foot - BOARD
    names = ["drawer"] if count == 1 else [f"drawer {number + 1}" for number in range(count)]
    step = room / count
    low = carcass.foot + BOARD
    x = span(0.0, carcass.width - 2 * BOARD - 2 * GAP)
    made = [
        drawer(name, x, (low + step * level + GAP, low + step * (level + 1) - GAP), carcass.depth, front, handle)
        for level, name in enumerate(names)
    ]
    return assembled(
        order,
        carcass.parts(),
        mass=40.0,
        leaves=[leaf for leaf, _ in made],
        surfaces=[carcass.top()],
        cavities=[cavity for _, cavity in made],
    )


def _chest(order: Order) -> Thing:
    width, depth, height = order.between(0.78, 0.9), order.between(0.46, 0.52), order.between(0.78, 0.88)
    case = furniture_wood(order)
    front = order.pick(WHITE, case)
    return _drawers(order, Carcass(width, depth, height, (), case), 3, front, order.pick(STEEL, BRASS))


def _file_cabinet(order: Order) -> Thing:
    case = paint(order.pick((0.55, 0.58, 0.61), (0.30, 0.36, 0.42), (0.72, 0.70, 0.62)), 0.3)
    return _drawers(order, Carcass(0.5, 0.6, order.between(0.98, 1.06), (), case), 3, case, DARK_STEEL)


def shelf(order: Order) -> Thing:
    """A bookcase with open boards; with the option `doors` a shelf unit that can be shut."""
    width, depth = order.between(0.84, 0.98), order.between(0.32, 0.36)
    case = furniture_wood(order)
    if "doors" in order.options:
        height = order.between(1.3, 1.42)
        boards = tuple(round(PLINTH + (height - PLINTH) * share, 3) for share in (0.33, 0.66))
        carcass = Carcass(width, depth + 0.08, height, boards, case)
        doors = double_doors(width, (PLINTH, height - GAP), case, STEEL)
        return assembled(
            order, carcass.parts(), mass=60.0, leaves=doors, surfaces=[carcass.top()], cavities=carcass.cavities()
        )
    height = order.between(1.28, 1.4)
    boards = tuple(round(PLINTH + (height - PLINTH) * share, 3) for share in (0.27, 0.53, 0.77))
    carcass = Carcass(width, depth, height, boards, case)
    surfaces = [
        Surface((0.0, depth / 2, low), (width - 2 * BOARD - 0.02, depth - 0.04), high - low)
        for low, high in carcass.levels
    ]
    return assembled(order, carcass.parts(), mass=35.0, surfaces=[*surfaces, carcass.top()])


KINDS = (Kind("cabinet", cabinet, ("drawers", "file")), Kind("shelf", shelf, ("doors",)))

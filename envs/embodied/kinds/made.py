"""Helpers for making kinds: named colours, and things from a list of parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from envs.household.home.model import Cavity, Leaf, Part, Surface, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import paint
from envs.household.home.things.parts import assembled, movable, rod, slab, span
from envs.render.scene import Colour, Material

COLOURS: dict[str, Colour] = {
    "red": (0.76, 0.13, 0.12),
    "orange": (0.95, 0.52, 0.10),
    "yellow": (0.96, 0.84, 0.22),
    "green": (0.20, 0.56, 0.26),
    "blue": (0.14, 0.34, 0.74),
    "purple": (0.50, 0.24, 0.66),
    "pink": (0.95, 0.55, 0.68),
    "white": (0.94, 0.94, 0.93),
    "grey": (0.56, 0.57, 0.58),
    "black": (0.07, 0.07, 0.08),
    "brown": (0.42, 0.25, 0.13),
    "beige": (0.88, 0.77, 0.58),
}
"""Colours that people agree on."""
BRIGHT = ("red", "yellow", "green", "blue", "purple", "orange", "pink", "white")
CALM = ("blue", "green", "red", "grey", "brown", "beige")

Shapes: TypeAlias = Callable[[Order, Material], Sequence[Part]]


def coat(name: str, gloss: float = 0.12) -> Material:
    """Paint of a named colour."""
    return paint(COLOURS[name], gloss)


def box(
    material: Material,
    wide: float,
    deep: float,
    low: float,
    high: float,
    x: float = 0.0,
    y: float = 0.0,
    bevel: float = 0.004,
) -> Part:
    """A box over a point of the ground, from one height to another."""
    return slab(material, span(x, wide), span(y, deep), (low, high), bevel=min(bevel, (high - low) / 2.1))


def post(material: Material, radius: float, low: float, high: float, x: float = 0.0, y: float = 0.0) -> Part:
    """An upright cylinder over a point of the ground."""
    return rod(material, radius, (x, y, low), (x, y, high))


def small(name: str, colours: Sequence[str], mass: float, shapes: Shapes, gloss: float = 0.15) -> Kind:
    """A kind that can be carried, in several colours."""

    def make(order: Order) -> Thing:
        return movable(order, list(shapes(order, coat(order.pick(*colours), gloss))), mass)

    return Kind(name, make, movable=True)


def stands(
    order: Order,
    parts: Sequence[Part],
    *surfaces: Surface,
    leaves: Sequence[Leaf] = (),
    cavities: Sequence[Cavity] = (),
) -> Thing:
    """A piece of furniture."""
    return assembled(order, parts, mass=20.0, surfaces=surfaces, leaves=leaves, cavities=cavities)


def top(height: float, wide: float, deep: float, y: float = 0.0, clearance: float = 1.0) -> Surface:
    """A surface to put things on."""
    return Surface((0.0, y, height), (wide, deep), clearance)

"""Materials of a home and the colours they come in."""

from __future__ import annotations

from envs.household.home.things.kind import Order
from envs.render.scene import Brushed, Clouds, Colour, Material, Plain, Speckle, Weave, Wood


def paint(colour: Colour, gloss: float = 0.08) -> Material:
    """One colour all over; cloth and paper have no gloss, glaze and lacquer much."""
    return Material(Plain(colour), gloss)


OAK = ((0.80, 0.63, 0.42), (0.58, 0.41, 0.24))
BIRCH = ((0.88, 0.77, 0.60), (0.70, 0.55, 0.38))
WALNUT = ((0.52, 0.36, 0.24), (0.30, 0.19, 0.12))
CHERRY = ((0.66, 0.36, 0.20), (0.44, 0.20, 0.11))

STEEL = Material(Brushed((0.78, 0.80, 0.82)), 0.5)
DARK_STEEL = paint((0.34, 0.36, 0.39), 0.4)
BRASS = paint((0.86, 0.68, 0.30), 0.5)
BLACK = paint((0.07, 0.07, 0.08), 0.25)
WHITE = paint((0.94, 0.94, 0.92), 0.2)
RUBBER = paint((0.12, 0.12, 0.13), 0.05)
PAPER = paint((0.97, 0.96, 0.92), 0.0)
INK = paint((0.15, 0.16, 0.22), 0.0)
CARDBOARD = Material(Clouds((0.76, 0.58, 0.38), (0.68, 0.50, 0.31), 0.12))
CARDBOARD_INSIDE = Material(Clouds((0.66, 0.49, 0.31), (0.58, 0.42, 0.26), 0.12))
TAPE = paint((0.86, 0.76, 0.52), 0.45)


def wood(tones: tuple[Colour, Colour], grain: int, board: float = 0.0) -> Material:
    """A wood by its light and dark tone; `grain` picks the piece."""
    return Material(Wood(*tones, grain, board), 0.06)


def wood_of(colour: Colour, grain: int) -> Material:
    """A plain piece of wood of about this colour."""
    return wood((colour, darker(colour, 0.25)), grain)


def darker(colour: Colour, share: float) -> Colour:
    """The colour with a part of its light taken away."""
    red, green, blue = (round(channel * (1.0 - share), 4) for channel in colour)
    return red, green, blue


def furniture_wood(order: Order) -> Material:
    """A wood for a piece of furniture."""
    return wood(order.pick(OAK, WALNUT, BIRCH, CHERRY), order.grain())


def stone(colour: Colour, grain: int) -> Material:
    """Polished stone with grains of a darker and lighter tone."""
    return Material(Speckle(colour, darker(colour, 0.35), 0.008, 0.4, grain), 0.35)


def cloth(colour: Colour, grain: int, thread: float = 0.006) -> Material:
    """Woven stuff of about this colour."""
    return Material(Weave(colour, darker(colour, 0.16), thread, grain))

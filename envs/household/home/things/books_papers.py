"""Books, papers, markers and storage boxes."""

from __future__ import annotations

from envs.household.home.model import Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import INK, PAPER, darker, paint
from envs.household.home.things.parts import felt, movable, on_front, on_top, rod, seen_only, slab, span
from envs.household.home.things.turns import about, moved
from envs.render.scene import Colour, Label, Layers, Material, Stripes

BINDINGS: tuple[Colour, ...] = ((0.50, 0.07, 0.11), (0.07, 0.17, 0.44), (0.06, 0.30, 0.19), (0.26, 0.13, 0.38))
COVERS: tuple[Colour, ...] = ((0.99, 0.79, 0.16), (0.28, 0.72, 0.84), (0.96, 0.50, 0.42), (0.60, 0.81, 0.34))
CARDS: tuple[Colour, ...] = ((0.93, 0.75, 0.42), (0.36, 0.60, 0.80), (0.86, 0.42, 0.36), (0.50, 0.72, 0.46))
GOLD = paint((0.90, 0.72, 0.28), 0.4)
PAGES = Material(Layers((0.97, 0.94, 0.85), (0.80, 0.74, 0.60), 0.002))


def hardback(order: Order) -> Thing:
    """A thick bound book lying flat: stiff dark boards that stand out over pale pages, gold on cover and spine."""
    width, depth, thick = order.between(0.18, 0.195), order.between(0.25, 0.27), order.between(0.052, 0.06)
    board, cloth = 0.006, paint(order.pick(*BINDINGS), 0.15)
    x, y = span(0.0, width), span(0.0, depth)
    back = (x[0] - 0.008, x[0] + board)
    parts = [
        slab(cloth, x, y, (0.0, board), bevel=0.002),
        slab(cloth, x, y, (thick - board, thick), bevel=0.002),
        slab(cloth, back, y, (0.0, thick), bevel=0.006),
        slab(PAGES, (x[0] + board, x[1] - 0.010), (y[0] + 0.010, y[1] - 0.010), (board, thick - board)),
    ]
    rim, line = 0.016, 0.005
    frame = [
        on_top(dye, (x[0] + far, x[1] - far), (y[0] + far, y[1] - far), thick, level)
        for dye, far, level in ((GOLD, rim, 1), (cloth, rim + line, 2))
    ]
    title = [on_top(GOLD, span(0.0, wide), span(at, 0.014), thick, 3) for wide, at in ((0.10, 0.055), (0.066, 0.028))]
    bands = seen_only(
        slab(GOLD, (back[0] - 0.001, back[1]), span(at * depth, 0.012), (0.007, thick - 0.007)) for at in (-0.36, 0.36)
    )
    return movable(order, [*parts, *frame, *title, *bands], 0.9)


def book(order: Order) -> Thing:
    """A paperback lying flat: thin, its bright cover flush with the pages, printed with a title and a picture."""
    width, depth, thick = order.between(0.16, 0.175), order.between(0.22, 0.24), order.between(0.024, 0.03)
    colour = order.pick(*COVERS)
    cover, cap = paint(colour, 0.25), thick - 0.003
    x, y = span(0.0, width), span(0.0, depth)
    text = (width * 0.84, 0.05)
    title = Material(Label(order.pick("STORIES", "TRAVEL", "POEMS", "GARDEN"), text, side="+z"), 0.25)
    picture = paint(darker(colour, 0.6), 0.2)
    parts = [
        slab(cover, x, y, (0.0, 0.003)),
        slab(cover, x, y, (cap, thick)),
        slab(cover, (x[0], x[0] + 0.003), y, (0.003, cap)),
        slab(PAGES, (x[0] + 0.003, x[1] - 0.001), (y[0] + 0.001, y[1] - 0.001), (0.003, cap)),
        on_top(title, span(0.0, text[0]), span(depth * 0.3, text[1]), thick),
        on_top(picture, span(0.0, width * 0.74), span(-depth * 0.13, depth * 0.5), thick),
        rod(PAPER, 0.034, (0.0, -depth * 0.10, cap), (0.0, -depth * 0.10, thick + 0.0018), solid=False),
    ]
    return movable(order, parts, 0.3)


def document(order: Order) -> Thing:
    """A few printed sheets of white paper, stapled at a corner."""
    width, depth, thick = 0.21, 0.297, 0.005
    x = span(0.0, width - 0.044)
    heading = paint(order.pick((0.08, 0.24, 0.62), (0.72, 0.10, 0.10), (0.08, 0.45, 0.24), (0.25, 0.25, 0.28)), 0.0)
    lines = Material(Stripes(((0.97, 0.96, 0.92), (0.22, 0.23, 0.28)), 0.008, "y"))

    parts = [
        slab(PAPER, span(0.0, width), span(0.0, depth), (0.0, thick)),
        on_top(heading, (x[0], x[0] + 0.11), (0.104, 0.126), thick),
        on_top(lines, x, (0.012, 0.092), thick),
        on_top(lines, (x[0], x[1] - 0.05), (-0.004, 0.012), thick),
        on_top(lines, x, (-0.116, -0.02), thick),
        on_top(paint((0.55, 0.56, 0.6), 0.5), (-0.098, -0.078), (0.136, 0.139), thick, 2),
    ]
    return movable(order, parts, 0.08)


def folder(order: Order) -> Thing:
    """A cardboard folder that gapes a little over the papers in it, with a tab and a label."""
    width, depth, thick = 0.24, 0.32, 0.012
    colour = order.pick(*CARDS)
    card, inner = paint(colour, 0.05), paint(darker(colour, 0.18), 0.05)
    x, y = span(0.0, width), span(0.0, depth)
    label = (0.10, 0.05)
    text = Material(Label("FILES", label, side="+z"))
    flap = [
        slab(card, (0.0, width), (y[0], y[1] - 0.02), (0.0, 0.003)),
        on_top(text, span(width * 0.5, label[0]), span(-0.03, label[1]), 0.003),
    ]
    parts = [
        slab(inner, x, y, (0.0, 0.003)),
        slab(inner, (x[0] + 0.03, x[0] + 0.12), (y[1], y[1] + 0.022), (0.0, 0.003)),
        slab(PAPER, (x[0] + 0.006, x[1] - 0.008), (y[0] + 0.008, y[1] - 0.004), (0.003, thick)),
        *moved(flap, (x[0], 0.0, thick), about("y", -0.10)),
    ]
    return movable(order, parts, 0.25)


def marker(order: Order) -> Thing:
    """A thick felt-tip marker lying on its side, cap and end in the colour it writes."""
    colour = order.pick((0.86, 0.08, 0.10), (0.08, 0.26, 0.80), (0.06, 0.54, 0.22), (0.52, 0.14, 0.60))
    radius, long = order.between(0.014, 0.016), order.between(0.16, 0.175)
    ink, white = paint(colour, 0.35), paint((0.95, 0.95, 0.95), 0.35)

    def piece(material: Material, low: float, high: float, wide: float) -> Part:
        return rod(material, wide * radius, (low * long, 0.0, radius), (high * long, 0.0, radius), solid=False)

    parts = [
        piece(ink, -0.5, -0.12, 1.0),
        piece(white, -0.12, 0.42, 0.92),
        piece(ink, 0.42, 0.5, 0.86),
        piece(ink, 0.16, 0.22, 0.94),
        slab(
            ink, (-0.46 * long, -0.14 * long), span(0.0, 0.008), (2 * radius - 0.001, 2 * radius + 0.003), solid=False
        ),
    ]
    return movable(
        order, [*parts, *felt([slab(ink, span(0.0, long), span(0.0, radius * 1.6), (0.0, 2 * radius))])], 0.04
    )


def box(order: Order) -> Thing:
    """A storage box of coloured card: a lid with a deep rim, a label in a frame."""
    width, depth, height = order.between(0.24, 0.28), order.between(0.17, 0.2), order.between(0.13, 0.15)
    colour = order.pick((0.32, 0.50, 0.74), (0.86, 0.54, 0.62), (0.44, 0.62, 0.52), (0.60, 0.50, 0.72))
    front = -depth / 2
    text = (0.09, 0.04)
    label = Material(Label("PHOTOS", text))
    parts = [
        slab(paint(colour, 0.1), span(0.0, width - 0.008), span(0.0, depth - 0.008), (0.0, height - 0.04)),
        slab(paint(darker(colour, 0.3), 0.1), span(0.0, width), span(0.0, depth), (height - 0.04, height), bevel=0.002),
        on_front(INK, span(0.0, 0.1), (0.025, 0.075), front + 0.004),
        on_front(label, span(0.0, text[0]), span(0.05, text[1]), front + 0.004, 2),
    ]
    return movable(order, parts, 0.4)


KINDS = (
    Kind("hardback", hardback, movable=True, resembles=("book",)),
    Kind("book", book, movable=True, resembles=("hardback",)),
    Kind("document", document, movable=True),
    Kind("folder", folder, movable=True, resembles=("book", "document")),
    Kind("marker", marker, movable=True),
    Kind("box", box, movable=True, resembles=("carton",)),
)

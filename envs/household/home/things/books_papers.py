"""Things to read and write, and what they are kept in."""

from __future__ import annotations

from envs.household.home.model import Part, Thing
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import CARDBOARD, INK, PAPER, darker, paint
from envs.household.home.things.parts import felt, movable, rod, seen_only, slab, span
from envs.render.scene import Colour, Material

BINDINGS: tuple[Colour, ...] = ((0.48, 0.08, 0.12), (0.08, 0.18, 0.42), (0.08, 0.30, 0.20), (0.26, 0.14, 0.36))
COVERS: tuple[Colour, ...] = ((0.98, 0.78, 0.18), (0.30, 0.72, 0.82), (0.95, 0.50, 0.44), (0.60, 0.80, 0.36))
GOLD = paint((0.88, 0.70, 0.28), 0.4)
PAGES = paint((0.95, 0.91, 0.80), 0.0)


def hardback(order: Order) -> Thing:
    """A thick bound book lying flat: stiff dark boards that stand out over pale pages, gold on cover and spine."""
    width, depth, thick = order.between(0.165, 0.18), order.between(0.235, 0.25), order.between(0.045, 0.055)
    board, cloth = 0.005, paint(order.pick(*BINDINGS), 0.15)
    x, y = span(0.0, width), span(0.0, depth)
    parts = [
        slab(cloth, x, y, (0.0, board)),
        slab(cloth, x, y, (thick - board, thick)),
        slab(cloth, (x[0] - 0.006, x[0] + board), y, (0.0, thick), bevel=0.004),
        slab(PAGES, (x[0] + board, x[1] - 0.008), (y[0] + 0.008, y[1] - 0.008), (board, thick - board)),
    ]
    return movable(order, [*parts, *_gilding(x, y, thick)], 0.9)


def _gilding(x: tuple[float, float], y: tuple[float, float], thick: float) -> tuple[Part, ...]:
    top = (thick, thick + 0.0006)
    back = (x[0] - 0.0066, x[0] - 0.006)
    bands = [slab(GOLD, back, span(at, 0.006), (0.004, thick - 0.004)) for at in (-0.08, -0.04, 0.05, 0.085)]
    rim = 0.014
    frame = [
        *(slab(GOLD, (x[0] + rim, x[1] - rim), span(at, 0.004), top) for at in (y[0] + rim, y[1] - rim)),
        *(slab(GOLD, span(at, 0.004), (y[0] + rim, y[1] - rim), top) for at in (x[0] + rim, x[1] - rim)),
    ]
    title = [slab(GOLD, span(0.0, wide), span(at, 0.012), top) for wide, at in ((0.09, 0.05), (0.06, 0.025))]
    return seen_only([*bands, *frame, *title])


def book(order: Order) -> Thing:
    """A thin paperback lying flat, its bright cover printed with a picture and a title."""
    width, depth, thick = order.between(0.15, 0.165), order.between(0.21, 0.225), order.between(0.02, 0.026)
    colour = order.pick(*COVERS)
    cover = paint(colour, 0.25)
    x, y = span(0.0, width), span(0.0, depth)
    top = (thick, thick + 0.0006)
    print_ = paint(darker(colour, 0.55), 0.1)
    parts = [
        slab(cover, x, y, (0.0, 0.002)),
        slab(cover, x, y, (thick - 0.002, thick)),
        slab(cover, (x[0], x[0] + 0.002), y, (0.0, thick)),
        slab(PAGES, (x[0] + 0.002, x[1] - 0.001), (y[0] + 0.001, y[1] - 0.001), (0.002, thick - 0.002)),
        *seen_only(
            [
                slab(PAPER, span(0.0, width * 0.8), span(depth * 0.3, 0.045), top),
                *(
                    slab(INK, span(0.0, width * wide), span(depth * 0.3 + at, 0.01), (thick, thick + 0.001))
                    for wide, at in ((0.66, 0.009), (0.4, -0.01))
                ),
                slab(print_, span(0.0, width * 0.7), span(-depth * 0.14, depth * 0.42), top),
                rod(PAPER, 0.03, (0.0, -depth * 0.12, thick), (0.0, -depth * 0.12, thick + 0.001)),
            ]
        ),
    ]
    return movable(order, parts, 0.3)


def document(order: Order) -> Thing:
    """A few printed sheets of white paper, stapled."""
    width, depth, thick = 0.21, 0.297, 0.005
    lines = 12
    top = (thick, thick + 0.0005)
    heading = paint(order.pick((0.10, 0.25, 0.60), (0.70, 0.12, 0.12), (0.10, 0.45, 0.25), (0.2, 0.2, 0.2)), 0.0)
    ink: list[Part] = [slab(heading, (-0.085, 0.03), span(depth / 2 - 0.03, 0.014), top)]
    for number in range(lines):
        end = 0.02 if number in (4, lines - 1) else 0.085
        ink.append(slab(INK, (-0.085, end), span(depth / 2 - 0.06 - number * 0.018, 0.005), top))
    staple = slab(
        paint((0.6, 0.6, 0.62), 0.5), (-0.095, -0.075), span(depth / 2 - 0.012, 0.002), (thick, thick + 0.001)
    )
    sheet = slab(PAPER, span(0.0, width), span(0.0, depth), (0.0, thick))
    return movable(order, [sheet, *seen_only([*ink, staple])], 0.08)


def folder(order: Order) -> Thing:
    """A cardboard folder with a tab, papers peeping out."""
    width, depth, thick = 0.235, 0.315, 0.016
    colour = order.pick((0.93, 0.74, 0.36), (0.28, 0.55, 0.80), (0.84, 0.34, 0.30), (0.42, 0.70, 0.42))
    card, inner = paint(colour, 0.05), paint(darker(colour, 0.15), 0.05)
    x, y = span(0.0, width), span(0.0, depth)
    label = slab(PAPER, (x[0] + 0.05, x[0] + 0.15), span(-0.05, 0.05), (thick, thick + 0.0006))
    print_ = [
        slab(INK, (x[0] + 0.06, x[0] + end), span(at, 0.005), (thick, thick + 0.001))
        for end, at in ((0.14, -0.04), (0.12, -0.058))
    ]
    parts = [
        slab(inner, x, y, (0.0, 0.003)),
        slab(inner, (x[0] + 0.02, x[0] + 0.1), (y[1], y[1] + 0.02), (0.0, 0.003)),
        slab(PAPER, (x[0] + 0.004, x[1] - 0.006), (y[0] + 0.006, y[1] + 0.006), (0.003, thick - 0.003)),
        slab(card, x, (y[0], y[1] - 0.012), (thick - 0.003, thick), bevel=0.001),
        *seen_only([label, *print_]),
    ]
    return movable(order, parts, 0.25)


def marker(order: Order) -> Thing:
    """A thick felt-tip marker lying on its side."""
    colour = order.pick((0.85, 0.10, 0.12), (0.10, 0.28, 0.78), (0.10, 0.55, 0.24), (0.10, 0.10, 0.12))
    radius, long = order.between(0.012, 0.014), order.between(0.145, 0.155)
    ink, white = paint(colour, 0.3), paint((0.95, 0.95, 0.95), 0.3)
    ends = {"cap": (-long / 2, -long * 0.14), "barrel": (-long * 0.14, long * 0.42), "end": (long * 0.42, long / 2)}

    def piece(material: Material, part: str, wide: float) -> Part:
        low, high = ends[part]
        return rod(material, wide, (low, 0.0, radius), (high, 0.0, radius), solid=False)

    hard = slab(white, span(0.0, long), span(0.0, radius * 1.6), (0.0, 2 * radius))
    clip = slab(
        ink, (-long * 0.45, -long * 0.16), span(0.0, 0.006), (2 * radius - 0.001, 2 * radius + 0.003), solid=False
    )
    parts = [piece(ink, "cap", radius), piece(white, "barrel", radius * 0.92), piece(ink, "end", radius * 0.86), clip]
    return movable(order, [*parts, *felt([hard])], 0.04)


def box(order: Order) -> Thing:
    """A small gift or shoe box with a lid and a ribbon of another colour."""
    width, depth, height = order.between(0.2, 0.24), order.between(0.15, 0.18), order.between(0.11, 0.13)
    colour, lid = order.pick(
        ((0.30, 0.48, 0.72), (0.20, 0.36, 0.60)),
        ((0.84, 0.52, 0.60), (0.72, 0.36, 0.46)),
        ((0.88, 0.86, 0.80), (0.50, 0.56, 0.60)),
    )
    parts = [
        slab(paint(colour, 0.1), span(0.0, width - 0.006), span(0.0, depth - 0.006), (0.0, height - 0.02)),
        slab(paint(lid, 0.1), span(0.0, width), span(0.0, depth), (height - 0.04, height)),
        slab(PAPER, span(0.0, 0.07), (-depth / 2 - 0.001, -depth / 2 + 0.004), (0.02, 0.055), solid=False),
        slab(CARDBOARD, span(0.0, 0.05), (-depth / 2 - 0.0015, -depth / 2 + 0.004), (0.03, 0.036), solid=False),
    ]
    return movable(order, parts, 0.4)


KINDS = (
    Kind("hardback", hardback, movable=True),
    Kind("book", book, movable=True),
    Kind("document", document, movable=True),
    Kind("folder", folder, movable=True),
    Kind("marker", marker, movable=True),
    Kind("box", box, movable=True),
)

"""Furniture of public places: shops, offices, classrooms, galleries, gyms, restaurants, libraries, waiting rooms."""

from __future__ import annotations

from math import cos, pi, sin

from envs.embodied.kinds.made import BRIGHT, CALM, COLOURS, box, coat, post, stands, top
from envs.household.home.model import Cavity, Part, Surface, Thing
from envs.household.home.things.casework import hinged
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BLACK, BRASS, DARK_STEEL, STEEL, cloth, furniture_wood, stone
from envs.household.home.things.parts import ball, on_front, rod, shown, slab, span
from envs.household.home.things.tables import legs
from envs.household.home.things.turns import about
from envs.render.forms import capsule, ellipsoid, frustum, prism, ring, tube
from envs.render.scene import Gradient, Label, Material, Plain

_WHITE, _GREY, _RED, _GREEN = coat("white"), coat("grey"), coat("red"), coat("green")
_YELLOW, _BLUE, _BROWN, _ORANGE = coat("yellow"), coat("blue"), coat("brown"), coat("orange")
_GLASS = Material(Gradient((0.80, 0.88, 0.90), (0.86, 0.94, 0.96), -0.5, 0.5), 0.5, 0.2)
_LAID, _TIPPED = about("y", pi / 2), about("x", pi / 2)


def whiteboard(order: Order) -> Thing:
    """A board on the wall with a few words on it."""
    text = order.pick("EXAM\nMONDAY", "2 + 5 = 7", "HELLO\nCLASS", "TEAM\nMEETING", "SALE\n50 %", "LUNCH\nAT NOON")
    face = Material(Label(text, (1.5, 0.9), paper=(0.96, 0.97, 0.97), ink=(0.10, 0.20, 0.60)))
    return stands(
        order, [box(STEEL, 1.6, 0.03, 0.0, 1.0), slab(face, span(0, 1.5), (-0.02, -0.014), (0.05, 0.95), solid=False)]
    )


def blackboard(order: Order) -> Thing:
    """A green board on the wall with chalk writing."""
    text = order.pick("3 x 4 = 12", "READ\nPAGE 9", "HISTORY\nTEST", "SING A\nSONG", "8 - 3 = 5")
    face = Material(Label(text, (1.7, 0.95), paper=(0.12, 0.32, 0.22), ink=(0.95, 0.95, 0.92)))
    return stands(
        order, [box(_BROWN, 1.8, 0.03, 0.0, 1.05), slab(face, span(0, 1.7), (-0.02, -0.014), (0.05, 1.0), solid=False)]
    )


def sign(order: Order) -> Thing:
    """A notice on the wall."""
    text = order.pick(
        "OPEN",
        "CLOSED",
        "QUIET\nPLEASE",
        "EXIT",
        "SALE",
        "NO\nSMOKING",
        "CASH\nONLY",
        "WAIT\nHERE",
        "MENU",
        "STAFF\nONLY",
    )
    paper = COLOURS[order.pick("yellow", "white", "red", "green", "blue")]
    ink = (0.96, 0.96, 0.95) if sum(paper) < 1.6 else (0.06, 0.06, 0.08)
    face = Material(Label(text, (0.52, 0.32), paper=paper, ink=ink))
    return stands(
        order,
        [box(BLACK, 0.56, 0.02, 0.0, 0.36), slab(face, span(0, 0.52), (-0.014, -0.008), (0.02, 0.34), solid=False)],
    )


def painting(order: Order) -> Thing:
    """A framed picture of one plain subject, which its option names."""
    frame = order.pick(coat("brown"), coat("black"), BRASS, coat("white"))
    sky, z0, z1 = Material(Plain((0.70, 0.86, 0.96))), 0.05, 0.65
    subject = next((option for option in order.options if option in SUBJECTS), SUBJECTS[order.number % len(SUBJECTS)])

    def flat(material: Material, points: list[tuple[float, float]], level: int) -> Part:
        # A prism about z, laid so that its outline stands upright before the canvas.
        return shown(material, prism(points, 0.003), (0.0, -0.018 - 0.003 * level, 0.35), _TIPPED)

    def disc(material: Material, x: float, z: float, r: float, level: int) -> Part:
        return rod(material, r, (x, -0.018, 0.35 + z), (x, -0.019 - 0.003 * level, 0.35 + z), solid=False)

    ground = {"ship": _BLUE, "mountain": _GREEN, "house": _GREEN, "tree": _GREEN, "sun": _BLUE, "fish": _BLUE}
    shapes: dict[str, list[Part]] = {
        "ship": [
            flat(_BROWN, [(-0.2, -0.08), (-0.13, -0.17), (0.13, -0.17), (0.2, -0.08)], 2),
            flat(_WHITE, [(-0.01, -0.06), (0.15, -0.06), (-0.01, 0.2)], 2),
            flat(_RED, [(-0.13, -0.06), (-0.03, -0.06), (-0.03, 0.14)], 2),
        ],
        "mountain": [
            flat(_GREY, [(-0.3, -0.14), (0.3, -0.14), (0.02, 0.22)], 1),
            flat(_WHITE, [(-0.065, 0.12), (0.085, 0.12), (0.02, 0.22)], 2),
        ],
        "house": [
            flat(_WHITE, [(-0.16, -0.18), (0.16, -0.18), (0.16, 0.04), (-0.16, 0.04)], 2),
            flat(_RED, [(-0.2, 0.04), (0.2, 0.04), (0.0, 0.2)], 2),
            flat(_BROWN, [(-0.04, -0.18), (0.04, -0.18), (0.04, -0.04), (-0.04, -0.04)], 3),
        ],
        "tree": [
            flat(_BROWN, [(-0.03, -0.2), (0.03, -0.2), (0.03, 0.0), (-0.03, 0.0)], 2),
            disc(coat("green"), 0.0, 0.08, 0.14, 2),
            disc(_RED, 0.05, 0.1, 0.02, 3),
            disc(_RED, -0.06, 0.05, 0.02, 3),
        ],
        "sun": [disc(_ORANGE, 0.0, 0.0, 0.13, 0), disc(_YELLOW, 0.0, 0.0, 0.1, 1)],
        "fish": [
            shown(_ORANGE, ellipsoid((0.3, 0.012, 0.16)), (-0.03, -0.026, 0.36)),
            flat(_ORANGE, [(0.1, 0.01), (0.2, -0.08), (0.2, 0.1)], 2),
            disc(BLACK, -0.11, 0.03, 0.014, 6),
        ],
        "flower": [
            flat(_GREEN, [(-0.012, -0.25), (0.012, -0.25), (0.012, 0.02), (-0.012, 0.02)], 1),
            *(disc(_RED, 0.09 * cos(k * pi / 3), 0.07 + 0.09 * sin(k * pi / 3), 0.055, 2) for k in range(6)),
            disc(_YELLOW, 0.0, 0.07, 0.05, 3),
        ],
        "heart": [
            disc(_RED, -0.07, 0.06, 0.085, 1),
            disc(_RED, 0.07, 0.06, 0.085, 1),
            flat(_RED, [(-0.148, 0.03), (0.0, -0.17), (0.148, 0.03)], 1),
        ],
    }
    horizon = (
        [slab(ground[subject], span(0, 0.7), (-0.021, -0.018), (z0, 0.24), solid=False)] if subject in ground else []
    )
    if subject == "fish":
        horizon = [slab(Material(Plain((0.30, 0.60, 0.86))), span(0, 0.7), (-0.021, -0.018), (z0, z1), solid=False)]
    parts = [
        box(frame, 0.8, 0.03, 0.0, 0.7),
        slab(sky, span(0, 0.7), (-0.018, -0.012), (z0, z1), solid=False),
        *horizon,
        *shapes[subject],
    ]
    return stands(order, parts)


SUBJECTS = ("ship", "mountain", "house", "tree", "sun", "fish", "flower", "heart")
"""What paintings show."""


def statue(order: Order) -> Thing:
    """A figure on a pedestal."""
    rock, metal = stone((0.84, 0.83, 0.80), order.grain()), order.pick(BRASS, _WHITE, DARK_STEEL, coat("green"))
    figures: tuple[list[Part], ...] = (
        [
            shown(metal, ellipsoid((0.22, 0.2, 0.3)), (0, 0, 1.2)),
            shown(metal, ellipsoid((0.16, 0.18, 0.24)), (0, 0, 1.45)),
        ],
        [shown(metal, ring(0.16, 0.07), (0, 0, 1.22), _TIPPED)],
        [shown(metal, frustum(0.18, 0.0, 0.5), (0, 0, 1.25))],
        [ball(metal, 0.19, (0, 0, 1.19))],
    )
    shape = figures[order.number % 4]
    return stands(
        order,
        [box(rock, 0.42, 0.42, 0.0, 0.08), box(rock, 0.34, 0.34, 0.08, 0.94), box(rock, 0.4, 0.4, 0.94, 1.0), *shape],
    )


def school_desk(order: Order) -> Thing:
    """A small table for one."""
    wood = furniture_wood(order)
    return stands(
        order,
        [slab(wood, span(0, 0.7), span(0, 0.5), (0.68, 0.71), bevel=0.006), *legs(STEEL, 0.7, 0.5, 0.68, 0.03, 0.03)],
        top(0.71, 0.62, 0.42),
    )


def shop_shelf(order: Order) -> Thing:
    """Three boards of goods, open at the front."""
    frame = coat(order.pick("white", "blue", "red", "grey"))
    boards = [box(frame, 1.2, 0.4, z, z + 0.03) for z in (0.1, 0.52, 0.94, 1.36)]
    goods: list[Part] = []
    for number in range(6):
        skin = coat(BRIGHT[(order.number * 3 + number) % len(BRIGHT)])
        goods += [box(skin, 0.13, 0.14, 0.13, 0.36, x=-0.5 + 0.2 * number)]
    return stands(
        order,
        [
            *boards,
            box(frame, 1.2, 0.03, 0.0, 1.5, y=0.2),
            *(box(frame, 0.04, 0.4, 0.0, 1.5, x=x) for x in (-0.6, 0.6)),
            *goods,
        ],
        *(Surface((0.0, -0.02, z), (1.1, 0.32), 0.36) for z in (0.55, 0.97)),
    )


def checkout(order: Order) -> Thing:
    """A counter with a till."""
    body = coat(order.pick("blue", "red", "green", "grey"))
    till = [
        box(BLACK, 0.3, 0.3, 0.95, 1.05, x=0.4),
        box(_GREY, 0.26, 0.05, 1.05, 1.25, x=0.4, y=0.08),
        on_front(_GREEN, (0.3, 0.5), (1.1, 1.2), 0.055),
    ]
    return stands(
        order,
        [box(body, 1.5, 0.6, 0.0, 0.9), box(_GREY, 1.54, 0.64, 0.9, 0.95), *till],
        Surface((-0.3, 0, 0.95), (0.8, 0.5)),
    )


def freezer(order: Order) -> Thing:
    """A chest for frozen food with a lid of glass."""
    label = Material(
        Label(
            order.pick("ICE CREAM", "FROZEN FISH", "FROZEN PEAS"),
            (0.9, 0.3),
            paper=COLOURS["blue"],
            ink=(1.0, 1.0, 1.0),
        )
    )
    return stands(
        order,
        [
            box(_WHITE, 1.2, 0.7, 0.0, 0.86),
            slab(_GLASS, span(0, 1.1), span(0, 0.6), (0.86, 0.88)),
            slab(label, span(0, 0.9), (-0.356, -0.34), (0.4, 0.7), solid=False),
        ],
    )


def clothes_rack(order: Order) -> Thing:
    """A rail with shirts."""
    shirts = [
        slab(
            cloth(COLOURS[("red", "blue", "white", "green", "yellow", "black")[(k + order.number) % 6]], k),
            span(-0.5 + 0.2 * k, 0.06),
            span(0, 0.42),
            (0.62, 1.36),
            bevel=0.02,
        )
        for k in range(6)
    ]
    return stands(
        order,
        [
            rod(STEEL, 0.014, (-0.7, 0, 1.42), (0.7, 0, 1.42)),
            *(rod(STEEL, 0.014, (x, 0, 0), (x, 0, 1.42)) for x in (-0.7, 0.7)),
            *(slab(STEEL, span(x, 0.05), span(0, 0.5), (0.0, 0.04)) for x in (-0.7, 0.7)),
            *shirts,
        ],
    )


def treadmill(order: Order) -> Thing:
    """A running belt with a console."""
    body = coat(order.pick("black", "grey", "red"))
    return stands(
        order,
        [
            box(body, 0.7, 1.5, 0.04, 0.16),
            slab(BLACK, span(0, 0.5), (-0.72, 0.6), (0.16, 0.18)),
            *(rod(STEEL, 0.025, (x, 0.65, 0.16), (x, 0.6, 1.2)) for x in (-0.32, 0.32)),
            box(body, 0.7, 0.16, 1.15, 1.3, y=0.6),
            *(rod(BLACK, 0.02, (x, 0.6, 1.05), (x, 0.2, 1.05)) for x in (-0.32, 0.32)),
        ],
    )


def exercise_bike(order: Order) -> Thing:
    """A bicycle that stands still."""
    body = coat(order.pick("red", "blue", "green", "yellow"))
    return stands(
        order,
        [
            box(BLACK, 0.5, 0.08, 0.0, 0.06, y=-0.4),
            box(BLACK, 0.5, 0.08, 0.0, 0.06, y=0.4),
            slab(body, span(0, 0.08), (-0.4, 0.4), (0.04, 0.1)),
            rod(body, 0.04, (0, -0.2, 0.1), (0, -0.26, 0.8)),
            box(BLACK, 0.2, 0.26, 0.8, 0.88, y=-0.27, bevel=0.03),
            rod(body, 0.04, (0, 0.25, 0.1), (0, 0.32, 1.0)),
            rod(BLACK, 0.018, (-0.24, 0.3, 1.02), (0.24, 0.3, 1.02)),
            rod(DARK_STEEL, 0.22, (-0.04, 0.18, 0.34), (0.04, 0.18, 0.34)),
        ],
    )


def weight_rack(order: Order) -> Thing:
    """Dumbbells on two boards."""
    bells: list[Part] = []
    for number in range(4):
        x, skin = -0.45 + 0.3 * number, coat(("red", "blue", "green", "yellow")[number])
        bells += [rod(skin, 0.07, (x + s, -0.06, 0.58), (x + s + 0.06, -0.06, 0.58)) for s in (-0.1, 0.04)]
        bells += [rod(STEEL, 0.018, (x - 0.1, -0.06, 0.58), (x + 0.1, -0.06, 0.58))]
    return stands(
        order,
        [
            box(BLACK, 1.2, 0.36, 0.46, 0.5),
            box(BLACK, 1.2, 0.36, 0.84, 0.88, y=0.06),
            *(box(BLACK, 0.05, 0.4, 0.0, 0.9, x=x) for x in (-0.6, 0.6)),
            *bells,
        ],
        Surface((0, 0.06, 0.88), (1.1, 0.28)),
    )


def yoga_mat(order: Order) -> Thing:
    """A mat on the floor."""
    return stands(
        order,
        [
            box(
                cloth(COLOURS[order.pick("purple", "green", "blue", "pink", "orange")], order.grain()),
                0.64,
                1.7,
                0.0,
                0.014,
            )
        ],
    )


def locker(order: Order) -> Thing:
    """A narrow steel cupboard with a door, and a board inside."""
    skin = coat(order.pick("blue", "green", "red", "grey"), 0.25)
    wide, deep, high, wall = 0.5, 0.46, 1.7, 0.02
    parts = [
        *(slab(skin, span(x, wall), (0, deep), (0, high)) for x in (-wide / 2 + 0.01, wide / 2 - 0.01)),
        *(slab(skin, span(0, wide), (0, deep), (z, z + wall)) for z in (0.05, 0.85, high - wall)),
        slab(skin, span(0, wide), (deep - wall, deep), (0, high)),
    ]
    door = [
        slab(skin, span(0, wide), (-0.02, -0.002), (0.05, high)),
        *(slab(BLACK, span(0, 0.3), (-0.022, -0.02), (z, z + 0.012), solid=False) for z in (1.4, 1.45, 1.5)),
        slab(STEEL, (0.17, 0.2), (-0.05, -0.02), (0.85, 1.0)),
    ]
    cavity = Cavity((0.0, deep / 2, 1.2), (wide - 0.06, deep - 0.06, 0.6))
    return stands(
        order,
        parts,
        Surface((0.0, deep / 2, 0.87), (wide - 0.08, deep - 0.1), 0.7),
        leaves=[hinged("door", span(0, wide), True, door, 1.7, y=-0.02)],
        cavities=[cavity],
    )


def punching_bag(order: Order) -> Thing:
    """A bag on a stand."""
    return stands(
        order,
        [
            post(BLACK, 0.26, 0.0, 0.1),
            post(STEEL, 0.04, 0.1, 0.5),
            shown(coat(order.pick("red", "black", "blue"), 0.3), capsule(0.17, 1.1), (0, 0, 1.05)),
        ],
    )


def reception(order: Order) -> Thing:
    """A high desk with a bell and a sign."""
    wood = furniture_wood(order)
    label = Material(Label(order.pick("RECEPTION", "INFORMATION", "WELCOME"), (0.9, 0.24), paper=(0.95, 0.94, 0.9)))
    bell = [shown(BRASS, ellipsoid((0.12, 0.12, 0.1)), (0.5, -0.1, 1.09)), post(BLACK, 0.07, 1.06, 1.075, 0.5, -0.1)]
    return stands(
        order,
        [
            box(wood, 1.7, 0.6, 0.0, 1.02),
            box(_WHITE, 1.76, 0.66, 1.02, 1.06),
            slab(label, span(0, 0.9), (-0.306, -0.28), (0.55, 0.79), solid=False),
            *bell,
        ],
        Surface((-0.2, 0, 1.06), (1.1, 0.5)),
    )


def water_cooler(order: Order) -> Thing:
    """A stand with an upturned bottle."""
    water = Material(Gradient((0.30, 0.60, 0.90), (0.62, 0.82, 0.96), -0.2, 0.2), 0.5, 0.25)
    return stands(
        order,
        [
            box(_WHITE, 0.32, 0.32, 0.0, 0.95),
            post(water, 0.13, 1.0, 1.35),
            post(water, 0.05, 0.95, 1.0),
            box(_BLUE, 0.04, 0.05, 0.8, 0.84, x=-0.06, y=-0.18),
            box(_RED, 0.04, 0.05, 0.8, 0.84, x=0.06, y=-0.18),
        ],
    )


def vending_machine(order: Order) -> Thing:
    """A machine that sells drinks behind glass."""
    skin = coat(order.pick("red", "blue", "green"), 0.3)
    cans = [
        rod(
            coat(BRIGHT[(k + order.number) % 6]),
            0.045,
            (-0.3 + 0.15 * (k % 4), -0.36, 0.62 + 0.28 * (k // 4)),
            (-0.3 + 0.15 * (k % 4), -0.36, 0.78 + 0.28 * (k // 4)),
            solid=False,
        )
        for k in range(12)
    ]
    return stands(
        order,
        [
            box(skin, 0.95, 0.7, 0.0, 1.85),
            on_front(_WHITE, (-0.4, 0.22), (0.5, 1.65), -0.35),
            *cans,
            on_front(BLACK, (0.28, 0.42), (0.9, 1.3), -0.35),
            on_front(BLACK, (-0.3, 0.2), (0.2, 0.38), -0.35),
        ],
    )


def copier(order: Order) -> Thing:
    """A machine that copies; a lamp shows whether it is on."""
    lit = "on" in order.options
    lamp = Material(Plain(COLOURS["green" if lit else "black"]), 0.2, 0.95 if lit else 0.0)
    return stands(
        order,
        [
            box(_GREY, 0.6, 0.56, 0.0, 0.62),
            box(_WHITE, 0.64, 0.6, 0.62, 1.0),
            box(_GREY, 0.6, 0.5, 1.0, 1.06),
            on_front(lamp, (0.08, 0.26), (0.86, 0.97), -0.3),
            box(_WHITE, 0.2, 0.3, 0.7, 0.72, x=-0.4),
            on_front(BLACK, span(0, 0.5), (0.3, 0.32), -0.28),
        ],
    )


def fire_extinguisher(order: Order) -> Thing:
    """A red cylinder with a hose."""
    return stands(
        order,
        [
            post(_RED, 0.085, 0.0, 0.5),
            ball(_RED, 0.085, (0, 0, 0.5)),
            post(BLACK, 0.025, 0.55, 0.64),
            shown(BLACK, tube([(0.02, 0, 0.62), (0.13, 0, 0.55), (0.12, 0, 0.25)], 0.014)),
            on_front(_WHITE, span(0, 0.08), (0.25, 0.38), -0.083),
        ],
    )


def billiard_table(order: Order) -> Thing:
    """A table with green cloth and balls."""
    wood = furniture_wood(order)
    balls = [
        ball(coat(colour, 0.5), 0.035, (x, y, 0.835))
        for x, y, colour in (
            (-0.4, 0.1, "white"),
            (0.3, 0.0, "red"),
            (0.42, 0.12, "yellow"),
            (0.1, -0.2, "blue"),
            (0.5, -0.15, "black"),
        )
    ]
    return stands(
        order,
        [
            box(cloth(COLOURS["green"], order.grain()), 1.9, 1.0, 0.7, 0.8),
            *(slab(wood, span(0, 2.0), span(y, 0.1), (0.7, 0.85)) for y in (-0.5, 0.5)),
            *(slab(wood, span(x, 0.1), span(0, 1.1), (0.7, 0.85)) for x in (-1.0, 1.0)),
            *(box(wood, 0.14, 0.14, 0.0, 0.7, x=x, y=y) for x in (-0.85, 0.85) for y in (-0.4, 0.4)),
            *balls,
        ],
    )


def booth(order: Order) -> Thing:
    """A padded bench with a high back."""
    skin = coat(order.pick("red", "green", "blue", "brown"), 0.25)
    return stands(
        order,
        [box(skin, 1.2, 0.5, 0.0, 0.45, bevel=0.04), box(skin, 1.2, 0.14, 0.3, 1.05, y=0.24, bevel=0.05)],
        Surface((0, -0.1, 0.45), (1.0, 0.3)),
    )


def bar_counter(order: Order) -> Thing:
    """A high counter with taps."""
    wood = furniture_wood(order)
    taps = [
        shown(BRASS, tube([(x, 0.1, 1.08), (x, 0.1, 1.3), (x, -0.02, 1.3), (x, -0.04, 1.25)], 0.018))
        for x in (0.5, 0.65)
    ]
    return stands(
        order,
        [box(wood, 1.7, 0.5, 0.0, 1.02), box(stone((0.28, 0.27, 0.27), order.grain()), 1.8, 0.6, 1.02, 1.07), *taps],
        Surface((-0.25, 0, 1.07), (1.0, 0.46)),
    )


def easel(order: Order) -> Thing:
    """A stand with a canvas in one colour."""
    wood = coat("brown")
    tone = coat(order.pick("red", "blue", "yellow", "green", "purple"), 0.0)
    return stands(
        order,
        [
            *(rod(wood, 0.02, (x, -0.05, 0), (x * 0.3, 0.1, 1.6)) for x in (-0.35, 0.35)),
            rod(wood, 0.02, (0, 0.4, 0), (0, 0.1, 1.6)),
            slab(_WHITE, span(0, 0.62), (-0.06, -0.03), (0.72, 1.3)),
            slab(tone, span(0, 0.5), (-0.066, -0.058), (0.78, 1.24), solid=False),
        ],
    )


def magazine_rack(order: Order) -> Thing:
    """Magazines on a slope."""
    sheets = [
        slab(
            coat(BRIGHT[(k + order.number) % 7]),
            span(-0.27 + 0.27 * (k % 3), 0.2),
            (-0.03 + 0.06 * (k // 3), -0.01 + 0.06 * (k // 3)),
            (0.2 + 0.42 * (k // 3), 0.5 + 0.42 * (k // 3)),
        )
        for k in range(6)
    ]
    return stands(
        order,
        [
            box(_BROWN, 0.9, 0.04, 0.0, 1.1, y=0.12),
            *(slab(_BROWN, span(0, 0.9), (-0.08 + 0.06 * k, 0.1), (0.16 + 0.42 * k, 0.2 + 0.42 * k)) for k in (0, 1)),
            box(_BROWN, 0.9, 0.3, 0.0, 0.06),
            *sheets,
        ],
    )


def row_of_books(order: Order) -> Thing:
    """Books side by side, for a board of a shelf."""
    edge, parts = -0.3, []
    for number in range(9):
        wide, high = order.between(0.03, 0.055), order.between(0.19, 0.26)
        parts.append(
            slab(
                coat((*BRIGHT, *CALM)[(order.number * 5 + number * 3) % 14]),
                (edge, edge + wide),
                span(0, 0.15),
                (0.0, high),
            )
        )
        edge = round(edge + wide + 0.003, 4)
    return stands(order, parts)


def pallet(order: Order) -> Thing:
    """A crate of fruit, open at the top."""
    name = order.pick("red", "orange", "yellow", "green")
    fruit = [ball(coat(name, 0.3), 0.05, (-0.24 + 0.12 * (k % 5), -0.12 + 0.12 * (k // 5), 0.62)) for k in range(15)]
    walls = [
        *(slab(_BROWN, span(x, 0.02), span(0, 0.5), (0.4, 0.62)) for x in (-0.34, 0.34)),
        *(slab(_BROWN, span(0, 0.7), span(y, 0.02), (0.4, 0.62)) for y in (-0.24, 0.24)),
    ]
    return stands(order, [*walls, box(_BROWN, 0.66, 0.46, 0.4, 0.57), box(_GREY, 0.6, 0.4, 0.0, 0.4), *fruit])


KINDS = (
    Kind("whiteboard", whiteboard), Kind("blackboard", blackboard), Kind("sign", sign),
    Kind("painting", painting, SUBJECTS), Kind("statue", statue), Kind("school_desk", school_desk),
    Kind("shop_shelf", shop_shelf), Kind("checkout", checkout), Kind("freezer", freezer),
    Kind("clothes_rack", clothes_rack), Kind("treadmill", treadmill), Kind("exercise_bike", exercise_bike),
    Kind("weight_rack", weight_rack), Kind("yoga_mat", yoga_mat), Kind("locker", locker),
    Kind("punching_bag", punching_bag), Kind("reception", reception), Kind("water_cooler", water_cooler),
    Kind("vending_machine", vending_machine), Kind("copier", copier, ("on",)),
    Kind("fire_extinguisher", fire_extinguisher), Kind("billiard_table", billiard_table), Kind("booth", booth),
    Kind("bar_counter", bar_counter), Kind("easel", easel), Kind("magazine_rack", magazine_rack),
    Kind("row_of_books", row_of_books), Kind("fruit_crate", pallet),
)  # fmt: skip
"""Kinds of furniture of public places."""

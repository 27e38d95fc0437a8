"""Furniture that holds things: cabinets with doors or drawers, bookcases open and with doors, nightstands."""

from __future__ import annotations

from envs.household.home.model import Thing
from envs.household.home.things.casework import (
    BOARD,
    GAP,
    PLINTH,
    Carcass,
    double_doors,
    drawer,
    drawer_front,
)
from envs.household.home.things.kind import Kind, Order
from envs.household.home.things.materials import BRASS, DARK_STEEL, STEEL, WHITE, furniture_wood, paint
from envs.household.home.things.parts import Span, assembled, slab
from envs.render.scene import Material


def cabinet(order: Order) -> Thing:
    """Two panel doors with a shelf behind them; by option a chest of drawers or a steel file cabinet."""
    if "file" in order.options:
        return _file_cabinet(order)
    if "drawers" in order.options:
        return _chest(order)
    width, depth, height = order.between(0.86, 0.98), order.between(0.44, 0.5), order.between(0.94, 1.08)
    case = order.pick(WHITE, furniture_wood(order), paint((0.30, 0.46, 0.50)), paint((0.52, 0.58, 0.46)))
    middle = round(PLINTH + (height - PLINTH) * 0.5, 3)
    carcass = Carcass(width, depth, height, (middle,), case)
    doors = double_doors(width, (PLINTH, height - GAP), case, order.pick(BRASS, DARK_STEEL))
    return assembled(
        order, carcass.parts(), mass=45.0, leaves=doors, surfaces=[carcass.top()], cavities=carcass.cavities()
    )


def _stacked(order: Order, carcass: Carcass, rows: tuple[int, ...], front: Material, handle: Material) -> Thing:
    """A case full of drawers: so many side by side in each row, from below.

    Only those of the top row open, because they would hide and block the lower ones.
    """
    parts, leaves, cavities = carcass.parts(), [], []
    low, high = carcass.foot + BOARD, carcass.height - BOARD
    step = (high - low) / len(rows)
    for level, count in enumerate(rows):
        z = (low + step * level + GAP, low + step * (level + 1) - GAP)
        for number, x in enumerate(_shares(carcass.inside, count)):
            if level < len(rows) - 1:
                parts += drawer_front(x, z, front, handle)
                continue
            leaf, cavity = drawer(f"drawer {number + 1}", x, z, carcass.depth, front, handle)
            leaves.append(leaf)
            cavities.append(cavity)
    # Closes the case behind fixed fronts.
    parts.append(slab(carcass.material, carcass.inside, (0.0, carcass.depth - 0.01), (low, high - step)))
    return assembled(order, parts, mass=40.0, leaves=leaves, surfaces=[carcass.top()], cavities=cavities)


def _shares(x: Span, count: int) -> list[Span]:
    step = (x[1] - x[0]) / count
    return [(x[0] + step * number + GAP, x[0] + step * (number + 1) - GAP) for number in range(count)]


def _chest(order: Order) -> Thing:
    width, depth, height = order.between(0.84, 0.96), order.between(0.46, 0.52), order.between(0.78, 0.88)
    case = furniture_wood(order)
    front = order.pick(WHITE, case)
    return _stacked(order, Carcass(width, depth, height, (), case), (1, 1, 1), front, order.pick(DARK_STEEL, BRASS))


def _file_cabinet(order: Order) -> Thing:
    case = paint(order.pick((0.56, 0.59, 0.62), (0.26, 0.34, 0.42), (0.70, 0.68, 0.60)), 0.3)
    thing = Carcass(0.52, 0.62, order.between(0.98, 1.06), (), case, foot=0.04)
    return _stacked(order, thing, (1, 1, 1), case, STEEL)


def nightstand(order: Order) -> Thing:
    """A small bedside chest with one drawer over an open shelf."""
    width, depth, height = order.between(0.42, 0.48), order.between(0.36, 0.4), order.between(0.5, 0.56)
    case = furniture_wood(order)
    under = height - 0.2
    carcass = Carcass(width, depth, height, (under,), case)
    leaf, cavity = drawer(
        "drawer", _shares(carcass.inside, 1)[0], (under + BOARD + GAP, height - BOARD - GAP), depth, case, DARK_STEEL
    )
    shelf_ = carcass.surfaces(carcass.levels[:1])
    return assembled(
        order, carcass.parts(), mass=15.0, leaves=[leaf], surfaces=[carcass.top(), *shelf_], cavities=[cavity]
    )


def shelf(order: Order) -> Thing:
    """A bookcase with open boards; with the option `doors` its lower half can be shut."""
    width, depth = order.between(0.88, 1.0), order.between(0.34, 0.38)
    case = furniture_wood(order)
    if "doors" in order.options:
        return _half_shelf(order, width + 0.05, depth + 0.06, case)
    height = order.between(1.3, 1.42)
    boards = tuple(round(PLINTH + (height - PLINTH) * share, 3) for share in (0.26, 0.51, 0.76))
    carcass = Carcass(width, depth, height, boards, case)
    return assembled(
        order, carcass.parts(), mass=35.0, surfaces=[*carcass.surfaces(carcass.levels)[::-1], carcass.top()]
    )


def _half_shelf(order: Order, width: float, depth: float, case: Material) -> Thing:
    height, closed = order.between(1.5, 1.62), 0.86
    boards = (0.45, closed - BOARD, round((closed + height) / 2, 3))
    carcass = Carcass(width, depth, height, boards, case)
    doors = double_doors(width, (PLINTH, closed - GAP), case, STEEL)
    return assembled(
        order,
        carcass.parts(),
        mass=60.0,
        leaves=doors,
        surfaces=[*carcass.surfaces(carcass.levels[2:]), carcass.top()],
        cavities=carcass.cavities(carcass.levels[:2]),
    )


KINDS = (
    Kind("cabinet", cabinet, ("drawers", "file")),
    Kind("nightstand", nightstand, resembles=("cabinet", "table")),
    Kind("shelf", shelf, ("doors",)),
)

"""Sketches of states, for runs without pictures.

A sketcher takes the true atoms and returns a drawing, or None if they are not of its world. Another world's
sketcher goes into `SKETCHERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from envs.blocksworld.problems import Columns, arrangement_of
from evals.pages.markup import Html, el
from planners.formula import Atom, State

Sketcher = Callable[[State], Html | None]

BLOCK, SPACE, FLOOR = 20, 30, 16
LEVELS = 4
"""The minimum height of a sketch, so that those of an episode are comparable."""


@lru_cache(maxsize=4096)
def sketch(atoms: tuple[str, ...]) -> Html | None:
    """The state as a drawing, if some sketcher knows its world."""
    state = frozenset(Atom.parse(atom) for atom in atoms)
    for sketcher in SKETCHERS:
        drawing = sketcher(state)
        if drawing is not None:
            return drawing
    return None


def blocks(state: State) -> Html | None:
    """Columns of blocks on a table, seen from the front."""
    columns = _columns(state)
    if not columns:
        return None
    try:
        arrangement = arrangement_of(state, columns)
    except ValueError:
        return None
    levels = max(LEVELS, *(len(stack) for stack in arrangement))
    width, table = SPACE * len(columns) + 4, BLOCK * levels + 4
    parts = [el("path", d=f"M0 {table}H{width}", class_="table")]
    for place, (column, stack) in enumerate(zip(columns, arrangement, strict=True)):
        middle = 2 + SPACE * place + SPACE // 2
        parts.append(el("text", column, x=middle, y=table + 12, class_="column"))
        parts += [_block(block, middle, table - BLOCK * (level + 1)) for level, block in enumerate(stack)]
    size = f"0 0 {width} {table + FLOOR}"
    return el("svg", el("title", _description(columns, arrangement)), *parts, viewBox=size, role="img", class_="sketch")


SKETCHERS: list[Sketcher] = [blocks]


def _columns(state: State) -> tuple[str, ...]:
    """The columns from left to right, by the number of columns to their right."""
    right = {atom.args[0]: 0 for atom in state if atom.predicate == "rightof" and len(atom.args) == 2}
    for atom in state:
        if atom.predicate == "leftof" and len(atom.args) == 2:
            right[atom.args[0]] = right.get(atom.args[0], 0) + 1
        elif atom.predicate == "incolumn" and len(atom.args) == 2:
            right.setdefault(atom.args[1], 0)
    return tuple(sorted(right, key=lambda column: (-right[column], column)))


def _block(name: str, middle: int, top: int) -> Html:
    left = middle - BLOCK // 2
    square = el("rect", x=left + 1, y=top + 1, width=BLOCK - 2, height=BLOCK - 2, rx=2)
    label = el("text", name[:2], x=middle, y=top + BLOCK // 2)
    return el("g", square, label, class_=f"block {name}" if name.isalnum() else "block")


def _description(columns: tuple[str, ...], arrangement: Columns) -> str:
    stacks = (f"{column}: {' '.join(stack) or 'empty'}" for column, stack in zip(columns, arrangement, strict=True))
    return "; ".join(stacks)

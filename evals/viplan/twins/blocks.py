"""What a question about blocks in columns is like: the features that errors depend on, and what errors have in common.

Features are read off the true arrangement: whether the answer is yes, where the two objects are to each other, how high
the stacks are, which colours are asked about, and whether the answer would be another one about a block of another
colour. The last two are how one colour is taken for another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from envs.blocksworld.problems import Columns, arrangement_of
from models.base import Traits
from planners.formula import Atom, State

TOP = 3
"""Stacks and places above this one count as this one."""

Place = tuple[int, int]
"""Column and level of a block."""


def traits(state: State, fact: str) -> Traits:
    """The features of a fact in a state, and the groups of facts whose errors go together."""
    atom, arrangement, columns = Atom.parse(fact), *_arranged(state)
    return traits_of(atom, arrangement, columns)


@lru_cache(maxsize=1 << 16)
def traits_of(atom: Atom, arrangement: Columns, columns: tuple[str, ...]) -> Traits:
    """The same for an arrangement whose columns have these names."""
    places = places_of(arrangement)
    true = holds(atom.predicate, atom.args, places, arrangement, columns)
    return Traits(
        tuple(features(atom, true, places, arrangement, columns)),
        surroundings(atom, true, places, arrangement, columns),
    )


@lru_cache(maxsize=256)
def _arranged(state: State) -> tuple[Columns, tuple[str, ...]]:
    """The arrangement of a state, with its columns from left to right."""
    after = [atom.args[1] for atom in state if atom.predicate == "leftof"]
    before = {atom.args[0] for atom in state if atom.predicate == "leftof"}
    columns = before | set(after) | {atom.args[1] for atom in state if atom.predicate == "incolumn"}
    ordered = tuple(sorted(columns, key=lambda column: (after.count(column), column)))
    return arrangement_of(state, ordered), ordered


def places_of(arrangement: Columns) -> dict[str, Place]:
    """Where each block is."""
    return {block: (at, level) for at, stack in enumerate(arrangement) for level, block in enumerate(stack)}


def holds(
    predicate: str, args: tuple[str, ...], places: Mapping[str, Place], arrangement: Columns, columns: tuple[str, ...]
) -> bool:
    """Whether a fact is true."""
    match predicate, args:
        case "clear", (block,):
            at, level = places[block]
            return level == len(arrangement[at]) - 1
        case "on", (upper, lower):
            return upper != lower and places[upper] == (places[lower][0], places[lower][1] + 1)
        case "incolumn", (block, column):
            return places[block][0] == columns.index(column)
        case "leftof", (one, other):
            return columns.index(one) < columns.index(other)
        case _, (one, other):
            return columns.index(one) > columns.index(other)
    raise ValueError(f"no fact of Blocksworld: {predicate} {args}")


def features(
    atom: Atom, true: bool, places: Mapping[str, Place], arrangement: Columns, columns: tuple[str, ...]
) -> Iterator[str]:
    """The names of the features of a fact. The first says which predicate and truth it has."""
    kind = f"{atom.predicate}{'+' if true else '-'}"
    yield kind
    yield f"{kind} {situation(atom, true, places, arrangement, columns)}"
    yield f"{kind} first {atom.args[0]}"
    if len(atom.args) > 1 and len(set(atom.args)) > 1:
        yield f"{kind} second {atom.args[1]}"
    if atom.predicate in ("leftof", "rightof"):
        return
    yield f"{kind} stack {min(len(arrangement[places[atom.args[0]][0]]), TOP)}"
    if atom.predicate == "incolumn" and not true:
        yield f"{kind} there {min(len(arrangement[columns.index(atom.args[1])]), TOP)}"
    if len(set(atom.args)) == len(atom.args):
        yield from _mistakable(atom, true, places, arrangement, columns)


def _mistakable(
    atom: Atom, true: bool, places: Mapping[str, Place], arrangement: Columns, columns: tuple[str, ...]
) -> Iterator[str]:
    """Which blocks would change the answer if they were taken for the one that is asked about."""
    for at, block in enumerate(atom.args):
        for other in places:
            if block in places and other not in atom.args:
                args = (*atom.args[:at], other, *atom.args[at + 1 :])
                if holds(atom.predicate, args, places, arrangement, columns) != true:
                    yield f"{'+' if true else '-'} {('first', 'second')[at]} {block} as {other}"


def situation(
    atom: Atom, true: bool, places: Mapping[str, Place], arrangement: Columns, columns: tuple[str, ...]
) -> str:
    """How the objects of a fact are to each other."""
    match atom.predicate, atom.args:
        case "clear", (block,):
            at, level = places[block]
            height = len(arrangement[at])
            return f"height {min(height, TOP)}" if true else f"under {min(height - 1 - level, TOP)}"
        case "on", (upper, lower):
            return "same" if upper == lower else _relation(places[upper], places[lower])
        case "incolumn", (block, column):
            at, level = places[block]
            where = columns.index(column)
            if where == at:
                return f"level {min(level, TOP)}"
            return f"{min(abs(at - where), TOP)} away{'' if arrangement[where] else ', empty'}"
        case _, (one, other):
            return f"{min(abs(columns.index(one) - columns.index(other)), 2)} apart"
    raise ValueError(f"no fact of Blocksworld: {atom}")


def _relation(upper: Place, lower: Place) -> str:
    """How one block is to another."""
    (at, level), (where, below) = upper, lower
    apart, higher = abs(at - where), level - below
    if not apart:
        return {1: f"on level {min(level, TOP)}", -1: "inverse"}.get(higher, "above" if higher > 0 else "below")
    near = "beside" if apart == 1 else "far"
    return f"{near} {'one up' if higher == 1 else 'level' if not higher else 'other'}"


def surroundings(
    atom: Atom, true: bool, places: Mapping[str, Place], arrangement: Columns, columns: tuple[str, ...]
) -> Mapping[str, str]:
    """The groups that a fact is in. Wrong yes and wrong no do not go together, so each key has the truth in it.

    `look` is facts of one kind in one picture, `first` and `second` what is asked about one block in one picture;
    `kind`, `one` and `two` are the same in all pictures of the problem.
    `fact` is the same fact at any time, as long as its own objects stay where they are; `near` as long as their columns
    do not change either.
    """
    truth = "+" if true else "-"
    look = "/".join("".join(stack) for stack in arrangement)
    blocks = [block for block in atom.args if block in places]
    here = ",".join(f"{block}{places[block]}" for block in blocks)
    stacks = {places[block][0] for block in blocks} | {columns.index(one) for one in atom.args if one not in places}
    near = "/".join("".join(arrangement[at]) for at in sorted(stacks))
    return {
        "look": f"{atom.predicate}{truth} {look}",
        "first": f"{blocks[0]}{truth} {look}" if blocks else "",
        "second": f"{blocks[1]}{truth} {look}" if len(blocks) > 1 else "",
        "fact": f"{atom}{truth} {here}",
        "near": f"{atom}{truth} {here} {near}",
        "kind": f"{atom.predicate}{truth}",
        "one": f"{blocks[0]}{truth}" if blocks else "",
        "two": f"{blocks[1]}{truth}" if len(blocks) > 1 else "",
    }

"""The texts of Blocksworld: description, actions, questions and goals."""

from __future__ import annotations

from planners.formula import Atom, Literal, Objects

COLOURS = {"r": "red", "g": "green", "b": "blue", "y": "yellow", "p": "purple", "o": "orange"}

DESCRIPTION = (
    "The picture shows a table with coloured blocks. They stand in columns that run from left to right; a card with "
    "the column's name (c1, c2, …) marks each place, and a column may be empty. Blocks of one column are stacked "
    "straight on top of each other. All blocks have the same size; only their colours differ."
)

ACTION_HELP = (
    "There is one action, `moveblock`, with the parameters `block` and `column`. It takes the block off its column "
    "and puts it on top of whatever stands in the given column. It works only if no other block lies on the block "
    "and the block is not in that column already; otherwise nothing moves.\n"
    "Blocks are named by the first letter of their colour: r (red), g (green), b (blue), y (yellow), p (purple), "
    "o (orange). Columns are named as on the cards in the picture, from c1 at the left."
)

SIGNATURES = {"moveblock": ("block", "column")}


def block_name(block: str) -> str:
    """`r` as `the red block`."""
    return f"the {COLOURS.get(block, block)} block"


def glossary(objects: Objects) -> dict[str, str]:
    """A description of each block and column."""
    columns = {column: f"the column with the card {column}" for column in objects.of_type("column")}
    return {**{block: block_name(block) for block in objects.of_type("block")}, **columns}


def question(atom: Atom) -> str:
    """The yes/no question that asks whether the atom is true."""
    match atom.predicate, atom.args:
        case "on", (upper, lower):
            return f"Does {block_name(upper)} lie directly on {block_name(lower)}?"
        case "incolumn", (block, column):
            return f"Is {block_name(block)} in column {column}?"
        case "clear", (block,):
            return f"Is {block_name(block)} at the top of its column, with no block on it?"
        case "leftof", (first, second):
            return f"Is column {first} to the left of column {second}?"
        case "rightof", (first, second):
            return f"Is column {first} to the right of column {second}?"
        case _:
            raise ValueError(f"Blocksworld has no predicate like {atom}")


def goal_text(wanted: tuple[Literal, ...], blocks: tuple[str, ...]) -> str:
    """One sentence for each block in the goal."""
    sentences = [_sentence(block, wanted) for block in blocks]
    return "\n".join(f"- {sentence}" for sentence in sentences if sentence)


def _sentence(block: str, wanted: tuple[Literal, ...]) -> str:
    clauses = []
    for atom, value in sorted(wanted):
        if atom.args[0] != block:
            continue
        match atom.predicate, value:
            case "incolumn", True:
                clauses.append(f"stands in column {atom.args[1]}")
            case "incolumn", False:
                clauses.append(f"does not stand in column {atom.args[1]}")
            case "on", True:
                clauses.append(f"lies directly on {block_name(atom.args[1])}")
            case "on", False:
                clauses.append(f"does not lie on {block_name(atom.args[1])}")
            case "clear", True:
                clauses.append("has no block on it")
            case "clear", False:
                clauses.append("has a block on it")
    if not clauses:
        return ""
    listed = clauses[0] if len(clauses) == 1 else f"{', '.join(clauses[:-1])} and {clauses[-1]}"
    return f"{block_name(block).capitalize()} {listed}."

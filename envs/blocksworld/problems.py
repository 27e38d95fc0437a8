"""Problems of Blocksworld: ours, frozen in `problems/`, or a folder of PDDL files such as the original's.

python -m envs.blocksworld.generate --out DIR    generates the frozen set again
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from envs.blocksworld.texts import COLOURS
from planners.formula import Atom, Formula, Literal, Objects, State, conjunction, literals
from planners.names import natural, unknown
from planners.pddl import PddlError, read_domain, read_problem
from planners.task import Domain

HERE = Path(__file__).parent
SPLITS = ("simple", "medium", "hard")

Columns = tuple[tuple[str, ...], ...]
"""The arrangement: columns from left to right, each a stack from bottom to top."""


@cache
def domain() -> Domain:
    """The planning domain."""
    return read_domain(HERE / "domain.pddl")


@dataclass(frozen=True)
class BlocksProblem:
    """An initial arrangement and a goal."""

    name: str
    split: str
    objects: Objects
    columns: tuple[str, ...]
    start: Columns
    goal: Formula

    @property
    def id(self) -> str:
        """A name that is unique over all splits."""
        return self.name if self.name.startswith(self.split) else f"{self.split}_{self.name}"


def atoms_of(arrangement: Columns, columns: tuple[str, ...]) -> State:
    """All true atoms of an arrangement, including the order of the columns."""
    facts: set[Atom] = set()
    for column, stack in zip(columns, arrangement, strict=True):
        facts.update(Atom("incolumn", (block, column)) for block in stack)
        facts.update(Atom("on", (upper, lower)) for lower, upper in pairwise(stack))
        facts.update(Atom("clear", (top,)) for top in stack[-1:])
    for left, first in enumerate(columns):
        for second in columns[left + 1 :]:
            facts |= {Atom("leftof", (first, second)), Atom("rightof", (second, first))}
    return frozenset(facts)


def arrangement_of(state: State, columns: tuple[str, ...]) -> Columns:
    """The arrangement that a state describes; `ValueError` if it describes none."""
    support = {atom.args[0]: atom.args[1] for atom in state if atom.predicate == "on"}
    place = {atom.args[0]: atom.args[1] for atom in state if atom.predicate == "incolumn"}
    above = {lower: upper for upper, lower in support.items()}
    stacks = []
    for column in columns:
        members = {block for block, where in place.items() if where == column}
        stack = [block for block in sorted(members) if support.get(block) not in members]
        while stack and stack[-1] in above and len(stack) <= len(members):
            stack.append(above[stack[-1]])
        stacks.append(tuple(stack))
    arrangement = tuple(stacks)
    moving = {atom for atom in state if atom.predicate in ("on", "incolumn", "clear")}
    described = {atom for atom in atoms_of(arrangement, columns) if atom.predicate in ("on", "incolumn", "clear")}
    if moving != described:
        strange = ", ".join(sorted(str(atom) for atom in moving ^ described))
        raise ValueError(f"not an arrangement of blocks in columns; look at: {strange}")
    return arrangement


def load(path: Path, split: str) -> BlocksProblem:
    """The problem in a PDDL file; `PddlError` if it is invalid or describes no arrangement."""
    problem = read_problem(domain(), path)
    columns = tuple(sorted(problem.objects.of_type("column"), key=natural))
    try:
        start = arrangement_of(problem.init, columns)
    except ValueError as error:
        raise PddlError(f"{path}: {error}") from None
    colourless = [block for block in problem.objects.of_type("block") if block not in COLOURS]
    if colourless:
        known = ", ".join(COLOURS)
        raise PddlError(f"{path}: no colour for block {colourless[0]!r}; blocks are named {known}")
    nowhere = set(problem.objects.of_type("block")) - {block for stack in start for block in stack}
    if nowhere:
        raise PddlError(f"{path}: no column for {', '.join(sorted(nowhere))}")
    return BlocksProblem(path.stem, split, problem.objects, columns, start, problem.goal)


def files(split: str, folder: Path | None = None) -> list[Path]:
    """The problem files of a split, in the order of their numbers.

    `folder` holds a folder for each split, as the original's `data/planning/blocksworld/problems` does.
    """
    if split not in SPLITS:
        raise unknown("split", split, SPLITS)
    place = (folder or HERE / "problems") / split
    found = sorted(place.glob("*.pddl"), key=lambda path: natural(path.stem))
    if not found:
        raise FileNotFoundError(f"no problems: {place} has no .pddl files")
    return found


def write(name: str, blocks: tuple[str, ...], columns: tuple[str, ...], start: Columns, goal: Columns) -> str:
    """A problem as PDDL text."""
    neighbours = pairwise(columns)
    order = [line for a, b in neighbours for line in (f"(leftof {a} {b})", f"(rightof {b} {a})")]
    init = [_pddl(literal.atom) for literal in goal_literals(start, columns)] + order
    wanted = [_pddl(literal.atom) for literal in goal_literals(goal, columns)]
    return "\n".join(
        [
            f"(define (problem {name})",
            "  (:domain blocksworld)",
            f"  (:objects {' '.join(blocks)} - block {' '.join(columns)} - column)",
            "  (:init",
            *(f"    {line}" for line in init),
            "  )",
            "  (:goal (and",
            *(f"    {line}" for line in wanted),
            "  )))",
            "",
        ]
    )


def goal_literals(arrangement: Columns, columns: tuple[str, ...]) -> tuple[Literal, ...]:
    """The goal literals of an arrangement: on, clear and incolumn, in a fixed order."""
    rank = {"on": 0, "clear": 1, "incolumn": 2}
    facts = [atom for atom in atoms_of(arrangement, columns) if atom.predicate in rank]
    return tuple(Literal(atom) for atom in sorted(facts, key=lambda atom: (rank[atom.predicate], atom.args)))


def goal_of(arrangement: Columns, columns: tuple[str, ...]) -> Formula:
    """The goal formula for an arrangement."""
    return conjunction(goal_literals(arrangement, columns))


def wanted_of(problem: BlocksProblem) -> tuple[Literal, ...]:
    """The literals of the problem's goal."""
    return tuple(literals(problem.goal, problem.objects))


def _pddl(atom: Atom) -> str:
    return f"({' '.join((atom.predicate, *atom.args))})"

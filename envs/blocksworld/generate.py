"""Generate Blocksworld problems: pairs of random arrangements with a plan of the right length between them.

    python -m envs.blocksworld.generate --out DIR [--count 25] [--seed 0]

A pair of start and goal is kept if it is new and the length of Fast Downward's plan is in the range of its split. The
set in `envs/blocksworld/problems` was made with the defaults and is frozen, so that published numbers stay comparable.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from envs.blocksworld.problems import Columns, atoms_of, domain, goal_of, write
from envs.blocksworld.texts import COLOURS
from planners import get_planner
from planners.outcome import Planner
from planners.task import Task


@dataclass(frozen=True, slots=True)
class Size:
    """The parameters of a split; `shortest` and `longest` bound the length of the planner's plan."""

    blocks: int
    columns: int
    shortest: int
    longest: int
    height: int


SIZES = {
    "simple": Size(blocks=3, columns=4, shortest=3, longest=5, height=2),
    "medium": Size(blocks=5, columns=5, shortest=5, longest=10, height=3),
    "hard": Size(blocks=6, columns=4, shortest=8, longest=15, height=3),
}


def arrange(blocks: tuple[str, ...], columns: int, height: int, dice: random.Random) -> Columns:
    """A random arrangement: each block is put on a random column that is not full."""
    stacks: list[list[str]] = [[] for _ in range(columns)]
    for block in dice.sample(blocks, len(blocks)):
        dice.choice([stack for stack in stacks if len(stack) < height]).append(block)
    return tuple(map(tuple, stacks))


def generate(split: str, count: int, seed: int, planner: Planner) -> Iterator[tuple[str, str]]:
    """Names and PDDL texts of `count` problems of a split."""
    size, dice = SIZES[split], random.Random(f"{split} {seed}")
    columns = tuple(f"c{number}" for number in range(1, size.columns + 1))
    seen: set[tuple[Columns, Columns]] = set()
    while len(seen) < count:
        blocks = tuple(dice.sample(sorted(COLOURS), size.blocks))
        start, goal = (arrange(blocks, size.columns, size.height, dice) for _ in range(2))
        types = {**dict.fromkeys(blocks, "block"), **dict.fromkeys(columns, "column")}
        task = Task(domain(), domain().objects(types), atoms_of(start, columns), goal_of(goal, columns))
        outcome = planner.solve(task)
        if not outcome.solved or not size.shortest <= len(outcome.plan) <= size.longest or (start, goal) in seen:
            continue
        name = f"{split}_{len(seen):02d}"
        seen.add((start, goal))
        yield name, write(name, blocks, columns, start, goal)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m envs.blocksworld.generate",
        description=(__doc__ or "").partition("\n")[0],
        epilog="exit code: 0 all written, 2 the input cannot be used",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write to; each split gets a subfolder")
    parser.add_argument("--count", type=int, default=25, help="problems for each split (default: 25)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument("--force", action="store_true", help="write into non-empty folders, overwriting files")
    arguments = parser.parse_args(argv)
    try:
        return _run(arguments)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2


def _run(arguments: argparse.Namespace) -> int:
    if arguments.count < 1:
        raise ValueError(f"--count must be at least 1, not {arguments.count}")
    folders = {split: arguments.out / split for split in SIZES}
    full = [str(folder) for folder in folders.values() if folder.is_dir() and any(folder.iterdir())]
    if full and not arguments.force:
        raise ValueError(f"not empty: {', '.join(full)}; choose another --out, or add --force to write there")
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    planner = get_planner("fd")
    try:
        for split, folder in folders.items():
            for name, text in generate(split, arguments.count, arguments.seed, planner):
                (folder / f"{name}.pddl").write_text(text, encoding="utf-8")
    finally:
        planner.close()
    sys.stdout.write(f"wrote problems, {arguments.count} each of {', '.join(SIZES)}, to {arguments.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

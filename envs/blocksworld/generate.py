"""Generate Blocksworld problems: pairs of random arrangements with a plan of the right length between them.

    python -m envs.blocksworld.generate --out DIR [--count 25] [--seed 0]

A pair of start and goal is kept if it is new and the length of Fast Downward's plan is in the range of its split. The
set in `envs/blocksworld/problems` was made with the defaults and is frozen, so that published numbers stay comparable.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from envs.blocksworld.problems import Columns, atoms_of, domain, files, goal_of, write
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


@dataclass(frozen=True, slots=True)
class Pair:
    """A start and a goal."""

    blocks: tuple[str, ...]
    columns: tuple[str, ...]
    start: Columns
    goal: Columns

    def text(self, name: str) -> str:
        """The problem as PDDL."""
        return write(name, self.blocks, self.columns, self.start, self.goal)

    @property
    def content(self) -> str:
        """The problem without its name."""
        return unnamed(self.text(""))


def unnamed(text: str) -> str:
    """A problem's PDDL without the line that names it."""
    return text.partition("\n")[2]


def pairs(
    split: str, dice: random.Random, planner: Planner, wanted: Callable[[Pair], bool] = lambda pair: True
) -> Iterator[Pair]:
    """Pairs of a split without end, each new, with a plan of the right length."""
    size = SIZES[split]
    columns = tuple(f"c{number}" for number in range(1, size.columns + 1))
    seen: set[tuple[Columns, Columns]] = set()
    while True:
        blocks = tuple(dice.sample(sorted(COLOURS), size.blocks))
        start, goal = (arrange(blocks, size.columns, size.height, dice) for _ in range(2))
        pair = Pair(blocks, columns, start, goal)
        if (start, goal) in seen or not wanted(pair):
            continue
        types = {**dict.fromkeys(blocks, "block"), **dict.fromkeys(columns, "column")}
        task = Task(domain(), domain().objects(types), atoms_of(start, columns), goal_of(goal, columns))
        outcome = planner.solve(task)
        if outcome.solved and size.shortest <= len(outcome.plan) <= size.longest:
            seen.add((start, goal))
            yield pair


def generate(split: str, count: int, seed: int, planner: Planner) -> Iterator[tuple[str, str]]:
    """Names and PDDL texts of `count` problems of a split."""
    for number, pair in zip(range(count), pairs(split, random.Random(f"{split} {seed}"), planner), strict=False):
        name = f"{split}_{number:02d}"
        yield name, pair.text(name)


def more(split: str, planner: Planner, *, train: bool = False, start: int = 0) -> Iterator[tuple[str, dict[str, str]]]:
    """Names and files of further problems, without end: none is frozen, and none is both for training and for tests.

    `start` is the number of the first one. The content of a problem decides which of the two it is for, so that any
    number of either can be drawn.
    """
    frozen = {unnamed(file.read_text(encoding="utf-8")) for file in files(split)}

    def wanted(pair: Pair) -> bool:
        content = pair.content
        return bool(crc32(content.encode()) % 2) is train and content not in frozen

    label = "train" if train else "new"
    for number, pair in enumerate(pairs(split, random.Random(f"{split} {label}"), planner, wanted)):
        name = f"{label}_{split}_{number}"
        if number >= start:
            yield name, {"pddl": pair.text(name)}


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

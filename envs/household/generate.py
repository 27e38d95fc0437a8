"""Generates household problems: draws homes for each row of the benchmark's table until they fit.

    python -m envs.household.generate --out DIR [--seed 0] [--only TASK]

A draw is accepted if its home can be built, its given facts hold, the shortest plan from its true initial state has
the length of the row, and plans from the true state reach the goal within the step limit with three seeds. The set in
`envs/household/problems` was made with the defaults and is frozen, so that published numbers stay comparable.
Generation is slow, because homes are furnished and episodes are played.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from envs.household.briefs import Brief, Row
from envs.household.problems import HouseholdProblem, Setting, domain
from envs.household.tasks import ROWS
from envs.seeds import seed_of
from planners import get_planner
from planners.formula import Atom, Literal, conjunction
from planners.outcome import Planner
from planners.task import Task

STEPS = {"simple": 10, "medium": 20, "hard": 30}
"""The step limit of each split."""
SEEDS = (0, 1, 2)
"""The seeds of the runs in which a problem must be solved."""
NEW_SEED, TRAIN_SEED = 10_000_000, 20_000_000
"""First seeds of homes beyond the frozen set. Each problem of a row uses up to 1,000, so the ranges do not overlap."""
MOST = 5_000
"""The largest number of further problems of a split."""
_DRAWS = 40


@dataclass(frozen=True, slots=True)
class Generated:
    """A problem as its two files, and the reasons why earlier draws were refused."""

    name: str
    split: str
    pddl: str
    json: str
    refused: tuple[str, ...]


def generate(row: Row, seed: int, planner: Planner) -> Iterator[Generated]:
    """The problems of a row; consecutive ones have different floor plans."""
    for number in range(row.count):
        yield drawn(row, f"{row.task}_{row.split}_{number}", number, seed, planner)


def drawn(row: Row, name: str, number: int, seed: int, planner: Planner) -> Generated:
    """The first draw that is accepted; `ValueError` if none is after many."""
    from envs.household.home.layout import LAYOUTS

    layout = LAYOUTS[(ROWS.index(row) + number) % len(LAYOUTS)]
    refused: list[str] = []
    for draw in range(_DRAWS):
        own = seed + 1000 * number + draw
        brief = row.brief(Random(f"{name} {own}"))
        problem = problem_of(row, name, brief, Setting(layout, own, brief.needs))
        fault = fault_of(problem, row, brief, planner)
        if fault is None:
            return Generated(name, row.split, pddl_of(problem), json_of(problem), tuple(refused))
        refused.append(f"{name}, draw {draw}: {fault}")
    raise ValueError(f"no draw of {name} is good enough: {'; '.join(refused[-3:])}")


def more(split: str, planner: Planner, *, train: bool = False, start: int = 0) -> Iterator[tuple[str, dict[str, str]]]:
    """Names and files of further problems, the tasks in the proportions of the benchmark's table.

    `start` is the number of the first one. Their homes have other seeds than the frozen ones, and those for training
    others than those for tests.
    """
    rows = [(number, row) for row in ROWS if row.split == split for number in range(row.count)]
    rows.sort(key=lambda one: (one[0], one[1].task))
    label, seed = ("train", TRAIN_SEED) if train else ("new", NEW_SEED)
    for place in range(start, MOST):
        round_, (number, row) = place // len(rows), rows[place % len(rows)]
        made = drawn(row, f"{label}_{row.task}_{split}_{place}", round_ * row.count + number, seed, planner)
        yield made.name, {"pddl": made.pddl, "json": made.json}


def problem_of(row: Row, name: str, brief: Brief, setting: Setting) -> HouseholdProblem:
    """The problem of a brief in a home."""
    objects = domain().objects(brief.types())
    return HouseholdProblem(name, row.split, row.task, objects, brief.given(), conjunction(brief.goal), setting)


def fault_of(problem: HouseholdProblem, row: Row, brief: Brief, planner: Planner) -> str | None:
    """Why the problem is refused; None if it is accepted."""
    from envs.household.home.layout import NoRoom
    from envs.household.rollout import Unsolvable, by_plan
    from envs.household.world import Household

    try:
        world = Household(problem)
    except NoRoom as error:
        return str(error)
    start = world.truth()
    if not brief.given() <= start:
        return f"not so: {', '.join(sorted(map(str, brief.given() - start)))}"
    shortest = planner.solve(Task(world.domain, world.objects, start, world.goal))
    if len(shortest.plan) != row.shortest:
        return f"{len(shortest.plan)} actions instead of {row.shortest}"
    for seed in SEEDS:
        world = Household(problem, seed=seed_of(seed, problem.id))
        try:
            played = list(by_plan(world, planner, STEPS[row.split]))
        except Unsolvable as error:
            return f"seed {seed}: {error}"
        if not Task(world.domain, world.objects, start, world.goal).solved(world.truth()):
            return f"seed {seed}: not solved, last {played[-1].step}: {played[-1].happened}"
    return None


def pddl_of(problem: HouseholdProblem) -> str:
    """The PDDL file: objects, given facts and goal."""
    from envs.household.problems import wanted_of

    groups: dict[str, list[str]] = {}
    for name, kind in problem.objects.items():
        groups.setdefault(kind, []).append(name)
    return "\n".join(
        [
            f"(define (problem {problem.name})",
            "  (:domain household)",
            "  (:objects",
            *(f"    {' '.join(names)} - {kind}" for kind, names in groups.items()),
            "  )",
            "  (:init",
            *(f"    {_pddl(atom)}" for atom in sorted(problem.given)),
            "  )",
            "  (:goal (and",
            *(f"    {_literal(literal)}" for literal in wanted_of(problem)),
            "  )))",
            "",
        ]
    )


def json_of(problem: HouseholdProblem) -> str:
    """The JSON file: floor plan, seed and needs, with a line for each thing."""
    from dataclasses import asdict

    lines = []
    for need in problem.setting.needs:
        entry: dict[str, Any] = {key: value for key, value in asdict(need).items() if value not in (None, (), 0.0)}
        lines.append(f"    {json.dumps(entry)}")
    head = {"task": problem.task, "layout": problem.setting.layout, "seed": problem.setting.seed}
    headers = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    return "\n".join(["{", *headers, '  "needs": [', ",\n".join(lines), "  ]", "}", ""])


def _literal(literal: Literal) -> str:
    return _pddl(literal.atom) if literal.value else f"(not {_pddl(literal.atom)})"


def _pddl(atom: Atom) -> str:
    return f"({' '.join((atom.predicate, *atom.args))})"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m envs.household.generate",
        description=(__doc__ or "").partition("\n")[0],
        epilog="exit code: 0 all written, 2 the input cannot be used",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write a folder for each split into")
    parser.add_argument("--seed", type=int, default=0, help="other seeds give other problems (default: 0)")
    parser.add_argument("--only", metavar="TASK", help="problems of this task alone, or of TASK_SPLIT")
    parser.add_argument("--force", action="store_true", help="write over files of the same names")
    parser.add_argument("--verbose", action="store_true", help="tell of every draw that is not kept")
    try:
        return _run(parser.parse_args(argv))
    except (ValueError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2


def _run(arguments: argparse.Namespace) -> int:
    from planners.names import unknown

    rows = [row for row in ROWS if arguments.only in (None, row.task, f"{row.task}_{row.split}")]
    if not rows:
        raise unknown("task", arguments.only, {row.task for row in ROWS})
    planner = get_planner("fd-opt")
    written = 0
    try:
        for row in rows:
            folder = arguments.out / row.split
            folder.mkdir(parents=True, exist_ok=True)
            there = next(iter(folder.glob(f"{row.task}_{row.split}_*")), None)
            if there and not arguments.force:
                raise ValueError(f"there is {there} already; choose another --out, or add --force to write over it")
            for made in generate(row, arguments.seed, planner):
                (folder / f"{made.name}.pddl").write_text(made.pddl, encoding="utf-8")
                (folder / f"{made.name}.json").write_text(made.json, encoding="utf-8")
                written += 1
                for line in made.refused if arguments.verbose else ():
                    sys.stderr.write(f"{line}\n")
    finally:
        planner.close()
    sys.stdout.write(f"wrote {written} problems to {arguments.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

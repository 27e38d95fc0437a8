"""Twins: simulated models with errors like those of recorded ones.

    python -m evals.viplan_twins learn path/to/recorded --published tables.csv --out DIR
    python -m evals.viplan_twins check path/to/recorded --published tables.csv --models qwen2.5-vl-72b --limit 5

`learn` makes the files that `sim:` reads: from recorded answers where there are any, else from published accuracies.
No success of a grounder is used. Planner methods succeed as often as published. `check` plays the original's
Blocksworld problems by its rules on twins and on models with independent errors, and puts what comes out beside what
is published and recorded. All of it is simulated.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from evals.viplan.arguments import at_least
from models.recorded.reading import RecordError
from planners.outcome import PlannerUnavailable

if TYPE_CHECKING:
    from evals.viplan.twins.checking import Row

METHODS = ("ground", "ground_mem", "plan", "action")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(argv)
    try:
        return _learn(arguments) if arguments.task == "learn" else _check(arguments)
    except (RecordError, PlannerUnavailable, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1 if isinstance(error, PlannerUnavailable) else 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.viplan_twins",
        description=__doc__,
        epilog="exit code: 0 all well, 1 the planner broke down, 2 invalid input",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    tasks = parser.add_subparsers(dest="task", required=True)
    learn = tasks.add_parser("learn", help="learn the coefficients")
    check = tasks.add_parser("check", help="play, and compare with what is published")
    for task in (learn, check):
        task.add_argument("path", type=Path, help="a folder with answers.jsonl.gz and episodes.jsonl.gz")
        task.add_argument("--published", type=Path, required=True, metavar="CSV", help="the paper's tables")
        task.add_argument("--problems", type=Path, help="the problems they are about (default: looked for beside PATH)")
        task.add_argument("--limit", type=at_least(1), help="how many problems of a split are played")
    learn.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the files are written")
    learn.add_argument(
        "--rounds", type=at_least(0), default=2, help="how often published accuracies are matched by play"
    )
    check.add_argument("--models", default="recorded", help="names of `sim:`, `recorded` or `all` (default: recorded)")
    check.add_argument("--methods", default="ground,ground_mem", help=f"of {', '.join(METHODS)}, with commas between")
    check.add_argument("--seeds", type=at_least(1), default=3, help="how often twins play")
    check.add_argument("--independent", type=at_least(0), default=1, help="how often independent errors play")
    check.add_argument("--csv", type=Path, metavar="OUT", help="write all figures to a file")
    check.add_argument("--plot", type=Path, metavar="OUT", help="write a plot of success as SVG")
    check.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")
    return parser


def _learn(arguments: argparse.Namespace) -> int:
    from evals.viplan.twins.learning import learn
    from evals.viplan.twins.records import WORLDS, read_questions
    from evals.viplan.twins.writing import plans_of, write

    questions = read_questions(arguments.path, arguments.problems)
    learned = {}
    for world in WORLDS.values():
        here = [question for question in questions if question.world == world]
        if here:
            _tell(f"{world}: {len(here)} questions")
            learned[world] = learn(here)
    plans = plans_of(arguments.published, arguments.path)
    arguments.out.mkdir(parents=True, exist_ok=True)
    files = write(arguments.out, learned, plans)
    if arguments.rounds:
        _match(arguments)
    print("\n".join(map(str, files)))
    return 0


def _match(arguments: argparse.Namespace) -> None:
    """Match published accuracies. Stand-ins read their coefficients from their own folder, so it must be that one."""
    from evals.viplan.twins.matching import match
    from evals.viplan.twins.playing import Table
    from models._twins import HERE, twins

    if arguments.out.resolve() != HERE:
        raise ValueError(f"--rounds plays with the files in {HERE}: give --out {HERE}, or --rounds 0")
    twins.cache_clear()
    with closing(_planners()) as planners:
        asyncio.run(match(Table(_problems(arguments), planners.both, arguments.limit), HERE, arguments.rounds, _tell))


def _check(arguments: argparse.Namespace) -> int:
    from evals.pages.tables import write_rows
    from evals.viplan.twins.checking import as_rows, beside_records, checked
    from evals.viplan.twins.display import plotted, shown
    from evals.viplan.twins.playing import Table
    from evals.viplan.twins.published import read_success
    from evals.viplan.twins.records import first_errors
    from planners.names import unknown

    published = read_success(arguments.published)
    wrong = first_errors(arguments.path)
    recorded = sorted({model for model, _, _ in wrong})
    every = sorted({setting.model for setting in published})
    models = {"recorded": recorded, "all": every}.get(arguments.models) or arguments.models.split(",")
    methods = arguments.methods.split(",")
    for value, possible, what in ((models, every, "published model"), (methods, METHODS, "method")):
        for one in value:
            if one not in possible:
                raise unknown(what, one, possible)
    seeds = {"shared": arguments.seeds, "independent": arguments.independent}
    with closing(_planners()) as planners:
        table = Table(_problems(arguments), planners.both, arguments.limit)
        rows = beside_records(asyncio.run(checked(table, published, models, methods, seeds, _tell)), wrong)
    if arguments.csv:
        write_rows(arguments.csv, as_rows(rows))
    if arguments.plot:
        arguments.plot.write_text(plotted(rows), encoding="utf-8")
    if arguments.json:
        print(json.dumps({"simulated": True, "rows": as_rows(rows), **_summary(rows)}, indent=1))
    else:
        shown(rows)
    return 0


def _summary(rows: Sequence[Row]) -> dict[str, object]:
    from evals.viplan.twins.checking import in_order, orders, summaries

    ways = ("twin", "independent")
    ahead = {way: orders(rows, way) for way in ways}
    return {
        "summaries": {way: [asdict(summary) for summary in summaries(rows, way)] for way in ways},
        "in_order": {way: [sum(map(in_order, found.values())), len(found)] for way, found in ahead.items()},
    }


class _Planners:
    """The agent's planner and the stand-in's, closed together."""

    def __init__(self) -> None:
        from planners import get_planner
        from planners.cache import CachedPlanner

        self.both = CachedPlanner(get_planner("fd")), CachedPlanner(get_planner("fd-opt"))

    def close(self) -> None:
        """Close both."""
        for planner in self.both:
            planner.close()


def _planners() -> _Planners:
    return _Planners()


def _problems(arguments: argparse.Namespace) -> Path:
    from models.recorded.checkout import problems_beside

    found: Path = arguments.problems or problems_beside(arguments.path)
    return found


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)

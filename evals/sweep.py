"""Play many runs as one job.

    python -m evals.sweep examples/sweep.toml

Plays every combination of the agents, models, splits, seeds and other settings that a TOML file lists, each as a run
directory of its own. Stopped or killed, it goes on with --resume and asks nothing twice. At the end one report compares
all of it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.pipes import quietly

if TYPE_CHECKING:
    from evals.equipment import Equipment
    from evals.sweeping.config import Plan
    from evals.sweeping.directory import Outcome, SweepDirectory
    from models.conduct import Terms

DESCRIPTION = """\
Play every combination of agents, models, domains, splits, seeds and other settings that a TOML file lists
(docs/sweep.md). Each is a run directory that can be looked at and compared like any other; at the end there is one
report over all. Models are loaded once, and one cap on cost holds for all of them together.
"""
EPILOG = """\
examples:
  python -m evals.sweep examples/sweep.toml --dry-run
  python -m evals.sweep examples/sweep.toml --out runs/mine
  python -m evals.sweep examples/sweep.toml --out runs/mine --resume

exit code: 0 all played, 1 some cells or episodes could not be played (--resume tries them again), 2 the input cannot be
used, 3 stopped by a cap, 130 stopped by Ctrl-C (--resume goes on after both)
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(argv)
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        print("stopped before anything was asked", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.sweep",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="a TOML file")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the directory (default: runs/sweep-CONFIG)")
    parser.add_argument("--resume", action="store_true", help="go on with the sweep in that directory")
    parser.add_argument("--dry-run", action="store_true", help="say what it would need and cost, and ask nothing")
    parser.add_argument("--max-cost", type=float, metavar="DOLLARS", help="another cap than the file's, over all cells")
    parser.add_argument("--max-tokens", type=int, metavar="N", help="another cap than the file's, over all cells")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")
    return parser


def _run(arguments: argparse.Namespace) -> int:
    from evals.command import need_no_keys
    from evals.equipment import Equipment
    from evals.playing import options_of
    from evals.prepare import BadInput, as_bad_input, terms_of
    from evals.sweeping.config import BadConfig, read_plan
    from evals.sweeping.job import check

    equipment = None
    try:
        if arguments.dry_run:
            need_no_keys()
        plan = read_plan(arguments.config)
        with as_bad_input():
            own = {"max_cost": arguments.max_cost, "max_tokens": arguments.max_tokens}
            caps = {name: cap for name, cap in own.items() if cap is not None}
            terms = terms_of(options_of(plan.benchmark, {**plan.how.options(), **caps}))
            equipment = Equipment(terms)
            check(plan, equipment)
            if arguments.dry_run:
                return _preview(plan, equipment, terms, as_json=arguments.json)
            out = arguments.out or Path("runs") / f"sweep-{arguments.config.stem}"
            sweep = _opened(out, plan, resume=arguments.resume)
        return _play_and_tell(sweep, plan, equipment, arguments)
    except (BadConfig, BadInput) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    finally:
        if equipment is not None:
            equipment.close()


def _opened(out: Path, plan: Plan, *, resume: bool) -> SweepDirectory:
    from evals.sweeping.directory import SweepDirectory

    return SweepDirectory.resume(out, plan) if resume else SweepDirectory.create(out, plan)


def _preview(plan: Plan, equipment: Equipment, terms: Terms, *, as_json: bool) -> int:
    from evals.sweeping.preview import preview

    found = preview(plan, equipment, terms, _say)
    if as_json:
        print(json.dumps(found.as_json()))
        return 0
    from evals.comparison.display import print_table

    print_table(found.as_table())
    for warning in found.warnings():
        print(warning)
    return 0


def _play_and_tell(sweep: SweepDirectory, plan: Plan, equipment: Equipment, arguments: argparse.Namespace) -> int:
    from models.base import CapReached

    stopped, code, outcomes = "", 0, list[Any]()
    try:
        _play(sweep, plan, equipment, outcomes)
    except KeyboardInterrupt:
        stopped, code = "Ctrl-C", 130
    except CapReached as reason:
        stopped, code = str(reason), 3
    report = _conclude(sweep, outcomes, as_json=arguments.json)
    sweep.close()
    _say(f"sweep: {sweep.path}" + (f"\nreport: {report}" if report else ""))
    go_on = f"python -m evals.sweep {arguments.config} --out {sweep.path} --resume"
    if stopped:
        _say(f"stopped: {stopped}\ngo on with: {go_on}")
        return code
    wrong = [outcome for outcome in outcomes if outcome.reason]
    for outcome in wrong:
        _say(f"{outcome.cell}: {outcome.state}: {outcome.reason}")
    if wrong:
        _say(f"try {'it' if len(wrong) == 1 else 'them'} again with: {go_on}")
    return 1 if wrong else 0


def _play(sweep: SweepDirectory, plan: Plan, equipment: Equipment, outcomes: list[Outcome]) -> None:
    """Play all cells; what became of them is told even if it is stopped."""
    from evals.prepare import as_bad_input
    from evals.sweeping.display import SweepProgress
    from evals.sweeping.job import Episodes, Job
    from evals.sweeping.spending import spent

    terms, episodes = equipment.terms, Episodes(plan.benchmark)
    assert terms is not None
    with as_bad_input():
        before = spent(sweep.runs())
        total = sum(episodes(cell.settings) for cell in sweep.cells)
    terms.budget.cost, terms.budget.tokens = before.cost, before.prompt_tokens + before.completion_tokens
    with SweepProgress(len(sweep.cells), total, terms.budget) as progress:
        terms.tell = progress.say

        async def play() -> None:
            await Job(sweep, plan, equipment, progress, outcomes).play()

        asyncio.run(play())


def _conclude(sweep: SweepDirectory, outcomes: Sequence[Outcome], *, as_json: bool) -> Path | None:
    from evals.comparison.arms import Unusable
    from evals.sweeping.conclusion import conclude

    try:
        found = conclude(sweep)
    except Unusable as error:
        _say(f"no report: {error}")
        found = None
    comparison, page = found or (None, None)
    if as_json:
        from dataclasses import asdict

        from evals.comparison.writing import as_json as plain

        told = {"cells": [asdict(outcome) for outcome in outcomes], **(plain(comparison) if comparison else {})}
        print(json.dumps({"sweep": str(sweep.path), "report": str(page) if page else None, **told}))
    elif comparison:
        from evals.comparison.display import print_comparison

        print_comparison(comparison, ["success", "pairs", "methods", "cot", "ranking"])
    return page


def _say(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(quietly(main))

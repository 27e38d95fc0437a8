"""Run a sweep: many runs as one job.

    python -m evals.sweep examples/sweep.toml

Plays every combination of the agents, models, splits, seeds and other settings that a TOML file lists, each as a run
directory of its own. A stopped sweep is resumed with --resume; cached answers are reused. At the end one report
compares all cells.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.run.equipment import Equipment
    from evals.sweep.config import Plan
    from evals.sweep.directory import Outcome, SweepDirectory
    from models.conduct import Terms

DESCRIPTION = """\
Play every combination of agents, models, seeds and other settings that a TOML file lists, on any benchmark
(docs/sweep.md). Each is a run directory that can be viewed and compared like any other; at the end there is one report
over all. Models are loaded once, and one cap on cost holds for all of them together. Options given here replace those
in the file's [run].
"""
EPILOG = """\
examples:
  python -m evals.sweep examples/sweep.toml --dry-run
  python -m evals.sweep examples/sweep.toml --out runs/mine
  python -m evals.sweep examples/sweep.toml --out runs/mine --resume

exit code: 0 all played, 1 some cells or episodes could not be played (--resume tries them again) or ended by an error
of the agent, 2 invalid input, 3 stopped by a cap, 130 stopped by Ctrl-C (--resume continues after both)
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
    from evals.run.options import add_options
    from evals.run.settings import Asking

    parser = argparse.ArgumentParser(
        prog="python -m evals.sweep",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("config", type=Path, metavar="CONFIG", help="a TOML file")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the directory (default: runs/sweep-CONFIG)")
    parser.add_argument("--resume", action="store_true", help="resume the sweep in that directory")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")
    parser.add_argument(
        "--shard",
        metavar="K/N",
        help="play every N-th cell from the K-th (evals.merge puts parts together)",
    )
    add_options(parser, Asking)
    return parser


def _run(arguments: argparse.Namespace) -> int:
    from evals.command import need_no_keys
    from evals.run.equipment import Equipment
    from evals.run.options import chosen
    from evals.run.prepare import BadInput, as_bad_input, terms_of
    from evals.run.settings import Asking
    from evals.sweep.config import BadConfig, Playing, read_plan
    from evals.sweep.job import check

    equipment = None
    try:
        if arguments.dry_run:
            need_no_keys()
        plan = read_plan(arguments.config).part(arguments.shard)
        with as_bad_input():
            given = chosen(Asking, vars(arguments))
            running = Playing(**{**plan.running.model_dump(exclude_unset=True), **given})
            plan = replace(plan, running=running)
            terms = terms_of(running)
            equipment = Equipment(terms)
            check(plan, equipment)
            if arguments.dry_run:
                return _preview(plan, equipment, terms, as_json=arguments.json)
            part = f"-shard-{plan.shard.replace('/', '-of-')}" if plan.shard else ""
            out = arguments.out or Path("runs") / f"sweep-{arguments.config.stem}{part}"
            sweep = _opened(out, plan, resume=arguments.resume)
        return _play_and_tell(sweep, plan, equipment, arguments)
    except (BadConfig, BadInput) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    finally:
        if equipment is not None:
            equipment.close()


def _opened(out: Path, plan: Plan, *, resume: bool) -> SweepDirectory:
    from evals.sweep.directory import SweepDirectory

    return SweepDirectory.resume(out, plan) if resume else SweepDirectory.create(out, plan)


def _preview(plan: Plan, equipment: Equipment, terms: Terms, *, as_json: bool) -> int:
    from evals.sweep.preview import preview

    found = preview(plan, equipment, terms, _say)
    if as_json:
        print(json.dumps(found.as_json()))
        return 0
    from evals.compare.display import print_table

    print_table(found.as_table())
    for warning in found.warnings():
        print(warning)
    return 0


def _play_and_tell(sweep: SweepDirectory, plan: Plan, equipment: Equipment, arguments: argparse.Namespace) -> int:
    from models.base import CannotKeep, CapReached

    stopped, code, outcomes = "", 0, list[Any]()
    try:
        _play(sweep, plan, equipment, outcomes)
    except KeyboardInterrupt:
        stopped, code = "Ctrl-C", 130
    except (CapReached, CannotKeep) as reason:
        stopped, code = str(reason), 3
    try:
        report = _conclude(sweep, outcomes, as_json=arguments.json)
    except CannotKeep as reason:
        report, stopped, code = None, stopped or str(reason), code or 3
    sweep.close()
    _say(f"sweep: {sweep.path}" + (f"\nreport: {report}" if report else ""))
    words = ["python", "-m", "evals.sweep", str(arguments.config), "--out", str(sweep.path), "--resume"]
    resume = shlex.join([*words, *(["--shard", plan.shard] if plan.shard else [])])
    if stopped:
        _say(f"stopped: {stopped}\nresume with: {resume}")
        return code
    wrong = [outcome for outcome in outcomes if outcome.reason]
    for outcome in wrong:
        _say(f"{outcome.cell}: {outcome.state}: {outcome.reason}")
    broken = [outcome for outcome in wrong if outcome.state == "agent error"]
    if broken:
        traced = shlex.quote(str(sweep.path / "cells" / broken[0].cell))
        _say(f"the agent's traceback is at the end of its trace: python -m evals.view {traced}")
    if len(wrong) > len(broken):
        _say(f"try again what could not be played, with: {resume}")
    return 1 if wrong else 0


def _play(sweep: SweepDirectory, plan: Plan, equipment: Equipment, outcomes: list[Outcome]) -> None:
    """Play all cells; `outcomes` has their outcomes, even after a stop."""
    from evals.run.prepare import as_bad_input
    from evals.sweep.display import SweepProgress
    from evals.sweep.job import Episodes, Job
    from evals.sweep.spending import spent

    terms, episodes = equipment.terms, Episodes(plan.benchmark)
    assert terms is not None
    with as_bad_input():
        before = spent(sweep.runs())
        total = sum(episodes(cell.settings) for cell in sweep.cells)
    terms.budget.cost, terms.budget.tokens = before.cost, before.prompt_tokens + before.completion_tokens
    questions = plan.benchmark.judging(sweep.cells[0].settings).of_questions
    with SweepProgress(len(sweep.cells), total, terms.budget, questions=questions) as progress:
        terms.notify = progress.say

        async def play() -> None:
            await Job(sweep, plan, equipment, progress, outcomes).play()

        asyncio.run(play())


def _conclude(sweep: SweepDirectory, outcomes: Sequence[Outcome], *, as_json: bool) -> Path | None:
    from evals.compare.arms import Unusable
    from evals.sweep.conclusion import conclude

    try:
        found = conclude(sweep)
    except Unusable as error:
        _say(f"no report: {error}")
        found = None
    comparison, page = found or (None, None)
    if as_json:
        from dataclasses import asdict

        from evals.compare.writing import as_json as plain

        result = {"cells": [asdict(outcome) for outcome in outcomes], **(plain(comparison) if comparison else {})}
        print(json.dumps({"sweep": str(sweep.path), "report": str(page) if page else None, **result}))
    elif comparison:
        from evals.compare.display import print_comparison

        print_comparison(comparison, ["success", "pairs", "methods", "cot", "ranking"])
    return page


def _say(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(quietly(main))

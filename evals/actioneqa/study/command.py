"""The commands of the studies of ActionEQA; each is a sub-command of `evals.actioneqa_study`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

DESCRIPTION = """\
Study the questions of ActionEQA themselves: what can be answered without looking, whether solvers agree with the key,
what gates drop, how views compare, what the published tables add up to, how far people agree.
"""
EPILOG = """\
examples:
  python -m evals.actioneqa_study blind --sets 400 --level low
  python -m evals.actioneqa_study tables published_tables.csv
  python -m evals.actioneqa_study agreement 115 120

exit code: 0 done, 1 a table has other deviations than the known ones, 2 the input cannot be used
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    chosen = _parser().parse_args(argv)
    from evals.run.prepare import BadInput, as_bad_input

    try:
        with as_bad_input():
            return _done(chosen)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.actioneqa_study",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    blind = commands.add_parser("blind", help="learners that see texts, or candidates, and nothing else")
    blind.add_argument("--sets", type=int, default=4000, metavar="N", help="fresh sets of each level (default: 4000)")
    blind.add_argument("--level", action="append", choices=("high", "mid", "low"), help="only this level; repeatable")
    blind.add_argument("--seed", type=int, default=1, metavar="N", help="the seed of the fresh sets")
    blind.add_argument("--candidates", action="store_true", help="candidates of state prediction instead of texts")
    for name, meaning, sample in (
        ("solvers", "answer questions by drawing every outcome", None),
        ("gates", "clean, blurred, dark and covered copies of frames", 100),
    ):
        one = commands.add_parser(name, help=meaning)
        one.add_argument("--sample", type=int, default=sample, metavar="N", help="only N questions, evenly spread")
        one.add_argument("--data", default="core", metavar="WHERE", help="our own questions: core, or a folder")
    blind.add_argument("--sample", type=int, metavar="N", help="with --candidates: only N questions")
    blind.add_argument("--data", default="core", metavar="WHERE", help="with --candidates: core, or a folder")
    tables = commands.add_parser("tables", help="published tables, and what they add up to")
    tables.add_argument("file", type=Path, metavar="CSV")
    views = commands.add_parser("views", help="runs in several views, with paired tests")
    views.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    errors = commands.add_parser("errors", help="error proportions by kind of motion")
    errors.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    errors.add_argument("--level", default="mid", choices=("mid", "low"))
    agreement = commands.add_parser("agreement", help="how far two people agree")
    agreement.add_argument("agree", type=int, metavar="AGREE", help="the number of items with the same answer")
    agreement.add_argument("count", type=int, metavar="COUNT", help="the number of items that both answered")
    return parser


def _done(chosen: argparse.Namespace) -> int:
    from evals.pages.tables import print_table

    if chosen.command == "tables":
        from evals.actioneqa.published import report

        return report(chosen.file)
    if chosen.command in ("views", "errors", "agreement"):
        from evals.actioneqa.study import runs

        if chosen.command == "agreement":
            print_table(runs.agreement_table(chosen.agree, chosen.count))
        elif chosen.command == "views":
            print_table(runs.views_table(chosen.runs))
        else:
            print_table(runs.errors_table(chosen.runs, chosen.level))
        return 0
    if chosen.command == "blind":
        from evals.actioneqa.study import blind

        if chosen.candidates:
            print_table(blind.candidates_table(chosen.data, chosen.sample, _report))
        else:
            levels = chosen.level or ("high", "mid", "low")
            print_table(blind.texts_table(chosen.sets, chosen.seed, levels, _report))
        return 0
    from evals.actioneqa.study import checks

    table = checks.solvers_table if chosen.command == "solvers" else checks.gates_table
    print_table(table(chosen.data, chosen.sample, _report))
    return 0


def _report(line: str) -> None:
    print(line, file=sys.stderr)

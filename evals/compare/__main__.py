"""Compare runs on the same problems.

    python -m evals.compare runs/one runs/other

Puts runs side by side: success with its interval, paired tests with correction for many comparisons, the first
divergence of each episode, and the tables that a benchmark adds. Runs recorded by another program can be included, if
a benchmark can read them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.compare.figures import Comparison

FORMATS = ("terminal", "csv", "latex", "json")
DESCRIPTION = """\
Compare runs on the same problems. RUN is a run directory, a folder with runs below it (such as a sweep), or a folder of
runs that another program recorded, if a benchmark can read it (docs/compare.md).

Runs that differ only in seed, domain or split count as one. Every run is paired with the first, or with --baseline.
Runs with other prompts, another scorer or other problems are refused.
"""
EPILOG = """\
tables: {tables}

examples:
  python -m evals.compare runs/ground runs/ground_mem
  python -m evals.compare runs/sweep-methods --all-pairs --out comparison
  python -m evals.compare runs/mine published --where agent=ground
  python -m evals.compare runs/sweep-methods --format latex --table success pairs > tables.tex

exit code: 0 compared, 2 invalid input, or the runs are not comparable
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(argv)
    from evals.compare.arms import Unusable

    try:
        comparison = _compared(arguments)
        if arguments.out:
            from evals.compare.writing import write

            print(f"page: {write(comparison, arguments.out)}", file=sys.stderr)
        _print(comparison, arguments)
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    from evals.compare.exhibits import table_names

    tables = table_names()
    parser = argparse.ArgumentParser(
        prog="python -m evals.compare",
        description=DESCRIPTION,
        epilog=EPILOG.format(tables=", ".join(tables)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="the runs to compare")
    parser.add_argument("--baseline", metavar="RUN", help="pair the others with this one (a path, or part of its name)")
    parser.add_argument("--all-pairs", action="store_true", help="pair every two runs")
    parser.add_argument(
        "--where",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="only runs with this setting, such as agent=ground*, or these episodes: split=hard; may be repeated",
    )
    parser.add_argument("--format", choices=FORMATS, default="terminal", help="output format (default: terminal)")
    parser.add_argument("--table", nargs="+", action="extend", choices=tables, metavar="NAME", help="only these tables")
    parser.add_argument("--out", type=Path, metavar="DIR", help="also write CSV, LaTeX, JSON, SVG and a page there")
    parser.add_argument("--force", action="store_true", help="compare different runs, on their common problems")
    parser.add_argument(
        "--curve",
        action="store_true",
        help="add the benchmark's curve, which plays each problem once",
    )
    parser.add_argument("--problems", type=Path, metavar="DIR", help="with --curve: the problems of recorded runs")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the bootstrap (default: 0)")
    parser.add_argument(
        "--resamples", type=_positive, default=10_000, metavar="N", help="resamples of the bootstrap (default: 10000)"
    )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def _compared(arguments: argparse.Namespace) -> Comparison:
    from evals.compare.arms import Unusable, arms_of
    from evals.compare.exhibits import curves_of
    from evals.compare.figures import compare
    from evals.compare.reading import chosen, find_arm, read

    if arguments.baseline and arguments.all_pairs:
        raise Unusable("--baseline and --all-pairs do not go together")
    parts, skipped = read(arguments.runs)
    arms = arms_of(chosen(parts, arguments.where))
    if len(arms) < 2:
        only = f" ({arms[0].label})" if arms else ""
        raise Unusable(
            f"there is one run to compare{only}, and it takes two; runs that differ only in seed count as one"
        )
    baseline = None if arguments.all_pairs else find_arm(arguments.baseline, arms) if arguments.baseline else arms[0]
    more = curves_of(arms, arguments.problems, _say) if arguments.curve else ()
    return compare(
        arms,
        baseline=baseline,
        more=more,
        skipped=skipped,
        force=arguments.force,
        seed=arguments.seed,
        resamples=arguments.resamples,
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _print(comparison: Comparison, arguments: argparse.Namespace) -> None:
    if arguments.format == "json":
        from evals.compare.writing import as_json

        print(json.dumps(as_json(comparison), ensure_ascii=False))
        return
    from evals.compare.listing import left_out, tables_of, unknown_courses

    for line in left_out(comparison, arguments.table):
        _say(line)
    if arguments.format == "terminal":
        from evals.compare.display import print_comparison

        print_comparison(comparison, arguments.table)
        return
    from evals.pages.tables import as_document

    unknown = unknown_courses(comparison.pairs) if "problems" in (arguments.table or ()) else ()
    for line in (*comparison.warnings, *comparison.forced, *comparison.notes, *unknown):
        _say(line)
    print(as_document(list(tables_of(comparison, arguments.table)), latex=arguments.format == "latex"), end="")


if __name__ == "__main__":
    sys.exit(quietly(main))

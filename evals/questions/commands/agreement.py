"""Measure the accuracy of people, and their agreement with each other and with models."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

EPILOG = """\
FILE is what `people` wrote, or a run: a model then is one more rater, beside the people.

examples:
  python -m evals.questions agreement people/shapes.jsonl
  python -m evals.questions agreement people/shapes.jsonl runs/shapes --format csv

exit code: 0 done, 2 the input cannot be used
"""


def add(subparsers: Any) -> None:
    """Add the parser of this command."""
    agreement = subparsers.add_parser(
        "agreement",
        help="how right people are, and how far they agree",
        description="Share of right answers with intervals, exact agreement, Cohen's kappa, Krippendorff's alpha; of "
        "scores from 0 to 10 also Pearson's r, Spearman, bands and mean absolute error.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    agreement.add_argument("files", nargs="+", type=Path, metavar="FILE", help="people's files, and runs")
    agreement.add_argument("--set", default="", metavar="FILE.py:NAME", help="the set, if it is in a file of your own")
    agreement.add_argument(
        "--format", choices=("terminal", "csv", "latex"), default="terminal", help="what is printed (default: terminal)"
    )
    agreement.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the tables; the exit code."""
    from evals.pages.tables import as_document, print_table
    from evals.questions.people.agreeing import raters_of, tables_of
    from evals.questions.people.chosen import as_value_error

    with as_value_error():
        tables = tables_of(raters_of(arguments.files, arguments.set))
    if arguments.format == "terminal":
        for table in tables:
            print_table(table)
    else:
        print(as_document(tables, latex=arguments.format == "latex"))
    return 0

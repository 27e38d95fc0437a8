"""Test whether the questions of a set can be answered without the pictures."""

from __future__ import annotations

import argparse
from typing import Any

DESCRIPTION = """\
Answer the questions of a set without looking at a picture: by eight shortcut programs (what is lower is nearer, what
has more pixels is larger, the first option, the longest option, what is right most often, …), by a learner that reads
the words and by one that knows where the marks are. Print how often each is right in each group, beside how often
guessing is. A rate above chance and two standard errors is a leak.
"""
EPILOG = """\
examples:
  python -m evals.questions leaks erqa_plus
  python -m evals.questions leaks erqa_plus --set data=mine --by type --workers 2
  python -m evals.questions leaks erqa --set category=pointing --csv leaks.csv

exit code: 0 no leak, 1 a rate is above chance and the standard errors, 2 the set cannot be used
"""


def add(subparsers: Any) -> None:
    """Add the parser of this command."""
    parser = subparsers.add_parser(
        "leaks",
        help="find out whether questions can be answered without looking",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("set", metavar="SET", help="a question set, or FILE.py:NAME")
    parser.add_argument(
        "--by", default="sub_category", metavar="TAG", help="what groups are made by (default: %(default)s)"
    )
    parser.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the set, such as data",
    )
    parser.add_argument(
        "--errors",
        type=float,
        default=2.0,
        metavar="K",
        help="standard errors above chance that are a leak (default: 2)",
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument("--csv", metavar="OUT", help="write the rates as a table")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the table; the exit code."""
    from pathlib import Path

    from pydantic import ValidationError

    from evals.pages.tables import as_csv, print_table
    from evals.questions.leaks import rates, table_of
    from evals.questions.sets import QuestionSet
    from evals.run.benchmarks import find_benchmark
    from evals.run.settings import explain

    benchmark = find_benchmark(arguments.set)
    if not isinstance(benchmark, QuestionSet):
        raise ValueError(f"{arguments.set} is no set of questions")
    given: dict[str, Any] = dict(_pair(word) for word in arguments.settings)
    try:
        settings = benchmark.settings(**given)
    except ValidationError as error:
        raise ValueError(explain(error)) from None
    questions = benchmark.known(settings, arguments.workers)
    if not questions:
        raise ValueError(f"{arguments.set} has no questions")
    table = table_of(found := rates(questions, arguments.by, arguments.errors))
    if arguments.csv:
        Path(arguments.csv).write_text(as_csv(table), encoding="utf-8")
    print_table(table)
    return 1 if any(rate.leaks for rate in found) else 0


def _pair(word: str) -> tuple[str, str]:
    name, sign, value = word.partition("=")
    if not sign:
        raise ValueError(f"--set takes NAME=VALUE, not {word!r}")
    return name, value

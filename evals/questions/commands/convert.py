"""Convert people's answers to runs, so that all tools on runs can be used."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

EPILOG = """\
examples:
  python -m evals.questions convert people/shapes.jsonl
  python -m evals.questions convert people/shapes.jsonl --annotator anna --out runs/anna

A run is called unfinished as long as its person has not answered all questions of the set; tools on runs then use what
is there.

exit code: 0 done, 2 the input cannot be used
"""


def add(subparsers: Any) -> None:
    """Add the parser of this command."""
    convert = subparsers.add_parser(
        "convert",
        help="make runs of what people answered",
        description="Play what people answered, each person as a run of their own.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    convert.add_argument("file", type=Path, metavar="FILE", help="what `people` wrote")
    convert.add_argument("--annotator", default="", metavar="NAME", help="only this person")
    convert.add_argument("--set", default="", metavar="FILE.py:NAME", help="the set, if it is in a file of your own")
    convert.add_argument("--out", type=Path, metavar="DIR", help="the run directory, of one person")
    convert.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play the answers of the file; the exit code."""
    from evals.questions.people.chosen import as_value_error
    from evals.questions.people.converting import convert

    with as_value_error():
        for line in convert(arguments.file, arguments.annotator, arguments.out, arguments.set):
            print(line)
    return 0

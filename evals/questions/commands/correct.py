"""Write a corrected set from people's reviews."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

EPILOG = """\
examples:
  python -m evals.questions people erqa_plus --mode review
  python -m evals.questions correct people/erqa_plus-review.jsonl --out corrected
  python -m evals.erqa_plus --data corrected --partial

A question that anyone dropped is left out. Fixed parts replace the old ones; of several fixes the last one counts, and
questions on which people differ are listed.

exit code: 0 written, 2 the input cannot be used
"""


def add(subparsers: Any) -> None:
    """Add the parser of this command."""
    parser = subparsers.add_parser(
        "correct",
        help="write a corrected set from reviews",
        description="Write the questions that people reviewed as a data set: data.json and a folder of pictures.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="what `people --mode review` wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the set goes")
    parser.add_argument("--annotator", default="", metavar="NAME", help="only this person's reviews")
    parser.add_argument("--reviewed", action="store_true", help="leave out questions that nobody reviewed")
    parser.add_argument("--set", default="", metavar="FILE.py:NAME", help="the set, if it is in a file of your own")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the set; the exit code."""
    from evals.questions.people.chosen import as_value_error
    from evals.questions.people.correcting import correct

    with as_value_error():
        found = correct(
            arguments.file,
            arguments.out,
            annotator=arguments.annotator,
            reviewed=arguments.reviewed,
            confirmed=arguments.set,
        )
    reviewed = ", ".join(f"{found.decisions.get(name, 0)} {name}" for name in ("accept", "fix", "drop"))
    print(f"{found.written} questions written to {arguments.out} ({reviewed})")
    for question in found.conflicts:
        print(f"people differ on {question}")
    return 0

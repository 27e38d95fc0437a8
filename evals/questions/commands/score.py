"""Score a table of replies, and compare the verdicts with those in the table."""

from __future__ import annotations

import argparse
from typing import Any

DESCRIPTION = """\
Score a table of replies: as the published evaluation code does (official), as a person would judge (robust), or both.
Where the table has verdicts of its own, say how many agree with them, and list the others.
"""
EPILOG = r"""
columns of CASES.csv:
  id                 names the row
  evaluator          choices_matching, ordered_list_matching, bool_list_matching, number_matching, key_items_matching,
                     erqa_harness, flageval_erqa or letter
  evaluator_kwargs   its arguments as JSON: {"label": "B"}, {"order": ["C", "D"]}, {"bool_str": ["1", "0"]},
                     {"value_to_match": 4}, {"key_items": [["left"], ["drawer", "cabinet"]]}
  reply              the reply; \n and \\ stand for a line break and a backslash
  reference          the right answer as text; the three letter evaluators compare with it
  letters, options   optional: the letters that may be chosen, the options as JSON list
  question_type      optional: `matching` tells a matching from a sorting
  official, robust   optional: the verdicts to compare with, 1 or 0, or n/a where there is none

examples:
  python -m evals.questions score CASES.csv --profile both
  python -m evals.questions score CASES.csv --profile robust --csv scored.csv

exit code: 0 scored, 1 an official verdict differs from the table's or more than 3 in 100 robust ones do, 2 the table
cannot be used
"""


def add(subparsers: Any) -> None:
    """Add the parser of this command."""
    parser = subparsers.add_parser(
        "score",
        help="score a table of replies",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("cases", metavar="CASES.csv", help="the table")
    parser.add_argument(
        "--profile", choices=("official", "robust", "both"), default="both", help="which verdicts (default: both)"
    )
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--csv", metavar="OUT", help="write the verdicts as a table")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Score the table; the exit code."""
    from pathlib import Path

    from evals.questions.scored_table import as_json, as_text, read_cases, score, write_csv
    from models.parsing import Profile

    profiles = tuple(Profile) if arguments.profile == "both" else (Profile(arguments.profile),)
    scored = score(read_cases(Path(arguments.cases)), profiles)
    if arguments.csv:
        write_csv(scored, Path(arguments.csv))
    print(as_json(scored) if arguments.json else as_text(scored))
    return 0 if scored.agrees else 1

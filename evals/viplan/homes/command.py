"""Play the household without an agent, and compare the rates with the recorded runs of the original.

    python -m evals.household_study [--seeds 3] [--walk 10] [--split simple] [--limit N]

Every problem is played with plans from the true state, once for each seed, and then walked through at random.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.pages.tables import write_rows
from evals.viplan.arguments import at_least

DESCRIPTION = """\
Play the household without an agent, and hold what happens against the recorded runs of the original.

Every problem is played with shortest plans from the true state, once for each seed: how many reach their goal within
the step limit, in how many steps, and how long a step takes. Then it is walked through at random. Of all attempts it
is counted how often legal actions fail, how many objects are in view, and how often facts in view are true.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(argv)
    from evals.viplan.homes.playing import play

    try:
        if arguments.csv and not arguments.csv.parent.is_dir():
            # Check before playing: hours of results would be lost otherwise.
            raise FileNotFoundError(f"--csv: there is no folder {arguments.csv.parent}")
        study = play(
            arguments.split,
            limit=arguments.limit,
            seeds=arguments.seeds,
            walk=arguments.walk,
            notify=lambda line: print(line, file=sys.stderr),
        )
        if arguments.csv:
            write_rows(arguments.csv, study.rows())
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps(study.as_json(), indent=1))
    else:
        from evals.viplan.homes.display import show

        show(study)
    return 0 if study.all_solved else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.household_study",
        description=DESCRIPTION,
        epilog="exit code: 0 every problem was solved, 1 some were not, 2 invalid input",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--split", default="all", help="simple, medium, hard or all (the default)")
    parser.add_argument("--limit", type=at_least(1), metavar="N", help="only the first N problems of each split")
    parser.add_argument("--seeds", type=at_least(1), default=3, metavar="N", help="how often to play (default: 3)")
    parser.add_argument("--walk", type=at_least(0), default=10, metavar="N", help="steps at random (default: 10)")
    parser.add_argument("--csv", type=Path, metavar="OUT", help="write the rates to a file")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")
    return parser

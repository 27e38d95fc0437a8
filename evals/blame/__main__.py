"""Find out what the failures of a run are to be blamed on.

    python -m evals.blame RUN

Plays every failed episode again with one faculty made perfect, then with two, and so on, until it is known what would
have saved it: perception, planning, reliable actions, parsing, or the rules. The judge of the benchmark defines the
faculties.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.rerun.options import EXIT_CODES, add_playing_options, done
from evals.run.pipes import quietly

DESCRIPTION = """\
Find out what the failures of a run are to be blamed on. Every failed episode is played again with one faculty made
perfect, then with two, and so on, until it is known which are enough to save it. Writes blame.json, blame.csv and
blame.html, and a run directory for each kind of rerun.
"""
EPILOG = f"""\
faculties, in worlds of facts:
  perception   answers about facts are true
  parsing      a reply that cannot be read is replaced by a right one
  planning     plans are good for what is believed
  knowledge    plans start from the true state, even where it is out of view
  deciding     proposals of the model (plan, action) are those of a perfect planner: perception and planning in one
  actions      legal actions do not fail
  protocol     three times the steps, and no end for repeating an action
in questions:
  answering    a reply that can be read is the right answer
  parsing      a reply that cannot be read is replaced by a right one
in worlds of options:
  deciding     the option that leads to the goal soonest is chosen
  parsing      a reply that cannot be read is replaced by a right one
  protocol     three times the steps

Episodes that could not be played are excluded and counted. Recorded answers are reused; a model over a network gets
further requests only with --ask, and without it some reruns may stay untried. Code and addresses that the run names are
used only if they are confirmed on this command line.

examples:
  python -m evals.blame runs/DIR
  python -m evals.blame runs/DIR --ask --dry-run
  python -m evals.blame runs/DIR --ask --max-cost 5

{EXIT_CODES}"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.blame",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="the directory of a run")
    add_playing_options(parser)
    arguments = vars(parser.parse_args(argv))
    from evals.blame.blaming import blame

    return done(lambda: blame(arguments))


if __name__ == "__main__":
    sys.exit(quietly(main))

"""Say what a run's failures are to be blamed on.

    python -m evals.blame RUN

Plays every failed episode again with one thing put right, then with two, and so on, until it is known what would have
saved it: perception, planning, the actions' luck, the reading of replies, or the rules of the game.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.counterfactual.options import EXIT_CODES, add_playing_options, done
from evals.pipes import quietly

DESCRIPTION = """\
Say what the failures of a run are to be blamed on. Every failed episode is played again with one thing put right, then
with two, and so on, until it is known which are enough to save it. Writes blame.json, blame.csv and blame.html, and
each kind of rerun as a run directory of its own.
"""
EPILOG = f"""\
what is put right:
  perception   answers about facts are true
  parsing      a reply that cannot be read is replaced by a right one
  planning     plans are good for what is believed
  knowledge    plans know the truth, even where nobody can see it
  deciding     what the model proposes (plan, action) is what a perfect planner would do: perception and planning in one
  actions      legal actions do not fail
  protocol     three times the steps, and no end for repeating an action

Episodes that could not be played are left out and counted. What was answered in the run is not asked again; a model
over a network is asked more only with --ask, and without it some reruns may stay untried.

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
    add_playing_options(parser, "RUN/blame")
    arguments = vars(parser.parse_args(argv))
    from evals.counterfactual.blaming import blame

    return done(lambda: blame(arguments))


if __name__ == "__main__":
    sys.exit(quietly(main))

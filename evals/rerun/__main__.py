"""Play an episode of a finished run again, with a change from a step on.

    python -m evals.rerun RUN --episode ID --from-step K --with oracle-answers

Up to that step, world and agent go as recorded; from there on the changes apply. The rerun is a run directory of its
own, inside the original run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.rerun.options import EXIT_CODES, add_playing_options, done
from evals.run.pipes import quietly

DESCRIPTION = """\
Play an episode of a finished run again: as recorded up to a step, and from there on with a change.
Prints the outcome, and where it first differs from the record.
"""
EPILOG = f"""\
changes (--with list explains those of a run):
  model:SPEC       another model answers
  agent:NAME       another agent takes over with the remaining steps, from an empty state
  worlds of facts  oracle-answers: every question about a fact is answered truthfully; the model's proposals stay
                   oracle-plan: plans come from a perfect planner that knows the true state; answers stay the model's.
                   For methods in which the model proposes actions (plan, action), the proposals are those of the
                   perfect planner
                   perception, parsing, planning, knowledge, deciding, actions, protocol: one faculty made perfect, as
                   in evals.blame (docs/why.md)
  questions        oracle-answers, answering, parsing, blind, no-picture, other-picture, shuffled-options
  worlds of options
                   deciding, parsing, protocol, blind, no-picture, other-picture

Recorded answers are reused. A model over a network gets further requests only with --ask. Code and addresses that the
run names are used only if they are confirmed on this command line.

examples:
  python -m evals.rerun runs/DIR --episode simple_problem_3 --with oracle-answers
  python -m evals.rerun runs/DIR --episode simple_problem_3 --from-step 4 --with oracle-plan
  python -m evals.rerun runs/DIR --episode hard_problem_7 --from-step 2 --with model:sim:qwen2.5-vl-72b
  python -m evals.rerun runs/DIR --episode hard_problem_7 --from-step 5 --with agent:ground_belief --seeds 10
  python -m evals.rerun runs/DIR --with list

{EXIT_CODES}"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.rerun",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="the directory of a run")
    what = parser.add_argument_group("what to play")
    what.add_argument("--episode", metavar="ID", help="the episode")
    what.add_argument("--from-step", type=int, default=0, metavar="K", help="how many attempts to repeat (default: 0)")
    what.add_argument(
        "--with",
        action="append",
        required=True,
        metavar="CHANGE",
        help="a change, or `list`; may be repeated",
    )
    what.add_argument(
        "--seeds", type=int, default=1, metavar="N", help="how many random seeds to play from there (default: 1)"
    )
    add_playing_options(parser)
    arguments = vars(parser.parse_args(argv))
    from evals.rerun.one import rerun

    return done(lambda: rerun(arguments))


if __name__ == "__main__":
    sys.exit(quietly(main))

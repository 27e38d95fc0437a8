"""Play an episode of a finished run again, with something put right from a step on.

    python -m evals.rerun RUN --episode ID --from-step K --with oracle-answers

Up to that step everything goes as it is recorded, world and agent alike; from there on the changes hold. The rerun is a
run directory of its own, below the run it comes from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.rerun.options import EXIT_CODES, add_playing_options, done
from evals.run.pipes import quietly

DESCRIPTION = """\
Play an episode of a finished run again: as it is recorded up to a step, and from there on with something otherwise.
It says what comes of it, and where it goes another way than before.
"""
EPILOG = f"""\
what can be changed (--with list says what each means for the run at hand):
  model:SPEC       another model answers
  agent:NAME       another agent takes over the task as it is, with the steps that are left; it starts afresh
  worlds of facts  oracle-answers: every question about a fact is answered truthfully; what the model proposes stays
                   oracle-plan: plans come from a perfect planner that knows the true state; answers stay the model's.
                   Methods in which the model itself proposes what to do (plan, action) see and plan in one: there the
                   proposals are those of a perfect planner
                   perception, parsing, planning, knowledge, deciding, actions, protocol: one faculty made perfect, as
                   evals.blame has them (docs/why.md)
  questions        oracle-answers, answering, parsing, blind, no-picture, other-picture, shuffled-options
  worlds of options
                   deciding, parsing, protocol, blind, no-picture, other-picture

What was answered before is not asked again. A model over a network is asked more only with --ask. Code and addresses
that the run names are used only if they are confirmed on this command line.

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
    what.add_argument("--episode", metavar="ID", help="which episode")
    what.add_argument("--from-step", type=int, default=0, metavar="K", help="after how many attempts (default: 0)")
    what.add_argument(
        "--with",
        action="append",
        required=True,
        metavar="CHANGE",
        help="what to change, or `list`; may be repeated",
    )
    what.add_argument(
        "--seeds", type=int, default=1, metavar="N", help="courses of chance to play from there (default: 1)"
    )
    add_playing_options(parser)
    arguments = vars(parser.parse_args(argv))
    from evals.rerun.one import rerun

    return done(lambda: rerun(arguments))


if __name__ == "__main__":
    sys.exit(quietly(main))

"""Run the ViPlan benchmark.

    python -m evals.viplan --agent ground_mem

Plays every problem of the chosen splits with one agent and one model, writes a run directory with the trace of every
episode, and ends with a table and a report to look at.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evals.command import EXIT_CODES, add_common_options, run_command
from evals.pipes import quietly

if TYPE_CHECKING:
    from evals.viplan_benchmark import ViPlan

DESCRIPTION = """\
Run the ViPlan benchmark: an agent and a model on every problem of the chosen splits.

Without options it plays our 75 Blocksworld problems with a simulated model: no key, no GPU, no download. Every
answer is on disk before the next question; a run that was stopped or killed goes on with --resume.
"""
EPILOG = f"""\
examples:
  python -m evals.viplan --agent ground_mem
  python -m evals.viplan --agent plan_cot --split simple --limit 5 --model sim:qwen2.5-vl-72b
  python -m evals.viplan --agent plan --domain household --split simple
  python -m evals.viplan --agent ground --model oracle --fail-probability 0.1
  python -m evals.viplan --agent ground --model pixels --split simple
  python -m evals.viplan --agent ground --rules official --viplan-root ViPlan --model replay:results_1.json
  python -m evals.viplan --agent my_agent.py:build --limit 2
  python -m evals.viplan --resume runs/20260101-120000-viplan-ground_mem-sim_gpt-4.1

{EXIT_CODES}"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    return run_command(vars(_parser().parse_args(argv)), _benchmark)


def _benchmark() -> ViPlan:
    from evals.viplan_benchmark import ViPlan

    return ViPlan()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.viplan",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_argument_group("what to run")
    what.add_argument("--domain", help="blocksworld (the default), household or all")
    what.add_argument("--split", help="simple, medium, hard or all (the default)")
    what.add_argument(
        "--fail-probability", type=float, metavar="P", help="how often an action fails by bad luck (default: 0)"
    )
    what.add_argument("--problems", metavar="DIR", help="a folder of problems: DIR/SPLIT/*.pddl (default: our own)")
    what.add_argument("--viplan-root", metavar="DIR", help="a checkout of the original: its problems and its prompts")
    what.add_argument("--env-url", metavar="URL", help="act in a home that a server has: the original's or envs.serve")
    what.add_argument("--rules", help="mended (the default) or official: the original's protocol, quirks included")
    what.add_argument("--renderer", help="ray (the default) or blender (pip install -e '.[blender]')")
    add_common_options(parser, what)
    return parser


if __name__ == "__main__":
    sys.exit(quietly(main))

"""Run the ViPlan benchmark.

    python -m evals.viplan --agent ground_mem

Plays every problem of the chosen splits with one agent and one model, writes a run directory with all traces, and ends
with a table and a report.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evals.command import parser_of, run_command
from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.viplan.benchmark import ViPlan

DESCRIPTION = """\
Run the ViPlan benchmark: an agent and a model on every problem of the chosen splits.

Without options it plays our 75 Blocksworld problems with a simulated model: no key, no GPU, no download. Every
answer is on disk before the next question; --resume continues a run that was stopped or killed.
"""
EXAMPLES = """\
examples:
  python -m evals.viplan --agent ground_mem
  python -m evals.viplan --agent plan_cot --split simple --limit 5 --model sim:qwen2.5-vl-72b
  python -m evals.viplan --agent plan --domain household --split simple
  python -m evals.viplan --agent ground --model oracle --fail-probability 0.1
  python -m evals.viplan --agent ground --model pixels --split simple
  python -m evals.viplan --agent ground --rules official --viplan-root ViPlan --model replay:results_1.json
  python -m evals.viplan --agent my_agent.py:build --limit 2
  python -m evals.viplan --resume runs/20260101-120000-viplan-ground_mem-sim_gpt-4.1
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    return run_command(vars(_parser().parse_args(argv)), _benchmark)


def _benchmark() -> ViPlan:
    from evals.viplan.benchmark import BENCHMARK

    return BENCHMARK


def _parser() -> argparse.ArgumentParser:
    from evals.viplan.settings import ViPlanSettings

    return parser_of(ViPlanSettings, "python -m evals.viplan", DESCRIPTION, EXAMPLES)


if __name__ == "__main__":
    sys.exit(quietly(main))

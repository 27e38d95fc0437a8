"""Measure what the recorded answers of real models are worth to an agent that knows which states are legal.

    python -m evals.belief_study --help

The command lives in `evals/viplan/belief`, with the rest of ViPlan.
"""

from __future__ import annotations

import sys

from evals.run.pipes import quietly
from evals.viplan.belief.command import main

if __name__ == "__main__":
    sys.exit(quietly(main))
